//! Motion tables, which list the animations of each motion and the links that lead to it.
//!
//! A table is data only. `playing.rs` chooses from it. Tables come from archives, from text or from
//! `builtin.rs`, and are kept in the library.

use alloc::{collections::BTreeMap, vec::Vec};

use evenstride_types::{StateHash, Vec3, update::MotionCommand};

/// A range of keyframes of an animation, and its rate.
///
/// Retail: `AnimData::AnimData` (11.4186 @ 0x00525CE0)
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "AnimData")]
pub struct Clip {
    /// Number of the animation in the library, 0 for none.
    pub animation: u32,
    /// First keyframe, from 0.
    pub low: i32,
    /// Last keyframe, inclusive. A negative number means the animation's last.
    pub high: i32,
    /// Keyframes per second at speed factor 1.
    pub rate: f32,
}

/// The animations of a motion, with its constant velocity and spin.
///
/// Retail: `MotionData::UnPack` (11.4186 @ 0x00526570)
#[derive(Clone, Debug, Default, PartialEq)]
#[doc(alias = "MotionData")]
pub struct Motion {
    /// Animations in order. Only the last one of a cycle repeats.
    pub clips: Vec<Clip>,
    /// Restrictions, as a set of the bits [`NO_MODIFIERS`](Self::NO_MODIFIERS) and
    /// [`FROM_DEFAULT_ONLY`](Self::FROM_DEFAULT_ONLY) (default: 0).
    pub bits: u8,
    /// Velocity at speed factor 1, in metres per second along the body's own axes.
    pub velocity: Vec3,
    /// Spin at speed factor 1, in radians per second about the body's own axes.
    pub omega: Vec3,
}

impl Motion {
    /// Bit of a cycle that ends all modifiers as it begins, and refuses them while it lasts.
    pub const NO_MODIFIERS: u8 = 1;
    /// Bit of a cycle that can begin only in the stance's default posture.
    pub const FROM_DEFAULT_ONLY: u8 = 2;

    /// Adds the whole content to a fingerprint, as words of 32 bits.
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

    /// Returns whether the motion has [`Self::NO_MODIFIERS`].
    pub(super) const fn suffers_no_modifiers(&self) -> bool {
        self.bits & Self::NO_MODIFIERS != 0
    }
}

/// The motions of a kind of body, by stance.
///
/// Retail: `CMotionTable::UnPack` (11.4186 @ 0x005238C0)
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "CMotionTable")]
pub struct MotionTable {
    /// Stance of a new body, and fallback for cycles that other stances lack.
    default_style: MotionCommand,
    /// Default posture of each stance. A stance without a default posture cannot be entered.
    styles: BTreeMap<MotionCommand, MotionCommand>,
    /// Motions that repeat, by [`key`](Self::key).
    cycles: BTreeMap<u32, Motion>,
    /// Motions on top of a cycle, by [`key`](Self::key), or by the command alone for all stances.
    modifiers: BTreeMap<u32, Motion>,
    /// Transitions and actions, by the key of the motion before and the full command of the motion
    /// after.
    links: BTreeMap<(u32, u32), Motion>,
    /// First and last command of a range, and the link to its motions where no other link exists.
    /// Tables from archives have none.
    any_links: Vec<(u32, u32, Motion)>,
}

impl MotionTable {
    /// Creates a table with a default stance and nothing else.
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

    /// Returns the stance of a new body.
    pub const fn default_style(&self) -> MotionCommand {
        self.default_style
    }

    /// Returns the key of a motion in a stance, as archives have it. The class bits of both
    /// commands are dropped.
    pub const fn key(style: MotionCommand, motion: MotionCommand) -> u32 {
        (style.0 << 16) | (motion.0 & 0x00FF_FFFF)
    }

    /// Adds the whole content to a fingerprint.
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

    /// Sets the default posture of a stance, and thereby adds the stance.
    pub fn set_style_default(&mut self, style: MotionCommand, posture: MotionCommand) {
        self.styles.insert(style, posture);
    }

    /// Adds a motion that repeats, by [`key`](Self::key). An existing one with the same key is
    /// replaced.
    pub fn set_cycle(&mut self, key: u32, motion: Motion) {
        self.cycles.insert(key, motion);
    }

    /// Adds a modifier, which is a motion on top of cycles. The key is that of one stance, or the
    /// command's lower 24 bits for all stances.
    pub fn set_modifier(&mut self, key: u32, motion: Motion) {
        self.modifiers.insert(key, motion);
    }

    /// Adds the transition from one motion, given by its [`key`](Self::key), to another.
    ///
    /// A key without a motion (`style << 16`) makes a link from any motion of the stance. An action
    /// is a link too.
    pub fn set_link(&mut self, from: u32, to: MotionCommand, motion: Motion) {
        self.links.insert((from, to.0), motion);
    }

    /// Adds a link to any motion of a range, from any motion in any stance, where no other link
    /// exists.
    ///
    /// The first range that contains the command is used. The game's own tables list every link
    /// instead.
    pub fn set_any_link(&mut self, first: MotionCommand, last: MotionCommand, motion: Motion) {
        self.any_links.push((first.0, last.0, motion));
    }

    /// Returns the default posture of a stance. `None` if the table lacks the stance.
    pub(crate) fn style_default(&self, style: MotionCommand) -> Option<MotionCommand> {
        self.styles.get(&style).copied()
    }

    /// Returns the cycle of a motion in exactly this stance. Falling back to the default stance is
    /// up to the caller.
    pub(crate) fn cycle(&self, style: MotionCommand, motion: MotionCommand) -> Option<&Motion> {
        self.cycles.get(&Self::key(style, motion))
    }

    /// Returns the modifier for this stance, or the one for all stances if there is none.
    pub(crate) fn modifier(&self, style: MotionCommand, motion: MotionCommand) -> Option<&Motion> {
        self.modifiers
            .get(&Self::key(style, motion))
            .or_else(|| self.modifiers.get(&(motion.0 & 0x00FF_FFFF)))
    }

    /// Returns the link from one motion to another, with its key.
    ///
    /// If either motion is played backward, the link of the opposite direction is returned, to be
    /// played backward too. If that link is missing, the link to the default posture is used. If
    /// both motions are played forward, links from any motion of the stance are tried after the
    /// direct link, and links to a range last.
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
