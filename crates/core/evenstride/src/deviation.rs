//! Deviations from the client and safety bounds, as lists for documents and tests.
//!
//! A deviation is a behaviour that differs from the client in some profile. Each has a switch in
//! [`Config`]. A safety bound is a limit that every profile has and the client lacks. The lists
//! only describe these rules, which are implemented elsewhere. `cargo xtask docs` writes both lists
//! to `docs/`, and a test checks that every entry has the test it names.

pub use crate::acdream::{ACDREAM_CHOICES, AcdreamChoice, AcdreamProfile, AcdreamSource};
use crate::config::{
    CatchUp, Config, DescribedGoals, DrawMode, EarlyUpdatePolicy, Gate, GlideParts, Landing, MissingTables,
    MissingViewpoint, Orientation, RootMotionMode, Takeoff, UnknownEntityPolicy,
};

/// A behaviour that differs from the client in some configuration.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Deviation {
    /// `D` and a number, which is never reused. Comments and documents refer to it.
    pub id: &'static str,
    /// The field of [`Config`] that switches the behaviour, with its value.
    pub switch: &'static str,
    /// Behaviour of the client.
    pub client: &'static str,
    /// Behaviour of the core with this deviation.
    pub instead: &'static str,
    /// Reason for the difference.
    pub reason: &'static str,
    /// Name of the test that shows the difference.
    pub test: &'static str,
    /// Returns whether a configuration has this deviation.
    pub applies: fn(&Config) -> bool,
}

/// Every deviation, in the order of the ids. [`Config::RETAIL`] has none of them.
pub const DEVIATIONS: &[Deviation] = &[
    Deviation {
        id: "D1",
        switch: "gate = Fixed",
        client: "All bodies step together once 1/30 s or more has passed, each by the time since its last step. Motion depends on the frame rate.",
        instead: "Steps are exactly 1/30 s long, counted from the start. An update takes effect after all ticks before its time.",
        reason: "The same updates give the same motion at any frame rate.",
        test: "d1_fixed_steps_are_the_same_at_any_frame_rate",
        applies: |config| matches!(config.gate, Gate::Fixed),
    },
    Deviation {
        id: "D2",
        switch: "gate = PerBody",
        client: "All bodies share one gate of 1/30 s.",
        instead: "Each body has a gate of its own.",
        reason: "The acdream notes document it.",
        test: "d2_each_body_has_its_own_gate",
        applies: |config| matches!(config.gate, Gate::PerBody),
    },
    Deviation {
        id: "D3",
        switch: "max_step_secs",
        client: "The longest single step is 0.2 s.",
        instead: "The longest step is 0.1 s, as in ACE and acdream, or 1/30 s with the fixed gate.",
        reason: "The acdream notes document it. Fixed steps have only one length.",
        test: "d3_the_longest_step_is_what_the_config_says",
        applies: |config| config.max_step_secs != Config::RETAIL.max_step_secs,
    },
    Deviation {
        id: "D4",
        switch: "orientation = OnReceipt",
        client: "A body takes the orientation of a received position in its first step towards that position.",
        instead: "A body takes the orientation as soon as the position arrives, also in the air.",
        reason: "The acdream notes document it.",
        test: "d4_orientation_is_taken_on_receipt",
        applies: |config| matches!(config.orientation, Orientation::OnReceipt),
    },
    Deviation {
        id: "D5",
        switch: "landing = OnGroundedUpdate",
        client: "A body in the air lands where its own flight meets the ground. A grounded update only extends its route.",
        instead: "The first grounded update lands the body. The body is placed, its velocity is cleared, and its gravity is turned off.",
        reason: "The acdream notes document it.",
        test: "d5_the_first_grounded_update_lands",
        applies: |config| matches!(config.landing, Landing::OnGroundedUpdate),
    },
    Deviation {
        id: "D6",
        switch: "takeoff = ImpulseKeepsItsRise",
        client: "A walking or running body that leaves the ground takes the horizontal velocity of its gait and loses the rise of a jump.",
        instead: "The body takes the velocity of its gait and keeps the rise of the impulse.",
        reason: "Otherwise every running jump is flat if the server sends no empty state before it.",
        test: "d6_a_running_jump_keeps_its_rise",
        applies: |config| matches!(config.takeoff, Takeoff::ImpulseKeepsItsRise),
    },
    Deviation {
        id: "D7",
        switch: "drawing = Interpolated",
        client: "A body is drawn where its last step left it, so motion is uneven above 30 frames per second.",
        instead: "A body is drawn between the places of its last two steps, and never across a placement.",
        reason: "Motion is smooth at any frame rate, at the cost of at most 1/30 s of delay.",
        test: "d7_bodies_are_drawn_between_their_last_two_ticks",
        applies: |config| matches!(config.drawing, DrawMode::Interpolated),
    },
    Deviation {
        id: "D8",
        switch: "early_life = Kept",
        client: "An update about a later life of an entity is attached to the body of the earlier life. It is discarded with that body and never handled.",
        instead: "The update waits for the later life like any other early update.",
        reason: "An update should not be lost because it overtook its description.",
        test: "d8_news_of_a_later_life_are_kept",
        applies: |config| matches!(config.early_life, EarlyUpdatePolicy::Kept),
    },
    Deviation {
        id: "D9",
        switch: "player_drawing = Interpolated",
        client: "The local player is drawn where its last step left it.",
        instead: "The local player is drawn between the places of its last two steps.",
        reason: "The acdream notes document it. With `drawing = Interpolated`, all bodies are drawn the same way.",
        test: "d9_the_local_player_is_drawn_between_its_last_two_steps",
        applies: |config| matches!(config.player_drawing, DrawMode::Interpolated),
    },
    Deviation {
        id: "D10",
        switch: "unknown = Adopt",
        client: "The first position of an unknown entity waits for its description.",
        instead: "The position creates the entity, with stamps that count from the first message.",
        reason: "Captures begin in the middle of a session. `SPECTATOR` and the tools enable it.",
        test: "d10_a_position_makes_an_unknown_entity",
        applies: |config| matches!(config.unknown, UnknownEntityPolicy::Adopt),
    },
    Deviation {
        id: "D11",
        switch: "no_viewpoint = AllNear",
        client: "Without a player, every body counts as farther away than any limit, so every position is a placement.",
        instead: "Without a viewpoint, every body counts as near, so bodies walk and none sleeps.",
        reason: "Servers, replays and other games may have no viewpoint, and bodies must not jump there.",
        test: "d11_without_a_viewpoint_all_bodies_are_near",
        applies: |config| matches!(config.no_viewpoint, MissingViewpoint::AllNear),
    },
    Deviation {
        id: "D12",
        switch: "root_motion = Continuous",
        client: "Root motion moves a body at keyframes, by the whole movement of each keyframe. At any rate but 30 keyframes per second, some steps contain two keyframes or none.",
        instead: "Root motion moves a body continuously, in proportion to the time that has passed within a keyframe. Whole keyframes give the same result.",
        reason: "If steps of one and two keyframes alternate, the speed flickers by 4 m/s. In a backward walk, every third step stands still.",
        test: "d12_legs_carry_a_body_on_evenly",
        applies: |config| matches!(config.root_motion, RootMotionMode::Continuous),
    },
    Deviation {
        id: "D13",
        switch: "described_goals = AfterPlacement",
        client: "The goal in a description begins before the body has a place. The body turns as if it stood in the corner of the map. A goal that is another body ends when the body is placed, and a follow never begins.",
        instead: "The goal begins where the body is placed.",
        reason: "Otherwise a body that comes into view on its way would stand still, or set out in a wrong direction.",
        test: "d13_a_described_order_begins_where_the_body_is_put",
        applies: |config| matches!(config.described_goals, DescribedGoals::AfterPlacement),
    },
    Deviation {
        id: "D14",
        switch: "player_catch_up = OneStepPerFrame",
        client: "After a frame longer than the longest step, the local player takes all missed steps at once.",
        instead: "The local player takes one step per frame until it has caught up, as `RenderGate` does.",
        reason: "The acdream notes document it. Otherwise the two ways to draw a local player would differ after a hitch of more than 0.1 s.",
        test: "d14_after_a_hitch_the_local_player_is_drawn_as_by_the_render_gate",
        applies: |config| matches!(config.player_catch_up, CatchUp::OneStepPerFrame),
    },
    Deviation {
        id: "D15",
        switch: "drawing = Gliding",
        client: "A body is drawn where its last step left it. A received position replaces root motion until the body has reached it, so the body stops and goes with each position.",
        instead: "A body is drawn at a pose of its own, which follows the place where the entity is believed to be now. Root motion always moves that place, and positions correct it. The pose may be ahead of the body.",
        reason: "Motion without stop and go, leaps or delay.",
        test: "d15_a_gliding_body_does_not_stop_and_go",
        applies: |config| config.drawing.glide_parts().is_some(),
    },
    Deviation {
        id: "D16",
        switch: "drawing = Gliding with BIAS",
        client: "The speed of a body between positions is that of its animation.",
        instead: "If positions arrive several times per second, the difference between their speed and that of the animation is added to the drawn motion.",
        reason: "The server may move an entity at another speed than its animation, or while its animation stands.",
        test: "d16_frequent_positions_tell_the_speed",
        applies: |config| has(config, GlideParts::BIAS),
    },
    Deviation {
        id: "D17",
        switch: "drawing = Gliding with HEADING",
        client: "During a move-to, positions do not turn a body.",
        instead: "During a move-to, the drawn heading follows the headings of positions.",
        reason: "The entity faces where the server says, even if the body still turns.",
        test: "d17_a_sent_body_is_drawn_facing_as_positions_say",
        applies: |config| has(config, GlideParts::HEADING),
    },
    Deviation {
        id: "D18",
        switch: "drawing = Gliding with BRAKE",
        client: "A body near its goal continues until it has arrived, whether positions arrive or not.",
        instead: "The drawn body stops if its positions cease near its goal, unless nothing arrives at all.",
        reason: "A server stops a creature without a message.",
        test: "d18_silence_near_the_goal_is_a_stop",
        applies: |config| has(config, GlideParts::BRAKE),
    },
    Deviation {
        id: "D19",
        switch: "drawing = Gliding with ARRIVAL",
        client: "A body arrives at its goal when the body itself is there.",
        instead: "The drawn body stops where the goal is reached by the place at which the entity is believed to be.",
        reason: "The body is late, so it would be drawn beyond its goal.",
        test: "d19_the_drawn_body_arrives_first",
        applies: |config| has(config, GlideParts::ARRIVAL),
    },
    Deviation {
        id: "D20",
        switch: "missing_tables = HeardSpeed",
        client: "The client has the motion table of every creature. With built-in animations instead, a creature moves at the speed of people.",
        instead: "Built-in animations move a creature at the speed that its positions show.",
        reason: "Without the game's archives, a slow creature would run ahead, and each position would pull it back.",
        test: "d20_built_in_legs_do_not_outrun_a_slow_creature",
        applies: |config| matches!(config.missing_tables, MissingTables::HeardSpeed),
    },
];

/// Returns whether bodies glide with a part.
fn has(config: &Config, part: GlideParts) -> bool {
    config.drawing.glide_parts().is_some_and(|parts| parts.contains(part))
}

/// A limit that every profile has and the client lacks. It keeps invalid or hostile input from
/// breaking a world.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SafetyBound {
    /// `S` and a number, which is never reused. Comments and documents refer to it.
    pub id: &'static str,
    /// The input or quantity that is limited.
    pub what: &'static str,
    /// The limit, and what happens beyond it.
    pub limit: &'static str,
    /// Behaviour of the client in the same situation.
    pub client: &'static str,
    /// Name of the test that shows the limit.
    pub test: &'static str,
}

/// Every safety bound, in the order of the ids.
pub const SAFETY_BOUNDS: &[SafetyBound] = &[
    SafetyBound {
        id: "S1",
        what: "Waypoints that are too far away to walk to",
        limit: "64 per route; the oldest is dropped (`MAX_FAR_WAYPOINTS`)",
        client: "appends without limit while placements fail",
        test: "s1_far_waypoints_are_bounded",
    },
    SafetyBound {
        id: "S2",
        what: "Positions with an invalid cell, with coordinates that are not finite or beyond 2²⁴ m, or with a rotation that does not have unit length",
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
        what: "Speed factors that are not finite, or whose magnitude is above 1000",
        limit: "refused, no stamp stored (`SPEED_LIMIT`)",
        client: "multiplies by them; a negative run rate yields NaN at take-off",
        test: "s4_broken_speeds_are_refused",
    },
    SafetyBound {
        id: "S5",
        what: "Steps that would leave the map or go beyond 2²⁴ m",
        limit: "the body stays where it is",
        client: "the collision code fails for lack of a cell",
        test: "s5_the_edge_of_the_map_stops_a_body",
    },
    SafetyBound {
        id: "S6",
        what: "Times that are not finite or beyond ±10¹² s",
        limit: "rejected (`SimTime::from_secs`)",
        client: "has no such clock",
        test: "times_that_are_none_are_refused",
    },
    SafetyBound {
        id: "S7",
        what: "A longest step (`max_step_secs`) that is below 1/30 s, above 2 s or not a number",
        limit: "clamped to that range when the world is created, or 0.2 s in place of NaN",
        client: "uses a constant",
        test: "s7_a_longest_step_that_is_none_is_brought_into_range",
    },
    SafetyBound {
        id: "S8",
        what: "Updates that wait for their entity",
        limit: "64 updates and 64 KiB per entity, 8,192 updates and 8 MiB in total (`Limits`); the oldest is dropped and counted",
        client: "keeps any number for 25 s",
        test: "s8_waiting_updates_are_bounded",
    },
    SafetyBound {
        id: "S9",
        what: "Bodies",
        limit: "4,194,304 (`Limits::bodies`); further descriptions are refused",
        client: "creates every body that the server describes",
        test: "s9_bodies_are_bounded",
    },
    SafetyBound {
        id: "S10",
        what: "Events, and messages of the local player, that the host does not poll",
        limit: "4,096 events and 256 messages (`Limits`); the oldest is dropped and counted",
        client: "sends and shows them itself",
        test: "s10_events_and_messages_are_bounded",
    },
    SafetyBound {
        id: "S11",
        what: "Entities that hold each other in a circle, or are nested too deep",
        limit: "refused (`MAX_HOLDING_DEPTH`, 8 levels)",
        client: "follows the chain forever",
        test: "s11_nothing_holds_itself",
    },
    SafetyBound {
        id: "S12",
        what: "Descriptions with invalid sizes, speeds or vectors",
        limit: "refused, nothing stored",
        client: "stores them; NaN spreads",
        test: "s12_impossible_descriptions_are_refused",
    },
    SafetyBound {
        id: "S13",
        what: "Saved worlds with invalid values, whose parts do not fit together, or which exceed their own limits",
        limit: "refused, with an error that names the fault",
        client: "does not save worlds",
        test: "s13_damaged_saves_are_refused",
    },
    SafetyBound {
        id: "S14",
        what: "Motions that wait for their animations, animations in a sequence, and animations that end in one step",
        limit: "256, 256 and 4,096; pending motions that are given up are completed without counting animations",
        client: "its lists grow without bound; after a cycle without animations it counts to 4,294,967,295",
        test: "s14_legs_are_bounded_whatever_they_are_told",
    },
    SafetyBound {
        id: "S15",
        what: "Modifiers that restore each other, run out, or have lost their data",
        limit: "eight levels deep, and at most one attempt per modifier",
        client: "recurses or loops forever, or reads a missing modifier",
        test: "s15_modifiers_never_go_round_in_circles",
    },
    SafetyBound {
        id: "S16",
        what: "Animation rates that are not numbers, animation rates above 10,000 keyframes per second, and velocities that are not finite",
        limit: "replaced by 0, by 10,000 and by 0",
        client: "uses them; a negative running speed makes the cap of the launch velocity NaN",
        test: "s16_impossible_rates_and_speeds_move_no_body_out_of_the_world",
    },
    SafetyBound {
        id: "S17",
        what: "Move-tos with distances that are not numbers, headings that are not finite, invalid speeds or invalid places",
        limit: "refused before any state changes, with the name of the field",
        client: "accepts them; the body then has no valid heading or place to reach",
        test: "s17_numbers_that_cannot_be_are_refused_by_name_and_change_nothing",
    },
    SafetyBound {
        id: "S18",
        what: "Moving to, turning to or following an entity that is known but outside the world, for example in a pack",
        limit: "treated as an unknown target; the place or heading in the message is used, or no follow begins",
        client: "moves to the coordinates that the entity has left, without a cell",
        test: "s18_what_is_in_a_pack_is_gone_to_where_it_is_said_to_be",
    },
    SafetyBound {
        id: "S19",
        what: "Animations without keyframes, with more than 65,536 keyframes, or with more than 64 hooks at one keyframe",
        limit: "refused when they are created",
        client: "runs all hooks each time the keyframe is played",
        test: "s19_an_animation_that_cannot_be_is_refused",
    },
    SafetyBound {
        id: "S20",
        what: "Normals from surroundings that do not have unit length",
        limit: "scaled to unit length; a normal that is not finite, or shorter than 0.2 mm, changes no contact and causes no bounce",
        client: "has its own geometry; a normal of twice the length would add energy",
        test: "s20_normals_of_any_length_neither_add_energy_nor_spoil_a_save",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retail_has_no_deviation_and_the_others_have_some() {
        let has = |config: &Config| DEVIATIONS.iter().filter(|deviation| (deviation.applies)(config)).count();
        assert_eq!(has(&Config::RETAIL), 0);
        assert_eq!(has(&Config::ACDREAM), 8);
        assert_eq!(has(&Config::SMOOTH), 10);
    }
}
