//! Checks of a world that was read from bytes.
//!
//! Reading has checked the range of each single value. This file checks everything that needs more
//! than one value. Later steps rely on these properties without checking them again.
//!
//! - All columns have the same length, and no limit of the configuration is exceeded.
//! - Every number is finite or within its range.
//! - Each entity has one body, and each key refers to its row.
//! - Each pool entry is either free or owned by exactly one link.
//! - Each list is linked correctly in both directions, and its length is right.
//! - Flags agree with the links and lists that they mirror.
//!
//! Running time is linear in the size of the file. A list with a cycle is found when an entry is
//! claimed a second time.

use alloc::{vec, vec::Vec};

use evenstride_types::{SimTime, Vec3, length_squared};

use crate::{
    body::{
        flags::Flags,
        local_player::Controller,
        rows::{Dimensions, HotRow, MotionRow},
    },
    config::Gate,
    motion::{
        MotionLibrary,
        animator::{AnimationPools, Animator},
        goal::{MoveTo, Progress, Step},
        interpreter::Interpreter,
        movement_params::MovementParams,
        route::{AUDIT_STEPS, LaterWaypoint, MAX_FAR_WAYPOINTS, Route, WaypointKind, Waypoints},
        sequence::MAX_RATE,
    },
    outcome::SPEED_LIMIT,
    save::{RestoreError, within},
    storage::{
        keys::{BodyKeys, KeyEntry, NOWHERE},
        pool::{Pool, PoolIndex},
    },
    surroundings::GroundBelow,
    world::MotionWorld,
};

/// Result of a check. An error names the first contradiction.
type Checked = Result<(), RestoreError>;

impl MotionWorld {
    /// Checks everything, and rebuilds state that is not saved.
    ///
    /// The rebuilt state is the table of slots, the lists of observers, traced flags, speeds on
    /// routes, and the list of changed bodies. Later checks rely on the earlier ones, so the order
    /// matters.
    pub(crate) fn check_and_connect(&mut self) -> Checked {
        self.check_columns()?;
        self.check_numbers()?;
        self.connect_ids()?;
        self.check_keys()?;
        self.check_pools()?;
        self.check_holding()?;
        self.check_player()?;
        for slot in 0..self.store.len() {
            let is_traced = self.is_traced(self.store.hot[slot].id);
            self.store.hot[slot].flags.set(Flags::TRACED, is_traced);
            self.store.body_mut(slot).update_chase_speed();
            self.mark_changed(slot);
        }
        Ok(())
    }

    /// Checks lengths of columns, the number of bodies, and the order of traced entities.
    fn check_columns(&self) -> Checked {
        let store = &self.store;
        let bodies = store.len();
        let previous = if store.keeps_previous { bodies } else { 0 };
        let lengths = [
            store.moving.len(),
            store.routes.len(),
            store.motions.len(),
            store.messages.len(),
            store.cold.len(),
        ];
        fits(lengths == [bodies; 5] && store.previous.len() == previous, "columns differ in length")?;
        within("bodies", "bodies", bodies as u64, self.config.limits.bodies)?;
        fits(self.traced.is_sorted_by(|a, b| a < b), "the traced entities are not sorted")
    }

    /// Checks numbers of the clock, of each row, and of each pool entry, in use or free.
    ///
    /// With the fixed gate, the last tick may lie at most one second after the last time given. A
    /// pool entry that is free keeps its last value, so it passes the same checks.
    fn check_numbers(&self) -> Checked {
        let store = &self.store;
        fits(SimTime::from_secs(self.clock.base).is_ok(), "the time of the clock is invalid")?;
        let ticked = self.clock.base + self.clock.ticks as f64 / 30.0;
        let is_on_time = self.config.gate != Gate::Fixed || ticked <= self.clock.now.as_secs() + 1.0;
        fits(is_on_time, "the ticks of the clock are ahead of its time")?;
        for (slot, (body, row)) in store.hot.iter().zip(&store.moving).enumerate() {
            fits(are_possible(body, row), "a body with an invalid number")?;
            fits(store.motions[slot].check().is_ok(), "a motion with an invalid speed")?;
            // A rest may begin after the body's clock, because a player may lag behind, and outside the
            // range of times, because leaps of time move it along.
            fits(store.cold[slot].idle_since.is_finite(), "a body rests from an invalid time")?;
        }
        let (flights, _) = store.flights.parts();
        let are_finite = flights.iter().all(|flight| {
            flight.velocity.is_finite()
                && flight.omega.is_finite()
                && match flight.ground {
                    GroundBelow::Unknown => true,
                    GroundBelow::TookOff(z) | GroundBelow::Heard(z) => z.is_finite(),
                }
                && flight
                    .missed
                    .is_none_or(|missed| missed.secs.is_finite() && missed.silent_secs.is_finite())
        });
        fits(are_finite, "a flight with an invalid number")?;
        let (velocities, _) = store.waypoints.velocities.parts();
        fits(velocities.iter().all(|velocity| velocity.is_finite()), "a waypoint with an invalid number")?;
        let (follows, _) = store.follows.parts();
        let are_possible =
            follows.iter().all(|follow| follow.target_radius.is_finite() && follow.until.is_finite());
        fits(are_possible, "a follow with an invalid number")?;
        let (moves, _) = store.moves.parts();
        fits(moves.iter().all(is_possible_way), "a move-to with an invalid number")?;
        let (targets, _) = store.targets.pool.parts();
        // A notice rounds the look-ahead to `f32`.
        let are_possible =
            targets.iter().all(|target| (target.quantum as f32).is_finite() && target.since.is_finite());
        fits(are_possible, "a target with an invalid number")?;
        let (observations, _) = store.targets.observations.parts();
        fits(
            observations.iter().all(|observation| observation.checked.is_finite()),
            "an observation with an invalid time",
        )
    }

    /// Rebuilds the table of slots, and rejects two bodies of one entity.
    fn connect_ids(&mut self) -> Checked {
        self.slots.reserve(self.store.len());
        for (slot, body) in (0u32..).zip(&self.store.hot) {
            fits(self.slots.insert(body.id, slot).is_none(), "one entity has two bodies")?;
        }
        Ok(())
    }

    /// Checks that each body's key refers to its row, and that all other keys are free exactly
    /// once.
    fn check_keys(&self) -> Checked {
        let keys = &self.keys;
        let is_own = |entry: &KeyEntry| keys.is_own(entry.generation);
        fits(keys.entries.iter().all(is_own), "keys of another world")?;
        for (slot, cold) in (0u32..).zip(&self.store.cold) {
            let entry = KeyEntry { slot, generation: cold.key.generation };
            fits(
                keys.entries.get(cold.key.index as usize) == Some(&entry),
                "the key of a body refers to another body",
            )?;
        }
        let mut seen = vec![false; keys.entries.len()];
        for &index in &keys.free {
            let entry = keys.entries.get(index as usize);
            fits(entry.is_some_and(|entry| entry.slot == NOWHERE), "a free key that is in use")?;
            fits(!core::mem::replace(&mut seen[index as usize], true), "a key is in the free list twice")?;
        }
        let is_known = |(entry, is_free): (&KeyEntry, &bool)| {
            entry.slot != NOWHERE || *is_free || BodyKeys::is_used_up(entry)
        };
        fits(keys.entries.iter().zip(&seen).all(is_known), "a key is neither used nor free")?;
        let used = keys.entries.iter().filter(|entry| entry.slot != NOWHERE).count();
        fits(used == self.store.len(), "keys of missing bodies")
    }

    /// Checks that each pool entry has exactly one owner, and rebuilds the lists of observers.
    ///
    /// Each body claims the entries that its links name. Entries that are neither claimed nor free
    /// are an error, as they could never be freed.
    ///
    /// The lists of observers are rebuilt in the order of rows. Their order differs from that of
    /// the saved world, which has no effect.
    fn check_pools(&mut self) -> Checked {
        let waypoints = &self.store.waypoints;
        let mut waypoint_owners = Owners::of(&waypoints.later)?;
        let mut velocity_owners = Owners::of(&waypoints.velocities)?;
        let mut follow_owners = Owners::of(&self.store.follows)?;
        let mut goal_owners = Owners::of(&self.store.moves)?;
        let mut observation_owners = Owners::of(&self.store.targets.observations)?;
        let mut target_owners = Owners::of(&self.store.targets.pool)?;
        let mut flight_owners = Owners::of(&self.store.flights)?;
        let pools = &self.store.locomotion;
        let mut animator_owners = Owners::of(&pools.animators)?;
        let mut node_owners = Owners::of(&pools.nodes)?;
        let mut item_owners = Owners::of(&pools.items)?;
        fits(
            self.store.library_mark == self.store.library.fingerprint(),
            "the world was saved with another motion library; restore it with the same library",
        )?;
        let mut observers = Vec::new();
        for ((body, row), route) in self.store.hot.iter().zip(&self.store.cold).zip(&self.store.routes) {
            goal_owners.own(row.move_to)?;
            observation_owners.own(row.observation)?;
            let flags = body.flags;
            fits(
                flags.contains(Flags::MOVES_TO) == row.move_to.is_some(),
                "the move-to flag of a body does not match its move-to",
            )?;
            fits(
                flags.contains(Flags::FOLLOWS) == row.follow.is_some(),
                "the follow flag of a body does not match its follow",
            )?;
            fits(
                flags.contains(Flags::FLIES) == body.flight.is_some(),
                "the flight flag of a body does not match its flight",
            )?;
            fits(
                flags.contains(Flags::ROUTED) == route.is_on(),
                "the route flag of a body does not match its route",
            )?;
            fits(
                flags.contains(Flags::OBSERVATION) == row.observation.is_some(),
                "the observation flag of a body does not match its observation",
            )?;
            if let Some(observation) = self.store.targets.observations.get(row.observation) {
                target_owners.own(observation.target)?;
                if let Some(target) = self.store.targets.pool.get(observation.target) {
                    observers.push((observation.target, body.id, *target));
                }
            }
            follow_owners.own(row.follow)?;
            flight_owners.own(body.flight)?;
            animator_owners.own(body.animator)?;
            if let Some(animator) = pools.animators.get(body.animator) {
                check_animator(animator, pools, &self.store.library, &mut node_owners, &mut item_owners)?;
            }
            let strides = pools
                .animators
                .get(body.animator)
                .is_some_and(|animator| animator.is_restless(&pools.nodes, &self.store.library));
            fits(
                body.flags.contains(Flags::STRIDES) == strides,
                "the animation flag of a body does not match its animations",
            )?;
            check_route(route, waypoints, &mut waypoint_owners, &mut velocity_owners)?;
        }
        for owners in [
            waypoint_owners,
            velocity_owners,
            follow_owners,
            goal_owners,
            observation_owners,
            target_owners,
            flight_owners,
            animator_owners,
            node_owners,
            item_owners,
        ] {
            owners.check_all_owned()?;
        }
        for (link, observer, target) in observers {
            self.store.targets.list(link, observer);
            if target.listed.observation.is_some() {
                let watched = self.slot(target.entity).map(|slot| self.store.cold[slot].observation);
                fits(
                    watched == Some(target.listed.observation),
                    "a target refers to the observation of another body",
                )?;
                self.store.targets.register(link, target.listed.observation);
            }
        }
        Ok(())
    }

    /// Checks the lists of held bodies against flags and holders.
    ///
    /// - `HOLDS` and `HELD` agree with the links.
    /// - A held body is outside the world.
    /// - Each list is linked in both directions, and all its bodies name the same holder.
    /// - Every held body is on the list of its holder.
    ///
    /// Circles are found by counting, since all lists together have at most one entry per body.
    fn check_holding(&self) -> Checked {
        let mut listed = 0;
        for slot in 0..self.store.len() {
            let holder = self.store.cold[slot].key.index;
            let flags = self.store.hot[slot].flags;
            let hold = self.store.cold[slot].hold;
            fits(
                flags.contains(Flags::HOLDS) == hold.first.is_some(),
                "the holding flag of a body does not match the bodies it holds",
            )?;
            fits(
                flags.contains(Flags::HELD) == hold.holder.is_some(),
                "the held flag of a body does not match its holder",
            )?;
            fits(!flags.contains(Flags::HELD | Flags::HAS_CELL), "a held body is also in the world")?;
            let (mut before, mut next) = (PoolIndex::NONE, hold.first);
            while next.is_some() {
                let Some(held) = self.slot_of_index(next) else {
                    return fits(false, "a holder refers to a missing body");
                };
                let links = self.store.cold[held].hold;
                fits(
                    links.holder == PoolIndex::to(holder) && links.before == before,
                    "a held body names another holder, or its list is broken",
                )?;
                (before, next) = (next, links.next);
                listed += 1;
                fits(listed <= self.store.len(), "bodies hold each other in a circle")?;
            }
        }
        let held = self.store.hot.iter().filter(|body| body.flags.contains(Flags::HELD)).count();
        fits(held == listed, "a held body is not on the list of its holder")
    }

    /// Checks that the body of the local player is marked as such, and that no other body is.
    ///
    /// A player whose keys control it must be autonomous, and it must have an animator. The
    /// messages to be sent must be within their limit.
    fn check_player(&self) -> Checked {
        let local: Vec<_> = (self.store.hot.iter())
            .filter(|body| body.flags.contains(Flags::LOCAL))
            .map(|body| body.id)
            .collect();
        let entity = self.player.as_ref().map(|player| player.entity);
        let expected = entity.filter(|entity| self.slots.contains_key(entity));
        fits(
            local.as_slice() == expected.as_slice(),
            "the local player and the bodies marked as local differ",
        )?;
        if let Some((player, slot)) = self.player.as_ref().zip(self.player_slot()) {
            let body = &self.store.hot[slot];
            let has_keys = player.controller == Controller::Keys;
            fits(
                body.flags.contains(Flags::AUTONOMOUS) == has_keys,
                "the autonomous flag of the local player does not match its controller",
            )?;
            fits(body.animator.is_some(), "the local player has no animator")?;
        }
        let reported = self.player.as_ref().and_then(|player| player.reported);
        fits(
            reported.is_none_or(|reported| is_unit(reported.normal)),
            "the reported surface normal does not have unit length",
        )?;
        within("messages to send", "actions", self.outbox.len() as u64, self.config.limits.actions)
    }
}

/// Returns whether the numbers of a body are within their ranges.
///
/// The distance may be infinite or `f32::MAX`, which means unknown.
fn are_possible(body: &HotRow, row: &MotionRow) -> bool {
    let Dimensions { scale, radius, height, friction, elasticity } = row.dimensions;
    let sizes = [scale, radius, height, row.tether.travelled, row.tether.start, row.tether.max];
    SimTime::from_secs(body.updated).is_ok()
        && body.distance >= 0.0
        && row.last_velocity.is_finite()
        && is_unit(row.normal)
        && sizes.into_iter().all(|size| size.is_finite() && size >= 0.0)
        && (0.0..=1.0).contains(&friction)
        && (0.0..=0.1).contains(&elasticity)
}

/// Returns whether the numbers of a move-to are within their ranges.
///
/// Distances may be infinite but not NaN. A move-to that waits for its target must have no steps
/// yet.
fn is_possible_way(way: &MoveTo) -> bool {
    let MovementParams { near, far, heading, speed, fail_distance, run_threshold, .. } = way.params;
    let size = way.goal.size();
    let Progress { distance, at, first_distance, first_at } = way.progress.unwrap_or(Progress::unknown(0.0));
    let headings = way.steps.iter().filter_map(Step::heading);
    // Steps are planned when the first notice of the target arrives.
    let waits = !way.is_begun && way.goal.entity().is_some();
    speed.abs() <= SPEED_LIMIT
        && (!waits || way.steps.first().is_none())
        && [near, far, fail_distance, run_threshold, distance, first_distance]
            .iter()
            .all(|number| !number.is_nan())
        && [heading, speed, way.turned, size.radius, size.height]
            .into_iter()
            .chain(headings)
            .all(f32::is_finite)
        && at.is_finite()
        && first_at.is_finite()
}

/// Returns whether a normal has unit length, up to rounding.
fn is_unit(normal: Vec3) -> bool {
    (length_squared(normal) - 1.0).abs() < 1e-3
}

/// Checks the waypoints of one route and claims them.
///
/// A route has at most `MAX_FAR_WAYPOINTS` of them. A velocity belongs to exactly those waypoints
/// that set one. The waypoint that was given up last is off the list but belongs to the route as
/// well.
fn check_route(
    route: &Route,
    waypoints: &Waypoints,
    owners: &mut Owners,
    velocities: &mut Owners,
) -> Checked {
    let numbers = [route.audit_secs, route.audit_distance];
    let are_possible = numbers.into_iter().all(f32::is_finite) && route.audit_steps < AUDIT_STEPS;
    fits(are_possible, "a route with an invalid number")?;
    let mut own_velocity = |velocity: PoolIndex, kind: Option<WaypointKind>| {
        velocities.own(velocity)?;
        fits(
            velocity.is_some() == (kind == Some(WaypointKind::SetVelocity)),
            "the velocity of a waypoint does not match its kind",
        )
    };
    own_velocity(route.goal_velocity, route.goal_kind)?;
    let (mut before, mut next, mut count) = (PoolIndex::NONE, route.later.head, 0u32);
    let mut own = |link: PoolIndex| -> Result<Option<LaterWaypoint>, RestoreError> {
        owners.own(link)?;
        let Some(later) = waypoints.later.get(link) else { return Ok(None) };
        own_velocity(later.waypoint.velocity, Some(later.waypoint.kind))?;
        Ok(Some(*later))
    };
    while let Some(later) = own(next)? {
        fits(later.neighbours.before == before, "the waypoints of a route are not linked in order")?;
        (before, next) = (next, later.neighbours.after);
        count += 1;
        fits(count < u32::from(MAX_FAR_WAYPOINTS), "a route with too many waypoints")?;
    }
    fits(route.later.tail == before && route.later.len == count, "the end or length of a route is wrong")?;
    fits(count == 0 || route.goal_kind.is_some(), "a route with later waypoints lacks its oldest")?;
    own(route.last_given_up).map(|_| ())
}

/// Checks the animations and pending motions of one animator and claims them.
///
/// Each animation must exist in the library, with the range of keyframes that is played. The
/// sequence and six queues of motions share two pools, so every entry is claimed for this animator.
/// A table that is named must exist too.
fn check_animator(
    animator: &Animator,
    pools: &AnimationPools,
    library: &MotionLibrary,
    node_owners: &mut Owners,
    item_owners: &mut Owners,
) -> Checked {
    let sequence = &animator.playing.sequence;
    let (mut before, mut next, mut count) = (PoolIndex::NONE, sequence.list.head, 0);
    let (mut has_first, mut has_current) = (!sequence.first_cyclic.is_some(), !sequence.current.is_some());
    while let Some(node) = pools.nodes.get(next) {
        node_owners.own(next)?;
        let frames = library.animation(node.animation).map_or(0, |animation| animation.frames() as i32);
        let is_possible = node.rate.abs() <= MAX_RATE
            && (0..frames).contains(&node.low)
            && (0..frames).contains(&node.high);
        fits(is_possible && node.neighbours.before == before, "an animation that cannot be played")?;
        has_first |= next == sequence.first_cyclic;
        has_current |= next == sequence.current;
        (before, next) = (next, node.neighbours.after);
        count += 1;
    }
    fits(
        !next.is_some() && before == sequence.list.tail && count == sequence.len(),
        "the end or length of a sequence of animations is wrong",
    )?;
    fits(has_first && has_current, "a sequence refers to a missing animation")?;
    fits(animator.borrowed.is_sane(), "the speed of a built-in animation is impossible")?;
    let are_finite =
        sequence.velocity.is_finite() && sequence.omega.is_finite() && sequence.frame.abs() < 1e6;
    fits(are_finite, "root motion with an invalid number")?;
    let Interpreter { raw, actions, pending, jump_extent, .. } = &animator.interpreter;
    let axes = [raw.forward, raw.sidestep, raw.turn].map(|axis| axis.speed);
    let are_limited = axes.iter().all(|speed| speed.abs() <= SPEED_LIMIT);
    fits(are_limited, "a raw motion with an invalid speed")?;
    let speeds = [animator.playing.posture.speed, *jump_extent];
    fits(speeds.iter().all(|speed| speed.is_finite()), "animations with an invalid speed")?;
    fits(
        animator.table == 0 || library.table(animator.table).is_some(),
        "an animator without its motion table",
    )?;
    let posture = &animator.playing.posture;
    for list in
        [&posture.modifiers, &posture.actions, &animator.playing.pending, pending, &raw.actions, actions]
    {
        let (mut last, mut next, mut count) = (PoolIndex::NONE, list.head, 0);
        while let Some(item) = pools.items.get(next) {
            item_owners.own(next)?;
            fits(item.speed.is_finite(), "a motion with an invalid speed")?;
            fits(item.neighbours.before == last, "queued motions are not linked in order")?;
            (last, next) = (next, item.neighbours.after);
            count += 1;
        }
        fits(
            !next.is_some() && last == list.tail && count == list.len,
            "the end or length of a queue of motions is wrong",
        )?;
    }
    Ok(())
}

/// Ownership of the entries of one pool. Free entries belong to the free list.
struct Owners {
    /// Whether each entry has an owner.
    taken: Vec<bool>,
    /// Number of entries without an owner.
    left: usize,
}

impl Owners {
    /// Starts with the free list as owner of the free entries. Fails if it names an entry twice.
    fn of<T: Copy>(pool: &Pool<T>) -> Result<Self, RestoreError> {
        let (items, free) = pool.parts();
        let mut owners = Self { taken: vec![false; items.len()], left: items.len() };
        for &index in free {
            owners.own(PoolIndex::to(index))?;
        }
        Ok(owners)
    }

    /// Claims an entry. Fails if it does not exist or has an owner. `NONE` claims nothing.
    fn own(&mut self, link: PoolIndex) -> Checked {
        if !link.is_some() {
            return Ok(());
        }
        match self.taken.get_mut(link.index()) {
            Some(taken) if !*taken => {
                *taken = true;
                self.left -= 1;
                Ok(())
            }
            _ => fits(false, "a link to a missing entry, or to an entry with another owner"),
        }
    }

    /// Checks that no entry is left without an owner.
    fn check_all_owned(&self) -> Checked {
        fits(self.left == 0, "an entry without an owner")
    }
}

/// Returns an error that describes a contradiction, unless `holds`.
const fn fits(holds: bool, what: &'static str) -> Checked {
    if holds { Ok(()) } else { Err(RestoreError::Inconsistent { what }) }
}
