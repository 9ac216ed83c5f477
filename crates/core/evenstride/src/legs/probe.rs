//! One body's legs for reference traces: single calls in, everything out. Only `evenstride_conform` may use this.

use alloc::vec::Vec;

use evenstride_types::{
    EntityId, Pose, Rotation, Vec3,
    update::{CommandIndex, CommandTable, HoldKey, MotionCommand, MovementBody, MovementKind},
};

use super::{
    MotionLibrary, MotionTable,
    interpreter::{Being, GameBeing, Interpreter, Legs, MotionRefused, Parts, ServerAction, allows_jump},
    list::{Item, List},
    playing::Playing,
    sequence::{Node, Passed},
    states::{AskedAxis, Meant, Params},
    table::Clip,
};
use crate::pool::Pool;

/// Legs under observation.
#[derive(Clone, Debug)]
pub struct LegsProbe {
    library: MotionLibrary,
    table: Option<MotionTable>,
    nodes: Pool<Node>,
    items: Pool<Item>,
    playing: Playing,
    interpreter: Interpreter,
    being: Being,
    stick: EntityId,
}

/// The body as a trace describes it.
#[derive(Clone, Copy, Debug)]
pub struct ProbeBeing {
    pub has_parts: bool,
    pub has_manager: bool,
    pub contact: bool,
    pub walkable: bool,
    pub has_gravity: bool,
    pub has_cell: bool,
    pub rotation: Rotation,
    pub velocity: Vec3,
    pub autonomous: bool,
    pub speed_factor: f32,
    pub run_rate: f32,
    pub action_stamp: u16,
    pub game: Option<ProbeGame>,
}

impl ProbeBeing {
    /// Somebody who stands.
    pub const STANDING: Self = Self {
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

/// What the game knows of it.
#[derive(Clone, Copy, Debug)]
pub struct ProbeGame {
    pub creature: bool,
    pub player: bool,
    pub run_rate: Option<f32>,
    pub can_jump: bool,
    pub jump_velocity: Option<f32>,
    pub stamina: bool,
}

/// A motion, its speed, and two numbers more.
pub type ProbeItem = (u32, f32, u32, u32);

/// What is played and waited for.
#[derive(Clone, Debug)]
pub struct TableReading {
    pub style: u32,
    pub substate: u32,
    pub speed: f32,
    pub modifiers: Vec<ProbeItem>,
    pub actions: Vec<ProbeItem>,
    pub pending: Vec<ProbeItem>,
    pub counter: i32,
    /// Number, rate, first and last keyframe, whether it goes round.
    pub nodes: Vec<(u32, f32, i32, i32, bool)>,
    pub node: Option<usize>,
    pub frame: f64,
    pub velocity: Vec3,
    pub omega: Vec3,
    pub done: Vec<(u32, bool)>,
}

/// What is asked for and meant.
#[derive(Clone, Debug)]
pub struct InterpreterReading {
    pub hold_key: u32,
    pub asked_style: u32,
    /// Command, hold key, speed: forward, sideways, turning.
    pub asked: [(u32, u32, f32); 3],
    pub asked_actions: Vec<ProbeItem>,
    pub meant_style: u32,
    pub meant: [(u32, f32); 3],
    pub meant_actions: Vec<ProbeItem>,
    pub waiting: Vec<ProbeItem>,
    pub standing_long_jump: bool,
    pub action_stamp: u16,
    pub is_ready: bool,
    pub cancels: u32,
    pub unsticks: u32,
    pub stick: u32,
    pub contact: bool,
    pub walkable: bool,
    pub run_rate: f32,
    pub jump_extent: f32,
    pub max_speed: f32,
    pub adjusted_max_speed: f32,
    pub state_velocity: Vec3,
    pub leave_velocity: Vec3,
    pub velocity: Vec3,
    pub jump_speed: f32,
    pub jump_code: u32,
    pub charge_code: u32,
}

/// How a motion is to be done.
#[derive(Clone, Copy, Debug)]
pub struct ProbeParams {
    pub bits: u32,
    pub speed: f32,
    pub hold_key: u32,
    pub context: u32,
    pub stamp: u32,
}

/// What a tick of a sequence did.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    pub way: Pose,
    pub forward: u32,
    pub backward: u32,
    pub ended: u32,
}

impl LegsProbe {
    pub fn new(library: MotionLibrary, table: Option<MotionTable>, being: &ProbeBeing) -> Self {
        let parts = match (being.has_parts, being.has_manager) {
            (false, _) => Parts::None,
            (true, false) => Parts::Unmoved,
            (true, true) => Parts::Moved,
        };
        let interpreter = Interpreter {
            speed_factor: being.speed_factor,
            run_rate: being.run_rate,
            action_stamp: being.action_stamp,
            ..Interpreter::default()
        };
        Self {
            library,
            table,
            nodes: Pool::new(),
            items: Pool::new(),
            playing: Playing::default(),
            interpreter,
            being: Being {
                parts,
                contact: being.contact,
                walkable: being.walkable,
                has_gravity: being.has_gravity,
                has_cell: being.has_cell,
                game: being.game.map(GameBeing::from),
                last_was_autonomous: being.autonomous,
                is_constrained: false,
                rotation: being.rotation,
                velocity: being.velocity,
                cancels: 0,
                unsticks: 0,
                done: Some(Vec::new()),
            },
            stick: EntityId::new(0),
        }
    }

    fn legs(&mut self) -> Legs<'_> {
        Legs {
            interpreter: &mut self.interpreter,
            playing: &mut self.playing,
            being: &mut self.being,
            library: &self.library,
            table: self.table.as_ref(),
            nodes: &mut self.nodes,
            items: &mut self.items,
        }
    }

    /// Forgets what was counted and logged.
    pub fn begin_line(&mut self) {
        self.being.cancels = 0;
        self.being.unsticks = 0;
        self.being.done = Some(Vec::new());
    }

    // ---- the sequence alone ----

    pub fn append(&mut self, animation: u32, low: i32, high: i32, rate: f32) {
        let clip = Clip { animation, low, high, rate };
        self.playing.sequence.append(&mut self.nodes, &self.library, &clip, 1.0);
    }

    pub fn clear_animations(&mut self) {
        self.playing.sequence.clear_animations(&mut self.nodes);
    }

    pub fn set_drift(&mut self, velocity: Option<Vec3>, omega: Option<Vec3>) {
        let sequence = &mut self.playing.sequence;
        sequence.velocity = velocity.unwrap_or(sequence.velocity);
        sequence.omega = omega.unwrap_or(sequence.omega);
    }

    pub fn remove_cyclic(&mut self) {
        self.playing.sequence.remove_cyclic(&mut self.nodes);
    }

    pub fn remove_links(&mut self, count: u32) {
        self.playing.sequence.remove_links(&mut self.nodes, count);
    }

    pub fn remove_all_links(&mut self) {
        self.playing.sequence.remove_all_links(&mut self.nodes);
    }

    pub fn multiply(&mut self, by: f32) {
        self.playing.sequence.multiply_cyclic(&mut self.nodes, by);
    }

    pub fn play(&mut self, secs: f32) -> Played {
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

    pub fn initialize(&mut self) {
        let Self { library, table, nodes, items, playing, .. } = self;
        if let Some(table) = table {
            playing.initialize(&mut super::playing::Shared { library, table, nodes, items });
        } else {
            playing.pending.push_back(items, Item::new(MotionCommand::READY, 0.0, 0, 0));
        }
    }

    pub fn table_begin(&mut self, motion: u32, speed: f32) -> u32 {
        self.with_table(|playing, shared| playing.begin(shared, MotionCommand(motion), speed))
    }

    pub fn table_end(&mut self, motion: u32) -> u32 {
        self.with_table(|playing, shared| playing.end(shared, MotionCommand(motion)))
    }

    pub fn table_end_all(&mut self) -> u32 {
        self.with_table(|playing, shared| {
            playing.end_all(shared);
            Ok(())
        })
    }

    fn with_table(
        &mut self,
        run: impl FnOnce(&mut Playing, &mut super::playing::Shared<'_>) -> Result<(), super::playing::NoMotion>,
    ) -> u32 {
        let Self { library, table, nodes, items, playing, .. } = self;
        let Some(table) = table else { return MotionRefused::NoTable.code() };
        match run(playing, &mut super::playing::Shared { library, table, nodes, items }) {
            Ok(()) => 0,
            Err(_) => MotionRefused::NoMotion.code(),
        }
    }

    pub fn link(&self, style: u32, from: (u32, f32), to: (u32, f32)) -> Option<(u32, u32)> {
        let command = |(motion, speed): (u32, f32)| (MotionCommand(motion), speed);
        let found = self.table.as_ref()?.link(MotionCommand(style), command(from), command(to));
        found.map(|(key, _)| key)
    }

    // ---- the interpreter ----

    pub fn animation_ended(&mut self, success: bool) {
        self.legs().animation_ended(success);
    }

    pub fn check_done(&mut self) {
        self.legs().check_done();
    }

    pub fn enter_world(&mut self) {
        self.legs().skip_links();
    }

    pub fn exit_world(&mut self) {
        self.legs().exit_world();
        self.being.unsticks += 1;
        self.stick = EntityId::new(0);
    }

    /// The table's part of that alone.
    pub fn abandon(&mut self) {
        let being = &mut self.being;
        self.playing.abandon(&mut self.items, &mut |_, motion| {
            being.done.get_or_insert_default().push((motion, false));
        });
    }

    pub fn enter_default(&mut self) {
        self.legs().enter_default();
    }

    pub fn perform(&mut self, kind: u32, motion: u32, params: &ProbeParams) -> u32 {
        let motion = MotionCommand(motion);
        let params = Params {
            bits: params.bits,
            speed: params.speed,
            hold_key: HoldKey(params.hold_key),
            context: params.context,
            stamp: params.stamp,
        };
        let mut legs = self.legs();
        let answer = match kind {
            1 => legs.ask(motion, &params),
            2 => legs.begin(motion, &params),
            3 => legs.ask_no_more(motion, &params),
            4 => legs.end(motion, &params),
            5 => {
                legs.stop();
                Ok(())
            }
            _ => return MotionRefused::Failed.code(),
        };
        if legs.being.parts == Parts::Moved {
            legs.check_done();
        }
        code(answer)
    }

    /// A movement message; the answer is that of the stance it begins with, if that is a change.
    pub fn movement(&mut self, autonomous: bool, body: &MovementBody) -> Option<u32> {
        self.being.last_was_autonomous = autonomous;
        self.being.cancels += 1;
        self.unstick();
        let command = |index: CommandIndex| {
            MotionCommand::from_index(index, CommandTable::Client2013).unwrap_or(MotionCommand(0x8000_0000))
        };
        let style = command(body.style);
        let answer =
            (style != self.interpreter.meant.style).then(|| code(self.legs().ask(style, &Params::default())));
        if let MovementKind::Interpreted { state, stick_to } = &body.kind {
            let axis = |index: Option<CommandIndex>, speed: Option<f32>, default: MotionCommand| {
                (index.map_or(default, command), speed.unwrap_or(1.0))
            };
            let none = MotionCommand(0);
            let meant = Meant {
                style: state.style.map_or(MotionCommand::NON_COMBAT, command),
                forward: axis(state.forward, state.forward_speed, MotionCommand::READY),
                sidestep: axis(state.sidestep, state.sidestep_speed, none),
                turn: axis(state.turn, state.turn_speed, none),
                actions: List::default(),
            };
            let actions = state.actions.iter().map(|action| ServerAction {
                motion: command(action.command),
                speed: action.speed,
                stamp: action.stamp,
                is_autonomous: action.autonomous,
            });
            self.legs().obey(&meant, actions);
            if let Some(target) = stick_to.filter(|target| target.raw() != 0) {
                self.stick = target;
            }
            self.interpreter.standing_long_jump = body.standing_long_jump;
        }
        answer
    }

    pub fn obey(&mut self, style: u32, axes: [(u32, f32); 3], actions: &[(u32, f32, u16, bool)]) {
        let [forward, sidestep, turn] = axes.map(|(command, speed)| (MotionCommand(command), speed));
        let meant = Meant { style: MotionCommand(style), forward, sidestep, turn, actions: List::default() };
        let actions = actions.iter().map(|(motion, speed, stamp, is_autonomous)| ServerAction {
            motion: MotionCommand(*motion),
            speed: *speed,
            stamp: *stamp,
            is_autonomous: *is_autonomous,
        });
        self.legs().obey(&meant, actions);
    }

    fn unstick(&mut self) {
        self.being.unsticks += 1;
        self.stick = EntityId::new(0);
    }

    pub fn set_hold_run(&mut self, runs: bool, cancels: bool) {
        self.legs().set_hold_run(runs, cancels);
    }

    pub fn set_hold_key(&mut self, key: u32, cancels: bool) {
        self.legs().set_hold_key(HoldKey(key), cancels);
    }

    pub fn jump(&mut self, extent: f32) -> u32 {
        code(self.legs().jump(extent))
    }

    pub fn charge_jump(&mut self) -> u32 {
        code(self.legs().charge_jump())
    }

    pub fn set_contact(&mut self, contact: bool, walkable: bool) {
        self.being.contact = contact;
        self.legs().set_walkable(walkable);
    }

    pub fn hit_ground(&mut self) {
        self.legs().hit_ground();
    }

    pub fn leave_ground(&mut self) {
        self.legs().leave_ground();
    }

    pub fn reapply(&mut self, cancels: bool) {
        self.legs().reapply(cancels, false);
    }

    pub fn set_game(&mut self, game: Option<ProbeGame>) {
        self.being.game = game.map(GameBeing::from);
    }

    pub const fn set_velocity(&mut self, velocity: Vec3) {
        self.being.velocity = velocity;
    }

    pub const fn set_rotation(&mut self, rotation: Rotation) {
        self.being.rotation = rotation;
    }

    pub const fn set_has_cell(&mut self, has_cell: bool) {
        self.being.has_cell = has_cell;
    }

    pub const fn set_has_gravity(&mut self, has_gravity: bool) {
        self.being.has_gravity = has_gravity;
    }

    pub const fn set_constrained(&mut self, is_constrained: bool) {
        self.being.is_constrained = is_constrained;
    }

    pub const fn set_autonomous(&mut self, autonomous: bool) {
        self.being.last_was_autonomous = autonomous;
    }

    pub const fn set_standing_long_jump(&mut self, is_charging: bool) {
        self.interpreter.standing_long_jump = is_charging;
    }

    pub const fn is_walkable(&self) -> bool {
        self.being.walkable
    }

    pub fn adjust(&mut self, motion: u32, speed: f32, hold_key: u32) -> (u32, f32) {
        let (motion, speed) = self.legs().adjust(MotionCommand(motion), speed, HoldKey(hold_key));
        (motion.0, speed)
    }

    pub fn contact_allows(&mut self, motion: u32) -> bool {
        self.legs().contact_allows(MotionCommand(motion))
    }

    pub fn motion_allows_jump(motion: u32) -> u32 {
        if allows_jump(MotionCommand(motion)) { 0 } else { MotionRefused::CannotJump.code() }
    }

    // ---- looking ----

    pub fn read_table(&self) -> TableReading {
        let Playing { sequence, posture, pending, ended } = &self.playing;
        TableReading {
            style: posture.style.0,
            substate: posture.substate.0,
            speed: posture.speed,
            modifiers: self.list(&posture.modifiers),
            actions: self.list(&posture.actions),
            pending: self.list(pending),
            counter: *ended,
            nodes: sequence
                .nodes(&self.nodes)
                .map(|(node, is_cyclic)| {
                    (self.library.number(node.animation), node.rate, node.low, node.high, is_cyclic)
                })
                .collect(),
            node: sequence.current_place(&self.nodes),
            frame: sequence.frame,
            velocity: sequence.velocity,
            omega: sequence.omega,
            done: self.being.done.iter().flatten().map(|(motion, success)| (motion.0, *success)).collect(),
        }
    }

    pub fn read_interpreter(&mut self) -> InterpreterReading {
        let legs = self.legs();
        let (max_speed, adjusted_max_speed) = (legs.max_speed(), legs.adjusted_max_speed());
        let (state_velocity, leave_velocity) = (legs.state_velocity(), legs.leave_ground_velocity());
        let (jump_speed, jump_code) = (legs.jump_speed(), code(legs.may_jump(1.0)));
        let charge_code = code(legs.may_charge());
        let Interpreter { asked, meant, .. } = self.interpreter;
        let axis = |axis: AskedAxis| (axis.command.0, axis.hold_key.0, axis.speed);
        let of = |(command, speed): (MotionCommand, f32)| (command.0, speed);
        InterpreterReading {
            hold_key: asked.hold_key.0,
            asked_style: asked.style.0,
            asked: [asked.forward, asked.sidestep, asked.turn].map(axis),
            asked_actions: self.list(&asked.actions),
            meant_style: meant.style.0,
            meant: [meant.forward, meant.sidestep, meant.turn].map(of),
            meant_actions: self.list(&meant.actions),
            waiting: self.list(&self.interpreter.waiting),
            standing_long_jump: self.interpreter.standing_long_jump,
            action_stamp: self.interpreter.action_stamp,
            is_ready: self.interpreter.is_ready,
            cancels: self.being.cancels,
            unsticks: self.being.unsticks,
            stick: self.stick.raw(),
            contact: self.being.contact,
            walkable: self.being.walkable,
            run_rate: self.interpreter.run_rate,
            jump_extent: self.interpreter.jump_extent,
            max_speed,
            adjusted_max_speed,
            state_velocity,
            leave_velocity,
            velocity: self.being.velocity,
            jump_speed,
            jump_code,
            charge_code,
        }
    }

    fn list(&self, list: &List) -> Vec<ProbeItem> {
        list.iter(&self.items).map(|item| (item.motion.0, item.speed, item.number, item.code)).collect()
    }
}

impl From<ProbeGame> for GameBeing {
    fn from(game: ProbeGame) -> Self {
        Self {
            is_creature: game.creature,
            is_player: game.player,
            run_rate: game.run_rate,
            can_jump: game.can_jump,
            jump_velocity: game.jump_velocity,
            has_stamina: game.stamina,
        }
    }
}

fn code(answer: Result<(), MotionRefused>) -> u32 {
    answer.map_or_else(MotionRefused::code, |()| 0)
}
