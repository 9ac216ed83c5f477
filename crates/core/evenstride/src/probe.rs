//! What the conformance crate sees of the core: re-exports, and ways into public types. Nothing here is part of the public interface.
//!
//! Behind the private feature `_conformance`; only `evenstride_conformance` may use it (tidy checks).

use evenstride_types::{SimTime, Vec3};

use crate::Advanced;
use crate::InterpretedMotion;
use crate::MotionLibrary;
use crate::MotionRefused;
use crate::MotionTable;
use crate::MotionWorld;
use crate::Surroundings;

pub use crate::body::changed::Changed;
pub use crate::motion::flight::Flight;
pub use crate::motion::follow::Follow;
pub use crate::storage::ids::IdMap;
pub use crate::inbound::Context;
pub use crate::inbound::Life;
pub use crate::inbound::life;
pub use crate::storage::keys::BodyKeys;
pub use crate::motion::animator::AnimationPools;
pub use crate::motion::animator::Animator;
pub use crate::motion::interpreted_motion::NONE;
pub use crate::motion::interpreter::Answer;
pub use crate::motion::interpreter::BodyFacts;
pub use crate::motion::interpreter::Effects;
pub use crate::motion::interpreter::GameFacts;
pub use crate::motion::interpreter::Interpreter;
pub use crate::motion::interpreter::MotionDriver;
pub use crate::motion::interpreter::PartSupport;
pub use crate::motion::interpreter::ServerAction;
pub use crate::motion::interpreter::Walker;
pub use crate::motion::interpreter::adjust;
pub use crate::motion::interpreter::allows_jump;
pub use crate::motion::interpreter::max_speed;
pub use crate::motion::list::Item;
pub use crate::motion::list::List;
pub use crate::body::locomotion::Locomotion;
pub use crate::body::locomotion::RootMotion;
pub use crate::motion::movement_params::MovementParams;
pub use crate::motion::playing::NoMotion;
pub use crate::motion::playing::Playing;
pub use crate::motion::playing::Posture;
pub use crate::motion::playing::Shared;
pub use crate::motion::raw_motion::RawMotion;
pub use crate::motion::raw_motion::RawMotionAxis;
pub use crate::motion::sequence::Node;
pub use crate::motion::sequence::Passed;
pub use crate::motion::sequence::Sequence;
pub use crate::moveto::Choice;
pub use crate::moveto::MoveTo;
pub use crate::moveto::MoveToGoal;
pub use crate::moveto::Pace;
pub use crate::moveto::Progress;
pub use crate::moveto::Step;
pub use crate::moveto::Steps;
pub use crate::moveto::facing;
pub use crate::moveto::is_past;
pub use crate::moveto::turn_left_to_do;
pub use crate::player::LocalPlayer;
pub use crate::storage::pool::Link;
pub use crate::storage::pool::Pool;
pub use crate::step::rounds::StepBy;
pub use crate::step::rounds::Stepper;
pub use crate::motion::route::HeadingMode;
pub use crate::motion::route::NO_DISTANCE;
pub use crate::motion::route::Route;
pub use crate::motion::route::Routes;
pub use crate::motion::route::Waypoint;
pub use crate::motion::route::WaypointKind;
pub use crate::body::store::Body;
pub use crate::body::store::BodyMut;
pub use crate::body::store::Build;
pub use crate::body::store::Detail;
pub use crate::body::store::Extra;
pub use crate::body::store::Flags;
pub use crate::body::store::IdleTime;
pub use crate::body::store::Ledger;
pub use crate::body::store::Links;
pub use crate::body::store::Looks;
pub use crate::body::store::NewBody;
pub use crate::body::store::Store;
pub use crate::moveto::observers::Listed;
pub use crate::moveto::observers::Lookout;
pub use crate::moveto::observers::News;
pub use crate::moveto::observers::Notice;
pub use crate::moveto::observers::Post;
pub use crate::moveto::observers::Status;
pub use crate::moveto::observers::Target;
pub use crate::moveto::observers::Targets;
pub use crate::moveto::observers::Wish;
pub use crate::motion::tether::Leeway;
pub use crate::motion::tether::Tether;
pub use crate::explain::Call;
pub use crate::explain::Journal;

/// Returns everything that a world keeps of its bodies.
pub fn store(world: &mut MotionWorld) -> &mut Store {
    &mut world.store
}

/// Returns the row of an entity.
pub fn slot(world: &MotionWorld, entity: evenstride_types::EntityId) -> Option<usize> {
    world.slot(entity)
}

/// Sets the time, and steps nothing.
pub fn set_now(world: &mut MotionWorld, now: SimTime) {
    world.clock.now = now;
}

/// Removes a row, and tells nothing.
pub fn drop_row(world: &mut MotionWorld, slot: usize) {
    world.drop_row(slot);
}

/// Returns the parts of a world that a step changes.
pub fn stepper(world: &mut MotionWorld) -> Stepper<'_> {
    world.stepper().0
}

/// Moves time through the gate of the world, and writes to another journal.
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

/// Retail: `CMotionInterp::get_state_velocity` (11.4186 @ 0x00527D50)
pub fn state_velocity(motion: &InterpretedMotion, run_rate: f32) -> Vec3 {
    motion.state_velocity(run_rate)
}

/// Retail: `CMotionInterp::get_adjusted_max_speed` (11.4186 @ 0x00527D00)
pub fn adjusted_max_speed(motion: &InterpretedMotion, run_rate: f32) -> f64 {
    motion.adjusted_max_speed(run_rate)
}

/// Converts the state of a movement message.
///
/// # Errors
/// [`InvalidSpeed`](crate::InvalidSpeed) when a speed is invalid.
pub fn motion_from_message(
    state: &evenstride_types::update::InterpretedState,
    table: evenstride_types::update::CommandTable,
) -> Result<InterpretedMotion, crate::InvalidSpeed> {
    InterpretedMotion::from_message(state, table)
}

/// Returns the reason that a number of the client stands for.
pub fn refused(code: u32) -> Option<MotionRefused> {
    MotionRefused::from_code(code)
}

/// Returns the number of an animation by its place in a library.
pub fn animation_number(library: &MotionLibrary, place: u32) -> u32 {
    library.number(place)
}

/// Returns the key of the link between two motions.
pub fn link(
    table: &MotionTable,
    style: evenstride_types::update::MotionCommand,
    from: (evenstride_types::update::MotionCommand, f32),
    to: (evenstride_types::update::MotionCommand, f32),
) -> Option<(u32, u32)> {
    table.link(style, from, to).map(|(key, _)| key)
}
