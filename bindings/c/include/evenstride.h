// The motion core of Evenstride for C and C++.
//
// Made of bindings/c by `cargo xtask header`; do not edit. The rules for callers are in
// bindings/c/README.md, and docs/codes.md has the numbers of outcomes and events.

#ifndef EVENSTRIDE_H
#define EVENSTRIDE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// The body touches nothing.
#define EV_AIRBORNE 0

// The body touches a surface, and its velocity points away from it.
#define EV_LEAVING 1

// The body touches a surface and stays on it.
#define EV_GROUNDED 2

// The contact is the same as before.
#define EV_CONTACT_KEPT 0

// The body touches nothing.
#define EV_CONTACT_LOST 1

// The body touches a surface with the given normal.
#define EV_CONTACT_ON 2

// The body stays where it was, or does not fit.
#define EV_BLOCKED 0

// The body moved, or fits.
#define EV_MOVED 1

// x right, y forward, z up, right-handed. Asheron's Call and Blender use it.
#define EV_AXES_Z_UP_Y_FORWARD 0

// x right, y up, -z forward, right-handed. Godot and glTF use it.
#define EV_AXES_Y_UP_MINUS_Z_FORWARD 1

// x right, y up, z forward, left-handed. Unity uses it.
#define EV_AXES_Y_UP_Z_FORWARD 2

// x forward, y right, z up, left-handed. Unreal uses it, with 100 units per metre.
#define EV_AXES_Z_UP_X_FORWARD 3

// x right, y down. Flat games use it.
#define EV_AXES_X_RIGHT_Y_DOWN 4

// x forward, y left, z up, right-handed. ROS uses it, and flat games with y up.
#define EV_AXES_Z_UP_X_FORWARD_Y_LEFT 5

// The order of updates is that of their arrival.
#define EV_ORDER_ARRIVAL 0

// `order` is a number that grows with each update.
#define EV_ORDER_SEQUENCE 1

// `sent_at` is the time of sending by the sender's clock.
#define EV_ORDER_TIME 2

// Times of sending only decide the order.
#define EV_SENDER_CLOCK_ORDER_ONLY 0

// Each sender has a clock of its own. Jitter is compensated.
#define EV_SENDER_CLOCK_OWN 1

// Senders use the clock of `seconds`. The whole latency is compensated.
#define EV_SENDER_CLOCK_SHARED 2

// Nothing was stepped, because less than 1/30 s has passed.
#define EV_ADVANCED_NOT_YET 0

// At least one round of steps was done.
#define EV_ADVANCED_STEPPED 1

// Time went back, and nothing was stepped.
#define EV_ADVANCED_WENT_BACK 2

// More than two seconds were due, and are dropped.
#define EV_ADVANCED_DROPPED 3

// The body rests, or is outside the world without a holder.
#define EV_MOVED_BY_NOTHING 0

// The body walks to its waypoints.
#define EV_MOVED_BY_ROUTE 1

// The body keeps up with a target.
#define EV_MOVED_BY_FOLLOW 2

// Root motion moves the body.
#define EV_MOVED_BY_LEGS 3

// Velocity moves the body, in the air.
#define EV_MOVED_BY_FLIGHT 4

// The body goes where its holder goes.
#define EV_MOVED_BY_HOLDER 5

// The drawn body shows the animation that it plays.
#define EV_DRAWN_AS_PLAYED 0

// The drawn body stands, although its animation walks.
#define EV_DRAWN_STANDING 1

// The drawn body walks or runs, although its animation stands.
#define EV_DRAWN_GOING 2

// Offset in a message of `ev_world_actions_into` at which the action counter stands, in four bytes.
#define EV_ACTION_COUNTER_OFFSET 4

// The server decides where the player is.
#define EV_AUTONOMY_SERVER 0

// The server decides, but the player keeps its own heading.
#define EV_AUTONOMY_SERVER_BUT_HEADING 1

// The player decides, within its tether.
#define EV_AUTONOMY_PLAYER 2

// Commands and speeds.
#define EV_MOVEMENT_COMMANDS 0

// Move to an entity.
#define EV_MOVEMENT_TO_OBJECT 6

// Move to a place.
#define EV_MOVEMENT_TO_PLACE 7

// Turn to an entity.
#define EV_MOVEMENT_TURN_TO_OBJECT 8

// Turn to a heading.
#define EV_MOVEMENT_TURN_TO_HEADING 9

// `style` is a part of the commands, too.
#define EV_HAS_STYLE 1

// `forward` is present.
#define EV_HAS_FORWARD 2

// `sidestep` is present.
#define EV_HAS_SIDESTEP 4

// `turn` is present.
#define EV_HAS_TURN 8

// `forward_speed` is present.
#define EV_HAS_FORWARD_SPEED 16

// `sidestep_speed` is present.
#define EV_HAS_SIDESTEP_SPEED 32

// `turn_speed` is present.
#define EV_HAS_TURN_SPEED 64

// `place` is present.
#define EV_HAS_PLACE 1

// `placement_frame` is present.
#define EV_HAS_PLACEMENT_FRAME 2

// `scale` is present.
#define EV_HAS_SCALE 4

// `friction` is present.
#define EV_HAS_FRICTION 8

// `elasticity` is present.
#define EV_HAS_ELASTICITY 16

// `velocity` is present.
#define EV_HAS_VELOCITY 32

// `omega` is present.
#define EV_HAS_OMEGA 64

// Result of a call. A number never changes its meaning and is never used again.
enum EvStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // The call took effect.
  EV_STATUS_OK = 0,
  // A pointer is null that must not be.
  EV_STATUS_NULL = 1,
  // An argument is invalid, such as a time that is not a number. Nothing has changed.
  EV_STATUS_INVALID = 2,
  // A buffer is too short. The count output has the length that suffices, and nothing is consumed.
  EV_STATUS_TOO_SHORT = 3,
  // The handle is in use, by a call in another thread or by the call whose callback this is.
  EV_STATUS_BUSY = 4,
  // An earlier call panicked. Only the release of the handle still works.
  EV_STATUS_POISONED = 5,
  // The call panicked, in the library or in a callback. The handle is poisoned from now on.
  EV_STATUS_PANICKED = 6,
  // The call took effect, but an answer of a callback was invalid. It counted as blocked or refused.
  EV_STATUS_BAD_ANSWER = 7,
  // The bytes are not a message that the game sends. Nothing has changed.
  EV_STATUS_BAD_MESSAGE = 8,
  // The world has no such body.
  EV_STATUS_UNKNOWN_BODY = 9,
  // The request was refused, for example by the surroundings.
  EV_STATUS_REFUSED = 10,
  // The world has no local player, or it is outside the world.
  EV_STATUS_NO_PLAYER = 11,
  // The bytes are not a saved world, or are damaged, or belong to another library.
  EV_STATUS_BAD_SAVE = 12,
  // The archive cannot be read.
  EV_STATUS_BAD_LIBRARY = 13,
  // The entity is already in the world.
  EV_STATUS_EXISTS = 14,
  // The world is full.
  EV_STATUS_FULL = 15,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum EvStatus EvStatus;
#else
typedef int32_t EvStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Settings for new worlds.
typedef struct EvConfig EvConfig;

// Motion tables, animations and models. Any number of worlds share one library.
typedef struct EvLibrary EvLibrary;

// All entities of a game with flat coordinates in its own axes and units.
typedef struct EvPlainWorld EvPlainWorld;

// All bodies of a world. Messages and time go in, and poses come out. In each frame call
// `ev_world_advance`, then `ev_world_handle` for each message, then `ev_world_drawn_into`.
typedef struct EvWorld EvWorld;

// Numbers about a loaded library.
typedef struct EvLoaded {
  // Motion tables that were loaded.
  uint32_t tables;
  // Models that were loaded.
  uint32_t models;
  // Animations that were loaded.
  uint32_t animations;
  // Records that are missing. Built-in tables take the place of tables.
  uint32_t missing;
  // Records that could not be read, and are left out. `ev_last_error` has the first reason.
  uint32_t faults;
  // Not used, 0.
  uint32_t reserved;
  // Bytes of the records.
  uint64_t bytes;
} EvLoaded;

// Requests a record of the host's own archive. It is called again with a larger buffer if the answer
// exceeds `capacity`.
//
// Returns the size of the record in bytes and copies them if they fit, 0 if the record is missing, and
// a negative number if it cannot be read.
typedef int64_t (*EvRecordCallback)(void *user, uint32_t id, uint8_t *bytes, size_t capacity);

// Three components along x, y and z.
typedef struct EvVec3 {
  // East, in the world's axes.
  float x;
  // North.
  float y;
  // Up.
  float z;
} EvVec3;

// A place on the map, as messages carry it.
typedef struct EvPlace {
  // Cell id, such as 0xA9B40001.
  uint32_t cell;
  // Coordinates in metres, from the south-west corner of the cell's landblock.
  struct EvVec3 origin;
  // Quaternion, real part first.
  float qw;
  // First imaginary part.
  float qx;
  // Second imaginary part.
  float qy;
  // Third imaginary part.
  float qz;
} EvPlace;

// Question how far a body gets in one step.
typedef struct EvSweep {
  // Entity of the body. For `EvPlainWorld` it is the core's own number.
  uint32_t entity;
  // Contact before the step: `EV_AIRBORNE`, `EV_LEAVING` or `EV_GROUNDED`.
  uint32_t footing;
  // Place before the step.
  struct EvPlace from;
  // Place that the body would reach, in the cell of `from`. Coordinates may lie outside its landblock.
  struct EvPlace to;
  // Physics state bits.
  uint32_t state;
  // Radius in metres.
  float radius;
  // Height in metres from the origin up.
  float height;
  // Size factor, already in radius and height.
  float scale;
  // Unit normal of the last contact, if `has_normal` is 1.
  struct EvVec3 last_normal;
  // 1 if `last_normal` is known.
  uint32_t has_normal;
  // Source of `ground_z`: 0 unknown, 1 height of the take-off, 2 height in a message.
  uint32_t ground;
  // Height of the ground below a body in the air, in metres.
  float ground_z;
  // 1 for the local player.
  uint32_t is_local_player;
} EvSweep;

// Answer to an `EvSweep`. Before the callback runs, it says that the body reaches `to` and keeps its
// contact.
typedef struct EvSwept {
  // New place. An outdoor cell is corrected to fit the coordinates.
  struct EvPlace at;
  // Surface after the step: `EV_CONTACT_KEPT`, `EV_CONTACT_LOST` or `EV_CONTACT_ON`.
  uint32_t contact;
  // Normal of that surface, of any length.
  struct EvVec3 normal;
  // 1 if the body bounces off an obstacle.
  uint32_t has_obstacle;
  // Normal of the obstacle, of any length.
  struct EvVec3 obstacle;
} EvSwept;

// Answers a sweep with `EV_MOVED` or `EV_BLOCKED`.
typedef uint32_t (*EvSweepCallback)(void *user, const struct EvSweep *sweep, struct EvSwept *swept);

// Question whether a body fits somewhere.
typedef struct EvPlacing {
  // Entity of the body. For `EvPlainWorld` it is the core's own number.
  uint32_t entity;
  // 1 if the caller knows that the body stands on the ground there.
  uint32_t grounded;
  // Requested place. Its cell need not fit its coordinates.
  struct EvPlace at;
  // Physics state bits.
  uint32_t state;
  // Radius in metres.
  float radius;
  // Height in metres from the origin up.
  float height;
  // Size factor, already in radius and height.
  float scale;
} EvPlacing;

// Answer to an `EvPlacing`. Before the callback runs, it has the requested place, and contact with level
// ground if `grounded` is 1.
typedef struct EvPlaced {
  // New place. An outdoor cell is corrected to fit the coordinates.
  struct EvPlace at;
  // Surface there: `EV_CONTACT_KEPT`, `EV_CONTACT_LOST` or `EV_CONTACT_ON`.
  uint32_t contact;
  // Normal of that surface, of any length.
  struct EvVec3 normal;
} EvPlaced;

// Answers a placing with `EV_MOVED` or `EV_BLOCKED`.
typedef uint32_t (*EvPlaceCallback)(void *user,
                                    const struct EvPlacing *placing,
                                    struct EvPlaced *placed);

// Answers 1 if the ground at a place is unknown, so that only messages tell of a landing, and 0 if not.
typedef uint32_t (*EvLandsByUpdateCallback)(void *user, const struct EvPlace *at);

// The host's geometry. The answers must depend on the arguments alone if runs are to be repeatable.
//
// An answer with an invalid number, place or contact counts as `EV_BLOCKED`. The call then takes effect
// and is answered with `EV_STATUS_BAD_ANSWER`. A callback that calls the same world gets
// `EV_STATUS_BUSY` there. A Rust panic out of a callback poisons the world.
typedef struct EvSurroundings {
  // First argument of each callback. It must stay valid as long as the surroundings are in use.
  void *user;
  // How far a body gets. Must not be null.
  EvSweepCallback sweep;
  // Whether a body fits. Must not be null.
  EvPlaceCallback place;
  // Whether only messages tell of landings. Null means no.
  EvLandsByUpdateCallback lands_by_update;
} EvSurroundings;

// Result of `ev_world_advance`.
typedef struct EvAdvanced {
  // `EV_ADVANCED_NOT_YET` and its neighbours.
  uint32_t code;
  // Number of rounds.
  uint32_t rounds;
} EvAdvanced;

// Position and rotation in the game's axes and units.
typedef struct EvPlainPose {
  // Along the game's first axis, in game units.
  double x;
  // Along the second axis.
  double y;
  // Along the third axis.
  double z;
  // First imaginary part of the quaternion.
  float qx;
  // Second imaginary part.
  float qy;
  // Third imaginary part.
  float qz;
  // Real part.
  float qw;
} EvPlainPose;

// One message of the game about an entity.
typedef struct EvPlainUpdate {
  // Entity of the game.
  uint64_t entity;
  // Pose when the update was made.
  struct EvPlainPose pose;
  // Velocity in game units per second, if `has_velocity` is 1.
  float velocity[3];
  // 1 if the game sends velocities.
  uint32_t has_velocity;
  // Number of the update, for `EV_ORDER_SEQUENCE`.
  uint64_t order;
  // Time of sending in seconds, for `EV_ORDER_TIME`.
  double sent_at;
  // `EV_ORDER_ARRIVAL` and its neighbours.
  uint32_t order_kind;
  // 1 if the entity was moved without travelling.
  uint32_t teleports;
} EvPlainUpdate;

// An entity to be drawn.
typedef struct EvPlainDrawn {
  // Entity of the game.
  uint64_t entity;
  // Key of its body.
  uint64_t key;
  // Pose to draw it in.
  struct EvPlainPose pose;
} EvPlainDrawn;

// Something that happened to an entity of the game. The fields are those of `EvEvent`, in game units.
typedef struct EvPlainEvent {
  // Seconds.
  double time;
  // Entity of the game. It may be gone.
  uint64_t entity;
  // Number of the happening.
  uint16_t code;
  // Number of the reason.
  uint16_t reason;
  // See `EvEvent`.
  uint32_t value;
  // See `EvEvent`.
  float number;
  // Not used, 0.
  uint32_t reserved;
} EvPlainEvent;

// A body that a host inserts. `ev_setup_at` fills in the defaults.
typedef struct EvSetup {
  // Place at which the body appears.
  struct EvPlace place;
  // Physics state bits (default: 0x400C08).
  uint32_t state;
  // Item type (default: 0x10, a creature).
  uint32_t item_type;
  // 1 if the body stands on level ground (default: 1).
  uint32_t grounded;
  // Size factor (default: 1).
  float scale;
  // Radius in metres (default: 0.5).
  float radius;
  // Height in metres (default: 1.8).
  float height;
  // Fraction of its speed that a sliding body loses per second (default: 0.95).
  float friction;
  // Fraction of its impact speed that a bouncing body keeps (default: 0.05).
  float elasticity;
  // Velocity in metres per second (default: zero).
  struct EvVec3 velocity;
  // Spin in radians per second (default: zero).
  struct EvVec3 omega;
} EvSetup;

// State of a body.
typedef struct EvBody {
  // Key of the body.
  uint64_t key;
  // Entity of the body.
  uint32_t entity;
  // Source of the next step: `EV_MOVED_BY_NOTHING` and its neighbours.
  uint32_t moved_by;
  // Place after the last step. Cell 0 means outside the world.
  struct EvPlace place;
  // Place to draw it at. Cell 0 means that it is not drawn.
  struct EvPlace drawn;
  // Velocity of the last step in metres per second.
  struct EvVec3 velocity;
  // Distance from the viewpoint in metres at the last round, negative if unknown.
  float distance;
  // Number of waypoints that are not reached yet.
  uint32_t waypoints;
  // Physics state bits.
  uint32_t state;
  // 1 if the body touches a surface.
  uint8_t in_contact;
  // 1 if the body is stepped.
  uint8_t is_active;
  // 1 if the body is invisible.
  uint8_t is_hidden;
  // 1 if the body has a goal.
  uint8_t has_goal;
  // Entity that holds the body, 0 for none.
  uint32_t holder;
  // Place on the holder, by the game's number.
  uint32_t location;
  // Target of the goal, 0 for none or a place.
  uint32_t target;
  // Distance to the goal in metres, negative if unknown.
  float goal_metres;
  // Radius in metres.
  float radius;
  // Height in metres.
  float height;
  // Updates that took effect.
  uint32_t fresh;
  // Updates that were late or repeated.
  uint32_t stale;
  // Times that the body was placed instead of walking.
  uint32_t snaps;
} EvBody;

// Outcome of a message. `docs/codes.md` has the numbers, and `evenstride_codes.h` their names.
typedef struct EvDisposition {
  // Number of the disposition. 0 means that the message is not about motion.
  uint16_t code;
  // Number of the reason, 0 if there is none. The code names its type.
  uint16_t reason;
  // Entity that the message is about, 0 if it names none.
  uint32_t entity;
  // 1 if the message had an effect.
  uint8_t is_accepted;
  // 1 if a placement was done, 0 if it was refused or there was none.
  uint8_t is_placed;
  // Not used, 0.
  uint16_t reserved;
} EvDisposition;

// A body to be drawn.
typedef struct EvDrawn {
  // Key of the body. It never finds a later body of the same entity.
  uint64_t key;
  // Entity of the body.
  uint32_t entity;
  // Cell of the body.
  uint32_t cell;
  // Position in metres, from the south-west corner of the origin's landblock.
  struct EvVec3 position;
  // Quaternion, real part first.
  float qw;
  // First imaginary part.
  float qx;
  // Second imaginary part.
  float qy;
  // Third imaginary part.
  float qz;
  // 1 if the body is invisible.
  uint32_t is_hidden;
} EvDrawn;

// The animation of a body.
typedef struct EvAnimation {
  // Key of the body.
  uint64_t key;
  // Progress of the animation in keyframes.
  double frame;
  // Entity of the body.
  uint32_t entity;
  // Model in the game's archives, 0 if unknown.
  uint32_t setup;
  // Motion table of the description, 0 if unknown.
  uint32_t motion_table;
  // Index of the pose for an object without animations.
  uint32_t placement_frame;
  // Stance.
  uint32_t style;
  // Motion of the forward axis.
  uint32_t forward;
  // Motion of the sideways axis, 0 if it is not in use.
  uint32_t sidestep;
  // Motion of the turning axis, 0 if it is not in use.
  uint32_t turn;
  // Speed factor of the forward axis, negative for backwards.
  float forward_speed;
  // Speed factor of the sideways axis, negative for left.
  float sidestep_speed;
  // Speed factor of the turning axis, negative for left.
  float turn_speed;
  // Run rate, as a multiple of the slowest runner's speed.
  float run_rate;
  // Animation of the drawn body: `EV_DRAWN_AS_PLAYED`, `EV_DRAWN_STANDING` or `EV_DRAWN_GOING`.
  uint32_t drawn;
  // Motion for `EV_DRAWN_GOING`, otherwise 0.
  uint32_t drawn_command;
  // Factor on the played speed for `EV_DRAWN_AS_PLAYED`, speed factor for `EV_DRAWN_GOING`.
  float drawn_speed;
  // Motion table that chose the animation, 0 for none.
  uint32_t table;
  // Animation that is played, 0 for none.
  uint32_t animation;
  // Keyframes per second, negative for backward.
  float rate;
  // 1 if the body is drawn falling.
  uint32_t is_airborne;
  // Entity that holds the body, 0 for none.
  uint32_t holder;
  // Place on the holder, by the game's number.
  uint32_t location;
  // Not used, 0.
  uint32_t reserved;
} EvAnimation;

// Something that happened to an entity. `code` decides which other fields have a meaning.
//
// | happening | reason | other | value | number |
// |---|---|---|---|---|
// | removed, snapped, move-to ended | number of the reason | | | metres |
// | attached | | holder | location | |
// | hidden | 1 hidden, 0 visible | | | |
// | took off, landed | | | | metres per second |
// | hook | | kind | argument | |
// | action done | 1 if played to its end | | motion command | |
// | follow began, set out | | target | | |
// | parked updates expired or replayed | | | number of updates | |
typedef struct EvEvent {
  // Seconds.
  double time;
  // Entity that it happened to. It may be gone.
  uint32_t entity;
  // Number of the happening (`docs/codes.md`, `evenstride_codes.h`).
  uint16_t code;
  // See the table above.
  uint16_t reason;
  // See the table above.
  uint32_t other;
  // See the table above.
  uint32_t value;
  // See the table above.
  float number;
  // Not used, 0.
  uint32_t reserved;
} EvEvent;

// Keys that are down.
typedef struct EvInput {
  // 1 forward, -1 back, 0 neither.
  int8_t ahead;
  // 1 right, -1 left, 0 neither.
  int8_t aside;
  // 1 right, -1 left, 0 neither.
  int8_t turn;
  // 1 if the run key is down.
  uint8_t run;
  // Stance. 0 means the peace stance.
  uint32_t style;
} EvInput;

// State of the local player.
typedef struct EvPlayer {
  // Entity of the player.
  uint32_t entity;
  // 1 if the server moves the player, 0 if the keys do.
  uint32_t is_moved_by_server;
  // Place after the last step. Cell 0 means outside the world.
  struct EvPlace place;
  // Last place that the server reported. Cell 0 means none.
  struct EvPlace heard;
  // 1 on walkable ground.
  uint32_t is_grounded;
  // 1 during a teleport.
  uint32_t is_teleporting;
  // Charge of a jump from 0.001 to 1, or 0.
  float charge;
  // `EV_AUTONOMY_SERVER` and its neighbours.
  uint32_t autonomy;
  // Used length of the tether in metres, negative while it is off.
  float tether_used;
  // Total length of the tether in metres, negative while it is off.
  float tether_length;
} EvPlayer;

// Counts of a world since it was made.
typedef struct EvStats {
  // Bodies, including those outside the world.
  uint64_t bodies;
  // Messages that wait for their entity.
  uint64_t parked;
  // Updates that took effect.
  uint64_t fresh;
  // Updates that were late or repeated.
  uint64_t stale;
  // Times that a route ran dry while its body went on.
  uint64_t starved;
  // Bodies placed instead of walking.
  uint64_t snaps;
  // Messages refused because a value is invalid or a limit is reached.
  uint64_t refused;
  // Parked updates that were handled later.
  uint64_t parked_replayed;
  // Early updates that were lost, for any reason.
  uint64_t parked_lost;
  // Calls with a time before that of the last call.
  uint64_t time_went_back;
  // Gaps of more than two seconds that were not caught up with.
  uint64_t time_dropped;
  // Events that were not taken in time.
  uint64_t events_dropped;
  // Messages of the local player that were not taken in time.
  uint64_t actions_dropped;
} EvStats;

// Place of an entity (opcode F748).
typedef struct EvPosition {
  // Entity at this place.
  uint32_t entity;
  // Place as sent.
  struct EvPlace place;
  // 1 if the entity touches the ground.
  uint32_t has_contact;
  // Instance stamp.
  uint16_t instance;
  // Position stamp.
  uint16_t position;
  // Teleport stamp.
  uint16_t teleport;
  // Force-position stamp.
  uint16_t force_position;
} EvPosition;

// Motion or goal of an entity (opcode F74C). `kind` decides which fields have a meaning.
typedef struct EvMovement {
  // Entity that moves.
  uint32_t entity;
  // Instance stamp.
  uint16_t instance;
  // Movement stamp.
  uint16_t movement;
  // Stamp of server-controlled movements.
  uint16_t server_control;
  // Non-zero if the entity's own player asked for it.
  uint8_t autonomous;
  // `EV_MOVEMENT_COMMANDS` and its neighbours.
  uint8_t kind;
  // Stance, by command index.
  uint16_t style;
  // Fields that are present, as `EV_HAS_FORWARD` and its neighbours. Commands only.
  uint16_t present;
  // Forward motion, by command index.
  uint16_t forward;
  // Sideways motion, by command index.
  uint16_t sidestep;
  // Turning motion, by command index.
  uint16_t turn;
  // 1 if the entity charges a jump while standing.
  uint16_t standing_long_jump;
  // Speed factor of the forward axis.
  float forward_speed;
  // Speed factor of the sideways axis.
  float sidestep_speed;
  // Speed factor of the turning axis.
  float turn_speed;
  // Target of a goal, or the entity to follow. 0 means none.
  uint32_t target;
  // Cell of the goal.
  uint32_t cell;
  // Coordinates of the goal in metres.
  struct EvVec3 origin;
  // Permissions and side effects of a goal.
  uint32_t flags;
  // Arrival distance in metres.
  float distance_to_object;
  // Distance in metres at which a body that moves away has arrived.
  float min_distance;
  // Distance in metres beyond which the body gives up.
  float fail_distance;
  // Speed factor of a goal.
  float speed;
  // The body runs while it is more than this many metres beyond the arrival distance.
  float walk_run_threshold;
  // Heading in degrees that the parameters of a goal name.
  float desired_heading;
  // Running speed factor of the mover.
  float run_rate;
  // Heading in degrees of a turn to an entity whose place is unknown.
  float heading;
} EvMovement;

// A motion to be performed once.
typedef struct EvAction {
  // Motion, by command index.
  uint16_t command;
  // Order among actions, in 15 bits.
  uint16_t stamp;
  // Non-zero if the entity's own player asked for it.
  uint32_t autonomous;
  // Speed factor.
  float speed;
} EvAction;

// Velocity and spin of an entity (opcode F74E).
typedef struct EvVector {
  // Entity that changes.
  uint32_t entity;
  // Velocity in metres per second, world axes.
  struct EvVec3 velocity;
  // Spin in radians per second, world axes.
  struct EvVec3 omega;
  // Instance stamp.
  uint16_t instance;
  // Vector stamp.
  uint16_t stamp;
} EvVector;

// Description of an entity (opcodes F745 and F7DB), as far as motion needs it.
typedef struct EvCreate {
  // Described entity.
  uint32_t entity;
  // 1 if the entity is removed and created from scratch (F7DB).
  uint32_t is_recreated;
  // Item type. Motion reads only the creature bit, 0x10.
  uint32_t item_type;
  // Physics state bits.
  uint32_t state;
  // Optional fields that are present, as `EV_HAS_PLACE` and its neighbours.
  uint32_t present;
  // Place of the entity.
  struct EvPlace place;
  // Model, 0 for none.
  uint32_t setup;
  // Motion table, 0 for none.
  uint32_t motion_table;
  // Index of the pose for an object without animations.
  uint32_t placement_frame;
  // Holder of the entity, 0 for none.
  uint32_t holder;
  // Place on the holder.
  uint32_t location;
  // Size factor.
  float scale;
  // Fraction of its speed that a sliding body loses per second.
  float friction;
  // Bounciness.
  float elasticity;
  // Velocity in metres per second.
  struct EvVec3 velocity;
  // Spin in radians per second.
  struct EvVec3 omega;
  // Newest stamp of each kind, in the order of the message.
  uint16_t stamps[9];
  // Not used, 0.
  uint16_t reserved;
} EvCreate;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Makes settings from a profile, which is `RETAIL`, `ACDREAM`, `SMOOTH`, `GLIDE` or `SPECTATOR`.
EvStatus ev_config_new(const char *name, struct EvConfig **config);

// Releases settings. Worlds that were made of them keep them. Null is allowed.
EvStatus ev_config_free(struct EvConfig *config);

// Sets a switch, such as `gate` to `fixed` or `limits.events` to `64`. The text of the error lists all
// names or values.
EvStatus ev_config_set(struct EvConfig *config,
                       const char *name,
                       const char *value);

// Writes the value of a switch as text.
EvStatus ev_config_value(const struct EvConfig *config,
                         const char *name,
                         char *value,
                         size_t capacity,
                         size_t *length);

// Writes the size of each struct, in the order of `bindings/c/src/layout.rs`. A wrapper in another
// language compares them with its own.
EvStatus ev_sizes(uint32_t *sizes, size_t capacity, size_t *count);

// Makes the built-in library, which new worlds have anyway.
EvStatus ev_library_built_in(struct EvLibrary **library);

// Reads all motion tables and models of an archive, such as `client_portal.dat`. `loaded` may be null.
//
// Unreadable records are left out and counted.
EvStatus ev_library_open(const char *path,
                         struct EvLibrary **library,
                         struct EvLoaded *loaded);

// Loads motion tables (0x09……) and models (0x02……) by number, with the animations that they name. The
// callback provides the bytes of the portal records. `loaded` may be null.
EvStatus ev_library_from_records(const uint32_t *ids,
                                 size_t count,
                                 EvRecordCallback record,
                                 void *user,
                                 struct EvLibrary **library,
                                 struct EvLoaded *loaded);

// Releases a library. Worlds that use it keep it. Null is allowed.
EvStatus ev_library_free(struct EvLibrary *library);

// Makes an empty world whose time starts at `seconds`. `config` may be null, which means `GLIDE`.
// `max_coast_seconds` is the time for which a silent entity keeps moving, usually 3.
EvStatus ev_plain_new(const struct EvConfig *config,
                      uint32_t axes,
                      double units_per_metre,
                      double max_coast_seconds,
                      double seconds,
                      struct EvPlainWorld **world);

// Releases a world. Null is allowed.
EvStatus ev_plain_free(struct EvPlainWorld *world);

// Copies a world with its ground.
EvStatus ev_plain_clone(const struct EvPlainWorld *world, struct EvPlainWorld **copy);

// Restores a world from the bytes of `ev_plain_save`.
EvStatus ev_plain_restore(const uint8_t *bytes, size_t length, struct EvPlainWorld **world);

// Sets the host's own geometry, in the core's places, in metres and with z up. Null means open ground.
EvStatus ev_plain_set_surroundings(struct EvPlainWorld *world,
                                   const struct EvSurroundings *surroundings);

// Makes the ground flat, at a height of `z` metres in the core's axes.
EvStatus ev_plain_set_flat_ground(struct EvPlainWorld *world, float z);

// Moves time to `seconds`, steps entities, and stops those that were silent too long. `advanced` may be
// null.
EvStatus ev_plain_advance(struct EvPlainWorld *world,
                          double seconds,
                          struct EvAdvanced *advanced);

// Handles updates, in order. The first update of an entity creates it. `handled` gets the number of
// updates that were handled before the first invalid one, and may be null.
EvStatus ev_plain_update(struct EvPlainWorld *world,
                         double seconds,
                         const struct EvPlainUpdate *updates,
                         size_t count,
                         size_t *handled);

// Throws an entity with a velocity of three components, in game units per second.
EvStatus ev_plain_throw(struct EvPlainWorld *world,
                        double seconds,
                        uint64_t entity,
                        const float *velocity);

// Limits an entity, also before its first update. The top speed is in game units per second, the turn
// rate in degrees per second, and the snap distance in game units. Infinity, NaN and negative values mean
// no limit. Removing the entity takes them away.
EvStatus ev_plain_set_limits(struct EvPlainWorld *world,
                             uint64_t entity,
                             float top_speed,
                             float turn_rate_deg,
                             float snap_distance);

// Tells what times of sending mean, `EV_SENDER_CLOCK_ORDER_ONLY` and its neighbours. An entity is drawn
// ahead of its last update by at most `max_lead_seconds`, usually 0.25.
EvStatus ev_plain_set_sender_clock(struct EvPlainWorld *world,
                                   uint32_t clock,
                                   double max_lead_seconds);

// Removes an entity with its last update and its limits.
EvStatus ev_plain_remove(struct EvPlainWorld *world, uint64_t entity);

// Sets the point from which distances are measured, in game units. Null removes it.
EvStatus ev_plain_set_viewpoint(struct EvPlainWorld *world, const double *position);

// Starts to keep the decisions about an entity.
EvStatus ev_plain_trace(struct EvPlainWorld *world, uint64_t entity);

// Writes every entity to be drawn at `seconds`. If the buffer is too short, the first `capacity`
// entities are written.
EvStatus ev_plain_drawn_into(const struct EvPlainWorld *world,
                             double seconds,
                             struct EvPlainDrawn *entities,
                             size_t capacity,
                             size_t *count);

// Does what `ev_plain_drawn_into` does, only for entities that may look different since the last call of
// this function. If the buffer is too short, the same ones are reported again by the next call.
EvStatus ev_plain_changed_into(struct EvPlainWorld *world,
                               double seconds,
                               struct EvPlainDrawn *entities,
                               size_t capacity,
                               size_t *count);

// Removes and writes events, oldest first, as many as fit. Others stay, so call it until the count is
// less than the capacity.
EvStatus ev_plain_events_into(struct EvPlainWorld *world,
                              struct EvPlainEvent *events,
                              size_t capacity,
                              size_t *count);

// Writes the decisions about a traced entity, one line each, oldest first. Only the last `lines` are
// written, or all for 0.
EvStatus ev_plain_explain(const struct EvPlainWorld *world,
                          uint64_t entity,
                          size_t lines,
                          char *text,
                          size_t capacity,
                          size_t *length);

// Writes the world as bytes. Events, decisions, ground and drawn poses are left out.
EvStatus ev_plain_save(const struct EvPlainWorld *world,
                       uint8_t *bytes,
                       size_t capacity,
                       size_t *length);

// Writes the number of entities.
EvStatus ev_plain_len(const struct EvPlainWorld *world, size_t *count);

// Writes the hash of everything that further motion depends on.
EvStatus ev_plain_state_hash(const struct EvPlainWorld *world, uint64_t *hash);

// Writes the sentence about the last failed call of this thread. It is empty if none has failed. A call
// that succeeds leaves it as it is, and so does this one.
EvStatus ev_last_error(char *text,
                       size_t capacity,
                       size_t *length);

// Returns the name of a status, such as `EV_STATUS_BUSY`, or `unknown` for another number. The text is
// static.
const char *ev_status_name(int32_t status);

// Version of the library, such as `0.1.0`. The text is static.
const char *ev_version(void);

// Makes an empty world whose time starts at `seconds`. The ground is open, so only messages tell of it.
EvStatus ev_world_new(const struct EvConfig *config,
                      double seconds,
                      struct EvWorld **world);

// Releases a world. Null is allowed. A world cannot be released from its own callbacks.
EvStatus ev_world_free(struct EvWorld *world);

// Copies a world with its ground and its events. Both go on alike, bit for bit.
EvStatus ev_world_clone(const struct EvWorld *world, struct EvWorld **copy);

// Writes the world as bytes. Events, decisions, ground and drawn poses are left out.
EvStatus ev_world_save(const struct EvWorld *world,
                       uint8_t *bytes,
                       size_t capacity,
                       size_t *length);

// Writes the drawn poses of the profile `GLIDE` as bytes, which `ev_world_save` leaves out.
EvStatus ev_world_save_drawing(const struct EvWorld *world,
                               uint8_t *bytes,
                               size_t capacity,
                               size_t *length);

// Restores a world from the bytes of `ev_world_save`. `library` is the one that the world used, or null
// for the built-in one. The ground is open.
EvStatus ev_world_restore(const uint8_t *bytes,
                          size_t length,
                          const struct EvLibrary *library,
                          struct EvWorld **world);

// Restores the drawn poses of `ev_world_save_drawing`.
EvStatus ev_world_restore_drawing(struct EvWorld *world, const uint8_t *bytes, size_t length);

// Replaces the motion library. All bodies stop, and stand until they are told to move again.
EvStatus ev_world_set_library(struct EvWorld *world, const struct EvLibrary *library);

// Moves time to `seconds` and steps bodies. `advanced` may be null.
EvStatus ev_world_advance(struct EvWorld *world, double seconds, struct EvAdvanced *advanced);

// Removes the ground, so that only messages tell of it. A new world has no ground either.
EvStatus ev_world_set_open_field(struct EvWorld *world);

// Makes the ground flat, at a height of `z` metres.
EvStatus ev_world_set_flat_ground(struct EvWorld *world, float z);

// Sets terrain. The first height lies on the south-west corner of `landblock`. Rows run from west to east
// with `columns` heights each, and the first row is the southernmost. `spacing` is in metres.
EvStatus ev_world_set_heightfield(struct EvWorld *world,
                                  uint32_t landblock,
                                  float spacing,
                                  uint32_t columns,
                                  const float *heights,
                                  size_t count);

// Sets the host's own geometry. The struct is copied.
EvStatus ev_world_set_surroundings(struct EvWorld *world,
                                   const struct EvSurroundings *surroundings);

// Sets the place from which distances are measured, such as the camera. Bodies more than 96 m away are
// not stepped. Null removes it, and the local player takes its place.
EvStatus ev_world_set_viewpoint(struct EvWorld *world,
                                const struct EvPlace *viewpoint);

// Writes the number of bodies, including those outside the world. That many entries are enough for
// every array of bodies.
EvStatus ev_world_len(const struct EvWorld *world, size_t *count);

// Writes the latest time given to the world, in seconds.
EvStatus ev_world_time(const struct EvWorld *world, double *seconds);

// Writes the time in seconds at which `ev_world_advance` next changes something, or infinity.
EvStatus ev_world_next_due(const struct EvWorld *world, double *seconds);

// Writes the hash of everything that further motion depends on. `evenstride replay` prints the same one.
EvStatus ev_world_state_hash(const struct EvWorld *world,
                             uint64_t *hash);

// Writes the hash of the drawn poses of the profile `GLIDE`.
EvStatus ev_world_drawing_hash(const struct EvWorld *world, uint64_t *hash);

// Writes the setup of a creature that stands at a place.
EvStatus ev_setup_at(const struct EvPlace *place, struct EvSetup *setup);

// Inserts a body, for hosts without create messages. `key` may be null.
EvStatus ev_world_insert(struct EvWorld *world,
                         double seconds,
                         uint32_t entity,
                         const struct EvSetup *setup,
                         uint64_t *key);

// Removes a body. An unknown entity is answered with `EV_STATUS_UNKNOWN_BODY`.
EvStatus ev_world_remove(struct EvWorld *world, uint32_t entity);

// Places a body at once, as a teleport does. The surroundings may refuse it.
EvStatus ev_world_set_place(struct EvWorld *world,
                            double seconds,
                            uint32_t entity,
                            const struct EvPlace *place);

// Stops stepping a body, until `ev_world_resume`. The host places it meanwhile.
EvStatus ev_world_suspend(struct EvWorld *world, double seconds, uint32_t entity);

// Lets a suspended body move by itself again.
EvStatus ev_world_resume(struct EvWorld *world, double seconds, uint32_t entity);

// Writes the state of a body, and where to draw it at `seconds`. Many bodies are faster in one call of
// `ev_world_drawn_into`.
EvStatus ev_world_body(const struct EvWorld *world,
                       double seconds,
                       uint32_t entity,
                       struct EvBody *body);

// Handles one message of the server, from its opcode to its last byte. `disposition` may be null.
EvStatus ev_world_handle(struct EvWorld *world,
                         double seconds,
                         const uint8_t *bytes,
                         size_t length,
                         struct EvDisposition *disposition);

// Handles messages that lie one after the other in `bytes`. `ends` has the offset at which each one
// ends. If one is damaged, none is handled.
//
// `dispositions` has room for `capacity` entries, one for each message. It may be null with capacity 0,
// and `handled` may be null.
// `handled` gets the number of messages about motion.
EvStatus ev_world_handle_many(struct EvWorld *world,
                              double seconds,
                              const uint8_t *bytes,
                              size_t length,
                              const uint32_t *ends,
                              size_t count,
                              struct EvDisposition *dispositions,
                              size_t capacity,
                              size_t *handled);

// Handles a message of the local player's own client in a recording (opcode F7B1). `metres` gets the
// distance between the player and the place in the message, and may be null.
EvStatus ev_world_replay_action(struct EvWorld *world,
                                double seconds,
                                const uint8_t *bytes,
                                size_t length,
                                double *metres);

// Writes every body to be drawn at `seconds`. Positions are in metres from the south-west corner of the
// landblock `origin`, such as 0xA9B4. If the buffer is too short, the first `capacity` bodies are
// written.
EvStatus ev_world_drawn_into(const struct EvWorld *world,
                             double seconds,
                             uint32_t origin,
                             struct EvDrawn *bodies,
                             size_t capacity,
                             size_t *count);

// Does what `ev_world_drawn_into` does, only for bodies that may look different since the last call of
// this function. Events tell of bodies that left the world.
//
// If the buffer is too short, the same bodies are reported again by the next call.
EvStatus ev_world_changed_into(struct EvWorld *world,
                               double seconds,
                               uint32_t origin,
                               struct EvDrawn *bodies,
                               size_t capacity,
                               size_t *count);

// Writes the animation of every body, including those outside the world. Idle animations are played up
// to `seconds`. If the buffer is too short, nothing is written.
EvStatus ev_world_animations_into(const struct EvWorld *world,
                                  double seconds,
                                  struct EvAnimation *animations,
                                  size_t capacity,
                                  size_t *count);

// Removes and writes events, oldest first, as many as fit. Others stay, so call it until the count is
// less than the capacity.
EvStatus ev_world_events_into(struct EvWorld *world,
                              struct EvEvent *events,
                              size_t capacity,
                              size_t *count);

// Removes and writes the messages of the local player to the server, oldest first. `ends` gets the
// offset in `bytes` at which each one ends. Their action counter is 0, and the host sets it
// (`EV_ACTION_COUNTER_OFFSET`).
//
// If either buffer is too short for all messages, nothing is written or removed, and both counts have
// the lengths that suffice.
EvStatus ev_world_actions_into(struct EvWorld *world,
                               uint8_t *bytes,
                               size_t capacity,
                               size_t *length,
                               uint32_t *ends,
                               size_t ends_capacity,
                               size_t *count);

// Sets the local player. The entity may be created later. 0 removes the local player.
EvStatus ev_world_set_local_player(struct EvWorld *world, double seconds, uint32_t entity);

// Sets how well the local player runs and jumps. `load` is the carried weight as a fraction of the
// capacity.
EvStatus ev_world_set_skills(struct EvWorld *world, uint32_t run, uint32_t jump, float load);

// Sets the run skill that comes closest to a run rate, as a server's messages show it.
EvStatus ev_world_set_run_rate(struct EvWorld *world, float rate);

// Sets the side that decides where the player is: `EV_AUTONOMY_SERVER` and its neighbours.
EvStatus ev_world_set_autonomy(struct EvWorld *world, uint32_t autonomy);

// Sets the keys that are down from `seconds` on. A change queues a message to the server.
EvStatus ev_world_set_input(struct EvWorld *world, double seconds, const struct EvInput *input);

// Begins to charge a jump, when the jump key goes down.
EvStatus ev_world_charge_jump(struct EvWorld *world, double seconds);

// Jumps, when the jump key goes up. `velocity` gets the velocity in metres per second, and may be null.
EvStatus ev_world_jump(struct EvWorld *world,
                       double seconds,
                       struct EvVec3 *velocity);

// Writes the state of the local player.
EvStatus ev_world_player(const struct EvWorld *world, struct EvPlayer *player);

// Writes the counts of a world.
EvStatus ev_world_stats(const struct EvWorld *world, struct EvStats *stats);

// Writes the counts as text in the format of Prometheus.
EvStatus ev_world_prometheus(const struct EvWorld *world,
                             char *text,
                             size_t capacity,
                             size_t *length);

// Starts to keep the decisions about an entity. 0 means all entities.
EvStatus ev_world_trace(struct EvWorld *world, uint32_t entity);

// Stops keeping the decisions about an entity. 0 ends the tracing of all.
EvStatus ev_world_untrace(struct EvWorld *world, uint32_t entity);

// Writes the decisions about a traced entity, one line each, oldest first. Only the last `lines` are
// written, or all for 0.
EvStatus ev_world_explain(const struct EvWorld *world,
                          uint32_t entity,
                          size_t lines,
                          char *text,
                          size_t capacity,
                          size_t *length);

// Applies positions, in order. `dispositions` has room for `capacity` entries, which is 0 or `count`.
EvStatus ev_world_apply_positions(struct EvWorld *world,
                                  double seconds,
                                  const struct EvPosition *positions,
                                  size_t count,
                                  struct EvDisposition *dispositions,
                                  size_t capacity);

// Applies a movement with its actions. `disposition` may be null.
EvStatus ev_world_apply_movement(struct EvWorld *world,
                                 double seconds,
                                 const struct EvMovement *movement,
                                 const struct EvAction *actions,
                                 size_t count,
                                 struct EvDisposition *disposition);

// Applies velocity and spin. `disposition` may be null.
EvStatus ev_world_apply_vector(struct EvWorld *world,
                               double seconds,
                               const struct EvVector *vector,
                               struct EvDisposition *disposition);

// Applies a description. `movement` is the motion in it, and may be null. Its entity and stamps are not
// used. `disposition` may be null.
//
// Items in the hands of the entity come with `ev_world_apply_parent` or their own descriptions.
EvStatus ev_world_apply_create(struct EvWorld *world,
                               double seconds,
                               const struct EvCreate *create,
                               const struct EvMovement *movement,
                               const struct EvAction *actions,
                               size_t count,
                               struct EvDisposition *disposition);

// Applies new physics state bits (opcode F74B). `disposition` may be null.
EvStatus ev_world_apply_state(struct EvWorld *world,
                              double seconds,
                              uint32_t entity,
                              uint32_t state,
                              uint16_t instance,
                              uint16_t stamp,
                              struct EvDisposition *disposition);

// Applies the deletion of an entity (opcode F747). `disposition` may be null.
EvStatus ev_world_apply_delete(struct EvWorld *world,
                               double seconds,
                               uint32_t entity,
                               uint16_t instance,
                               struct EvDisposition *disposition);

// Puts an entity into a pack (opcode F74A). `disposition` may be null.
EvStatus ev_world_apply_pickup(struct EvWorld *world,
                               double seconds,
                               uint32_t entity,
                               uint16_t instance,
                               uint16_t position,
                               struct EvDisposition *disposition);

// Puts an entity into the hand of another (opcode F749). `holder_instance` is the instance stamp of the
// holder, and `held_position` the position stamp of the held entity. `disposition` may be null.
EvStatus ev_world_apply_parent(struct EvWorld *world,
                               double seconds,
                               uint32_t holder,
                               uint32_t held,
                               uint32_t location,
                               uint32_t placement_frame,
                               uint16_t holder_instance,
                               uint16_t held_position,
                               struct EvDisposition *disposition);

// Begins the local player's teleport (opcode F751). `disposition` may be null.
EvStatus ev_world_apply_teleport(struct EvWorld *world,
                                 double seconds,
                                 uint16_t teleport,
                                 struct EvDisposition *disposition);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* EVENSTRIDE_H */

#if defined(__cplusplus)
#define EV_ASSERT_SIZE(type, size) static_assert(sizeof(type) == (size), #type " has another size")
#else
#define EV_ASSERT_SIZE(type, size) _Static_assert(sizeof(type) == (size), #type " has another size")
#endif

EV_ASSERT_SIZE(EvVec3, 12);
EV_ASSERT_SIZE(EvPlace, 32);
EV_ASSERT_SIZE(EvDisposition, 12);
EV_ASSERT_SIZE(EvAdvanced, 8);
EV_ASSERT_SIZE(EvDrawn, 48);
EV_ASSERT_SIZE(EvAnimation, 104);
EV_ASSERT_SIZE(EvEvent, 32);
EV_ASSERT_SIZE(EvBody, 144);
EV_ASSERT_SIZE(EvSetup, 88);
EV_ASSERT_SIZE(EvPosition, 48);
EV_ASSERT_SIZE(EvMovement, 92);
EV_ASSERT_SIZE(EvAction, 12);
EV_ASSERT_SIZE(EvVector, 32);
EV_ASSERT_SIZE(EvCreate, 128);
EV_ASSERT_SIZE(EvInput, 8);
EV_ASSERT_SIZE(EvPlayer, 96);
EV_ASSERT_SIZE(EvStats, 104);
EV_ASSERT_SIZE(EvLoaded, 32);
EV_ASSERT_SIZE(EvSweep, 116);
EV_ASSERT_SIZE(EvSwept, 64);
EV_ASSERT_SIZE(EvPlacing, 56);
EV_ASSERT_SIZE(EvPlaced, 48);
EV_ASSERT_SIZE(EvPlainPose, 40);
EV_ASSERT_SIZE(EvPlainUpdate, 88);
EV_ASSERT_SIZE(EvPlainDrawn, 56);
EV_ASSERT_SIZE(EvPlainEvent, 32);
