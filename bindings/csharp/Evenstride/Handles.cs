using System;
using System.Runtime.InteropServices;

namespace Evenstride
{
    /// <summary>A handle of the library that releases itself.</summary>
    internal abstract class Handle : SafeHandle
    {
        protected Handle(IntPtr handle)
            : base(IntPtr.Zero, true)
        {
            SetHandle(handle);
        }

        public override bool IsInvalid
        {
            get { return handle == IntPtr.Zero; }
        }
    }

    internal sealed class WorldHandle : Handle
    {
        /// <summary>The object that answers callbacks. It lives as long as the native world.</summary>
        private GCHandle host;

        internal WorldHandle(IntPtr handle)
            : base(handle)
        {
        }

        /// <summary>Keeps another object alive, and lets go of the one before.</summary>
        internal void Keep(GCHandle next)
        {
            var before = host;
            host = next;
            if (before.IsAllocated)
            {
                before.Free();
            }
        }

        protected override bool ReleaseHandle()
        {
            var status = Native.ev_world_free(handle);
            if (host.IsAllocated)
            {
                host.Free();
            }
            return status == Status.Ok;
        }
    }

    internal sealed class PlainWorldHandle : Handle
    {
        internal PlainWorldHandle(IntPtr handle)
            : base(handle)
        {
        }

        protected override bool ReleaseHandle()
        {
            return Native.ev_plain_free(handle) == Status.Ok;
        }
    }

    internal sealed class ConfigHandle : Handle
    {
        internal ConfigHandle(IntPtr handle)
            : base(handle)
        {
        }

        protected override bool ReleaseHandle()
        {
            return Native.ev_config_free(handle) == Status.Ok;
        }
    }

    internal sealed class LibraryHandle : Handle
    {
        /// <summary>No library, for calls that allow it.</summary>
        internal static readonly LibraryHandle None = new LibraryHandle(IntPtr.Zero);

        internal LibraryHandle(IntPtr handle)
            : base(handle)
        {
        }

        protected override bool ReleaseHandle()
        {
            return Native.ev_library_free(handle) == Status.Ok;
        }
    }
}
