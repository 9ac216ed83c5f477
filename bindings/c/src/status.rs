//! Status numbers, and the text of the last error of each thread.

use std::{borrow::Cow, cell::RefCell, ffi::c_char, fmt::Display};

use crate::pointers::TextOut;

/// Result of a call. A number never changes its meaning and is never used again.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvStatus {
    /// The call took effect.
    Ok = 0,
    /// A pointer is null that must not be.
    Null = 1,
    /// An argument is invalid, such as a time that is not a number. Nothing has changed.
    Invalid = 2,
    /// A buffer is too short. The count output has the length that suffices, and nothing is consumed.
    TooShort = 3,
    /// The handle is in use, by a call in another thread or by the call whose callback this is.
    Busy = 4,
    /// An earlier call panicked. Only the release of the handle still works.
    Poisoned = 5,
    /// The call panicked, in the library or in a callback. The handle is poisoned from now on.
    Panicked = 6,
    /// The call took effect, but an answer of a callback was invalid. It counted as blocked or refused.
    BadAnswer = 7,
    /// The bytes are not a message that the game sends. Nothing has changed.
    BadMessage = 8,
    /// The world has no such body.
    UnknownBody = 9,
    /// The request was refused, for example by the surroundings.
    Refused = 10,
    /// The world has no local player, or it is outside the world.
    NoPlayer = 11,
    /// The bytes are not a saved world, or are damaged, or belong to another library.
    BadSave = 12,
    /// The archive cannot be read.
    BadLibrary = 13,
    /// The entity is already in the world.
    Exists = 14,
    /// The world is full.
    Full = 15,
}

/// A failed call, with a sentence for the user.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) status: EvStatus,
    text: Cow<'static, str>,
}

impl Fault {
    pub(crate) fn new(status: EvStatus, text: impl Into<Cow<'static, str>>) -> Self {
        Self { status, text: text.into() }
    }

    /// Returns the fault for an invalid argument.
    pub(crate) fn invalid(what: &str, why: impl Display) -> Self {
        Self::new(EvStatus::Invalid, format!("{what}: {why}"))
    }

    /// Returns the fault for a null pointer.
    pub(crate) fn null(what: &str) -> Self {
        Self::new(EvStatus::Null, format!("{what}: null"))
    }

    pub(crate) fn too_short(what: &str, has: usize, needs: usize) -> Self {
        Self::new(
            EvStatus::TooShort,
            format!("{what}: room for {has}, {needs} needed; call again with more room"),
        )
    }
}

/// Result of the inside of a call.
pub(crate) type Done = Result<(), Fault>;

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps the sentence of a failure, and returns its status.
pub(crate) fn report(fault: &Fault) -> EvStatus {
    // A thread that is ending has no place for it any more.
    let _ = LAST.try_with(|last| {
        if let Ok(mut last) = last.try_borrow_mut() {
            last.clear();
            last.push_str(&fault.text);
        }
    });
    fault.status
}

/// Writes the sentence about the last failed call of this thread. It is empty if none has failed. A call
/// that succeeds leaves it as it is, and so does this one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_last_error(text: *mut c_char, capacity: usize, length: *mut usize) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let out = unsafe { TextOut::new(text, capacity, length) };
    let written = LAST.try_with(|last| last.try_borrow().map(|last| out.write(&last)));
    match written {
        Ok(Ok(Err(fault))) => fault.status,
        _ => EvStatus::Ok,
    }
}

/// Returns the name of a status, such as `EV_STATUS_BUSY`, or `unknown` for another number. The text is
/// static.
#[unsafe(no_mangle)]
pub extern "C" fn ev_status_name(status: i32) -> *const c_char {
    let name = match status {
        0 => c"EV_STATUS_OK",
        1 => c"EV_STATUS_NULL",
        2 => c"EV_STATUS_INVALID",
        3 => c"EV_STATUS_TOO_SHORT",
        4 => c"EV_STATUS_BUSY",
        5 => c"EV_STATUS_POISONED",
        6 => c"EV_STATUS_PANICKED",
        7 => c"EV_STATUS_BAD_ANSWER",
        8 => c"EV_STATUS_BAD_MESSAGE",
        9 => c"EV_STATUS_UNKNOWN_BODY",
        10 => c"EV_STATUS_REFUSED",
        11 => c"EV_STATUS_NO_PLAYER",
        12 => c"EV_STATUS_BAD_SAVE",
        13 => c"EV_STATUS_BAD_LIBRARY",
        14 => c"EV_STATUS_EXISTS",
        15 => c"EV_STATUS_FULL",
        _ => c"unknown",
    };
    name.as_ptr()
}

/// Version of the library, such as `0.1.0`. The text is static.
#[unsafe(no_mangle)]
pub extern "C" fn ev_version() -> *const c_char {
    VERSION.as_ptr().cast()
}

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
