//! One body's interpreter and animations without the body. It takes single calls, and its whole
//! state can be read.

use evenstride::{
    animation::{Clip, InterpretedMotion, MotionAxis, MotionLibrary, MotionTable},
    config::Takeoff,
    outcome::MotionError,
    probe::{
        BodyFacts, Call, Effects, Flight, GameFacts, Interpreter, Item, Journal, List, MotionDriver,
        MotionPlayer, MovementParams, Node, PartSupport, Passed, Pool, RawMotionAxis, ServerAction, Shared,
        adjusted_max_speed, allows_jump, animation_number, link, max_speed, motion_from_message,
        state_velocity,
    },
};
use evenstride_types::{
    EntityId, Pose, Rotation, Vec3,
    update::{CommandTable, HoldKey, MotionCommand, MoveToFlags, MovementBody, MovementKind},
};

use super::{current_of, nodes_of};

/// An interpreter under observation.
#[derive(Clone, Debug)]
pub(crate) struct InterpreterProbe {
    library: MotionLibrary,
    table: Option<MotionTable>,
    nodes: Pool<Node>,
    items: Pool<Item>,
    playing: MotionPlayer,
    interpreter: Interpreter,
    motion: InterpretedMotion,
    facts: BodyFacts,
    /// Upward speed that the game gives for a jump of extent 1, in metres per second.
    jump_velocity: Option<f32>,
    log: Log,
    stick: EntityId,
}

/// Calls since the last line.
#[derive(Clone, Debug, Default)]
struct Log {
    /// Motions that ended, and whether they were played to their end.
    done: Vec<(MotionCommand, bool)>,
    /// Number of requests to end a move-to.
    cancels: u32,
    /// Number of requests to end a follow.
    unsticks: u32,
}

impl Journal for Log {
    fn note(&mut self, _: evenstride::Happening) {}

    fn call(&mut self, call: Call) {
        match call {
            Call::MotionDone { motion, success } => self.done.push((motion, success)),
            Call::CancelMoveTo => self.cancels += 1,
            _ => {}
        }
    }
}

/// The body as a trace describes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProbeBody {
    pub(crate) has_parts: bool,
    pub(crate) has_manager: bool,
    pub(crate) contact: bool,
    pub(crate) walkable: bool,
    pub(crate) has_gravity: bool,
    pub(crate) has_cell: bool,
    pub(crate) rotation: Rotation,
    pub(crate) velocity: Vec3,
    pub(crate) autonomous: bool,
    pub(crate) speed_factor: f32,
    pub(crate) run_rate: f32,
    pub(crate) action_stamp: u16,
    pub(crate) game: Option<ProbeGame>,
}

impl ProbeBody {
    /// A standing body.
    pub(crate) const STANDING: Self = Self {
        has_parts: true,
        has_manager: true,
        contact: true,
        walkable: true,
        has_gravity: true,
        has_cell: true,
        rotation: Rotation::IDENTITY,
        velocity: Vec3::ZERO,
        autonomous: false,
        speed_factor: 1.0,
        run_rate: 1.0,
        action_stamp: 0,
        game: None,
    };
}

/// Facts from the game's own object for the body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProbeGame {
    pub(crate) creature: bool,
    pub(crate) player: bool,
    pub(crate) run_rate: Option<f32>,
    pub(crate) can_jump: bool,
    pub(crate) jump_velocity: Option<f32>,
    pub(crate) stamina: bool,
}

/// A motion, its speed, and two further numbers.
pub(crate) type ProbeItem = (u32, f32, u32, u32);

/// Animations that are played, and motions that are pending.
#[derive(Clone, Debug)]
pub(crate) struct TableReading {
    pub(crate) style: u32,
    pub(crate) substate: u32,
    pub(crate) speed: f32,
    pub(crate) modifiers: Vec<ProbeItem>,
    pub(crate) actions: Vec<ProbeItem>,
    pub(crate) pending: Vec<ProbeItem>,
    pub(crate) counter: i32,
    /// Number, rate, first and last keyframe, and whether it is part of the cycle.
    pub(crate) nodes: Vec<(u32, f32, i32, i32, bool)>,
    pub(crate) node: Option<usize>,
    pub(crate) frame: f64,
    pub(crate) velocity: Vec3,
    pub(crate) omega: Vec3,
    pub(crate) done: Vec<(u32, bool)>,
}

/// Raw and interpreted motion.
#[derive(Clone, Debug)]
pub(crate) struct InterpreterReading {
    pub(crate) hold_key: u32,
    pub(crate) raw_style: u32,
    /// Command, hold key and speed of forward, sideways and turning motion.
    pub(crate) raw: [(u32, u32, f32); 3],
    pub(crate) raw_actions: Vec<ProbeItem>,
    pub(crate) style: u32,
    pub(crate) axes: [(u32, f32); 3],
    pub(crate) actions: Vec<ProbeItem>,
    pub(crate) pending: Vec<ProbeItem>,
    pub(crate) standing_long_jump: bool,
    pub(crate) action_stamp: u16,
    pub(crate) is_ready: bool,
    pub(crate) cancels: u32,
    pub(crate) unsticks: u32,
    pub(crate) stick: u32,
    pub(crate) contact: bool,
    pub(crate) walkable: bool,
    pub(crate) run_rate: f32,
    pub(crate) jump_extent: f32,
    pub(crate) max_speed: f32,
    pub(crate) adjusted_max_speed: f32,
    pub(crate) state_velocity: Vec3,
    pub(crate) leave_velocity: Vec3,
    pub(crate) velocity: Vec3,
    pub(crate) jump_speed: f32,
    pub(crate) jump_code: u32,
    pub(crate) charge_code: u32,
}

/// Parameters of a motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProbeParams {
    pub(crate) bits: u32,
    pub(crate) speed: f32,
    pub(crate) hold_key: u32,
    pub(crate) context: u32,
    pub(crate) stamp: u32,
}

/// The effect of a tick on a sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Played {
    pub(crate) way: Pose,
    pub(crate) forward: u32,
    pub(crate) backward: u32,
    pub(crate) ended: u32,
}

impl InterpreterProbe {
    pub(crate) fn new(library: MotionLibrary, table: Option<MotionTable>, body: &ProbeBody) -> Self {
        let parts = match (body.has_parts, body.has_manager) {
            (false, _) => PartSupport::None,
            (true, false) => PartSupport::Unmoved,
            (true, true) => PartSupport::Moved,
        };
        Self {
            library,
            table,
            nodes: Pool::new(),
            items: Pool::new(),
            playing: MotionPlayer::default(),
            interpreter: Interpreter { action_stamp: body.action_stamp, ..Interpreter::default() },
            motion: InterpretedMotion {
                speed_factor: body.speed_factor,
                run_rate: body.run_rate,
                ..InterpretedMotion::STANDING
            },
            facts: BodyFacts {
                parts,
                contact: body.contact,
                walkable: body.walkable,
                has_gravity: body.has_gravity,
                has_cell: body.has_cell,
                game: body.game.map(GameFacts::from),
                last_was_autonomous: body.autonomous,
                is_constrained: false,
                rotation: body.rotation,
                velocity: body.velocity,
            },
            jump_velocity: body.game.and_then(|game| game.jump_velocity),
            log: Log::default(),
            stick: EntityId::new(0),
        }
    }

    /// Runs a function on the interpreter, and applies its effects to the body.
    fn drive<T>(&mut self, run: impl FnOnce(&mut MotionDriver<'_, Log>) -> T) -> T {
        let mut facts = self.facts;
        // The game object gives the upward speed for the charged extent.
        if let Some(game) = &mut facts.game {
            game.jump_rise = self.jump_velocity.map(|at_1| at_1 * self.interpreter.jump_extent.min(1.0));
        }
        let mut driver = MotionDriver {
            motion: &mut self.motion,
            interpreter: &mut self.interpreter,
            playing: &mut self.playing,
            facts,
            effects: Effects::default(),
            library: &self.library,
            table: self.table.as_ref(),
            nodes: &mut self.nodes,
            items: &mut self.items,
            journal: &mut self.log,
        };
        let answer = run(&mut driver);
        let Effects { velocity, unsticks } = driver.effects;
        self.log.unsticks += unsticks;
        if unsticks > 0 {
            self.stick = EntityId::new(0);
        }
        if let Some(velocity) = velocity {
            self.set_velocity_as_bodies_do(velocity);
        }
        answer
    }

    fn set_velocity_as_bodies_do(&mut self, velocity: Vec3) {
        let mut flight = Flight { velocity: self.facts.velocity, ..Flight::REST };
        flight.set_velocity(velocity);
        self.facts.velocity = flight.velocity;
    }

    /// Clears all counters and logs.
    pub(crate) fn begin_line(&mut self) {
        self.log = Log::default();
    }

    // ---- the sequence alone ----

    pub(crate) fn append(&mut self, animation: u32, low: i32, high: i32, rate: f32) {
        let clip = Clip { animation, low, high, rate };
        self.playing.sequence.append(&mut self.nodes, &self.library, &clip, 1.0);
    }

    pub(crate) fn clear_animations(&mut self) {
        self.playing.sequence.clear_animations(&mut self.nodes);
    }

    pub(crate) fn set_drift(&mut self, velocity: Option<Vec3>, omega: Option<Vec3>) {
        let sequence = &mut self.playing.sequence;
        sequence.velocity = velocity.unwrap_or(sequence.velocity);
        sequence.omega = omega.unwrap_or(sequence.omega);
    }

    pub(crate) fn remove_cyclic(&mut self) {
        self.playing.sequence.remove_cyclic(&mut self.nodes);
    }

    pub(crate) fn remove_links(&mut self, count: u32) {
        self.playing.sequence.remove_links(&mut self.nodes, count);
    }

    pub(crate) fn remove_all_links(&mut self) {
        self.playing.sequence.remove_all_links(&mut self.nodes);
    }

    pub(crate) fn multiply(&mut self, by: f32) {
        self.playing.sequence.multiply_cyclic(&mut self.nodes, by);
    }

    pub(crate) fn play(&mut self, secs: f32) -> Played {
        let mut played = Played { way: Pose::IDENTITY, forward: 0, backward: 0, ended: 0 };
        let mut way = Pose::IDENTITY;
        let sequence = &mut self.playing.sequence;
        sequence.play(&mut self.nodes, &self.library, secs, &mut way, &mut |passed| match passed {
            Passed::Keyframe { is_forward: true, .. } => played.forward += 1,
            Passed::Keyframe { is_forward: false, .. } => played.backward += 1,
            Passed::Animation => played.ended += 1,
        });
        Played { way, ..played }
    }

    // ---- the table ----

    pub(crate) fn initialize(&mut self) {
        let Self { library, table, nodes, items, playing, .. } = self;
        if let Some(table) = table {
            playing.initialize(&mut Shared { library, table, nodes, items });
        } else {
            playing.pending.push_back(items, Item::new(MotionCommand::READY, 0.0, 0, 0));
        }
    }

    pub(crate) fn table_begin(&mut self, motion: u32, speed: f32) -> u32 {
        self.with_table(|playing, shared| playing.begin(shared, MotionCommand(motion), speed))
    }

    pub(crate) fn table_end(&mut self, motion: u32) -> u32 {
        self.with_table(|playing, shared| playing.end(shared, MotionCommand(motion)))
    }

    pub(crate) fn table_end_all(&mut self) -> u32 {
        self.with_table(|playing, shared| {
            playing.end_all(shared);
            Ok(())
        })
    }

    fn with_table(
        &mut self,
        run: impl FnOnce(&mut MotionPlayer, &mut Shared<'_>) -> Result<(), evenstride::probe::NoMotion>,
    ) -> u32 {
        let Self { library, table, nodes, items, playing, .. } = self;
        let Some(table) = table else { return MotionError::NoTable.client_code() };
        match run(playing, &mut Shared { library, table, nodes, items }) {
            Ok(()) => 0,
            Err(_) => MotionError::NoMotion.client_code(),
        }
    }

    pub(crate) fn link_key(&self, style: u32, from: (u32, f32), to: (u32, f32)) -> Option<(u32, u32)> {
        let command = |(motion, speed): (u32, f32)| (MotionCommand(motion), speed);
        link(self.table.as_ref()?, MotionCommand(style), command(from), command(to))
    }

    // ---- the interpreter ----

    pub(crate) fn animation_ended(&mut self, success: bool) {
        self.drive(|driver| driver.animation_ended(success));
    }

    pub(crate) fn check_done(&mut self) {
        self.drive(|driver| driver.check_done());
    }

    pub(crate) fn enter_world(&mut self) {
        self.drive(|driver| driver.skip_links());
    }

    pub(crate) fn exit_world(&mut self) {
        self.drive(|driver| driver.exit_world());
        self.log.unsticks += 1;
        self.stick = EntityId::new(0);
    }

    /// Abandons pending motions of the table only, as a part of `exit_world`.
    pub(crate) fn abandon(&mut self) {
        let done = &mut self.log.done;
        self.playing.abandon(&mut self.items, &mut |_, motion| done.push((motion, false)));
    }

    pub(crate) fn enter_default(&mut self) {
        self.drive(|driver| driver.enter_default());
    }

    pub(crate) fn perform(&mut self, kind: u32, motion: u32, params: &ProbeParams) -> u32 {
        let motion = MotionCommand(motion);
        let params = MovementParams {
            flags: MoveToFlags::from_bits_retain(params.bits),
            speed: params.speed,
            hold_key: HoldKey(params.hold_key),
            context: params.context,
            stamp: params.stamp,
            ..MovementParams::DEFAULT
        };
        self.drive(|driver| {
            let answer = match kind {
                1 => driver.do_motion(motion, &params),
                2 => driver.begin(motion, &params),
                3 => driver.stop_motion(motion, &params),
                4 => driver.end(motion, &params),
                5 => {
                    driver.stop_completely();
                    Ok(())
                }
                _ => return MotionError::Failed.client_code(),
            };
            if driver.facts.parts == PartSupport::Moved {
                driver.check_done();
            }
            code(answer)
        })
    }

    /// Applies a movement message. Returns the answer to its change of stance, if it changes the
    /// stance.
    pub(crate) fn movement(&mut self, autonomous: bool, body: &MovementBody) -> Option<u32> {
        const COMMANDS: CommandTable = CommandTable::Client2013;
        self.facts.last_was_autonomous = autonomous;
        self.log.cancels += 1;
        self.unstick();
        let style = MotionCommand::from_index(body.style, COMMANDS);
        let answer = style.and_then(|style| self.drive(|driver| driver.on_style(style))).map(code);
        if let MovementKind::Interpreted { state, stick_to } = &body.kind {
            let motion = motion_from_message(state, COMMANDS).unwrap_or_default();
            self.drive(|driver| {
                let actions = state.actions.iter();
                driver.on_state(
                    &motion,
                    actions.filter_map(|action| ServerAction::from_message(action, COMMANDS)),
                );
                driver.interpreter.standing_long_jump = body.standing_long_jump;
            });
            if let Some(target) = stick_to.filter(|target| target.raw() != 0) {
                self.stick = target;
            }
        }
        answer
    }

    pub(crate) fn on_state(&mut self, style: u32, axes: [(u32, f32); 3], actions: &[(u32, f32, u16, bool)]) {
        let [forward, sidestep, turn] =
            axes.map(|(command, speed)| MotionAxis::new(MotionCommand(command), speed));
        let state = InterpretedMotion {
            style: MotionCommand(style),
            forward,
            sidestep,
            turn,
            ..InterpretedMotion::STANDING
        };
        let actions = actions.iter().map(|(motion, speed, stamp, is_autonomous)| ServerAction {
            motion: MotionCommand(*motion),
            speed: *speed,
            stamp: *stamp,
            is_autonomous: *is_autonomous,
        });
        self.drive(|driver| driver.on_state(&state, actions));
    }

    fn unstick(&mut self) {
        self.log.unsticks += 1;
        self.stick = EntityId::new(0);
    }

    pub(crate) fn set_hold_run(&mut self, runs: bool, cancels: bool) {
        self.drive(|driver| driver.set_hold_run(runs, cancels));
    }

    pub(crate) fn set_hold_key(&mut self, key: u32, cancels: bool) {
        self.drive(|driver| driver.set_hold_key(HoldKey(key), cancels));
    }

    pub(crate) fn jump(&mut self, extent: f32) -> u32 {
        let answer = self.drive(|driver| driver.jump(extent));
        if answer.is_ok() {
            self.set_walkable(false);
        }
        code(answer)
    }

    pub(crate) fn charge_jump(&mut self) -> u32 {
        code(self.drive(|driver| driver.charge_jump()))
    }

    pub(crate) fn set_contact(&mut self, contact: bool, walkable: bool) {
        self.facts.contact = contact;
        self.set_walkable(walkable);
    }

    /// Sets whether the body stands on walkable ground, with the same effects as in a world.
    fn set_walkable(&mut self, walkable: bool) {
        match (std::mem::replace(&mut self.facts.walkable, walkable), walkable) {
            (true, false) => self.leave_ground(),
            (false, true) => self.hit_ground(),
            _ => {}
        }
    }

    pub(crate) fn hit_ground(&mut self) {
        self.drive(|driver| driver.hit_ground());
    }

    pub(crate) fn leave_ground(&mut self) {
        self.drive(|driver| driver.leave_ground(Takeoff::GaitReplacesImpulse));
    }

    pub(crate) fn apply_current(&mut self, cancels: bool) {
        self.drive(|driver| driver.apply_current(cancels, false));
    }

    pub(crate) fn set_game(&mut self, game: Option<ProbeGame>) {
        self.facts.game = game.map(GameFacts::from);
        self.jump_velocity = game.and_then(|game| game.jump_velocity);
    }

    pub(crate) const fn set_velocity(&mut self, velocity: Vec3) {
        self.facts.velocity = velocity;
    }

    pub(crate) const fn set_rotation(&mut self, rotation: Rotation) {
        self.facts.rotation = rotation;
    }

    pub(crate) const fn set_has_cell(&mut self, has_cell: bool) {
        self.facts.has_cell = has_cell;
    }

    pub(crate) const fn set_has_gravity(&mut self, has_gravity: bool) {
        self.facts.has_gravity = has_gravity;
    }

    pub(crate) const fn set_constrained(&mut self, is_constrained: bool) {
        self.facts.is_constrained = is_constrained;
    }

    pub(crate) const fn set_autonomous(&mut self, autonomous: bool) {
        self.facts.last_was_autonomous = autonomous;
    }

    pub(crate) const fn set_standing_long_jump(&mut self, is_charging: bool) {
        self.interpreter.standing_long_jump = is_charging;
    }

    pub(crate) const fn is_walkable(&self) -> bool {
        self.facts.walkable
    }

    pub(crate) fn adjust(&mut self, motion: u32, speed: f32, hold_key: u32) -> (u32, f32) {
        let (motion, speed) =
            self.drive(|driver| driver.adjust(MotionCommand(motion), speed, HoldKey(hold_key)));
        (motion.0, speed)
    }

    pub(crate) fn contact_allows(&mut self, motion: u32) -> bool {
        self.drive(|driver| driver.contact_allows(MotionCommand(motion)))
    }

    pub(crate) fn motion_allows_jump(motion: u32) -> u32 {
        if allows_jump(MotionCommand(motion)) { 0 } else { MotionError::CannotJump.client_code() }
    }

    // ---- reading ----

    pub(crate) fn read_table(&self) -> TableReading {
        let MotionPlayer { sequence, posture, pending, ended } = &self.playing;
        TableReading {
            style: posture.style.0,
            substate: posture.substate.0,
            speed: posture.speed,
            modifiers: self.list(&posture.modifiers),
            actions: self.list(&posture.actions),
            pending: self.list(pending),
            counter: *ended,
            nodes: nodes_of(sequence, &self.nodes)
                .into_iter()
                .map(|(node, is_cyclic)| {
                    (
                        animation_number(&self.library, node.animation),
                        node.rate,
                        node.low,
                        node.high,
                        is_cyclic,
                    )
                })
                .collect(),
            node: current_of(sequence, &self.nodes),
            frame: sequence.frame,
            velocity: sequence.velocity,
            omega: sequence.omega,
            done: self.log.done.iter().map(|(motion, success)| (motion.0, *success)).collect(),
        }
    }

    pub(crate) fn read_interpreter(&mut self) -> InterpreterReading {
        let rotation = self.facts.rotation;
        let velocity = self.facts.velocity;
        let (run_rate, leave_velocity, jump_speed, jump_code, charge_code) = self.drive(|driver| {
            let leave = driver.leave_ground_velocity();
            let leave = leave.unwrap_or_else(|| rotation.basis().to_local(velocity));
            let (jump, charge) = (code(driver.may_jump()), code(driver.may_charge()));
            (driver.run_rate(), leave, driver.jump_rise(), jump, charge)
        });
        let (raw, motion) = (self.interpreter.raw, self.motion);
        let raw_axis = |axis: RawMotionAxis| (axis.command.0, axis.hold_key.0, axis.speed);
        let axis = |axis: MotionAxis| (axis.command.0, axis.speed);
        InterpreterReading {
            hold_key: raw.hold_key.0,
            raw_style: raw.style.0,
            raw: [raw.forward, raw.sidestep, raw.turn].map(raw_axis),
            raw_actions: self.list(&raw.actions),
            style: motion.style.0,
            axes: [motion.forward, motion.sidestep, motion.turn].map(axis),
            actions: self.list(&self.interpreter.actions),
            pending: self.list(&self.interpreter.pending),
            standing_long_jump: self.interpreter.standing_long_jump,
            action_stamp: self.interpreter.action_stamp,
            is_ready: self.interpreter.is_ready,
            cancels: self.log.cancels,
            unsticks: self.log.unsticks,
            stick: self.stick.raw(),
            contact: self.facts.contact,
            walkable: self.facts.walkable,
            run_rate: motion.run_rate,
            jump_extent: self.interpreter.jump_extent,
            max_speed: max_speed(run_rate) as f32,
            adjusted_max_speed: adjusted_max_speed(&motion, run_rate) as f32,
            state_velocity: state_velocity(&motion, run_rate),
            leave_velocity,
            velocity: self.facts.velocity,
            jump_speed,
            jump_code,
            charge_code,
        }
    }

    fn list(&self, list: &List) -> Vec<ProbeItem> {
        list.iter(&self.items).map(|item| (item.motion.0, item.speed, item.number, item.code)).collect()
    }
}

impl From<ProbeGame> for GameFacts {
    fn from(game: ProbeGame) -> Self {
        Self {
            is_creature: game.creature,
            is_player: game.player,
            run_rate: game.run_rate,
            can_jump: game.can_jump,
            // Depends on the extent.
            jump_rise: None,
            has_stamina: game.stamina,
        }
    }
}

fn code(answer: Result<(), MotionError>) -> u32 {
    answer.map_or_else(MotionError::client_code, |()| 0)
}

#[cfg(test)]
mod tests {
    use evenstride_types::update::{ActionItem, CommandIndex, InterpretedState};

    use super::*;

    #[test]
    fn a_completed_action_clears_the_one_the_body_is_stuck_to() {
        let mut probe = InterpreterProbe::new(MotionLibrary::built_in(), None, &ProbeBody::STANDING);
        probe.table = probe.library.table(evenstride::animation::BUILT_IN_HUMANOID).cloned();
        probe.enter_default();
        probe.check_done();
        let blow = ActionItem { command: CommandIndex(0x58), stamp: 1, autonomous: false, speed: 1.0 };
        let state = InterpretedState { actions: vec![blow], ..InterpretedState::default() };
        let mut body = MovementBody::interpreted(state);
        if let MovementKind::Interpreted { stick_to, .. } = &mut body.kind {
            *stick_to = Some(EntityId::new(0x8000_0001));
        }
        let _ = probe.movement(false, &body);
        assert_eq!(probe.read_interpreter().stick, 0x8000_0001);
        for _ in 0..8 {
            probe.animation_ended(true);
            probe.check_done();
        }
        let reading = probe.read_interpreter();
        assert_eq!((reading.stick, reading.pending.len()), (0, 0));
        assert!(reading.unsticks > 0);
    }
}
