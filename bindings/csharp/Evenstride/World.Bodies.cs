using System;
using System.Runtime.InteropServices;

namespace Evenstride
{
    // Bodies, drawing, events, explanations and the local player.
    public sealed unsafe partial class World
    {
        /// <summary>Returns the setup of a creature that stands at a place.</summary>
        public static Setup SetupAt(Place place)
        {
            Setup setup;
            Errors.Must(Native.ev_setup_at(&place, &setup));
            return setup;
        }

        /// <summary>Inserts a body, for hosts without create messages. Returns its key.</summary>
        public ulong Insert(double seconds, uint entity, Setup setup)
        {
            ulong key;
            Must(Native.ev_world_insert(handle, seconds, entity, &setup, &key));
            return key;
        }

        /// <summary>Removes a body. Returns false if it was not there.</summary>
        public bool Remove(uint entity)
        {
            return Known(Native.ev_world_remove(handle, entity));
        }

        /// <summary>Places a body at once, as a teleport does.</summary>
        public void SetPlace(double seconds, uint entity, Place place)
        {
            Must(Native.ev_world_set_place(handle, seconds, entity, &place));
        }

        /// <summary>Stops stepping a body. The host places it meanwhile.</summary>
        public void Suspend(double seconds, uint entity)
        {
            Must(Native.ev_world_suspend(handle, seconds, entity));
        }

        /// <summary>Lets a suspended body move by itself again.</summary>
        public void Resume(double seconds, uint entity)
        {
            Must(Native.ev_world_resume(handle, seconds, entity));
        }

        /// <summary>
        /// Reads the state of a body, and where to draw it. Returns false if the entity is unknown. Many
        /// bodies are faster in one call of <see cref="DrawnInto"/>.
        /// </summary>
        public bool TryBody(double seconds, uint entity, out Body body)
        {
            fixed (Body* to = &body)
            {
                *to = default(Body);
                return Known(Native.ev_world_body(handle, seconds, entity, to));
            }
        }

        /// <summary>
        /// Writes every body to be drawn, in metres from the south-west corner of a landblock. Returns their
        /// number. If it exceeds the length of the span, only as many as fit are written.
        /// </summary>
        public int DrawnInto(double seconds, uint origin, Span<Drawn> bodies)
        {
            UIntPtr count;
            fixed (Drawn* first = &MemoryMarshal.GetReference(bodies))
            {
                var room = (UIntPtr)bodies.Length;
                Fits(Native.ev_world_drawn_into(handle, seconds, origin, first, room, out count));
            }
            return checked((int)count);
        }

        /// <summary>
        /// Writes the bodies that may look different since the last call. Returns their number. If it exceeds
        /// the length of the span, the next call reports them again.
        /// </summary>
        public int ChangedInto(double seconds, uint origin, Span<Drawn> bodies)
        {
            UIntPtr count;
            fixed (Drawn* first = &MemoryMarshal.GetReference(bodies))
            {
                var room = (UIntPtr)bodies.Length;
                Fits(Native.ev_world_changed_into(handle, seconds, origin, first, room, out count));
            }
            return checked((int)count);
        }

        /// <summary>
        /// Writes the animation of every body. Returns their number. If it exceeds the length of the span,
        /// nothing is written.
        /// </summary>
        public int AnimationsInto(double seconds, Span<Animation> animations)
        {
            UIntPtr count;
            fixed (Animation* first = &MemoryMarshal.GetReference(animations))
            {
                var room = (UIntPtr)animations.Length;
                Fits(Native.ev_world_animations_into(handle, seconds, first, room, out count));
            }
            return checked((int)count);
        }

        /// <summary>
        /// Takes events, oldest first, as many as fit. Call it until the result is less than the length.
        /// </summary>
        public int EventsInto(Span<WorldEvent> events)
        {
            UIntPtr count;
            fixed (WorldEvent* first = &MemoryMarshal.GetReference(events))
            {
                Must(Native.ev_world_events_into(handle, first, (UIntPtr)events.Length, out count));
            }
            return checked((int)count);
        }

        /// <summary>
        /// Takes the messages of the local player to the server. The arrays grow as needed. Returns the number
        /// of messages. Message <c>i</c> ends at <c>ends[i]</c>, and its action counter stands at offset 4.
        /// </summary>
        public int ActionsInto(ref byte[] bytes, ref uint[] ends)
        {
            while (true)
            {
                UIntPtr length;
                UIntPtr count;
                Status status;
                fixed (byte* first = bytes)
                fixed (uint* last = ends)
                {
                    status = Native.ev_world_actions_into(
                        handle, first, (UIntPtr)bytes.Length, out length, last, (UIntPtr)ends.Length, out count);
                }
                if (status != Status.TooShort)
                {
                    Must(status);
                    return checked((int)count);
                }
                bytes = new byte[Math.Max(bytes.Length, checked((int)length))];
                ends = new uint[Math.Max(ends.Length, checked((int)count))];
            }
        }

        /// <summary>Starts to keep the decisions about an entity. 0 means all entities.</summary>
        public void Trace(uint entity)
        {
            Must(Native.ev_world_trace(handle, entity));
        }

        /// <summary>Stops keeping the decisions about an entity. 0 ends the tracing of all.</summary>
        public void Untrace(uint entity)
        {
            Must(Native.ev_world_untrace(handle, entity));
        }

        /// <summary>Returns the last decisions about a traced entity, one line each. 0 means all.</summary>
        public string Explain(uint entity, int lines = 0)
        {
            return Errors.Text((byte* text, UIntPtr capacity, out UIntPtr length) =>
                Native.ev_world_explain(handle, entity, (UIntPtr)lines, text, capacity, out length));
        }

        /// <summary>Returns the counts of the world.</summary>
        public Stats Stats()
        {
            Stats stats;
            Must(Native.ev_world_stats(handle, &stats));
            return stats;
        }

        /// <summary>Returns the counts as text in the format of Prometheus.</summary>
        public string Prometheus()
        {
            return Errors.Text((byte* text, UIntPtr capacity, out UIntPtr length) =>
                Native.ev_world_prometheus(handle, text, capacity, out length));
        }

        /// <summary>Sets the local player. 0 removes it.</summary>
        public void SetLocalPlayer(double seconds, uint entity)
        {
            Must(Native.ev_world_set_local_player(handle, seconds, entity));
        }

        /// <summary>Sets how well the local player runs and jumps, and its load.</summary>
        public void SetSkills(uint run, uint jump, float load)
        {
            Must(Native.ev_world_set_skills(handle, run, jump, load));
        }

        /// <summary>Sets the run skill that comes closest to a run rate.</summary>
        public void SetRunRate(float rate)
        {
            Must(Native.ev_world_set_run_rate(handle, rate));
        }

        /// <summary>Sets which side decides where the player is.</summary>
        public void SetAutonomy(Autonomy autonomy)
        {
            Must(Native.ev_world_set_autonomy(handle, (uint)autonomy));
        }

        /// <summary>Sets the keys that are down.</summary>
        public void SetInput(double seconds, Keys keys)
        {
            Must(Native.ev_world_set_input(handle, seconds, &keys));
        }

        /// <summary>Begins to charge a jump.</summary>
        public void ChargeJump(double seconds)
        {
            Must(Native.ev_world_charge_jump(handle, seconds));
        }

        /// <summary>Jumps. Returns the velocity in metres per second.</summary>
        public Vec3 Jump(double seconds)
        {
            Vec3 velocity;
            Must(Native.ev_world_jump(handle, seconds, &velocity));
            return velocity;
        }

        /// <summary>Reads the state of the local player. Returns false if there is none.</summary>
        public bool TryPlayer(out Player player)
        {
            fixed (Player* to = &player)
            {
                *to = default(Player);
                var status = Native.ev_world_player(handle, to);
                if (status != Status.NoPlayer)
                {
                    Must(status);
                }
                return status == Status.Ok;
            }
        }

        private bool Known(Status status)
        {
            if (status != Status.UnknownBody)
            {
                Must(status);
            }
            return status == Status.Ok;
        }

        private void Fits(Status status)
        {
            if (status != Status.TooShort)
            {
                Must(status);
            }
        }
    }

    /// <summary>The side that decides where the local player is.</summary>
    public enum Autonomy : uint
    {
        /// <summary>The server decides.</summary>
        Server = 0,
        /// <summary>The server decides, but the player keeps its own heading.</summary>
        ServerButHeading = 1,
        /// <summary>The player decides, within its tether.</summary>
        Player = 2,
    }
}
