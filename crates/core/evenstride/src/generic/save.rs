//! Saves and restores a world of the generic API.
//!
//! ```text
//! "EVSPLAIN"   8 bytes
//! version      u32, the same as that of a saved `MotionWorld`
//! fingerprint  u64, of everything after it
//! own parts    axes, units, last updates, deadlines, times of sending, limits
//! motion       a complete saved `MotionWorld`, with a header of its own
//! ```
//!
//! The values are checked by `save/`. Units and a coasting time out of range are corrected by
//! [`PlainWorld::new`](crate::generic::PlainWorld::new), as for any other configuration.

use alloc::{sync::Arc, vec::Vec};

use evenstride_types::EntityId;

use crate::{
    generic::{Axes, Heard, Order, PlainLimits, SenderClock},
    motion::MotionLibrary,
    save::{
        RestoreError, SAVE_VERSION,
        bytes::{Saved, Sink, Source, saved_choice, saved_struct},
        open, reseal,
    },
    storage::timeouts::Timeouts,
    world::MotionWorld,
};

/// Everything that a plain world has besides its motion. `T` is a reference when saving, and owned
/// when restoring.
pub(crate) struct PlainParts<T> {
    /// Names of the game's directions.
    pub(crate) axes: Axes,
    /// Game units per metre, then seconds of coasting.
    pub(crate) units: [f64; 2],
    /// The game's ids in the order of the core's, and the free ones among them.
    pub(crate) ids: (Vec<u64>, Vec<u32>),
    /// Last update of each entity, in order of the core's ids, so that equal worlds give equal bytes.
    pub(crate) heard: Vec<(EntityId, Heard)>,
    /// Deadlines after which silent entities stop.
    pub(crate) coasting: T,
    /// Meaning of the times of sending, and the longest lead in seconds.
    pub(crate) sender_clock: SenderClock,
    pub(crate) max_lead_secs: f64,
    /// Limits of all entities, and those of entities with their own, in order of the game's ids.
    pub(crate) limits: PlainLimits,
    pub(crate) own_limits: Vec<(u64, PlainLimits)>,
}

/// First bytes of the format, which tell it apart from a saved `MotionWorld`.
const PLAIN_MAGIC: [u8; 8] = *b"EVSPLAIN";

/// Appends a plain world to a buffer. The fingerprint is filled in last.
pub(crate) fn save_plain(parts: &PlainParts<&Timeouts>, motion: &MotionWorld, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    bytes.extend_from_slice(&PLAIN_MAGIC);
    SAVE_VERSION.write(bytes);
    0u64.write(bytes);
    parts.axes.write(bytes);
    parts.units.write(bytes);
    parts.ids.write(bytes);
    parts.heard.write(bytes);
    parts.coasting.write(bytes);
    parts.sender_clock.write(bytes);
    parts.max_lead_secs.write(bytes);
    parts.limits.write(bytes);
    parts.own_limits.write(bytes);
    motion.save_into(bytes);
    reseal(&mut bytes[start..]);
}

/// Reads the result of [`save_plain`].
///
/// # Errors
/// [`RestoreError`] if the bytes are anything else, or a part of them is invalid.
pub(crate) fn restore_plain(
    bytes: &[u8],
    library: Arc<MotionLibrary>,
) -> Result<(PlainParts<Timeouts>, MotionWorld), RestoreError> {
    let mut source = open(bytes, PLAIN_MAGIC, RestoreError::NotAPlainSave)?;
    let axes = source.read("axes")?;
    let units: [f64; 2] = source.read("units")?;
    let ids = source.read("ids")?;
    let heard = source.read("heard")?;
    let coasting = source.read("coasting")?;
    let sender_clock = source.read("sender_clock")?;
    let max_lead_secs = source.read("max_lead_secs")?;
    let limits = source.read("limits")?;
    let own_limits = source.read("own_limits")?;
    let motion = MotionWorld::restore_with(source.rest(), library)?;
    let parts =
        PlainParts { axes, units, ids, heard, coasting, sender_clock, max_lead_secs, limits, own_limits };
    Ok((parts, motion))
}

saved_struct! {
    PlainLimits { top_speed, turn_rate_deg, snap_distance }
}

saved_choice! {
    SenderClock { OrderOnly = 0, Own = 1, Shared = 2 }
    Axes {
        ZUpYForward = 0,
        YUpMinusZForward = 1,
        YUpZForward = 2,
        ZUpXForward = 3,
        XRightYDown = 4,
        ZUpXForwardYLeft = 5,
    }
}

impl Saved for Heard {
    /// Writes an unknown offset of the clocks as NaN, which no known one is.
    fn write(&self, sink: &mut impl Sink) {
        let Self { order, at, clock_offset, place } = self;
        order.write(sink);
        at.write(sink);
        clock_offset.unwrap_or(f64::NAN).write(sink);
        place.write(sink);
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        let (order, at) = (source.read("order")?, source.read("at")?);
        let offset: f64 = source.read("clock_offset")?;
        let clock_offset = offset.is_finite().then_some(offset);
        Ok(Self { order, at, clock_offset, place: source.read("place")? })
    }
}

impl Saved for Order {
    fn write(&self, sink: &mut impl Sink) {
        match self {
            Self::Arrival => 0u8.write(sink),
            Self::Sequence(number) => {
                1u8.write(sink);
                number.write(sink);
            }
            Self::Time(time) => {
                2u8.write(sink);
                time.write(sink);
            }
        }
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        match u8::read(source)? {
            0 => Ok(Self::Arrival),
            1 => Ok(Self::Sequence(Saved::read(source)?)),
            2 => Ok(Self::Time(Saved::read(source)?)),
            _ => Err(source.bad_value()),
        }
    }
}
