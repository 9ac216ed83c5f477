//! Everything that legs can play: animations and motion tables, by the numbers the game gives them.

use alloc::vec::Vec;

use crate::{
    motion::{Animation, MotionTable},
    outcome::TableOrigin,
};

/// What a body made from a model is like, as far as motion asks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "CSetup")]
pub struct Model {
    /// The motion table it has of its own; 0 for none. What the server says wins.
    pub motion_table: u32,
    /// Width, in metres, before it is scaled.
    pub radius: f32,
    /// In metres, from the origin up, before it is scaled.
    pub height: f32,
}

/// Animations, motion tables and models. Shared by all bodies of a world, and never changed by it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionLibrary {
    animations: Vec<(u32, Animation)>,
    tables: Vec<(u32, (MotionTable, TableOrigin))>,
    models: Vec<(u32, Model)>,
}

impl MotionLibrary {
    /// Adds an animation; one of the same number is replaced. Number 0 means none.
    pub fn add_animation(&mut self, number: u32, animation: Animation) {
        put(&mut self.animations, number, animation);
    }

    /// Adds a motion table; one of the same number is replaced.
    pub fn add_table(&mut self, number: u32, table: MotionTable) {
        put(&mut self.tables, number, (table, TableOrigin::Added));
    }

    pub(super) fn add_built_in_table(&mut self, number: u32, table: MotionTable) {
        put(&mut self.tables, number, (table, TableOrigin::BuiltIn));
    }

    /// Adds what bodies made from a model are like; one of the same number is replaced. Bodies do not take on sizes that are none.
    pub fn add_model(&mut self, number: u32, model: Model) {
        put(&mut self.models, number, model);
    }

    /// A number for what it holds, all of it: worlds saved with another library are not to be restored with this one.
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

    /// How many animations there are.
    pub(crate) fn len(&self) -> u32 {
        self.animations.len() as u32
    }

    /// The motion table of a number.
    pub fn table(&self, number: u32) -> Option<&MotionTable> {
        get(&self.tables, number).map(|(table, _)| table)
    }

    /// Where the motion table of a number comes from; `None` if there is none.
    pub fn origin(&self, number: u32) -> Option<TableOrigin> {
        get(&self.tables, number).map(|(_, origin)| *origin)
    }

    /// The model of a number.
    pub fn model(&self, number: u32) -> Option<&Model> {
        get(&self.models, number)
    }

    /// Where an animation lies, by number.
    pub(crate) fn find(&self, number: u32) -> Option<u32> {
        if number == 0 {
            return None;
        }
        let place = self.animations.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        Some(place as u32)
    }

    /// The animation that lies there.
    #[inline]
    pub(crate) fn animation(&self, place: u32) -> Option<&Animation> {
        self.animations.get(place as usize).map(|(_, animation)| animation)
    }

    /// The number of the animation that lies there.
    pub(crate) fn number(&self, place: u32) -> u32 {
        self.animations.get(place as usize).map_or(0, |(number, _)| *number)
    }
}

fn get<T>(list: &[(u32, T)], number: u32) -> Option<&T> {
    let place = list.binary_search_by_key(&number, |(number, _)| *number).ok()?;
    Some(&list[place].1)
}

fn put<T>(list: &mut Vec<(u32, T)>, number: u32, item: T) {
    match list.binary_search_by_key(&number, |(number, _)| *number) {
        Ok(place) => list[place].1 = item,
        Err(place) => list.insert(place, (number, item)),
    }
}
