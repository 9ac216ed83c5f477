//! Movements, which are motion states, move-tos, turns and follows.

use evenstride_types::update::{
    ActionItem, CommandIndex, InterpretedState, MotionCommand, MoveToFlags, MoveToParams, Movement,
    MovementBody, MovementKind, TurnToParams,
};

use crate::draw::Draw;

impl Draw<'_> {
    pub(crate) fn movement(&mut self) -> Movement {
        Movement {
            stamp: self.stamp(),
            server_control: self.stamp(),
            autonomous: if self.is_wild() { self.bits() as u8 } else { self.below(2) as u8 },
            body: self.movement_body(),
        }
    }

    pub(crate) fn movement_body(&mut self) -> MovementBody {
        MovementBody {
            style: if self.one_in(4) { self.command() } else { MotionCommand::NON_COMBAT.index() },
            standing_long_jump: self.one_in(8),
            other_flags: self.odd_bits() as u8,
            kind: self.movement_kind(),
        }
    }

    fn movement_kind(&mut self) -> MovementKind {
        match self.below(12) {
            0..=5 => MovementKind::Interpreted {
                state: self.interpreted_state(),
                stick_to: self.sometimes(4, Self::entity),
            },
            6 | 7 => {
                let (cell, origin) = (self.cell(), self.origin());
                let (params, run_rate) = (self.move_to_params(), self.number(0.5, 3.0));
                MovementKind::MoveToObject { target: self.entity(), cell, origin, params, run_rate }
            }
            8 | 9 => {
                let (cell, origin) = (self.cell(), self.origin());
                let (params, run_rate) = (self.move_to_params(), self.number(0.5, 3.0));
                MovementKind::MoveToPosition { cell, origin, params, run_rate }
            }
            10 => MovementKind::TurnToObject {
                target: self.entity(),
                heading_deg: self.number(0.0, 360.0),
                params: self.turn_to_params(),
            },
            11 if self.one_in(4) => {
                let length = self.below(40);
                let bytes = (0..length).map(|_| self.bits() as u8).collect();
                MovementKind::Other { number: 1 + self.below(5) as u8, bytes }
            }
            _ => MovementKind::TurnToHeading(self.turn_to_params()),
        }
    }

    fn interpreted_state(&mut self) -> InterpretedState {
        let actions = if self.one_in(4) { self.below(5) } else { 0 };
        InterpretedState {
            style: self.sometimes(4, Self::command),
            forward: self.sometimes(2, Self::command),
            sidestep: self.sometimes(4, Self::command),
            turn: self.sometimes(4, Self::command),
            forward_speed: self.sometimes(2, |draw| draw.number(-1.0, 3.0)),
            sidestep_speed: self.sometimes(4, |draw| draw.number(-1.0, 3.0)),
            turn_speed: self.sometimes(4, |draw| draw.number(-2.0, 2.0)),
            actions: (0..actions).map(|_| self.action_item()).collect(),
            other_flags: self.odd_bits(),
        }
    }

    pub(crate) fn action_item(&mut self) -> ActionItem {
        ActionItem {
            command: self.command(),
            stamp: if self.one_in(4) { self.bits() as u16 } else { self.below(8) as u16 },
            autonomous: self.one_in(3),
            speed: self.number(0.5, 2.0),
        }
    }

    /// Returns a command that moves, a style, an action, or any.
    pub(crate) fn command(&mut self) -> CommandIndex {
        CommandIndex(match self.below(6) {
            0..=3 => 3 + self.below(0x13) as u16,
            4 => self.below(0x1A0) as u16,
            _ if self.is_wild() => self.bits() as u16,
            _ => self.pick(&[0x3C, 0x3D, 0x3E, 0x62, 0x76, 0x87]),
        })
    }

    pub(crate) fn move_to_params(&mut self) -> MoveToParams {
        MoveToParams {
            flags: self.move_to_flags(),
            distance_to_object: self.number(0.0, 5.0),
            min_distance: self.number(0.0, 10.0),
            fail_distance: self.number(1.0, 200.0),
            speed: self.number(0.1, 3.0),
            walk_run_threshold: self.number(0.0, 20.0),
            desired_heading_deg: self.number(0.0, 360.0),
        }
    }

    fn turn_to_params(&mut self) -> TurnToParams {
        TurnToParams {
            flags: self.move_to_flags(),
            speed: self.number(0.1, 3.0),
            desired_heading_deg: self.number(0.0, 360.0),
        }
    }

    /// Returns the flags of a recorded session with some bits changed, or any.
    fn move_to_flags(&mut self) -> MoveToFlags {
        if self.is_wild() {
            return MoveToFlags::from_bits_retain(self.bits() as u32);
        }
        let usual = [
            MoveToFlags::CLIENT_DEFAULT,
            MoveToFlags::CLIENT_DEFAULT | MoveToFlags::STICKY,
            MoveToFlags::CLIENT_DEFAULT | MoveToFlags::USE_FINAL_HEADING,
            MoveToFlags::CLIENT_DEFAULT | MoveToFlags::CAN_CHARGE,
            (MoveToFlags::CLIENT_DEFAULT | MoveToFlags::MOVE_AWAY) - MoveToFlags::MOVE_TOWARDS,
            MoveToFlags::CLIENT_DEFAULT | MoveToFlags::MOVE_AWAY,
            MoveToFlags::CLIENT_DEFAULT - MoveToFlags::CAN_RUN,
            MoveToFlags::CLIENT_DEFAULT | MoveToFlags::FAIL_WALK,
        ];
        let flags = self.pick(&usual);
        if self.one_in(4) { flags ^ MoveToFlags::from_bits_retain(1 << self.below(18)) } else { flags }
    }
}
