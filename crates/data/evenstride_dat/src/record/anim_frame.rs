//! One keyframe of all parts.

use super::{Frame, Hook, Put, Unwritable};
use crate::{RecordError, cursor::Cursor};

/// One keyframe, with the frame of each part and the hooks.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct AnimFrame {
    /// Frame of each part of the animation or setup.
    pub parts: Vec<Frame>,
    /// Hooks in order.
    pub hooks: Vec<Hook>,
}

impl AnimFrame {
    pub(crate) fn parse(cursor: &mut Cursor<'_>, parts: usize) -> Result<Self, RecordError> {
        let parts = cursor.frames("part frames", parts)?.iter().map(Frame::from_bytes).collect();
        let count = cursor.count("hooks", Hook::MIN_BYTES)?;
        let hooks = (0..count).map(|_| Hook::parse(cursor)).collect::<Result<_, _>>()?;
        Ok(Self { parts, hooks })
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        self.parts.iter().for_each(|frame| frame.write(out));
        out.count("hooks", self.hooks.len())?;
        self.hooks.iter().try_for_each(|hook| hook.write(out))
    }
}
