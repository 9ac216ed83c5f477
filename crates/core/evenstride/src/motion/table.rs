//! Motion tables: which animations a motion is made of, and which lead from one to another.

use alloc::{collections::BTreeMap, vec::Vec};

use evenstride_types::{StateHash, Vec3, update::MotionCommand};

/// A stretch of an animation, and how fast it is played.
///
/// Retail: `AnimData::AnimData` (11.4186 @ 0x00525CE0)
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "AnimData")]
pub struct Clip {
    /// Its number in the library; 0 means none.
    pub animation: u32,
    /// First keyframe.
    pub low: i32,
    /// Last keyframe; negative means the animation's last.
    pub high: i32,
    /// Keyframes a second.
    pub rate: f32,
}

/// What a motion is made of.
///
/// Retail: `MotionData::UnPack` (11.4186 @ 0x00526570)
#[derive(Clone, Debug, Default, PartialEq)]
#[doc(alias = "MotionData")]
pub struct Motion {
    /// Played in order; of a cycle the last one goes round.
    pub clips: Vec<Clip>,
    /// Bit 0: suffers no modifiers. Bit 1: only from the stance's own posture.
    pub bits: u8,
    /// Metres a second, own axes.
    pub velocity: Vec3,
    /// Radians a second, own axes.
    pub omega: Vec3,
}

impl Motion {
    /// Modifiers end when it begins, and none begin while it lasts.
    pub const NO_MODIFIERS: u8 = 1;
    /// It may be begun only in the stance's own posture.
    pub const FROM_DEFAULT_ONLY: u8 = 2;

    fn fingerprint(&self, word: &mut impl FnMut(u32)) {
        word(u32::from(self.bits));
        for clip in &self.clips {
            let rate = clip.rate.to_bits();
            [clip.animation, clip.low as u32, clip.high as u32, rate].into_iter().for_each(&mut *word);
        }
        for part in [self.velocity, self.omega].iter().flat_map(|vector| vector.to_array()) {
            word(part.to_bits());
        }
    }

    pub(super) const fn suffers_no_modifiers(&self) -> bool {
        self.bits & Self::NO_MODIFIERS != 0
    }
}

/// Which animations a motion is made of, by stance.
///
/// Retail: `CMotionTable::UnPack` (11.4186 @ 0x005238C0)
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "CMotionTable")]
pub struct MotionTable {
    default_style: MotionCommand,
    /// The posture of each stance.
    styles: BTreeMap<MotionCommand, MotionCommand>,
    cycles: BTreeMap<u32, Motion>,
    modifiers: BTreeMap<u32, Motion>,
    links: BTreeMap<(u32, u32), Motion>,
    /// What leads to any motion of a range, first and last, where nothing else does. Archives have none.
    any_links: Vec<(u32, u32, Motion)>,
}

impl MotionTable {
    /// A table with nothing in it but a stance.
    pub const fn new(default_style: MotionCommand) -> Self {
        Self {
            default_style,
            styles: BTreeMap::new(),
            cycles: BTreeMap::new(),
            modifiers: BTreeMap::new(),
            links: BTreeMap::new(),
            any_links: Vec::new(),
        }
    }

    /// The stance everything begins in.
    pub const fn default_style(&self) -> MotionCommand {
        self.default_style
    }

    /// The key of a motion in a stance, as archives have it: class bits vanish.
    pub const fn key(style: MotionCommand, motion: MotionCommand) -> u32 {
        (style.0 << 16) | (motion.0 & 0x00FF_FFFF)
    }

    /// Everything it holds, into a fingerprint.
    pub(super) fn fingerprint(&self, hash: &mut StateHash) {
        let mut word = |word: u32| hash.bytes(&word.to_le_bytes());
        word(self.default_style.0);
        for (style, posture) in &self.styles {
            word(style.0);
            word(posture.0);
        }
        for (list, motions) in [(1, &self.cycles), (2, &self.modifiers)] {
            for (key, motion) in motions {
                word(list);
                word(*key);
                motion.fingerprint(&mut word);
            }
        }
        for ((from, to), motion) in &self.links {
            word(*from);
            word(*to);
            motion.fingerprint(&mut word);
        }
        for (first, last, motion) in &self.any_links {
            word(*first);
            word(*last);
            motion.fingerprint(&mut word);
        }
    }

    /// Says which posture a stance has of its own.
    pub fn set_style_default(&mut self, style: MotionCommand, posture: MotionCommand) {
        self.styles.insert(style, posture);
    }

    /// Adds something that goes round, by key.
    pub fn set_cycle(&mut self, key: u32, motion: Motion) {
        self.cycles.insert(key, motion);
    }

    /// Adds something that comes on top of what goes round, by key: with a stance, or for all of them.
    pub fn set_modifier(&mut self, key: u32, motion: Motion) {
        self.modifiers.insert(key, motion);
    }

    /// Adds what leads from one motion (by key) to another.
    pub fn set_link(&mut self, from: u32, to: MotionCommand, motion: Motion) {
        self.links.insert((from, to.0), motion);
    }

    /// Adds what leads to any motion of a range, from whatever motion in whatever stance, where nothing else does. The game's own tables
    /// name every single one.
    pub fn set_any_link(&mut self, first: MotionCommand, last: MotionCommand, motion: Motion) {
        self.any_links.push((first.0, last.0, motion));
    }

    pub(crate) fn style_default(&self, style: MotionCommand) -> Option<MotionCommand> {
        self.styles.get(&style).copied()
    }

    pub(crate) fn cycle(&self, style: MotionCommand, motion: MotionCommand) -> Option<&Motion> {
        self.cycles.get(&Self::key(style, motion))
    }

    /// In this stance, or in any.
    pub(crate) fn modifier(&self, style: MotionCommand, motion: MotionCommand) -> Option<&Motion> {
        self.modifiers
            .get(&Self::key(style, motion))
            .or_else(|| self.modifiers.get(&(motion.0 & 0x00FF_FFFF)))
    }

    /// What leads from one motion to another; looked up the other way round if either is played backward.
    ///
    /// Retail: `CMotionTable::get_link` (11.4186 @ 0x00522710)
    pub(crate) fn link(
        &self,
        style: MotionCommand,
        (from, from_speed): (MotionCommand, f32),
        (to, to_speed): (MotionCommand, f32),
    ) -> Option<((u32, u32), &Motion)> {
        let found = |outer: u32, inner: MotionCommand| {
            let key = (outer, inner.0);
            self.links.get(&key).map(|motion| (key, motion))
        };
        if from_speed < 0.0 || to_speed < 0.0 {
            return found(Self::key(style, to), from)
                .or_else(|| found(Self::key(style, from), self.style_default(style)?));
        }
        found(Self::key(style, from), to).or_else(|| found(style.0 << 16, to)).or_else(|| {
            let fitting = self.any_links.iter().find(|(first, last, _)| (*first..=*last).contains(&to.0));
            fitting.map(|(first, _, motion)| ((0, *first), motion))
        })
    }
}
