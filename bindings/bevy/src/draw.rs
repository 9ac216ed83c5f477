//! The systems of a frame: time, updates and transforms.

use bevy_ecs::{entity_disabling::Disabled, prelude::*};
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use evenstride::generic::PlainDrawn;

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
    let Remotes { world, is_flat, now, drawn, .. } = &mut *remotes;
    if drawn.len() < world.len() {
        drawn.resize(world.len(), PlainDrawn::EMPTY);
    }
    let count = world.changed_into(*now, drawn);
    for drawn in &drawn[..count] {
        let entity = Entity::try_from_bits(drawn.entity);
        let Some(mut transform) = entity.and_then(|entity| transforms.get_mut(entity).ok()) else { continue };
        let fresh = moved(&transform, drawn, *is_flat);
        transform.set_if_neq(fresh);
    }
    world.forget_changed();
}

/// Returns a transform at a drawn place, with the scale and, in flat games, the layer that it had.
fn moved(before: &Transform, drawn: &PlainDrawn, is_flat: bool) -> Transform {
    let [x, y, z] = drawn.pose.position.map(|units| units as f32);
    Transform {
        translation: Vec3::new(x, y, if is_flat { before.translation.z } else { z }),
        rotation: Quat::from_array(drawn.pose.rotation),
        scale: before.scale,
    }
}
