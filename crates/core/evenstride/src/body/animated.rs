//! Bodies that are moved by animations.
//!
//! This file connects the rows of a body with the interpreter and the player of animations, which
//! are in `motion/` and know no body. [`BodyMut::with_driver`] is the only way to run the
//! interpreter, for messages, keys, goals and steps alike.
//!
//! An animator is created when a body first does anything but stand. Until then the same
//! interpreter runs on a temporary one, and nothing is played.

use core::hint::black_box;

use evenstride_types::{
    EPSILON, EntityClass, EntityId, Placement, Pose, Vec3, length,
    update::{MotionCommand, PhysicsState},
};

use crate::{
    body::{
        body_mut::BodyMut,
        flags::Flags,
        locomotion::{AnimationProgress, Locomotion, RootMotion, Stride},
        rows::HotRow,
    },
    config::{RootMotionMode, Takeoff},
    journal::{Happening, Journal},
    motion::{
        BUILT_IN_CREATURE, BUILT_IN_HUMANOID, MotionLibrary,
        animator::{AnimationPools, Animator},
        interpreter::{Answer, BodyFacts, Effects, GameFacts, MotionDriver, PartSupport},
        movement_params::{MovementParams, Pace},
        sequence::Passed,
    },
    storage::pool::PoolIndex,
};

impl Locomotion for AnimationPools {
    /// Gives the body an animator with its motion table, or with a built-in table, in the default
    /// state.
    ///
    /// A body that only drifts has an animator without a table, which is replaced.
    fn prepare(body: &mut BodyMut<'_>, journal: &mut impl Journal) {
        let link = body.hot.animator;
        // The animator of a body that only drifts has never entered the default state.
        if body.locomotion.animators.get(link).is_some_and(|animator| animator.interpreter.is_ready) {
            return;
        }
        body.locomotion.remove(&mut body.hot.animator);
        let table = table_for(body.hot.id, body.cold.resources.motion_table, body.library);
        body.hot.animator = body.locomotion.animators.insert(Animator { table, ..Animator::default() });
        body.hot.flags.remove(Flags::INERT | Flags::DOZES);
        let since = body.cold.idle_since;
        // The body has been standing since it appeared. Nothing is pending, and its cycle has
        // continued.
        body.with_driver(journal, |driver| {
            driver.enter_default();
            driver.check_done();
        });
        body.cold.idle_since = since;
    }

    /// Frees the animator together with its queued animations and pending motions.
    fn remove(&mut self, animator: &mut PoolIndex) {
        if let Some(removed) = self.animators.get_mut(*animator) {
            let mut removed = *removed;
            removed.release(&mut self.nodes, &mut self.items);
        }
        self.animators.remove(animator);
    }

    fn begin(
        body: &mut BodyMut<'_>,
        motion: MotionCommand,
        pace: &mut Pace,
        journal: &mut impl Journal,
    ) -> (MotionCommand, Answer) {
        canonically(body, motion, pace, journal, |driver, motion, params| driver.begin(motion, params))
    }

    fn end(
        body: &mut BodyMut<'_>,
        motion: MotionCommand,
        pace: &mut Pace,
        journal: &mut impl Journal,
    ) -> (MotionCommand, Answer) {
        canonically(body, motion, pace, journal, |driver, motion, params| driver.end(motion, params))
    }

    /// Ends every motion and completes those that take no time.
    fn stop(body: &mut BodyMut<'_>, journal: &mut impl Journal) {
        body.with_driver(journal, |driver| {
            driver.stop_completely();
            // A motion that takes no time is done at once and not a step later.
            driver.check_done();
        });
    }

    fn is_pending(body: &BodyMut<'_>) -> bool {
        let animator = body.locomotion.animators.get(body.hot.animator);
        animator.is_some_and(|animator| !animator.interpreter.pending.is_empty())
    }

    fn hear_position(&mut self, body: &HotRow, place: &Placement, is_way: bool, library: &MotionLibrary) {
        let Self { animators, nodes, .. } = self;
        let animator = animators.get_mut(body.animator);
        let Some(animator) = animator.filter(|animator| animator.table == BUILT_IN_CREATURE) else { return };
        let velocity = animator.playing.sequence.velocity_now(nodes, library);
        let is_walking = body.flags & (Flags::WALKABLE | Flags::FOLLOWS) == Flags::WALKABLE;
        animator.borrowed.hear(place, is_way && is_walking && velocity != Vec3::ZERO);
    }

    #[inline(always)]
    fn stride(
        &self,
        animator: PoolIndex,
        scale: f32,
        secs: f32,
        mode: RootMotionMode,
        library: &MotionLibrary,
    ) -> Option<Stride> {
        let Animator { playing, table, borrowed, .. } = self.animators.get(animator)?;
        if !playing.pending.is_empty() {
            return None;
        }
        let (frame, way) = playing.sequence.stride(&self.nodes, library, secs, mode)?;
        if *table != BUILT_IN_CREATURE {
            return Some(Stride {
                way: scaled(&way, scale),
                progress: AnimationProgress { frame, played: None },
            });
        }
        if borrowed.has_news() {
            return None;
        }
        let played = borrowed.is_measuring().then(|| way_on_map(&way) * scale);
        let way = scaled(&way, scale * borrowed.factor);
        Some(Stride { way, progress: AnimationProgress { frame, played } })
    }

    #[inline(always)]
    fn touch(&self, animators: &[PoolIndex]) {
        let mut nodes = [PoolIndex::NONE; 64];
        for (node, animator) in nodes.iter_mut().zip(animators) {
            let Some(Animator { playing, table, .. }) = self.animators.get(*animator) else { continue };
            *node = playing.sequence.current;
            black_box(*table);
        }
        for node in nodes.iter().take(animators.len()) {
            black_box(self.nodes.get(*node).map(|node| node.rate));
        }
    }

    #[inline(always)]
    fn set_progress(&mut self, animator: PoolIndex, AnimationProgress { frame, played }: AnimationProgress) {
        let Some(animator) = self.animators.get_mut(animator) else { return };
        animator.playing.sequence.frame = frame;
        if let Some(way) = played {
            animator.borrowed.play(way);
        }
    }

    /// Plays the sequence for a step, and notes the hooks of the keyframes that were passed.
    ///
    /// In continuous mode, the partial keyframes before and after the step are taken into account.
    /// The translation is multiplied by the scale, or by 0 unless the body stands on walkable
    /// ground. The rotation is not scaled.
    ///
    /// Retail: `CPhysicsObj::UpdatePositionInternal` (11.4186 @ 0x00512C30)
    #[inline(never)]
    fn root_motion(
        body: &mut BodyMut<'_>,
        secs: f32,
        mode: RootMotionMode,
        journal: &mut impl Journal,
    ) -> RootMotion {
        let Self { animators, nodes, .. } = &mut *body.locomotion;
        let Some(animator) = animators.get_mut(body.hot.animator) else { return RootMotion::NONE };
        let (mut way, mut ended) = (Pose::IDENTITY, 0);
        let (library, sequence) = (body.library, &mut animator.playing.sequence);
        let before = match mode {
            RootMotionMode::PerKeyframe => None,
            RootMotionMode::Continuous => Some(sequence.under_way(nodes, library, sequence.frame)),
        };
        sequence.play(nodes, library, secs, &mut way, &mut |passed| match passed {
            Passed::Animation => ended += 1,
            Passed::Keyframe { animation, frame, is_forward } => {
                let Some(of) = library.animation(animation) else { return };
                for hook in of.firing_at(frame, is_forward) {
                    journal.note(Happening::Hook { kind: hook.kind, value: hook.value });
                }
            }
        });
        if let Some(before) = before {
            let after = sequence.under_way(nodes, library, sequence.frame);
            way = way.combine(&after).relative_to(&before);
        }
        let mut scale =
            if body.hot.flags.contains(Flags::WALKABLE) { body.moving.dimensions.scale } else { 0.0 };
        if animator.table == BUILT_IN_CREATURE {
            animator.borrowed.play(way_on_map(&way) * scale);
            scale *= animator.borrowed.factor;
        }
        RootMotion { way: scaled(&way, scale), ended }
    }

    /// Reports each ended animation to the interpreter, one call for each.
    ///
    /// Retail: `CPhysicsObj::process_hooks`, called by `CPhysicsObj::UpdatePositionInternal` (11.4186 @ 0x00512C30)
    #[inline(never)]
    fn end_animations(body: &mut BodyMut<'_>, ended: u32, journal: &mut impl Journal) {
        body.with_driver(journal, |driver| (0..ended).for_each(|_| driver.animation_ended(true)));
    }

    /// Completes pending motions at the head of the queue that wait for no animation.
    ///
    /// Retail: `MotionTableManager::CheckForCompletedMotions` (11.4186 @ 0x0051BE00)
    #[inline]
    fn finish_step(body: &mut BodyMut<'_>, journal: &mut impl Journal) {
        let Self { animators, items, .. } = &*body.locomotion;
        let Some(animator) = animators.get(body.hot.animator) else { return };
        if animator.playing.pending.front(items).is_some_and(|head| head.number == 0) {
            body.with_driver(journal, |driver| driver.check_done());
        }
    }

    /// Runs the interpreter's rule for lost ground and returns the velocity it decides.
    fn leave_ground(body: &mut BodyMut<'_>, takeoff: Takeoff, journal: &mut impl Journal) -> Option<Vec3> {
        body.with_driver(journal, |driver| {
            driver.leave_ground(takeoff);
            driver.effects.velocity
        })
    }

    fn hit_ground(body: &mut BodyMut<'_>, journal: &mut impl Journal) {
        body.with_driver(journal, |driver| driver.hit_ground());
    }
}

impl BodyMut<'_> {
    /// Calls `run` with the body's motion interpreter.
    ///
    /// 1. An idle animation is played up to the body's own time.
    /// 2. The animator is copied out of its pool, so that the interpreter can use the pools freely.
    /// 3. `run` works on the driver.
    /// 4. The animator is stored again, and `STRIDES` tells whether it has to be played.
    /// 5. The speed on a route is computed from the new motion.
    /// 6. A completed action ends a follow.
    ///
    /// For a body without an animator, a temporary one is used and released afterwards. The caller
    /// must end a move-to beforehand, because `run` does not.
    #[inline(never)]
    pub fn with_driver<T, J: Journal>(
        &mut self,
        journal: &mut J,
        run: impl FnOnce(&mut MotionDriver<'_, J>) -> T,
    ) -> T {
        self.play_idle();
        let link = self.hot.animator;
        let stored = self.locomotion.animators.get(link);
        let is_animated = stored.is_some();
        let mut animator = stored.copied().unwrap_or_default();
        let parts = match animator.table {
            _ if !is_animated => PartSupport::None,
            0 => PartSupport::Unmoved,
            _ => PartSupport::Moved,
        };
        let facts = self.facts(parts, animator.interpreter.jump_extent);
        animator.interpreter.is_ready |= !is_animated;
        let AnimationPools { nodes, items, .. } = &mut *self.locomotion;
        let mut driver = MotionDriver {
            motion: &mut *self.motion,
            interpreter: &mut animator.interpreter,
            playing: &mut animator.playing,
            facts,
            effects: Effects::default(),
            library: self.library,
            table: self.library.table(animator.table),
            nodes,
            items,
            journal,
        };
        let answer = run(&mut driver);
        let Effects { unsticks, .. } = driver.effects;
        if is_animated {
            let is_restless = animator.is_restless(&self.locomotion.nodes, self.library);
            if !is_restless {
                animator.borrowed.pause();
            }
            if let Some(stored) = self.locomotion.animators.get_mut(link) {
                *stored = animator;
            }
            self.hot.flags.set(Flags::STRIDES, is_restless);
        } else {
            // Nothing is played, so nothing stays pending.
            let AnimationPools { nodes, items, .. } = &mut *self.locomotion;
            animator.release(nodes, items);
        }
        self.update_chase_speed();
        if unsticks > 0 {
            self.end_follow(journal);
        }
        answer
    }

    /// Plays the animation of a resting body up to the body's own time.
    ///
    /// Resting cycles are not played each step. Everything that depends on the keyframe calls this
    /// first.
    pub fn play_idle(&mut self) {
        let AnimationPools { animators, nodes, .. } = &mut *self.locomotion;
        // A body without an animator keeps `idle_since`. An animator that it gets later continues
        // from there.
        if let Some(animator) = animators.get_mut(self.hot.animator) {
            animator.playing.sequence.idle(nodes, self.cold.idle_secs(self.hot, self.hot.updated));
            self.cold.idle_since = self.hot.updated;
        }
    }

    /// Returns the facts about the body that the interpreter needs.
    ///
    /// `jump_extent` is the charge of a jump, from 0 to 1. Skills and jumps are known for the local
    /// player only. Other bodies get permissive values.
    fn facts(&self, parts: PartSupport, jump_extent: f32) -> BodyFacts {
        let flags = self.hot.flags;
        let is_player = flags.contains(Flags::LOCAL);
        BodyFacts {
            parts,
            contact: flags.contains(Flags::CONTACT),
            walkable: flags.contains(Flags::WALKABLE),
            has_gravity: self.hot.state.contains(PhysicsState::GRAVITY),
            has_cell: flags.contains(Flags::HAS_CELL),
            game: Some(GameFacts {
                is_creature: is_player || !flags.contains(Flags::ITEM),
                is_player,
                run_rate: is_player.then(|| self.skills.run_rate()),
                can_jump: !is_player || self.skills.can_jump(),
                jump_rise: (is_player && jump_extent >= EPSILON).then(|| self.skills.jump_speed(jump_extent)),
                // The host checks stamina, and does not call `jump` without it.
                has_stamina: true,
            }),
            last_was_autonomous: flags.contains(Flags::AUTONOMOUS),
            is_constrained: self.moving.tether.is_taut(),
            rotation: self.hot.place.pose.rotation(),
            velocity: self.flight().velocity,
        }
    }

    /// Drops link animations when the body enters the world, is hidden or is shown.
    ///
    /// Retail: `CPhysicsObj::enter_world` (11.4186 @ 0x00516170)
    /// Retail: `CPhysicsObj::set_hidden` (11.4186 @ 0x00514C60)
    pub(crate) fn skip_links(&mut self, journal: &mut impl Journal) {
        self.with_driver(journal, |driver| driver.skip_links());
    }

    /// Sets root motion without a motion table.
    ///
    /// The velocity is in metres per second and the spin in radians per second, own axes. The
    /// generic API moves bodies in this way. Zero for both removes the animator, even one with a
    /// motion table.
    pub fn set_drift(&mut self, velocity: Vec3, omega: Vec3) {
        if velocity == Vec3::ZERO && omega == Vec3::ZERO {
            self.locomotion.remove(&mut self.hot.animator);
            self.hot.flags.remove(Flags::STRIDES);
            return;
        }
        if !self.hot.animator.is_some() {
            self.hot.animator = self.locomotion.animators.insert(Animator::default());
        }
        if let Some(animator) = self.locomotion.animators.get_mut(self.hot.animator) {
            animator.playing.sequence.velocity = velocity;
            animator.playing.sequence.omega = omega;
        }
        self.hot.flags.insert(Flags::STRIDES);
    }
}

/// Returns an offset with its translation multiplied by `scale`. An offset that is out of bounds is
/// dropped.
#[inline]
fn scaled(way: &Pose, scale: f32) -> Pose {
    way.with_origin(way.origin() * scale).unwrap_or(Pose::IDENTITY)
}

/// Returns the length of an offset seen from above, in metres.
#[inline]
fn way_on_map(way: &Pose) -> f32 {
    length(way.origin().with_z(0.0)) as f32
}

/// Calls `run` with the canonical form of a motion of a move-to.
///
/// For example, walking backwards becomes walking forward at a negative speed. Returns the
/// canonical form and the answer. The pace takes on the canonical speed.
fn canonically<J: Journal>(
    body: &mut BodyMut<'_>,
    motion: MotionCommand,
    pace: &mut Pace,
    journal: &mut J,
    run: impl FnOnce(&mut MotionDriver<'_, J>, MotionCommand, &MovementParams) -> Answer,
) -> (MotionCommand, Answer) {
    body.with_driver(journal, |driver| {
        let (motion, speed) = driver.adjust(motion, pace.speed, pace.hold_key);
        pace.speed = speed;
        let params = MovementParams { speed, hold_key: pace.hold_key, ..MovementParams::OF_MOVE_TO };
        (motion, run(driver, motion, &params))
    })
}

/// Returns the number of the motion table of a body.
///
/// This is its own table if the library has it, and otherwise the built-in table of its class.
/// Returns 0 if the library has neither.
pub(crate) fn table_for(entity: EntityId, own: u32, library: &MotionLibrary) -> u32 {
    let built_in = |number| if library.table(number).is_some() { number } else { 0 };
    match entity.class() {
        _ if own != 0 && library.table(own).is_some() => own,
        EntityClass::Player => built_in(BUILT_IN_HUMANOID),
        _ => built_in(BUILT_IN_CREATURE),
    }
}
