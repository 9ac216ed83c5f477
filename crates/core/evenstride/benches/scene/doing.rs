//! What the bodies of a scene are doing, so that a scene can be seen to measure what it says.

use evenstride::MotionWorld;

/// Bodies of a world that are moved by something, in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Doing {
    /// Have a waypoint.
    pub on_route: f64,
    /// Play an animation that would move them.
    pub by_legs: f64,
    /// Have both.
    pub both: f64,
    /// Are within sight of the viewpoint.
    pub active: f64,
}

impl Doing {
    pub fn of(world: &MotionWorld) -> Self {
        let mut doing = Self { on_route: 0.0, by_legs: 0.0, both: 0.0, active: 0.0 };
        let each = 100.0 / world.len() as f64;
        for body in world.entities().filter_map(|entity| world.get(entity)) {
            let view = body.view();
            let is_on_route = view.waypoints > 0;
            let has_legs = body.root_velocity().length_squared() > 0.0;
            doing.on_route += if is_on_route { each } else { 0.0 };
            doing.by_legs += if has_legs { each } else { 0.0 };
            doing.both += if is_on_route && has_legs { each } else { 0.0 };
            doing.active += if view.is_active { each } else { 0.0 };
        }
        doing
    }
}
