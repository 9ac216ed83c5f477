// A remote body in a world of the library. It gets the messages of a trace.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Evenstride;
using Members = System.Collections.Generic.Dictionary<string, object>;

class Body : IDisposable {
    public const string Name = "evenstride, C# package";
    public static readonly string[] Fields = { "cell", "pos", "quat", "cvel", "queue", "active", "route" };

    const uint Subject = 0x50000001, BareTable = 0x09000001, Creature = 0x10;
    const ushort Running = 7;

    const DescriptionFields Described =
        DescriptionFields.Place | DescriptionFields.Scale | DescriptionFields.Velocity | DescriptionFields.Omega;

    // More than the 1/30 s between two rounds.
    const double EarlySecs = 0.05;
    // The shortest step that the gate of 30 Hz lets pass however times are rounded.
    const double ShortestSecs = 1 / 30.0 + 1e-9;

    // Bodies of these traces have no animations, so their motion table is empty.
    static readonly MotionLibrary Bare = MotionLibrary.FromRecords(new[] { BareTable }, id => BareRecord());

    readonly World world;
    readonly Walls walls;
    readonly string driver;
    readonly ushort instance;

    public Body(Members trace) {
        var settings = trace.Object("settings");
        Check(settings);
        driver = trace.Text("driver");
        instance = (ushort)settings.Object("stamps").Int("instance");
        bool isGrounded = settings.Numbers("contact")[0] == 1, isAtRest = settings.Numbers("velocity").All(part => part == 0);
        // A body knows its distance from the player after its first round. One that stands can have it early.
        double start = settings.Number("t0"), early = isGrounded && isAtRest ? EarlySecs : 0;
        using (var config = new Config("RETAIL")) {
            config["max_step_secs"] = settings.Number("max_quantum").ToString("R", CultureInfo.InvariantCulture);
            bool isNear = settings["player_distance"] != null && settings.Number("player_distance") < 96;
            config["no_viewpoint"] = isNear ? "all-near" : "all-far";
            world = new World(config, start - early);
        }
        world.SetLibrary(Bare);
        walls = new Walls { Contact = isGrounded ? Contact.On : Contact.Lost };
        world.SetSurroundings(walls);
        if (settings["player"] != null) world.SetViewpoint(Native(settings.Object("player").Place()));
        Enter(settings, start - early);
        walls.Contact = Contact.Kept;
        world.Advance(start);
    }

    public void Dispose() { world.Dispose(); }

    static void Check(Members settings) {
        var contact = settings.Numbers("contact");
        if (contact[0] != contact[1]) throw new Unsupported("contact without ground to walk on");
        if ((settings.Int("state") & 0x1000000) != 0) throw new Unsupported("a frozen body, whose distance no round finds out");
        bool isAnimated = ((List<object>)settings["anims"]).Count > 0;
        if (isAnimated || settings["friction"] != null || !settings.Flag("has_cell"))
            throw new Unsupported("animations, friction or a body outside the world");
        if (settings.Number("speed_factor") != 1 || settings.Number("radius") != 0.5)
            throw new Unsupported("a speed factor or a size without a model");
        if (settings.Int("forward_command") == 0x44000007 && (!settings.Flag("weenie") || settings["inq_run_rate"] != null))
            throw new Unsupported("a run rate of the game object");
    }

    // Messages tell of a run rate by a run. So the body begins to run, and then does what the trace says.
    unsafe void Enter(Members settings, double now) {
        var stamps = settings.Object("stamps");
        var described = new Description {
            Entity = Subject,
            ItemType = Creature,
            State = (uint)settings.Int("state"),
            Present = (uint)Described,
            Place = Native(settings.Object("pos").Place()),
            MotionTable = BareTable,
            Scale = (float)settings.Number("scale"),
            Velocity = Native(settings.Numbers("velocity")),
            Omega = Native(settings.Numbers("omega")),
        };
        // The order of stamps is that of the message.
        described.Stamps[0] = (ushort)stamps.Int("position");
        described.Stamps[3] = (ushort)stamps.Int("vector");
        described.Stamps[4] = (ushort)stamps.Int("teleport");
        described.Stamps[8] = instance;
        object reported = settings["inq_run_rate"];
        double rate = !settings.Flag("weenie") ? 1 : reported != null ? (double)reported : settings.Number("my_run_rate");
        world.Apply(now, described, Movement(Running, rate));
        var command = (ushort)settings.Int("forward_command");
        world.Apply(now, Movement(command, settings.Number("forward_speed")));
    }

    Movement Movement(ushort forward, double speed) {
        return new Movement {
            Entity = Subject,
            Instance = instance,
            Stamp = 1,
            ServerControl = 1,
            Present = (ushort)(MovementFields.Forward | MovementFields.ForwardSpeed),
            Forward = forward,
            ForwardSpeed = (float)speed,
        };
    }

    public Members Event(Members of) {
        string kind = of.Text("kind"), word = kind;
        switch (kind) {
            case "position": word = Walls.Word(world.Apply(of.Number("t"), Position(of))); break;
            case "vector": {
                var vector = new Vector {
                    Entity = Subject,
                    Velocity = Native(of.Numbers("velocity")),
                    Omega = Native(of.Numbers("omega")),
                    Instance = instance,
                    Stamp = (ushort)of.Int("vector_ts"),
                };
                bool isApplied = world.Apply(of.Number("t"), vector).Code == (ushort)DispositionCode.Applied;
                word = isApplied ? "vector_applied" : "vector_stale";
                break;
            }
            case "player": world.SetViewpoint(Native(of.Place())); break;
            case "block": walls.Freedom = (float)of.Number("value"); break;
            case "setpos_result": walls.Refuses = of.Flag("value"); break;
            default: throw new Unsupported("event " + kind);
        }
        var state = State(of.Number("t"));
        state["route"] = word;
        return state;
    }

    static Position Position(Members of) {
        return new Position {
            Entity = Subject,
            Place = Native(of.Place()),
            HasContact = of.Flag("has_contact") ? 1u : 0,
            Instance = (ushort)of.Int("instance"),
            Stamp = (ushort)of.Int("position_ts"),
            Teleport = (ushort)of.Int("teleport_ts"),
            ForcePosition = (ushort)of.Int("force_position_ts"),
        };
    }

    public Members Tick(Members tick) {
        double dt = tick.Number("dt");
        bool isStep = driver == "internal" ? dt >= ShortestSecs && dt <= 0.2 : driver != "update_object" || dt >= ShortestSecs;
        if (!isStep) throw new Unsupported("steps that the world's own gate of 30 Hz does not make");
        world.Advance(tick.Number("t"));
        return State(tick.Number("t"));
    }

    Members State(double now) {
        Evenstride.Body body;
        if (!world.TryBody(now, Subject, out body)) throw new InvalidOperationException("the body is gone");
        var at = body.Place;
        return new Members {
            { "cell", "0x" + at.Cell.ToString("X8") },
            { "pos", new[] { at.Origin.X, at.Origin.Y, at.Origin.Z } },
            { "quat", new[] { at.QW, at.QX, at.QY, at.QZ } },
            { "cvel", new[] { body.Velocity.X, body.Velocity.Y, body.Velocity.Z } },
            { "queue", body.Waypoints },
            { "active", body.IsActive },
        };
    }

    static Vec3 Native(double[] v) { return new Vec3 { X = (float)v[0], Y = (float)v[1], Z = (float)v[2] }; }

    static Evenstride.Place Native(Place at) {
        var q = at.Quat.Select(part => (float)part).ToArray();
        return new Evenstride.Place { Cell = at.Cell, Origin = Native(at.Pos), QW = q[0], QX = q[1], QY = q[2], QZ = q[3] };
    }

    // Number, stance, and the lengths of four empty lists.
    static byte[] BareRecord() {
        return new[] { BareTable, 0x8000003Du, 0u, 0u, 0u, 0u }.SelectMany(BitConverter.GetBytes).ToArray();
    }
}
