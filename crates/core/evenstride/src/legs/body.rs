//! Legs of bodies in a world: who has some, and what a step and a message do to them.

use evenstride_types::{
    Pose, Rotation, Vec3,
    update::{CommandIndex, CommandTable, HoldKey, MotionCommand, MovementBody, MovementKind},
};

use super::{
    BUILT_IN_CREATURE, BUILT_IN_HUMANOID, MotionLibrary,
    interpreter::{Being, GameBeing, Interpreter, Legs, Parts, ServerAction},
    list::{Item, List},
    playing::Playing,
    sequence::{Node, Passed},
    states::{Meant, NONE, Params},
};
use crate::{
    config::Strides,
    gait::{Gait, SPEED_LIMIT},
    memory::MemoryPart,
    pool::{Link, Pool},
    store::{BodyMut, Flags},
    why::{Journal, Note},
};
use evenstride_types::{EntityClass, EntityId, update::PhysicsState};

/// Everything that legs of a world take up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limbs {
    pub(crate) states: Pool<LegState>,
    pub(crate) nodes: Pool<Node>,
    pub(crate) items: Pool<Item>,
}

/// One body's legs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LegState {
    pub(crate) playing: Playing,
    pub(crate) interpreter: Interpreter,
    /// The motion table they follow; 0 if they follow none, and only drift.
    pub(crate) table: u32,
}

impl Limbs {
    /// Takes a body's legs away.
    pub(crate) fn remove(&mut self, link: &mut Link) {
        if let Some(state) = self.states.get_mut(*link) {
            let mut state = *state;
            state.playing.release(&mut self.nodes, &mut self.items);
            for list in [
                &mut state.interpreter.waiting,
                &mut state.interpreter.asked.actions,
                &mut state.interpreter.meant.actions,
            ] {
                list.clear(&mut self.items);
            }
        }
        self.states.remove(link);
    }

    pub(crate) fn memory(&self) -> [MemoryPart; 3] {
        [
            self.states.memory("legs"),
            self.nodes.memory("animations played"),
            self.items.memory("motions waiting"),
        ]
    }
}

impl LegState {
    /// Whether playing on would do anything.
    pub(crate) fn is_restless(&self, nodes: &Pool<Node>, library: &MotionLibrary) -> bool {
        let sequence = &self.playing.sequence;
        let drifts = sequence.velocity != Vec3::ZERO || sequence.omega != Vec3::ZERO;
        let does_something =
            |node: Node| library.animation(node.animation).is_some_and(|of| of.does_something());
        drifts
            // What no table chose is played whatever it is.
            || (self.table == 0 && !sequence.is_empty())
            || !self.playing.pending.is_empty()
            || sequence.len() > 1
            || sequence.current(nodes).is_some_and(does_something)
    }
}

/// What a step of legs came to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strode {
    /// The way of the root, as far as the ground lets it count.
    pub(crate) way: Pose,
    /// Animations that ended, whose motions may be done.
    pub(crate) ended: u32,
}

impl Strode {
    pub(crate) const NOT: Self = Self { way: Pose::IDENTITY, ended: 0 };
}

impl BodyMut<'_> {
    /// Plays on. What happens at keyframes is noted.
    ///
    /// Retail: `CPhysicsObj::UpdatePositionInternal` (11.4186 @ 0x00512C30)
    #[inline(never)]
    pub(crate) fn stride(&mut self, secs: f32, strides: Strides, journal: &mut impl Journal) -> Strode {
        #[cfg(feature = "_conform")]
        if let Some(double) = self.double.as_deref() {
            let stands = self.body.flags.contains(Flags::WALKABLE);
            return Strode { way: double.stride(secs, stands), ended: 0 };
        }
        let Some(state) = self.limbs.states.get_mut(self.body.links.legs) else { return Strode::NOT };
        let (mut way, mut ended) = (Pose::IDENTITY, 0);
        let library = self.library;
        let before = match strides {
            Strides::AtKeyframes => None,
            Strides::Even => Some(state.playing.sequence.under_way(&self.limbs.nodes, library)),
        };
        state.playing.sequence.play(
            &mut self.limbs.nodes,
            library,
            secs,
            &mut way,
            &mut |passed| match passed {
                Passed::Animation => ended += 1,
                Passed::Keyframe { animation, frame, is_forward } => {
                    let Some(of) = library.animation(animation) else { return };
                    for hook in of.firing_at(frame, is_forward) {
                        journal.note(Note::Hook { kind: hook.kind, value: hook.value });
                    }
                }
            },
        );
        if let Some(before) = before {
            let after = state.playing.sequence.under_way(&self.limbs.nodes, library);
            way = way.combine(&after).relative_to(&before);
        }
        let scale = if self.body.flags.contains(Flags::WALKABLE) { self.detail.build.scale } else { 0.0 };
        // A way that leaves all bounds is none.
        let scaled = way.with_origin(way.origin() * scale).unwrap_or(Pose::IDENTITY);
        Strode { way: scaled, ended }
    }

    /// Before the sweep: motions whose animations have ended are done.
    ///
    /// Retail: `CPhysicsObj::process_hooks`, called by `CPhysicsObj::UpdatePositionInternal` (11.4186 @ 0x00512C30)
    #[inline(never)]
    pub(crate) fn end_animations(&mut self, ended: u32, journal: &mut impl Journal) {
        self.with_acting_legs(journal, |legs| (0..ended).for_each(|_| legs.animation_ended(true)));
    }

    /// After a step: motions that take no time are done.
    ///
    /// Retail: `MotionTableManager::CheckForCompletedMotions` (11.4186 @ 0x0051BE00)
    #[inline]
    pub(crate) fn finish_stride(&mut self, journal: &mut impl Journal) {
        #[cfg(feature = "_conform")]
        if let Some(double) = self.double.as_deref_mut() {
            return double.finish();
        }
        let Some(state) = self.limbs.states.get(self.body.links.legs) else { return };
        let is_anybody_done =
            state.playing.pending.front(&self.limbs.items).is_some_and(|head| head.number == 0);
        if is_anybody_done {
            self.with_acting_legs(journal, |legs| legs.check_done());
        }
    }

    /// Runs something on the body's legs that may complete an action: who was stuck to somebody for that lets go.
    #[inline(never)]
    fn with_acting_legs(&mut self, journal: &mut impl Journal, run: impl FnOnce(&mut Legs<'_>)) {
        let unsticks = self.with_legs(|legs| {
            run(legs);
            legs.being.unsticks
        });
        if unsticks.is_some_and(|unsticks| unsticks > 0) {
            self.end_follow(journal);
        }
    }

    /// Runs something on the body's legs, if it has any that follow a table.
    ///
    /// What that does to a way to somewhere, or to a follow, is whoever calls to see to.
    pub(crate) fn with_legs<T>(&mut self, run: impl FnOnce(&mut Legs<'_>) -> T) -> Option<T> {
        let flags = self.body.flags;
        let mut being = Being {
            parts: Parts::Moved,
            contact: flags.contains(Flags::CONTACT),
            walkable: flags.contains(Flags::WALKABLE),
            has_gravity: self.body.state.contains(PhysicsState::GRAVITY),
            has_cell: flags.contains(Flags::HAS_CELL),
            game: Some(GameBeing {
                is_creature: true,
                is_player: flags.contains(Flags::LOCAL),
                run_rate: None,
                can_jump: true,
                jump_velocity: None,
                has_stamina: true,
            }),
            // What is meant is told here, never what was asked for.
            last_was_autonomous: false,
            is_constrained: false,
            rotation: Rotation::IDENTITY,
            velocity: Vec3::ZERO,
            cancels: 0,
            unsticks: 0,
            done: None,
        };
        let state = self.limbs.states.get_mut(self.body.links.legs)?;
        let mut local = *state;
        local.interpreter.run_rate = self.gait.run_rate;
        let answer = (local.table != 0).then(|| {
            run(&mut Legs {
                interpreter: &mut local.interpreter,
                playing: &mut local.playing,
                being: &mut being,
                library: self.library,
                table: self.library.table(local.table),
                nodes: &mut self.limbs.nodes,
                items: &mut self.limbs.items,
            })
        });
        let is_restless = local.is_restless(&self.limbs.nodes, self.library);
        *state = local;
        self.body.flags.set(Flags::STRIDES, is_restless);
        // Doing a run again makes its speed the run rate, except for the local player, who has skills.
        let run_rate = local.interpreter.run_rate;
        if run_rate != self.gait.run_rate && !flags.contains(Flags::LOCAL) {
            let gait = Gait { run_rate: run_rate.clamp(-SPEED_LIMIT, SPEED_LIMIT), ..*self.gait };
            self.set_gait(gait);
        }
        answer
    }

    /// Gives the body legs that follow its motion table, or a built-in one.
    pub(crate) fn grow_legs(&mut self) {
        #[cfg(feature = "_conform")]
        if self.double.is_some() {
            return;
        }
        if self.limbs.states.get(self.body.links.legs).is_some_and(|state| state.table != 0) {
            return;
        }
        self.limbs.remove(&mut self.body.links.legs);
        let table = table_for(self.body.id, self.extra.looks.motion_table, self.library);
        self.body.links.legs = self.limbs.states.insert(LegState { table, ..LegState::default() });
        // They have stood for as long as the body is there: nothing waits any more.
        let _ = self.with_legs(|legs| {
            legs.enter_default();
            legs.check_done();
        });
    }

    /// What a movement message does to the legs. Whoever only stands needs none.
    pub(crate) fn move_legs(&mut self, body: &MovementBody, commands: CommandTable) {
        let command = |index: CommandIndex| MotionCommand::from_index(index, commands);
        let style = command(body.style).filter(|style| style.is_style() && style.index() != CommandIndex(0));
        match &body.kind {
            MovementKind::Interpreted { state, .. } => {
                let axis = |index: Option<CommandIndex>, speed: Option<f32>, default: MotionCommand| {
                    (index.and_then(command).unwrap_or(default), speed.unwrap_or(1.0))
                };
                let meant = Meant {
                    style: state.style.and_then(command).unwrap_or(MotionCommand::NON_COMBAT),
                    forward: axis(state.forward, state.forward_speed, MotionCommand::READY),
                    sidestep: axis(state.sidestep, state.sidestep_speed, NONE),
                    turn: axis(state.turn, state.turn_speed, NONE),
                    actions: List::default(),
                };
                let stands = meant == Meant::default() && state.actions.is_empty();
                if stands && !self.body.links.legs.is_some() {
                    return;
                }
                self.grow_legs();
                let actions = state.actions.iter().filter_map(|action| {
                    Some(ServerAction {
                        motion: command(action.command)?,
                        speed: if action.speed.is_finite() { action.speed } else { 1.0 },
                        stamp: action.stamp,
                        is_autonomous: action.autonomous,
                    })
                });
                let is_charging = body.standing_long_jump;
                let _ = self.with_legs(|legs| {
                    if let Some(style) = style.filter(|style| *style != legs.interpreter.meant.style) {
                        let _ = legs.ask(style, &Params::default());
                    }
                    legs.obey(&meant, actions);
                    legs.interpreter.standing_long_jump = is_charging;
                });
            }
            // Whoever goes somewhere stops when it sets out.
            _ => {
                self.grow_legs();
                let is_local = self.body.flags.contains(Flags::LOCAL);
                let _ = self.with_legs(|legs| {
                    if let Some(style) = style.filter(|style| *style != legs.interpreter.meant.style) {
                        let _ = legs.ask(style, &Params::default());
                    }
                    // A jump that was being charged is not, once the server has control.
                    legs.interpreter.standing_long_jump &= !is_local;
                });
            }
        }
    }

    /// Moves the legs by the gait: the local player's, which no message tells.
    pub(crate) fn walk_by_gait(&mut self, is_charging: bool, hold_key: HoldKey) {
        let Gait { style, forward, forward_speed, sidestep, sidestep_speed, turn, turn_speed, .. } =
            *self.gait;
        let meant = Meant {
            style,
            forward: (forward, forward_speed),
            sidestep: (sidestep.unwrap_or(NONE), sidestep_speed),
            turn: (turn.unwrap_or(NONE), turn_speed),
            actions: List::default(),
        };
        self.grow_legs();
        let _ = self.with_legs(|legs| {
            legs.interpreter.standing_long_jump = is_charging;
            legs.interpreter.asked.hold_key = hold_key;
            legs.obey(&meant, core::iter::empty());
        });
    }

    /// The legs notice that the ground is gone.
    pub(crate) fn legs_lose_ground(&mut self, journal: &mut impl Journal) {
        self.with_acting_legs(journal, |legs| legs.leave_ground());
    }

    /// The ground is there again.
    pub(crate) fn legs_find_ground(&mut self, journal: &mut impl Journal) {
        self.with_acting_legs(journal, |legs| legs.hit_ground());
    }

    /// Nobody sees them: what only leads to a motion is skipped.
    pub(crate) fn legs_skip_links(&mut self, journal: &mut impl Journal) {
        self.with_acting_legs(journal, |legs| legs.skip_links());
    }

    /// Root motion without a table: a velocity and a spin, own axes.
    pub(crate) fn set_drift(&mut self, velocity: Vec3, omega: Vec3) {
        if velocity == Vec3::ZERO && omega == Vec3::ZERO {
            self.limbs.remove(&mut self.body.links.legs);
            self.body.flags.remove(Flags::STRIDES);
            return;
        }
        if !self.body.links.legs.is_some() {
            self.body.links.legs = self.limbs.states.insert(LegState::default());
        }
        if let Some(state) = self.limbs.states.get_mut(self.body.links.legs) {
            state.playing.sequence.velocity = velocity;
            state.playing.sequence.omega = omega;
        }
        self.body.flags.insert(Flags::STRIDES);
    }
}

/// Its own table if the library has it, or else a built-in one; 0 if there is neither, and its legs do nothing.
pub(crate) fn table_for(entity: EntityId, own: u32, library: &MotionLibrary) -> u32 {
    // A library may be without those.
    let built_in = |number| if library.table(number).is_some() { number } else { 0 };
    match entity.class() {
        _ if own != 0 && library.table(own).is_some() => own,
        EntityClass::Player => built_in(BUILT_IN_HUMANOID),
        _ => built_in(BUILT_IN_CREATURE),
    }
}
