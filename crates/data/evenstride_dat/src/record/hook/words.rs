//! Hooks as text.

use std::fmt;

use super::{HookAction, HookDirection};

impl HookAction {
    /// Returns a short description of the action with this number.
    pub const fn kind_name(kind: u32) -> &'static str {
        match kind {
            0 => "nothing",
            1 | 21 => "sound",
            2 => "sound of its table",
            3 => "strike of part",
            4 => "animation done",
            5 => "new mesh for part",
            6 => "ethereal",
            7 => "transparency of part",
            8 => "glow",
            9 => "glow of part",
            10 => "brightness",
            11 => "brightness of part",
            12 => "scale",
            13 | 26 => "particles",
            14 => "remove particles of",
            15 => "stop particles of",
            16 => "not drawn",
            17 => "default script",
            18 => "default script of part",
            19 => "script",
            20 => "transparency",
            22 => "spin",
            23 => "texture movement",
            24 => "texture movement of part",
            25 => "light",
            _ => "unknown",
        }
    }
}

impl fmt::Display for HookAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOp => f.write_str("nothing"),
            Self::Sound { wave } => write!(f, "sound 0x{wave:08X}"),
            Self::SoundTable { sound } => write!(f, "sound {sound} of its sound table"),
            Self::SoundTweaked { wave, probability, volume, .. } => {
                write!(f, "sound 0x{wave:08X}, probability {probability}, volume {volume}")
            }
            Self::Attack { part, radius, height, .. } => {
                write!(f, "strike of part {part}, radius {radius} m, height {height} m")
            }
            Self::AnimationDone => f.write_str("animation done"),
            Self::ReplaceObject { part, mesh } => write!(f, "part {part} becomes 0x{mesh:08X}"),
            Self::Ethereal { flag } => write!(f, "ethereal {flag}"),
            Self::Scale { end, secs } => write!(f, "scale to {end} in {secs} s"),
            Self::NoDraw { flag } => write!(f, "not drawn {flag}"),
            Self::DefaultScript => f.write_str("default script"),
            Self::DefaultScriptPart { part } => write!(f, "default script of part {part}"),
            Self::CallScript { script, pause } => write!(f, "script 0x{script:08X} after {pause} s"),
            Self::SetOmega { axis: [x, y, z] } => write!(f, "spin {x} {y} {z} rad/s"),
            Self::SetLight { flag } => write!(f, "light {flag}"),
            Self::CreateParticle { emitter_info, part, .. }
            | Self::CreateBlockingParticle { emitter_info, part, .. } => {
                write!(f, "particles 0x{emitter_info:08X} from part {part}")
            }
            Self::DestroyParticle { emitter } => write!(f, "remove particles of {emitter}"),
            Self::StopParticle { emitter } => write!(f, "stop particles of {emitter}"),
            Self::TransparentPart { part, start, end, secs } => {
                write!(f, "transparency of part {part} from {start} to {end} in {secs} s")
            }
            Self::LuminousPart { part, start, end, secs } => {
                write!(f, "glow of part {part} from {start} to {end} in {secs} s")
            }
            Self::DiffusePart { part, start, end, secs } => {
                write!(f, "brightness of part {part} from {start} to {end} in {secs} s")
            }
            Self::Transparent { start, end, secs } => {
                write!(f, "transparency from {start} to {end} in {secs} s")
            }
            Self::Luminous { start, end, secs } => write!(f, "glow from {start} to {end} in {secs} s"),
            Self::Diffuse { start, end, secs } => write!(f, "brightness from {start} to {end} in {secs} s"),
            Self::TextureVelocity { u, v } => write!(f, "texture moves by {u} {v}"),
            Self::TextureVelocityPart { part, u, v } => write!(f, "texture of part {part} moves by {u} {v}"),
        }
    }
}

impl fmt::Display for HookDirection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Both => f.write_str("both directions"),
            Self::Forward => f.write_str("forward"),
            Self::Backward => f.write_str("backward"),
            Self::Never(number) => write!(f, "never (direction {number})"),
        }
    }
}
