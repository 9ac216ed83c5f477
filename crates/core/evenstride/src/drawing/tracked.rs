//! Every body with its place, its drawn place and its motion, for programs that record tracks.

use evenstride_types::{EntityId, Placement, SimTime, Vec3};

use crate::{body::flags::Flags, view::MovedBy, world::MotionWorld};

/// A body to be recorded, as [`BodyView`](crate::BodyView) and [`MotionWorld::drawn`] show it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Tracked {
    /// Entity of the body.
    pub entity: EntityId,
    /// Place after the last step, or `None` for a body in a hand.
    pub place: Option<Placement>,
    /// Place to draw it at.
    pub drawn: Placement,
    /// Velocity of the last step in metres per second, world axes.
    pub velocity: Vec3,
    /// Source of the body's next step.
    pub moved_by: MovedBy,
    /// Number of waypoints not yet reached.
    pub waypoints: usize,
}

impl MotionWorld {
    /// Calls `record` for every body to be drawn, in storage order. Needs no lookup by entity.
    ///
    /// ```
    /// use evenstride::{BodySetup, Config, MotionWorld, MovedBy};
    /// use evenstride::types::{CellId, EntityId, Placement, Pose, SimTime};
    ///
    /// let (now, place) = (SimTime::ZERO, Placement::new(CellId::new(0xA9B4_0001)?, Pose::IDENTITY));
    /// let mut world = MotionWorld::new(Config::SMOOTH, now);
    /// world.insert(now, EntityId::new(7), &BodySetup::at(place))?;
    /// world.tracked_each(now, |body| assert_eq!((body.drawn, body.moved_by), (place, MovedBy::Nothing)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tracked_each(&self, now: SimTime, mut record: impl FnMut(Tracked)) {
        let part = self.part_of_tick(now);
        for (slot, (body, row)) in self.store.hot.iter().zip(&self.store.moving).enumerate() {
            let Some(drawn) = self.drawn_place(slot, body, part, now) else { continue };
            record(Tracked {
                entity: body.id,
                place: body.flags.contains(Flags::HAS_CELL).then_some(body.place),
                drawn,
                velocity: row.last_velocity,
                moved_by: self.moved_by(slot),
                waypoints: self.store.routes[slot].len() as usize,
            });
        }
    }
}
