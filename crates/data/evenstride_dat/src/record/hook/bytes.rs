//! Hooks as archives store them, with type, direction, payload and padding. The length of the
//! payload depends on the type.

use super::{Hook, HookAction, HookDirection};
use crate::{
    RecordError,
    cursor::{Cursor, RecordFault},
    record::{Put, Unwritable},
};

/// Base of the numbers of meshes.
const MESH: u32 = 0x0100_0000;

impl Hook {
    /// Length of the shortest hook in bytes.
    pub(crate) const MIN_BYTES: usize = 8;

    pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Result<Self, RecordError> {
        let place = cursor.clone();
        let kind = cursor.u32("hook type")?;
        let direction = HookDirection::from_number(cursor.i32("hook direction")?);
        let action = HookAction::parse(kind, cursor).map_err(|error| match error.fault {
            // The error names the start of the hook, not the place where reading stops.
            RecordFault::UnknownHook { .. } => place.error(error.fault),
            _ => error,
        })?;
        cursor.align()?;
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

impl HookAction {
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
            // The length of an unknown hook is unknown, so nothing after it is readable.
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

fn part_and_ramp(cursor: &mut Cursor<'_>) -> Result<(u32, [f32; 3]), RecordError> {
    Ok((cursor.u32("hook part")?, cursor.floats("hook ramp")?))
}

/// Reads an id whose type is known. It takes two bytes, or four if the top bit of the first two is
/// set.
fn packed_id(cursor: &mut Cursor<'_>) -> Result<u32, RecordError> {
    let first = cursor.u16("hook mesh")?;
    if first & 0x8000 == 0 {
        return Ok(MESH + u32::from(first));
    }
    let second = cursor.u16("hook mesh")?;
    Ok(MESH + (u32::from(first & 0x3FFF) << 16 | u32::from(second)))
}

fn write_packed_id(mesh: u32, out: &mut Vec<u8>) -> Result<(), Unwritable> {
    let wrong = Unwritable { field: "hook mesh", what: "the id cannot be packed" };
    let number = mesh.checked_sub(MESH).filter(|number| *number < 1 << 30).ok_or(wrong)?;
    if number < 0x8000 {
        out.extend((number as u16).to_le_bytes());
    } else {
        out.extend((0x8000 | (number >> 16) as u16).to_le_bytes());
        out.extend((number as u16).to_le_bytes());
    }
    Ok(())
}
