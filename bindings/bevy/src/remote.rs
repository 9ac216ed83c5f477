//! The component of a remote entity, and the hooks that keep the world in step with it.

use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};
use bevy_transform::components::Transform;
use evenstride::generic::PlainLimits;

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
/// The component is immutable. Insert it again to change its number or its limits. The motion goes on.
///
/// ```
/// use bevy_evenstride::{Remote, evenstride::generic::PlainLimits};
///
/// // Never believed to be faster than 4 units per second, and placed if it is 10 units off.
/// let limits = PlainLimits::NONE.top_speed(4.0).snap_distance(10.0);
/// assert_eq!(Remote::with_id(42).limited(limits).id(), Some(42));
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[component(immutable, on_insert = claim, on_discard = release, on_remove = remove)]
#[require(Transform)]
pub struct Remote {
    /// Number of the entity in the game's protocol.
    id: Option<u64>,
    /// Limits of its own.
    limits: Option<PlainLimits>,
}

impl Remote {
    /// Makes a remote whose updates name its `Entity`, as with crates that map entities.
    pub const fn new() -> Self {
        Self { id: None, limits: None }
    }

    /// Makes a remote whose updates name this number.
    ///
    /// If two remotes have one number, the later one has it. [`RemoteReplaced`] is triggered on the
    /// earlier one, which then receives only updates that name its entity.
    pub const fn with_id(id: u64) -> Self {
        Self { id: Some(id), limits: None }
    }

    /// Returns the remote with limits of its own, in place of those of the plugin.
    #[must_use]
    pub const fn limited(self, limits: PlainLimits) -> Self {
        Self { limits: Some(limits), ..self }
    }

    /// Returns the number, if there is one.
    pub const fn id(&self) -> Option<u64> {
        self.id
    }

    /// Returns the limits, if it has its own.
    pub const fn limits(&self) -> Option<PlainLimits> {
        self.limits
    }
}

/// Notes the number and the limits of a remote.
fn claim(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let Some(remote) = world.get::<Remote>(entity).copied() else { return };
    let Some(mut remotes) = world.get_resource_mut::<Remotes>() else { return };
    remotes.limit(entity, remote.limits);
    let Some(id) = remote.id else { return };
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
