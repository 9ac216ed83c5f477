//! Which way is up: from a game's coordinates to the map and back.

use evenstride_types::{CellId, LANDBLOCK_SIZE, LandblockId, Placement, Pose, Rotation, Vec3};

use crate::generic::PlainError;

/// How a game names its directions. The core's own is x right, y forward, z up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axes {
    /// x right, y forward, z up; right-handed. Asheron's Call, Blender.
    #[default]
    ZUpYForward,
    /// x right, y up, −z forward; right-handed. Bevy, Godot, three.js, glTF.
    YUpMinusZForward,
    /// x right, y up, z forward; left-handed. Unity.
    YUpZForward,
    /// x forward, y right, z up; left-handed. Unreal.
    ZUpXForward,
}

/// Metres from the middle of the map to its edge.
pub const PLAIN_REACH: f64 = 127.0 * 192.0;

/// The middle of the map, where a game's origin lies.
const MIDDLE: f64 = 127.5 * LANDBLOCK_SIZE as f64;

impl Axes {
    /// A game's vector in the core's axes.
    pub(super) fn inward<T: Copy + core::ops::Neg<Output = T>>(self, [x, y, z]: [T; 3]) -> [T; 3] {
        match self {
            Self::ZUpYForward => [x, y, z],
            Self::YUpMinusZForward => [x, -z, y],
            Self::YUpZForward => [x, z, y],
            Self::ZUpXForward => [y, x, z],
        }
    }

    /// The core's vector in a game's axes.
    pub(super) fn outward<T: Copy + core::ops::Neg<Output = T>>(self, [x, y, z]: [T; 3]) -> [T; 3] {
        match self {
            Self::ZUpYForward => [x, y, z],
            Self::YUpMinusZForward => [x, z, -y],
            Self::YUpZForward => [x, z, y],
            Self::ZUpXForward => [y, x, z],
        }
    }

    /// The game's own name for one of the core's axes: right, forward, up.
    pub(super) const fn name_of(self, axis: usize) -> &'static str {
        let names = match self {
            Self::ZUpYForward => ["x", "y", "z"],
            Self::YUpMinusZForward | Self::YUpZForward => ["x", "z", "y"],
            Self::ZUpXForward => ["y", "x", "z"],
        };
        names[axis]
    }

    /// Whether turns go round the other way: a mirror image of the core's axes.
    const fn is_left_handed(self) -> bool {
        matches!(self, Self::YUpZForward | Self::ZUpXForward)
    }

    /// A game's quaternion, `[x, y, z, w]`, in the core's axes.
    pub(super) fn rotation_inward(self, [x, y, z, w]: [f32; 4]) -> Result<Rotation, PlainError> {
        let [x, y, z] = self.mirrored(self.inward([x, y, z]));
        Ok(Rotation::normalized([w, x, y, z])?)
    }

    /// The core's rotation as a game's quaternion, `[x, y, z, w]`.
    pub(super) fn rotation_outward(self, rotation: Rotation) -> [f32; 4] {
        let [w, x, y, z] = rotation.to_wxyz();
        let [x, y, z] = self.outward(self.mirrored([x, y, z]));
        [x, y, z, w]
    }

    /// The axis of a turn is no arrow: in a mirror it points the other way.
    fn mirrored(self, axis: [f32; 3]) -> [f32; 3] {
        if self.is_left_handed() { axis.map(|c| -c) } else { axis }
    }
}

/// Where on the map a point lies; metres, core axes, from the middle of the map. `Err` is the axis along which it lies outside.
pub(super) fn place_at(point: [f64; 3], rotation: Rotation) -> Result<Placement, usize> {
    // Not a number is outside too.
    if let Some(axis) = (0..2).find(|axis| point[*axis].is_nan() || point[*axis].abs() >= PLAIN_REACH) {
        return Err(axis);
    }
    let [column, x] = split(point[0]);
    let [row, y] = split(point[1]);
    let block = LandblockId::new(column as u8, row as u8).map_err(|_| 0usize)?;
    let cell = block.cell(CellId::CORNER.number()).map_err(|_| 0usize)?;
    let origin = Vec3::new(x as f32, y as f32, point[2] as f32);
    let pose = Pose::new(origin, rotation).map_err(|_| 2usize)?;
    Placement::new(cell, pose).settled_outdoors().map_err(|_| 0)
}

/// The point where a place lies; metres, core axes, from the middle of the map.
pub(super) fn point_of(place: &Placement) -> [f64; 3] {
    let (block, origin) = (place.cell.landblock(), place.pose.origin());
    let along =
        |number: u8, metres: f32| f64::from(number) * f64::from(LANDBLOCK_SIZE) + f64::from(metres) - MIDDLE;
    [along(block.x(), origin.x), along(block.y(), origin.y), f64::from(origin.z)]
}

/// Landblock, and metres from its edge.
fn split(metres: f64) -> [f64; 2] {
    let from_edge = metres + MIDDLE;
    let block = libm::floor(from_edge / f64::from(LANDBLOCK_SIZE));
    [block, from_edge - block * f64::from(LANDBLOCK_SIZE)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Axes; 4] = [Axes::ZUpYForward, Axes::YUpMinusZForward, Axes::YUpZForward, Axes::ZUpXForward];

    /// Forward, right and up of each game, and a quarter turn to the right as each game writes it.
    #[test]
    fn directions_and_turns_mean_the_same_in_every_game() {
        let half = core::f32::consts::FRAC_1_SQRT_2;
        let games: [(Axes, [[f32; 3]; 3], [f32; 4]); 4] = [
            // Clockwise from above is a negative turn about an upward axis in right-handed games, a positive one in the others.
            (Axes::ZUpYForward, [[0., 1., 0.], [1., 0., 0.], [0., 0., 1.]], [0., 0., -half, half]),
            (Axes::YUpMinusZForward, [[0., 0., -1.], [1., 0., 0.], [0., 1., 0.]], [0., -half, 0., half]),
            (Axes::YUpZForward, [[0., 0., 1.], [1., 0., 0.], [0., 1., 0.]], [0., half, 0., half]),
            (Axes::ZUpXForward, [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]], [0., 0., half, half]),
        ];
        for (axes, [forward, right, up], quarter_turn_right) in games {
            assert_eq!(axes.inward(forward), [0.0, 1.0, 0.0], "{axes:?}");
            assert_eq!(axes.inward(right), [1.0, 0.0, 0.0], "{axes:?}");
            assert_eq!(axes.inward(up), [0.0, 0.0, 1.0], "{axes:?}");
            let turned = axes.rotation_inward(quarter_turn_right).unwrap_or(Rotation::IDENTITY);
            assert!(
                (turned.heading().degrees() - 90.0).abs() < 1e-3,
                "{axes:?}: {}",
                turned.heading().degrees()
            );
            let back = axes.rotation_outward(turned);
            assert!(back.iter().zip(quarter_turn_right).all(|(a, b)| (a - b).abs() < 1e-6), "{axes:?}");
        }
    }

    #[test]
    fn there_and_back_is_the_same_everywhere_on_the_map() {
        for axes in ALL {
            assert_eq!(axes.outward(axes.inward([1, 2, 3])), [1, 2, 3]);
        }
        for point in [[0.0, 0.0, 0.0], [-23_999.9, 12_345.678, -5.25], [24_383.9, -24_383.9, 400.0]] {
            let place = place_at(point, Rotation::IDENTITY);
            let back = place.map(|place| point_of(&place)).unwrap_or_default();
            // Within a landblock f32 resolves 0.01 mm.
            assert!(back.iter().zip(point).all(|(a, b)| (a - b).abs() < 2e-5), "{point:?}: {back:?}");
        }
        for point in [[24_384.0, 0.0, 0.0], [0.0, f64::NAN, 0.0], [0.0, 0.0, f64::INFINITY]] {
            assert!(place_at(point, Rotation::IDENTITY).is_err(), "{point:?}");
        }
    }
}
