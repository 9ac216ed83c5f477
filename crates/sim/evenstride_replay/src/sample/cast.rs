//! The characters of the sample, and the messages a server sends about them.

use evenstride_types::{
    EntityId, Heading, Placement, Pose, RawPlacement, Rotation, StampKind, Vec3,
    update::{
        AutonomousPosition, Contact, CreateUpdate, HoldKey, InterpretedState, Jump, MotionCommand,
        MoveToState, MovementKind, PlayerAction, PlayerStamps, PositionUpdate, RawAxis, RawState, Resources,
        ServerEntity, Update,
    },
};
use evenstride_wire::{CreateMessage, Message, Text};

use super::RATE;

const WALK_SPEED: f32 = 3.12;
const RUN_SPEED: f32 = 4.0;
const GRAVITY: f32 = 9.8;

/// Shortest time in seconds between two places of a player, unless her client reports one.
const WITHHELD_SECS: f64 = 1.0;

/// Seconds between two places of a moving creature.
const CREATURE_SECS: f64 = 0.2;

/// The part that players and creatures share, which is identity and place.
struct Being {
    server: ServerEntity,
    name: &'static str,
    /// Model and motion table.
    records: (u32, u32),
    place: Placement,
}

/// Model and motion table of people in the game.
const PERSON: (u32, u32) = (0x0200_0001, 0x0900_0001);

/// Model and motion table that no archive has, so that built-in animations play.
const IN_NO_ARCHIVE: (u32, u32) = (0x0200_FFFF, 0x0900_FFFF);

impl Being {
    const fn new(entity: EntityId, name: &'static str, records: (u32, u32), place: Placement) -> Self {
        Self { server: ServerEntity::new(entity), name, records, place }
    }

    fn created(&self) -> Message {
        let mut physics = self.server.description(&self.place);
        let (setup, motion_table) = self.records;
        physics.resources =
            Resources { setup: Some(setup), motion_table: Some(motion_table), ..Resources::default() };
        let mut create = CreateMessage::plain(CreateUpdate::new(self.server.id, physics));
        create.weenie.name = Text { bytes: self.name.as_bytes().to_vec(), has_long_length: false };
        Message::Create(Box::new(create))
    }

    fn deleted(&self) -> Message {
        self.server.delete().into()
    }

    fn positioned(&mut self, is_grounded: bool) -> Message {
        let mut pack = self.server.position_pack(&self.place);
        pack.has_contact = is_grounded;
        Update::Position(PositionUpdate { entity: self.server.id, pack }).into()
    }

    /// Returns a movement message. The server of this recording never increases the server-control
    /// stamp.
    fn moves(&mut self, state: InterpretedState, stick_to: Option<EntityId>, is_own: bool) -> Message {
        self.server.movement(MovementKind::Interpreted { state, stick_to }, u8::from(is_own)).into()
    }

    /// Moves ahead for one step and turns to the right. Speeds are in metres per second, the turn
    /// in radians per second.
    fn go(&mut self, speed: f32, turn: f32, rise: f32) {
        let dt = 1.0 / RATE as f32;
        let pose = self.place.pose.spun_locally(Vec3::new(0.0, 0.0, -turn * dt));
        let origin = pose.to_global(Vec3::new(0.0, speed * dt, rise * dt));
        if let Ok(pose) = pose.with_origin(origin)
            && let Ok(place) = Placement::new(self.place.cell, pose).settled_outdoors()
        {
            self.place = place;
        }
    }
}

/// A player, with her keys and the messages of her client and the server.
pub(super) struct Player {
    being: Being,
    forward: MotionCommand,
    speed: f32,
    turn: f32,
    /// Upward speed in metres per second while in the air, and the height of the ground.
    air: Option<(f32, f32)>,
    /// Changes since her last messages.
    news: Vec<News>,
    /// Time and place of her client's last report.
    reported: (f64, Placement),
    /// Time at which other clients last received her place.
    told: f64,
}

#[derive(Clone, Copy, PartialEq)]
enum News {
    Keys,
    Jumped(f32),
    Teleported,
    Landed,
}

impl Player {
    pub(super) const fn new(entity: EntityId, name: &'static str, place: Placement) -> Self {
        Self {
            being: Being::new(entity, name, PERSON, place),
            forward: MotionCommand::READY,
            speed: 1.0,
            turn: 0.0,
            air: None,
            news: Vec::new(),
            reported: (0.0, place),
            told: f64::NEG_INFINITY,
        }
    }

    pub(super) fn created(&self) -> Message {
        self.being.created()
    }

    pub(super) fn deleted(&self) -> Message {
        self.being.deleted()
    }

    pub(super) fn keys(&mut self, forward: MotionCommand, speed: f32, turn: f32) {
        (self.forward, self.speed, self.turn) = (forward, speed, turn);
        self.news.push(News::Keys);
    }

    pub(super) fn jump(&mut self, rise: f32) {
        self.air = Some((rise, self.being.place.pose.origin().z));
        self.news.push(News::Jumped(rise));
    }

    pub(super) fn teleport(&mut self, to: Placement) {
        self.being.place = to;
        self.being.server.next(StampKind::Teleport);
        self.news.push(News::Teleported);
    }

    fn ground_speed(&self) -> f32 {
        match self.forward {
            MotionCommand::WALK_FORWARD => WALK_SPEED * self.speed,
            MotionCommand::RUN_FORWARD => RUN_SPEED * self.speed,
            _ => 0.0,
        }
    }

    pub(super) fn step(&mut self, _time: f64) {
        let turn = self.turn * core::f32::consts::FRAC_PI_2;
        let rise = self.air.map_or(0.0, |(rise, _)| rise);
        self.being.go(self.ground_speed(), turn, rise);
        if let Some((rise, ground)) = &mut self.air {
            *rise -= GRAVITY / RATE as f32;
            let origin = self.being.place.pose.origin();
            if origin.z <= *ground {
                let landed = origin.with_z(*ground);
                self.air = None;
                if let Ok(pose) = self.being.place.pose.with_origin(landed) {
                    self.being.place.pose = pose;
                }
                self.news.push(News::Landed);
            }
        }
    }

    /// Returns the messages of her client, and those that the server sends to her (`is_self`) or to
    /// other clients.
    pub(super) fn speak(&mut self, time: f64, is_self: bool) -> (Vec<PlayerAction>, Vec<Message>) {
        let (mut said, mut told) = (Vec::new(), Vec::new());
        for news in core::mem::take(&mut self.news) {
            match news {
                News::Keys => {
                    said.push(PlayerAction::MoveToState(MoveToState {
                        state: self.raw(),
                        position: RawPlacement::from(&self.being.place),
                        stamps: self.stamps(),
                        contact: Contact(u8::from(self.air.is_none())),
                    }));
                    let state = self.interpreted();
                    told.push(self.being.moves(state, None, true));
                    self.reported = (time, self.being.place);
                    if is_self || time - self.told >= WITHHELD_SECS {
                        self.tell(time, &mut told);
                    }
                }
                News::Jumped(rise) => {
                    let local_velocity = Vec3::new(0.0, self.ground_speed(), rise);
                    said.push(PlayerAction::Jump(Jump {
                        extent: 0.5,
                        local_velocity,
                        position: RawPlacement::from(&self.being.place),
                        stamps: self.stamps(),
                    }));
                    let state = self.interpreted();
                    told.push(self.being.moves(state, None, true));
                    let velocity = self.being.place.pose.rotation().basis().to_global(local_velocity);
                    told.push(self.being.server.velocity(velocity).into());
                }
                // A jump on the spot ends where it began, so no report is due.
                News::Landed if self.ground_speed() == 0.0 => {}
                News::Landed => self.report(time, &mut said, &mut told),
                News::Teleported => {
                    self.reported = (time, self.being.place);
                    self.tell(time, &mut told);
                }
            }
        }
        let is_due = time - self.reported.0 > WITHHELD_SECS && self.reported.1 != self.being.place;
        if self.air.is_none() && (is_due || self.reported.1.cell != self.being.place.cell) {
            self.report(time, &mut said, &mut told);
        }
        (said, told)
    }

    /// Adds a report of her client, and the position message that the server passes on.
    fn report(&mut self, time: f64, said: &mut Vec<PlayerAction>, told: &mut Vec<Message>) {
        self.reported = (time, self.being.place);
        said.push(PlayerAction::AutonomousPosition(AutonomousPosition {
            position: RawPlacement::from(&self.being.place),
            stamps: self.stamps(),
            contact: Contact(1),
        }));
        self.tell(time, told);
    }

    fn tell(&mut self, time: f64, told: &mut Vec<Message>) {
        self.told = time;
        let is_grounded = self.air.is_none();
        told.push(self.being.positioned(is_grounded));
    }

    fn interpreted(&self) -> InterpretedState {
        let mut state = match self.forward {
            MotionCommand::READY => InterpretedState::default(),
            forward => InterpretedState::doing(forward, self.speed),
        };
        if self.turn != 0.0 {
            state.turn = Some(MotionCommand::TURN_RIGHT.index());
            state.turn_speed = Some(self.turn);
        }
        state
    }

    fn raw(&self) -> RawState {
        let axis = |command| RawAxis { command, ..RawAxis::default() };
        RawState {
            hold_key: (self.forward == MotionCommand::RUN_FORWARD).then_some(HoldKey::RUN),
            forward: axis((self.forward != MotionCommand::READY).then_some(MotionCommand::WALK_FORWARD)),
            turn: axis(match self.turn {
                turn if turn > 0.0 => Some(MotionCommand::TURN_RIGHT),
                turn if turn < 0.0 => Some(MotionCommand::TURN_LEFT),
                _ => None,
            }),
            ..RawState::default()
        }
    }

    const fn stamps(&self) -> PlayerStamps {
        PlayerStamps {
            instance: self.being.server.stamp(StampKind::Instance),
            server_control: self.being.server.stamp(StampKind::ServerControlledMove),
            teleport: self.being.server.stamp(StampKind::Teleport),
            force_position: self.being.server.stamp(StampKind::ForcePosition),
        }
    }
}

/// A creature that chases a player.
pub(super) struct Drudge {
    being: Being,
    mood: Mood,
    told: f64,
    news: Vec<Message>,
    moved: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Mood {
    Stands,
    Chases,
    /// Beside its prey, and following it.
    Strikes,
    Dead,
}

impl Drudge {
    pub(super) const fn new(entity: EntityId, name: &'static str, place: Placement) -> Self {
        Self {
            being: Being::new(entity, name, IN_NO_ARCHIVE, place),
            mood: Mood::Stands,
            told: f64::NEG_INFINITY,
            news: Vec::new(),
            moved: false,
        }
    }

    pub(super) fn created(&self) -> Message {
        self.being.created()
    }

    pub(super) fn deleted(&self) -> Message {
        self.being.deleted()
    }

    pub(super) fn chases(&mut self, _prey: &Player) {
        self.mood = Mood::Chases;
    }

    /// Strikes the prey. Servers send a new teleport stamp with the first swing, and the creature
    /// follows its prey.
    pub(super) fn strikes(&mut self, prey: &Player) {
        if self.mood != Mood::Strikes {
            self.mood = Mood::Strikes;
            self.being.server.next(StampKind::Teleport);
            let here = self.being.positioned(true);
            self.news.push(here);
        }
        let swing = MotionCommand(0x1000_0058);
        let state = InterpretedState {
            actions: vec![evenstride_types::update::ActionItem {
                command: swing.index(),
                stamp: self.being.server.stamp(StampKind::Movement).raw() & 0x7FFF,
                autonomous: false,
                speed: 1.0,
            }],
            ..InterpretedState::default()
        };
        let news = self.being.moves(state, Some(prey.being.server.id), false);
        self.news.push(news);
    }

    pub(super) fn dies(&mut self) {
        self.mood = Mood::Dead;
        let news = self.being.moves(InterpretedState::doing(MotionCommand(0x4000_0011), 1.0), None, false);
        self.news.push(news);
    }

    pub(super) fn step(&mut self, _time: f64, prey: &Player) {
        // A creature that has caught up stands. It runs again when the prey is more than 2 m away.
        let gap = self.being.place.distance_on_map(&prey.being.place);
        let moved = self.mood == Mood::Chases && gap > if self.moved { 1.2 } else { 2.0 };
        if self.mood == Mood::Chases && moved != self.moved {
            let state = if moved {
                InterpretedState::doing(MotionCommand::RUN_FORWARD, 1.2)
            } else {
                InterpretedState::default()
            };
            let news = self.being.moves(state, None, false);
            self.news.push(news);
        }
        self.moved = moved;
        if self.moved {
            let heading: Heading = self.being.place.heading_to(&prey.being.place);
            let pose: Pose = self.being.place.pose.with_rotation(Rotation::facing(heading));
            self.being.place.pose = pose;
            self.being.go(RUN_SPEED * 1.2, 0.0, 0.0);
        }
    }

    pub(super) fn speak(&mut self, time: f64) -> Vec<Message> {
        let mut told = core::mem::take(&mut self.news);
        if self.moved && time - self.told >= CREATURE_SECS {
            self.told = time;
            told.push(self.being.positioned(true));
        }
        told
    }
}
