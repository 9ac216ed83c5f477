//! The library of animations, motion tables and models, by the numbers that the game gives them.
//!
//! A host fills it once, from archives, from text or with the built-in tables, and shares it
//! between worlds. A world only reads it. Lookups by number are binary searches. Sequences refer to
//! animations by position, which is a plain index.

use alloc::vec::Vec;

use crate::{
    motion::{Animation, MotionTable},
    outcome::TableOrigin,
};

/// The properties of bodies made from a model, as far as motion needs them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "CSetup")]
pub struct Model {
    /// Number of the model's own motion table, 0 for none. A table that the server names takes
    /// precedence.
    pub motion_table: u32,
    /// Radius in metres, before scaling. An invalid radius is ignored.
    pub radius: f32,
    /// Height above the origin in metres, before scaling. An invalid height is ignored.
    pub height: f32,
}

/// Animations, motion tables and models. All bodies of a world share one library, which they only
/// read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionLibrary {
    /// Sorted by number. An animation is referred to by its index here, which changes when an
    /// animation with a lower number is added.
    animations: Vec<(u32, Animation)>,
    /// Sorted by number, with the origin of each table.
    tables: Vec<(u32, (MotionTable, TableOrigin))>,
    /// Sorted by number.
    models: Vec<(u32, Model)>,
}

impl MotionLibrary {
    /// Adds an animation, and replaces an existing one with the same number. Number 0 means no
    /// animation, and is never found.
    pub fn add_animation(&mut self, number: u32, animation: Animation) {
        put(&mut self.animations, number, animation);
    }

    /// Adds a motion table, and replaces an existing one with the same number, even a built-in one.
    pub fn add_table(&mut self, number: u32, table: MotionTable) {
        put(&mut self.tables, number, (table, TableOrigin::Added));
    }

    /// Adds a motion table whose origin is [`TableOrigin::BuiltIn`].
    pub(super) fn add_built_in_table(&mut self, number: u32, table: MotionTable) {
        put(&mut self.tables, number, (table, TableOrigin::BuiltIn));
    }

    /// Adds a model, and replaces an existing one with the same number.
    pub fn add_model(&mut self, number: u32, model: Model) {
        put(&mut self.models, number, model);
    }

    /// Returns a hash of the whole content, except the origins of tables.
    ///
    /// A saved world stores this hash, and cannot be restored with another library.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hash = evenstride_types::StateHash::new();
        for (number, animation) in &self.animations {
            hash.bytes(&number.to_le_bytes());
            animation.fingerprint(&mut hash);
        }
        for (number, (table, _)) in &self.tables {
            hash.bytes(&number.to_le_bytes());
            table.fingerprint(&mut hash);
        }
        for (number, model) in &self.models {
            hash.bytes(&number.to_le_bytes());
            hash.bytes(&model.motion_table.to_le_bytes());
            hash.bytes(&model.radius.to_bits().to_le_bytes());
            hash.bytes(&model.height.to_bits().to_le_bytes());
        }
        hash.finish()
    }

    /// Returns the number of animations.
    pub(crate) fn len(&self) -> u32 {
        self.animations.len() as u32
    }

    /// Returns the motion table with this number, or `None` if it is missing.
    pub fn table(&self, number: u32) -> Option<&MotionTable> {
        get(&self.tables, number).map(|(table, _)| table)
    }

    /// Returns the origin of the motion table with this number, or `None` if it is missing.
    pub fn origin(&self, number: u32) -> Option<TableOrigin> {
        get(&self.tables, number).map(|(_, origin)| *origin)
    }

    /// Returns the model with this number, or `None` if it is missing.
    pub fn model(&self, number: u32) -> Option<&Model> {
        get(&self.models, number)
    }

    /// Returns the position of the animation with this number, or `None` if it is missing or the
    /// number is 0.
    pub(crate) fn find(&self, number: u32) -> Option<u32> {
        if number == 0 {
            return None;
        }
        let place = self.animations.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        Some(place as u32)
    }

    /// Returns the animation at a position.
    #[inline]
    pub(crate) fn animation(&self, place: u32) -> Option<&Animation> {
        self.animations.get(place as usize).map(|(_, animation)| animation)
    }

    /// Returns the number of the animation at a position, or 0 if there is none.
    pub(crate) fn number(&self, place: u32) -> u32 {
        self.animations.get(place as usize).map_or(0, |(number, _)| *number)
    }
}

/// Returns the item with a number, by binary search.
fn get<T>(list: &[(u32, T)], number: u32) -> Option<&T> {
    let place = list.binary_search_by_key(&number, |(number, _)| *number).ok()?;
    Some(&list[place].1)
}

/// Inserts an item in order of number, or replaces the one with the same number. Takes linear time.
fn put<T>(list: &mut Vec<(u32, T)>, number: u32, item: T) {
    match list.binary_search_by_key(&number, |(number, _)| *number) {
        Ok(place) => list[place].1 = item,
        Err(place) => list.insert(place, (number, item)),
    }
}
