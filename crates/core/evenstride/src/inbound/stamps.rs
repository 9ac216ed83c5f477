//! Stamp gates, which decide whether a message is newer than the known state.
//!
//! Each gate compares, stores the stamp that it accepts, and returns the reason for a rejection. No
//! other file compares stamps of messages. Stamps wrap. The first stamp of a kind that was never
//! heard always counts as newer.
//!
//! A rejected message stores no stamp, with two exceptions that the client has too. A movement
//! stores its own stamp before the server's control is compared. A force stamp is stored even if
//! the teleport stamp is older.

use evenstride_types::{Stamp, StampKind, StampOrder, StampTable, update::PositionPack};

use crate::outcome::IgnoreReason;

/// Life of an entity that a message is about, relative to the life of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// The life that the body is in.
    This,
    /// A life that is over. The message came late.
    Earlier,
    /// A life that no description has announced yet.
    Later,
}

/// Compares the instance stamp of a message with that of a body. Nothing is stored.
#[inline]
pub const fn life(stamps: &StampTable, instance: Stamp) -> Life {
    match stamps.order(StampKind::Instance, instance) {
        StampOrder::Same => Life::This,
        StampOrder::Newer => Life::Later,
        StampOrder::Older => Life::Earlier,
    }
}

/// Returns whether a position is newer, and belongs to the present life and the last teleport. Nothing is
/// stored.
#[inline(always)]
pub(crate) const fn is_next_position(stamps: &StampTable, pack: &PositionPack) -> bool {
    matches!(life(stamps, pack.instance), Life::This)
        && matches!(stamps.order(StampKind::Teleport, pack.teleport), StampOrder::Same)
        && stamps.order(StampKind::Position, pack.position).is_newer()
}

/// Accepts a position that is newer, and that was not sent before the last teleport.
///
/// The teleport stamp is only compared here, and stored by [`teleports`]. If it is older, the
/// position stamp gets its previous value back. There is nothing to restore if no position was
/// heard before.
///
/// Retail: `SmartBox::HandleReceivedPosition` (11.4186 @ 0x00453FD0)
#[inline(always)]
pub(crate) fn accept_position(stamps: &mut StampTable, pack: &PositionPack) -> Result<(), IgnoreReason> {
    let (before, was_heard) = (stamps.seen(StampKind::Position), stamps.is_heard(StampKind::Position));
    let teleport = stamps.order(StampKind::Teleport, pack.teleport);
    if !stamps.accept(StampKind::Position, pack.position).is_newer() {
        return Err(match teleport {
            StampOrder::Newer => IgnoreReason::StalePositionNewerTeleport,
            _ => IgnoreReason::StalePosition,
        });
    }
    if teleport == StampOrder::Older {
        if was_heard {
            stamps.set(StampKind::Position, before);
        }
        return Err(IgnoreReason::StaleTeleport);
    }
    Ok(())
}

/// Stores the teleport stamp of an accepted position. Returns whether it is newer, which makes the
/// position a teleport.
#[inline(always)]
pub(crate) fn teleports(stamps: &mut StampTable, pack: &PositionPack) -> bool {
    stamps.accept(StampKind::Teleport, pack.teleport).is_newer()
}

/// Stores the force stamp of a position of the local player. Returns whether the server insists on
/// that position.
///
/// A forced position is accepted whatever its own stamp, which is stored even if it is older.
///
/// Retail: `SmartBox::HandleReceivedPosition` (11.4186 @ 0x00453FD0)
pub(crate) fn forces(stamps: &mut StampTable, pack: &PositionPack) -> bool {
    let is_forced = stamps.accept(StampKind::ForcePosition, pack.force_position).is_newer()
        && stamps.order(StampKind::Teleport, pack.teleport) != StampOrder::Older;
    if is_forced {
        stamps.set(StampKind::Position, pack.position);
    }
    is_forced
}

/// Accepts a change of place without a position, which is a pack or a hand.
pub(crate) fn accept_place(stamps: &mut StampTable, position: Stamp) -> Result<(), IgnoreReason> {
    newer(stamps, StampKind::Position, position, IgnoreReason::StalePosition)
}

/// Accepts a velocity.
///
/// Retail: `SmartBox::DoVectorUpdate` (11.4186 @ 0x004521C0)
pub(crate) fn accept_vector(stamps: &mut StampTable, stamp: Stamp) -> Result<(), IgnoreReason> {
    newer(stamps, StampKind::Vector, stamp, IgnoreReason::StaleVector)
}

/// Accepts state bits.
///
/// Retail: `SmartBox::DoSetState` (11.4186 @ 0x004520D0)
pub(crate) fn accept_state(stamps: &mut StampTable, stamp: Stamp) -> Result<(), IgnoreReason> {
    newer(stamps, StampKind::State, stamp, IgnoreReason::StaleState)
}

/// Accepts a movement. Its own stamp is stored even if the server's control is stale.
///
/// The stamp of the server's control may equal the stored one.
///
/// Retail: `CPhysics::SetObjectMovement` (11.4186 @ 0x00509690)
pub(crate) fn accept_movement(
    stamps: &mut StampTable,
    stamp: Stamp,
    server_control: Stamp,
) -> Result<(), IgnoreReason> {
    newer(stamps, StampKind::Movement, stamp, IgnoreReason::StaleMovement)?;
    if stamps.order(StampKind::ServerControlledMove, server_control) == StampOrder::Older {
        return Err(IgnoreReason::StaleServerControl);
    }
    stamps.set(StampKind::ServerControlledMove, server_control);
    Ok(())
}

/// Checks the stamp of a teleport that begins. It is not stored, because the move itself brings it
/// again.
///
/// Retail: `ACSmartBox::DispatchSmartBoxEvent` (11.4186 @ 0x005595D0)
pub(crate) fn check_teleport(stamps: &StampTable, teleport: Stamp) -> Result<(), IgnoreReason> {
    match stamps.order(StampKind::Teleport, teleport) {
        StampOrder::Older => Err(IgnoreReason::StaleTeleport),
        StampOrder::Same | StampOrder::Newer => Ok(()),
    }
}

/// Returns the stamps of an entity that is known only from a position. The kinds that a position
/// lacks stay unheard.
pub(crate) fn first_heard(pack: &PositionPack) -> StampTable {
    let mut stamps = StampTable::unheard();
    stamps.set(StampKind::Instance, pack.instance);
    stamps.set(StampKind::Position, pack.position);
    stamps.set(StampKind::Teleport, pack.teleport);
    stamps.set(StampKind::ForcePosition, pack.force_position);
    stamps
}

/// Accepts a newer stamp of one kind, or returns `stale`.
fn newer(
    stamps: &mut StampTable,
    kind: StampKind,
    stamp: Stamp,
    stale: IgnoreReason,
) -> Result<(), IgnoreReason> {
    if stamps.accept(kind, stamp).is_newer() { Ok(()) } else { Err(stale) }
}
