// Optional fields of structs, as bits. The numbers are those of bindings/c/include/evenstride.h.
using System;

namespace Evenstride
{
    /// <summary>Bits of <see cref="Movement.Present"/>.</summary>
    [Flags]
    public enum MovementFields : ushort
    {
        /// <summary>No field.</summary>
        None = 0,
        /// <summary>The style is a part of the commands, too.</summary>
        Style = 1,
        /// <summary>The forward motion is present.</summary>
        Forward = 2,
        /// <summary>The sideways motion is present.</summary>
        Sidestep = 4,
        /// <summary>The turning motion is present.</summary>
        Turn = 8,
        /// <summary>The speed of the forward motion is present.</summary>
        ForwardSpeed = 16,
        /// <summary>The speed of the sideways motion is present.</summary>
        SidestepSpeed = 32,
        /// <summary>The speed of the turning motion is present.</summary>
        TurnSpeed = 64,
    }

    /// <summary>Bits of <see cref="Description.Present"/>.</summary>
    [Flags]
    public enum DescriptionFields : uint
    {
        /// <summary>No field.</summary>
        None = 0,
        /// <summary>The place is present.</summary>
        Place = 1,
        /// <summary>The placement frame is present.</summary>
        PlacementFrame = 2,
        /// <summary>The size factor is present.</summary>
        Scale = 4,
        /// <summary>The friction is present.</summary>
        Friction = 8,
        /// <summary>The bounciness is present.</summary>
        Elasticity = 16,
        /// <summary>The velocity is present.</summary>
        Velocity = 32,
        /// <summary>The spin is present.</summary>
        Omega = 64,
    }
}
