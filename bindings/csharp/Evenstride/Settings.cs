using System;

namespace Evenstride
{
    /// <summary>Settings of new worlds, by name and value.</summary>
    public sealed unsafe class Config : IDisposable
    {
        /// <summary>
        /// Makes settings from a profile: <c>RETAIL</c>, <c>ACDREAM</c>, <c>SMOOTH</c>, <c>GLIDE</c> or
        /// <c>SPECTATOR</c>.
        /// </summary>
        public Config(string profile)
        {
            Layout.Check();
            IntPtr config;
            fixed (byte* name = Errors.Utf8(profile))
            {
                Errors.Must(Native.ev_config_new(name, out config));
            }
            Handle = new ConfigHandle(config);
        }

        internal ConfigHandle Handle { get; private set; }

        /// <summary>Value of a switch, such as <c>gate</c> or <c>limits.events</c>.</summary>
        public string this[string name]
        {
            get
            {
                var bytes = Errors.Utf8(name);
                return Errors.Text((byte* text, UIntPtr capacity, out UIntPtr length) =>
                {
                    fixed (byte* first = bytes)
                    {
                        return Native.ev_config_value(Handle, first, text, capacity, out length);
                    }
                });
            }

            set
            {
                fixed (byte* first = Errors.Utf8(name))
                fixed (byte* second = Errors.Utf8(value))
                {
                    Errors.Must(Native.ev_config_set(Handle, first, second));
                }
            }
        }

        /// <inheritdoc/>
        public void Dispose()
        {
            Handle.Dispose();
        }
    }

    /// <summary>Motion tables and animations, which any number of worlds share.</summary>
    public sealed unsafe class MotionLibrary : IDisposable
    {
        /// <summary>Returns the bytes of a portal record, or null if it is missing.</summary>
        public delegate byte[] ReadRecord(uint id);

        private MotionLibrary(IntPtr library, Loaded loaded)
        {
            Handle = new LibraryHandle(library);
            Loaded = loaded;
        }

        internal LibraryHandle Handle { get; private set; }

        /// <summary>Numbers about what was loaded.</summary>
        public Loaded Loaded { get; private set; }

        /// <summary>Reads all motion tables and models of an archive, such as <c>client_portal.dat</c>.</summary>
        public static MotionLibrary Open(string path)
        {
            Layout.Check();
            IntPtr library;
            Loaded loaded;
            fixed (byte* name = Errors.Utf8(path))
            {
                Errors.Must(Native.ev_library_open(name, out library, &loaded));
            }
            return new MotionLibrary(library, loaded);
        }

        /// <summary>
        /// Loads motion tables (0x09……) and models (0x02……) from an archive that the host reads itself.
        /// </summary>
        public static MotionLibrary FromRecords(uint[] ids, ReadRecord read)
        {
            Layout.Check();
            IntPtr library;
            Loaded loaded;
            Exception thrown = null;
            RecordCallback record = (user, id, bytes, capacity) =>
            {
                try
                {
                    var found = thrown == null ? read(id) : null;
                    if (found == null)
                    {
                        return thrown == null ? 0 : -1;
                    }
                    if ((ulong)found.Length <= (ulong)capacity)
                    {
                        System.Runtime.InteropServices.Marshal.Copy(found, 0, bytes, found.Length);
                    }
                    return found.Length;
                }
                catch (Exception exception)
                {
                    // Exceptions must not cross the library's frames.
                    thrown = exception;
                    return -1;
                }
            };
            Status status;
            fixed (uint* first = ids)
            {
                status = Native.ev_library_from_records(
                    first, (UIntPtr)ids.Length, record, IntPtr.Zero, out library, &loaded);
            }
            GC.KeepAlive(record);
            Errors.Must(status);
            var made = new MotionLibrary(library, loaded);
            if (thrown != null)
            {
                made.Dispose();
                System.Runtime.ExceptionServices.ExceptionDispatchInfo.Capture(thrown).Throw();
            }
            return made;
        }

        /// <inheritdoc/>
        public void Dispose()
        {
            Handle.Dispose();
        }
    }
}
