// Nanoseconds per entity in C#. `cargo xtask native-bench` runs it together with Rust and C.
using System;
using System.Diagnostics;
using System.Globalization;
using Evenstride;

internal static class Bench
{
    private const int Entities = 10000;
    private const int Frames = 240;
    private const int Passes = 11;

    private static int Main()
    {
        var positions = new Position[Entities];
        var drawn = new Drawn[Entities];
        var (advance, draw, handle) = (new double[Frames], new double[Frames], new double[Frames / 12]);
        double moved = 0;
        var single = new double[Passes];
        int collections;
        using (var world = new World("SPECTATOR", 0))
        {
            // The first frames compile the methods.
            Run(world, 0, 24, positions, drawn, advance, handle, draw, ref moved);
            GC.Collect();
            collections = GC.CollectionCount(0);
            Run(world, 24, Frames, positions, drawn, advance, handle, draw, ref moved);
            Body body;
            for (var pass = 0; pass < Passes; pass++)
            {
                var start = Stopwatch.GetTimestamp();
                for (uint index = 0; index < Entities; index++)
                {
                    world.TryBody(4, 0x80000000 + index, out body);
                }
                single[pass] = Since(start);
            }
            collections = GC.CollectionCount(0) - collections;
        }
        if (moved <= 0)
        {
            Console.Error.WriteLine("nothing was drawn");
            return 1;
        }
        Console.WriteLine(string.Format(
            CultureInfo.InvariantCulture,
            "C#    advance {0,5:F1}  handle {1,5:F1}  draw, batch {2,5:F1}  body, single {3,5:F1}",
            Mean(advance),
            Median(handle),
            Median(draw),
            Median(single)));
        Console.WriteLine("C#    {0} collections of generation 0", collections);
        return collections == 0 ? 0 : 1;
    }

    private static void Run(
        World world,
        int from,
        int to,
        Position[] positions,
        Drawn[] drawn,
        double[] advance,
        double[] handle,
        double[] draw,
        ref double moved)
    {
        for (var frame = from; frame < to; frame++)
        {
            var time = frame / 60.0;
            var start = Stopwatch.GetTimestamp();
            world.Advance(time);
            advance[frame] = Since(start);
            if (frame % 12 == 0)
            {
                Fill(positions, frame / 12);
                start = Stopwatch.GetTimestamp();
                world.Apply(time, positions);
                handle[frame / 12] = Since(start);
            }
            start = Stopwatch.GetTimestamp();
            var count = world.DrawnInto(time, 0xA9B4, drawn);
            draw[frame] = Since(start);
            moved += drawn[count - 1].Position.X;
        }
    }

    private static void Fill(Position[] positions, int round)
    {
        for (uint index = 0; index < Entities; index++)
        {
            var origin = new Vec3 { X = index % 50 + round * 0.8f, Y = index / 60, Z = 10 };
            positions[index] = new Position
            {
                Entity = 0x80000000 + index,
                Place = new Place { Cell = 0xA9B40001, Origin = origin, QW = 1 },
                HasContact = 1,
                Stamp = (ushort)(round + 1),
            };
        }
    }

    private static double Since(long start)
    {
        return (Stopwatch.GetTimestamp() - start) * 1e9 / Stopwatch.Frequency / Entities;
    }

    private static double Median(double[] times)
    {
        Array.Sort(times);
        return times[times.Length / 2];
    }

    // Only every second frame is a step, so the median of frames would mean little.
    private static double Mean(double[] times)
    {
        double sum = 0;
        foreach (var time in times)
        {
            sum += time;
        }
        return sum / times.Length;
    }
}
