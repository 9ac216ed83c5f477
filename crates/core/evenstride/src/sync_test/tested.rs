//! The two kinds of world in a sync test, how each is restored and what is compared.

use alloc::{format, sync::Arc, vec::Vec};
use core::fmt::Debug;

use evenstride_types::EntityId;

use super::Difference;
use crate::{
    generic::PlainWorld,
    save::{RestoreError, bytes::Saved},
    world::MotionWorld,
};

/// A world that a sync test can save, restore and compare, which is a `MotionWorld` or a
/// [`PlainWorld`].
///
/// Hosts name it in functions that take any of the two. Its methods are not for them.
pub trait TestedWorld: Sized {
    /// Writes everything that saving writes.
    fn write_save(&self, bytes: &mut Vec<u8>);

    /// Restores a world from a save of `self`, with the same library and without poses.
    ///
    /// # Errors
    /// [`RestoreError`] if the bytes are rejected.
    fn read_save(&self, bytes: &[u8]) -> Result<Self, RestoreError>;

    /// Returns the motion world, which may be the world itself.
    fn motion(&self) -> &MotionWorld;

    /// Returns the motion world for changes.
    fn motion_mut(&mut self) -> &mut MotionWorld;

    /// Copies events and decisions that the host has not polled yet, because saves leave them out.
    fn copy_record(&mut self, from: &Self);

    /// Returns whether unpolled events are the same.
    fn has_same_events(&self, other: &Self) -> bool;

    /// Returns the host's id of an entity of the motion world.
    fn host_id(&self, entity: EntityId) -> u64;

    /// Saves and restores the world. `saves` are buffers.
    ///
    /// # Errors
    /// [`Difference`] if the save is rejected, or the restored world saves to other bytes.
    fn restored(&self, saves: &mut [Vec<u8>; 2]) -> Result<Self, Difference> {
        saves.iter_mut().for_each(Vec::clear);
        let [saved, again] = saves;
        self.write_save(saved);
        let drawing = self.motion().save_drawing();
        let mut twin = self.read_save(saved).map_err(Difference::Refused)?;
        twin.motion_mut().restore_drawing(&drawing).map_err(Difference::Refused)?;
        twin.write_save(again);
        if saved != again || drawing != twin.motion().save_drawing() {
            return Err(Difference::SavedAgain);
        }
        twin.copy_record(self);
        Ok(twin)
    }

    /// Returns the first difference between a world and its twin, or `None`. `saves` are buffers.
    fn difference(world: &Self, twin: &Self, saves: &mut [Vec<u8>; 2]) -> Option<Difference> {
        saves.iter_mut().for_each(Vec::clear);
        world.write_save(&mut saves[0]);
        twin.write_save(&mut saves[1]);
        let (one, other) = (world.motion(), twin.motion());
        if saves[0] != saves[1] {
            let is_state_same = one.state_hash() == other.state_hash();
            return Some(if is_state_same && !is_same_saved(&one.outbox, &other.outbox) {
                Difference::Actions
            } else if is_state_same && has_other_bookkeeping(one, other) {
                Difference::Counters
            } else {
                let differs = |entity: &_| is_other(&one.body(*entity), &other.body(*entity));
                Difference::State { entity: first(world, twin, differs) }
            });
        }
        if one.drawing_hash() != other.drawing_hash() {
            let now = one.now();
            let differs = |entity: &_| is_other(&one.drawn(*entity, now), &other.drawn(*entity, now));
            return Some(Difference::Drawing { entity: first(world, twin, differs) });
        }
        (!world.has_same_events(twin)).then_some(Difference::Events)
    }
}

impl TestedWorld for MotionWorld {
    fn write_save(&self, bytes: &mut Vec<u8>) {
        self.save_into(bytes);
    }

    fn read_save(&self, bytes: &[u8]) -> Result<Self, RestoreError> {
        Self::restore_with(bytes, Arc::clone(self.library()))
    }

    fn motion(&self) -> &MotionWorld {
        self
    }

    fn motion_mut(&mut self) -> &mut MotionWorld {
        self
    }

    fn copy_record(&mut self, from: &Self) {
        self.record.events.clone_from(&from.record.events);
        self.record.decisions.clone_from(&from.record.decisions);
    }

    fn has_same_events(&self, other: &Self) -> bool {
        let (one, other) = (&self.record.events.queue, &other.record.events.queue);
        one == other || !is_other(one, other)
    }

    fn host_id(&self, entity: EntityId) -> u64 {
        entity.raw().into()
    }
}

impl TestedWorld for PlainWorld {
    fn write_save(&self, bytes: &mut Vec<u8>) {
        self.save_into(bytes);
    }

    fn read_save(&self, bytes: &[u8]) -> Result<Self, RestoreError> {
        Self::restore_with(bytes, Arc::clone(self.motion().library()))
    }

    fn motion(&self) -> &MotionWorld {
        Self::motion(self)
    }

    fn motion_mut(&mut self) -> &mut MotionWorld {
        Self::motion_mut(self)
    }

    fn copy_record(&mut self, from: &Self) {
        self.events.clone_from(&from.events);
        self.motion_mut().copy_record(from.motion());
    }

    fn has_same_events(&self, other: &Self) -> bool {
        (self.events == other.events || !is_other(&self.events, &other.events))
            && self.motion().has_same_events(other.motion())
    }

    fn host_id(&self, entity: EntityId) -> u64 {
        self.ids.outer(entity).unwrap_or(entity.raw().into())
    }
}

/// Returns the host's id of the first entity of either world that differs.
fn first<W: TestedWorld>(world: &W, twin: &W, differs: impl Fn(&EntityId) -> bool) -> Option<u64> {
    let of_world = world.motion().entities().find(&differs).map(|entity| world.host_id(entity));
    of_world.or_else(|| twin.motion().entities().find(&differs).map(|entity| twin.host_id(entity)))
}

/// Returns whether two values differ in their `Debug` text, in which NaN equals NaN.
fn is_other(one: &impl Debug, other: &impl Debug) -> bool {
    format!("{one:?}") != format!("{other:?}")
}

/// Returns whether counters or traced entities differ.
fn has_other_bookkeeping(one: &MotionWorld, other: &MotionWorld) -> bool {
    !is_same_saved(&one.stats(), &other.stats())
        || (&one.traced, one.traces_all) != (&other.traced, other.traces_all)
}

/// Returns whether two values are saved as the same bytes.
fn is_same_saved<T: Saved>(one: &T, other: &T) -> bool {
    let bytes = |value: &T| {
        let mut bytes = Vec::new();
        value.write(&mut bytes);
        bytes
    };
    bytes(one) == bytes(other)
}
