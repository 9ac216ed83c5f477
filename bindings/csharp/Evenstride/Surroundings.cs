using System;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Evenstride
{
    /// <summary>
    /// The host's geometry. An answer is filled in to begin with. A method that throws counts as false, and
    /// the call of the world that asked throws the exception again when it is finished.
    /// </summary>
    public interface ISurroundings
    {
        /// <summary>Returns whether a body moves, and how far it gets.</summary>
        bool Sweep(ref Sweep question, ref Swept answer);

        /// <summary>Returns whether a body fits, and what it touches there.</summary>
        bool Place(ref Placing question, ref Placed answer);

        /// <summary>Returns whether only messages tell of landings at a place.</summary>
        bool LandsByUpdate(ref Place at);
    }

    /// <summary>Numbers in <see cref="Swept.Contact"/> and <see cref="Placed.Contact"/>.</summary>
    public enum Contact : uint
    {
        /// <summary>The contact is the same as before.</summary>
        Kept = 0,
        /// <summary>The body touches nothing.</summary>
        Lost = 1,
        /// <summary>The body touches a surface with the given normal.</summary>
        On = 2,
    }

    /// <summary>Marks callbacks for compilers that work ahead of time, such as that of Unity.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        public MonoPInvokeCallbackAttribute(Type type)
        {
            Type = type;
        }

        public Type Type { get; private set; }
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal delegate long RecordCallback(IntPtr user, uint id, IntPtr bytes, UIntPtr capacity);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal unsafe delegate uint SweepCallback(IntPtr user, Sweep* question, Swept* answer);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal unsafe delegate uint PlaceCallback(IntPtr user, Placing* question, Placed* answer);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal unsafe delegate uint LandsCallback(IntPtr user, Place* at);

    [StructLayout(LayoutKind.Sequential)]
    internal struct NativeSurroundings
    {
        internal IntPtr User;
        internal IntPtr Sweep;
        internal IntPtr Place;
        internal IntPtr LandsByUpdate;
    }

    /// <summary>Answers the library's questions, and keeps the first exception.</summary>
    internal sealed unsafe class Host
    {
        // Static, so that they live for ever.
        private static readonly SweepCallback OnSweep = AnswerSweep;
        private static readonly PlaceCallback OnPlace = AnswerPlace;
        private static readonly LandsCallback OnLands = AnswerLands;

        private readonly ISurroundings surroundings;
        private ExceptionDispatchInfo thrown;

        internal Host(ISurroundings surroundings)
        {
            this.surroundings = surroundings;
        }

        internal ISurroundings Surroundings
        {
            get { return surroundings; }
        }

        internal static NativeSurroundings Callbacks(GCHandle host)
        {
            return new NativeSurroundings
            {
                User = GCHandle.ToIntPtr(host),
                Sweep = Marshal.GetFunctionPointerForDelegate(OnSweep),
                Place = Marshal.GetFunctionPointerForDelegate(OnPlace),
                LandsByUpdate = Marshal.GetFunctionPointerForDelegate(OnLands),
            };
        }

        /// <summary>Throws the first exception since the last call.</summary>
        internal void Rethrow()
        {
            var first = thrown;
            thrown = null;
            if (first != null)
            {
                first.Throw();
            }
        }

        private static Host Of(IntPtr user)
        {
            return (Host)GCHandle.FromIntPtr(user).Target;
        }

        private uint Caught(Exception exception)
        {
            thrown = thrown ?? ExceptionDispatchInfo.Capture(exception);
            return 0;
        }

        [MonoPInvokeCallback(typeof(SweepCallback))]
        private static uint AnswerSweep(IntPtr user, Sweep* question, Swept* answer)
        {
            var host = Of(user);
            try
            {
                return host.surroundings.Sweep(ref *question, ref *answer) ? 1u : 0u;
            }
            catch (Exception exception)
            {
                return host.Caught(exception);
            }
        }

        [MonoPInvokeCallback(typeof(PlaceCallback))]
        private static uint AnswerPlace(IntPtr user, Placing* question, Placed* answer)
        {
            var host = Of(user);
            try
            {
                return host.surroundings.Place(ref *question, ref *answer) ? 1u : 0u;
            }
            catch (Exception exception)
            {
                return host.Caught(exception);
            }
        }

        [MonoPInvokeCallback(typeof(LandsCallback))]
        private static uint AnswerLands(IntPtr user, Place* at)
        {
            var host = Of(user);
            try
            {
                return host.surroundings.LandsByUpdate(ref *at) ? 1u : 0u;
            }
            catch (Exception exception)
            {
                return host.Caught(exception);
            }
        }
    }
}
