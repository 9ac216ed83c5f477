//! The short step, which most moving bodies take.
//!
//! | body | what moves it |
//! |---|---|
//! | chasing | a leg of its route |
//! | striding | one looping animation, or a constant drift |
//! | trailing | a leg of its route, while its animation plays |
//! | flying | velocity, gravity and spin, in the air |
//!
//! The short step works on the rows themselves. It computes everything first and changes nothing
//! until it knows that the step is an ordinary one. Otherwise it gives up, and the general step
//! (`mod.rs`) does all the work. Both share the rules, and lead to the same bits.
//!
//! A short step notes nothing. Everything worth a note is unusual, such as a waypoint that is reached
//! or a hook that fires.

use evenstride_types::{Placement, Pose, nearly_equal, update::PhysicsState};

use crate::{
    body::{
        context::Context,
        flags::Flags,
        locomotion::{AnimationProgress, Locomotion, Stride},
        rows::{HotRow, MotionRow},
        store::Store,
    },
    config::RootMotionMode,
    journal::Journal,
    motion::{MotionLibrary, flight::Flight, route::Route},
    step::{apply_offset, arrive, checked_normal, question, stand, walk_leg},
    storage::pool::{Pool, PoolIndex},
    surroundings::{Contact, Footing, GroundBelow, Surroundings, Swept, WALKABLE_NORMAL_Z},
};

/// Result of an attempt at a short step.
#[derive(PartialEq)]
pub(super) enum Short {
    /// The body has moved, turned or stayed. Only the end of the step is left.
    Moved,
    /// The answer of the surroundings is an unusual one. It has been stored, but not handled.
    Answered,
    /// The step is unusual, and nothing has been changed.
    GaveUp,
}

/// An answer that a short step cannot handle.
pub(super) struct Answer {
    /// Pose that the body tried to reach.
    pub trial: Pose,
    pub swept: Swept,
}

/// Flags of a body that stands on the ground of the world.
const STANDS: Flags = Flags::ACTIVE.union(Flags::HAS_CELL).union(Flags::CONTACT).union(Flags::WALKABLE);

/// Flags of a body whose step is never short.
const UNUSUAL: Flags = Flags::FALLING.union(Flags::LOCAL).union(Flags::SUSPENDED).union(Flags::LED);

/// State bits of a body whose step is never short.
const UNUSUAL_STATES: PhysicsState =
    PhysicsState::HIDDEN.union(PhysicsState::ALIGN_PATH).union(PhysicsState::SLEDDING);

/// Flags of a body that flies through the world.
const IN_FLIGHT: Flags = Flags::ACTIVE.union(Flags::HAS_CELL).union(Flags::FLIES);

/// Flags of a body in the air whose step is never short. Gravity is not one of them.
const UNUSUAL_IN_THE_AIR: Flags = UNUSUAL
    .difference(Flags::FALLING.union(Flags::FLIES))
    .union(Flags::CONTACT)
    .union(Flags::WALKABLE)
    .union(Flags::STRIDES)
    .union(Flags::ROUTED)
    .union(Flags::MOVES_TO);

/// Returns whether a body on the ground may take a short step.
#[inline(always)]
pub(super) fn is_ordinary(hot: &HotRow) -> bool {
    hot.flags & (STANDS | UNUSUAL) == STANDS && !hot.state.intersects(UNUSUAL_STATES)
}

/// Returns whether a body in the air may take a short step.
#[inline(always)]
pub(super) fn is_flying(hot: &HotRow) -> bool {
    hot.flags & (IN_FLIGHT | UNUSUAL_IN_THE_AIR) == IN_FLIGHT && !hot.state.intersects(UNUSUAL_STATES)
}

/// The time of a step.
#[derive(Clone, Copy)]
pub(super) struct Slice {
    /// Length in seconds.
    pub secs: f32,
    /// The body's own clock at the end, in seconds.
    pub clock: f64,
}

/// Animations and flights of bodies, as far as short steps need them.
pub(super) trait StepPools {
    /// Returns the result of an ordinary step, as of [`Locomotion::stride`].
    fn stride(&self, animator: PoolIndex, scale: f32, secs: f32, mode: RootMotionMode) -> Option<Stride>;

    /// Returns a flight that the step may change. `None` if it may not, and then the short step gives up.
    fn flight(&mut self, link: PoolIndex) -> Option<&mut Flight>;

    /// Stores the progress after an ordinary step, now or after the short steps of all bodies.
    fn set_progress(&mut self, animator: PoolIndex, progress: AnimationProgress);
}

/// Pools that steps change at once.
pub(super) struct OwnedPools<'a, L> {
    pub locomotion: &'a mut L,
    pub library: &'a MotionLibrary,
    pub flights: &'a mut Pool<Flight>,
}

impl<L: Locomotion> StepPools for OwnedPools<'_, L> {
    #[inline(always)]
    fn flight(&mut self, link: PoolIndex) -> Option<&mut Flight> {
        self.flights.get_mut(link)
    }

    #[inline(always)]
    fn stride(&self, animator: PoolIndex, scale: f32, secs: f32, mode: RootMotionMode) -> Option<Stride> {
        self.locomotion.stride(animator, scale, secs, mode, self.library)
    }

    #[inline(always)]
    fn set_progress(&mut self, animator: PoolIndex, progress: AnimationProgress) {
        self.locomotion.set_progress(animator, progress);
    }
}

/// Takes the short step of a body that [is ordinary](is_ordinary) and does not stride.
///
/// `previous` gets the place before the step, if it is kept. `answer` gets the answer of the surroundings,
/// if it is an unusual one.
// It is not inlined, because a loop over both kinds of bodies has too few registers.
#[inline(never)]
pub(super) fn walk(
    hot: &mut HotRow,
    moving: &mut MotionRow,
    route: &mut Route,
    previous: Option<&mut Placement>,
    slice: Slice,
    context: Context<'_, impl Surroundings + ?Sized>,
    answer: &mut Option<Answer>,
) -> Short {
    let trial = if hot.flags.contains(Flags::ROUTED) {
        let Some(trial) = chase(hot, moving, route, slice.secs) else { return Short::GaveUp };
        trial
    } else {
        hot.place.pose
    };
    start(hot, previous, slice);
    try_pose(hot, moving, trial, slice.secs, context, answer)
}

/// Takes the short step of a body that [is ordinary](is_ordinary) and strides, with the arguments of
/// [`walk`].
#[expect(clippy::too_many_arguments, reason = "as single arguments, the rows stay in registers")]
#[inline(never)]
pub(super) fn stride(
    hot: &mut HotRow,
    moving: &mut MotionRow,
    route: &mut Route,
    previous: Option<&mut Placement>,
    pools: &mut impl StepPools,
    slice: Slice,
    context: Context<'_, impl Surroundings + ?Sized>,
    answer: &mut Option<Answer>,
) -> Short {
    let (link, secs, mode) = (hot.animator, slice.secs, context.config.root_motion);
    let Some(stride) = pools.stride(link, moving.dimensions.scale, secs, mode) else { return Short::GaveUp };
    let trial = if hot.flags.contains(Flags::ROUTED) {
        chase(hot, moving, route, secs)
    } else {
        Some(apply_offset(&mut moving.tether, &hot.place.pose, stride.way, true))
    };
    let Some(trial) = trial else { return Short::GaveUp };
    pools.set_progress(link, stride.progress);
    start(hot, previous, slice);
    try_pose(hot, moving, trial, secs, context, answer)
}

/// Takes the short step of a body that [is flying](is_flying), with the arguments of [`walk`].
///
/// A flight that ends frees its entry, which is unusual. So is gravity that begins or ends.
#[inline(never)]
pub(super) fn fly(
    hot: &mut HotRow,
    moving: &mut MotionRow,
    flight: &mut Flight,
    previous: Option<&mut Placement>,
    slice: Slice,
    context: Context<'_, impl Surroundings + ?Sized>,
    answer: &mut Option<Answer>,
) -> Short {
    let (here, secs, mut after) = (hot.place, slice.secs, *flight);
    let is_falling = hot.flags.contains(Flags::FALLING);
    let (origin, spun) = after.carry(here.pose, secs, is_falling, None, hot.state);
    let Ok(trial) = spun.with_origin(origin) else { return Short::GaveUp };
    if after == Flight::REST || is_falling != hot.state.contains(PhysicsState::GRAVITY) {
        return Short::GaveUp;
    }
    *flight = after;
    start(hot, previous, slice);
    if nearly_equal(trial.origin(), here.pose.origin()) {
        stand(hot, moving, trial);
        return Short::Moved;
    }
    let there = Placement::new(here.cell, trial);
    let is_free =
        context.surroundings.is_open() && there.is_settled() && after.ground == GroundBelow::Unknown;
    let swept = if is_free {
        Swept::Moved { at: there, contact: Contact::Kept, ran_into: None }
    } else {
        context.surroundings.sweep(&question(hot, moving, trial, Footing::Airborne, after.ground))
    };
    match swept {
        Swept::Moved { at, contact: Contact::Kept, ran_into: None }
            if at.pose.is_in_bounds() && !(is_falling && after.is_below_ground(&at.pose)) =>
        {
            arrive(hot, moving, at, secs);
            Short::Moved
        }
        swept => {
            *answer = Some(Answer { trial, swept });
            Short::Answered
        }
    }
}

impl<L: Locomotion> Store<L> {
    /// Does everything that follows the motion of a short step. That begins with the answer of the
    /// surroundings if it is an unusual one.
    #[inline(never)]
    pub(super) fn end_short_step(
        &mut self,
        slot: usize,
        answer: Option<Answer>,
        secs: f32,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        let mut body = self.body_mut(slot);
        if let Some(Answer { trial, swept }) = answer {
            let here = body.hot.place;
            body.take_answer(&here, trial, swept, secs, context, journal);
        }
        body.conclude(context, journal);
    }
}

/// Walks an ordinary leg of the route, and returns the pose to try. `None` if the leg is an unusual
/// one, and then nothing has been changed.
///
/// A body that keeps its heading composes the leg in its own axes, which is unusual.
#[inline(always)]
fn chase(hot: &HotRow, moving: &mut MotionRow, route: &mut Route, secs: f32) -> Option<Pose> {
    if hot.flags.contains(Flags::KEEPS_HEADING) {
        return None;
    }
    let speed = f64::from(moving.chase_speed);
    let (leg, progress) = route.ordinary_leg(&hot.place, speed, secs)?;
    let mut tether = moving.tether;
    let trial = walk_leg(&mut tether, &hot.place.pose, &leg, true)?;
    moving.tether.travelled = tether.travelled;
    route.set_progress(progress);
    Some(trial)
}

/// Sets the clock of a body whose step is a short one, and keeps its place for drawing.
#[inline(always)]
fn start(hot: &mut HotRow, previous: Option<&mut Placement>, slice: Slice) {
    hot.updated = slice.clock;
    if let Some(previous) = previous {
        *previous = hot.place;
    }
}

/// Asks the surroundings how far the body gets, and moves it there if the answer is an ordinary one.
#[inline(always)]
fn try_pose(
    hot: &mut HotRow,
    moving: &mut MotionRow,
    trial: Pose,
    secs: f32,
    context: Context<'_, impl Surroundings + ?Sized>,
    answer: &mut Option<Answer>,
) -> Short {
    let here = hot.place;
    if nearly_equal(trial.origin(), here.pose.origin()) {
        stand(hot, moving, trial);
        return Short::Moved;
    }
    let there = Placement::new(here.cell, trial);
    if context.surroundings.is_open() && there.is_settled() && trial.is_in_bounds() {
        arrive(hot, moving, there, secs);
        return Short::Moved;
    }
    let sweep = question(hot, moving, trial, Footing::Grounded, GroundBelow::Unknown);
    match context.surroundings.sweep(&sweep) {
        Swept::Moved { at, contact, ran_into: None }
            if at.pose.is_in_bounds() && keeps_ground(hot, moving, contact) =>
        {
            arrive(hot, moving, at, secs);
            Short::Moved
        }
        swept => {
            *answer = Some(Answer { trial, swept });
            Short::Answered
        }
    }
}

/// Returns whether a body that stood on walkable ground still does, and stores the surface.
#[inline(always)]
fn keeps_ground(hot: &mut HotRow, moving: &mut MotionRow, contact: Contact) -> bool {
    match contact {
        Contact::Kept => true,
        Contact::Lost => false,
        Contact::On(normal) => match checked_normal(normal) {
            None => true,
            Some(normal) if normal.z >= WALKABLE_NORMAL_Z => {
                hot.flags.insert(Flags::HAS_NORMAL);
                moving.normal = normal;
                true
            }
            Some(_) => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use alloc::{vec, vec::Vec};

    use evenstride_types::{
        CellId, EntityId, Placement, Rotation, SimTime,
        update::{ServerEntity, Update},
    };

    use super::*;
    use crate::{
        Config, MotionWorld, OpenField,
        body::{cull::Cull, store::SliceTime},
        step::{rounds::StepBy, rows::Pass},
    };

    /// A body in the middle of a landblock, after it heard some messages and took a few steps.
    fn after(hear: impl Fn(&mut ServerEntity) -> Vec<Update>) -> MotionWorld {
        let mut world = MotionWorld::new(Config::RETAIL, SimTime::ZERO);
        let mut entity = ServerEntity::new(EntityId::new(0x8000_0001));
        world.set_viewpoint(Some(place(96.0)));
        let created = entity.create(entity.description(&place(90.0)));
        let at = |step: u32| SimTime::from_secs(f64::from(step) * 0.04).unwrap();
        let _ = world.handle(at(0), &created, &OpenField);
        let _ = world.advance(at(1), &OpenField);
        world.handle_all(at(1), &hear(&mut entity), &OpenField, |_, _| {});
        // The link that leads to a run takes less than a second.
        for step in 2..26 {
            let _ = world.advance(at(step), &OpenField);
        }
        world
    }

    fn place(y: f32) -> Placement {
        let pose = Pose::new([90.0, y, 10.0], Rotation::IDENTITY).unwrap();
        Placement::new(CellId::new(0xA9B4_0001).unwrap(), pose).settled_outdoors().unwrap()
    }

    fn short_step(world: &mut MotionWorld) -> Short {
        let now = SimTime::from_secs(1.04).unwrap();
        let context = Context { now, config: &Config::RETAIL, surroundings: &OpenField };
        if !is_ordinary(&world.store.hot[0]) {
            return Short::GaveUp;
        }
        world.store.rows(0..1).short_step(0, Slice { secs: 0.04, clock: 1.04 }, context, &mut None)
    }

    #[test]
    fn bodies_that_chase_stride_and_trail_take_the_short_step() {
        let far = place(110.0);
        let mut chasing = after(|entity| vec![entity.position(&far)]);
        let mut striding = after(|entity| vec![entity.runs(1.0)]);
        let mut trailing = after(|entity| vec![entity.runs(1.0), entity.position(&far)]);
        for world in [&mut chasing, &mut striding, &mut trailing] {
            let before = world.store.hot[0].place;
            assert!(short_step(world) == Short::Moved, "{:?}", world.store.hot[0]);
            assert_ne!(world.store.hot[0].place, before);
        }
    }

    #[test]
    fn bodies_in_flight_take_the_short_step() {
        let thrown = |state: PhysicsState| {
            after(|entity| vec![entity.state(state), entity.velocity([1.0, 0.0, 15.0])])
        };
        for mut world in [thrown(PhysicsState::GRAVITY), thrown(PhysicsState::MISSILE)] {
            let before = world.store.hot[0].place;
            assert!(is_flying(&world.store.hot[0]), "{:?}", world.store.hot[0]);
            let now = SimTime::from_secs(1.04).unwrap();
            let context = Context { now, config: &Config::RETAIL, surroundings: &OpenField };
            let cull = Cull::new(Some(place(96.0)), Config::RETAIL.no_viewpoint);
            let slice = SliceTime { min: 0.0, max: 1.0 };
            let pass = Pass { cull, slice, by: StepBy::Elapsed };
            let walked = world.store.rows(0..1).walk(0, 1, &pass, context, |_| {});
            assert_eq!((walked.stepped, walked.unended), (1, 0));
            assert_ne!(world.store.hot[0].place, before);
        }
    }

    #[test]
    fn a_flight_that_ends_changes_nothing_in_a_short_step() {
        let mut world = after(|entity| vec![entity.velocity([1.0, 0.0, 15.0])]);
        let Store { hot, moving, .. } = &mut world.store;
        let now = SimTime::from_secs(1.04).unwrap();
        let context = Context { now, config: &Config::RETAIL, surroundings: &OpenField };
        let (mut flight, before) = (Flight::REST, hot[0]);
        let slice = Slice { secs: 0.0, clock: 1.04 };
        let short = fly(&mut hot[0], &mut moving[0], &mut flight, None, slice, context, &mut None);
        assert!(short == Short::GaveUp);
        assert_eq!(
            (hot[0].place, hot[0].updated, hot[0].flags),
            (before.place, before.updated, before.flags)
        );
    }
}
