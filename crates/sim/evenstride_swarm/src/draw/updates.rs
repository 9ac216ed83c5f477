//! Messages of the server, with all of their fields.

use evenstride_types::{
    StampTable,
    update::{
        Attachment, CreateUpdate, DeleteUpdate, DescribedMovement, ItemType, MovementUpdate, ParentUpdate,
        PhysicsDescription, PhysicsState, PickupUpdate, PositionPack, PositionUpdate, Resources,
        SparseQuaternion, StateUpdate, TeleportUpdate, Update, VectorUpdate,
    },
};

use crate::draw::Draw;

impl Draw<'_> {
    /// Returns a message of any kind.
    pub fn update(&mut self) -> Update {
        match self.below(26) {
            0..=6 => Update::Position(self.position_update()),
            7..=11 => Update::Movement(MovementUpdate {
                entity: self.entity(),
                instance: self.instance(),
                movement: self.movement(),
            }),
            12..=14 => Update::Create(self.create_update()),
            15 => Update::Recreate(self.create_update()),
            16 => Update::Delete(DeleteUpdate { entity: self.entity(), instance: self.instance() }),
            17 | 18 => Update::Vector(VectorUpdate {
                entity: self.entity(),
                velocity: self.vector(8.0),
                omega: self.vector(3.0),
                instance: self.instance(),
                stamp: self.stamp(),
            }),
            19 => Update::State(StateUpdate {
                entity: self.entity(),
                state: self.physics_state(),
                instance: self.instance(),
                stamp: self.stamp(),
            }),
            20 | 21 => Update::Parent(ParentUpdate {
                holder: self.entity(),
                held: self.entity(),
                location: self.below(4) as u32,
                placement_frame: self.below(3) as u32,
                holder_instance: self.instance(),
                held_position: self.stamp(),
            }),
            22 => Update::Pickup(PickupUpdate {
                entity: self.entity(),
                instance: self.instance(),
                position: self.stamp(),
            }),
            23 => Update::Teleport(TeleportUpdate { teleport: self.stamp() }),
            24 => Update::LocalPlayer(self.entity()),
            _ => Update::PositionAndMovement { position: self.position_update(), movement: self.movement() },
        }
    }

    fn position_update(&mut self) -> PositionUpdate {
        let place = self.raw_placement();
        let rotation = if self.one_in(8) {
            SparseQuaternion(place.wxyz.map(|part| self.sometimes(2, |_| part)))
        } else {
            SparseQuaternion::packed(place.wxyz)
        };
        let pack = PositionPack {
            cell: place.cell,
            origin: place.origin,
            rotation,
            velocity: self.sometimes(6, |draw| draw.vector(8.0)),
            placement_frame: self.sometimes(6, |draw| draw.bits() as u32),
            has_contact: !self.one_in(5),
            other_flags: self.odd_bits(),
            instance: self.instance(),
            position: self.stamp(),
            teleport: self.instance(),
            force_position: self.instance(),
        };
        PositionUpdate { entity: self.entity(), pack }
    }

    fn create_update(&mut self) -> CreateUpdate {
        let types = [ItemType::CREATURE, ItemType(0), ItemType(1), ItemType(self.bits() as u32)];
        CreateUpdate::new(self.entity(), self.description()).of_type(self.pick(&types))
    }

    fn description(&mut self) -> PhysicsDescription {
        let movement = self.sometimes(3, |draw| match draw.one_in(8) {
            true => DescribedMovement::Empty,
            false => {
                let autonomous = draw.below(2) as u32;
                DescribedMovement::Doing { body: draw.movement_body(), autonomous }
            }
        });
        let mut stamps = StampTable::new(std::array::from_fn(|_| self.stamp()));
        stamps.set(evenstride_types::StampKind::Instance, self.instance());
        PhysicsDescription {
            state: self.physics_state(),
            movement,
            placement_frame: self.sometimes(6, |draw| draw.bits() as u32),
            position: if self.one_in(5) { None } else { Some(self.raw_placement()) },
            resources: self.resources(),
            parent: self.sometimes(6, Self::attachment),
            children: self.sometimes(6, |draw| {
                let children = draw.below(4);
                (0..children).map(|_| draw.attachment()).collect()
            }),
            scale: self.sometimes(4, |draw| draw.number(0.2, 3.0)),
            friction: self.sometimes(6, |draw| draw.number(0.0, 1.0)),
            elasticity: self.sometimes(6, |draw| draw.number(0.0, 0.1)),
            translucency: self.sometimes(6, |draw| draw.number(0.0, 1.0)),
            velocity: self.sometimes(5, |draw| draw.vector(8.0)),
            acceleration: self.sometimes(8, |draw| draw.vector(10.0)),
            omega: self.sometimes(6, |draw| draw.vector(3.0)),
            default_script: self.sometimes(8, |draw| draw.bits() as u32),
            default_script_intensity: self.sometimes(8, |draw| draw.number(0.0, 1.0)),
            stamps,
            other_flags: self.odd_bits(),
        }
    }

    fn attachment(&mut self) -> Attachment {
        Attachment { entity: self.entity(), location: self.below(4) as u32 }
    }

    /// Returns numbers of records, of which the library may have some.
    fn resources(&mut self) -> Resources {
        let mut record = |kind: u32| {
            self.sometimes(2, |draw| match draw.is_wild() {
                true => draw.bits() as u32,
                false => kind | draw.below(4) as u32,
            })
        };
        Resources {
            setup: record(0x0200_0000),
            motion_table: record(0x0900_0000),
            sound_table: record(0x2000_0000),
            script_table: record(0x3400_0000),
        }
    }

    /// Returns the usual state, a missile, a hidden or frozen thing, or any bits.
    pub(crate) fn physics_state(&mut self) -> PhysicsState {
        let usual = PhysicsState::default();
        let states = [
            usual,
            usual,
            usual,
            usual | PhysicsState::MISSILE | PhysicsState::ALIGN_PATH,
            usual | PhysicsState::HIDDEN,
            usual | PhysicsState::FROZEN,
            usual | PhysicsState::INELASTIC,
            usual - PhysicsState::GRAVITY,
            PhysicsState::STATIC,
        ];
        if self.is_wild() { PhysicsState::from_bits_retain(self.bits() as u32) } else { self.pick(&states) }
    }

    /// Returns bits of a message that have no meaning.
    pub(crate) fn odd_bits(&mut self) -> u32 {
        self.sometimes(16, |draw| draw.bits() as u32).unwrap_or_default()
    }
}
