//! The route of a body, which holds received places that the body has not reached.
//!
//! A body heads for its oldest waypoint at twice its present top speed until it is there. Every
//! fifth step has an audit, which checks the headway since the last one. A body that makes too
//! little headway gives the waypoint up. After too many waypoints given up, it is placed at the
//! newest place instead.
//!
//! Positions come from `inbound/`. `step/` asks for a leg at the beginning of each step,
//! and for recovery at the end. A body is on a route only while it has waypoints to reach or to
//! recover from. Most bodies are not.

use evenstride_types::{CellId, EPSILON, Heading, Placement, Pose, Rotation, Vec3, compare_length, length};

use crate::{
    journal::{Happening, Journal, Stats},
    outcome::Enqueued,
    storage::{
        list::{List, Neighbours, linked},
        pool::{Pool, PoolIndex},
    },
};

/// Closing speed, in metres per second, of a body that is on a route but cannot run. It is a
/// fallback and not a ceiling.
///
/// Retail: `MAX_INTERPOLATED_VELOCITY`, read by `InterpolationManager::adjust_offset` (11.4186 @ 0x00555D30)
/// Disputed: the acclient notes have it as a ceiling.
pub const FALLBACK_CHASE_SPEED: f32 = 7.5;

/// Returns the closing speed on a route in metres per second.
///
/// It is twice the present top speed, or [`FALLBACK_CHASE_SPEED`] if that is below [`EPSILON`]. It
/// is computed again each time the interpreter has run.
///
/// Retail: `InterpolationManager::adjust_offset` (11.4186 @ 0x00555D30)
#[inline]
pub(crate) fn chase_speed(adjusted_max_speed: f64) -> f32 {
    let speed = 2.0 * adjusted_max_speed;
    if speed < f64::from(EPSILON) { FALLBACK_CHASE_SPEED } else { speed as f32 }
}

/// Arrival radius in metres. A nearer waypoint is reached without a step. A waypoint at exactly
/// this distance is reached together with the step towards it.
///
/// Retail: `InterpolationManager::adjust_offset` (11.4186 @ 0x00555D30)
pub const ARRIVAL_RADIUS: f32 = 0.05;

/// Distance in metres within which a body that stalls counts as arrived.
///
/// Retail: `InterpolationManager::adjust_offset` (11.4186 @ 0x00555D30)
/// Disputed: ACE leaves this out.
pub const STALL_ACCEPTANCE_RADIUS: f32 = 0.2;

/// Number of steps from one audit to the next.
///
/// Retail: `InterpolationManager::adjust_offset` (11.4186 @ 0x00555D30)
pub const AUDIT_STEPS: u8 = 5;

/// Smallest fraction of the possible headway that passes an audit, 0 to 1.
///
/// Retail: `InterpolationManager::adjust_offset` (11.4186 @ 0x00555D30)
pub const AUDIT_RATIO: f32 = 0.3;

/// Number of waypoints that a body may give up on one route. Giving up one more, or the last one on
/// the route, makes it snap.
///
/// Retail: `InterpolationManager::UseTime` (11.4186 @ 0x00555F20)
pub const MAX_STALLED_WAYPOINTS: u8 = 3;

/// Largest number of waypoints on a route. The oldest makes room for the newest.
///
/// Retail: `InterpolationManager::InterpolateTo` (11.4186 @ 0x00555B20)
pub const MAX_WAYPOINTS: u16 = 20;

/// Largest number of waypoints on a route whose last ones are too far away to walk to.
///
/// This is a safety bound. The client appends such waypoints without a limit, and never removes
/// them while placements fail.
pub const MAX_FAR_WAYPOINTS: u16 = 64;

/// The client's value for an unknown distance, in metres. It is so large that the first audit
/// always passes.
///
/// Retail: `BIG_DISTANCE`, written by `InterpolationManager::StopInterpolating` (11.4186 @ 0x00555950)
pub(crate) const NO_DISTANCE: f32 = 999_999.0;

/// Place of a row without waypoints.
const NO_PLACE: Placement = Placement::new(CellId::CORNER, Pose::IDENTITY);

/// The task of a waypoint once it is the oldest of its route.
///
/// The client only creates the first kind. It can handle the others, and so can this crate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WaypointKind {
    /// The body goes there.
    Reach,
    /// A mark that is removed at the end of the step.
    Jump,
    /// The body takes on a velocity at the end of the step.
    SetVelocity,
}

/// One entry of a route.
#[derive(Clone, Copy, Debug)]
pub struct Waypoint {
    /// The received place. Its heading may have been replaced by that of the body.
    pub place: Placement,
    /// The task of the waypoint.
    pub kind: WaypointKind,
    /// Index in [`Waypoints::velocities`] for [`WaypointKind::SetVelocity`], otherwise none.
    pub velocity: PoolIndex,
}

/// A waypoint in the pool, which is not the oldest of its route.
#[derive(Clone, Copy, Debug)]
pub struct LaterWaypoint {
    pub waypoint: Waypoint,
    /// Neighbours among the later waypoints of the route.
    pub neighbours: Neighbours,
}

linked!(LaterWaypoint);

/// One body's waypoints, and its progress towards the oldest.
///
/// Every body has this row, and most rows are [`Route::NONE`]. The oldest waypoint is in the row, because
/// each step heads for it. The others are in a pool, because a route rarely has any.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Route {
    /// Place of the oldest waypoint. Without waypoints it only fills the field.
    pub goal: Placement,
    /// Distance to the oldest waypoint at the last audit, in metres, or `NO_DISTANCE`.
    pub audit_distance: f32,
    /// Seconds since the last audit.
    pub audit_secs: f32,
    /// Number of steps since the last audit.
    pub audit_steps: u8,
    /// Number of waypoints given up since the route began. Headway does not reset it.
    ///
    /// A far place sets it to one more than [`MAX_STALLED_WAYPOINTS`], which makes the next
    /// recovery snap.
    pub given_up: u8,
    /// The task of the oldest waypoint, or `None` if there are no waypoints.
    pub goal_kind: Option<WaypointKind>,
    /// Index in [`Waypoints::velocities`] that belongs to the oldest waypoint.
    pub goal_velocity: PoolIndex,
    /// All other waypoints, oldest first.
    pub later: List,
    /// The last waypoint that was given up while no place came next. It is in the pool but on no list.
    ///
    /// A failed route without waypoints snaps to it.
    pub last_given_up: PoolIndex,
}

// One line of the cache.
const _: () = assert!(size_of::<Route>() == 64);

/// The waypoints of all routes, except the oldest of each.
#[derive(Clone, Debug)]
pub struct Waypoints {
    /// Waypoints behind the oldest, and waypoints given up last.
    pub later: Pool<LaterWaypoint>,
    /// Velocities of the rare waypoints that set one. They are kept apart, so that waypoints stay
    /// small.
    pub velocities: Pool<Vec3>,
}

/// The choice between a waypoint's orientation and the body's own heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadingMode {
    /// The body takes on the orientation in the first step towards the waypoint.
    Adopt,
    /// The body keeps its heading, because a move-to steers it.
    Keep,
}

/// The movement that a step towards a waypoint asks for.
pub struct Leg {
    /// From the body to its place after the step, in metres, world axes.
    pub displacement: Vec3,
    /// Length of the displacement in metres.
    pub length: f64,
    /// The orientation of the waypoint.
    pub rotation: Rotation,
}

impl Leg {
    /// Returns the leg of a step that reaches `reach` metres far, towards a goal `distance` metres
    /// away.
    #[inline(always)]
    fn towards(to_goal: Vec3, distance: f64, reach: f64, rotation: Rotation) -> Self {
        if distance > reach {
            let displacement = (to_goal.as_dvec3() * (reach / distance)).as_vec3();
            Self { displacement, length: reach, rotation }
        } else {
            Self { displacement: to_goal, length: distance, rotation }
        }
    }
}

/// The progress of a route since its last audit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Number of steps since the last audit.
    steps: u8,
    /// Seconds since the last audit.
    secs: f32,
    /// Distance to the oldest waypoint at the last audit, in metres.
    distance: f32,
}

/// The end of a waypoint.
#[derive(Clone, Copy, PartialEq)]
enum LegOutcome {
    /// The body is there, or near enough.
    Reached,
    /// The body made no headway.
    GivenUp,
}

/// The request of a route at the end of a step.
pub enum Recovery {
    /// Places the body at `to`. If that succeeds, the route is over and `velocity` is set. If it
    /// fails, the next step tries again.
    Snap {
        /// The place, or `None` if nothing is known, which fails.
        to: Option<Placement>,
        /// Velocity of a waypoint behind that place, in metres per second, world axes.
        velocity: Option<Vec3>,
    },
    /// Sets a velocity, in metres per second, world axes.
    TakeVelocity(Vec3),
    /// Leaves the body alone.
    Nothing,
}

impl Waypoints {
    /// Creates empty pools. Nothing is allocated.
    pub const fn new() -> Self {
        Self { later: Pool::new(), velocities: Pool::new() }
    }

    /// Returns the velocity that a waypoint sets, zero if it sets none.
    fn velocity_of(&self, waypoint: &Waypoint) -> Vec3 {
        self.velocities.get(waypoint.velocity).copied().unwrap_or(Vec3::ZERO)
    }

    /// Returns a waypoint in the pool, or `None` for `PoolIndex::NONE`.
    fn get(&self, link: PoolIndex) -> Option<&Waypoint> {
        self.later.get(link).map(|later| &later.waypoint)
    }
}

impl Route {
    /// The row of a body that is not on a route.
    pub const NONE: Self = Self {
        goal: NO_PLACE,
        audit_distance: NO_DISTANCE,
        audit_secs: 0.0,
        audit_steps: 0,
        given_up: 0,
        goal_kind: None,
        goal_velocity: PoolIndex::NONE,
        later: List::with_ends(PoolIndex::NONE, PoolIndex::NONE, 0),
        last_given_up: PoolIndex::NONE,
    };

    /// Returns whether the body is on a route. It has waypoints to reach, or has given up the last one
    /// and not recovered.
    #[inline]
    pub const fn is_on(&self) -> bool {
        self.goal_kind.is_some() || self.given_up > 0
    }

    /// Returns the number of waypoints.
    #[inline]
    pub const fn len(&self) -> u32 {
        self.goal_kind.is_some() as u32 + self.later.len()
    }

    /// Returns the first waypoint, which the body heads for.
    #[inline]
    pub fn oldest(&self) -> Option<Waypoint> {
        self.goal_kind.map(|kind| Waypoint { place: self.goal, kind, velocity: self.goal_velocity })
    }

    /// Returns the last waypoint. `None` if there is none.
    #[inline]
    pub fn newest(&self, waypoints: &Waypoints) -> Option<Waypoint> {
        if self.later.is_empty() { self.oldest() } else { waypoints.get(self.later.tail).copied() }
    }

    /// Ends the route. All waypoints and counters are dropped.
    ///
    /// Retail: `InterpolationManager::StopInterpolating` (11.4186 @ 0x00555950)
    pub fn stop(&mut self, waypoints: &mut Waypoints) {
        while self.drop_oldest(waypoints) {}
        self.forget_given_up(waypoints);
        *self = Self::NONE;
    }

    /// Appends a received place.
    ///
    /// Far and near are decided by the distance from the newest waypoint, or from the body if there
    /// is none. A far place (beyond `snap_distance`) is appended as it is, and the next recovery
    /// snaps the body. A near place replaces newest waypoints within [`ARRIVAL_RADIUS`] of it.
    ///
    /// `keep` is the heading mode of the new place. `kept` is the mode in force, which only a near
    /// place changes. [`Enqueued::AlreadyThere`] means that the route was stopped, and that turning
    /// the body is up to the caller.
    ///
    /// Retail: `InterpolationManager::InterpolateTo` (11.4186 @ 0x00555B20)
    #[expect(clippy::too_many_arguments, reason = "the client's function reads this much of its object")]
    #[inline]
    pub fn enqueue(
        &mut self,
        waypoints: &mut Waypoints,
        here: &Placement,
        place: Placement,
        keep: HeadingMode,
        kept: &mut HeadingMode,
        snap_distance: f32,
        stats: &mut Stats,
        journal: &mut impl Journal,
    ) -> Enqueued {
        let offset_from_newest = self.offset_from_newest(waypoints, &place);
        let from_here = here.offset_to(&place);
        if compare_length(offset_from_newest.unwrap_or(from_here), snap_distance).is_gt() {
            self.push(waypoints, with_heading_of(place, here, *kept), WaypointKind::Reach);
            // One more than a body may give up, so the next recovery snaps.
            self.given_up = MAX_STALLED_WAYPOINTS + 1;
            if self.len() > u32::from(MAX_FAR_WAYPOINTS) {
                let _ = self.drop_oldest(waypoints);
                stats.far_waypoints_dropped += 1;
            }
            return Enqueued::Far;
        }
        if compare_length(from_here, ARRIVAL_RADIUS).is_le() {
            self.stop(waypoints);
            return Enqueued::AlreadyThere;
        }
        let mut offset_from_newest = offset_from_newest;
        while offset_from_newest.is_some_and(|way| compare_length(way, ARRIVAL_RADIUS).is_lt()) {
            self.drop_newest(waypoints);
            journal.note(Happening::NewestReplaced);
            offset_from_newest = self.offset_from_newest(waypoints, &place);
        }
        while self.is_full() {
            let _ = self.drop_oldest(waypoints);
            journal.note(Happening::OldestDropped);
        }
        *kept = keep;
        self.push(waypoints, with_heading_of(place, here, keep), WaypointKind::Reach);
        Enqueued::Near
    }

    /// Returns the way from the newest waypoint to a place. `None` if there is none, or if it is not a
    /// place.
    #[inline]
    fn offset_from_newest(&self, waypoints: &Waypoints, place: &Placement) -> Option<Vec3> {
        let newest = self.newest(waypoints).filter(|waypoint| waypoint.kind == WaypointKind::Reach);
        newest.map(|waypoint| waypoint.place.offset_to(place))
    }

    /// Appends a waypoint of any kind, without any check.
    #[inline]
    pub fn push(&mut self, waypoints: &mut Waypoints, place: Placement, kind: WaypointKind) {
        self.append(waypoints, Waypoint { place, kind, velocity: PoolIndex::NONE });
    }

    /// Returns whether one more waypoint would be too many.
    #[inline]
    pub const fn is_full(&self) -> bool {
        self.len() >= MAX_WAYPOINTS as u32
    }

    /// Appends a waypoint, without any check.
    #[inline]
    pub fn append(&mut self, waypoints: &mut Waypoints, waypoint: Waypoint) {
        if self.goal_kind.is_none() {
            self.set_goal(Some(waypoint));
        } else {
            let later = LaterWaypoint { waypoint, neighbours: Neighbours::NONE };
            self.later.push_back(&mut waypoints.later, later);
        }
    }

    /// Returns the movement of one step towards the oldest waypoint. `None` means that the route
    /// does not move the body, so root motion does.
    ///
    /// The caller asks only for bodies in contact with something. `speed` is the closing speed in
    /// metres per second. `follows` tells whether the body also follows another, in which case
    /// every audit passes. A waypoint that is reached or given up is removed. The rest of the step
    /// is not used for the next one.
    ///
    /// Retail: `InterpolationManager::adjust_offset` (11.4186 @ 0x00555D30)
    #[inline(always)]
    pub fn chase(
        &mut self,
        waypoints: &mut Waypoints,
        here: &Placement,
        speed: f64,
        secs: f32,
        follows: bool,
        journal: &mut impl Journal,
    ) -> Option<Leg> {
        if self.goal_kind != Some(WaypointKind::Reach) {
            return None;
        }
        let to_goal = here.offset_to(&self.goal);
        let rotation = self.goal.pose.rotation();
        let distance = length(to_goal);
        if distance < f64::from(ARRIVAL_RADIUS) {
            self.finish_leg(waypoints, here, LegOutcome::Reached, journal);
            return None;
        }
        match self.audit(secs, distance, speed, follows) {
            Ok(progress) => self.set_progress(progress),
            Err(progress) => {
                self.set_progress(progress);
                if distance < f64::from(STALL_ACCEPTANCE_RADIUS) {
                    self.finish_leg(waypoints, here, LegOutcome::Reached, journal);
                } else {
                    self.given_up = self.given_up.saturating_add(1);
                    let (headway, given_up) = (progress.headway(distance, speed) as f32, self.given_up);
                    journal.note(Happening::GivenUp { headway, given_up });
                    self.finish_leg(waypoints, here, LegOutcome::GivenUp, journal);
                }
                return None;
            }
        }
        if distance <= f64::from(ARRIVAL_RADIUS) {
            self.finish_leg(waypoints, here, LegOutcome::Reached, journal);
        }
        Some(Leg::towards(to_goal, distance, speed * f64::from(secs), rotation))
    }

    /// Returns the leg of an ordinary step and the progress after it, without changing the route.
    ///
    /// Returns `None` if the step would reach or give up its waypoint, or if the route has something
    /// to recover from. [`Route::chase`] handles all of that.
    #[inline(always)]
    pub fn ordinary_leg(&self, here: &Placement, speed: f64, secs: f32) -> Option<(Leg, Progress)> {
        if self.wants_recovery() {
            return None;
        }
        let to_goal = here.offset_to(&self.goal);
        let distance = length(to_goal);
        if distance <= f64::from(ARRIVAL_RADIUS) {
            return None;
        }
        let progress = self.audit(secs, distance, speed, false).ok()?;
        Some((Leg::towards(to_goal, distance, speed * f64::from(secs), self.goal.pose.rotation()), progress))
    }

    /// Returns whether [`Route::recover`] would find anything to do, on a route. This is the cheap test
    /// of every step.
    #[inline(always)]
    pub fn wants_recovery(&self) -> bool {
        self.given_up > 0 || self.goal_kind != Some(WaypointKind::Reach)
    }

    /// Checks at the end of a step whether the route has failed, or whether its oldest waypoint is
    /// not a place.
    ///
    /// A route has failed after too many waypoints given up, or if its last one was given up. A
    /// failed route stays until the caller has placed the body.
    ///
    /// Retail: `InterpolationManager::UseTime` (11.4186 @ 0x00555F20)
    pub fn recover(
        &mut self,
        waypoints: &mut Waypoints,
        here: &Placement,
        journal: &mut impl Journal,
    ) -> Recovery {
        let oldest = self.oldest();
        if self.given_up > MAX_STALLED_WAYPOINTS || (self.given_up > 0 && oldest.is_none()) {
            return self.snap_target(waypoints, journal);
        }
        let Some(oldest) = oldest else { return Recovery::Nothing };
        match oldest.kind {
            WaypointKind::Reach => Recovery::Nothing,
            WaypointKind::Jump => {
                self.finish_leg(waypoints, here, LegOutcome::Reached, journal);
                Recovery::Nothing
            }
            WaypointKind::SetVelocity => {
                let velocity = waypoints.velocity_of(&oldest);
                journal.note(Happening::VelocityTaken);
                self.finish_leg(waypoints, here, LegOutcome::Reached, journal);
                Recovery::TakeVelocity(velocity)
            }
        }
    }

    /// Returns the place at which a failed route puts its body. That is the newest place, or the
    /// waypoint given up last if there is none.
    fn snap_target(&self, waypoints: &Waypoints, journal: &mut impl Journal) -> Recovery {
        let velocity = match self.newest(waypoints) {
            Some(Waypoint { kind: WaypointKind::Reach, place, .. }) => {
                journal.note(Happening::SnapToNewest);
                return Recovery::Snap { to: Some(place), velocity: None };
            }
            newest => newest.map(|newest| waypoints.velocity_of(&newest)),
        };
        let all =
            self.oldest().into_iter().chain(self.later.iter(&waypoints.later).map(|later| later.waypoint));
        match all.filter(|waypoint| waypoint.kind == WaypointKind::Reach).last() {
            Some(Waypoint { place, .. }) => {
                journal.note(Happening::SnapBeforeVelocity);
                Recovery::Snap { to: Some(place), velocity }
            }
            None => {
                journal.note(Happening::SnapToGivenUp);
                let given_up = waypoints.get(self.last_given_up).map(|waypoint| waypoint.place);
                Recovery::Snap { to: given_up, velocity: None }
            }
        }
    }

    /// Removes the oldest waypoint, and restarts the audit with the distance to the next.
    ///
    /// Reaching the last waypoint ends the route and clears its counters. Giving up the last one
    /// keeps it for the recovery.
    ///
    /// Retail: `InterpolationManager::NodeCompleted` (11.4186 @ 0x005559A0)
    #[inline(never)]
    fn finish_leg(
        &mut self,
        waypoints: &mut Waypoints,
        here: &Placement,
        outcome: LegOutcome,
        journal: &mut impl Journal,
    ) {
        let done = self.take_oldest(waypoints);
        if outcome == LegOutcome::Reached {
            journal.note(Happening::Reached { left: self.len() as u16 });
        }
        self.audit_steps = 0;
        self.audit_secs = 0.0;
        let is_remembered = match self.goal_kind {
            Some(WaypointKind::Reach) => {
                self.audit_distance = here.distance(&self.goal) as f32;
                false
            }
            Some(_) => outcome == LegOutcome::GivenUp,
            None => {
                self.audit_distance = NO_DISTANCE;
                outcome == LegOutcome::GivenUp
            }
        };
        match done {
            Some(waypoint) if is_remembered => {
                self.forget_given_up(waypoints);
                self.last_given_up =
                    waypoints.later.insert(LaterWaypoint { waypoint, neighbours: Neighbours::NONE });
            }
            Some(mut waypoint) => waypoints.velocities.remove(&mut waypoint.velocity),
            None => {}
        }
        if self.goal_kind.is_none() && outcome == LegOutcome::Reached {
            self.stop(waypoints);
        }
    }

    /// Removes the oldest waypoint. Returns `false` if there was none.
    fn drop_oldest(&mut self, waypoints: &mut Waypoints) -> bool {
        let Some(mut oldest) = self.take_oldest(waypoints) else { return false };
        waypoints.velocities.remove(&mut oldest.velocity);
        true
    }

    /// Takes the oldest waypoint off the route. Its velocity stays in the pool.
    #[inline]
    fn take_oldest(&mut self, waypoints: &mut Waypoints) -> Option<Waypoint> {
        let oldest = self.oldest();
        let next = self.later.pop_front(&mut waypoints.later).map(|later| later.waypoint);
        self.set_goal(next);
        oldest
    }

    /// Removes the newest waypoint.
    fn drop_newest(&mut self, waypoints: &mut Waypoints) {
        let Some(mut newest) = self.newest(waypoints) else { return };
        waypoints.velocities.remove(&mut newest.velocity);
        if !self.later.remove(&mut waypoints.later, self.later.tail) {
            self.set_goal(None);
        }
    }

    /// Frees the waypoint given up last, if one is kept.
    fn forget_given_up(&mut self, waypoints: &mut Waypoints) {
        if let Some(given_up) = waypoints.later.get_mut(self.last_given_up) {
            waypoints.velocities.remove(&mut given_up.waypoint.velocity);
            waypoints.later.remove(&mut self.last_given_up);
        }
    }

    #[inline]
    fn set_goal(&mut self, goal: Option<Waypoint>) {
        self.goal_kind = goal.map(|goal| goal.kind);
        self.goal_velocity = goal.map_or(PoolIndex::NONE, |goal| goal.velocity);
        self.goal = goal.map_or(NO_PLACE, |goal| goal.place);
    }

    /// Returns the progress after one more step, `distance` metres before the oldest waypoint. Every
    /// fifth step is an audit, which `follows` lets pass.
    ///
    /// # Errors
    /// The progress so far, if the audit finds too little headway.
    #[inline(always)]
    fn audit(&self, secs: f32, distance: f64, speed: f64, follows: bool) -> Result<Progress, Progress> {
        let progress = Progress {
            steps: self.audit_steps + 1,
            secs: self.audit_secs + secs,
            distance: self.audit_distance,
        };
        if progress.steps < AUDIT_STEPS {
            Ok(progress)
        } else if follows || progress.is_enough(distance, speed) {
            Ok(Progress { steps: 0, secs: 0.0, distance: distance as f32 })
        } else {
            Err(progress)
        }
    }

    #[inline(always)]
    pub const fn set_progress(&mut self, progress: Progress) {
        self.audit_steps = progress.steps;
        self.audit_secs = progress.secs;
        self.audit_distance = progress.distance;
    }
}

impl Progress {
    /// Returns whether the body has made enough headway since the last audit.
    #[inline]
    fn is_enough(&self, distance: f64, speed: f64) -> bool {
        let nearer = f64::from(self.distance) - distance;
        nearer >= f64::from(EPSILON) && self.headway(distance, speed) >= f64::from(AUDIT_RATIO)
    }

    /// Returns the headway since the last audit, as a fraction of the headway that is possible at
    /// `speed`.
    #[inline]
    fn headway(&self, distance: f64, speed: f64) -> f64 {
        (f64::from(self.distance) - distance) / f64::from(self.secs) / speed
    }
}

/// Converts a leg to an offset in the body's own axes, which follow and tether can change further.
///
/// With the heading kept, only pitch and roll of the waypoint remain in the offset.
pub(crate) fn leg_offset(leg: &Leg, here: &Pose, mode: HeadingMode) -> Pose {
    let turn = here.rotation().inverse() * leg.rotation;
    let turn = match mode {
        HeadingMode::Adopt => turn,
        HeadingMode::Keep => turn.with_heading(Heading::NORTH),
    };
    let local = here.rotation().basis().to_local(leg.displacement);
    // A leg is at most as long as the distance between two places, so it is always within bounds.
    Pose::new(local, turn).unwrap_or(Pose::IDENTITY.with_rotation(turn))
}

/// Returns a place, with the heading of the body if the mode is `Keep`.
#[inline]
fn with_heading_of(place: Placement, here: &Placement, mode: HeadingMode) -> Placement {
    match mode {
        HeadingMode::Adopt => place,
        HeadingMode::Keep => Placement::new(place.cell, place.pose.with_heading(here.pose.heading())),
    }
}

/// Returns the distance in metres beyond which a remote body is placed instead of walking.
///
/// It is 100 outdoors and 20 indoors.
///
/// Retail: `CPhysicsObj::GetAutonomyBlipDistance` (11.4186 @ 0x0050EB70)
#[doc(alias = "blip distance")]
pub const fn snap_distance(cell: evenstride_types::CellId) -> f32 {
    if cell.is_indoor() { 20.0 } else { 100.0 }
}

/// Returns the distance in metres beyond which the local player is placed instead of walking.
///
/// It is 100 outdoors and 25 indoors.
///
/// Retail: `CPhysicsObj::GetAutonomyBlipDistance` (11.4186 @ 0x0050EB70)
pub const fn player_snap_distance(cell: evenstride_types::CellId) -> f32 {
    if cell.is_indoor() { 25.0 } else { 100.0 }
}
