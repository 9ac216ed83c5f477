using System;
using System.Collections.Generic;
using System.Globalization;

namespace Evenstride
{
    /// <summary>The side whose motion a client draws.</summary>
    public enum MotionSource
    {
        /// <summary>The client's own motion. The world is not used.</summary>
        Theirs = 0,

        /// <summary>The motion of this library.</summary>
        Ours = 1,

        /// <summary>The client's own motion, and this library beside it. Differences are logged.</summary>
        Both = 2,
    }

    /// <summary>
    /// Lets a client choose between its own motion and that of this library, for each frame. It needs two calls
    /// in the client: <see cref="Hear"/> where messages arrive, and <see cref="Choose"/> where the place of a
    /// body is written. <c>docs/openac.md</c> shows both.
    /// </summary>
    public sealed class MotionSwitch : IDisposable
    {
        /// <summary>Difference in metres from which on it is logged.</summary>
        public const double LoggedMetres = 0.05;

        /// <summary>Shortest time in seconds between two lines about the same entity.</summary>
        public const double QuietSeconds = 1;

        private const float BlockMetres = 192;
        private const int ExplainedLines = 3;

        private readonly Action<string> log;
        private readonly Dictionary<uint, double> logged = new Dictionary<uint, double>();
        private MotionSource source;

        /// <summary>Makes a switch over a world, which it disposes of at its end.</summary>
        public MotionSwitch(World world, MotionSource source, Action<string> log)
        {
            World = world ?? throw new ArgumentNullException(nameof(world));
            this.log = log ?? throw new ArgumentNullException(nameof(log));
            Source = source;
        }

        /// <summary>The world of this library.</summary>
        public World World { get; private set; }

        /// <summary>
        /// The side whose motion is drawn. A change to and fro between Ours and Both takes effect at once. After
        /// Theirs the world knows only entities that are described again.
        /// </summary>
        public MotionSource Source
        {
            get
            {
                return source;
            }

            set
            {
                source = value;
                if (value == MotionSource.Both)
                {
                    // Decisions are kept for the sentences of differences.
                    World.Trace(0);
                }
                else
                {
                    World.Untrace(0);
                }
            }
        }

        /// <summary>Number of differences so far, logged or not.</summary>
        public int Differences { get; private set; }

        /// <summary>Passes on a whole message of the server, from its opcode on. Damaged ones are logged.</summary>
        public void Hear(double seconds, byte[] message)
        {
            if (source == MotionSource.Theirs)
            {
                return;
            }
            try
            {
                World.Handle(seconds, message);
            }
            catch (EvenstrideException error) when (error.Status == Status.BadMessage)
            {
                log("evenstride: " + error.Message);
            }
        }

        /// <summary>Moves time on. Call it once in each frame, before messages.</summary>
        public void Advance(double seconds)
        {
            if (source != MotionSource.Theirs)
            {
                World.Advance(seconds);
            }
        }

        /// <summary>
        /// Replaces the client's place of a body, or compares it. Returns true if <paramref name="place"/> was
        /// replaced.
        /// </summary>
        public bool Choose(double seconds, uint entity, ref Place place)
        {
            Body body;
            if (source == MotionSource.Theirs || !World.TryBody(seconds, entity, out body) || body.Drawn.Cell == 0)
            {
                return false;
            }
            if (source == MotionSource.Ours)
            {
                place = body.Drawn;
                return true;
            }
            var metres = Distance(place, body.Drawn);
            if (metres > LoggedMetres)
            {
                Differences++;
                Log(seconds, entity, metres);
            }
            return false;
        }

        /// <inheritdoc/>
        public void Dispose()
        {
            World.Dispose();
        }

        private static double Distance(Place one, Place other)
        {
            double x = Blocks(one.Cell >> 24, other.Cell >> 24) + one.Origin.X - other.Origin.X;
            double y = Blocks((one.Cell >> 16) & 0xFF, (other.Cell >> 16) & 0xFF) + one.Origin.Y - other.Origin.Y;
            double z = one.Origin.Z - other.Origin.Z;
            return Math.Sqrt(x * x + y * y + z * z);
        }

        private static double Blocks(uint one, uint other)
        {
            return ((int)one - (int)other) * BlockMetres;
        }

        private void Log(double seconds, uint entity, double metres)
        {
            double before;
            if (logged.TryGetValue(entity, out before) && seconds - before < QuietSeconds)
            {
                return;
            }
            logged[entity] = seconds;
            var reasons = World.Explain(entity, ExplainedLines).Trim().Replace("\n", "; ");
            log(string.Format(
                CultureInfo.InvariantCulture,
                "{0:F2} s: {1:X8} is {2:F2} m from where evenstride has it ({3})",
                seconds,
                entity,
                metres,
                reasons.Length == 0 ? "no decision yet" : reasons));
        }
    }
}
