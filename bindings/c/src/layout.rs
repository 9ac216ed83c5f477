//! Sizes of all structs that cross the border, asserted here and by each language.

use crate::{
    ground::{EvPlaced, EvPlacing, EvSweep, EvSwept},
    library::EvLoaded,
    place::{EvDisposition, EvPlace, EvVec3},
    plain::{EvPlainPose, EvPlainUpdate},
    plain_out::{EvPlainDrawn, EvPlainEvent},
    pointers::Room,
    status::EvStatus,
    world::{
        EvAction, EvAdvanced, EvAnimation, EvBody, EvCreate, EvDrawn, EvEvent, EvInput, EvMovement, EvPlayer,
        EvPosition, EvSetup, EvStats, EvVector,
    },
};

/// States the size of each struct in bytes. Their layout is a promise.
macro_rules! sizes {
    ($($name:ident = $size:literal),* $(,)?) => {
        $(const _: () = assert!(size_of::<$name>() == $size, concat!(stringify!($name), " has another size"));)*

        /// Sizes in the order of `ev_sizes`.
        const SIZES: &[u32] = &[$($size),*];
    };
}

sizes! {
    EvVec3 = 12,
    EvPlace = 32,
    EvDisposition = 12,
    EvAdvanced = 8,
    EvDrawn = 48,
    EvAnimation = 104,
    EvEvent = 32,
    EvBody = 144,
    EvSetup = 88,
    EvPosition = 48,
    EvMovement = 92,
    EvAction = 12,
    EvVector = 32,
    EvCreate = 128,
    EvInput = 8,
    EvPlayer = 96,
    EvStats = 104,
    EvLoaded = 32,
    EvSweep = 116,
    EvSwept = 64,
    EvPlacing = 56,
    EvPlaced = 48,
    EvPlainPose = 40,
    EvPlainUpdate = 88,
    EvPlainDrawn = 56,
    EvPlainEvent = 32,
}

// Offsets of fields whose place is not plain to see.
const _: () = {
    assert!(std::mem::offset_of!(EvDrawn, position) == 16);
    assert!(std::mem::offset_of!(EvDrawn, is_hidden) == 44);
    assert!(std::mem::offset_of!(EvAnimation, entity) == 16);
    assert!(std::mem::offset_of!(EvEvent, reason) == 14);
    assert!(std::mem::offset_of!(EvBody, in_contact) == 104);
    assert!(std::mem::offset_of!(EvMovement, forward_speed) == 24);
    assert!(std::mem::offset_of!(EvCreate, stamps) == 108);
    assert!(std::mem::offset_of!(EvSweep, state) == 72);
    assert!(std::mem::offset_of!(EvPlainUpdate, order) == 64);
};

/// Writes the size of each struct, in the order of `bindings/c/src/layout.rs`. A wrapper in another
/// language compares them with its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_sizes(sizes: *mut u32, capacity: usize, count: *mut usize) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let room = unsafe { Room::new(sizes, capacity, count) };
    crate::guard::call(|| room.fill("sizes", SIZES))
}
