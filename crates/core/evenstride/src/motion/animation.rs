//! Animations: how far the root of a body goes from one keyframe to the next, and what happens at them.

use alloc::vec::Vec;

use evenstride_types::{Pose, StateHash};

/// What moves a body by its legs: keyframes, and where each carries the root.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "CAnimation")]
pub struct Animation {
    frames: u32,
    root: Vec<Pose>,
    hooks: Vec<Hook>,
}

/// Something that happens at a keyframe: a sound, a strike, a step on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "CAnimHook")]
pub struct Hook {
    /// At which keyframe.
    pub frame: u32,
    /// What, by the game's own numbers: 1 a sound, 3 a strike, 22 a spin, and so on.
    pub kind: u32,
    /// When it is played in which direction.
    pub direction: HookDirection,
    /// A number of its own: the sound, the part, whatever the kind needs first.
    pub value: u32,
}

/// In which direction an animation must be played for a hook to fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookDirection {
    /// Either.
    Both,
    /// Forward only.
    Forward,
    /// Backward only.
    Backward,
}

/// Why there can be no such animation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAnimation {
    /// It has no keyframe.
    #[error("an animation without keyframes")]
    Empty,
    /// It has more keyframes than any has.
    #[error("an animation of {frames} keyframes; the most are {}", Animation::MAX_FRAMES)]
    TooLong {
        /// How many.
        frames: u32,
    },
    /// More happens at one keyframe than can.
    #[error("{hooks} things happen at keyframe {frame}; at most {} can", Animation::MAX_HOOKS)]
    Hooks {
        /// At which.
        frame: u32,
        /// How many.
        hooks: usize,
    },
    /// Root motion for some keyframes only.
    #[error("root motion for {root} of {frames} keyframes")]
    Root {
        /// How many have it.
        root: usize,
        /// How many there are.
        frames: u32,
    },
}

impl Animation {
    /// Most keyframes. A safety bound: the game's longest have a few hundred.
    pub const MAX_FRAMES: u32 = 1 << 16;

    /// Most things that happen at one keyframe. A safety bound: the game has a handful.
    pub const MAX_HOOKS: usize = 64;

    /// Keyframes, and where each carries the root: for all of them, or for none.
    ///
    /// # Errors
    /// [`InvalidAnimation`].
    pub fn new(frames: u32, root: Vec<Pose>) -> Result<Self, InvalidAnimation> {
        match frames {
            0 => Err(InvalidAnimation::Empty),
            _ if frames > Self::MAX_FRAMES => Err(InvalidAnimation::TooLong { frames }),
            _ if !root.is_empty() && root.len() != frames as usize => {
                Err(InvalidAnimation::Root { root: root.len(), frames })
            }
            _ => Ok(Self { frames, root, hooks: Vec::new() }),
        }
    }

    /// The same with things that happen at keyframes; what happens at none of them is left out.
    ///
    /// # Errors
    /// [`InvalidAnimation::Hooks`].
    pub fn with_hooks(mut self, mut hooks: Vec<Hook>) -> Result<Self, InvalidAnimation> {
        hooks.retain(|hook| hook.frame < self.frames);
        hooks.sort_by_key(|hook| hook.frame);
        for at_once in hooks.chunk_by(|one, other| one.frame == other.frame) {
            if at_once.len() > Self::MAX_HOOKS {
                return Err(InvalidAnimation::Hooks { frame: at_once[0].frame, hooks: at_once.len() });
            }
        }
        self.hooks = hooks;
        Ok(self)
    }

    /// How many keyframes.
    pub const fn frames(&self) -> u32 {
        self.frames
    }

    /// Where a keyframe carries the root; `None` if the animation carries it nowhere, or there is no such keyframe.
    #[inline]
    pub(crate) fn root(&self, frame: i32) -> Option<&Pose> {
        self.root.get(usize::try_from(frame).ok()?)
    }

    /// Everything it holds, into a fingerprint.
    pub(super) fn fingerprint(&self, hash: &mut StateHash) {
        hash.bytes(&self.frames.to_le_bytes());
        for pose in &self.root {
            for part in pose.origin().to_array().into_iter().chain(pose.rotation().to_wxyz()) {
                hash.bytes(&part.to_bits().to_le_bytes());
            }
        }
        for hook in &self.hooks {
            let direction = hook.direction as u32;
            for word in [hook.frame, hook.kind, direction, hook.value] {
                hash.bytes(&word.to_le_bytes());
            }
        }
    }

    /// What happens at a keyframe, in order.
    pub(crate) fn hooks_at(&self, frame: i32) -> &[Hook] {
        let Ok(frame) = u32::try_from(frame) else { return &[] };
        let start = self.hooks.partition_point(|hook| hook.frame < frame);
        let end = self.hooks.partition_point(|hook| hook.frame <= frame);
        &self.hooks[start..end]
    }

    /// What happens at a keyframe when it is played in this direction, in order.
    pub(crate) fn firing_at(&self, frame: i32, is_forward: bool) -> impl Iterator<Item = &Hook> {
        self.hooks_at(frame).iter().filter(move |hook| match hook.direction {
            HookDirection::Both => true,
            HookDirection::Forward => is_forward,
            HookDirection::Backward => !is_forward,
        })
    }

    /// Whether playing it does anything but take time.
    pub(crate) fn does_something(&self) -> bool {
        !self.hooks.is_empty() || self.root.iter().any(|pose| *pose != Pose::IDENTITY)
    }
}
