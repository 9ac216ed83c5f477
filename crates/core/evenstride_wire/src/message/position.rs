//! The position of an entity.

use evenstride_types::update::{PositionPack, SparseQuaternion};

use crate::{
    reader::{Read, Reader},
    writer::Writer,
};

/// Reads a position with its stamps.
///
/// Retail: `PositionPack::UnPack` (11.4186 @ 0x00516740)
#[inline(always)]
pub(super) fn read_pack(reader: &mut Reader<'_>) -> Read<PositionPack> {
    let flags = reader.u32("position flags")?;
    let (cell, origin) = (reader.u32("cell")?, reader.vector("origin")?);
    let mut component =
        |absent: u32, field| if flags & absent == 0 { reader.f32(field).map(Some) } else { Ok(None) };
    let rotation = SparseQuaternion([
        component(0x08, "rotation.w")?,
        component(0x10, "rotation.x")?,
        component(0x20, "rotation.y")?,
        component(0x40, "rotation.z")?,
    ]);
    let velocity = if flags & 0x01 != 0 { Some(reader.vector("velocity")?) } else { None };
    let placement_frame = if flags & 0x02 != 0 { Some(reader.u32("placement frame")?) } else { None };
    Ok(PositionPack {
        cell,
        origin,
        rotation,
        velocity,
        placement_frame,
        has_contact: flags & 0x04 != 0,
        other_flags: flags & !PositionPack::NAMED_FLAGS,
        instance: reader.stamp("instance stamp")?,
        position: reader.stamp("position stamp")?,
        teleport: reader.stamp("teleport stamp")?,
        force_position: reader.stamp("force position stamp")?,
    })
}

/// Writes a position with its stamps.
///
/// Retail: `PositionPack::Pack` (11.4186 @ 0x00516440)
pub(super) fn write_pack(pack: &PositionPack, writer: &mut Writer<'_>) {
    writer.u32(pack.flags());
    writer.u32(pack.cell);
    writer.vector(pack.origin);
    pack.rotation.0.into_iter().flatten().for_each(|component| writer.f32(component));
    if let Some(velocity) = pack.velocity {
        writer.vector(velocity);
    }
    if let Some(frame) = pack.placement_frame {
        writer.u32(frame);
    }
    [pack.instance, pack.position, pack.teleport, pack.force_position]
        .into_iter()
        .for_each(|stamp| writer.stamp(stamp));
}
