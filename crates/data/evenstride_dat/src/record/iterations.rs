//! The patches of an archive.

use super::{Put, Record, Sealed, Unwritable};
use crate::{RecordError, RecordId, RecordKind, cursor::Cursor};

/// The patches of an archive. This is the only record that does not begin with its own number.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Iterations {
    /// Number of patches.
    pub total: i32,
    /// Runs of patches, each with the first patch and the number of patches.
    pub runs: Vec<(i32, u32)>,
}

impl Sealed for Iterations {
    fn write(&self, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        out.word(self.total as u32);
        for (first, count) in &self.runs {
            if !(1..=1 << 31).contains(count) {
                return Err(Unwritable { field: "run", what: "the length must be 1 to 2147483648" });
            }
            out.word(count.wrapping_neg());
            out.word(*first as u32);
        }
        Ok(())
    }
}

impl Record for Iterations {
    const KIND: RecordKind = RecordKind::Iterations;

    fn parse(cursor: &mut Cursor<'_>) -> Result<Self, RecordError> {
        let total = cursor.i32("total")?;
        let mut runs = Vec::new();
        while cursor.left() >= 4 {
            let item = cursor.i32("run")?;
            if item < 0 {
                runs.push((cursor.i32("first of a run")?, item.unsigned_abs()));
            } else {
                runs.push((item, 1));
            }
        }
        Ok(Self { total, runs })
    }

    fn id(&self) -> RecordId {
        RecordId::ITERATIONS
    }

    fn weight(&self) -> usize {
        size_of::<Self>() + self.runs.capacity() * size_of::<(i32, u32)>()
    }
}
