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
        var actions = new byte[0];
        var ends = new uint[0];
        var heard = 0;
        var happened = 0;
        var player = PlayerOf(messages);
        if (player != 0)
        {
            world.SetLocalPlayer(start, player);
            if (!messages.Exists(message => message.IsFromClient))
            {
                // The player's keys are unknown, so only the server's messages move it.
                world.SetAutonomy(Autonomy.Server);
            }
        }
        for (var number = 0; start + number * frame <= end; number++)
        {
            // As a client does: time first, then the messages that have arrived, then the picture.
            var time = start + number * frame;
            world.Advance(time);
            for (; heard < messages.Count && messages[heard].Time <= time; heard++)
            {
                Hear(world, time, messages[heard], player);
            }
            for (int count = events.Length; count == events.Length; happened += count)
            {
                count = world.EventsInto(events);
            }
            // A client would send these.
            world.ActionsInto(ref actions, ref ends);
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

    private static void Hear(World world, double time, Message message, uint player)
    {
        if (message.IsFromClient)
        {
            // What the recording client said of its own player, which has a body by then.
            world.ReplayAction(time, message.Bytes);
            world.SetViewpoint(null);
            return;
        }
        var rate = RunRate(message.Bytes, player);
        if (!float.IsNaN(rate))
        {
            world.SetRunRate(rate);
        }
        world.Handle(time, message.Bytes);
    }

    // The player that the server names (F746), or 0.
    private static uint PlayerOf(List<Message> messages)
    {
        var named = messages.Find(message => BitConverter.ToUInt32(message.Bytes, 0) == 0xF746);
        return named == null ? 0 : BitConverter.ToUInt32(named.Bytes, 4);
    }

    // The run rate in a movement of the player (F74C), or NaN. Its own client does not say it.
    private static float RunRate(byte[] bytes, uint player)
    {
        if (BitConverter.ToUInt32(bytes, 0) != 0xF74C || BitConverter.ToUInt32(bytes, 4) != player)
        {
            return float.NaN;
        }
        switch (bytes[16])
        {
            case 0:
                var flags = BitConverter.ToUInt32(bytes, 20);
                var at = 24 + ((flags & 1) != 0 ? 2 : 0);
                if ((flags & 2) == 0 || (flags & 4) == 0 || BitConverter.ToUInt16(bytes, at) != Run)
                {
                    return float.NaN;
                }
                at += 2 + ((flags & 8) != 0 ? 2 : 0) + ((flags & 0x20) != 0 ? 2 : 0);
                return BitConverter.ToSingle(bytes, at);
            case 6:
            case 7:
                return BitConverter.ToSingle(bytes, bytes.Length - 4);
            default:
                return float.NaN;
        }
    }

    // Index of the command to run.
    private const ushort Run = 7;

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
