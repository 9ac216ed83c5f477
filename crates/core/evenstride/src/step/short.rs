//! The short step, which most moving bodies take.
//!
//! | body | what moves it |
//! |---|---|
//! | chasing | a leg of its route |
//! | striding | one looping animation, or a constant drift |
//! | trailing | a leg of its route, while its animation plays |
//!
//! The short step works on the rows themselves. It computes everything first and changes nothing
//! until it knows that the step is an ordinary one. Otherwise it gives up, and the general step
//! (`mod.rs`) does all the work. Both share the rules, and lead to the same bits.
//!
//! A short step notes nothing. Everything worth a note is unusual, such as a waypoint that is reached
//! or a hook that fires.

use evenstride_types::{Pose, SimTime, TIME_LIMIT_SECS, nearly_equal, update::PhysicsState};

use crate::{
    body::{
        context::Context,
        cull::Cull,
        flags::Flags,
        locomotion::Locomotion,
        rows::{HotRow, MotionRow},
        store::{SliceTime, Store},
    },
    config::MIN_STEP_SECS,
    journal::Journal,
    motion::route::Route,
    step::{apply_offset, checked_normal, question, rounds::StepBy, stand, walk_leg},
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

/// What the bodies of a round have in common.
pub(super) struct Pass {
    pub cull: Cull,
    /// Time since a body's last step that makes one slice.
    pub slice: SliceTime,
    pub by: StepBy,
}

/// Returns whether a short step of a body may succeed.
#[inline(always)]
pub(super) fn is_ordinary(hot: &HotRow) -> bool {
    hot.flags & (STANDS | UNUSUAL) == STANDS && !hot.state.intersects(UNUSUAL_STATES)
}

impl<L: Locomotion> Store<L> {
    /// Returns the length of the slice that a body is due for, in seconds, and its clock afterwards.
    /// Updates its distance from the viewpoint.
    ///
    /// Returns `None` for a body that is linked or idle, does anything unusual, becomes inactive, or is
    /// due for no slice or for several.
    #[inline(always)]
    pub(super) fn short_slice(&mut self, slot: usize, pass: &Pass, now: SimTime) -> Option<(f32, f64)> {
        let hot = self.hot.get_mut(slot)?;
        if !is_ordinary(hot) || hot.flags.intersects(Flags::LINKED | Flags::OBSERVATION) || hot.is_at_rest() {
            return None;
        }
        let (distance, is_active) = pass.cull.look_at(hot);
        let passed = now.as_secs() - hot.updated;
        if !(is_active && passed > pass.slice.min && passed <= pass.slice.max) {
            return None;
        }
        hot.distance = distance;
        Some(match pass.by {
            StepBy::Tick => (MIN_STEP_SECS as f32, now.as_secs()),
            // As in `slices`.
            StepBy::Elapsed => (passed as f32, (hot.updated + passed).min(TIME_LIMIT_SECS)),
        })
    }

    /// Moves a body by `secs` seconds up to `clock` on its own clock, if that is an ordinary step.
    ///
    /// The body [is ordinary](is_ordinary). `answer` gets the answer of the surroundings if it is an
    /// unusual one.
    #[inline(always)]
    pub(super) fn short_step(
        &mut self,
        slot: usize,
        secs: f32,
        clock: f64,
        context: Context<'_, impl Surroundings + ?Sized>,
        answer: &mut Option<Answer>,
    ) -> Short {
        let (Some(hot), Some(moving), Some(route)) =
            (self.hot.get_mut(slot), self.moving.get_mut(slot), self.routes.get_mut(slot))
        else {
            return Short::GaveUp;
        };
        let pose = &hot.place.pose;
        let trial = match (hot.flags.contains(Flags::STRIDES), hot.flags.contains(Flags::ROUTED)) {
            (false, true) => {
                let Some(trial) = chase(hot, moving, route, secs) else { return Short::GaveUp };
                trial
            }
            (false, false) => *pose,
            (true, is_routed) => {
                let (link, mode) = (hot.animator, context.config.root_motion);
                let scale = moving.dimensions.scale;
                let Some(stride) = self.locomotion.stride(link, scale, secs, mode, &self.library) else {
                    return Short::GaveUp;
                };
                let trial = if is_routed {
                    chase(hot, moving, route, secs)
                } else {
                    Some(apply_offset(&mut moving.tether, pose, stride.way, true))
                };
                let Some(trial) = trial else { return Short::GaveUp };
                self.locomotion.set_stride(link, &stride);
                trial
            }
        };
        hot.updated = clock;
        if let Some(previous) = self.previous.get_mut(slot) {
            *previous = hot.place;
        }
        try_pose(hot, moving, trial, secs, context, answer)
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
    let sweep = question(hot, moving, trial, Footing::Grounded, GroundBelow::Unknown);
    match context.surroundings.sweep(&sweep) {
        Swept::Moved { at, contact, ran_into: None }
            if at.pose.is_in_bounds() && keeps_ground(hot, moving, contact) =>
        {
            moving.last_velocity = here.offset_to(&at) / secs;
            hot.flags.insert(Flags::WAS_MOVING);
            hot.place = at;
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
    use crate::{Config, MotionWorld, OpenField};

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
        world.store.short_step(0, 0.04, 1.04, context, &mut None)
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
    fn a_body_in_the_air_changes_nothing_in_a_short_step() {
        let mut world = after(|entity| vec![entity.velocity([1.0, 0.0, 5.0])]);
        let before = world.state_hash();
        assert!(short_step(&mut world) == Short::GaveUp);
        assert_eq!(world.state_hash(), before);
    }
}
