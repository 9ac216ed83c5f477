// Tests of the C# package. Prints one line and returns 0 if all pass.
//
//   cargo xtask test --only native
using System;
using System.Runtime.InteropServices;
using Evenstride;

internal static class Checks
{
    private const uint Home = 0xA9B40001;
    private const uint Block = 0xA9B4;
    private const uint Who = 7;

    private static int checks;
    private static int failures;

    private static int Main()
    {
        Offsets();
        AWorldLives();
        BuffersBelongToTheCaller();
        AnExceptionLeavesTheCallAndTheWorldGoesOn();
        ACallbackThatCallsItsOwnWorldIsRefused();
        AnInvalidAnswerCountsAsBlocked();
        AWorldThatIsDisposedInItsCallbackLivesUntilTheCallReturns();
        ErrorsAreExceptions();
        AnotherGameHasItsOwnAxes();
        KeysBecomeMessages();
        ALibraryComesFromTheHost();
        ASwitchReplacesOrComparesPlaces();
        FinalisersReleaseWorlds();
        Console.WriteLine("C#: {0} checks, {1} failed", checks, failures);
        return failures == 0 ? 0 : 1;
    }

    private static void Check(bool holds, string what)
    {
        checks++;
        if (!holds)
        {
            failures++;
            Console.WriteLine("FAIL " + what);
        }
    }

    private static Place At(float x, float y)
    {
        return new Place { Cell = Home, Origin = new Vec3 { X = x, Y = y, Z = 10 }, QW = 1 };
    }

    // A body that walks north.
    private static World Walking()
    {
        var world = new World("SMOOTH", 0);
        world.Insert(0, Who, World.SetupAt(At(50, 50)));
        var present = (ushort)MovementFields.Forward;
        var movement = new Movement { Entity = Who, Stamp = 1, Style = 0x3D, Present = present, Forward = 5 };
        Check(world.Apply(0, movement).Code == (ushort)DispositionCode.Applied, "a movement is applied");
        return world;
    }

    private static float Y(World world, double time)
    {
        Body body;
        Check(world.TryBody(time, Who, out body), "the body is there");
        return body.Place.Origin.Y;
    }

    private static void Offsets()
    {
        Check((int)Marshal.OffsetOf(typeof(Drawn), "Position") == 16, "Drawn.Position");
        Check((int)Marshal.OffsetOf(typeof(Drawn), "IsHidden") == 44, "Drawn.IsHidden");
        Check((int)Marshal.OffsetOf(typeof(Animation), "Entity") == 16, "Animation.Entity");
        Check((int)Marshal.OffsetOf(typeof(WorldEvent), "Reason") == 14, "WorldEvent.Reason");
        Check((int)Marshal.OffsetOf(typeof(Body), "InContact") == 104, "Body.InContact");
        Check((int)Marshal.OffsetOf(typeof(Movement), "ForwardSpeed") == 24, "Movement.ForwardSpeed");
        Check((int)Marshal.OffsetOf(typeof(Description), "Stamps") == 108, "Description.Stamps");
        Check((int)Marshal.OffsetOf(typeof(Sweep), "State") == 72, "Sweep.State");
        Check((int)Marshal.OffsetOf(typeof(PlainUpdate), "Order") == 64, "PlainUpdate.Order");
    }

    private static void AWorldLives()
    {
        using (var world = Walking())
        using (var copy = world.Clone())
        using (var restored = World.Restore(world.Save()))
        {
            foreach (var each in new[] { world, copy, restored })
            {
                Check(each.Advance(1).Rounds == 30, "30 rounds in a second");
                Check(each.StateHash == world.StateHash, "copies go on alike");
                Check(Y(each, 1) > 52, "the body walks");
            }
            world.Trace(Who);
            world.Apply(1, new Position { Entity = Who, Place = At(50, 60), HasContact = 1, Stamp = 1 });
            Check(world.Explain(Who).Contains("position 1 accepted"), "a decision is a sentence");
            Check(world.Prometheus().Contains("evenstride_bodies 1\n"), "metrics");
            Check(world.Stats().Bodies == 1 && world.Count == 1, "counts");
            Check(world.Remove(Who) && !world.Remove(Who), "a body is removed once");
        }
    }

    private static void BuffersBelongToTheCaller()
    {
        using (var world = Walking())
        {
            Check(world.DrawnInto(0, Block, Span<Drawn>.Empty) == 1, "the number that suffices");
            var drawn = new Drawn[2];
            Check(world.DrawnInto(0, Block, drawn) == 1 && drawn[0].Entity == Who, "one body is drawn");
            Check(drawn[0].Position.X == 50 && drawn[1].Entity == 0, "no more than one is written");
            Check(world.ChangedInto(0, Block, Span<Drawn>.Empty) == 1, "a changed body");
            Check(world.ChangedInto(0, Block, drawn) == 1, "it is reported again");
            var animations = new Animation[1];
            Check(world.AnimationsInto(0, animations) == 1 && animations[0].ForwardSpeed == 1, "an animation");
            var events = new WorldEvent[4];
            Check(world.EventsInto(events) == 1, "one event");
            Check(events[0].Code == (ushort)HappeningCode.Appeared, "the body appeared");
        }
    }

    private sealed class Geometry : ISurroundings
    {
        internal Func<Swept, Swept?> Answer = swept => swept;

        public bool Sweep(ref Sweep question, ref Swept answer)
        {
            var given = Answer(answer);
            answer = given.GetValueOrDefault();
            return given.HasValue;
        }

        public bool Place(ref Placing question, ref Placed answer)
        {
            return true;
        }

        public bool LandsByUpdate(ref Place at)
        {
            return false;
        }
    }

    private static void AnExceptionLeavesTheCallAndTheWorldGoesOn()
    {
        using (var world = Walking())
        {
            var geometry = new Geometry { Answer = _ => Throw<Swept?>("no geometry") };
            world.SetSurroundings(geometry);
            string said = null;
            try
            {
                world.Advance(0.5);
            }
            catch (InvalidOperationException exception)
            {
                said = exception.Message;
            }
            Check(said == "no geometry", "the host's own exception");
            Check(Y(world, 0.5) == 50, "the body stayed");
            geometry.Answer = swept => swept;
            world.Advance(1);
            Check(Y(world, 1) > 51, "the world goes on");
        }
    }

    private static void ACallbackThatCallsItsOwnWorldIsRefused()
    {
        using (var world = Walking())
        {
            var status = Status.Ok;
            world.SetSurroundings(new Geometry
            {
                Answer = swept =>
                {
                    try
                    {
                        world.Advance(9);
                    }
                    catch (EvenstrideException exception)
                    {
                        status = exception.Status;
                    }
                    return swept;
                },
            });
            world.Advance(0.5);
            Check(status == Status.Busy, "the inner call is refused");
            Check(world.Time == 0.5 && Y(world, 0.5) > 50, "the outer call is done");
        }
    }

    private static void AnInvalidAnswerCountsAsBlocked()
    {
        using (var world = Walking())
        {
            world.SetSurroundings(new Geometry
            {
                Answer = swept =>
                {
                    swept.At.Origin.X = float.NaN;
                    return swept;
                },
            });
            Check(Fails(() => world.Advance(0.5)) == Status.BadAnswer, "NaN is reported");
            Check(Y(world, 0.5) == 50, "the body stayed");
        }
    }

    private static void AWorldThatIsDisposedInItsCallbackLivesUntilTheCallReturns()
    {
        var world = Walking();
        world.SetSurroundings(new Geometry
        {
            Answer = swept =>
            {
                world.Dispose();
                return swept;
            },
        });
        world.Advance(0.5);
        var isDisposed = false;
        try
        {
            world.Advance(0.6);
        }
        catch (ObjectDisposedException)
        {
            isDisposed = true;
        }
        Check(isDisposed, "the world is disposed after the call");
    }

    // Lambdas that throw are miscompiled by mcs.
    private static T Throw<T>(string message)
    {
        throw new InvalidOperationException(message);
    }

    private static Status Fails(Action run)
    {
        try
        {
            run();
            return Status.Ok;
        }
        catch (EvenstrideException exception)
        {
            Check(exception.Message.Length > 0, "an error has a sentence");
            return exception.Status;
        }
    }

    private static void ErrorsAreExceptions()
    {
        Check(Fails(() => new World("BEST", 0)) == Status.Invalid, "an unknown profile");
        using (var config = new Config("RETAIL"))
        using (var world = new World(config, 0))
        {
            config["gate"] = "fixed";
            Check(config["gate"] == "fixed", "a switch");
            Check(Fails(() => config["gate"] = "open") == Status.Invalid, "an unknown value");
            Check(Fails(() => world.Advance(double.NaN)) == Status.Invalid, "NaN is no time");
            Check(Fails(() => world.Handle(0, new byte[3])) == Status.BadMessage, "a damaged message");
            Check(world.Handle(0, new byte[] { 0xE0, 0xF7, 0, 0 }).Code == 0, "a message not about motion");
            Check(Fails(() => World.Restore(new byte[8])) == Status.BadSave, "a damaged save");
            Body body;
            Check(!world.TryBody(0, Who, out body), "an unknown body");
        }
        Check(LibraryVersion.Text.Split('.').Length == 3, "a version");
    }

    private static void AnotherGameHasItsOwnAxes()
    {
        using (var world = new PlainWorld(Axes.YUpZForward, 1, 0))
        {
            for (var tick = 0; tick <= 120; tick++)
            {
                var now = tick / 60.0;
                world.Advance(now);
                if (tick % 30 == 0)
                {
                    world.Update(now, new PlainUpdate
                    {
                        Entity = 1,
                        Pose = new PlainPose { X = 3 * now, QW = 1 },
                        OrderKind = (uint)UpdateOrder.Sequence,
                        Order = (ulong)tick + 1,
                    });
                }
            }
            var drawn = new PlainDrawn[1];
            Check(world.DrawnInto(2, drawn) == 1 && Math.Abs(drawn[0].Pose.X - 6) < 0.3, "it glides along");

            world.SetSenderClock(SenderClock.Shared);
            world.SetLimits(1, 4, float.PositiveInfinity, 0.5f);
            world.Update(2, new PlainUpdate
            {
                Entity = 1,
                Pose = new PlainPose { X = 9, QW = 1 },
                OrderKind = (uint)UpdateOrder.Sequence,
                Order = 1000,
            });
            world.Advance(2.02);
            world.DrawnInto(2.02, drawn);
            Check(Math.Abs(drawn[0].Pose.X - 9) < 0.1, "it is placed beyond its snap distance");
        }
    }

    private static void KeysBecomeMessages()
    {
        using (var world = new World("RETAIL", 0))
        {
            var setup = World.SetupAt(At(50, 50));
            world.Insert(0, 0x50000001, setup);
            world.SetLocalPlayer(0, 0x50000001);
            world.SetInput(0, new Keys { Ahead = 1, Run = 1 });
            var bytes = new byte[0];
            var ends = new uint[0];
            var count = world.ActionsInto(ref bytes, ref ends);
            Check(count > 0 && bytes[0] == 0xB1 && bytes[1] == 0xF7, "an action for the server");
            world.Advance(1);
            Player player;
            Check(world.TryPlayer(out player) && player.Place.Origin.Y > 51, "the player walks");
        }
    }

    private static void ALibraryComesFromTheHost()
    {
        using (var library = MotionLibrary.FromRecords(new uint[] { 0x09000001 }, id => null))
        using (var world = Walking())
        {
            Check(library.Loaded.Missing == 1, "a missing table is counted");
            world.SetLibrary(library);
        }
        var said = "";
        try
        {
            MotionLibrary.FromRecords(new uint[] { 0x09000001 }, id => Throw<byte[]>("no disk"));
        }
        catch (InvalidOperationException exception)
        {
            said = exception.Message;
        }
        Check(said == "no disk", "the host's own exception");
    }

    private static void ASwitchReplacesOrComparesPlaces()
    {
        var lines = new System.Collections.Generic.List<string>();
        using (var motion = new MotionSwitch(Walking(), MotionSource.Theirs, lines.Add))
        {
            var place = At(50, 50);
            motion.Advance(0.5);
            Check(motion.World.Time == 0 && !motion.Choose(0.5, Who, ref place), "theirs leaves all alone");

            motion.Source = MotionSource.Both;
            motion.World.Apply(0, new Position { Entity = Who, Place = At(50, 51), HasContact = 1, Stamp = 1 });
            motion.Advance(0.5);
            Check(!motion.Choose(0.5, Who, ref place) && place.Origin.Y == 50, "both draws theirs");
            Check(lines.Count == 1 && lines[0].Contains("position 1 accepted"), "and logs with the reason");
            motion.Choose(0.6, Who, ref place);
            Check(lines.Count == 1 && motion.Differences == 2, "one line a second");
            Body body;
            motion.World.TryBody(0.6, Who, out body);
            motion.Choose(0.6, Who, ref body.Drawn);
            Check(motion.Differences == 2, "the same place is no difference");

            motion.Source = MotionSource.Ours;
            Check(motion.Choose(0.5, Who, ref place) && place.Origin.Y > 50, "ours replaces the place");
            motion.Hear(0.6, new byte[3]);
            Check(lines.Count == 2, "a damaged message is logged");
        }
    }

    private static void FinalisersReleaseWorlds()
    {
        for (var round = 0; round < 100; round++)
        {
            Walking().SetSurroundings(new Geometry());
        }
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Check(true, "no world crashed in its finaliser");
    }
}
