// A console client that is fed from a capture, frame by frame, and prints the same fingerprint as
// `evenstride replay`.
//
//   cargo run -p evenstride_ffi --example lines -- testdata/captures/first-light.pcap first-light.jsonl
//   mcs -langversion:7.2 -unsafe bindings/csharp/Evenstride/*.cs bindings/csharp/examples/console/*.cs -out:console.exe
//   LD_LIBRARY_PATH=target/debug mono console.exe first-light.jsonl
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using Evenstride;

internal static class Program
{
    private const double FramesPerSecond = 60;

    // Seconds after the last message.
    private const double Tail = 3;

    private sealed class Message
    {
        internal double Time;
        internal bool IsFromClient;
        internal byte[] Bytes;
    }

    private static int Main(string[] arguments)
    {
        if (arguments.Length != 1)
        {
            Console.Error.WriteLine("usage: console CAPTURE.jsonl");
            return 2;
        }
        var messages = Read(arguments[0]);
        if (messages.Count == 0)
        {
            Console.Error.WriteLine(arguments[0] + ": no messages");
            return 1;
        }
        using (var config = new Config("GLIDE"))
        {
            // A capture may begin in the middle of a session.
            config["unknown"] = "adopt";
            config["no_viewpoint"] = "all-near";
            using (var world = new World(config, messages[0].Time))
            {
                Play(world, messages);
            }
        }
        return 0;
    }

    private static void Play(World world, List<Message> messages)
    {
        var start = messages[0].Time;
        var end = messages[messages.Count - 1].Time + Tail;
        var frame = 1 / FramesPerSecond;
        var drawn = new Drawn[256];
        var events = new WorldEvent[256];
        var heard = 0;
        var happened = 0;
        for (var number = 0; start + number * frame <= end; number++)
        {
            // As a client does: time first, then the messages that have arrived, then the picture.
            var time = start + number * frame;
            world.Advance(time);
            for (; heard < messages.Count && messages[heard].Time <= time; heard++)
            {
                var message = messages[heard];
                if (!message.IsFromClient)
                {
                    world.Handle(time, message.Bytes);
                }
            }
            for (int count = events.Length; count == events.Length; happened += count)
            {
                count = world.EventsInto(events);
            }
            var bodies = world.DrawnInto(time, 0xA9B4, drawn);
            if (bodies > drawn.Length)
            {
                drawn = new Drawn[2 * bodies];
                bodies = world.DrawnInto(time, 0xA9B4, drawn);
            }
            if (number % (int)FramesPerSecond == 0)
            {
                Print(time, drawn, bodies);
            }
        }
        Console.WriteLine("{0} messages, {1} events, {2} bodies", heard, happened, world.Count);
        Console.WriteLine("state 0x{0:X16}", world.StateHash);
    }

    private static void Print(double time, Drawn[] drawn, int count)
    {
        Console.Write(time.ToString("F1", CultureInfo.InvariantCulture) + " s");
        for (var index = 0; index < Math.Min(count, 3); index++)
        {
            var at = drawn[index].Position;
            Console.Write(string.Format(
                CultureInfo.InvariantCulture, "  {0:X8} {1:F2} {2:F2} {3:F2}", drawn[index].Entity, at.X, at.Y, at.Z));
        }
        Console.WriteLine();
    }

    // Reads lines such as {"t_rel":0.5,"dir":"s2c","payload_hex":"48f7…"}.
    private static List<Message> Read(string path)
    {
        var messages = new List<Message>();
        foreach (var line in File.ReadLines(path))
        {
            messages.Add(new Message
            {
                Time = double.Parse(Field(line, "\"t_rel\":", ","), CultureInfo.InvariantCulture),
                IsFromClient = Field(line, "\"dir\":\"", "\"") == "c2s",
                Bytes = FromHex(Field(line, "\"payload_hex\":\"", "\"")),
            });
        }
        return messages;
    }

    private static string Field(string line, string before, string after)
    {
        var start = line.IndexOf(before, StringComparison.Ordinal) + before.Length;
        return line.Substring(start, line.IndexOf(after, start, StringComparison.Ordinal) - start);
    }

    private static byte[] FromHex(string digits)
    {
        var bytes = new byte[digits.Length / 2];
        for (var index = 0; index < bytes.Length; index++)
        {
            bytes[index] = Convert.ToByte(digits.Substring(2 * index, 2), 16);
        }
        return bytes;
    }
}
