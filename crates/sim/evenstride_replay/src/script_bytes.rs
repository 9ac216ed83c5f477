//! A script as bytes, and back, so that a page or another program can replay it.
//!
//! ```text
//! "EVSCRIPT"   8 bytes
//! version      u32, little-endian like everything after it
//! fingerprint  u64, of everything after it
//! player       u32, 0 if unknown
//! start        f64, the date of second 0 as a Unix time, NaN if unknown
//! names        u32 count, then entity u32, length u16 and UTF-8 text of each
//! truth        u32 count, then entity u32, time f64, cell u32, origin 3 × f32 and rotation 4 × f32 of each
//! messages     u32 count, then time f64, sender u8 (0 server, 1 client), length u32 and bytes of each
//! ```
//!
//! Messages are encoded as on the wire. The counts of message kinds and the likely player are left out.
//! The bytes are untrusted input, so reading checks every value.

use evenstride_types::{EntityId, RawPlacement, SimTime, StateHash, Vec3};
use evenstride_wire::{ActionMessage, DecodeError, Message, decode, encode};

use crate::{
    recording::{Said, TimedMessage},
    script::{Script, Truth},
};

/// Version of the format that this code writes, and the only one it reads.
pub const SCRIPT_VERSION: u32 = 1;

/// Largest size of a script in bytes.
pub const MAX_SCRIPT_BYTES: usize = 64 << 20;

const MAGIC: &[u8; 8] = b"EVSCRIPT";
const HEADER_BYTES: usize = 20;

/// Why bytes are not a script.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScriptBytesError {
    /// The bytes do not begin like a script.
    #[error("not a script: it does not begin with \"EVSCRIPT\" (use the bytes of `Script::to_bytes`)")]
    NotAScript,
    /// Another version of the format wrote the bytes.
    #[error("written in version {found} of the format; this program reads version {SCRIPT_VERSION}")]
    Version {
        /// Version of the bytes.
        found: u32,
    },
    /// The contents were changed or cut off.
    #[error("damaged or truncated: the fingerprint does not match the contents")]
    Fingerprint,
    /// There are too many bytes.
    #[error("{bytes} bytes are more than {MAX_SCRIPT_BYTES}; use a shorter part of the capture")]
    TooLarge {
        /// Number of bytes.
        bytes: usize,
    },
    /// The bytes end within a value, or a value is invalid.
    #[error("{what} at byte {offset}: invalid or truncated")]
    Value {
        /// Name of the value.
        what: &'static str,
        /// Position of the value, counted from the first byte.
        offset: usize,
    },
    /// A message cannot be decoded.
    #[error("message {index}: {error}")]
    Message {
        /// Number of the message, counted from 0.
        index: usize,
        /// The reason.
        error: DecodeError,
    },
    /// A message is not about motion, or not by its sender.
    #[error("message {index} is not a motion message of its sender")]
    NotMotion {
        /// Number of the message, counted from 0.
        index: usize,
    },
    /// Bytes follow after the end.
    #[error("{extra} extra bytes after the end")]
    TooLong {
        /// Number of those bytes.
        extra: usize,
    },
}

impl Script {
    /// Returns the script as bytes for [`from_bytes`](Self::from_bytes).
    ///
    /// ```
    /// use evenstride_replay::{Script, sample};
    ///
    /// let script = sample::crowd(2, 1);
    /// let same = Script::from_bytes(&script.to_bytes()?)?;
    /// assert_eq!(same.messages, script.messages);
    /// # Ok::<(), evenstride_replay::ScriptBytesError>(())
    /// ```
    ///
    /// # Errors
    /// [`ScriptBytesError::TooLarge`] if there would be more bytes than [`MAX_SCRIPT_BYTES`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, ScriptBytesError> {
        let mut bytes = Vec::from(MAGIC);
        bytes.extend(SCRIPT_VERSION.to_le_bytes());
        bytes.extend(0u64.to_le_bytes());
        bytes.extend(self.player.map_or(0, EntityId::raw).to_le_bytes());
        bytes.extend(self.start.unwrap_or(f64::NAN).to_le_bytes());
        bytes.extend((self.names.len() as u32).to_le_bytes());
        for (entity, name) in &self.names {
            let name = &name.as_bytes()[..name.floor_char_boundary(usize::from(u16::MAX))];
            bytes.extend(entity.raw().to_le_bytes());
            bytes.extend((name.len() as u16).to_le_bytes());
            bytes.extend(name);
        }
        bytes.extend((self.truth.values().map(Vec::len).sum::<usize>() as u32).to_le_bytes());
        for (entity, Truth { time, place }) in
            self.truth.iter().flat_map(|(entity, of)| of.iter().map(move |truth| (entity, truth)))
        {
            let RawPlacement { cell, origin, wxyz } = place.into();
            bytes.extend(entity.raw().to_le_bytes());
            bytes.extend(time.to_le_bytes());
            bytes.extend(cell.to_le_bytes());
            origin.to_array().iter().chain(&wxyz).for_each(|value| bytes.extend(value.to_le_bytes()));
        }
        bytes.extend((self.messages.len() as u32).to_le_bytes());
        for (index, TimedMessage { time, said }) in self.messages.iter().enumerate() {
            let (sender, message) = match said {
                Said::Server(update) => (0, Message::from(update.clone())),
                // The counter of an action does not matter to a replay.
                Said::Client(action) => {
                    (1, Message::Action(ActionMessage { counter: index as u32, action: Ok(action.clone()) }))
                }
            };
            bytes.extend(time.to_le_bytes());
            bytes.push(sender);
            let at = bytes.len();
            bytes.extend([0; 4]);
            encode(&message, &mut bytes);
            let length = (bytes.len() - at - 4) as u32;
            bytes[at..at + 4].copy_from_slice(&length.to_le_bytes());
            if bytes.len() > MAX_SCRIPT_BYTES {
                return Err(ScriptBytesError::TooLarge { bytes: bytes.len() });
            }
        }
        let fingerprint = fingerprint(&bytes[HEADER_BYTES..]);
        bytes[HEADER_BYTES - 8..HEADER_BYTES].copy_from_slice(&fingerprint.to_le_bytes());
        Ok(bytes)
    }

    /// Reads a script from the bytes of [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    /// [`ScriptBytesError`] if the bytes are anything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ScriptBytesError> {
        if bytes.len() > MAX_SCRIPT_BYTES {
            return Err(ScriptBytesError::TooLarge { bytes: bytes.len() });
        }
        if !bytes.starts_with(MAGIC) {
            return Err(ScriptBytesError::NotAScript);
        }
        let mut source = Source { bytes, offset: MAGIC.len() };
        let found = u32::from_le_bytes(source.array("version")?);
        if found != SCRIPT_VERSION {
            return Err(ScriptBytesError::Version { found });
        }
        if u64::from_le_bytes(source.array("fingerprint")?) != fingerprint(&bytes[HEADER_BYTES..]) {
            return Err(ScriptBytesError::Fingerprint);
        }
        let mut script = Self::default();
        let player = u32::from_le_bytes(source.array("player")?);
        script.player = (player != 0).then_some(EntityId::new(player));
        let start = f64::from_le_bytes(source.array("start")?);
        script.start = (!start.is_nan()).then_some(start).filter(|start| start.is_finite());
        for _ in 0..source.count("names")? {
            let entity = source.entity("entity of a name")?;
            let length = u16::from_le_bytes(source.array("length of a name")?);
            let offset = source.offset;
            let name = core::str::from_utf8(source.take("name", usize::from(length))?)
                .map_err(|_| ScriptBytesError::Value { what: "name", offset })?;
            script.names.insert(entity, name.to_owned());
        }
        for _ in 0..source.count("true places")? {
            let entity = source.entity("entity of a true place")?;
            let truth = source.truth()?;
            script.truth.entry(entity).or_default().push(truth);
        }
        let mut last = f64::NEG_INFINITY;
        for index in 0..source.count("messages")? {
            let message = source.message(index, last)?;
            last = message.time;
            script.messages.push(message);
        }
        match bytes.len() - source.offset {
            0 => Ok(script),
            extra => Err(ScriptBytesError::TooLong { extra }),
        }
    }
}

fn fingerprint(bytes: &[u8]) -> u64 {
    let mut hash = StateHash::new();
    hash.bytes(bytes);
    hash.finish()
}

/// Bytes that are read from front to back.
struct Source<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Source<'a> {
    fn take(&mut self, what: &'static str, length: usize) -> Result<&'a [u8], ScriptBytesError> {
        let offset = self.offset;
        let end = offset.checked_add(length);
        let taken = end.and_then(|end| self.bytes.get(offset..end));
        let taken = taken.ok_or(ScriptBytesError::Value { what, offset })?;
        self.offset += length;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], ScriptBytesError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(what, N)?);
        Ok(array)
    }

    fn count(&mut self, what: &'static str) -> Result<usize, ScriptBytesError> {
        Ok(u32::from_le_bytes(self.array(what)?) as usize)
    }

    fn entity(&mut self, what: &'static str) -> Result<EntityId, ScriptBytesError> {
        Ok(EntityId::new(u32::from_le_bytes(self.array(what)?)))
    }

    /// Reads a time that a world accepts and that is not before `last`.
    fn time(&mut self, what: &'static str, last: f64) -> Result<f64, ScriptBytesError> {
        let offset = self.offset;
        let time = f64::from_le_bytes(self.array(what)?);
        if SimTime::from_secs(time).is_err() || time < last {
            return Err(ScriptBytesError::Value { what, offset });
        }
        Ok(time)
    }

    fn truth(&mut self) -> Result<Truth, ScriptBytesError> {
        let time = self.time("time of a true place", f64::NEG_INFINITY)?;
        let offset = self.offset;
        let cell = u32::from_le_bytes(self.array("cell of a true place")?);
        let mut numbers = [0.0; 7];
        for number in &mut numbers {
            *number = f32::from_le_bytes(self.array("true place")?);
        }
        let [x, y, z, qw, qx, qy, qz] = numbers;
        let place = RawPlacement { cell, origin: Vec3::new(x, y, z), wxyz: [qw, qx, qy, qz] }.check();
        let place = place.map_err(|_| ScriptBytesError::Value { what: "true place", offset })?;
        Ok(Truth { time, place })
    }

    fn message(&mut self, index: usize, last: f64) -> Result<TimedMessage, ScriptBytesError> {
        let time = self.time("time of a message", last)?;
        let [sender] = self.array("sender of a message")?;
        let length = self.count("length of a message")?;
        let bytes = self.take("message", length)?;
        let decoded = decode(bytes).map_err(|error| ScriptBytesError::Message { index, error })?;
        let said = match (sender, decoded.message) {
            (0, message) => message.into_update().map(Said::Server),
            (1, Message::Action(action)) => action.action.ok().map(Said::Client),
            _ => None,
        };
        Ok(TimedMessage { time, said: said.ok_or(ScriptBytesError::NotMotion { index })? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    /// Damage that a forged fingerprint hides is found by the checks of each value.
    #[test]
    fn forged_scripts_never_panic() {
        let bytes = sample::crowd(3, 2).to_bytes().unwrap();
        let mut rejected = 0;
        for at in HEADER_BYTES..bytes.len() {
            for flip in [0xFF, 0x01, 0x80] {
                let mut forged = bytes.clone();
                forged[at] ^= flip;
                let seal = fingerprint(&forged[HEADER_BYTES..]);
                forged[HEADER_BYTES - 8..HEADER_BYTES].copy_from_slice(&seal.to_le_bytes());
                rejected += usize::from(Script::from_bytes(&forged).is_err());
            }
        }
        assert!(rejected > 1_000, "{rejected} rejected");
    }

    #[test]
    fn values_are_checked_and_named() {
        let forge = |messages: Vec<TimedMessage>| {
            Script::from_bytes(&Script { messages, ..Script::default() }.to_bytes().unwrap())
        };
        let messages = sample::crowd(1, 1).messages;
        let mut backwards = messages.clone();
        backwards.reverse();
        assert!(matches!(forge(backwards), Err(ScriptBytesError::Value { what: "time of a message", .. })));
        let mut timeless = messages.clone();
        timeless[0].time = f64::NAN;
        assert!(matches!(forge(timeless), Err(ScriptBytesError::Value { what: "time of a message", .. })));
        assert_eq!(forge(messages.clone()).unwrap().messages, messages);
    }
}
