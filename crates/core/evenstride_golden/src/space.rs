//! Every spatial operation, 2,000 times, on a walk across landblocks.

use evenstride_types::{
    CellId, Cylinder, Heading, Placement, Pose, Rotation, SimDuration, SimTime, Stamp, StampKind, StampTable,
    StateHash,
};

use crate::numbers::Numbers;

/// Walks about, and returns one fingerprint of all intermediate results.
pub fn space_hash() -> u64 {
    let mut hash = StateHash::new();
    let mut numbers = Numbers::seeded(2013);
    let mut stamps = StampTable::default();
    let mut now = SimTime::ZERO;
    let step = SimDuration::from_secs(1.0 / 30.0).unwrap_or_default();
    let Ok(cell) = CellId::new(0xA9B4_001C) else {
        return 0;
    };
    let mut at = Placement::new(cell, Pose::IDENTITY);
    let mut last = at;
    for round in 0..2_000u16 {
        now += step;
        let heading = Heading::from_degrees(numbers.next(720.0)).unwrap_or(Heading::NORTH);
        let offset =
            Pose::new(numbers.vector(3.0), at.pose.rotation().with_heading(heading)).unwrap_or_default();
        at.pose =
            at.pose.combine(&offset).spun_globally(numbers.vector(2.0)).spun_locally(numbers.vector(0.5));
        at = at.settled_outdoors().unwrap_or(last);
        let relative = at.relative_to(&last);
        let body = Cylinder { radius: numbers.next(1.0), height: numbers.next(2.0) };
        hash.placement(&at);
        hash.pose(&relative);
        hash.pose(&at.pose.before(&relative));
        hash.pose(&at.pose.blended(&last.pose, numbers.next(1.0)));
        hash.pose(&at.pose.with_rotation(Rotation::IDENTITY.looking_along(numbers.vector(1.0))));
        hash.double(at.distance(&last));
        hash.double(at.distance_on_map(&last));
        hash.double(body.gap(&at, body, &last));
        hash.single(at.heading_to(&last).degrees());
        hash.single(at.pose.heading().degrees());
        hash.vector(at.local_point_of(&last, numbers.vector(5.0)));
        let stamp = Stamp::new(round.wrapping_mul(0x2F41));
        hash.word(u32::from(stamps.accept(StampKind::Position, stamp).is_newer()));
        hash.time(now);
        last = at;
    }
    hash.finish()
}
