//! Messages of a recorded client, which a host replays.

use evenstride_types::{
    Stamp,
    update::{
        AutonomousPosition, Contact, HoldKey, Jump, MotionCommand, MoveToState, MovementCommand,
        PlayerAction, PlayerStamps, RawAxis, RawState, StopCommand,
    },
};

use crate::draw::Draw;

impl Draw<'_> {
    /// Returns a message of any kind.
    pub fn action(&mut self) -> PlayerAction {
        match self.below(12) {
            0..=4 => PlayerAction::MoveToState(MoveToState {
                state: self.raw_state(),
                position: self.raw_placement(),
                stamps: self.player_stamps(),
                contact: self.contact(),
            }),
            5 | 6 => PlayerAction::AutonomousPosition(AutonomousPosition {
                position: self.raw_placement(),
                stamps: self.player_stamps(),
                contact: self.contact(),
            }),
            7 => PlayerAction::Jump(Jump {
                extent: self.number(0.0, 1.0),
                local_velocity: self.vector(8.0),
                position: self.raw_placement(),
                stamps: self.player_stamps(),
            }),
            8 => PlayerAction::ServerJump { extent: self.number(0.0, 1.0) },
            9 => PlayerAction::MovementCommand(MovementCommand {
                motion: self.motion(),
                speed: self.number(0.0, 3.0),
                hold_key: self.hold_key(),
            }),
            10 => PlayerAction::StopCommand(StopCommand { motion: self.motion(), hold_key: self.hold_key() }),
            _ => match self.below(3) {
                0 => PlayerAction::TurnTo { heading_deg: self.number(0.0, 360.0), run: self.below(2) as u32 },
                1 => PlayerAction::AutonomyLevel(self.below(4) as u32),
                _ => PlayerAction::LoginComplete,
            },
        }
    }

    fn player_stamps(&mut self) -> PlayerStamps {
        let mut stamp = || Stamp::new(self.below(3) as u16);
        PlayerStamps {
            instance: stamp(),
            server_control: stamp(),
            teleport: stamp(),
            force_position: stamp(),
        }
    }

    fn contact(&mut self) -> Contact {
        Contact(if self.one_in(6) { self.bits() as u8 } else { 1 })
    }

    fn raw_state(&mut self) -> RawState {
        let actions = if self.one_in(5) { self.below(3) } else { 0 };
        RawState {
            hold_key: self.sometimes(2, Self::hold_key),
            style: self.sometimes(5, Self::motion),
            forward: self.raw_axis(),
            sidestep: self.raw_axis(),
            turn: self.raw_axis(),
            actions: (0..actions).map(|_| self.action_item()).collect(),
            other_flags: self.odd_bits(),
        }
    }

    fn raw_axis(&mut self) -> RawAxis {
        RawAxis {
            command: self.sometimes(2, Self::motion),
            hold_key: self.sometimes(4, Self::hold_key),
            speed: self.sometimes(3, |draw| draw.number(-1.0, 3.0)),
        }
    }

    fn hold_key(&mut self) -> HoldKey {
        HoldKey(if self.is_wild() { self.bits() as u32 } else { self.below(3) as u32 })
    }

    pub(crate) fn motion(&mut self) -> MotionCommand {
        let motions = [
            MotionCommand::READY,
            MotionCommand::WALK_FORWARD,
            MotionCommand::WALK_BACKWARDS,
            MotionCommand::RUN_FORWARD,
            MotionCommand::TURN_RIGHT,
            MotionCommand::TURN_LEFT,
            MotionCommand::SIDESTEP_RIGHT,
            MotionCommand::SIDESTEP_LEFT,
            MotionCommand::CROUCH,
            MotionCommand::NON_COMBAT,
        ];
        if self.is_wild() { MotionCommand(self.bits() as u32) } else { self.pick(&motions) }
    }
}
