//! A host and a network that do anything in any order.

mod common;

use bevy_ecs::prelude::*;
use bevy_evenstride::{
    Remote, RemoteName, RemoteThrow, RemoteTime, RemoteUpdate, Remotes, RemotesPlugin,
    evenstride::generic::{PlainLimits, SenderClock},
};
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use common::{frame, game_with};

/// Numbers that repeat from a seed.
struct Dice(u64);

impl Dice {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, count: u64) -> u64 {
        (self.bits() >> 20) % count
    }

    /// Returns a number that is mostly ordinary.
    fn number(&mut self) -> f32 {
        match self.below(40) {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => -1e30,
            3 => f32::from_bits(self.bits() as u32),
            _ => self.below(2_000) as f32 / 50.0 - 20.0,
        }
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    fn name(&mut self, entities: &[Entity]) -> RemoteName {
        let index = self.below(12) as usize;
        match entities.get(index).filter(|_| self.below(2) == 0) {
            Some(entity) => (*entity).into(),
            None => (index as u64).into(),
        }
    }

    fn update(&mut self, entities: &[Entity]) -> RemoteUpdate {
        let turn = Quat::from_xyzw(self.number(), 0.0, self.number(), 1.0);
        let update = RemoteUpdate::new(self.name(entities), (self.vector(), turn));
        RemoteUpdate {
            velocity: (self.below(2) == 0).then(|| self.vector()),
            number: (self.below(3) == 0).then(|| self.below(100)),
            sent_secs: (self.below(3) == 0).then(|| f64::from(self.number())),
            teleports: self.below(10) == 0,
            ..update
        }
    }
}

#[test]
fn nothing_panics_and_every_transform_stays_finite() {
    for seed in 1..=8 {
        let mut dice = Dice(seed * 0x9E37_79B9);
        let clocks = [SenderClock::OrderOnly, SenderClock::Own, SenderClock::Shared];
        let plugin = if seed % 2 == 0 { RemotesPlugin::two_d() } else { RemotesPlugin::three_d() };
        let mut app = game_with(plugin.with(|config| config.sender_clock = clocks[seed as usize % 3]));
        // Hosts despawn what they are told about.
        app.add_observer(|refused: On<bevy_evenstride::RemoteSnapped>, mut commands: Commands| {
            if refused.distance > 100.0 {
                commands.entity(refused.entity).try_despawn();
            }
        });
        let mut entities: Vec<Entity> = Vec::new();
        for _ in 0..1_500 {
            match dice.below(12) {
                0 => {
                    let limits = PlainLimits::NONE.top_speed(dice.number()).snap_distance(dice.number());
                    let remote = Remote::with_id(dice.below(12)).limited(limits);
                    entities.push(app.world_mut().spawn(remote).id());
                }
                1 => entities.push(app.world_mut().spawn(Remote::new()).id()),
                2 if entities.len() > 6 => {
                    let entity = entities.swap_remove(dice.below(6) as usize);
                    let _ = app.world_mut().try_despawn(entity);
                }
                3 => {
                    let name = dice.name(&entities);
                    app.world_mut().write_message(RemoteThrow::new(name, dice.vector()));
                }
                4 => {
                    let leap = f64::from(dice.number());
                    app.world_mut().resource_mut::<RemoteTime>().0 +=
                        if dice.below(4) == 0 { leap } else { 0.0 };
                }
                _ => _ = app.world_mut().write_message(dice.update(&entities)),
            }
            if !app.world().resource::<RemoteTime>().0.is_finite() {
                app.world_mut().resource_mut::<RemoteTime>().0 = 7.0;
            }
            frame(&mut app);
        }
        let mut transforms = app.world_mut().query_filtered::<&Transform, With<Remote>>();
        let all: Vec<Transform> = transforms.iter(app.world()).copied().collect();
        assert!(!all.is_empty() && all.iter().all(|one| one.is_finite()), "seed {seed}: {all:?}");
        let remotes = app.world().resource::<Remotes>();
        assert!(remotes.world().len() <= all.len(), "seed {seed}: no motion outlives its entity");
        assert!(remotes.stats().refused_updates > 0);
    }
}
