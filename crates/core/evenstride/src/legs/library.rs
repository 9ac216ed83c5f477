//! Everything that legs can play: animations and motion tables, by the numbers the game gives them.

use alloc::vec::Vec;

use super::{Animation, MotionTable};

/// Animations and motion tables. Shared by all bodies of a world, and never changed by it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionLibrary {
    animations: Vec<(u32, Animation)>,
    tables: Vec<(u32, MotionTable)>,
}

impl MotionLibrary {
    /// Adds an animation; one of the same number is replaced. Number 0 means none.
    pub fn add_animation(&mut self, number: u32, animation: Animation) {
        put(&mut self.animations, number, animation);
    }

    /// Adds a motion table; one of the same number is replaced.
    pub fn add_table(&mut self, number: u32, table: MotionTable) {
        put(&mut self.tables, number, table);
    }

    /// A number for what it holds: worlds saved with another library are not to be restored with this one.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hash = evenstride_types::StateHash::new();
        for (number, animation) in &self.animations {
            hash.bytes(&number.to_le_bytes());
            hash.bytes(&animation.frames().to_le_bytes());
        }
        for (number, table) in &self.tables {
            hash.bytes(&number.to_le_bytes());
            hash.bytes(&table.size().to_le_bytes());
        }
        hash.finish()
    }

    /// How many animations there are.
    pub(crate) fn len(&self) -> u32 {
        self.animations.len() as u32
    }

    /// The motion table of a number.
    pub fn table(&self, number: u32) -> Option<&MotionTable> {
        let place = self.tables.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        Some(&self.tables[place].1)
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

fn put<T>(list: &mut Vec<(u32, T)>, number: u32, item: T) {
    match list.binary_search_by_key(&number, |(number, _)| *number) {
        Ok(place) => list[place].1 = item,
        Err(place) => list.insert(place, (number, item)),
    }
}
