using System;
using System.Runtime.InteropServices;

namespace Evenstride
{
    /// <summary>
    /// All bodies of a world. In each frame call <see cref="Advance"/>, then <see cref="Handle(double, byte[])"/>
    /// for each message, then <see cref="DrawnInto"/>. No call throws through native frames.
    /// </summary>
    public sealed unsafe partial class World : IDisposable
    {
        private readonly WorldHandle handle;
        private Host host;

        /// <summary>Makes an empty world of a profile, whose time starts at <paramref name="seconds"/>.</summary>
        public World(string profile, double seconds)
        {
            using (var config = new Config(profile))
            {
                handle = New(config, seconds);
            }
        }

        /// <summary>Makes an empty world with settings.</summary>
        public World(Config config, double seconds)
        {
            handle = New(config, seconds);
        }

        private World(IntPtr world)
        {
            handle = new WorldHandle(world);
        }

        /// <summary>Number of bodies, including those outside the world.</summary>
        public int Count
        {
            get
            {
                UIntPtr count;
                Must(Native.ev_world_len(handle, out count));
                return checked((int)count);
            }
        }

        /// <summary>Latest time given to the world, in seconds.</summary>
        public double Time
        {
            get
            {
                double seconds;
                Must(Native.ev_world_time(handle, &seconds));
                return seconds;
            }
        }

        /// <summary>Time in seconds at which <see cref="Advance"/> next changes something, or infinity.</summary>
        public double NextDue
        {
            get
            {
                double seconds;
                Must(Native.ev_world_next_due(handle, &seconds));
                return seconds;
            }
        }

        /// <summary>Hash of everything that further motion depends on. <c>evenstride replay</c> prints it.</summary>
        public ulong StateHash
        {
            get
            {
                ulong hash;
                Must(Native.ev_world_state_hash(handle, &hash));
                return hash;
            }
        }

        /// <summary>Hash of the drawn poses of the profile GLIDE.</summary>
        public ulong DrawingHash
        {
            get
            {
                ulong hash;
                Must(Native.ev_world_drawing_hash(handle, &hash));
                return hash;
            }
        }

        /// <summary>Restores a world from the bytes of <see cref="Save"/>. Its ground is open.</summary>
        public static World Restore(byte[] saved, MotionLibrary library = null)
        {
            Layout.Check();
            IntPtr world;
            fixed (byte* bytes = saved)
            {
                var with = library == null ? LibraryHandle.None : library.Handle;
                Errors.Must(Native.ev_world_restore(bytes, (UIntPtr)saved.Length, with, out world));
            }
            return new World(world);
        }

        /// <summary>Copies the world with its surroundings. Both go on alike, bit for bit.</summary>
        public World Clone()
        {
            IntPtr copy;
            Must(Native.ev_world_clone(handle, out copy));
            var world = new World(copy);
            if (host != null)
            {
                world.SetSurroundings(host.Surroundings);
            }
            return world;
        }

        /// <summary>Returns the world as bytes, without events, decisions, ground and drawn poses.</summary>
        public byte[] Save()
        {
            return Bytes((byte* bytes, UIntPtr capacity, out UIntPtr length) =>
                Native.ev_world_save(handle, bytes, capacity, out length));
        }

        /// <summary>Returns the drawn poses of the profile GLIDE as bytes.</summary>
        public byte[] SaveDrawing()
        {
            return Bytes((byte* bytes, UIntPtr capacity, out UIntPtr length) =>
                Native.ev_world_save_drawing(handle, bytes, capacity, out length));
        }

        /// <summary>Restores the drawn poses of <see cref="SaveDrawing"/>.</summary>
        public void RestoreDrawing(byte[] saved)
        {
            fixed (byte* bytes = saved)
            {
                Must(Native.ev_world_restore_drawing(handle, bytes, (UIntPtr)saved.Length));
            }
        }

        /// <summary>Moves time to <paramref name="seconds"/> and steps bodies.</summary>
        public Advanced Advance(double seconds)
        {
            Advanced advanced;
            Must(Native.ev_world_advance(handle, seconds, &advanced));
            return advanced;
        }

        /// <summary>Replaces the motion library. All bodies stop.</summary>
        public void SetLibrary(MotionLibrary library)
        {
            Must(Native.ev_world_set_library(handle, library.Handle));
        }

        /// <summary>Removes the ground, so that only messages tell of it.</summary>
        public void SetOpenField()
        {
            Must(Native.ev_world_set_open_field(handle));
            Forget();
        }

        /// <summary>Makes the ground flat, at a height in metres.</summary>
        public void SetFlatGround(float z)
        {
            Must(Native.ev_world_set_flat_ground(handle, z));
            Forget();
        }

        /// <summary>
        /// Sets terrain. The first height lies on the south-west corner of the landblock, rows run from west
        /// to east, and the first row is the southernmost.
        /// </summary>
        public void SetHeightfield(uint landblock, float spacing, uint columns, ReadOnlySpan<float> heights)
        {
            fixed (float* first = &MemoryMarshal.GetReference(heights))
            {
                var count = (UIntPtr)heights.Length;
                Must(Native.ev_world_set_heightfield(handle, landblock, spacing, columns, first, count));
            }
            Forget();
        }

        /// <summary>Sets the host's own geometry.</summary>
        public void SetSurroundings(ISurroundings surroundings)
        {
            var next = new Host(surroundings ?? throw new ArgumentNullException(nameof(surroundings)));
            var kept = GCHandle.Alloc(next);
            var callbacks = Host.Callbacks(kept);
            var status = Native.ev_world_set_surroundings(handle, &callbacks);
            if (status != Status.Ok)
            {
                kept.Free();
                Must(status);
            }
            handle.Keep(kept);
            host = next;
        }

        /// <summary>
        /// Sets the place from which distances are measured, such as the camera. Null removes it.
        /// </summary>
        public void SetViewpoint(Place? viewpoint)
        {
            var place = viewpoint.GetValueOrDefault();
            Must(Native.ev_world_set_viewpoint(handle, viewpoint.HasValue ? &place : null));
        }

        /// <inheritdoc/>
        public void Dispose()
        {
            handle.Dispose();
        }

        private static WorldHandle New(Config config, double seconds)
        {
            IntPtr world;
            Errors.Must(Native.ev_world_new(config.Handle, seconds, out world));
            return new WorldHandle(world);
        }

        private delegate Status WriteBytes(byte* bytes, UIntPtr capacity, out UIntPtr length);

        private byte[] Bytes(WriteBytes write)
        {
            UIntPtr length;
            var status = write(null, UIntPtr.Zero, out length);
            var bytes = new byte[checked((int)length)];
            if (status == Status.TooShort)
            {
                fixed (byte* first = bytes)
                {
                    status = write(first, length, out length);
                }
            }
            Must(status);
            return bytes;
        }

        private void Forget()
        {
            handle.Keep(default(GCHandle));
            host = null;
        }

        /// <summary>Throws the exception of a callback, or else that of the call.</summary>
        private void Must(Status status)
        {
            if (host != null)
            {
                host.Rethrow();
            }
            Errors.Must(status);
        }
    }
}
