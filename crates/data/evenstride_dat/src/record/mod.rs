//! What records say: one file a kind, each with its reader and its writer.

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

/// Kinds of records are known here only.
mod sealed {
    use super::Unwritable;

    #[expect(unnameable_types, reason = "so that nobody else can implement it")]
    pub trait Sealed {
        /// Adds the bytes of a record, which begins where there are none yet.
        fn write(&self, out: &mut Vec<u8>) -> Result<(), Unwritable>;
    }
}

pub(crate) use sealed::Sealed;

/// A kind of record that we understand.
pub trait Record: Sized + Sealed {
    /// Which kind.
    const KIND: RecordKind;

    /// Reads one from where the cursor is; what stands after it is not touched.
    ///
    /// # Errors
    /// [`RecordError`] with the byte and what is wrong there.
    fn parse(cursor: &mut Cursor<'_>) -> Result<Self, RecordError>;

    /// Its number.
    fn id(&self) -> RecordId;

    /// How much it takes in memory, in bytes.
    fn weight(&self) -> usize;

    /// Reads one that takes all of these bytes.
    ///
    /// # Errors
    /// [`RecordError`] with the byte and what is wrong there.
    fn from_bytes(bytes: &[u8]) -> Result<Self, RecordError> {
        let mut cursor = Cursor::new(bytes);
        let record = Self::parse(&mut cursor)?;
        match cursor.left() {
            0 => Ok(record),
            left => Err(cursor.error(RecordFault::Trailing { left })),
        }
    }

    /// Its bytes, as an archive has them.
    ///
    /// # Errors
    /// [`Unwritable`] when it says something that bytes cannot.
    fn to_bytes(&self) -> Result<Vec<u8>, Unwritable> {
        let mut bytes = Vec::new();
        self.write(&mut bytes)?;
        Ok(bytes)
    }
}

/// What cannot be written, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {what}")]
pub struct Unwritable {
    /// Which field.
    pub field: &'static str,
    /// Why not.
    pub what: &'static str,
}

/// Writing, the reverse of a [`Cursor`].
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

/// Numbers that people read in hexadecimal, in JSON.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn as_hex<S: serde::Serializer>(number: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("0x{number:08X}"))
}

fn list_as_hex<S: serde::Serializer>(numbers: &[u32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(numbers.iter().map(|number| format!("0x{number:08X}")))
}
