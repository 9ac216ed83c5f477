//! Motion tables, with the animations of each motion and the links between motions.

use super::{Put, Record, Sealed, Unwritable};
use crate::{RecordError, RecordId, RecordKind, cursor::Cursor};

/// The animations of each motion, by stance.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct MotionTable {
    /// Number of the record.
    pub id: RecordId,
    /// The initial stance.
    #[serde(serialize_with = "super::as_hex")]
    pub default_style: u32,
    /// Each stance with its default motion.
    #[serde(serialize_with = "pairs_as_hex")]
    pub style_defaults: Vec<(u32, u32)>,
    /// Cycles, which repeat. Keys are `stance << 16 | motion & 0xFFFFFF`.
    pub cycles: Vec<MotionData>,
    /// Modifiers, which are added to a cycle. Keys are those of cycles, or the motion alone.
    pub modifiers: Vec<MotionData>,
    /// Links, which lead from one motion to another.
    pub links: Vec<LinkGroup>,
}

/// The links that start from one motion.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct LinkGroup {
    /// Key of the motion, as in cycles. With motion 0 the links start from any motion of the
    /// stance.
    #[serde(serialize_with = "super::as_hex")]
    pub from: u32,
    /// Links by the motion they lead to. Their keys are whole commands.
    pub to: Vec<MotionData>,
}

/// The clips of a motion, with its velocity and spin.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct MotionData {
    /// Key of the motion. Its form depends on the list.
    #[serde(serialize_with = "super::as_hex")]
    pub key: u32,
    /// Bit 0 forbids modifiers. Bit 1 allows the motion only from the stance's default motion.
    pub bits: u8,
    /// Clips in playing order.
    pub clips: Vec<Clip>,
    /// Velocity in metres per second, in the body's own axes (default: zero).
    pub velocity: Option<[f32; 3]>,
    /// Angular velocity in radians per second, about the body's own axes (default: zero).
    pub omega: Option<[f32; 3]>,
}

/// A range of keyframes with a playing rate.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Clip {
    /// Number of the animation.
    pub animation: RecordId,
    /// Index of the first keyframe.
    pub low: i32,
    /// Index of the last keyframe. A negative index is the animation's last.
    pub high: i32,
    /// Keyframes per second. A negative rate plays backward.
    pub rate: f32,
}

impl MotionTable {
    /// Returns the motions of all lists.
    pub fn motions(&self) -> impl Iterator<Item = &MotionData> {
        let links = self.links.iter().flat_map(|group| &group.to);
        self.cycles.iter().chain(&self.modifiers).chain(links)
    }

    /// Returns the numbers of all animations in the table.
    pub fn animations(&self) -> std::collections::BTreeSet<RecordId> {
        let clips = self.motions().flat_map(|motion| &motion.clips);
        clips.map(|clip| clip.animation).filter(|id| id.0 != 0).collect()
    }
}

impl MotionData {
    const MIN_BYTES: usize = 8;
    const CLIP_BYTES: usize = 16;
    const HAS_VELOCITY: u8 = 1;
    const HAS_OMEGA: u8 = 2;

    fn parse(cursor: &mut Cursor<'_>) -> Result<Self, RecordError> {
        let key = cursor.u32("motion key")?;
        let clips = cursor.u8("number of clips")?;
        let bits = cursor.u8("motion bits")?;
        // Velocity and omega depend on this byte, not on the bits before it. With the wrong byte
        // some tables still parse, and most break silently.
        let present = cursor.u8("motion presence")?;
        cursor.align()?;
        cursor.check_count("clips", u64::from(clips), Self::CLIP_BYTES)?;
        let mut made = Self { key, bits, clips: Vec::with_capacity(clips.into()), ..Self::default() };
        for _ in 0..clips {
            made.clips.push(Clip {
                animation: RecordId(cursor.u32("clip animation")?),
                low: cursor.i32("clip first keyframe")?,
                high: cursor.i32("clip last keyframe")?,
                rate: cursor.f32("clip rate")?,
            });
        }
        if present & Self::HAS_VELOCITY != 0 {
            made.velocity = Some(cursor.floats("velocity")?);
        }
        if present & Self::HAS_OMEGA != 0 {
            made.omega = Some(cursor.floats("omega")?);
        }
        Ok(made)
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        let too_many = Unwritable { field: "clips", what: "more than 255" };
        out.word(self.key);
        out.push(u8::try_from(self.clips.len()).map_err(|_| too_many)?);
        out.push(self.bits);
        let velocity = self.velocity.map_or(0, |_| Self::HAS_VELOCITY);
        let omega = self.omega.map_or(0, |_| Self::HAS_OMEGA);
        out.push(velocity | omega);
        out.align();
        for clip in &self.clips {
            [clip.animation.0, clip.low as u32, clip.high as u32].iter().for_each(|word| out.word(*word));
            out.float(clip.rate);
        }
        [self.velocity, self.omega].iter().flatten().for_each(|vector| out.floats(vector));
        Ok(())
    }

    fn parse_list(cursor: &mut Cursor<'_>, field: &'static str) -> Result<Vec<Self>, RecordError> {
        let count = cursor.count(field, Self::MIN_BYTES)?;
        (0..count).map(|_| Self::parse(cursor)).collect()
    }

    fn write_list(list: &[Self], field: &'static str, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        out.count(field, list.len())?;
        list.iter().try_for_each(|motion| motion.write(out))
    }

    fn list_weight(list: &Vec<Self>) -> usize {
        let clips = list.iter().map(|motion| motion.clips.capacity() * size_of::<Clip>());
        list.capacity() * size_of::<Self>() + clips.sum::<usize>()
    }
}

impl Sealed for MotionTable {
    fn write(&self, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        out.word(self.id.0);
        out.word(self.default_style);
        out.count("style defaults", self.style_defaults.len())?;
        for (style, motion) in &self.style_defaults {
            out.word(*style);
            out.word(*motion);
        }
        MotionData::write_list(&self.cycles, "cycles", out)?;
        MotionData::write_list(&self.modifiers, "modifiers", out)?;
        out.count("links", self.links.len())?;
        for group in &self.links {
            out.word(group.from);
            MotionData::write_list(&group.to, "links to", out)?;
        }
        Ok(())
    }
}

impl Record for MotionTable {
    const KIND: RecordKind = RecordKind::MotionTable;

    fn parse(cursor: &mut Cursor<'_>) -> Result<Self, RecordError> {
        let id = RecordId(cursor.u32("id")?);
        let default_style = cursor.u32("default style")?;
        let count = cursor.count("style defaults", 8)?;
        let style_defaults = (0..count)
            .map(|_| Ok((cursor.u32("style")?, cursor.u32("default motion")?)))
            .collect::<Result<_, _>>()?;
        let cycles = MotionData::parse_list(cursor, "cycles")?;
        let modifiers = MotionData::parse_list(cursor, "modifiers")?;
        let count = cursor.count("links", 8)?;
        let links = (0..count)
            .map(|_| {
                let from = cursor.u32("link from")?;
                Ok(LinkGroup { from, to: MotionData::parse_list(cursor, "links to")? })
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { id, default_style, style_defaults, cycles, modifiers, links })
    }

    fn id(&self) -> RecordId {
        self.id
    }

    fn weight(&self) -> usize {
        size_of::<Self>()
            + self.style_defaults.capacity() * size_of::<(u32, u32)>()
            + self.links.capacity() * size_of::<LinkGroup>()
            + MotionData::list_weight(&self.cycles)
            + MotionData::list_weight(&self.modifiers)
            + self.links.iter().map(|group| MotionData::list_weight(&group.to)).sum::<usize>()
    }
}

fn pairs_as_hex<S: serde::Serializer>(pairs: &[(u32, u32)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer
        .collect_seq(pairs.iter().map(|(one, other)| [format!("0x{one:08X}"), format!("0x{other:08X}")]))
}
