//! Animations, reduced to the motion of the root and to hooks.
//!
//! The poses of limbs are not kept, because nothing here draws. Archives, text and `builtin.rs`
//! create animations. A sequence (`sequence.rs`) plays them by keyframe.

use alloc::vec::Vec;

use evenstride_types::{Pose, StateHash};

/// The keyframes of an animation, with the root motion and the hooks of each.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "CAnimation")]
pub struct Animation {
    /// Number of keyframes, from 1 to [`Self::MAX_FRAMES`].
    frames: u32,
    /// Root motion from each keyframe to the next. It is empty, or has an entry for each keyframe.
    root: Vec<Pose>,
    /// Hooks in order of keyframe. Those of one keyframe keep their order.
    hooks: Vec<Hook>,
}

/// Something that happens at a keyframe, such as a sound, a strike or a step on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "CAnimHook")]
pub struct Hook {
    /// Number of the keyframe, from 0.
    pub frame: u32,
    /// Kind of the hook, by the game's numbers. Examples are 1 for a sound, 3 for a strike and 22
    /// for a spin.
    pub kind: u32,
    /// Direction in which the keyframe must be left for the hook to fire.
    pub direction: HookDirection,
    /// First parameter of the hook, such as the number of a sound or a part.
    pub value: u32,
}

/// Direction in which an animation must be played for a hook to fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookDirection {
    /// Forward and backward.
    Both,
    /// Forward only.
    Forward,
    /// Backward only.
    Backward,
}

/// Reason why an animation is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnimationError {
    /// The animation has no keyframe.
    #[error("the animation has no keyframes")]
    Empty,
    /// The animation has more than [`Animation::MAX_FRAMES`] keyframes.
    #[error("the animation has {frames} keyframes; at most {} are allowed", Animation::MAX_FRAMES)]
    TooLong {
        /// Number of keyframes.
        frames: u32,
    },
    /// A keyframe has more than [`Animation::MAX_HOOKS`] hooks.
    #[error("{hooks} hooks at keyframe {frame} are too many; at most {} are allowed", Animation::MAX_HOOKS)]
    Hooks {
        /// Number of the keyframe.
        frame: u32,
        /// Number of its hooks.
        hooks: usize,
    },
    /// The number of root motions is neither zero nor the number of keyframes.
    #[error("root motion for {root} of {frames} keyframes; give it for all of them or none")]
    Root {
        /// Number of root motions.
        root: usize,
        /// Number of keyframes.
        frames: u32,
    },
}

impl Animation {
    /// Largest number of keyframes. This is a safety bound. The game's longest animations have a
    /// few hundred.
    pub const MAX_FRAMES: u32 = 1 << 16;

    /// Largest number of hooks of one keyframe. This is a safety bound. The game's keyframes have a
    /// handful at most.
    pub const MAX_HOOKS: usize = 64;

    /// Creates an animation without hooks. `root` has the root motion of each keyframe, or is empty
    /// for an animation on the spot.
    ///
    /// # Errors
    /// [`AnimationError`] if there are no keyframes or too many, or if `root` has another length.
    pub fn new(frames: u32, root: Vec<Pose>) -> Result<Self, AnimationError> {
        match frames {
            0 => Err(AnimationError::Empty),
            _ if frames > Self::MAX_FRAMES => Err(AnimationError::TooLong { frames }),
            _ if !root.is_empty() && root.len() != frames as usize => {
                Err(AnimationError::Root { root: root.len(), frames })
            }
            _ => Ok(Self { frames, root, hooks: Vec::new() }),
        }
    }

    /// Returns the animation with these hooks in place of its own. Hooks beyond the last keyframe
    /// are dropped.
    ///
    /// # Errors
    /// [`AnimationError::Hooks`] if a keyframe has too many.
    pub fn with_hooks(mut self, mut hooks: Vec<Hook>) -> Result<Self, AnimationError> {
        hooks.retain(|hook| hook.frame < self.frames);
        hooks.sort_by_key(|hook| hook.frame);
        for at_once in hooks.chunk_by(|one, other| one.frame == other.frame) {
            if at_once.len() > Self::MAX_HOOKS {
                return Err(AnimationError::Hooks { frame: at_once[0].frame, hooks: at_once.len() });
            }
        }
        self.hooks = hooks;
        Ok(self)
    }

    /// Returns the number of keyframes.
    pub const fn frames(&self) -> u32 {
        self.frames
    }

    /// Returns the root motion of a keyframe. `None` for an animation on the spot, or for a missing
    /// keyframe.
    #[inline]
    pub(crate) fn root(&self, frame: i32) -> Option<&Pose> {
        self.root.get(usize::try_from(frame).ok()?)
    }

    /// Adds the whole content to a fingerprint.
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

    /// Returns whether leaving any of these keyframes, forward, fires a hook.
    #[inline]
    pub(crate) fn fires_within(&self, mut frames: core::ops::Range<i32>) -> bool {
        !self.hooks.is_empty() && frames.any(|frame| self.firing_at(frame, true).next().is_some())
    }

    /// Returns the hooks of a keyframe, in order. Takes logarithmic time.
    pub(crate) fn hooks_at(&self, frame: i32) -> &[Hook] {
        let Ok(frame) = u32::try_from(frame) else { return &[] };
        let start = self.hooks.partition_point(|hook| hook.frame < frame);
        let end = self.hooks.partition_point(|hook| hook.frame <= frame);
        &self.hooks[start..end]
    }

    /// Returns the hooks of a keyframe that fire in this direction, in order.
    pub(crate) fn firing_at(&self, frame: i32, is_forward: bool) -> impl Iterator<Item = &Hook> {
        self.hooks_at(frame).iter().filter(move |hook| match hook.direction {
            HookDirection::Both => true,
            HookDirection::Forward => is_forward,
            HookDirection::Backward => !is_forward,
        })
    }

    /// Returns whether playing the animation moves the root or fires a hook.
    pub(crate) fn does_something(&self) -> bool {
        !self.hooks.is_empty() || self.root.iter().any(|pose| *pose != Pose::IDENTITY)
    }
}
