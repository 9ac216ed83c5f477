//! The part of the core that the conformance crate sees.
//!
//! It consists of re-exports, and of functions that reach into private parts of public types.
//! Nothing here is part of the public interface. The private feature `_conformance` turns it on,
//! and only `evenstride_conformance` may use it. `cargo xtask test --only tidy` checks that. The
//! shipped program is built without it.

use evenstride_types::{SimTime, Vec3};

use crate::{
    Advanced, MotionWorld, Surroundings,
    animation::{InterpretedMotion, MotionLibrary, MotionTable},
    outcome::MotionError,
};
pub use crate::{
    body::{
        body_mut::BodyMut,
        context::Context,
        cull::Cull,
        flags::Flags,
        local_player::LocalPlayer,
        locomotion::{Locomotion, RootMotion},
        observers::{FollowRequest, ListPosition, Notice, NoticeQueue, Observation, Target, Targets},
        rows::{ColdRow, Dimensions, HotRow, MessageRow, MotionRow, NewBody, ResourceIds},
        store::{SliceTime, Store},
    },
    inbound::{
        ContactWord,
        stamps::{Life, life},
    },
    journal::{Call, Journal},
    motion::{
        animator::{AnimationPools, Animator},
        flight::Flight,
        follow::Follow,
        goal::{Choice, MoveTo, MoveToGoal, Progress, Step, Steps, facing, is_past, turn_left_to_do},
        interpreted_motion::NONE,
        interpreter::{
            Answer, BodyFacts, Effects, GameFacts, Interpreter, MotionDriver, PartSupport, ServerAction,
            Walker, adjust, allows_jump, max_speed,
        },
        items::Item,
        movement_params::{MovementParams, Pace},
        playing::{MotionPlayer, MotionState, NoMotion, Shared},
        raw_motion::{RawMotion, RawMotionAxis},
        route::{HeadingMode, Route, Waypoint, WaypointKind, Waypoints},
        sequence::{Node, Passed, Sequence},
        tether::{Leeway, Tether},
    },
    outcome::{TargetStatus, TargetUpdate},
    step::rounds::{Attempt, StepBy, Stepper},
    storage::{
        ids::IdMap,
        keys::BodyKeys,
        list::List,
        pool::{Pool, PoolIndex},
    },
};

/// Returns the rows and pools of all bodies of a world. Traces set and read rows through it.
pub fn store(world: &mut MotionWorld) -> &mut Store {
    &mut world.store
}

/// Returns the row of an entity, or `None` if the entity is unknown.
pub fn slot(world: &MotionWorld, entity: evenstride_types::EntityId) -> Option<usize> {
    world.slot(entity)
}

/// Sets the time without stepping any body.
pub fn set_now(world: &mut MotionWorld, now: SimTime) {
    world.clock.now = now;
}

/// Removes a row without notifying observers.
pub fn drop_row(world: &mut MotionWorld, slot: usize) {
    world.drop_row(slot);
}

/// Returns the parts of a world that a step changes.
pub fn stepper(world: &mut MotionWorld) -> Stepper<'_> {
    world.stepper().0
}

/// Advances the world, and writes the notes and calls of its steps to `journal` instead of the
/// world's own.
pub fn advance(
    world: &mut MotionWorld,
    now: SimTime,
    surroundings: &impl Surroundings,
    journal: &mut impl Journal,
) -> Advanced {
    world.advance_by(now, |world, now, by| {
        let (mut stepper, _) = world.stepper();
        stepper.step_all(now, surroundings, by, journal);
    })
}

/// Returns the velocity of walking, running and stepping sideways, in metres per second, in the
/// body's own axes.
///
/// Retail: `CMotionInterp::get_state_velocity` (11.4186 @ 0x00527D50)
pub fn state_velocity(motion: &InterpretedMotion, run_rate: f32) -> Vec3 {
    motion.state_velocity(run_rate)
}

/// Returns the present speed of a running body, or the top speed of any other body, in metres per
/// second.
///
/// Retail: `CMotionInterp::get_adjusted_max_speed` (11.4186 @ 0x00527D00)
pub fn adjusted_max_speed(motion: &InterpretedMotion, run_rate: f32) -> f64 {
    motion.adjusted_max_speed(run_rate)
}

/// Converts the state of a movement message to an interpreted motion.
///
/// # Errors
/// [`SpeedError`](crate::outcome::SpeedError) if a speed is invalid.
pub fn motion_from_message(
    state: &evenstride_types::update::InterpretedState,
    table: evenstride_types::update::CommandTable,
) -> Result<InterpretedMotion, crate::outcome::SpeedError> {
    InterpretedMotion::from_message(state, table)
}

/// Converts the client's error code to a reason. Returns `None` for 0, which means success.
pub fn refused(code: u32) -> Option<MotionError> {
    MotionError::from_code(code)
}

/// Returns the number of the animation at a position in a library.
pub fn animation_number(library: &MotionLibrary, place: u32) -> u32 {
    library.number(place)
}

/// Returns the key of the link between two motions, or `None` if the table has none.
///
/// `from` and `to` are each a command and its speed. If either speed is negative, the link is
/// looked up in the other direction.
pub fn link(
    table: &MotionTable,
    style: evenstride_types::update::MotionCommand,
    from: (evenstride_types::update::MotionCommand, f32),
    to: (evenstride_types::update::MotionCommand, f32),
) -> Option<(u32, u32)> {
    table.link(style, from, to).map(|(key, _)| key)
}
