//! The systems of a frame: time, updates and transforms.

use bevy_ecs::{entity_disabling::Disabled, prelude::*};
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use evenstride::generic::{PlainDrawn, PlainPose};

use crate::{RefuseReason, Remote, RemoteRefused, RemoteThrow, RemoteUpdate, Remotes, clock::Clocks};

/// Moves time on.
pub(crate) fn advance(clocks: Clocks, mut remotes: ResMut<Remotes>) {
    remotes.advance(clocks.now());
}

/// Handles the updates and throws that were written since the last frame.
pub(crate) fn receive(
    mut updates: MessageReader<RemoteUpdate>,
    mut throws: MessageReader<RemoteThrow>,
    known: Query<(), (With<Remote>, Allow<Disabled>)>,
    mut remotes: ResMut<Remotes>,
    mut commands: Commands,
) {
    for update in updates.read() {
        let entity = remotes.find(update.remote).filter(|entity| known.contains(*entity));
        let handled = entity.ok_or(RefuseReason::UnknownRemote).and_then(|entity| {
            let plain = update.plain(remotes.is_flat)?;
            remotes.update(entity, &plain)
        });
        if let Err(reason) = handled {
            remotes.stats.refused_updates += 1;
            commands.trigger(RemoteRefused { update: *update, reason });
        }
    }
    for throw in throws.read() {
        let thrown =
            remotes.find(throw.remote).map(|entity| remotes.throw(entity, throw.velocity.to_array()));
        if !matches!(thrown, Some(Ok(()))) {
            remotes.stats.refused_updates += 1;
        }
    }
}

/// Writes the transforms of the remotes that moved. An equal transform is not written, so it does not
/// count as changed.
pub(crate) fn draw(
    mut remotes: ResMut<Remotes>,
    mut transforms: Query<&mut Transform, (With<Remote>, Allow<Disabled>)>,
) {
    let Remotes { world, is_flat, now, drawn, inserted, .. } = &mut *remotes;
    let mut write = |bits: u64, pose: &PlainPose| {
        let entity = Entity::try_from_bits(bits);
        let Some(mut transform) = entity.and_then(|entity| transforms.get_mut(entity).ok()) else { return };
        let fresh = moved(&transform, pose, *is_flat);
        transform.set_if_neq(fresh);
    };
    // A remote at rest is not among the changed ones.
    for entity in inserted.drain() {
        if let Some(pose) = world.drawn(entity.to_bits(), *now) {
            write(entity.to_bits(), &pose);
        }
    }
    if drawn.len() < world.len() {
        drawn.resize(world.len(), PlainDrawn::EMPTY);
    }
    let count = world.changed_into(*now, drawn);
    for drawn in &drawn[..count] {
        write(drawn.entity, &drawn.pose);
    }
    world.forget_changed();
}

/// Notes remotes whose `Transform` is another one than that which was drawn last.
pub(crate) fn note_inserted(
    inserted: On<Insert<Transform>>,
    known: Query<(), (With<Remote>, Allow<Disabled>)>,
    remotes: Option<ResMut<Remotes>>,
) {
    if known.contains(inserted.entity)
        && let Some(mut remotes) = remotes
    {
        remotes.inserted.insert(inserted.entity);
    }
}

/// Returns a transform at a drawn place, with the scale and, in flat games, the layer that it had.
fn moved(before: &Transform, pose: &PlainPose, is_flat: bool) -> Transform {
    let [x, y, z] = pose.position.map(|units| units as f32);
    Transform {
        translation: Vec3::new(x, y, if is_flat { before.translation.z } else { z }),
        rotation: Quat::from_array(pose.rotation),
        scale: before.scale,
    }
}
