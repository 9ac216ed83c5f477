//! Motion libraries.

use evenstride::animation::{
    Animation, BUILT_IN_CREATURE, BUILT_IN_HUMANOID, Clip, Hook, HookDirection, Model, Motion, MotionLibrary,
    MotionTable,
};
use evenstride_types::{Pose, Rotation, update::MotionCommand};

use crate::draw::Draw;

impl Draw<'_> {
    /// Returns the built-in library, an empty one, or one with motions of any kind.
    pub fn library(&mut self) -> MotionLibrary {
        match self.below(5) {
            0 | 1 => MotionLibrary::built_in(),
            2 => MotionLibrary::default(),
            _ => self.own_library(),
        }
    }

    fn own_library(&mut self) -> MotionLibrary {
        let mut library = if self.one_in(2) { MotionLibrary::built_in() } else { MotionLibrary::default() };
        for number in 1..=3 {
            let animation = self.animation();
            library.add_animation(number, animation);
        }
        let tables = [BUILT_IN_HUMANOID, BUILT_IN_CREATURE, 0x0900_0001, 0x0900_0002];
        let count = 1 + self.below(tables.len());
        for number in &tables[..count] {
            let table = self.table();
            library.add_table(*number, table);
        }
        if self.one_in(2) {
            let motion_table = self.pick(&[0, 0x0900_0001, 0x0900_0007]);
            let model = Model { motion_table, radius: self.number(0.1, 2.0), height: self.number(0.2, 4.0) };
            library.add_model(0x0200_0001, model);
        }
        library
    }

    fn table(&mut self) -> MotionTable {
        let (style, ready) = (MotionCommand::NON_COMBAT, MotionCommand::READY);
        let mut table = MotionTable::new(style);
        table.set_style_default(style, ready);
        let commands = [
            ready,
            MotionCommand::WALK_FORWARD,
            MotionCommand::RUN_FORWARD,
            MotionCommand::SIDESTEP_RIGHT,
            MotionCommand::TURN_RIGHT,
            MotionCommand::FALLING,
            MotionCommand(0x1000_0062),
        ];
        for command in commands {
            if self.one_in(6) {
                continue;
            }
            let motion = self.clips();
            table.set_cycle(MotionTable::key(style, command), motion);
            if self.one_in(2) {
                let motion = self.clips();
                table.set_modifier(MotionTable::key(style, command), motion);
            }
        }
        if self.one_in(2) {
            let motion = self.clips();
            let (first, last) = (self.motion(), self.motion());
            table.set_any_link(first, last, motion);
        }
        for _ in 0..self.below(4) {
            let (from, to, motion) = (self.motion(), self.motion(), self.clips());
            table.set_link(MotionTable::key(style, from), to, motion);
        }
        table
    }

    fn clips(&mut self) -> Motion {
        let clips = self.below(4);
        Motion {
            clips: (0..clips)
                .map(|_| Clip {
                    animation: 1 + self.below(4) as u32,
                    low: self.below(8) as i32 - 2,
                    high: self.below(8) as i32 - 2,
                    rate: self.number(-40.0, 40.0),
                })
                .collect(),
            bits: self.below(4) as u8,
            velocity: self.vector(6.0),
            omega: self.vector(2.0),
        }
    }

    fn animation(&mut self) -> Animation {
        let frames = 1 + self.below(6);
        let is_still = self.one_in(3);
        let root = (0..frames).map(|_| {
            let rotation = Rotation::new(self.quaternion()).unwrap_or(Rotation::IDENTITY);
            Pose::new(self.vector(0.3), rotation).unwrap_or(Pose::IDENTITY)
        });
        let root: Vec<Pose> = if is_still { Vec::new() } else { root.collect() };
        let hooks = if self.one_in(2) { self.below(4) } else { 0 };
        let directions = [HookDirection::Both, HookDirection::Forward, HookDirection::Backward];
        let hooks = (0..hooks).map(|_| Hook {
            frame: self.below(7) as u32,
            kind: self.below(24) as u32,
            direction: self.pick(&directions),
            value: self.bits() as u32,
        });
        let hooks = hooks.collect();
        Animation::new(frames as u32, root)
            .and_then(|animation| animation.with_hooks(hooks))
            .expect("a few keyframes with a few hooks are an animation")
    }
}
