//! The route: places heard of and not yet reached, and how a body works through them.
//!
//! A body heads for its oldest waypoint, a little faster than it could run, until it is there. Every fifth step is audited: a
//! body that makes no headway gives the waypoint up, and after too much of that it is simply put at the newest place.

use evenstride_types::{EPSILON, Heading, Placement, Pose, Rotation, Vec3, compare_length, length};

use crate::{
    journal::{Happening, Journal, Stats},
    outcome::Enqueued,
    storage::{
        list::{List, Neighbours, linked},
        memory::MemoryPart,
        pool::{Pool, PoolIndex},
    },
};

/// Closing speed on a route, in metres per second, of a body that cannot run. A fallback, not a ceiling.
///
/// Retail: `MAX_INTERPOLATED_VELOCITY`, read by `InterpolationManager::adjust_offset` (11.4186 @ 0x00555D30)
/// Disputed: the acclient notes have it as a ceiling.
pub const FALLBACK_CHASE_SPEED: f32 = 7.5;

/// Returns the closing speed on a route: twice the present top speed, or else [`FALLBACK_CHASE_SPEED`].
///
/// Retail: `InterpolationManager::adjust_offset` (11.4186 @ 0x00555D30)
#[inline]
pub(crate) fn chase_speed(adjusted_max_speed: f64) -> f32 {
    let speed = 2.0 * adjusted_max_speed;
    if speed < f64::from(EPSILON) { FALLBACK_CHASE_SPEED } else { speed as f32 }
}

/// As near as this is there. Compared strictly before a step, not strictly after.
///
/// Retail: `InterpolationManager::adjust_offset` (11.4186 @ 0x00555D30)
pub const ARRIVAL_RADIUS: f32 = 0.05;

/// A body that stalls this near its waypoint counts as arrived.
///
/// Retail: `InterpolationManager::adjust_offset` (11.4186 @ 0x00555D30)
/// Disputed: ACE leaves this out.
pub const STALL_ACCEPTANCE_RADIUS: f32 = 0.2;

/// Steps between two audits.
///
/// Retail: `InterpolationManager::adjust_offset` (11.4186 @ 0x00555D30)
pub const AUDIT_STEPS: u8 = 5;

/// Least part of the possible headway that passes an audit.
///
/// Retail: `InterpolationManager::adjust_offset` (11.4186 @ 0x00555D30)
pub const AUDIT_RATIO: f32 = 0.3;

/// Waypoints given up before the body is snapped: more than this.
///
/// Retail: `InterpolationManager::UseTime` (11.4186 @ 0x00555F20)
pub const MAX_STALLED_WAYPOINTS: u8 = 3;

/// Most waypoints of a route. The oldest makes room for the newest.
///
/// Retail: `InterpolationManager::InterpolateTo` (11.4186 @ 0x00555B20)
pub const MAX_WAYPOINTS: u16 = 20;

/// Most waypoints of a route whose last ones lie too far off to be walked to.
///
/// A safety bound: the client appends those without looking at the length, and never gets rid of them while placements fail.
pub const MAX_FAR_WAYPOINTS: u16 = 64;

/// What the client writes for "no distance yet": so far that the first audit always passes.
///
/// Retail: `BIG_DISTANCE`, written by `InterpolationManager::StopInterpolating` (11.4186 @ 0x00555950)
pub const NO_DISTANCE: f32 = 999_999.0;

/// Something to be done when it becomes the oldest of a route.
///
/// The client only ever makes the first kind; the others are handled as it would.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WaypointKind {
    /// Go there.
    Reach,
    /// Nothing but a mark.
    Jump,
    /// Take on a velocity.
    SetVelocity,
}

#[derive(Clone, Copy, Debug)]
pub struct Waypoint {
    pub place: Placement,
    pub kind: WaypointKind,
    /// Of [`WaypointKind::SetVelocity`].
    pub velocity: PoolIndex,
    pub neighbours: Neighbours,
}

linked!(Waypoint);

/// One body's waypoints and how it fares with the oldest. A body without any has no route at all.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// Its waypoints, oldest first.
    pub list: List,
    /// Waypoints given up since the route began. Headway does not reset it.
    pub given_up: u8,
    /// Steps since the last audit.
    pub audit_steps: u8,
    /// Seconds since the last audit.
    pub audit_secs: f32,
    /// Distance to the oldest waypoint at the last audit.
    pub audit_distance: f32,
    /// The last waypoint given up that left no place behind it; still in the slab, no longer on the route.
    pub last_given_up: PoolIndex,
}

/// All routes, and their waypoints in one slab.
#[derive(Clone, Debug)]
pub struct Routes {
    pub routes: Pool<Route>,
    pub waypoints: Pool<Waypoint>,
    pub velocities: Pool<Vec3>,
}

/// Whether a waypoint's orientation is taken on or the body's own is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadingMode {
    Adopt,
    Keep,
}

/// What a step towards a waypoint asks for.
pub struct Leg {
    /// From the body to where it should be after the step, world axes.
    pub displacement: Vec3,
    /// Its length.
    pub length: f64,
    /// The orientation to take on.
    pub rotation: Rotation,
}

/// How a waypoint ended.
#[derive(Clone, Copy, PartialEq)]
enum LegOutcome {
    Reached,
    GivenUp,
}

/// What the end of a step asks for.
pub enum Recovery {
    /// Put the body here; if that works the route is over, and this velocity is to be set.
    Snap {
        to: Option<Placement>,
        velocity: Option<Vec3>,
    },
    /// Set this velocity.
    TakeVelocity(Vec3),
    Nothing,
}

impl Routes {
    pub const fn new() -> Self {
        Self { routes: Pool::new(), waypoints: Pool::new(), velocities: Pool::new() }
    }

    pub fn get(&self, link: PoolIndex) -> Option<&Route> {
        self.routes.get(link)
    }

    #[inline]
    pub fn newest(&self, link: PoolIndex) -> Option<&Waypoint> {
        self.waypoints.get(self.routes.get(link)?.list.tail)
    }

    #[inline]
    pub fn oldest(&self, link: PoolIndex) -> Option<&Waypoint> {
        self.waypoints.get(self.routes.get(link)?.list.head)
    }

    /// Forgets the route and everything about it.
    ///
    /// Retail: `InterpolationManager::StopInterpolating` (11.4186 @ 0x00555950)
    pub fn stop(&mut self, link: &mut PoolIndex) {
        while self.drop_oldest(*link) {}
        self.forget_given_up(*link);
        self.routes.remove(link);
    }

    /// Appends a place heard of.
    ///
    /// `keep` is the wish that came with it and `kept` the one in force, which a far place does not change. Answers
    /// [`Enqueued::AlreadyThere`] after stopping the route; turning the body is then up to the caller.
    ///
    /// Retail: `InterpolationManager::InterpolateTo` (11.4186 @ 0x00555B20)
    #[expect(clippy::too_many_arguments, reason = "the client's function reads this much of its object")]
    #[inline]
    pub fn enqueue(
        &mut self,
        link: &mut PoolIndex,
        here: &Placement,
        place: Placement,
        keep: HeadingMode,
        kept: &mut HeadingMode,
        snap_distance: f32,
        stats: &mut Stats,
        journal: &mut impl Journal,
    ) -> Enqueued {
        let newest = self.newest(*link).filter(|waypoint| waypoint.kind == WaypointKind::Reach);
        let from_newest = newest.map(|waypoint| waypoint.place.offset_to(&place));
        let from_here = here.offset_to(&place);
        if compare_length(from_newest.unwrap_or(from_here), snap_distance).is_gt() {
            self.push(link, with_heading_of(place, here, *kept), WaypointKind::Reach);
            if let Some(route) = self.routes.get_mut(*link) {
                // One more than the patience: the next recovery snaps.
                route.given_up = MAX_STALLED_WAYPOINTS + 1;
                if route.list.len > u32::from(MAX_FAR_WAYPOINTS) {
                    let _ = self.drop_oldest(*link);
                    stats.far_waypoints_dropped += 1;
                }
            }
            return Enqueued::Far;
        }
        if compare_length(from_here, ARRIVAL_RADIUS).is_le() {
            self.stop(link);
            return Enqueued::AlreadyThere;
        }
        let mut from_newest = from_newest;
        while from_newest.is_some_and(|way| compare_length(way, ARRIVAL_RADIUS).is_lt()) {
            self.drop_newest(*link);
            journal.note(Happening::NewestReplaced);
            let newest = self.newest(*link).filter(|waypoint| waypoint.kind == WaypointKind::Reach);
            from_newest = newest.map(|waypoint| waypoint.place.offset_to(&place));
        }
        while self.routes.get(*link).is_some_and(|route| route.list.len >= u32::from(MAX_WAYPOINTS)) {
            let _ = self.drop_oldest(*link);
            journal.note(Happening::OldestDropped);
        }
        *kept = keep;
        self.push(link, with_heading_of(place, here, keep), WaypointKind::Reach);
        Enqueued::Near
    }

    /// Appends a waypoint of any kind, unconditionally.
    pub fn push(&mut self, link: &mut PoolIndex, place: Placement, kind: WaypointKind) {
        self.append(link, place, kind, PoolIndex::NONE);
    }

    /// Appends a waypoint, with the velocity that it sets, if any.
    pub fn append(
        &mut self,
        link: &mut PoolIndex,
        place: Placement,
        kind: WaypointKind,
        velocity: PoolIndex,
    ) {
        if !link.is_some() {
            *link = self.routes.insert(Route {
                list: List::default(),
                given_up: 0,
                audit_steps: 0,
                audit_secs: 0.0,
                audit_distance: NO_DISTANCE,
                last_given_up: PoolIndex::NONE,
            });
        }
        if let Some(route) = self.routes.get_mut(*link) {
            let waypoint = Waypoint { place, kind, velocity, neighbours: Neighbours::NONE };
            route.list.push_back(&mut self.waypoints, waypoint);
        }
    }

    /// One step towards the oldest waypoint; `None` when the route has nothing to say and root motion stands.
    ///
    /// `follows` is whether the body also follows somebody, which passes every audit.
    ///
    /// Retail: `InterpolationManager::adjust_offset` (11.4186 @ 0x00555D30)
    #[inline(always)]
    pub fn chase(
        &mut self,
        link: &mut PoolIndex,
        here: &Placement,
        speed: f64,
        secs: f32,
        follows: bool,
        journal: &mut impl Journal,
    ) -> Option<Leg> {
        let goal = self.oldest(*link)?;
        if goal.kind != WaypointKind::Reach {
            return None;
        }
        let to_goal = here.offset_to(&goal.place);
        let rotation = goal.place.pose.rotation();
        let distance = length(to_goal);
        if distance < f64::from(ARRIVAL_RADIUS) {
            self.finish_leg(link, *here, LegOutcome::Reached, journal);
            return None;
        }
        let route = self.routes.get_mut(*link)?;
        route.audit_secs += secs;
        route.audit_steps += 1;
        if route.audit_steps >= AUDIT_STEPS {
            if follows || route.makes_headway(distance, speed) {
                route.audit_steps = 0;
                route.audit_secs = 0.0;
                route.audit_distance = distance as f32;
            } else if distance < f64::from(STALL_ACCEPTANCE_RADIUS) {
                self.finish_leg(link, *here, LegOutcome::Reached, journal);
                return None;
            } else {
                route.given_up = route.given_up.saturating_add(1);
                let (headway, given_up) = (route.headway(distance, speed) as f32, route.given_up);
                journal.note(Happening::GivenUp { headway, given_up });
                self.finish_leg(link, *here, LegOutcome::GivenUp, journal);
                return None;
            }
        }
        if distance <= f64::from(ARRIVAL_RADIUS) {
            self.finish_leg(link, *here, LegOutcome::Reached, journal);
        }
        let reach = speed * f64::from(secs);
        Some(if distance > reach {
            Leg { displacement: (to_goal.as_dvec3() * (reach / distance)).as_vec3(), length: reach, rotation }
        } else {
            Leg { displacement: to_goal, length: distance, rotation }
        })
    }

    /// Whether [`Routes::recover`] would find anything to do.
    #[inline(always)]
    pub fn wants_recovery(&self, link: PoolIndex) -> bool {
        let Some(route) = self.routes.get(link) else { return false };
        route.given_up > 0
            || self.waypoints.get(route.list.head).is_some_and(|head| head.kind != WaypointKind::Reach)
    }

    /// Checks, at the end of a step, whether the route has failed or has something other than a place at its head.
    ///
    /// Retail: `InterpolationManager::UseTime` (11.4186 @ 0x00555F20)
    pub fn recover(
        &mut self,
        link: &mut PoolIndex,
        here: &Placement,
        journal: &mut impl Journal,
    ) -> Recovery {
        let Some(route) = self.routes.get(*link) else { return Recovery::Nothing };
        if route.given_up > MAX_STALLED_WAYPOINTS || (route.given_up > 0 && route.list.is_empty()) {
            return self.snap_target(route, journal);
        }
        let Some(head) = self.waypoints.get(route.list.head) else { return Recovery::Nothing };
        match head.kind {
            WaypointKind::Reach => Recovery::Nothing,
            WaypointKind::Jump => {
                self.finish_leg(link, *here, LegOutcome::Reached, journal);
                Recovery::Nothing
            }
            WaypointKind::SetVelocity => {
                let velocity = self.velocity_of(head);
                journal.note(Happening::VelocityTaken);
                self.finish_leg(link, *here, LegOutcome::Reached, journal);
                Recovery::TakeVelocity(velocity)
            }
        }
    }

    /// Where a failed route puts its body: the newest place, or what was given up last.
    fn snap_target(&self, route: &Route, journal: &mut impl Journal) -> Recovery {
        let given_up = self.waypoints.get(route.last_given_up).map(|waypoint| waypoint.place);
        let Some(newest) = self.waypoints.get(route.list.tail) else {
            journal.note(Happening::SnapToGivenUp);
            return Recovery::Snap { to: given_up, velocity: None };
        };
        if newest.kind == WaypointKind::Reach {
            journal.note(Happening::SnapToNewest);
            return Recovery::Snap { to: Some(newest.place), velocity: None };
        }
        let mut before = self.waypoints.get(newest.neighbours.before);
        while let Some(waypoint) = before {
            if waypoint.kind == WaypointKind::Reach {
                journal.note(Happening::SnapBeforeVelocity);
                return Recovery::Snap { to: Some(waypoint.place), velocity: Some(self.velocity_of(newest)) };
            }
            before = self.waypoints.get(waypoint.neighbours.before);
        }
        journal.note(Happening::SnapToGivenUp);
        Recovery::Snap { to: given_up, velocity: None }
    }

    fn velocity_of(&self, waypoint: &Waypoint) -> Vec3 {
        self.velocities.get(waypoint.velocity).copied().unwrap_or(Vec3::ZERO)
    }

    /// Takes the oldest waypoint off and looks ahead to the next.
    ///
    /// Retail: `InterpolationManager::NodeCompleted` (11.4186 @ 0x005559A0)
    fn finish_leg(
        &mut self,
        link: &mut PoolIndex,
        here: Placement,
        outcome: LegOutcome,
        journal: &mut impl Journal,
    ) {
        let done = self.unhook_oldest(*link);
        if outcome == LegOutcome::Reached {
            let left = self.routes.get(*link).map_or(0, |route| route.list.len as u16);
            journal.note(Happening::Reached { left });
        }
        let next = self.oldest(*link).map(|waypoint| (waypoint.kind, waypoint.place));
        let Some(route) = self.routes.get_mut(*link) else { return };
        route.audit_steps = 0;
        route.audit_secs = 0.0;
        let is_remembered = match next {
            Some((WaypointKind::Reach, place)) => {
                route.audit_distance = here.distance(&place) as f32;
                false
            }
            Some(_) => outcome == LegOutcome::GivenUp,
            None => {
                route.audit_distance = NO_DISTANCE;
                outcome == LegOutcome::GivenUp
            }
        };
        if is_remembered {
            self.forget_given_up(*link);
            if let Some(route) = self.routes.get_mut(*link) {
                route.last_given_up = done;
            }
        } else {
            self.free(done);
        }
        if next.is_none() && outcome == LegOutcome::Reached {
            self.stop(link);
        }
    }

    /// Drops the oldest waypoint. Says whether there was one.
    fn drop_oldest(&mut self, link: PoolIndex) -> bool {
        let dropped = self.unhook_oldest(link);
        self.free(dropped);
        dropped.is_some()
    }

    /// Takes the oldest waypoint off the route but leaves it in the slab.
    fn unhook_oldest(&mut self, link: PoolIndex) -> PoolIndex {
        let Some(route) = self.routes.get_mut(link) else { return PoolIndex::NONE };
        let oldest = route.list.head;
        route.list.unlink(&mut self.waypoints, oldest);
        oldest
    }

    fn forget_given_up(&mut self, link: PoolIndex) {
        if let Some(route) = self.routes.get_mut(link) {
            let given_up = core::mem::replace(&mut route.last_given_up, PoolIndex::NONE);
            self.free(given_up);
        }
    }

    fn free(&mut self, mut waypoint: PoolIndex) {
        if let Some(stored) = self.waypoints.get_mut(waypoint) {
            self.velocities.remove(&mut stored.velocity);
            self.waypoints.remove(&mut waypoint);
        }
    }

    fn drop_newest(&mut self, link: PoolIndex) {
        let Some(route) = self.routes.get_mut(link) else { return };
        let newest = route.list.tail;
        route.list.unlink(&mut self.waypoints, newest);
        self.free(newest);
    }

    /// What routes and waypoints hold.
    pub fn memory(&self) -> [MemoryPart; 2] {
        [self.routes.memory("routes"), self.waypoints.memory("waypoints")]
    }
}

impl Route {
    /// Whether the body came nearer by enough since the last audit.
    #[inline]
    fn makes_headway(&self, distance: f64, speed: f64) -> bool {
        let nearer = f64::from(self.audit_distance) - distance;
        nearer >= f64::from(EPSILON) && self.headway(distance, speed) >= f64::from(AUDIT_RATIO)
    }

    /// How much nearer the body came since the last audit, as part of how much nearer it could have come.
    #[inline]
    fn headway(&self, distance: f64, speed: f64) -> f64 {
        (f64::from(self.audit_distance) - distance) / f64::from(self.audit_secs) / speed
    }
}

/// A leg as an offset in the body's own axes, for whoever needs to change it further.
///
/// With the heading kept, the offset turns nothing: only pitch and roll of the waypoint remain in it.
pub(crate) fn leg_offset(leg: &Leg, here: &Pose, mode: HeadingMode) -> Pose {
    let turn = here.rotation().inverse() * leg.rotation;
    let turn = match mode {
        HeadingMode::Adopt => turn,
        HeadingMode::Keep => turn.with_heading(Heading::NORTH),
    };
    let local = here.rotation().basis().to_local(leg.displacement);
    // A leg is at most as long as two places are apart, so always within bounds.
    Pose::new(local, turn).unwrap_or(Pose::IDENTITY.with_rotation(turn))
}

#[inline]
fn with_heading_of(place: Placement, here: &Placement, mode: HeadingMode) -> Placement {
    match mode {
        HeadingMode::Adopt => place,
        HeadingMode::Keep => Placement::new(place.cell, place.pose.with_heading(here.pose.heading())),
    }
}

/// How far a body may be from where it should be before it is put there instead of walking.
///
/// Retail: `CPhysicsObj::GetAutonomyBlipDistance` (11.4186 @ 0x0050EB70)
#[doc(alias = "blip distance")]
pub const fn snap_distance(cell: evenstride_types::CellId, is_local_player: bool) -> f32 {
    match (cell.is_indoor(), is_local_player) {
        (false, _) => 100.0,
        (true, true) => 25.0,
        (true, false) => 20.0,
    }
}
