//! Hooks, which are events at keyframes.
//!
//! This file has the types. `bytes.rs` reads and writes them, and `words.rs` names them.

mod bytes;
mod words;

use super::Frame;

/// An event at a keyframe.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Hook {
    /// The direction in which the animation must be played.
    pub direction: HookDirection,
    /// The action.
    pub action: HookAction,
}

/// The direction in which an animation must be played for a hook to fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HookDirection {
    /// Either direction.
    Both,
    /// Forward only.
    Forward,
    /// Backward only.
    Backward,
    /// Another number. The hook never fires.
    Never(i32),
}

/// The action of a hook, with the game's names. In the client, attacks, scales and spins act on the
/// body. The core only reports hooks.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[expect(missing_docs, reason = "the names say it")]
#[non_exhaustive]
pub enum HookAction {
    NoOp,
    Sound {
        #[serde(serialize_with = "super::as_hex")]
        wave: u32,
    },
    SoundTable {
        sound: u32,
    },
    Attack {
        part: u32,
        left: [f32; 2],
        right: [f32; 2],
        radius: f32,
        height: f32,
    },
    AnimationDone,
    /// The part takes one byte, as in the client.
    ///
    /// Disputed: ACE and DatReaderWriter read two bytes for the part, which makes another part and mesh of it.
    ReplaceObject {
        part: u8,
        #[serde(serialize_with = "super::as_hex")]
        mesh: u32,
    },
    Ethereal {
        flag: u32,
    },
    TransparentPart {
        part: u32,
        start: f32,
        end: f32,
        secs: f32,
    },
    Luminous {
        start: f32,
        end: f32,
        secs: f32,
    },
    LuminousPart {
        part: u32,
        start: f32,
        end: f32,
        secs: f32,
    },
    Diffuse {
        start: f32,
        end: f32,
        secs: f32,
    },
    DiffusePart {
        part: u32,
        start: f32,
        end: f32,
        secs: f32,
    },
    Scale {
        end: f32,
        secs: f32,
    },
    CreateParticle {
        #[serde(serialize_with = "super::as_hex")]
        emitter_info: u32,
        part: u32,
        offset: Frame,
        emitter: u32,
    },
    DestroyParticle {
        emitter: u32,
    },
    StopParticle {
        emitter: u32,
    },
    NoDraw {
        flag: u32,
    },
    DefaultScript,
    DefaultScriptPart {
        part: u32,
    },
    CallScript {
        #[serde(serialize_with = "super::as_hex")]
        script: u32,
        pause: f32,
    },
    Transparent {
        start: f32,
        end: f32,
        secs: f32,
    },
    /// Disputed: ACE and DatReaderWriter name the first two floats the other way round.
    SoundTweaked {
        #[serde(serialize_with = "super::as_hex")]
        wave: u32,
        probability: f32,
        priority: f32,
        volume: f32,
    },
    SetOmega {
        axis: [f32; 3],
    },
    TextureVelocity {
        u: f32,
        v: f32,
    },
    TextureVelocityPart {
        part: u32,
        u: f32,
        v: f32,
    },
    SetLight {
        flag: u32,
    },
    /// Disputed: DatReaderWriter gives it no payload.
    CreateBlockingParticle {
        #[serde(serialize_with = "super::as_hex")]
        emitter_info: u32,
        part: u32,
        offset: Frame,
        emitter: u32,
    },
}

impl HookAction {
    /// Returns the game's number of the action.
    pub const fn kind(&self) -> u32 {
        match self {
            Self::NoOp => 0,
            Self::Sound { .. } => 1,
            Self::SoundTable { .. } => 2,
            Self::Attack { .. } => 3,
            Self::AnimationDone => 4,
            Self::ReplaceObject { .. } => 5,
            Self::Ethereal { .. } => 6,
            Self::TransparentPart { .. } => 7,
            Self::Luminous { .. } => 8,
            Self::LuminousPart { .. } => 9,
            Self::Diffuse { .. } => 10,
            Self::DiffusePart { .. } => 11,
            Self::Scale { .. } => 12,
            Self::CreateParticle { .. } => 13,
            Self::DestroyParticle { .. } => 14,
            Self::StopParticle { .. } => 15,
            Self::NoDraw { .. } => 16,
            Self::DefaultScript => 17,
            Self::DefaultScriptPart { .. } => 18,
            Self::CallScript { .. } => 19,
            Self::Transparent { .. } => 20,
            Self::SoundTweaked { .. } => 21,
            Self::SetOmega { .. } => 22,
            Self::TextureVelocity { .. } => 23,
            Self::TextureVelocityPart { .. } => 24,
            Self::SetLight { .. } => 25,
            Self::CreateBlockingParticle { .. } => 26,
        }
    }

    /// Returns the main value of the action, as the core stores it. Floats are returned as bits.
    pub(crate) const fn value(&self) -> u32 {
        match *self {
            Self::NoOp | Self::AnimationDone | Self::DefaultScript => 0,
            Self::Sound { wave: value }
            | Self::SoundTweaked { wave: value, .. }
            | Self::SoundTable { sound: value }
            | Self::Attack { part: value, .. }
            | Self::TransparentPart { part: value, .. }
            | Self::LuminousPart { part: value, .. }
            | Self::DiffusePart { part: value, .. }
            | Self::DefaultScriptPart { part: value }
            | Self::TextureVelocityPart { part: value, .. }
            | Self::Ethereal { flag: value }
            | Self::NoDraw { flag: value }
            | Self::SetLight { flag: value }
            | Self::DestroyParticle { emitter: value }
            | Self::StopParticle { emitter: value }
            | Self::CreateParticle { emitter_info: value, .. }
            | Self::CreateBlockingParticle { emitter_info: value, .. }
            | Self::CallScript { script: value, .. } => value,
            Self::ReplaceObject { part, .. } => part as u32,
            Self::Luminous { start: value, .. }
            | Self::Diffuse { start: value, .. }
            | Self::Transparent { start: value, .. }
            | Self::Scale { end: value, .. }
            // Bodies spin about the vertical axis.
            | Self::SetOmega { axis: [_, _, value] }
            | Self::TextureVelocity { u: value, .. } => value.to_bits(),
        }
    }
}
