//! Things that happen at a keyframe.

use super::{Frame, Put, Unwritable};
use crate::{
    RecordError,
    cursor::{Cursor, RecordFault},
};

/// Ids of meshes begin with this.
const MESH: u32 = 0x0100_0000;

/// Something that happens at a keyframe.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Hook {
    /// Played in which direction.
    pub direction: HookDirection,
    /// What.
    pub action: HookAction,
}

/// In which direction an animation must be played for a hook to fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HookDirection {
    /// Either.
    Both,
    /// Forward only.
    Forward,
    /// Backward only.
    Backward,
    /// A number that is none of these: it never fires.
    Never(i32),
}

impl HookDirection {
    const fn from_number(number: i32) -> Self {
        match number {
            0 => Self::Both,
            1 => Self::Forward,
            -1 => Self::Backward,
            other => Self::Never(other),
        }
    }

    const fn number(self) -> i32 {
        match self {
            Self::Both => 0,
            Self::Forward => 1,
            Self::Backward => -1,
            Self::Never(other) => other,
        }
    }
}

/// What happens at a keyframe. Named as the game names them; what moves a body are strikes, scales and spins.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[expect(missing_docs, reason = "the names say it")]
#[non_exhaustive]
pub enum HookAction {
    NoOp,
    Sound {
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
    /// One byte for the part, as the client reads it.
    ///
    /// Disputed: ACE and DatReaderWriter read two bytes for the part, which makes another part and mesh of it.
    ReplaceObject {
        part: u8,
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
        emitter_info: u32,
        part: u32,
        offset: Frame,
        emitter: u32,
    },
}

impl HookAction {
    /// The game's number for what it is.
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

    /// What the game's number of a hook means, in a word or two.
    pub const fn kind_name(kind: u32) -> &'static str {
        match kind {
            0 => "nothing",
            1 | 21 => "sound",
            2 => "sound of its table",
            3 => "strike of part",
            4 => "animation done",
            5 => "other mesh for part",
            6 => "ethereal",
            7 => "transparency of part",
            8 => "glow",
            9 => "glow of part",
            10 => "brightness",
            11 => "brightness of part",
            12 => "scale",
            13 | 26 => "particles",
            14 => "no more particles of",
            15 => "no new particles of",
            16 => "not drawn",
            17 => "its own script",
            18 => "script of part",
            19 => "script",
            20 => "transparency",
            22 => "spin",
            23 => "texture moves",
            24 => "texture moves of part",
            25 => "light",
            _ => "unknown",
        }
    }

    /// The number of it that says most, as the core keeps it.
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
            // Bodies spin about the vertical.
            | Self::SetOmega { axis: [_, _, value] }
            | Self::TextureVelocity { u: value, .. } => value.to_bits(),
        }
    }

    fn parse(kind: u32, cursor: &mut Cursor<'_>) -> Result<Self, RecordError> {
        Ok(match kind {
            0 => Self::NoOp,
            1 => Self::Sound { wave: cursor.u32("hook wave")? },
            2 => Self::SoundTable { sound: cursor.u32("hook sound")? },
            3 => {
                let part = cursor.u32("hook part")?;
                let [left_x, left_y, right_x, right_y, radius, height] = cursor.floats("hook attack")?;
                Self::Attack { part, left: [left_x, left_y], right: [right_x, right_y], radius, height }
            }
            4 => Self::AnimationDone,
            5 => {
                let part = cursor.u8("hook part")?;
                Self::ReplaceObject { part, mesh: packed_id(cursor)? }
            }
            6 => Self::Ethereal { flag: cursor.u32("hook flag")? },
            7 => {
                let (part, [start, end, secs]) = part_and_ramp(cursor)?;
                Self::TransparentPart { part, start, end, secs }
            }
            8 => {
                let [start, end, secs] = cursor.floats("hook ramp")?;
                Self::Luminous { start, end, secs }
            }
            9 => {
                let (part, [start, end, secs]) = part_and_ramp(cursor)?;
                Self::LuminousPart { part, start, end, secs }
            }
            10 => {
                let [start, end, secs] = cursor.floats("hook ramp")?;
                Self::Diffuse { start, end, secs }
            }
            11 => {
                let (part, [start, end, secs]) = part_and_ramp(cursor)?;
                Self::DiffusePart { part, start, end, secs }
            }
            12 => {
                let [end, secs] = cursor.floats("hook scale")?;
                Self::Scale { end, secs }
            }
            13 | 26 => {
                let emitter_info = cursor.u32("hook emitter info")?;
                let part = cursor.u32("hook part")?;
                let offset = cursor.frame("hook offset")?;
                let emitter = cursor.u32("hook emitter")?;
                if kind == 13 {
                    Self::CreateParticle { emitter_info, part, offset, emitter }
                } else {
                    Self::CreateBlockingParticle { emitter_info, part, offset, emitter }
                }
            }
            14 => Self::DestroyParticle { emitter: cursor.u32("hook emitter")? },
            15 => Self::StopParticle { emitter: cursor.u32("hook emitter")? },
            16 => Self::NoDraw { flag: cursor.u32("hook flag")? },
            17 => Self::DefaultScript,
            18 => Self::DefaultScriptPart { part: cursor.u32("hook part")? },
            19 => Self::CallScript { script: cursor.u32("hook script")?, pause: cursor.f32("hook pause")? },
            20 => {
                let [start, end, secs] = cursor.floats("hook ramp")?;
                Self::Transparent { start, end, secs }
            }
            21 => {
                let wave = cursor.u32("hook wave")?;
                let [probability, priority, volume] = cursor.floats("hook sound")?;
                Self::SoundTweaked { wave, probability, priority, volume }
            }
            22 => Self::SetOmega { axis: cursor.floats("hook axis")? },
            23 => {
                let [u, v] = cursor.floats("hook texture velocity")?;
                Self::TextureVelocity { u, v }
            }
            24 => {
                let part = cursor.u32("hook part")?;
                let [u, v] = cursor.floats("hook texture velocity")?;
                Self::TextureVelocityPart { part, u, v }
            }
            25 => Self::SetLight { flag: cursor.u32("hook flag")? },
            // Its length is not known, so nothing after it can be read.
            kind => return Err(cursor.error(RecordFault::UnknownHook { kind })),
        })
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        match *self {
            Self::NoOp | Self::AnimationDone | Self::DefaultScript => {}
            Self::Sound { wave: word }
            | Self::SoundTable { sound: word }
            | Self::Ethereal { flag: word }
            | Self::NoDraw { flag: word }
            | Self::SetLight { flag: word }
            | Self::DestroyParticle { emitter: word }
            | Self::StopParticle { emitter: word }
            | Self::DefaultScriptPart { part: word } => out.word(word),
            Self::Attack { part, left, right, radius, height } => {
                out.word(part);
                out.floats(&left);
                out.floats(&right);
                out.floats(&[radius, height]);
            }
            Self::ReplaceObject { part, mesh } => {
                out.push(part);
                write_packed_id(mesh, out)?;
            }
            Self::TransparentPart { part, start, end, secs }
            | Self::LuminousPart { part, start, end, secs }
            | Self::DiffusePart { part, start, end, secs } => {
                out.word(part);
                out.floats(&[start, end, secs]);
            }
            Self::Luminous { start, end, secs }
            | Self::Diffuse { start, end, secs }
            | Self::Transparent { start, end, secs } => out.floats(&[start, end, secs]),
            Self::Scale { end, secs } => out.floats(&[end, secs]),
            Self::CreateParticle { emitter_info, part, offset, emitter }
            | Self::CreateBlockingParticle { emitter_info, part, offset, emitter } => {
                out.word(emitter_info);
                out.word(part);
                offset.write(out);
                out.word(emitter);
            }
            Self::CallScript { script, pause } => {
                out.word(script);
                out.float(pause);
            }
            Self::SoundTweaked { wave, probability, priority, volume } => {
                out.word(wave);
                out.floats(&[probability, priority, volume]);
            }
            Self::SetOmega { axis } => out.floats(&axis),
            Self::TextureVelocity { u, v } => out.floats(&[u, v]),
            Self::TextureVelocityPart { part, u, v } => {
                out.word(part);
                out.floats(&[u, v]);
            }
        }
        Ok(())
    }
}

impl Hook {
    /// The shortest.
    pub(crate) const MIN_BYTES: usize = 8;

    pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Result<Self, RecordError> {
        let mut place = cursor.clone();
        let kind = cursor.u32("hook type")?;
        let direction = HookDirection::from_number(cursor.i32("hook direction")?);
        let action = HookAction::parse(kind, cursor).map_err(|error| match error.fault {
            // Told where the hook begins, not where it cannot go on.
            RecordFault::UnknownHook { .. } => place.error(error.fault),
            _ => error,
        })?;
        place = cursor.clone();
        cursor.align().map_err(|_| {
            let needed = place.at().next_multiple_of(4) - place.at();
            place.error(RecordFault::Ends { field: "hook padding", needed, left: place.left() })
        })?;
        Ok(Self { direction, action })
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        out.word(self.action.kind());
        out.word(self.direction.number() as u32);
        self.action.write(out)?;
        out.align();
        Ok(())
    }
}

/// One keyframe: where each part is, and what happens.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct AnimFrame {
    /// As many as the animation or the setup has parts.
    pub parts: Vec<Frame>,
    /// In order.
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

fn part_and_ramp(cursor: &mut Cursor<'_>) -> Result<(u32, [f32; 3]), RecordError> {
    Ok((cursor.u32("hook part")?, cursor.floats("hook ramp")?))
}

/// An id whose type is known: two bytes, or four if the top bit of the first two says so.
fn packed_id(cursor: &mut Cursor<'_>) -> Result<u32, RecordError> {
    let first = cursor.u16("hook mesh")?;
    if first & 0x8000 == 0 {
        return Ok(MESH + u32::from(first));
    }
    let second = cursor.u16("hook mesh")?;
    Ok(MESH + (u32::from(first & 0x3FFF) << 16 | u32::from(second)))
}

fn write_packed_id(mesh: u32, out: &mut Vec<u8>) -> Result<(), Unwritable> {
    let wrong = Unwritable { field: "hook mesh", what: "no id that can be packed" };
    let number = mesh.checked_sub(MESH).filter(|number| *number < 1 << 30).ok_or(wrong)?;
    if number < 0x8000 {
        out.extend((number as u16).to_le_bytes());
    } else {
        out.extend((0x8000 | (number >> 16) as u16).to_le_bytes());
        out.extend((number as u16).to_le_bytes());
    }
    Ok(())
}

impl std::fmt::Display for HookAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
            Self::DefaultScript => f.write_str("its own script"),
            Self::DefaultScriptPart { part } => write!(f, "script of part {part}"),
            Self::CallScript { script, pause } => write!(f, "script 0x{script:08X} after {pause} s"),
            Self::SetOmega { axis: [x, y, z] } => write!(f, "spin {x} {y} {z} rad/s"),
            Self::SetLight { flag } => write!(f, "light {flag}"),
            Self::CreateParticle { emitter_info, part, .. }
            | Self::CreateBlockingParticle { emitter_info, part, .. } => {
                write!(f, "particles 0x{emitter_info:08X} from part {part}")
            }
            Self::DestroyParticle { emitter } => write!(f, "no more particles of {emitter}"),
            Self::StopParticle { emitter } => write!(f, "no new particles of {emitter}"),
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

impl std::fmt::Display for HookDirection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Both => f.write_str("either way"),
            Self::Forward => f.write_str("forward"),
            Self::Backward => f.write_str("backward"),
            Self::Never(number) => write!(f, "never (direction {number})"),
        }
    }
}
