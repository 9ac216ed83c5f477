// Structs that cross the border to the library. Their layout is that of bindings/c/include/evenstride.h, and
// Layout.cs compares the sizes when the library is loaded.
using System.Runtime.InteropServices;

namespace Evenstride
{
    /// <summary>Three components along x, y and z.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Vec3
    {
        /// <summary>East, in the world's axes.</summary>
        public float X;

        /// <summary>North.</summary>
        public float Y;

        /// <summary>Up.</summary>
        public float Z;
    }

    /// <summary>A place on the map, as messages carry it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Place
    {
        /// <summary>Cell id, such as 0xA9B40001.</summary>
        public uint Cell;

        /// <summary>Coordinates in metres, from the south-west corner of the cell's landblock.</summary>
        public Vec3 Origin;

        /// <summary>Quaternion, real part first.</summary>
        public float QW;

        /// <summary>First imaginary part.</summary>
        public float QX;

        /// <summary>Second imaginary part.</summary>
        public float QY;

        /// <summary>Third imaginary part.</summary>
        public float QZ;
    }

    /// <summary>
    /// Outcome of a message. <c>docs/codes.md</c> has the numbers, and <c>evenstride_codes.h</c> their names.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Disposition
    {
        /// <summary>Number of the disposition. 0 means that the message is not about motion.</summary>
        public ushort Code;

        /// <summary>Number of the reason, 0 if there is none. The code names its type.</summary>
        public ushort Reason;

        /// <summary>Entity that the message is about, 0 if it names none.</summary>
        public uint Entity;

        /// <summary>1 if the message had an effect.</summary>
        public byte IsAccepted;

        /// <summary>1 if a placement was done, 0 if it was refused or there was none.</summary>
        public byte IsPlaced;

        /// <summary>Not used, 0.</summary>
        public ushort Reserved;
    }

    /// <summary>Result of <c>ev_world_advance</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Advanced
    {
        /// <summary><c>EV_ADVANCED_NOT_YET</c> and its neighbours.</summary>
        public uint Code;

        /// <summary>Number of rounds.</summary>
        public uint Rounds;
    }

    /// <summary>A body to be drawn.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Drawn
    {
        /// <summary>Key of the body. It never finds a later body of the same entity.</summary>
        public ulong Key;

        /// <summary>Entity of the body.</summary>
        public uint Entity;

        /// <summary>Cell of the body.</summary>
        public uint Cell;

        /// <summary>Position in metres, from the south-west corner of the origin's landblock.</summary>
        public Vec3 Position;

        /// <summary>Quaternion, real part first.</summary>
        public float QW;

        /// <summary>First imaginary part.</summary>
        public float QX;

        /// <summary>Second imaginary part.</summary>
        public float QY;

        /// <summary>Third imaginary part.</summary>
        public float QZ;

        /// <summary>1 if the body is invisible.</summary>
        public uint IsHidden;
    }

    /// <summary>The animation of a body.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Animation
    {
        /// <summary>Key of the body.</summary>
        public ulong Key;

        /// <summary>Progress of the animation in keyframes.</summary>
        public double Frame;

        /// <summary>Entity of the body.</summary>
        public uint Entity;

        /// <summary>Model in the game's archives, 0 if unknown.</summary>
        public uint Setup;

        /// <summary>Motion table of the description, 0 if unknown.</summary>
        public uint MotionTable;

        /// <summary>Index of the pose for an object without animations.</summary>
        public uint PlacementFrame;

        /// <summary>Stance.</summary>
        public uint Style;

        /// <summary>Motion of the forward axis.</summary>
        public uint Forward;

        /// <summary>Motion of the sideways axis, 0 if it is not in use.</summary>
        public uint Sidestep;

        /// <summary>Motion of the turning axis, 0 if it is not in use.</summary>
        public uint Turn;

        /// <summary>Speed factor of the forward axis, negative for backwards.</summary>
        public float ForwardSpeed;

        /// <summary>Speed factor of the sideways axis, negative for left.</summary>
        public float SidestepSpeed;

        /// <summary>Speed factor of the turning axis, negative for left.</summary>
        public float TurnSpeed;

        /// <summary>Run rate, as a multiple of the slowest runner's speed.</summary>
        public float RunRate;

        /// <summary>
        /// Animation of the drawn body: <c>EV_DRAWN_AS_PLAYED</c>, <c>EV_DRAWN_STANDING</c> or
        /// <c>EV_DRAWN_GOING</c>.
        /// </summary>
        public uint Drawn;

        /// <summary>Motion for <c>EV_DRAWN_GOING</c>, otherwise 0.</summary>
        public uint DrawnCommand;

        /// <summary>
        /// Factor on the played speed for <c>EV_DRAWN_AS_PLAYED</c>, speed factor for <c>EV_DRAWN_GOING</c>.
        /// </summary>
        public float DrawnSpeed;

        /// <summary>Motion table that chose the animation, 0 for none.</summary>
        public uint Table;

        /// <summary>Animation that is played, 0 for none.</summary>
        public uint Number;

        /// <summary>Keyframes per second, negative for backward.</summary>
        public float Rate;

        /// <summary>1 if the body is drawn falling.</summary>
        public uint IsAirborne;

        /// <summary>Entity that holds the body, 0 for none.</summary>
        public uint Holder;

        /// <summary>Place on the holder, by the game's number.</summary>
        public uint Location;

        /// <summary>Not used, 0.</summary>
        public uint Reserved;
    }

    /// <summary>
    /// Something that happened to an entity. <c>code</c> decides which other fields have a meaning.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct WorldEvent
    {
        /// <summary>Seconds.</summary>
        public double Time;

        /// <summary>Entity that it happened to. It may be gone.</summary>
        public uint Entity;

        /// <summary>Number of the happening (<c>docs/codes.md</c>, <c>evenstride_codes.h</c>).</summary>
        public ushort Code;

        /// <summary>See the table above.</summary>
        public ushort Reason;

        /// <summary>See the table above.</summary>
        public uint Other;

        /// <summary>See the table above.</summary>
        public uint Value;

        /// <summary>See the table above.</summary>
        public float Number;

        /// <summary>Not used, 0.</summary>
        public uint Reserved;
    }

    /// <summary>State of a body.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Body
    {
        /// <summary>Key of the body.</summary>
        public ulong Key;

        /// <summary>Entity of the body.</summary>
        public uint Entity;

        /// <summary>Source of the next step: <c>EV_MOVED_BY_NOTHING</c> and its neighbours.</summary>
        public uint MovedBy;

        /// <summary>Place after the last step. Cell 0 means outside the world.</summary>
        public Place Place;

        /// <summary>Place to draw it at. Cell 0 means that it is not drawn.</summary>
        public Place Drawn;

        /// <summary>Velocity of the last step in metres per second.</summary>
        public Vec3 Velocity;

        /// <summary>Distance from the viewpoint in metres at the last round, negative if unknown.</summary>
        public float Distance;

        /// <summary>Number of waypoints that are not reached yet.</summary>
        public uint Waypoints;

        /// <summary>Physics state bits.</summary>
        public uint State;

        /// <summary>1 if the body touches a surface.</summary>
        public byte InContact;

        /// <summary>1 if the body is stepped.</summary>
        public byte IsActive;

        /// <summary>1 if the body is invisible.</summary>
        public byte IsHidden;

        /// <summary>1 if the body has a goal.</summary>
        public byte HasGoal;

        /// <summary>Entity that holds the body, 0 for none.</summary>
        public uint Holder;

        /// <summary>Place on the holder, by the game's number.</summary>
        public uint Location;

        /// <summary>Target of the goal, 0 for none or a place.</summary>
        public uint Target;

        /// <summary>Distance to the goal in metres, negative if unknown.</summary>
        public float GoalMetres;

        /// <summary>Radius in metres.</summary>
        public float Radius;

        /// <summary>Height in metres.</summary>
        public float Height;

        /// <summary>Updates that took effect.</summary>
        public uint Fresh;

        /// <summary>Updates that were late or repeated.</summary>
        public uint Stale;

        /// <summary>Times that the body was placed instead of walking.</summary>
        public uint Snaps;
    }

    /// <summary>A body that a host inserts. <c>ev_setup_at</c> fills in the defaults.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Setup
    {
        /// <summary>Place at which the body appears.</summary>
        public Place Place;

        /// <summary>Physics state bits (default: 0x400C08).</summary>
        public uint State;

        /// <summary>Item type (default: 0x10, a creature).</summary>
        public uint ItemType;

        /// <summary>1 if the body stands on level ground (default: 1).</summary>
        public uint Grounded;

        /// <summary>Size factor (default: 1).</summary>
        public float Scale;

        /// <summary>Radius in metres (default: 0.5).</summary>
        public float Radius;

        /// <summary>Height in metres (default: 1.8).</summary>
        public float Height;

        /// <summary>Fraction of its speed that a sliding body loses per second (default: 0.95).</summary>
        public float Friction;

        /// <summary>Fraction of its impact speed that a bouncing body keeps (default: 0.05).</summary>
        public float Elasticity;

        /// <summary>Velocity in metres per second (default: zero).</summary>
        public Vec3 Velocity;

        /// <summary>Spin in radians per second (default: zero).</summary>
        public Vec3 Omega;
    }

    /// <summary>Place of an entity (opcode F748).</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Position
    {
        /// <summary>Entity at this place.</summary>
        public uint Entity;

        /// <summary>Place as sent.</summary>
        public Place Place;

        /// <summary>1 if the entity touches the ground.</summary>
        public uint HasContact;

        /// <summary>Instance stamp.</summary>
        public ushort Instance;

        /// <summary>Position stamp.</summary>
        public ushort Stamp;

        /// <summary>Teleport stamp.</summary>
        public ushort Teleport;

        /// <summary>Force-position stamp.</summary>
        public ushort ForcePosition;
    }

    /// <summary>
    /// Motion or goal of an entity (opcode F74C). <c>kind</c> decides which fields have a meaning.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Movement
    {
        /// <summary>Entity that moves.</summary>
        public uint Entity;

        /// <summary>Instance stamp.</summary>
        public ushort Instance;

        /// <summary>Movement stamp.</summary>
        public ushort Stamp;

        /// <summary>Stamp of server-controlled movements.</summary>
        public ushort ServerControl;

        /// <summary>Non-zero if the entity's own player asked for it.</summary>
        public byte Autonomous;

        /// <summary><c>EV_MOVEMENT_COMMANDS</c> and its neighbours.</summary>
        public byte Kind;

        /// <summary>Stance, by command index.</summary>
        public ushort Style;

        /// <summary>Present fields, as <see cref="MovementFields"/>. Commands only.</summary>
        public ushort Present;

        /// <summary>Forward motion, by command index.</summary>
        public ushort Forward;

        /// <summary>Sideways motion, by command index.</summary>
        public ushort Sidestep;

        /// <summary>Turning motion, by command index.</summary>
        public ushort Turn;

        /// <summary>1 if the entity charges a jump while standing.</summary>
        public ushort StandingLongJump;

        /// <summary>Speed factor of the forward axis.</summary>
        public float ForwardSpeed;

        /// <summary>Speed factor of the sideways axis.</summary>
        public float SidestepSpeed;

        /// <summary>Speed factor of the turning axis.</summary>
        public float TurnSpeed;

        /// <summary>Target of a goal, or the entity to follow. 0 means none.</summary>
        public uint Target;

        /// <summary>Cell of the goal.</summary>
        public uint Cell;

        /// <summary>Coordinates of the goal in metres.</summary>
        public Vec3 Origin;

        /// <summary>Permissions and side effects of a goal.</summary>
        public uint Flags;

        /// <summary>Arrival distance in metres.</summary>
        public float DistanceToObject;

        /// <summary>Distance in metres at which a body that moves away has arrived.</summary>
        public float MinDistance;

        /// <summary>Distance in metres beyond which the body gives up.</summary>
        public float FailDistance;

        /// <summary>Speed factor of a goal.</summary>
        public float Speed;

        /// <summary>The body runs while it is more than this many metres beyond the arrival distance.</summary>
        public float WalkRunThreshold;

        /// <summary>Heading in degrees that the parameters of a goal name.</summary>
        public float DesiredHeading;

        /// <summary>Running speed factor of the mover.</summary>
        public float RunRate;

        /// <summary>Heading in degrees of a turn to an entity whose place is unknown.</summary>
        public float Heading;
    }

    /// <summary>A motion to be performed once.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ActionItem
    {
        /// <summary>Motion, by command index.</summary>
        public ushort Command;

        /// <summary>Order among actions, in 15 bits.</summary>
        public ushort Stamp;

        /// <summary>Non-zero if the entity's own player asked for it.</summary>
        public uint Autonomous;

        /// <summary>Speed factor.</summary>
        public float Speed;
    }

    /// <summary>Velocity and spin of an entity (opcode F74E).</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Vector
    {
        /// <summary>Entity that changes.</summary>
        public uint Entity;

        /// <summary>Velocity in metres per second, world axes.</summary>
        public Vec3 Velocity;

        /// <summary>Spin in radians per second, world axes.</summary>
        public Vec3 Omega;

        /// <summary>Instance stamp.</summary>
        public ushort Instance;

        /// <summary>Vector stamp.</summary>
        public ushort Stamp;
    }

    /// <summary>Description of an entity (opcodes F745 and F7DB), as far as motion needs it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Description
    {
        /// <summary>Described entity.</summary>
        public uint Entity;

        /// <summary>1 if the entity is removed and created from scratch (F7DB).</summary>
        public uint IsRecreated;

        /// <summary>Item type. Motion reads only the creature bit, 0x10.</summary>
        public uint ItemType;

        /// <summary>Physics state bits.</summary>
        public uint State;

        /// <summary>Present fields, as <see cref="DescriptionFields"/>.</summary>
        public uint Present;

        /// <summary>Place of the entity.</summary>
        public Place Place;

        /// <summary>Model, 0 for none.</summary>
        public uint Setup;

        /// <summary>Motion table, 0 for none.</summary>
        public uint MotionTable;

        /// <summary>Index of the pose for an object without animations.</summary>
        public uint PlacementFrame;

        /// <summary>Holder of the entity, 0 for none.</summary>
        public uint Holder;

        /// <summary>Place on the holder.</summary>
        public uint Location;

        /// <summary>Size factor.</summary>
        public float Scale;

        /// <summary>Fraction of its speed that a sliding body loses per second.</summary>
        public float Friction;

        /// <summary>Bounciness.</summary>
        public float Elasticity;

        /// <summary>Velocity in metres per second.</summary>
        public Vec3 Velocity;

        /// <summary>Spin in radians per second.</summary>
        public Vec3 Omega;

        /// <summary>Newest stamp of each kind, in the order of the message.</summary>
        public fixed ushort Stamps[9];

        /// <summary>Not used, 0.</summary>
        public ushort Reserved;
    }

    /// <summary>Keys that are down.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Keys
    {
        /// <summary>1 forward, -1 back, 0 neither.</summary>
        public sbyte Ahead;

        /// <summary>1 right, -1 left, 0 neither.</summary>
        public sbyte Aside;

        /// <summary>1 right, -1 left, 0 neither.</summary>
        public sbyte Turn;

        /// <summary>1 if the run key is down.</summary>
        public byte Run;

        /// <summary>Stance. 0 means the peace stance.</summary>
        public uint Style;
    }

    /// <summary>State of the local player.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Player
    {
        /// <summary>Entity of the player.</summary>
        public uint Entity;

        /// <summary>1 if the server moves the player, 0 if the keys do.</summary>
        public uint IsMovedByServer;

        /// <summary>Place after the last step. Cell 0 means outside the world.</summary>
        public Place Place;

        /// <summary>Last place that the server reported. Cell 0 means none.</summary>
        public Place Heard;

        /// <summary>1 on walkable ground.</summary>
        public uint IsGrounded;

        /// <summary>1 during a teleport.</summary>
        public uint IsTeleporting;

        /// <summary>Charge of a jump from 0.001 to 1, or 0.</summary>
        public float Charge;

        /// <summary><c>EV_AUTONOMY_SERVER</c> and its neighbours.</summary>
        public uint Autonomy;

        /// <summary>Used length of the tether in metres, negative while it is off.</summary>
        public float TetherUsed;

        /// <summary>Total length of the tether in metres, negative while it is off.</summary>
        public float TetherLength;
    }

    /// <summary>Counts of a world since it was made.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Stats
    {
        /// <summary>Bodies, including those outside the world.</summary>
        public ulong Bodies;

        /// <summary>Messages that wait for their entity.</summary>
        public ulong Parked;

        /// <summary>Updates that took effect.</summary>
        public ulong Fresh;

        /// <summary>Updates that were late or repeated.</summary>
        public ulong Stale;

        /// <summary>Times that a route ran dry while its body went on.</summary>
        public ulong Starved;

        /// <summary>Bodies placed instead of walking.</summary>
        public ulong Snaps;

        /// <summary>Messages refused because a value is invalid or a limit is reached.</summary>
        public ulong Refused;

        /// <summary>Parked updates that were handled later.</summary>
        public ulong ParkedReplayed;

        /// <summary>Early updates that were lost, for any reason.</summary>
        public ulong ParkedLost;

        /// <summary>Calls with a time before that of the last call.</summary>
        public ulong TimeWentBack;

        /// <summary>Gaps of more than two seconds that were not caught up with.</summary>
        public ulong TimeDropped;

        /// <summary>Events that were not taken in time.</summary>
        public ulong EventsDropped;

        /// <summary>Messages of the local player that were not taken in time.</summary>
        public ulong ActionsDropped;
    }

    /// <summary>Numbers about a loaded library.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Loaded
    {
        /// <summary>Motion tables that were loaded.</summary>
        public uint Tables;

        /// <summary>Models that were loaded.</summary>
        public uint Models;

        /// <summary>Animations that were loaded.</summary>
        public uint Animations;

        /// <summary>Records that are missing. Built-in tables take the place of tables.</summary>
        public uint Missing;

        /// <summary>
        /// Records that could not be read, and are left out. <c>ev_last_error</c> has the first reason.
        /// </summary>
        public uint Faults;

        /// <summary>Not used, 0.</summary>
        public uint Reserved;

        /// <summary>Bytes of the records.</summary>
        public ulong Bytes;
    }

    /// <summary>Question how far a body gets in one step.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Sweep
    {
        /// <summary>Entity of the body. For <c>EvPlainWorld</c> it is the core's own number.</summary>
        public uint Entity;

        /// <summary>Contact before the step: <c>EV_AIRBORNE</c>, <c>EV_LEAVING</c> or <c>EV_GROUNDED</c>.</summary>
        public uint Footing;

        /// <summary>Place before the step.</summary>
        public Place From;

        /// <summary>
        /// Place that the body would reach, in the cell of <c>from</c>. Coordinates may lie outside its
        /// landblock.
        /// </summary>
        public Place To;

        /// <summary>Physics state bits.</summary>
        public uint State;

        /// <summary>Radius in metres.</summary>
        public float Radius;

        /// <summary>Height in metres from the origin up.</summary>
        public float Height;

        /// <summary>Size factor, already in radius and height.</summary>
        public float Scale;

        /// <summary>Unit normal of the last contact, if <c>has_normal</c> is 1.</summary>
        public Vec3 LastNormal;

        /// <summary>1 if <c>last_normal</c> is known.</summary>
        public uint HasNormal;

        /// <summary>
        /// Source of <c>ground_z</c>: 0 unknown, 1 height of the take-off, 2 height in a message.
        /// </summary>
        public uint Ground;

        /// <summary>Height of the ground below a body in the air, in metres.</summary>
        public float GroundZ;

        /// <summary>1 for the local player.</summary>
        public uint IsLocalPlayer;
    }

    /// <summary>
    /// Answer to an <c>EvSweep</c>. Before the callback runs, it says that the body reaches <c>to</c> and keeps
    /// its contact.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Swept
    {
        /// <summary>New place. An outdoor cell is corrected to fit the coordinates.</summary>
        public Place At;

        /// <summary>
        /// Surface after the step: <c>EV_CONTACT_KEPT</c>, <c>EV_CONTACT_LOST</c> or <c>EV_CONTACT_ON</c>.
        /// </summary>
        public uint Contact;

        /// <summary>Normal of that surface, of any length.</summary>
        public Vec3 Normal;

        /// <summary>1 if the body bounces off an obstacle.</summary>
        public uint HasObstacle;

        /// <summary>Normal of the obstacle, of any length.</summary>
        public Vec3 Obstacle;
    }

    /// <summary>Question whether a body fits somewhere.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Placing
    {
        /// <summary>Entity of the body. For <c>EvPlainWorld</c> it is the core's own number.</summary>
        public uint Entity;

        /// <summary>1 if the caller knows that the body stands on the ground there.</summary>
        public uint Grounded;

        /// <summary>Requested place. Its cell need not fit its coordinates.</summary>
        public Place At;

        /// <summary>Physics state bits.</summary>
        public uint State;

        /// <summary>Radius in metres.</summary>
        public float Radius;

        /// <summary>Height in metres from the origin up.</summary>
        public float Height;

        /// <summary>Size factor, already in radius and height.</summary>
        public float Scale;
    }

    /// <summary>
    /// Answer to an <c>EvPlacing</c>. Before the callback runs, it has the requested place, and contact with
    /// level ground if <c>grounded</c> is 1.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Placed
    {
        /// <summary>New place. An outdoor cell is corrected to fit the coordinates.</summary>
        public Place At;

        /// <summary>
        /// Surface there: <c>EV_CONTACT_KEPT</c>, <c>EV_CONTACT_LOST</c> or <c>EV_CONTACT_ON</c>.
        /// </summary>
        public uint Contact;

        /// <summary>Normal of that surface, of any length.</summary>
        public Vec3 Normal;
    }

    /// <summary>Position and rotation in the game's axes and units.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PlainPose
    {
        /// <summary>Along the game's first axis, in game units.</summary>
        public double X;

        /// <summary>Along the second axis.</summary>
        public double Y;

        /// <summary>Along the third axis.</summary>
        public double Z;

        /// <summary>First imaginary part of the quaternion.</summary>
        public float QX;

        /// <summary>Second imaginary part.</summary>
        public float QY;

        /// <summary>Third imaginary part.</summary>
        public float QZ;

        /// <summary>Real part.</summary>
        public float QW;
    }

    /// <summary>One message of the game about an entity.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct PlainUpdate
    {
        /// <summary>Entity of the game.</summary>
        public ulong Entity;

        /// <summary>Pose when the update was made.</summary>
        public PlainPose Pose;

        /// <summary>Velocity in game units per second, if <c>has_velocity</c> is 1.</summary>
        public fixed float Velocity[3];

        /// <summary>1 if the game sends velocities.</summary>
        public uint HasVelocity;

        /// <summary>Number of the update, for <c>EV_ORDER_SEQUENCE</c>.</summary>
        public ulong Order;

        /// <summary>Time of sending in seconds, for <c>EV_ORDER_TIME</c>.</summary>
        public double SentAt;

        /// <summary><c>EV_ORDER_ARRIVAL</c> and its neighbours.</summary>
        public uint OrderKind;

        /// <summary>1 if the entity was moved without travelling.</summary>
        public uint Teleports;
    }

    /// <summary>An entity to be drawn.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PlainDrawn
    {
        /// <summary>Entity of the game.</summary>
        public ulong Entity;

        /// <summary>Key of its body.</summary>
        public ulong Key;

        /// <summary>Pose to draw it in.</summary>
        public PlainPose Pose;
    }

    /// <summary>
    /// Something that happened to an entity of the game. The fields are those of <c>EvEvent</c>, in game units.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PlainEvent
    {
        /// <summary>Seconds.</summary>
        public double Time;

        /// <summary>Entity of the game. It may be gone.</summary>
        public ulong Entity;

        /// <summary>Number of the happening.</summary>
        public ushort Code;

        /// <summary>Number of the reason.</summary>
        public ushort Reason;

        /// <summary>See <c>EvEvent</c>.</summary>
        public uint Value;

        /// <summary>See <c>EvEvent</c>.</summary>
        public float Number;

        /// <summary>Not used, 0.</summary>
        public uint Reserved;
    }
}
