//! Conversion between a game's axes and the core's, and between flat coordinates and cells.
//!
//! The game's origin lies in the middle of the map. Units are metres here, and `generic/mod.rs`
//! scales them. Vectors, rotations and points are converted separately, because a rotation changes
//! its sense between left-handed and right-handed axes.

use evenstride_types::{CellId, LANDBLOCK_SIZE, LandblockId, Placement, Pose, Rotation, Vec3};

use crate::generic::PlainError;

/// Directions of a game's axes. The core itself uses x right, y forward, z up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axes {
    /// x right, y forward, z up, right-handed (default). Asheron's Call and Blender use it.
    #[default]
    ZUpYForward,
    /// x right, y up, −z forward, right-handed. Bevy, Godot, three.js and glTF use it.
    YUpMinusZForward,
    /// x right, y up, z forward, left-handed. Unity uses it.
    YUpZForward,
    /// x forward, y right, z up, left-handed. Unreal uses it.
    ZUpXForward,
    /// x right, y down, z towards the viewer, left-handed. Flat games seen from above use it, with
    /// [`FlatPose`](super::FlatPose).
    XRightYDown,
    /// x forward, y left, z up, right-handed. ROS uses it, and flat games in which y is up on the screen
    /// and an entity without a rotation faces right, such as those of Bevy in two dimensions.
    ZUpXForwardYLeft,
}

/// Distance from the game's origin at which positions become invalid, in metres, along each
/// horizontal axis.
///
/// The edge of the map lies half a landblock farther out, so a body may still walk a little past
/// the last valid position.
pub const PLAIN_REACH: f64 = 127.0 * 192.0;

/// Metres from the edge of the map to its middle, where a game's origin lies.
const MIDDLE: f64 = 127.5 * LANDBLOCK_SIZE as f64;

impl Axes {
    /// Converts a vector from the game's axes to the core's.
    pub(super) fn inward<T: Copy + core::ops::Neg<Output = T>>(self, [x, y, z]: [T; 3]) -> [T; 3] {
        match self {
            Self::ZUpYForward => [x, y, z],
            Self::YUpMinusZForward => [x, -z, y],
            Self::YUpZForward => [x, z, y],
            Self::ZUpXForward => [y, x, z],
            Self::XRightYDown => [x, -y, z],
            Self::ZUpXForwardYLeft => [-y, x, z],
        }
    }

    /// Converts a vector from the core's axes to the game's. This is the inverse of
    /// [`Axes::inward`].
    pub(super) fn outward<T: Copy + core::ops::Neg<Output = T>>(self, [x, y, z]: [T; 3]) -> [T; 3] {
        match self {
            Self::ZUpYForward => [x, y, z],
            Self::YUpMinusZForward => [x, z, -y],
            Self::YUpZForward => [x, z, y],
            Self::ZUpXForward => [y, x, z],
            Self::XRightYDown => [x, -y, z],
            Self::ZUpXForwardYLeft => [y, -x, z],
        }
    }

    /// Returns the game's name for one of the core's axes, where 0 is right, 1 forward and 2 up.
    ///
    /// Error messages use it, so that they name the coordinate as the game does.
    pub(super) const fn name_of(self, axis: usize) -> &'static str {
        let names = match self {
            Self::ZUpYForward | Self::XRightYDown => ["x", "y", "z"],
            Self::YUpMinusZForward | Self::YUpZForward => ["x", "z", "y"],
            Self::ZUpXForward | Self::ZUpXForwardYLeft => ["y", "x", "z"],
        };
        names[axis]
    }

    /// Returns whether the axes are a mirror image of the core's, so that turns change their sense.
    const fn is_left_handed(self) -> bool {
        matches!(self, Self::YUpZForward | Self::ZUpXForward | Self::XRightYDown)
    }

    /// Converts a game's quaternion, `[x, y, z, w]`, to a rotation in the core's axes. Its length
    /// need not be 1.
    ///
    /// # Errors
    /// [`PlainError::Rotation`] if a component is not finite or the length is zero.
    pub(super) fn rotation_inward(self, [x, y, z, w]: [f32; 4]) -> Result<Rotation, PlainError> {
        let [x, y, z] = self.mirrored(self.inward([x, y, z]));
        Ok(Rotation::normalized([w, x, y, z])?)
    }

    /// Converts a rotation of the core to a game's quaternion, `[x, y, z, w]`.
    pub(super) fn rotation_outward(self, rotation: Rotation) -> [f32; 4] {
        let [w, x, y, z] = rotation.to_wxyz();
        let [x, y, z] = self.outward(self.mirrored([x, y, z]));
        [x, y, z, w]
    }

    /// Reverses the axis of a rotation between axes of different handedness.
    ///
    /// An axis of rotation is a pseudovector, so a mirror turns it around.
    fn mirrored(self, axis: [f32; 3]) -> [f32; 3] {
        if self.is_left_handed() { axis.map(|c| -c) } else { axis }
    }
}

/// Converts a point to a place on the map, in an outdoor cell.
///
/// The point is in metres from the middle of the map, in core axes. `Err` is the index of the axis
/// along which the point is invalid.
pub(super) fn place_at(point: [f64; 3], rotation: Rotation) -> Result<Placement, usize> {
    // NaN counts as outside too.
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

/// Converts a place to a point in metres from the middle of the map, in core axes.
///
/// The sum is computed in `f64`, because an `f32` would lose millimetres far from the middle.
pub(super) fn point_of(place: &Placement) -> [f64; 3] {
    let (block, origin) = (place.cell.landblock(), place.pose.origin());
    let along =
        |number: u8, metres: f32| f64::from(number) * f64::from(LANDBLOCK_SIZE) + f64::from(metres) - MIDDLE;
    [along(block.x(), origin.x), along(block.y(), origin.y), f64::from(origin.z)]
}

/// Returns the number of the landblock that contains a coordinate, and the metres from its edge.
fn split(metres: f64) -> [f64; 2] {
    let from_edge = metres + MIDDLE;
    let block = libm::floor(from_edge / f64::from(LANDBLOCK_SIZE));
    [block, from_edge - block * f64::from(LANDBLOCK_SIZE)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Axes; 6] = [
        Axes::ZUpYForward,
        Axes::YUpMinusZForward,
        Axes::YUpZForward,
        Axes::ZUpXForward,
        Axes::XRightYDown,
        Axes::ZUpXForwardYLeft,
    ];

    /// Lists forward, right and up of each game, and a quarter turn to the right as each game
    /// writes it.
    #[test]
    fn directions_and_turns_mean_the_same_in_every_game() {
        let half = core::f32::consts::FRAC_1_SQRT_2;
        let games: [(Axes, [[f32; 3]; 3], [f32; 4]); 6] = [
            // Clockwise from above is a negative turn about an upward axis in right-handed games,
            // and a positive one in the others.
            (Axes::ZUpYForward, [[0., 1., 0.], [1., 0., 0.], [0., 0., 1.]], [0., 0., -half, half]),
            (Axes::YUpMinusZForward, [[0., 0., -1.], [1., 0., 0.], [0., 1., 0.]], [0., -half, 0., half]),
            (Axes::YUpZForward, [[0., 0., 1.], [1., 0., 0.], [0., 1., 0.]], [0., half, 0., half]),
            (Axes::ZUpXForward, [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]], [0., 0., half, half]),
            (Axes::XRightYDown, [[0., -1., 0.], [1., 0., 0.], [0., 0., 1.]], [0., 0., half, half]),
            (Axes::ZUpXForwardYLeft, [[1., 0., 0.], [0., -1., 0.], [0., 0., 1.]], [0., 0., -half, half]),
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
