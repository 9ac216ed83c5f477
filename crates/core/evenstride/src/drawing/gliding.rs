//! Frames of gliding bodies: the facts that ghosts need, gathered from the world.
//!
//! `glide/` moves ghosts and poses and knows no body. This file runs it once per frame, for the
//! bodies that move or are heard of.

use core::{hint::black_box, ops::Range};

use evenstride_types::{
    COORDINATE_LIMIT, Placement, Pose, SimTime, Vec3, Vec3A,
    update::{PhysicsState, PositionPack},
};

use crate::{
    body::{
        body_mut::run_rate,
        flags::Flags,
        locomotion::Locomotion,
        rows::{Dimensions, HotRow, MotionRow},
        store::Store,
    },
    config::GlideParts,
    glide::{Arriving, Beat, Carried, DrawnMotion, Glide, LONG_FRAME_SECS, Said, Source},
    motion::{
        MotionLibrary,
        animator::{AnimationPools, Animator},
        goal::Step,
        interpreter::max_speed,
        sequence::Node,
    },
    outcome::{Disposition, Enqueued, IgnoreReason, PlaceReason},
    storage::pool::{Pool, PoolIndex},
    surroundings::{Footing, GroundBelow, Surroundings, Sweep, Swept},
    world::MotionWorld,
};

/// Distance in metres from the pose within which a teleport is an ordinary correction. Servers send
/// one with the first blow of a creature.
const TELEPORT_METRES: f32 = 3.0;

/// Highest turn rate of a ghost in degrees per second.
const MAX_TURN: f32 = 3_600.0;

/// Highest speed of an animation in metres per second. Beyond it, an absurd scale has no meaning for a
/// ghost, as it has none for the body.
const MAX_ROOT: f32 = COORDINATE_LIMIT;

/// Distance in metres from its goal within which an entity may stop without a word.
const MAY_STOP_METRES: f32 = 2.5;

/// Distance in metres from the body at which a resting pose is drawn where the body is.
const SAME_METRES: f32 = 0.001;

/// Number of bodies whose poses are moved together.
const BLOCK: usize = 64;

/// Flags that decide whether a body walks by itself, and their values then.
const WALKING_MASK: Flags =
    WALKING.union(Flags::SUSPENDED).union(Flags::LOCAL).union(Flags::MOVES_TO).union(Flags::LED);
const WALKING: Flags =
    Flags::ACTIVE.union(Flags::HAS_CELL).union(Flags::CONTACT).union(Flags::WALKABLE).union(Flags::STRIDES);

impl MotionWorld {
    /// Moves the poses of all bodies to `now`. Runs once per call of `advance`.
    pub(crate) fn glide(&mut self, now: SimTime, surroundings: &(impl Surroundings + ?Sized)) {
        let glides = &mut self.store.glides;
        let time = now.as_secs();
        let secs = glides.last.map_or(0.0, |last| time - last);
        if secs <= 0.0 && glides.last.is_some() {
            if secs < 0.0 {
                self.restart_poses(time);
            }
            return;
        }
        glides.last = Some(time);
        let beat = Beat::new(time, secs.min(10.0) as f32, glides.is_link_silent(time), glides.parts);
        let is_open = surroundings.is_open();
        let may_be_straight = is_open && beat.secs <= LONG_FRAME_SECS;
        for first in (0..self.store.len()).step_by(BLOCK) {
            let end = self.store.len().min(first + BLOCK);
            if self.store.glides.awake[first..end] == [false; BLOCK][..end - first] {
                continue;
            }
            self.touch_glides(first..end);
            let mut slot = first;
            while slot < end {
                if may_be_straight {
                    slot = self.glide_straight(slot..end, &beat);
                }
                if slot < end && self.store.glides.awake[slot] {
                    self.glide_body(slot, &beat, is_open, surroundings);
                }
                slot += 1;
            }
        }
    }

    /// Touches ghosts, poses and animations of some bodies, so that the waits for memory overlap.
    #[inline(never)]
    fn touch_glides(&self, slots: Range<usize>) {
        let Store { hot, glides, locomotion, .. } = &self.store;
        let (mut animators, mut count) = ([PoolIndex::NONE; BLOCK], 0);
        for slot in slots {
            if glides.awake[slot] {
                animators[count] = hot[slot].animator;
                count += 1;
                black_box(glides.pool.get(glides.links[slot]).map(Glide::touch));
            }
        }
        locomotion.touch(&animators[..count]);
    }

    /// Notes that a position arrived about an entity that this world is not told of.
    ///
    /// Gliding poses distinguish an entity that is silent from a link that is. A host that passes on
    /// only some positions calls this for the others.
    pub fn note_arrival(&mut self, now: SimTime) {
        if self.store.glides.is_on {
            self.store.glides.hear(now.as_secs());
        }
    }

    /// Draws all bodies where they are, because time went back and all times are in the future.
    #[cold]
    fn restart_poses(&mut self, time: f64) {
        for slot in 0..self.store.len() {
            self.store.glides.release(slot);
            self.store.glides.awake[slot] = true;
            self.mark_drawn(slot);
        }
        self.store.glides.last = Some(time);
        self.store.glides.heard_at = self.store.glides.heard_at.min(time);
    }

    /// Moves the poses of bodies that walk straight on. Returns the first slot whose body does not, or the
    /// end of the range. That body is unchanged.
    fn glide_straight(&mut self, slots: Range<usize>, beat: &Beat) -> usize {
        let from = slots.start;
        let Store {
            hot,
            moving,
            glides,
            changed,
            locomotion: AnimationPools { animators, nodes, .. },
            library,
            ..
        } = &mut self.store;
        let rows = hot[slots.clone()].iter().zip(&moving[slots.clone()]);
        let columns = (glides.awake[slots.clone()].iter().zip(&glides.straight[slots.clone()]))
            .zip(&glides.links[slots.clone()]);
        for (run, ((body, moving), ((awake, straight), link))) in rows.zip(columns).enumerate() {
            if !*straight {
                if *awake {
                    return from + run;
                }
                continue;
            }
            // A body that moves stays on the list of changed ones.
            let is_walking = body.flags & WALKING_MASK == WALKING
                && changed.contains(from + run)
                && !body.state.contains(PhysicsState::HIDDEN);
            let (Some(glide), Some(animator)) = (glides.pool.get_mut(*link), animators.get(body.animator))
            else {
                return from + run;
            };
            let turns = animator.playing.sequence.omega.z != 0.0
                || !glide.body_rotation.is_same(body.place.pose.rotation());
            if !is_walking || turns || glide.block != body.place.cell.landblock() {
                return from + run;
            }
            let root = root_velocity(body, moving, animator, nodes, library, beat.now);
            if !glide.straight_frame(body.place.pose.origin().into(), root, beat) {
                return from + run;
            }
        }
        slots.end
    }

    /// Moves the pose of one body.
    fn glide_body(
        &mut self,
        slot: usize,
        beat: &Beat,
        is_open: bool,
        surroundings: &(impl Surroundings + ?Sized),
    ) {
        let flags = self.store.hot[slot].flags;
        let is_stepped = flags.intersects(Flags::RESTLESS);
        let is_left_alone = !is_stepped && self.store.glides.get(slot).is_none();
        if is_left_alone || carried(&self.store.hot[slot]) == Carried::New {
            // It stands or is not stepped, and is drawn where it is.
            if self.store.glides.get(slot).is_some() {
                self.mark_drawn(slot);
            }
            self.store.glides.release(slot);
            self.store.glides.awake[slot] = false;
            return;
        }
        // Marked before it moves, because surroundings may panic.
        self.mark_drawn(slot);
        let left = if flags.contains(Flags::MOVES_TO) { self.ghost_way_left(slot) } else { None };
        let heading = self.body_heading(slot);
        let mut source = self.source(slot, heading, beat.now, !is_open);
        source.may_stop = left.map_or(source.root == Vec3A::ZERO, |left| left < MAY_STOP_METRES);
        let Some(glide) = self.store.glides.get_or_new(slot) else { return };
        // A ghost that has arrived stays there, until positions tell otherwise or the goal is gone.
        glide.has_arrived = left.is_some_and(|left| glide.has_arrived || left <= 0.0);
        glide.frame(&source, beat);
        if !is_open {
            self.keep_on_this_side(slot, surroundings);
        }
        if is_stepped {
            let goes_straight = self.store.glides.get(slot).is_some_and(Glide::goes_straight);
            self.store.glides.straight[slot] = goes_straight;
            return;
        }
        let Some(glide) = self.store.glides.get_mut(slot) else { return };
        if glide.is_at_rest() {
            glide.rest();
            let off = glide.pose - source.place;
            let is_same =
                off.dot(off) < SAME_METRES * SAME_METRES && glide.rotation.is_nearly(source.rotation);
            // The next position of a body that only positions move is compared with this one.
            let is_done = is_same && !glide.stream.is_sparse;
            self.store.glides.awake[slot] = false;
            if is_done {
                self.store.glides.release(slot);
            }
        }
    }

    /// Returns the heading of a body in degrees. It is computed only when the body has turned.
    fn body_heading(&mut self, slot: usize) -> f32 {
        let rotation = self.store.hot[slot].place.pose.rotation();
        let Some(glide) = self.store.glides.get_or_new(slot) else { return 0.0 };
        if !glide.body_rotation.is_same(rotation) {
            (glide.body_rotation, glide.body_heading) = (rotation, rotation.heading().degrees());
        }
        glide.body_heading
    }

    /// Gathers what a ghost needs to know of its body.
    fn source(&self, slot: usize, heading: f32, now: f64, knows_ground: bool) -> Source {
        let body = &self.store.hot[slot];
        let moving = &self.store.moving[slot];
        let pose = &body.place.pose;
        let since = secs_since(self.store.updated(slot), now);
        let carried = carried(body);
        let is_airborne = !body.flags.contains(Flags::CONTACT);
        let mut source = Source {
            block: body.place.cell.landblock(),
            place: pose.origin().into(),
            rotation: pose.rotation(),
            heading,
            velocity: moving.last_velocity.into(),
            since,
            carried,
            is_airborne,
            root: Vec3A::ZERO,
            slide: Vec3A::ZERO,
            turn: 0.0,
            top_speed: 0.0,
            is_sent: body.flags.contains(Flags::MOVES_TO),
            may_stop: false,
            coast_secs: None,
            may_lag: false,
            floor: None,
            knows_ground,
        };
        if is_airborne && let Some(flight) = self.store.flights.get(body.flight) {
            source.floor = match flight.ground {
                GroundBelow::TookOff(z) | GroundBelow::Heard(z) => Some(z),
                GroundBelow::Unknown => None,
            };
        }
        if carried != Carried::ByLegs {
            let animator = self.store.locomotion.animators.get(body.animator);
            if let Some(animator) = animator.filter(|_| body.flags.contains(Flags::LOCAL | Flags::STRIDES)) {
                source.turn = turn_of(animator.playing.sequence.omega);
            }
            return source;
        }
        let motion = &self.store.motions[slot];
        source.coast_secs = self.store.glides.coast_secs.filter(|_| !body.flags.contains(Flags::STRIDES));
        source.may_lag =
            source.coast_secs.is_some() || (self.store.glides.coast_secs.is_some() && !knows_ground);
        source.top_speed = max_speed(run_rate(body.flags, &self.store.skills, motion)) as f32;
        if let Some(flight) = self.store.flights.get(body.flight) {
            // The ground bears the rest of it.
            source.slide = flight.velocity.with_z(0.0).into();
        }
        // A hidden body plays nothing.
        if body.flags.contains(Flags::STRIDES | Flags::WALKABLE) && !body.state.contains(PhysicsState::HIDDEN)
        {
            let AnimationPools { animators, nodes, .. } = &self.store.locomotion;
            if let Some(animator) = animators.get(body.animator) {
                let sequence = &animator.playing.sequence;
                let root = root_velocity(body, moving, animator, nodes, &self.store.library, now);
                // The step of a body drops such an offset too.
                source.root = if root.dot(root) < MAX_ROOT * MAX_ROOT { root } else { Vec3A::ZERO };
                source.turn = turn_of(sequence.omega);
            }
        }
        source
    }

    /// Returns how many metres the ghost of a body is from the end of its way, measured to the ghost
    /// of its target. `None` if it goes nowhere at present.
    fn ghost_way_left(&self, slot: usize) -> Option<f32> {
        let way = self.store.moves.get(self.store.cold[slot].move_to)?;
        if !matches!(way.steps.first(), Some(Step::Go)) {
            return None;
        }
        let (here, body) = (self.ghost_place(slot)?, &self.store.hot[slot]);
        let mut way = *way;
        if let Some(target) = way.goal.entity().and_then(|target| self.slot(target))
            && way.heard.is_some()
            && let Some(there) = self.ghost_place(target)
        {
            way.heard = Some(there);
        }
        let Dimensions { radius, height, .. } = self.store.moving[slot].dimensions;
        let own = evenstride_types::Cylinder { radius, height };
        let here = Placement::new(body.place.cell, here.pose);
        let distance = way.distance(&here, own);
        Some(if way.is_away { way.params.far - distance } else { distance - way.params.near })
    }

    /// Returns the place of a body's ghost, or of the body if it has none.
    fn ghost_place(&self, slot: usize) -> Option<Placement> {
        let body = &self.store.hot[slot];
        if !body.flags.contains(Flags::HAS_CELL) {
            return None;
        }
        let Some(glide) = self.store.glides.get(slot).filter(|glide| glide.carried != Carried::New) else {
            return Some(body.place);
        };
        Some(placed(body, glide.ghost, glide))
    }

    /// Returns the place at which a gliding body is drawn. `None` if it is drawn where it is.
    #[inline]
    pub(crate) fn glided(&self, slot: usize) -> Option<Placement> {
        let glide = self.store.glides.get(slot)?;
        let body = &self.store.hot[slot];
        let is_local = body.flags.contains(Flags::LOCAL);
        if glide.carried == Carried::New || (is_local && self.config.player_drawing.glide_parts().is_none()) {
            return None;
        }
        let place = placed(body, glide.pose, glide);
        Some(Placement::new(place.cell, place.pose.with_rotation(glide.rotation)))
    }

    /// Returns the animation to show for a body.
    pub(crate) fn drawn_motion(&self, slot: usize) -> DrawnMotion {
        let flags = self.store.hot[slot].flags;
        // The local player is moved by its own animation.
        if flags.contains(Flags::LOCAL) {
            return DrawnMotion::PLAIN;
        }
        let is_airborne = !flags.contains(Flags::CONTACT);
        self.store.glides.get(slot).map_or(DrawnMotion::PLAIN, |glide| glide.shown(is_airborne))
    }

    /// Keeps ghost and pose on the body's side of every wall, and on the ground.
    fn keep_on_this_side(&mut self, slot: usize, surroundings: &(impl Surroundings + ?Sized)) {
        let body = self.store.hot[slot];
        let moving = self.store.moving[slot];
        let Some(glide) = self.store.glides.get_mut(slot) else { return };
        let is_grounded = body.flags.contains(Flags::CONTACT);
        let sweep_to = |to: Vec3A| {
            let to = Vec3::from(to);
            let here = body.place.pose.origin();
            let way = to - here;
            if way.dot(way) < SAME_METRES * SAME_METRES {
                return Some(Vec3A::from(to));
            }
            let to = body.place.pose.with_origin(to).ok()?;
            let sweep = Sweep {
                entity: body.id,
                from: body.place,
                to: Placement::new(body.place.cell, to),
                footing: if is_grounded { Footing::Grounded } else { Footing::Airborne },
                ground: GroundBelow::Unknown,
                state: body.state,
                radius: moving.dimensions.radius,
                height: moving.dimensions.height,
                scale: moving.dimensions.scale,
                last_normal: body.flags.contains(Flags::HAS_NORMAL).then_some(moving.normal),
                is_local_player: body.flags.contains(Flags::LOCAL),
            };
            match surroundings.sweep(&sweep) {
                Swept::Moved { at, .. } if at.pose.is_in_bounds() => {
                    Some(Vec3A::from(body.place.origin_of(&at)))
                }
                _ => None,
            }
        };
        let here = Vec3A::from(body.place.pose.origin());
        let ghost = sweep_to(glide.ghost).unwrap_or(here);
        let blocked = (ghost - glide.ghost).with_z(0.0);
        if blocked.dot(blocked) > SAME_METRES * SAME_METRES {
            (glide.velocity, glide.bias) = (Vec3A::ZERO, Vec3A::ZERO);
        }
        glide.ghost = ghost;
        let pose = sweep_to(glide.pose).unwrap_or(here);
        let blocked = (pose - glide.pose).with_z(0.0);
        if blocked.dot(blocked) > SAME_METRES * SAME_METRES {
            glide.rest();
        }
        glide.pose = pose;
    }

    /// Notes the first position of a body if positions alone tell its velocity, so that the second one
    /// tells it.
    pub(crate) fn glide_appeared(&mut self, now: SimTime, slot: usize) {
        let place = self.store.hot[slot].place;
        if self.store.glides.coast_secs.is_none() {
            return;
        }
        let Some(glide) = self.store.glides.get_or_new(slot) else { return };
        let origin = Vec3A::from(place.pose.origin());
        *glide = Glide { block: place.cell.landblock(), body_place: origin, ..Glide::NEW };
        glide.hear(&Said {
            place: origin,
            heading: place.pose.heading().degrees(),
            now: now.as_secs(),
            since: 0.0,
            turns: true,
            top_speed: 0.0,
            arriving: Arriving::PLAIN,
        });
        glide.stream.is_sparse = true;
        // It stands there until more is known, and is drawn where it is.
        self.store.glides.awake[slot] = false;
    }

    /// Corrects the ghost of a body by a received position.
    pub(crate) fn glide_heard(
        &mut self,
        now: SimTime,
        slot: usize,
        pack: &PositionPack,
        disposition: &Disposition,
    ) {
        let is_accepted = match disposition {
            Disposition::Ignored(reason) => *reason == IgnoreReason::Airborne,
            Disposition::Refused(_) => false,
            _ => true,
        };
        let Ok(place) = pack.placement().check() else { return };
        if !is_accepted {
            return;
        }
        let time = now.as_secs();
        let body = &self.store.hot[slot];
        let (block, corner) = (body.place.cell.landblock(), body.place);
        let is_local = body.flags.contains(Flags::LOCAL);
        let is_sent = body.flags.contains(Flags::MOVES_TO);
        let (parts, arriving) = (self.store.glides.parts, self.store.glides.arriving);
        let is_new = matches!(
            disposition,
            Disposition::Placed {
                reason: PlaceReason::EntersWorld
                    | PlaceReason::DistanceUnknown
                    | PlaceReason::FarFromViewpoint,
                ..
            }
        );
        // A position too far to walk to places the body later, and a correction at once.
        let teleports = matches!(
            disposition,
            Disposition::Placed { reason: PlaceReason::Teleport | PlaceReason::Corrected, .. }
                | Disposition::Queued(Enqueued::Far)
        );
        self.store.glides.hear(time);
        self.store.glides.wake(slot);
        let since = self.store.glides.last.map_or(0.0, |last| (time - last) as f32).clamp(0.0, 0.5);
        let motion = &self.store.motions[slot];
        let top_speed = max_speed(run_rate(self.store.hot[slot].flags, &self.store.skills, motion)) as f32;
        let Some(glide) = self.store.glides.get_or_new(slot) else { return };
        glide.rebase(block);
        let said = Vec3A::from(corner.origin_of(&place));
        let leap = said - glide.pose;
        if is_new || arriving.snaps || (teleports && leap.dot(leap) > TELEPORT_METRES * TELEPORT_METRES) {
            let fresh = Glide { block, ..Glide::NEW };
            let goes_on = arriving.goes_on && !is_new;
            *glide = if goes_on { Glide { stream: glide.stream, bias: glide.bias, ..fresh } } else { fresh };
        }
        // The local player knows best where it is. Its corrections reach the pose through the body.
        if !is_local {
            let heading = place.pose.heading().degrees();
            let turns = !is_sent || parts.contains(GlideParts::HEADING);
            glide.hear(&Said { place: said, heading, now: time, since, turns, top_speed, arriving });
        }
    }
}

/// Returns the velocity of a body's animation at this moment in metres per second, own axes.
#[inline(always)]
fn root_velocity(
    body: &HotRow,
    moving: &MotionRow,
    animator: &Animator,
    nodes: &Pool<Node>,
    library: &MotionLibrary,
    now: f64,
) -> Vec3A {
    let since = secs_since(body.updated, now);
    let root = animator.playing.sequence.velocity_at(nodes, library, f64::from(since));
    Vec3A::from(root) * (moving.dimensions.scale * animator.borrowed.factor)
}

/// Returns the seconds since the last step of a body.
#[inline]
fn secs_since(updated: f64, now: f64) -> f32 {
    ((now - updated) as f32).clamp(0.0, 0.2)
}

/// Returns the turn rate of a spin in degrees per second, clockwise.
fn turn_of(omega: Vec3) -> f32 {
    // The sum has no negative zero, which a straight frame would not see.
    (-omega.z.to_degrees()).clamp(-MAX_TURN, MAX_TURN) + 0.0
}

/// Returns what moves the ghost of a body.
fn carried(body: &HotRow) -> Carried {
    let flags = body.flags;
    if !flags.contains(Flags::ACTIVE | Flags::HAS_CELL) || flags.contains(Flags::SUSPENDED) {
        Carried::New
    } else if !flags.contains(Flags::CONTACT) || flags.intersects(Flags::LOCAL | Flags::FOLLOWS) {
        Carried::ByBody
    } else {
        Carried::ByLegs
    }
}

/// Returns a place with coordinates of a glide, in the body's cell.
fn placed(body: &HotRow, at: Vec3A, glide: &Glide) -> Placement {
    let (block, at) = (body.place.cell.landblock(), Vec3::from(at));
    let at = if block == glide.block { at } else { at + block.offset_to(glide.block) };
    let pose: Pose = body.place.pose.with_origin(at).unwrap_or(body.place.pose);
    Placement::new(body.place.cell, pose)
}
