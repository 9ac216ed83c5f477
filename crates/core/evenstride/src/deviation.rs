//! Two lists: where profiles differ from the client, and which limits every profile has that the client lacks.
//!
//! `cargo xtask docs` writes both to `docs/`.

use crate::config::{Config, Drawing, Gate, Landing, Orientation, Takeoff};

/// A behaviour that differs from the client in some profile.
#[derive(Clone, Copy, Debug)]
pub struct Deviation {
    /// Never reused.
    pub id: &'static str,
    /// The field of [`Config`] that switches it.
    pub switch: &'static str,
    /// What the client does.
    pub client: &'static str,
    /// What is done instead.
    pub instead: &'static str,
    /// Why.
    pub reason: &'static str,
    /// The test that shows it.
    pub test: &'static str,
    /// Whether a configuration has it.
    pub applies: fn(&Config) -> bool,
}

/// Every deviation.
pub const DEVIATIONS: &[Deviation] = &[
    Deviation {
        id: "D1",
        switch: "gate = Fixed",
        client: "All bodies are stepped together once 1/30 s or more has passed, each by the time since its last step: the frame rate shows.",
        instead: "Steps of exactly 1/30 s, counted from the start; an update takes effect after exactly the ticks before it.",
        reason: "The same updates give the same motion at any frame rate.",
        test: "d1_fixed_steps_are_the_same_at_any_frame_rate",
        applies: |config| matches!(config.gate, Gate::Fixed),
    },
    Deviation {
        id: "D2",
        switch: "gate = PerBody",
        client: "One gate of 1/30 s for all bodies.",
        instead: "Each body has a gate of its own.",
        reason: "The acdream notes document it.",
        test: "d2_each_body_has_its_own_gate",
        applies: |config| matches!(config.gate, Gate::PerBody),
    },
    Deviation {
        id: "D3",
        switch: "max_step_secs",
        client: "The longest single step is 0.2 s.",
        instead: "0.1 s, as ACE and acdream have it; with the fixed gate 1/30 s.",
        reason: "The acdream notes document it; fixed steps have one length.",
        test: "d3_the_longest_step_is_what_the_config_says",
        applies: |config| config.max_step_secs != Config::RETAIL.max_step_secs,
    },
    Deviation {
        id: "D4",
        switch: "orientation = OnReceipt",
        client: "A body takes on the orientation it heard in its first step towards the position it came with.",
        instead: "At once, when the position is queued.",
        reason: "The acdream notes document it.",
        test: "d4_orientation_is_taken_on_receipt",
        applies: |config| matches!(config.orientation, Orientation::OnReceipt),
    },
    Deviation {
        id: "D5",
        switch: "landing = OnGroundedUpdate",
        client: "A body in the air lands where its own flight meets the ground; a grounded update only joins the route.",
        instead: "The first grounded update lands it: placed, velocity cleared, gravity off.",
        reason: "The acdream notes document it. (`OpenField` does so in every profile: it knows no ground.)",
        test: "d5_the_first_grounded_update_lands",
        applies: |config| matches!(config.landing, Landing::OnGroundedUpdate),
    },
    Deviation {
        id: "D6",
        switch: "takeoff = ImpulseKeepsItsRise",
        client: "A walking or running body that leaves the ground takes its gait's velocity, which is flat, and loses the rise of a jump.",
        instead: "The gait's velocity with the rise of the impulse.",
        reason: "Servers that do not send an empty state before a jump would have every running jump flattened.",
        test: "d6_a_running_jump_keeps_its_rise",
        applies: |config| matches!(config.takeoff, Takeoff::ImpulseKeepsItsRise),
    },
    Deviation {
        id: "D7",
        switch: "drawing = Interpolated",
        client: "A body is drawn where its last step left it, so motion is uneven above 30 frames a second.",
        instead: "It is drawn between where its last two steps left it, and never across a placement.",
        reason: "Even motion at any frame rate, for at most 1/30 s of delay.",
        test: "d7_bodies_are_drawn_between_their_last_two_ticks",
        applies: |config| matches!(config.drawing, Drawing::Interpolated),
    },
];

/// A limit that every profile has and the client lacks.
#[derive(Clone, Copy, Debug)]
pub struct SafetyBound {
    /// Never reused.
    pub id: &'static str,
    /// What is limited.
    pub what: &'static str,
    /// To what.
    pub limit: &'static str,
    /// What the client would do.
    pub client: &'static str,
    /// The test that shows it.
    pub test: &'static str,
}

/// Every safety bound.
pub const SAFETY_BOUNDS: &[SafetyBound] = &[
    SafetyBound {
        id: "S1",
        what: "Waypoints too far off to be walked to",
        limit: "64 on a route; the oldest makes room (`MAX_FAR_WAYPOINTS`)",
        client: "appends without limit while placements fail",
        test: "s1_far_waypoints_are_bounded",
    },
    SafetyBound {
        id: "S2",
        what: "Positions whose cell cannot exist, with numbers that are not finite or beyond 2²⁴ m, or a rotation off unit length",
        limit: "refused, no stamp stored",
        client: "stores them; NaN spreads",
        test: "s2_impossible_positions_are_refused",
    },
    SafetyBound {
        id: "S3",
        what: "Velocities and spins that are not finite",
        limit: "refused, no stamp stored",
        client: "stores them; NaN spreads",
        test: "s3_broken_vectors_are_refused",
    },
    SafetyBound {
        id: "S4",
        what: "Speed factors that are not finite or above 1000",
        limit: "refused, no stamp stored (`SPEED_LIMIT`)",
        client: "multiplies with them; a negative run rate yields NaN at take-off",
        test: "s4_broken_speeds_are_refused",
    },
    SafetyBound {
        id: "S5",
        what: "Steps that would leave the map or 2²⁴ m",
        limit: "the body stays where it is",
        client: "the collision code fails for lack of a cell",
        test: "s5_the_edge_of_the_map_stops_a_body",
    },
    SafetyBound {
        id: "S6",
        what: "Times that are not finite or beyond ±10¹² s",
        limit: "cannot be made (`SimTime::from_secs`)",
        client: "has no such clock",
        test: "times_that_are_none_are_refused",
    },
    SafetyBound {
        id: "S7",
        what: "A longest step (`max_step_secs`) that is below 1/30 s, above 2 s or not a number",
        limit: "brought into that range when the world is made",
        client: "has a constant",
        test: "s7_a_longest_step_that_is_none_is_brought_into_range",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retail_has_no_deviation_and_the_others_have_some() {
        let has = |config: &Config| DEVIATIONS.iter().filter(|deviation| (deviation.applies)(config)).count();
        assert_eq!(has(&Config::RETAIL), 0);
        assert_eq!(has(&Config::ACDREAM), 4);
        assert_eq!(has(&Config::SMOOTH), 4);
    }
}
