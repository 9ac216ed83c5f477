//! Heap parts of updates, kept for the next updates that are parked.
//!
//! A parked update is a copy. Descriptions are boxed, and some updates contain lists. When the copy
//! has been handled or dropped, its box and its lists come here. A warm world therefore parks any
//! update without allocating.
//!
//! Lists are sorted by their capacity, which is a power of two for copies. A short list thus never takes the
//! place of a long one, and memory is at most twice what the items need.

use alloc::{boxed::Box, vec::Vec};

use evenstride_types::update::{
    ActionItem, Attachment, CreateUpdate, DescribedMovement, InterpretedState, Movement, MovementBody,
    MovementKind, MovementUpdate, PhysicsDescription, Update,
};

/// Parts that wait to be used again. They are no part of a world's state.
#[derive(Debug, Default)]
pub(crate) struct Spares {
    /// Descriptions without lists.
    #[expect(clippy::vec_box, reason = "the boxes themselves are used again")]
    descriptions: Vec<Box<PhysicsDescription>>,
    actions: Lists<ActionItem>,
    children: Lists<Attachment>,
    /// Contents of movements of unknown types.
    contents: Lists<u8>,
    /// Bytes of all parts.
    bytes: u64,
}

/// A copied world begins without spare parts, which only save time.
impl Clone for Spares {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Spares {
    /// Copies an update into spare parts, as far as there are any that fit.
    pub(crate) fn copy(&mut self, update: &Update) -> Update {
        match update {
            Update::Create(create) => Update::Create(self.copy_create(create)),
            Update::Recreate(create) => Update::Recreate(self.copy_create(create)),
            Update::Movement(update) => Update::Movement(MovementUpdate {
                entity: update.entity,
                instance: update.instance,
                movement: self.copy_movement(&update.movement),
            }),
            Update::PositionAndMovement { position, movement } => Update::PositionAndMovement {
                position: position.clone(),
                movement: self.copy_movement(movement),
            },
            // The others have no parts on the heap.
            other => other.clone(),
        }
    }

    /// Keeps the parts of an update that is no longer needed.
    ///
    /// Beyond `most` bytes, parts are freed. The longest lists of a kind go first, because they
    /// are needed most rarely.
    pub(crate) fn keep(&mut self, update: Update, most: u64) {
        match update {
            Update::Create(create) | Update::Recreate(create) => self.keep_description(create.physics),
            Update::Movement(update) => self.keep_body(update.movement.body),
            Update::PositionAndMovement { movement, .. } => self.keep_body(movement.body),
            _ => return,
        }
        while self.bytes > most && self.free_one() {}
    }

    fn copy_create(&mut self, create: &CreateUpdate) -> CreateUpdate {
        let physics = &*create.physics;
        let movement = physics.movement.as_ref().map(|movement| match movement {
            DescribedMovement::Empty => DescribedMovement::Empty,
            DescribedMovement::Doing { body, autonomous } => {
                DescribedMovement::Doing { body: self.copy_body(body), autonomous: *autonomous }
            }
        });
        let children =
            physics.children.as_ref().map(|children| self.children.copy(children, &mut self.bytes));
        let copy = PhysicsDescription { movement, children, ..*physics };
        let physics = match self.descriptions.pop() {
            Some(mut spare) => {
                self.bytes -= size_of_val(&*spare) as u64;
                *spare = copy;
                spare
            }
            None => Box::new(copy),
        };
        CreateUpdate { entity: create.entity, physics, item_type: create.item_type }
    }

    fn copy_movement(&mut self, movement: &Movement) -> Movement {
        Movement { body: self.copy_body(&movement.body), ..*movement }
    }

    fn copy_body(&mut self, body: &MovementBody) -> MovementBody {
        let kind = match &body.kind {
            MovementKind::Interpreted { state, stick_to } => {
                let actions = self.actions.copy(&state.actions, &mut self.bytes);
                MovementKind::Interpreted {
                    state: InterpretedState { actions, ..*state },
                    stick_to: *stick_to,
                }
            }
            MovementKind::Other { number, bytes } => {
                MovementKind::Other { number: *number, bytes: self.contents.copy(bytes, &mut self.bytes) }
            }
            goal => goal.clone(),
        };
        MovementBody { kind, ..*body }
    }

    fn keep_description(&mut self, mut physics: Box<PhysicsDescription>) {
        if let Some(DescribedMovement::Doing { body, .. }) = physics.movement.take() {
            self.keep_body(body);
        }
        if let Some(children) = physics.children.take() {
            self.children.keep(children, &mut self.bytes);
        }
        self.bytes += size_of_val(&*physics) as u64;
        self.descriptions.push(physics);
    }

    fn keep_body(&mut self, body: MovementBody) {
        match body.kind {
            MovementKind::Interpreted { state, .. } => self.actions.keep(state.actions, &mut self.bytes),
            MovementKind::Other { bytes, .. } => self.contents.keep(bytes, &mut self.bytes),
            _ => {}
        }
    }

    /// Frees one part. Returns `false` if there is none.
    fn free_one(&mut self) -> bool {
        let Self { descriptions, actions, children, contents, bytes } = self;
        if contents.free_longest(bytes) || children.free_longest(bytes) || actions.free_longest(bytes) {
            return true;
        }
        let freed = descriptions.pop();
        *bytes -= freed.as_ref().map_or(0, |freed| size_of_val(&**freed) as u64);
        freed.is_some()
    }
}

/// Empty lists, by the power of two that their capacity reaches.
#[derive(Debug)]
struct Lists<T>([Vec<Vec<T>>; CLASSES]);

/// Number of capacities. Lists of more than 65,536 items are not kept.
const CLASSES: usize = 17;

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self([const { Vec::new() }; CLASSES])
    }
}

impl<T: Copy> Lists<T> {
    /// Copies items into a spare list, or into a new one if there is none of the right capacity.
    fn copy(&mut self, items: &[T], bytes: &mut u64) -> Vec<T> {
        if items.is_empty() {
            return Vec::new();
        }
        let capacity = items.len().next_power_of_two();
        let spare = self.0.get_mut(capacity.ilog2() as usize).and_then(Vec::pop);
        let mut list = match spare {
            Some(list) => {
                *bytes -= held_bytes(&list);
                list
            }
            None => Vec::with_capacity(capacity),
        };
        list.extend_from_slice(items);
        list
    }

    fn keep(&mut self, mut list: Vec<T>, bytes: &mut u64) {
        let class = list.capacity().checked_ilog2().and_then(|class| self.0.get_mut(class as usize));
        if let Some(class) = class {
            list.clear();
            *bytes += held_bytes(&list);
            class.push(list);
        }
    }

    /// Frees one of the longest lists. Returns `false` if there is none.
    fn free_longest(&mut self, bytes: &mut u64) -> bool {
        let longest = self.0.iter_mut().rev().find_map(Vec::pop);
        *bytes -= longest.as_ref().map_or(0, held_bytes);
        longest.is_some()
    }
}

/// Returns the bytes that a list holds, whether it uses them or not.
fn held_bytes<T>(list: &Vec<T>) -> u64 {
    (list.capacity() * size_of::<T>()) as u64
}

#[cfg(test)]
mod tests {
    use evenstride_types::{EntityId, Stamp, StampTable};

    use super::*;

    fn unknown(length: usize) -> Update {
        let kind = MovementKind::Other { number: 3, bytes: alloc::vec![7; length] };
        let movement = Movement {
            stamp: Stamp::new(1),
            server_control: Stamp::new(2),
            autonomous: 0,
            body: MovementBody::new(kind),
        };
        Update::Movement(MovementUpdate { entity: EntityId::new(1), instance: Stamp::new(0), movement })
    }

    fn description() -> Update {
        let item = Attachment { entity: EntityId::new(2), location: 1 };
        let physics = PhysicsDescription {
            movement: Some(DescribedMovement::Doing {
                body: MovementBody::interpreted(InterpretedState::default()),
                autonomous: 1,
            }),
            children: Some(alloc::vec![item; 3]),
            ..PhysicsDescription::nowhere(StampTable::default())
        };
        Update::Create(CreateUpdate::new(EntityId::new(1), physics))
    }

    #[test]
    fn copies_are_equal_and_spare_parts_are_counted() {
        let mut spares = Spares::default();
        for update in [unknown(0), unknown(1), unknown(40), description(), unknown(100_000)] {
            let first = spares.copy(&update);
            assert_eq!(first, update);
            spares.keep(first, 1 << 20);
            let before = spares.bytes;
            let second = spares.copy(&update);
            assert_eq!(second, update);
            spares.keep(second, 1 << 20);
            assert_eq!(spares.bytes, before, "the same parts came back");
        }
        spares.keep(description(), 0);
        assert_eq!(spares.bytes, 0);
        assert!(spares.descriptions.is_empty() && !spares.free_one());
    }

    #[test]
    fn long_lists_make_room_for_short_ones() {
        let mut spares = Spares::default();
        for length in [4_000, 10, 8_000, 10] {
            spares.keep(unknown(length), 1_000);
        }
        assert!((10..=1_000).contains(&spares.bytes), "{}", spares.bytes);
        assert_eq!(spares.contents.0.iter().map(Vec::len).sum::<usize>(), 2);
    }
}
