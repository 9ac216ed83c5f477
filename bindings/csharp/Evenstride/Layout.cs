// Compares the structs of this package with those of the library.
namespace Evenstride
{
    internal static unsafe class Layout
    {
        private static bool isChecked;

        /// <summary>Throws if the library is of another version than this package.</summary>
        internal static void Check()
        {
            if (isChecked)
            {
                return;
            }
            var theirs = stackalloc uint[64];
            System.UIntPtr count;
            Errors.Must(Native.ev_sizes(theirs, (System.UIntPtr)64, out count));
            var ours = new[]
            {
                sizeof(Vec3),
                sizeof(Place),
                sizeof(Disposition),
                sizeof(Advanced),
                sizeof(Drawn),
                sizeof(Animation),
                sizeof(WorldEvent),
                sizeof(Body),
                sizeof(Setup),
                sizeof(Position),
                sizeof(Movement),
                sizeof(ActionItem),
                sizeof(Vector),
                sizeof(Description),
                sizeof(Keys),
                sizeof(Player),
                sizeof(Stats),
                sizeof(Loaded),
                sizeof(Sweep),
                sizeof(Swept),
                sizeof(Placing),
                sizeof(Placed),
                sizeof(PlainPose),
                sizeof(PlainUpdate),
                sizeof(PlainDrawn),
                sizeof(PlainEvent),
            };
            for (var index = 0; index < ours.Length; index++)
            {
                if ((ulong)count != (ulong)ours.Length || theirs[index] != ours[index])
                {
                    throw new System.InvalidOperationException(
                        "evenstride_ffi is of another version than this package; use both of one release");
                }
            }
            isChecked = true;
        }
    }
}
