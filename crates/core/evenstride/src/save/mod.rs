//! A world as bytes, and back. A restored world continues bit for bit like the original.
//!
//! ```text
//! "EVSTRIDE"   8 bytes
//! version      u32, little-endian like everything after it
//! fingerprint  u64, of everything after it
//! motion       config
//!              clock
//!              viewpoint
//!              rows: hot, motion, route, interpreted, previous, message, cold
//!              pools: later waypoints, velocities, follows, flights, goals, targets,
//!                     observations, animators, animations, motions pending
//!              skills, fingerprint of the library
//!              keys
//!              local player
//!              parked updates, oldest first, with the entity each waits for
//!              deadlines: parked updates, requests, entities outside the world
//!              updates whose entity was created, which are handled next
//! bookkeeping  counters, messages to be sent, traced entities
//! ```
//!
//! Each number is written as it is in memory, field by field (`records.rs`, `messages.rs`). There
//! is no padding, no dependence on the platform and no hash order.
//!
//! The format changes with the structures it mirrors, and each change raises [`SAVE_VERSION`]. A
//! file of another version is rejected with an error that names both versions.
//!
//! A file is untrusted input. Reading checks every value, and `check.rs` checks every link before a
//! world is returned.
//!
//! Events that were not polled and recorded decisions are not saved, so hosts poll them first. The
//! motion library is not saved either, only its fingerprint.
//!
//! # Changing the format
//!
//! A field that is added to a saved struct does not compile until the lists in `records.rs` or
//! `messages.rs` name it. Then raise [`SAVE_VERSION`], and let `check.rs` check the new field.

pub(crate) mod bytes;
mod check;
mod drawing;
mod messages;
mod records;

use alloc::{collections::VecDeque, sync::Arc, vec::Vec};

use evenstride_types::{EntityId, StateHash, update::Update};

use crate::{
    body::store::Store,
    clock::checked_max_step,
    config::{Config, Limits},
    explain::Record,
    motion::MotionLibrary,
    save::bytes::{Saved, Sink, Source},
    storage::{
        ids::IdMap,
        keys::BodyKeys,
        parking::{Parking, bytes_of},
        timeouts::Timeouts,
    },
    world::MotionWorld,
};

/// Version of the format that this code writes, and the only one it reads.
pub const SAVE_VERSION: u32 = 11;

/// First bytes of a saved world. A `PlainWorld` has others.
const MAGIC: [u8; 8] = *b"EVSTRIDE";
/// Bytes before the fingerprinted contents.
const HEADER_BYTES: usize = MAGIC.len() + 4 + 8;

/// Why bytes cannot be restored to a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The bytes do not begin like a saved world.
    #[error(
        "not a saved world: it does not begin with \"EVSTRIDE\" (a save of a `PlainWorld` has another format)"
    )]
    NotASave,
    /// The bytes do not begin like a saved plain world.
    #[error(
        "not a saved plain world: it does not begin with \"EVSPLAIN\" (a save of a `MotionWorld` has another format)"
    )]
    NotAPlainSave,
    /// The bytes do not begin like saved poses.
    #[error("not saved poses: it does not begin with \"EVSDRAWN\" (use the bytes of `save_drawing`)")]
    NotADrawing,
    /// Another version of the format wrote the bytes.
    #[error("saved in version {found} of the format; this program reads version {SAVE_VERSION}")]
    Version {
        /// Version of the file. This code reads [`SAVE_VERSION`].
        found: u32,
    },
    /// The contents were changed or cut off after saving.
    #[error("damaged or truncated: the fingerprint does not match the contents")]
    Fingerprint,
    /// The bytes end within a value.
    #[error("{what} at byte {offset}: needs {needs} bytes, {left} left")]
    Truncated {
        /// Name of the value that was being read.
        what: &'static str,
        /// Position of the missing bytes, counted from the beginning of the file.
        offset: usize,
        /// Number of bytes that the value needs.
        needs: usize,
        /// Number of bytes that are left.
        left: usize,
    },
    /// A value is outside its range.
    #[error("{what} at byte {offset}: invalid value")]
    Value {
        /// Name of the invalid value, or of the value that contains it.
        what: &'static str,
        /// Position after the invalid value, counted from the beginning of the file.
        offset: usize,
    },
    /// Parts of the world contradict each other, or the library is not the one it was saved with.
    #[error("the parts do not fit together: {what}")]
    Inconsistent {
        /// The contradiction, in words.
        what: &'static str,
    },
    /// The world contains more than its own configuration allows.
    #[error("{found} {what}, but the saved `Limits::{limit}` is {most}")]
    OverLimit {
        /// The things that are too many.
        what: &'static str,
        /// Name of the field of [`Limits`].
        limit: &'static str,
        /// Number of these things in the world.
        found: u64,
        /// Number that the limit allows.
        most: u32,
    },
    /// Bytes follow after the end of the world.
    #[error("{extra} extra bytes after the end")]
    TooLong {
        /// Number of those bytes.
        extra: usize,
    },
}

/// Reads a header and checks that the contents are unchanged.
///
/// Returns the contents, or `not_it` if the first bytes are not `magic`. Saves of plain worlds use
/// the same header with another `magic`.
pub(crate) fn open(bytes: &[u8], magic: [u8; 8], not_it: RestoreError) -> Result<Source<'_>, RestoreError> {
    if !bytes.starts_with(&magic) {
        return Err(not_it);
    }
    let mut source = Source::new(bytes);
    source.skip(magic.len());
    let found: u32 = source.read("version")?;
    if found != SAVE_VERSION {
        return Err(RestoreError::Version { found });
    }
    let fingerprint: u64 = source.read("fingerprint")?;
    if bytes::fingerprint(source.rest()) != fingerprint {
        return Err(RestoreError::Fingerprint);
    }
    Ok(source)
}

/// Makes the fingerprint match the contents, after tests or `save` have written them.
#[doc(hidden)]
pub fn reseal(bytes: &mut [u8]) {
    if bytes.len() >= HEADER_BYTES {
        let fingerprint = bytes::fingerprint(&bytes[HEADER_BYTES..]);
        bytes[HEADER_BYTES - 8..HEADER_BYTES].copy_from_slice(&fingerprint.to_le_bytes());
    }
}

/// Returns an error if there are more things than a limit of the configuration allows.
pub(crate) fn within(
    what: &'static str,
    limit: &'static str,
    found: impl Into<u64>,
    most: u32,
) -> Result<(), RestoreError> {
    let found = found.into();
    if found <= u64::from(most) { Ok(()) } else { Err(RestoreError::OverLimit { what, limit, found, most }) }
}

/// Checks the limits of parked updates, after one for `waits_for` was added.
fn check_parked(parking: &Parking, waits_for: EntityId, limits: &Limits) -> Result<(), RestoreError> {
    let (updates, bytes) = parking.waiting_for(waits_for);
    within("updates parked for one entity", "parked_per_entity", updates, limits.parked_per_entity)?;
    let most = limits.parked_bytes_per_entity;
    within("bytes parked for one entity", "parked_bytes_per_entity", bytes, most)?;
    within("parked bytes", "parked_bytes", parking.bytes(), limits.parked_bytes)
}

impl MotionWorld {
    /// Saves the world as bytes, with everything that its further motion depends on.
    ///
    /// Events that were not polled, recorded decisions and the motion library are left out.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.save_into(&mut bytes);
        bytes
    }

    /// Appends the saved world to a buffer, which a host can reuse to avoid allocations.
    pub fn save_into(&self, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        bytes.reserve(HEADER_BYTES + self.store.len() * 320);
        bytes.extend_from_slice(&MAGIC);
        SAVE_VERSION.write(bytes);
        0u64.write(bytes);
        self.write_motion(bytes);
        self.stats().write(bytes);
        self.outbox.write(bytes);
        self.traced.write(bytes);
        self.traces_all.write(bytes);
        reseal(&mut bytes[start..]);
    }

    /// Restores a world from bytes that [`save`](Self::save) wrote.
    ///
    /// The restored world continues bit for bit like the saved one. Every body counts as changed,
    /// so a host draws all of them again.
    ///
    /// # Errors
    /// [`RestoreError`] if the bytes are not a valid world, or if the world used a library other
    /// than the built-in one.
    pub fn restore(bytes: &[u8]) -> Result<Self, RestoreError> {
        Self::restore_with(bytes, Arc::new(MotionLibrary::built_in()))
    }

    /// Restores a world with the motion library that it used, which is not saved with it.
    ///
    /// # Errors
    /// [`RestoreError`] if the bytes are not a valid world, or if the world used another library.
    pub fn restore_with(bytes: &[u8], library: Arc<MotionLibrary>) -> Result<Self, RestoreError> {
        let mut source = open(bytes, MAGIC, RestoreError::NotASave)?;
        let mut world = Self::read_motion(&mut source, library)?;
        world.store.stats = source.read("stats")?;
        world.outbox = source.read("outbox")?;
        world.traced = source.read("traced")?;
        world.traces_all = source.read("traces_all")?;
        if !source.rest().is_empty() {
            return Err(RestoreError::TooLong { extra: source.rest().len() });
        }
        world.check_and_connect()?;
        Ok(world)
    }

    /// Returns a fingerprint of everything that further motion depends on.
    ///
    /// The same inputs give the same fingerprint on every target. Counters of the whole world,
    /// messages to be sent and traced entities are not included, because they do not influence
    /// motion.
    pub fn state_hash(&self) -> u64 {
        let mut hash = StateHash::new();
        self.write_motion(&mut hash);
        hash.finish()
    }

    /// Writes the part of a world that motion depends on, to a buffer or to a fingerprint.
    fn write_motion(&self, sink: &mut impl Sink) {
        self.config.write(sink);
        self.clock.write(sink);
        self.viewpoint.write(sink);
        self.is_viewpoint_new.write(sink);
        self.store.write(sink);
        self.keys.write(sink);
        self.player.write(sink);
        (self.parking.len() as u32).write(sink);
        for (waits_for, update) in self.parking.iter() {
            waits_for.write(sink);
            update.write(sink);
        }
        for timeouts in self.parking.deadlines().into_iter().chain([&self.leaving]) {
            timeouts.write(sink);
        }
        self.replay.write(sink);
    }

    /// Reads the part of a world that motion depends on.
    ///
    /// Updates that wait are limited by the saved configuration, and each awaited entity must have
    /// both deadlines. Everything else is checked in `check.rs`, once all parts are there.
    fn read_motion(source: &mut Source<'_>, library: Arc<MotionLibrary>) -> Result<Self, RestoreError> {
        let config: Config = source.read("config")?;
        let config = Config { max_step_secs: checked_max_step(config.max_step_secs), ..config };
        let clock = source.read("clock")?;
        let viewpoint = source.read("viewpoint")?;
        let is_viewpoint_new = source.read("is_viewpoint_new")?;
        let store = Store::read(source, config.drawing, library)?;
        let keys = BodyKeys { first: BodyKeys::of_world(config.world).first, ..source.read("keys")? };
        let player = source.read("player")?;
        let mut parking = Parking::default();
        let parked: u32 = source.read("parked")?;
        within("parked updates", "parked", parked, config.limits.parked)?;
        for _ in 0..parked {
            let waits_for = source.read("parked.waits_for")?;
            parking.restore(waits_for, source.read("parked.update")?);
            check_parked(&parking, waits_for, &config.limits)?;
        }
        let deadlines: [Timeouts; 2] = [source.read("parked.expiry")?, source.read("parked.asking")?];
        let are_awaited = |timeouts: &Timeouts| timeouts.iter().all(|(entity, _)| parking.is_awaited(entity));
        let are_all = |timeouts: &Timeouts| timeouts.len() == parking.awaited();
        if !deadlines.iter().all(|timeouts| are_awaited(timeouts) && are_all(timeouts)) {
            return Err(RestoreError::Inconsistent { what: "the deadlines do not match the parked updates" });
        }
        parking.restore_deadlines(deadlines);
        let leaving = source.read("leaving")?;
        let replay: Vec<Update> = source.read("replay")?;
        let limits = config.limits;
        // They were all parked at the same time.
        within("updates to be handled", "parked", replay.len() as u64, limits.parked)?;
        let bytes: u64 = replay.iter().map(|update| u64::from(bytes_of(update))).sum();
        within("bytes of updates to be handled", "parked_bytes", bytes, limits.parked_bytes)?;
        Ok(Self {
            config,
            clock,
            viewpoint,
            is_viewpoint_new,
            store,
            slots: IdMap::default(),
            keys,
            player,
            outbox: VecDeque::new(),
            parking,
            replay,
            leaving,
            record: Record::new(limits.events as usize, limits.decision_bytes as usize),
            traced: Vec::new(),
            traces_all: false,
            linked: Vec::new(),
            relinked: Vec::new(),
        })
    }
}
