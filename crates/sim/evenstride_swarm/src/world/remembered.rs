//! Promises about a motion world over time.

use std::collections::BTreeSet;

use evenstride::{BodyKey, Drawn, MotionWorld};
use evenstride_types::{EntityId, SimTime};

/// What checks remember of earlier ones.
#[derive(Debug, Default)]
pub struct Remembered {
    keys: Vec<(BodyKey, EntityId, bool)>,
    drawn: Vec<Drawn>,
}

impl Remembered {
    /// Checks a world against what was remembered of it, and remembers more.
    ///
    /// # Errors
    /// The broken promise, as a sentence.
    pub(crate) fn check(&mut self, world: &MotionWorld, now: SimTime) -> Result<(), String> {
        self.check_keys(world)?;
        self.check_unchanged(world, now)
    }

    /// Forgets what was drawn, because the host may have forgotten what has changed.
    pub(crate) fn look_away(&mut self) {
        self.drawn.clear();
    }

    /// A key finds its own body, or nothing. Once it finds nothing, it never finds anything again.
    fn check_keys(&mut self, world: &MotionWorld) -> Result<(), String> {
        for (key, entity, is_gone) in &mut self.keys {
            match world.entity(*key) {
                Some(found) if found != *entity || *is_gone => {
                    return Err(format!("{key:?} of {:#x} finds {:#x}", entity.raw(), found.raw()));
                }
                Some(_) => {}
                None => *is_gone = true,
            }
        }
        if self.keys.len() < 64 {
            let known: Vec<BodyKey> = self.keys.iter().map(|(key, ..)| *key).collect();
            let new = world.entities().filter_map(|entity| Some((world.key(entity)?, entity, false)));
            self.keys.extend(new.filter(|(key, ..)| !known.contains(key)).take(4));
        }
        Ok(())
    }

    /// Bodies that are not listed as changed are drawn where they were.
    fn check_unchanged(&mut self, world: &MotionWorld, now: SimTime) -> Result<(), String> {
        let changed: BTreeSet<EntityId> = world.changed().filter_map(|key| world.entity(key)).collect();
        for before in &self.drawn {
            let is_same_body = world.entity(before.key) == Some(before.entity);
            if !is_same_body || changed.contains(&before.entity) {
                continue;
            }
            let drawn = world.drawn(before.entity, now);
            if drawn != Some(before.place) {
                return Err(format!(
                    "entity {:#x} is drawn at {drawn:?} instead of {:?}, and is not listed as changed",
                    before.entity.raw(),
                    before.place
                ));
            }
        }
        // Bodies that are not on the list now must stay where they are until they are.
        let mut buffer = vec![Drawn::EMPTY; world.len().min(64)];
        let count = world.drawn_into(now, &mut buffer);
        buffer.truncate(count);
        buffer.retain(|drawn| !changed.contains(&drawn.entity));
        self.drawn = buffer;
        Ok(())
    }
}
