//! Arbitrary values of checked types, for fuzzing and property tests. Every value is valid.

use arbitrary::{Arbitrary, Error, Result, Unstructured};
use glam::Vec3;

use crate::{
    COORDINATE_LIMIT, CellId, Heading, LandblockId, Pose, Rotation, SimDuration, SimTime, Stamp, StampKind,
    StampTable, TIME_LIMIT_SECS,
};

/// Numbers of cells by class: outdoor, indoor, whole block.
const CELL_NUMBERS: [(u16, u16); 3] = [(0x0001, 0x0040), (0x0100, 0xFFFD), (0xFFFF, 0xFFFF)];

impl<'a> Arbitrary<'a> for LandblockId {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let (x, y) = (u.int_in_range(0..=254)?, u.int_in_range(0..=254)?);
        Self::new(x, y).map_err(|_| Error::IncorrectFormat)
    }
}

impl<'a> Arbitrary<'a> for CellId {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let block = LandblockId::arbitrary(u)?;
        let (first, last) = *u.choose(&CELL_NUMBERS)?;
        block.cell(u.int_in_range(first..=last)?).map_err(|_| Error::IncorrectFormat)
    }
}

impl<'a> Arbitrary<'a> for Heading {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Self::from_degrees(within(u, 360.0)? as f32).map_err(|_| Error::IncorrectFormat)
    }
}

impl<'a> Arbitrary<'a> for Rotation {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let wxyz = [within(u, 1.0)?, within(u, 1.0)?, within(u, 1.0)?, within(u, 1.0)?];
        // Only a quaternion that is zero has no direction.
        Ok(Self::normalized(wxyz.map(|part| part as f32)).unwrap_or(Self::IDENTITY))
    }
}

impl<'a> Arbitrary<'a> for Pose {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let limit = f64::from(COORDINATE_LIMIT);
        let origin = [within(u, limit)?, within(u, limit)?, within(u, limit)?];
        let origin = Vec3::from_array(origin.map(|part| part as f32));
        Self::new(origin, Rotation::arbitrary(u)?).map_err(|_| Error::IncorrectFormat)
    }
}

impl<'a> Arbitrary<'a> for SimTime {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Self::from_secs(within(u, TIME_LIMIT_SECS)?).map_err(|_| Error::IncorrectFormat)
    }
}

impl<'a> Arbitrary<'a> for SimDuration {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Self::from_secs(within(u, TIME_LIMIT_SECS)?).map_err(|_| Error::IncorrectFormat)
    }
}

impl<'a> Arbitrary<'a> for StampTable {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let mut table = Self::unheard();
        for kind in StampKind::ALL {
            if let Some(stamp) = Option::<Stamp>::arbitrary(u)? {
                table.set(kind, stamp);
            }
        }
        Ok(table)
    }
}

/// Returns a number within ±`limit`. Numbers near zero are as likely as large ones.
fn within(u: &mut Unstructured<'_>, limit: f64) -> Result<f64> {
    let number = f64::arbitrary(u)?;
    if number.abs() <= limit {
        return Ok(number);
    }
    Ok((f64::from(i32::arbitrary(u)?) / f64::from(i32::MAX) * limit).clamp(-limit, limit))
}
