//! Settings, bodies and keys of a host.

use evenstride::{
    BodySetup, Config,
    animation::{InterpretedMotion, MotionAxis},
    config::Limits,
    player::{Ahead, Autonomy, Input, Side, Skills},
};
use evenstride_types::{
    StampTable,
    update::{ItemType, MotionCommand},
};

use crate::draw::Draw;

impl Draw<'_> {
    /// Returns a profile, a profile with tight limits, or switches of any value.
    pub fn config(&mut self) -> Config {
        let (_, mut config) = self.pick(&Config::PROFILES);
        if self.one_in(3) {
            // Every switch by name, so that a new one is drawn from the day on which it exists.
            for switch in Config::SWITCHES.iter().filter(|switch| !switch.values.is_empty()) {
                if self.one_in(3) {
                    let value = self.pick(switch.values);
                    config.set(switch.name, value).expect("a switch takes its own values");
                }
            }
            config.max_step_secs = self.wide_number(1.0 / 30.0, 0.3);
            config.world = self.bits() as u8;
        }
        if self.one_in(4) {
            let mut few = |most: usize| self.below(most) as u32;
            config.limits = Limits::DEFAULT.with(|limits| {
                limits.bodies = few(12);
                limits.events = few(12);
                limits.actions = few(6);
                limits.parked_per_entity = few(6);
                limits.parked_bytes_per_entity = few(2_000);
                limits.parked = few(12);
                limits.parked_bytes = few(4_000);
                limits.decision_bytes = few(2_000);
            });
        }
        config
    }

    /// Returns a body of the host's own.
    pub fn body_setup(&mut self) -> BodySetup {
        let motion = InterpretedMotion {
            forward: MotionAxis::new(self.motion(), self.number(-1.0, 3.0)),
            sidestep: MotionAxis::new(MotionCommand::SIDESTEP_RIGHT, self.number(-1.0, 1.0)),
            turn: MotionAxis::new(MotionCommand::TURN_RIGHT, self.number(-1.0, 1.0)),
            run_rate: self.number(0.5, 3.0),
            speed_factor: self.number(0.5, 2.0),
            ..InterpretedMotion::STANDING
        };
        BodySetup {
            place: self.loose_placement(),
            state: self.physics_state(),
            item_type: ItemType(self.pick(&[0x10, 0, 1])),
            grounded: !self.one_in(4),
            motion: if self.one_in(3) { motion } else { InterpretedMotion::STANDING },
            stamps: StampTable::new(std::array::from_fn(|_| self.instance())),
            scale: self.number(0.5, 2.0),
            radius: self.number(0.1, 1.0),
            height: self.number(0.5, 3.0),
            friction: self.number(0.0, 1.0),
            elasticity: self.number(0.0, 0.1),
            velocity: self.vector(2.0),
            omega: self.vector(1.0),
        }
    }

    /// Returns keys of the local player.
    pub fn input(&mut self) -> Input {
        Input {
            ahead: self.pick(&[None, Some(Ahead::Forward), Some(Ahead::Forward), Some(Ahead::Back)]),
            aside: self.pick(&[None, None, Some(Side::Left), Some(Side::Right)]),
            turn: self.pick(&[None, None, Some(Side::Left), Some(Side::Right)]),
            run: self.one_in(2),
            style: if self.one_in(6) { self.motion() } else { MotionCommand::NON_COMBAT },
        }
    }

    /// Returns skills of the local player.
    pub fn skills(&mut self) -> Skills {
        let skill =
            |draw: &mut Self| if draw.is_wild() { draw.bits() as u32 } else { draw.below(800) as u32 };
        Skills { run: skill(self), jump: skill(self), load: self.number(0.0, 3.0) }
    }

    /// Returns who may move the local player.
    pub fn autonomy(&mut self) -> Autonomy {
        self.pick(&[Autonomy::Player, Autonomy::ServerButHeading, Autonomy::Server])
    }
}
