using System;
using System.Runtime.InteropServices;

namespace Evenstride
{
    // Messages, as bytes and as structs.
    public sealed unsafe partial class World
    {
        /// <summary>Handles one message of the server, from its opcode to its last byte.</summary>
        public Disposition Handle(double seconds, byte[] message)
        {
            return Handle(seconds, new ReadOnlySpan<byte>(message));
        }

        /// <summary>Handles one message of the server, from its opcode to its last byte.</summary>
        public Disposition Handle(double seconds, ReadOnlySpan<byte> message)
        {
            Disposition disposition;
            fixed (byte* bytes = &MemoryMarshal.GetReference(message))
            {
                Must(Native.ev_world_handle(handle, seconds, bytes, (UIntPtr)message.Length, &disposition));
            }
            return disposition;
        }

        /// <summary>
        /// Handles messages that lie one after the other. <paramref name="ends"/> has the offset at which each
        /// one ends. If one is damaged, none is handled. Returns the number of those about motion.
        /// </summary>
        /// <param name="seconds">Time in seconds.</param>
        /// <param name="messages">Bytes of all messages.</param>
        /// <param name="ends">Offset at which each message ends.</param>
        /// <param name="dispositions">Room for one entry for each message, or empty.</param>
        public int HandleMany(
            double seconds,
            ReadOnlySpan<byte> messages,
            ReadOnlySpan<uint> ends,
            Span<Disposition> dispositions = default(Span<Disposition>))
        {
            UIntPtr handled;
            fixed (byte* bytes = &MemoryMarshal.GetReference(messages))
            fixed (uint* last = &MemoryMarshal.GetReference(ends))
            fixed (Disposition* first = &MemoryMarshal.GetReference(dispositions))
            {
                Must(Native.ev_world_handle_many(
                    handle,
                    seconds,
                    bytes,
                    (UIntPtr)messages.Length,
                    last,
                    (UIntPtr)ends.Length,
                    first,
                    (UIntPtr)dispositions.Length,
                    out handled));
            }
            return checked((int)handled);
        }

        /// <summary>
        /// Handles a message of the local player's own client in a recording (opcode F7B1). Returns the
        /// distance in metres between the player and the place in the message.
        /// </summary>
        public double ReplayAction(double seconds, ReadOnlySpan<byte> message)
        {
            double metres;
            fixed (byte* bytes = &MemoryMarshal.GetReference(message))
            {
                Must(Native.ev_world_replay_action(handle, seconds, bytes, (UIntPtr)message.Length, &metres));
            }
            return metres;
        }

        /// <summary>Applies positions that the host has parsed, in order.</summary>
        public void Apply(
            double seconds,
            ReadOnlySpan<Position> positions,
            Span<Disposition> dispositions = default(Span<Disposition>))
        {
            fixed (Position* first = &MemoryMarshal.GetReference(positions))
            fixed (Disposition* out_ = &MemoryMarshal.GetReference(dispositions))
            {
                var (count, room) = ((UIntPtr)positions.Length, (UIntPtr)dispositions.Length);
                Must(Native.ev_world_apply_positions(handle, seconds, first, count, out_, room));
            }
        }

        /// <summary>Applies a position that the host has parsed.</summary>
        public Disposition Apply(double seconds, Position position)
        {
            Disposition disposition;
            var one = (UIntPtr)1;
            Must(Native.ev_world_apply_positions(handle, seconds, &position, one, &disposition, one));
            return disposition;
        }

        /// <summary>Applies a movement that the host has parsed, with its actions.</summary>
        public Disposition Apply(double seconds, Movement movement, ActionItem[] actions = null)
        {
            Disposition disposition;
            fixed (ActionItem* first = actions)
            {
                var count = (UIntPtr)(actions == null ? 0 : actions.Length);
                Must(Native.ev_world_apply_movement(handle, seconds, &movement, first, count, &disposition));
            }
            return disposition;
        }

        /// <summary>Applies a velocity that the host has parsed.</summary>
        public Disposition Apply(double seconds, Vector vector)
        {
            Disposition disposition;
            Must(Native.ev_world_apply_vector(handle, seconds, &vector, &disposition));
            return disposition;
        }

        /// <summary>Applies a description that the host has parsed, with the motion in it if there is one.</summary>
        public Disposition Apply(
            double seconds,
            Description description,
            Movement? movement = null,
            ActionItem[] actions = null)
        {
            Disposition disposition;
            var moves = movement.GetValueOrDefault();
            fixed (ActionItem* first = actions)
            {
                Must(Native.ev_world_apply_create(
                    handle,
                    seconds,
                    &description,
                    movement.HasValue ? &moves : null,
                    first,
                    (UIntPtr)(actions == null ? 0 : actions.Length),
                    &disposition));
            }
            return disposition;
        }

        /// <summary>Applies new physics state bits.</summary>
        public Disposition ApplyState(double seconds, uint entity, uint state, ushort instance, ushort stamp)
        {
            Disposition disposition;
            Must(Native.ev_world_apply_state(handle, seconds, entity, state, instance, stamp, &disposition));
            return disposition;
        }

        /// <summary>Applies the deletion of an entity.</summary>
        public Disposition ApplyDelete(double seconds, uint entity, ushort instance)
        {
            Disposition disposition;
            Must(Native.ev_world_apply_delete(handle, seconds, entity, instance, &disposition));
            return disposition;
        }

        /// <summary>Puts an entity into a pack.</summary>
        public Disposition ApplyPickup(double seconds, uint entity, ushort instance, ushort position)
        {
            Disposition disposition;
            Must(Native.ev_world_apply_pickup(handle, seconds, entity, instance, position, &disposition));
            return disposition;
        }

        /// <summary>Puts an entity into the hand of another.</summary>
        public Disposition ApplyParent(
            double seconds,
            uint holder,
            uint held,
            uint location,
            uint placementFrame,
            ushort holderInstance,
            ushort heldPosition)
        {
            Disposition disposition;
            Must(Native.ev_world_apply_parent(
                handle,
                seconds,
                holder,
                held,
                location,
                placementFrame,
                holderInstance,
                heldPosition,
                &disposition));
            return disposition;
        }

        /// <summary>Begins the local player's teleport.</summary>
        public Disposition ApplyTeleport(double seconds, ushort teleport)
        {
            Disposition disposition;
            Must(Native.ev_world_apply_teleport(handle, seconds, teleport, &disposition));
            return disposition;
        }
    }
}
