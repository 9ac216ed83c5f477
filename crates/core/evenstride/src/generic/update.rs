//! Poses and updates in a game's own axes and units.

use evenstride_types::SimTime;

/// Position and rotation in the game's own axes and units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlainPose {
    /// Position in game units, from the game's origin.
    pub position: [f64; 3],
    /// Quaternion, `[x, y, z, w]`. It is scaled to unit length on input.
    pub rotation: [f32; 4],
}

impl PlainPose {
    /// The game's origin, without rotation.
    pub const IDENTITY: Self = Self::at([0.0; 3]);

    /// Returns a pose at a position, without rotation.
    pub const fn at(position: [f64; 3]) -> Self {
        Self { position, rotation: [0.0, 0.0, 0.0, 1.0] }
    }
}

impl Default for PlainPose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Position and heading in a flat game seen from above, for [`Axes::XRightYDown`](super::Axes).
///
/// ```
/// use evenstride::generic::{Axes, FlatPose, PlainConfig, PlainUpdate, PlainWorld};
/// use evenstride::types::SimTime;
///
/// // Pixels: x to the right, y down. A tank is 32 of them long, say 4 m.
/// let config = PlainConfig::default().with(|config| {
///     config.axes = Axes::XRightYDown;
///     config.units_per_metre = 8.0;
/// });
/// let mut world = PlainWorld::new(config, SimTime::ZERO);
/// let down = FlatPose { position: [100.0, 200.0], heading: std::f32::consts::FRAC_PI_2 };
/// let _ = world.update(SimTime::ZERO, 1, &PlainUpdate::new(down))?;
/// let drawn = world.drawn(1, SimTime::ZERO).ok_or("gone")?;
/// assert_eq!(FlatPose::from(drawn).position, [100.0, 200.0]);
/// assert!((FlatPose::from(drawn).heading - down.heading).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FlatPose {
    /// Position in game units, x to the right and y down.
    pub position: [f64; 2],
    /// Heading in radians. 0 points right, and π/2 points down.
    pub heading: f32,
}

impl From<FlatPose> for PlainPose {
    fn from(flat: FlatPose) -> Self {
        // Without a turn a body looks up, along −y.
        let half = (f64::from(flat.heading) + core::f64::consts::FRAC_PI_2) / 2.0;
        Self {
            position: [flat.position[0], flat.position[1], 0.0],
            rotation: [0.0, 0.0, libm::sin(half) as f32, libm::cos(half) as f32],
        }
    }
}

impl From<PlainPose> for FlatPose {
    /// Drops height and tilt. The heading is from −π to π.
    fn from(pose: PlainPose) -> Self {
        let [_, _, z, w] = pose.rotation.map(f64::from);
        let turn = 2.0 * libm::atan2(z, w) - core::f64::consts::FRAC_PI_2;
        let heading = libm::atan2(libm::sin(turn), libm::cos(turn)) as f32;
        Self { position: [pose.position[0], pose.position[1]], heading }
    }
}

/// One message of the game about an entity.
///
/// ```
/// use evenstride::generic::{Order, PlainPose, PlainUpdate};
///
/// let update = PlainUpdate::new(PlainPose::at([3.0, 0.0, -7.5])).moving([0.0, 0.0, -2.0]).numbered(41);
/// assert_eq!((update.velocity, update.order), (Some([0.0, 0.0, -2.0]), Order::Sequence(41)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlainUpdate {
    /// Pose of the entity when the update was made.
    pub pose: PlainPose,
    /// Velocity at which the entity moves by itself, in game axes and units per second. Zero means
    /// that the entity stands.
    ///
    /// The entity keeps moving with this velocity after it has reached the last known position, and
    /// catches up at twice this speed. An entity that stops may therefore overshoot and come back.
    /// Send an update whenever the velocity changes.
    ///
    /// Use `None` if the game does not send velocities. With
    /// [`DrawMode::Gliding`](crate::config::DrawMode::Gliding), which is the default, the drawn entity
    /// moves on at a velocity that is estimated from its positions and headings. It overshoots a stop
    /// or a turn by at most its way between two updates. The repository's `docs/positions-only.md`
    /// tells what to expect. In other draw modes the entity waits at the last known position, and
    /// catches up at twice the speed at which positions arrive.
    pub velocity: Option<[f32; 3]>,
    /// Order among the updates of this entity. If a sender restarts its count,
    /// [remove](super::PlainWorld::remove) the entity first.
    pub order: Order,
    /// Whether the entity was moved here without travelling. It is then placed at once.
    pub teleports: bool,
}

impl PlainUpdate {
    /// Makes an update with a pose alone, ordered by arrival.
    pub fn new(pose: impl Into<PlainPose>) -> Self {
        Self { pose: pose.into(), velocity: None, order: Order::Arrival, teleports: false }
    }

    /// Adds a velocity, in game axes and units per second.
    #[must_use]
    pub const fn moving(self, velocity: [f32; 3]) -> Self {
        Self { velocity: Some(velocity), ..self }
    }

    /// Adds a sequence number, which decides the order.
    #[must_use]
    pub const fn numbered(self, number: u64) -> Self {
        Self { order: Order::Sequence(number), ..self }
    }

    /// Adds the time of sending by the sender's clock, which decides the order.
    #[must_use]
    pub const fn sent_at(self, time: SimTime) -> Self {
        Self { order: Order::Time(time), ..self }
    }

    /// Marks the update as a teleport.
    #[must_use]
    pub const fn teleporting(self) -> Self {
        Self { teleports: true, ..self }
    }
}

impl Default for PlainUpdate {
    fn default() -> Self {
        Self::new(PlainPose::IDENTITY)
    }
}

/// Tells which of two updates of an entity is newer.
///
/// Use one variant per entity. Updates with different variants cannot be compared, and the later
/// arrival wins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// The link keeps the order, so every update is newer than the one before it.
    Arrival,
    /// A number that grows with each update. Wrapping is not supported.
    Sequence(u64),
    /// Time of sending by the sender's clock. A clock that is set back begins again, as
    /// [`SenderClock`](super::SenderClock) says.
    Time(SimTime),
}

impl Order {
    /// Returns whether this update is newer. Equal numbers and times are not newer.
    pub(super) fn is_newer_than(self, newest: Self) -> bool {
        match (newest, self) {
            (Self::Sequence(newest), Self::Sequence(this)) => this > newest,
            (Self::Time(newest), Self::Time(this)) => this > newest,
            _ => true,
        }
    }
}
