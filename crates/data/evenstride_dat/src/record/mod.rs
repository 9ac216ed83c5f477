//! Content of records. Each kind has a file with its reader and writer.

mod anim_frame;
mod animation;
mod frame;
mod hook;
mod iterations;
mod landblock;
mod motion_table;
mod region;
mod setup;

pub use anim_frame::AnimFrame;
pub use animation::{Animation, AnimationPart};
pub use frame::Frame;
pub use hook::{Hook, HookAction, HookDirection};
pub use iterations::Iterations;
pub use landblock::LandBlock;
pub use motion_table::{Clip, LinkGroup, MotionData, MotionTable};
pub use region::Region;
pub use setup::{CylSphere, Light, Location, Placement, Setup, Sphere};

use crate::{
    RecordError, RecordId, RecordKind,
    cursor::{Cursor, RecordFault},
};

/// Prevents other crates from implementing [`Record`].
mod sealed {
    use super::Unwritable;

    #[expect(unnameable_types, reason = "prevents implementations in other crates")]
    pub trait Sealed {
        /// Appends the bytes of a record to an empty buffer.
        fn write(&self, out: &mut Vec<u8>) -> Result<(), Unwritable>;
    }
}

pub(crate) use sealed::Sealed;

/// A kind of record that this crate parses.
pub trait Record: Sized + Sealed {
    /// The kind.
    const KIND: RecordKind;

    /// Reads a record at the cursor. Bytes after the record stay unread.
    ///
    /// # Errors
    /// [`RecordError`] with the byte and the fault.
    fn parse(cursor: &mut Cursor<'_>) -> Result<Self, RecordError>;

    /// Returns the number of the record.
    fn id(&self) -> RecordId;

    /// Returns the memory that the record takes, in bytes.
    fn weight(&self) -> usize;

    /// Reads a record that takes all of these bytes.
    ///
    /// # Errors
    /// [`RecordError`] with the byte and the fault.
    fn from_bytes(bytes: &[u8]) -> Result<Self, RecordError> {
        let mut cursor = Cursor::new(bytes);
        let record = Self::parse(&mut cursor)?;
        match cursor.left() {
            0 => Ok(record),
            left => Err(cursor.error(RecordFault::Trailing { left })),
        }
    }

    /// Returns the bytes of the record, as an archive stores them.
    ///
    /// # Errors
    /// [`Unwritable`] if the record has a value that the format does not allow.
    fn to_bytes(&self) -> Result<Vec<u8>, Unwritable> {
        let mut bytes = Vec::new();
        self.write(&mut bytes)?;
        Ok(bytes)
    }
}

/// A value that the format does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {what}")]
pub struct Unwritable {
    /// Name of the field.
    pub field: &'static str,
    /// Reason.
    pub what: &'static str,
}

/// Writes fields, as the inverse of [`Cursor`].
pub(crate) trait Put {
    fn word(&mut self, word: u32);
    fn float(&mut self, float: f32);
    fn floats(&mut self, floats: &[f32]);
    fn count(&mut self, field: &'static str, count: usize) -> Result<(), Unwritable>;
    fn align(&mut self);
}

impl Put for Vec<u8> {
    fn word(&mut self, word: u32) {
        self.extend(word.to_le_bytes());
    }

    fn float(&mut self, float: f32) {
        self.extend(float.to_le_bytes());
    }

    fn floats(&mut self, floats: &[f32]) {
        floats.iter().for_each(|float| self.float(*float));
    }

    fn count(&mut self, field: &'static str, count: usize) -> Result<(), Unwritable> {
        let count = u32::try_from(count).map_err(|_| Unwritable { field, what: "too many" })?;
        self.word(count);
        Ok(())
    }

    fn align(&mut self) {
        self.resize(self.len().next_multiple_of(4), 0);
    }
}

/// Serialises a number in hexadecimal.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn as_hex<S: serde::Serializer>(number: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("0x{number:08X}"))
}

fn list_as_hex<S: serde::Serializer>(numbers: &[u32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(numbers.iter().map(|number| format!("0x{number:08X}")))
}
