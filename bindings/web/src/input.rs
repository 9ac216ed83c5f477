//! Values from JavaScript, checked before anything is copied.

use evenstride::Config;
use evenstride_types::{CellId, EntityId, LandblockId, SimTime};
use js_sys::{Float32Array, Uint8Array, Uint32Array};
use wasm_bindgen::JsCast;

use crate::call::{Sentence, sentence};

/// Largest size of one input in bytes, which is that of a script.
pub(crate) const MAX_INPUT_BYTES: u32 = evenstride_replay::MAX_SCRIPT_BYTES as u32;

pub(crate) fn time(seconds: f64) -> Result<SimTime, Sentence> {
    SimTime::from_secs(seconds).map_err(|error| format!("time: {error}"))
}

/// Copies bytes, if they are a `Uint8Array` of an allowed size.
pub(crate) fn bytes(what: &str, bytes: &Uint8Array) -> Result<Vec<u8>, Sentence> {
    if !bytes.is_instance_of::<Uint8Array>() {
        return Err(format!("{what}: not a Uint8Array"));
    }
    check_size(what, u64::from(bytes.length()))?;
    Ok(bytes.to_vec())
}

/// Copies numbers, if they are a `Uint32Array` of an allowed size.
pub(crate) fn words(what: &str, words: &Uint32Array) -> Result<Vec<u32>, Sentence> {
    if !words.is_instance_of::<Uint32Array>() {
        return Err(format!("{what}: not a Uint32Array"));
    }
    check_size(what, 4 * u64::from(words.length()))?;
    Ok(words.to_vec())
}

/// Copies numbers, if they are a `Float32Array` of an allowed size.
pub(crate) fn floats(what: &str, floats: &Float32Array) -> Result<Vec<f32>, Sentence> {
    if !floats.is_instance_of::<Float32Array>() {
        return Err(format!("{what}: not a Float32Array"));
    }
    check_size(what, 4 * u64::from(floats.length()))?;
    Ok(floats.to_vec())
}

fn check_size(what: &str, size: u64) -> Result<(), Sentence> {
    if size > u64::from(MAX_INPUT_BYTES) {
        return Err(format!("{what}: {size} bytes are more than {MAX_INPUT_BYTES}; use smaller parts"));
    }
    Ok(())
}

/// Returns the profile with a name, in any case.
pub(crate) fn profile(name: &str) -> Result<Config, Sentence> {
    let spectator = [("SPECTATOR", Config::SPECTATOR)];
    let known = || Config::PROFILES.into_iter().chain(spectator);
    known().find(|(of, _)| of.eq_ignore_ascii_case(name)).map(|(_, config)| config).ok_or_else(|| {
        let names: Vec<&str> = known().map(|(name, _)| name).collect();
        let name: String = name.chars().take(40).collect();
        format!("profile: {name:?} is unknown; use one of {}", names.join(", "))
    })
}

pub(crate) fn fps(fps: f64) -> Result<f64, Sentence> {
    if (1.0..=1_000.0).contains(&fps) {
        return Ok(fps);
    }
    Err(format!("fps: {fps} is not a number of frames per second from 1 to 1000"))
}

/// Returns a landblock by its number, such as 0xA9B4.
pub(crate) fn landblock(raw: u32) -> Result<LandblockId, Sentence> {
    let block = u16::try_from(raw).map_err(|_| format!("landblock: 0x{raw:X} is more than 0xFFFF"))?;
    let [x, y] = block.to_be_bytes();
    LandblockId::new(x, y).map_err(|error| format!("landblock: {error}"))
}

pub(crate) fn cell(raw: u32) -> Result<CellId, Sentence> {
    CellId::new(raw).map_err(sentence)
}

pub(crate) const fn entity(raw: u32) -> EntityId {
    EntityId::new(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked_and_named() {
        assert_eq!(profile("glide"), Ok(Config::GLIDE));
        assert_eq!(
            profile("best").unwrap_err(),
            "profile: \"best\" is unknown; use one of RETAIL, ACDREAM, SMOOTH, GLIDE, SPECTATOR"
        );
        assert!(fps(0.5).is_err() && fps(f64::NAN).is_err() && fps(60.0).is_ok());
        assert!(time(f64::NAN).unwrap_err().starts_with("time: "));
        assert_eq!(landblock(0xA9B4).map(LandblockId::raw), Ok(0xA9B4));
        assert!(landblock(0x1_0000).is_err());
    }
}
