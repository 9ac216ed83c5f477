using System;
using System.Runtime.InteropServices;

namespace Evenstride
{
    /// <summary>Directions of a game's axes.</summary>
    public enum Axes : uint
    {
        /// <summary>x right, y forward, z up.</summary>
        ZUpYForward = 0,
        /// <summary>x right, y up, -z forward. Godot uses it.</summary>
        YUpMinusZForward = 1,
        /// <summary>x right, y up, z forward, left-handed. Unity uses it.</summary>
        YUpZForward = 2,
        /// <summary>x forward, y right, z up, left-handed. Unreal uses it.</summary>
        ZUpXForward = 3,
        /// <summary>x right, y down.</summary>
        XRightYDown = 4,
        /// <summary>x forward, y left, z up. ROS uses it, and flat games with y up.</summary>
        ZUpXForwardYLeft = 5,
    }

    /// <summary>Numbers in <see cref="PlainUpdate.OrderKind"/>.</summary>
    public enum UpdateOrder : uint
    {
        /// <summary>Updates are in the order of their arrival.</summary>
        Arrival = 0,
        /// <summary><see cref="PlainUpdate.Order"/> grows with each update.</summary>
        Sequence = 1,
        /// <summary><see cref="PlainUpdate.SentAt"/> is the time of sending.</summary>
        Time = 2,
    }

    /// <summary>Meaning of the times of sending.</summary>
    public enum SenderClock : uint
    {
        /// <summary>They only decide the order.</summary>
        OrderOnly = 0,
        /// <summary>Each sender has a clock of its own. Jitter is compensated.</summary>
        Own = 1,
        /// <summary>Senders use the clock of the world. The whole latency is compensated.</summary>
        Shared = 2,
    }

    /// <summary>All entities of a game with its own axes and units, which need not be Asheron's Call.</summary>
    public sealed unsafe class PlainWorld : IDisposable
    {
        private readonly PlainWorldHandle handle;

        /// <summary>Makes an empty world with the profile GLIDE.</summary>
        /// <param name="axes">Directions of the game's axes.</param>
        /// <param name="unitsPerMetre">Game units per metre, 1 for Unity.</param>
        /// <param name="seconds">Time at which the world starts.</param>
        /// <param name="maxCoastSeconds">Time for which a silent entity keeps moving.</param>
        public PlainWorld(Axes axes, double unitsPerMetre, double seconds, double maxCoastSeconds = 3)
        {
            using (var config = new Config("GLIDE"))
            {
                IntPtr world;
                Errors.Must(Native.ev_plain_new(
                    config.Handle, (uint)axes, unitsPerMetre, maxCoastSeconds, seconds, out world));
                handle = new PlainWorldHandle(world);
            }
        }

        /// <summary>Number of entities.</summary>
        public int Count
        {
            get
            {
                UIntPtr count;
                Errors.Must(Native.ev_plain_len(handle, out count));
                return checked((int)count);
            }
        }

        /// <summary>Moves time, steps entities, and stops those that were silent too long.</summary>
        public Advanced Advance(double seconds)
        {
            Advanced advanced;
            Errors.Must(Native.ev_plain_advance(handle, seconds, &advanced));
            return advanced;
        }

        /// <summary>Handles updates, in order. The first update of an entity creates it.</summary>
        public void Update(double seconds, ReadOnlySpan<PlainUpdate> updates)
        {
            UIntPtr handled;
            fixed (PlainUpdate* first = &MemoryMarshal.GetReference(updates))
            {
                Errors.Must(Native.ev_plain_update(handle, seconds, first, (UIntPtr)updates.Length, out handled));
            }
        }

        /// <summary>Handles one update.</summary>
        public void Update(double seconds, PlainUpdate update)
        {
            UIntPtr handled;
            Errors.Must(Native.ev_plain_update(handle, seconds, &update, (UIntPtr)1, out handled));
        }

        /// <summary>Throws an entity with a velocity in game units per second.</summary>
        public void Throw(double seconds, ulong entity, float x, float y, float z)
        {
            var velocity = stackalloc float[3];
            velocity[0] = x;
            velocity[1] = y;
            velocity[2] = z;
            Errors.Must(Native.ev_plain_throw(handle, seconds, entity, velocity));
        }

        /// <summary>Limits an entity, also before its first update. Infinity means no limit.</summary>
        /// <param name="entity">Entity of the game.</param>
        /// <param name="topSpeed">Highest speed that is believed of it, in game units per second.</param>
        /// <param name="turnRateDegrees">Highest turn rate that is believed of it, in degrees per second.</param>
        /// <param name="snapDistance">Distance beyond which it is placed instead of moving there.</param>
        public void SetLimits(ulong entity, float topSpeed, float turnRateDegrees, float snapDistance)
        {
            Errors.Must(Native.ev_plain_set_limits(handle, entity, topSpeed, turnRateDegrees, snapDistance));
        }

        /// <summary>Tells what times of sending mean.</summary>
        /// <param name="clock">Clock of the senders.</param>
        /// <param name="maxLeadSeconds">Longest time by which entities are drawn ahead of their updates.</param>
        public void SetSenderClock(SenderClock clock, double maxLeadSeconds = 0.25)
        {
            Errors.Must(Native.ev_plain_set_sender_clock(handle, (uint)clock, maxLeadSeconds));
        }

        /// <summary>Removes an entity. Returns false if it was not there.</summary>
        public bool Remove(ulong entity)
        {
            var status = Native.ev_plain_remove(handle, entity);
            if (status != Status.UnknownBody)
            {
                Errors.Must(status);
            }
            return status == Status.Ok;
        }

        /// <summary>
        /// Writes every entity to be drawn. Returns their number. If it exceeds the length of the span, only as
        /// many as fit are written.
        /// </summary>
        public int DrawnInto(double seconds, Span<PlainDrawn> entities)
        {
            UIntPtr count;
            fixed (PlainDrawn* first = &MemoryMarshal.GetReference(entities))
            {
                var room = (UIntPtr)entities.Length;
                var status = Native.ev_plain_drawn_into(handle, seconds, first, room, out count);
                if (status != Status.TooShort)
                {
                    Errors.Must(status);
                }
            }
            return checked((int)count);
        }

        /// <summary>Takes events, oldest first, as many as fit.</summary>
        public int EventsInto(Span<PlainEvent> events)
        {
            UIntPtr count;
            fixed (PlainEvent* first = &MemoryMarshal.GetReference(events))
            {
                Errors.Must(Native.ev_plain_events_into(handle, first, (UIntPtr)events.Length, out count));
            }
            return checked((int)count);
        }

        /// <summary>Starts to keep the decisions about an entity.</summary>
        public void Trace(ulong entity)
        {
            Errors.Must(Native.ev_plain_trace(handle, entity));
        }

        /// <summary>Returns the last decisions about a traced entity, one line each. 0 means all.</summary>
        public string Explain(ulong entity, int lines = 0)
        {
            return Errors.Text((byte* text, UIntPtr capacity, out UIntPtr length) =>
                Native.ev_plain_explain(handle, entity, (UIntPtr)lines, text, capacity, out length));
        }

        /// <inheritdoc/>
        public void Dispose()
        {
            handle.Dispose();
        }
    }
}
