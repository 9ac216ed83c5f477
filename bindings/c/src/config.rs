//! Settings of a world, by name and value.

use std::ffi::c_char;

use evenstride::Config;

use crate::{
    guard::{Guarded, call, enter, release},
    place::profile,
    pointers::{Out, TextOut, at, text, utf8},
    status::{EvStatus, Fault},
};

/// Settings for new worlds.
#[derive(Debug)]
pub struct EvConfig(pub(crate) Guarded<Config>);

/// Makes settings from a profile, which is `RETAIL`, `ACDREAM`, `SMOOTH`, `GLIDE` or `SPECTATOR`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_config_new(name: *const c_char, config: *mut *mut EvConfig) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (name, out) = unsafe { (text(name), Out::new(config)) };
    call(|| {
        out.check("config")?;
        let config = profile(utf8("profile", name)?)?;
        out.set(Box::into_raw(Box::new(EvConfig(Guarded::new(config)))));
        Ok(())
    })
}

/// Releases settings. Worlds that were made of them keep them. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_config_free(config: *mut EvConfig) -> EvStatus {
    // SAFETY: the caller gives up a handle of `ev_config_new`.
    unsafe { release(config, |config| &config.0) }
}

/// Sets a switch, such as `gate` to `fixed` or `limits.events` to `64`. The text of the error lists all
/// names or values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_config_set(
    config: *mut EvConfig,
    name: *const c_char,
    value: *const c_char,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (config, name, value) = unsafe { (at(config), text(name), text(value)) };
    enter(config.map(|config| &config.0), |config| {
        let (name, value) = (utf8("name", name)?, utf8("value", value)?);
        config.set(name, value).map_err(|error| Fault::new(EvStatus::Invalid, error.to_string()))
    })
}

/// Writes the value of a switch as text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_config_value(
    config: *const EvConfig,
    name: *const c_char,
    value: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (config, name, out) = unsafe { (at(config), text(name), TextOut::new(value, capacity, length)) };
    enter(config.map(|config| &config.0), |config| {
        let value = config.value(utf8("name", name)?);
        out.write(&value.map_err(|error| Fault::new(EvStatus::Invalid, error.to_string()))?)
    })
}
