//! A world as bytes, and back. Restored, it continues bit for bit like the original.
//!
//! ```text
//! "EVSTRIDE"   8 bytes
//! version      u32, little-endian like everything after it
//! fingerprint  u64, of everything after it
//! motion       config, clock, viewpoint, bodies with all columns and pools, keys, player, what waits
//! bookkeeping  counters, messages to be sent, who is watched
//! ```
//!
//! Every number is written as it is in memory, field by field (`records.rs`, `messages.rs`): no padding, no platform, no hash order. The
//! format changes with the structures it mirrors, and the version with it; a file of another version is refused by name. A file is input
//! from outside: reading it checks every value and every link (`check.rs`) before there is a world.
//!
//! Events nobody has taken and decisions to be explained are not saved: take them first.

pub(crate) mod bytes;
mod check;
mod messages;
mod records;

use alloc::{collections::VecDeque, sync::Arc, vec::Vec};

use evenstride_types::StateHash;

use crate::{
    body::{changed::Changed, store::Store},
    clock::checked_max_step,
    config::{Config, DrawMode},
    explain::Record,
    motion::MotionLibrary,
    save::bytes::{Saved, Sink, Source},
    storage::{ids::IdMap, parking::Parking, timeouts::Timeouts},
    world::MotionWorld,
};

/// The version this code writes, and the only one it reads.
pub const SAVE_VERSION: u32 = 6;

const MAGIC: [u8; 8] = *b"EVSTRIDE";
const HEADER_BYTES: usize = MAGIC.len() + 4 + 8;

/// Why bytes are no world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// They do not begin like a saved world.
    #[error(
        "not a saved world: it does not begin with \"EVSTRIDE\" (a `PlainWorld` saves another kind of file)"
    )]
    NotASave,
    /// They do not begin like a saved plain world.
    #[error(
        "not a saved plain world: it does not begin with \"EVSPLAIN\" (a `MotionWorld` saves another kind of file)"
    )]
    NotAPlainSave,
    /// They were written by another version.
    #[error("saved in version {found} of the format; this program reads version {SAVE_VERSION}")]
    Version {
        /// Theirs.
        found: u32,
    },
    /// They were changed since, or cut off.
    #[error("damaged or cut off: the fingerprint does not match the contents")]
    Fingerprint,
    /// They end too early.
    #[error("{what} at byte {offset}: needs {needs} bytes, {left} left")]
    Truncated {
        /// What was being read.
        what: &'static str,
        /// Where.
        offset: usize,
        /// How much it takes.
        needs: usize,
        /// How much there is.
        left: usize,
    },
    /// A value that cannot be.
    #[error("{what} at byte {offset}: a value that cannot be")]
    Value {
        /// Of what.
        what: &'static str,
        /// Where.
        offset: usize,
    },
    /// Parts that do not fit together.
    #[error("the parts do not fit together: {what}")]
    Inconsistent {
        /// Which.
        what: &'static str,
    },
    /// There is more than a world.
    #[error("{extra} bytes too many")]
    TooLong {
        /// How many.
        extra: usize,
    },
}

/// Reads a header, and checks that nothing after it was changed.
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

/// Makes the fingerprint match the contents again: for tests that damage files on purpose.
#[doc(hidden)]
pub fn reseal(bytes: &mut [u8]) {
    if bytes.len() >= HEADER_BYTES {
        let fingerprint = bytes::fingerprint(&bytes[HEADER_BYTES..]);
        bytes[HEADER_BYTES - 8..HEADER_BYTES].copy_from_slice(&fingerprint.to_le_bytes());
    }
}

impl MotionWorld {
    /// Everything that matters for going on, as bytes.
    ///
    /// Events that were not taken and decisions to be explained are left out.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.save_into(&mut bytes);
        bytes
    }

    /// The same, at the end of a buffer that may be used again and again.
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

    /// A world from what [`save`](Self::save) wrote. It continues bit for bit like the one that was saved; every body counts as changed.
    ///
    /// # Errors
    /// [`RestoreError`] when the bytes are anything else.
    pub fn restore(bytes: &[u8]) -> Result<Self, RestoreError> {
        Self::restore_with(bytes, Arc::new(MotionLibrary::built_in()))
    }

    /// The same for a world whose legs play from a library of its own, which is not saved with it.
    ///
    /// # Errors
    /// [`RestoreError`] when the bytes are anything else, or the library is another.
    pub fn restore_with(bytes: &[u8], library: Arc<MotionLibrary>) -> Result<Self, RestoreError> {
        let mut source = open(bytes, MAGIC, RestoreError::NotASave)?;
        let mut world = Self::read_motion(&mut source, library)?;
        world.store.stats = source.read("stats")?;
        world.outbox = source.read("outbox")?;
        world.traced = source.read("watched")?;
        world.traces_all = source.read("traces_all")?;
        if !source.rest().is_empty() {
            return Err(RestoreError::TooLong { extra: source.rest().len() });
        }
        world.check_and_connect()?;
        Ok(world)
    }

    /// A fingerprint of everything that matters for going on: the same inputs give the same on every target. Counters of the whole world,
    /// messages to be sent and who is watched are not in it: looking changes nothing.
    pub fn state_hash(&self) -> u64 {
        let mut hash = StateHash::new();
        self.write_motion(&mut hash);
        hash.finish()
    }

    fn write_motion(&self, sink: &mut impl Sink) {
        self.config.write(sink);
        self.clock.write(sink);
        self.viewpoint.write(sink);
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

    fn read_motion(source: &mut Source<'_>, library: Arc<MotionLibrary>) -> Result<Self, RestoreError> {
        let config: Config = source.read("config")?;
        let config = Config { max_step_secs: checked_max_step(config.max_step_secs), ..config };
        let clock = source.read("clock")?;
        let viewpoint = source.read("viewpoint")?;
        let store = Store::read(source, matches!(config.drawing, DrawMode::Interpolated), library)?;
        let keys = source.read("keys")?;
        let player = source.read("player")?;
        let mut parking = Parking::default();
        let parked: u32 = source.read("parked")?;
        if parked > config.limits.parked {
            return Err(RestoreError::Inconsistent { what: "more updates wait than may" });
        }
        for _ in 0..parked {
            let waits_for = source.read("parked.waits_for")?;
            parking.restore(waits_for, source.read("parked.update")?);
        }
        let deadlines: [Timeouts; 2] = [source.read("parked.expiry")?, source.read("parked.asking")?];
        let are_awaited = |timeouts: &Timeouts| timeouts.iter().all(|(entity, _)| parking.is_awaited(entity));
        let are_all = |timeouts: &Timeouts| timeouts.len() == parking.awaited();
        if !deadlines.iter().all(|timeouts| are_awaited(timeouts) && are_all(timeouts)) {
            return Err(RestoreError::Inconsistent { what: "deadlines that are not those of what waits" });
        }
        parking.restore_deadlines(deadlines);
        let leaving = source.read("leaving")?;
        let replay = source.read("replay")?;
        let limits = config.limits;
        Ok(Self {
            config,
            clock,
            viewpoint,
            store,
            slots: IdMap::default(),
            keys,
            player,
            outbox: VecDeque::new(),
            parking,
            replay,
            leaving,
            changed: Changed::default(),
            record: Record::new(limits.events as usize, limits.decision_bytes as usize),
            traced: Vec::new(),
            traces_all: false,
            linked: Vec::new(),
            relinked: Vec::new(),
            awake: Vec::new(),
        })
    }
}
