//! Animations, with keyframes of all parts and root motion.

use super::{Frame, Hook, Put, Record, Sealed, Unwritable};
use crate::{RecordError, RecordId, RecordKind, cursor::Cursor};

/// The keyframes of a motion. The motion table sets the playing rate.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Animation {
    /// Number of the record.
    pub id: RecordId,
    /// Bit 0 is set if the animation moves the root. Bit 1 is set if it has hooks, but reading does
    /// not depend on it.
    #[serde(serialize_with = "super::as_hex")]
    pub flags: u32,
    /// Number of parts.
    pub parts: u32,
    /// Number of keyframes.
    pub frames: u32,
    /// Root motion of each keyframe, or empty if the root does not move.
    pub root: Vec<Frame>,
    /// All parts of the first keyframe, then all parts of the second, and so on. Empty for
    /// [`AnimationPart::Motion`].
    pub part_frames: Vec<Frame>,
    /// Keyframe and hook, in order.
    pub hooks: Vec<(u32, Hook)>,
}

/// The part of an animation to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimationPart {
    /// All of the animation.
    Everything,
    /// Root motion and hooks, which take a small part of the memory.
    Motion,
}

impl Animation {
    /// Flag of an animation that moves the root.
    pub const HAS_ROOT: u32 = 1;
    /// Flag of an animation with hooks.
    pub const HAS_HOOKS: u32 = 2;

    /// Reads a part of an animation. The rest is checked too.
    ///
    /// # Errors
    /// [`RecordError`] with the byte and the fault.
    pub fn parse_part(cursor: &mut Cursor<'_>, wanted: AnimationPart) -> Result<Self, RecordError> {
        let id = RecordId(cursor.u32("id")?);
        let flags = cursor.u32("flags")?;
        let parts = cursor.u32("parts")?;
        let frames = cursor.u32("keyframes")?;
        let root = if flags & Self::HAS_ROOT != 0 {
            cursor.frames("root frames", frames as usize)?.iter().map(Frame::from_bytes).collect()
        } else {
            Vec::new()
        };
        // A keyframe has all parts and a number of hooks. All keyframes must fit before any
        // allocation.
        let of_a_frame = u64::from(parts) * Frame::BYTES as u64 + 4;
        let each = usize::try_from(of_a_frame).unwrap_or(usize::MAX);
        cursor.check_count("keyframes", u64::from(frames), each)?;
        let all = parts as usize * frames as usize;
        let keep = wanted == AnimationPart::Everything;
        let mut part_frames = Vec::with_capacity(if keep { all } else { 0 });
        let mut hooks = Vec::new();
        for frame in 0..frames {
            let of_frame = cursor.frames("part frames", parts as usize)?;
            if keep {
                part_frames.extend(of_frame.iter().map(Frame::from_bytes));
            }
            for _ in 0..cursor.count("hooks", Hook::MIN_BYTES)? {
                hooks.push((frame, Hook::parse(cursor)?));
            }
        }
        Ok(Self { id, flags, parts, frames, root, part_frames, hooks })
    }

    /// Returns the parts of a keyframe. Empty if there is no such keyframe, or the parts were not
    /// read.
    pub fn parts_of(&self, frame: u32) -> &[Frame] {
        let parts = self.parts as usize;
        let start = (frame as usize).saturating_mul(parts);
        self.part_frames.get(start..start.saturating_add(parts)).unwrap_or(&[])
    }
}

impl Sealed for Animation {
    fn write(&self, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        let wrong = |field, what| Err(Unwritable { field, what });
        let has_root = self.flags & Self::HAS_ROOT != 0;
        let expected = if has_root { self.frames as usize } else { 0 };
        if self.root.len() != expected {
            return wrong("root frames", "must be one per keyframe or none, as the flags say");
        }
        if self.part_frames.len() as u64 != u64::from(self.parts) * u64::from(self.frames) {
            return wrong("part frames", "must be one per part and keyframe");
        }
        if !self.hooks.is_sorted_by_key(|(frame, _)| *frame) {
            return wrong("hooks", "must be in the order of keyframes");
        }
        if self.hooks.last().is_some_and(|(frame, _)| *frame >= self.frames) {
            return wrong("hooks", "must be at keyframes that exist");
        }
        [self.id.0, self.flags, self.parts, self.frames].iter().for_each(|word| out.word(*word));
        self.root.iter().for_each(|frame| frame.write(out));
        let mut hooks = self.hooks.as_slice();
        for frame in 0..self.frames {
            self.parts_of(frame).iter().for_each(|part| part.write(out));
            let count = hooks.iter().take_while(|(at, _)| *at == frame).count();
            let (now, later) = hooks.split_at(count);
            hooks = later;
            out.count("hooks", count)?;
            now.iter().try_for_each(|(_, hook)| hook.write(out))?;
        }
        Ok(())
    }
}

impl Record for Animation {
    const KIND: RecordKind = RecordKind::Animation;

    fn parse(cursor: &mut Cursor<'_>) -> Result<Self, RecordError> {
        Self::parse_part(cursor, AnimationPart::Everything)
    }

    fn id(&self) -> RecordId {
        self.id
    }

    fn weight(&self) -> usize {
        size_of::<Self>()
            + (self.root.capacity() + self.part_frames.capacity()) * size_of::<Frame>()
            + self.hooks.capacity() * size_of::<(u32, Hook)>()
    }
}
