//! The component of a remote entity, and the hooks that keep the world in step with it.

use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};
use bevy_transform::components::Transform;

use crate::{RemoteReplaced, Remotes};

/// An entity that moves by the updates about it.
///
/// The first update places it. Until then, its `Transform` stays as it is. From then on, the plugins
/// write translation and rotation whenever they change, and leave the scale alone. Positions are
/// those of the `Transform`, so they are relative to the parent if the entity has one.
///
/// Removing the component, or despawning the entity, removes its motion. A later component on the
/// same entity begins from scratch.
///
/// The component is immutable. Insert it again to change its number. The motion goes on.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[component(immutable, on_insert = claim, on_discard = release, on_remove = remove)]
#[require(Transform)]
pub struct Remote {
    /// Number of the entity in the game's protocol.
    id: Option<u64>,
}

impl Remote {
    /// Makes a remote whose updates name its `Entity`, as with crates that map entities.
    pub const fn new() -> Self {
        Self { id: None }
    }

    /// Makes a remote whose updates name this number.
    ///
    /// If two remotes have one number, the later one has it. [`RemoteReplaced`] is triggered on the
    /// earlier one, which then receives only updates that name its entity.
    pub const fn with_id(id: u64) -> Self {
        Self { id: Some(id) }
    }

    /// Returns the number, if there is one.
    pub const fn id(&self) -> Option<u64> {
        self.id
    }
}

/// Notes the number of a remote.
fn claim(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let Some(id) = world.get::<Remote>(entity).and_then(Remote::id) else { return };
    let Some(mut remotes) = world.get_resource_mut::<Remotes>() else { return };
    if let Some(earlier) = remotes.claim(id, entity) {
        world.trigger(RemoteReplaced { entity: earlier, by: entity, id });
    }
}

/// Forgets the number of a remote, before another one is noted or the component goes.
fn release(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let Some(id) = world.get::<Remote>(entity).and_then(Remote::id) else { return };
    if let Some(mut remotes) = world.get_resource_mut::<Remotes>() {
        remotes.release(id, entity);
    }
}

/// Removes the motion of a remote.
fn remove(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut remotes) = world.get_resource_mut::<Remotes>() {
        remotes.remove(entity);
    }
}
