using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Evenstride
{
    /// <summary>Result of a call. A number never changes its meaning.</summary>
    public enum Status
    {
        /// <summary>The call took effect.</summary>
        Ok = 0,
        /// <summary>A pointer is null that must not be.</summary>
        Null = 1,
        /// <summary>An argument is invalid. Nothing has changed.</summary>
        Invalid = 2,
        /// <summary>A buffer is too short. Nothing is consumed.</summary>
        TooShort = 3,
        /// <summary>Another call on the world has not returned, perhaps the one whose callback this is.</summary>
        Busy = 4,
        /// <summary>An earlier call panicked. Only the disposal still works.</summary>
        Poisoned = 5,
        /// <summary>The call panicked. This is a fault of the library; please report it.</summary>
        Panicked = 6,
        /// <summary>The call took effect, but an answer of the surroundings was invalid.</summary>
        BadAnswer = 7,
        /// <summary>The bytes are not a message that the game sends.</summary>
        BadMessage = 8,
        /// <summary>The world has no such body.</summary>
        UnknownBody = 9,
        /// <summary>The request was refused.</summary>
        Refused = 10,
        /// <summary>The world has no local player, or it is outside the world.</summary>
        NoPlayer = 11,
        /// <summary>The bytes are not a saved world.</summary>
        BadSave = 12,
        /// <summary>The archive cannot be read.</summary>
        BadLibrary = 13,
        /// <summary>The entity is already in the world.</summary>
        Exists = 14,
        /// <summary>The world is full.</summary>
        Full = 15,
    }

    /// <summary>A call of the library failed. The message is the library's sentence.</summary>
    public sealed class EvenstrideException : Exception
    {
        /// <summary>Makes an exception of a status and its sentence.</summary>
        public EvenstrideException(Status status, string message)
            : base(message)
        {
            Status = status;
        }

        /// <summary>Number of the failure.</summary>
        public Status Status { get; private set; }
    }

    internal static unsafe class Errors
    {
        internal static void Must(Status status)
        {
            if (status != Status.Ok)
            {
                throw Of(status);
            }
        }

        internal static EvenstrideException Of(Status status)
        {
            return new EvenstrideException(status, LastError());
        }

        private static string LastError()
        {
            return Text((byte* text, UIntPtr capacity, out UIntPtr length) =>
                Native.ev_last_error(text, capacity, out length));
        }

        internal delegate Status WriteText(byte* text, UIntPtr capacity, out UIntPtr length);

        /// <summary>Reads a text of any length.</summary>
        internal static string Text(WriteText write)
        {
            var bytes = new byte[1024];
            while (true)
            {
                UIntPtr length;
                Status status;
                fixed (byte* first = bytes)
                {
                    status = write(first, (UIntPtr)bytes.Length, out length);
                }
                if (status != Status.TooShort)
                {
                    Must(status);
                    return Encoding.UTF8.GetString(bytes, 0, (int)length);
                }
                bytes = new byte[checked((int)length + 1)];
            }
        }

        /// <summary>Returns a text as UTF-8 with its NUL byte.</summary>
        internal static byte[] Utf8(string text)
        {
            return Encoding.UTF8.GetBytes((text ?? throw new ArgumentNullException(nameof(text))) + "\0");
        }

        /// <summary>Returns a static text of the library.</summary>
        internal static string Static(IntPtr text)
        {
            return Marshal.PtrToStringAnsi(text);
        }
    }

    /// <summary>Facts about the library.</summary>
    public static class LibraryVersion
    {
        /// <summary>Version of the native library, such as 0.1.0.</summary>
        public static string Text
        {
            get { return Errors.Static(Native.ev_version()); }
        }
    }
}
