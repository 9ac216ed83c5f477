//! Two lists for documents and tests, which are deviations and safety bounds.
//!
//! A deviation is a behaviour that differs from the client in some profile, and has a switch in
//! [`Config`]. A safety bound is a limit that every profile has and the client lacks. The rules
//! themselves stand where they apply. `cargo xtask docs` writes both lists to `docs/`, and a test
//! checks that every entry has the test it names.

pub use crate::acdream::{ACDREAM_CHOICES, AcdreamChoice, AcdreamProfile, AcdreamSource};
use crate::config::{
    CatchUp, Config, DescribedGoals, DrawMode, EarlyUpdatePolicy, Gate, Landing, MissingViewpoint,
    Orientation, RootMotionMode, Takeoff, UnknownEntityPolicy,
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
        instead: "At once, when the position is heard, in the air too.",
        reason: "The acdream notes document it.",
        test: "d4_orientation_is_taken_on_receipt",
        applies: |config| matches!(config.orientation, Orientation::OnReceipt),
    },
    Deviation {
        id: "D5",
        switch: "landing = OnGroundedUpdate",
        client: "A body in the air lands where its own flight meets the ground; a grounded update only joins the route.",
        instead: "The first grounded update lands it: placed, velocity cleared, gravity off.",
        reason: "The acdream notes document it.",
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
        applies: |config| matches!(config.drawing, DrawMode::Interpolated),
    },
    Deviation {
        id: "D8",
        switch: "early_life = Kept",
        client: "An update about a later life of an entity is hung on the body of the earlier life and thrown away with it, never handled.",
        instead: "It waits for the later life like any other early update.",
        reason: "An update should not be lost because it overtook its description.",
        test: "d8_news_of_a_later_life_are_kept",
        applies: |config| matches!(config.early_life, EarlyUpdatePolicy::Kept),
    },
    Deviation {
        id: "D9",
        switch: "player_drawing = Interpolated",
        client: "The local player is drawn where its last step left it.",
        instead: "It is drawn between where its last two steps left it.",
        reason: "The acdream notes document it; with `drawing = Interpolated` all bodies are drawn alike.",
        test: "d9_the_local_player_is_drawn_between_its_last_two_steps",
        applies: |config| matches!(config.player_drawing, DrawMode::Interpolated),
    },
    Deviation {
        id: "D10",
        switch: "unknown = Adopt",
        client: "The first position of an unknown entity waits for the description.",
        instead: "It creates the entity, with stamps that count from the first message.",
        reason: "Captures begin in the middle of a session. `SPECTATOR` and tools switch it on.",
        test: "d10_a_position_makes_an_unknown_entity",
        applies: |config| matches!(config.unknown, UnknownEntityPolicy::Adopt),
    },
    Deviation {
        id: "D11",
        switch: "no_viewpoint = AllNear",
        client: "Without a player every body is farther away than any limit, so positions are placements.",
        instead: "Without a viewpoint every body is near, so bodies walk and none sleeps.",
        reason: "Servers, replays and other games need not have a viewpoint, and bodies must not jump there.",
        test: "d11_without_a_viewpoint_all_bodies_are_near",
        applies: |config| matches!(config.no_viewpoint, MissingViewpoint::AllNear),
    },
    Deviation {
        id: "D12",
        switch: "root_motion = Continuous",
        client: "Legs carry a body on at keyframes, by the whole way of each: at any rate but 30 a second some steps have two, or none.",
        instead: "They carry it on all the time, by the part of a keyframe's way that the time makes. Whole keyframes come out the same.",
        reason: "Steps of one and two keyframes by turns are a flicker of 4 m/s; walking backwards, every third step stands still.",
        test: "d12_legs_carry_a_body_on_evenly",
        applies: |config| matches!(config.root_motion, RootMotionMode::Continuous),
    },
    Deviation {
        id: "D13",
        switch: "described_goals = AfterPlacement",
        client: "A description's order to go somewhere begins before the body has a place: it turns as if it stood in the corner of the map, an order to go to or face another body ends as the body is placed, and a follow never begins.",
        instead: "The order begins where the body is placed.",
        reason: "A body that comes into view on its way would otherwise stand, or set out in a wrong direction.",
        test: "d13_a_described_order_begins_where_the_body_is_put",
        applies: |config| matches!(config.described_goals, DescribedGoals::AfterPlacement),
    },
    Deviation {
        id: "D14",
        switch: "player_catch_up = OneStepPerFrame",
        client: "After a frame longer than the longest step, the local player takes all the steps it has missed at once.",
        instead: "It takes one step in each frame until it has caught up, as `RenderGate` does.",
        reason: "The acdream notes document it. Without it the two ways to draw a local player would differ after a hitch of over 0.1 s.",
        test: "d14_after_a_hitch_the_local_player_is_drawn_as_by_the_render_gate",
        applies: |config| matches!(config.player_catch_up, CatchUp::OneStepPerFrame),
    },
];

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
        limit: "rejected (`SimTime::from_secs`)",
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
    SafetyBound {
        id: "S8",
        what: "Updates that wait for their entity",
        limit: "64 and 64 KiB for each entity, 8,192 and 8 MiB in all (`Limits`); the oldest is dropped and counted",
        client: "keeps any number for 25 s",
        test: "s8_waiting_updates_are_bounded",
    },
    SafetyBound {
        id: "S9",
        what: "Bodies",
        limit: "4,194,304 (`Limits::bodies`); descriptions of more are refused",
        client: "makes as many as it is told of",
        test: "s9_bodies_are_bounded",
    },
    SafetyBound {
        id: "S10",
        what: "Events and messages of the local player that the host does not poll",
        limit: "4,096 and 256 (`Limits`); the oldest is dropped and counted",
        client: "sends and shows them itself",
        test: "s10_events_and_messages_are_bounded",
    },
    SafetyBound {
        id: "S11",
        what: "Things that hold each other in a circle, or are nested too deep",
        limit: "refused (`MAX_HOLDING_DEPTH`, 8 deep)",
        client: "follows the chain without end",
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
        what: "Saved worlds with invalid values, or whose parts do not fit together",
        limit: "refused, with what is wrong and where",
        client: "saves nothing",
        test: "s13_damaged_saves_are_refused",
    },
    SafetyBound {
        id: "S14",
        what: "Motions that wait for their animations, animations in a sequence, animations ended in one step",
        limit: "256, 256, 4,096; a motion that waits for an animation less than none waits for nothing",
        client: "lists grow without bound; a cycle without animations makes it count to 4,294,967,295",
        test: "s14_legs_are_bounded_whatever_they_are_told",
    },
    SafetyBound {
        id: "S15",
        what: "Modifiers that bring each other back, run out, or have lost their data",
        limit: "eight deep, and no further than there are modifiers",
        client: "recurses or loops for ever, or reads a modifier that is not there",
        test: "s15_modifiers_never_go_round_in_circles",
    },
    SafetyBound {
        id: "S16",
        what: "Animations played at rates that are no numbers or beyond ten thousand keyframes a second, velocities that are not finite",
        limit: "0, ten thousand, zero",
        client: "spreads them; a negative running speed makes the cap of the launch velocity NaN",
        test: "s16_impossible_rates_and_speeds_move_no_body_out_of_the_world",
    },
    SafetyBound {
        id: "S17",
        what: "Move-tos with distances that are not numbers, headings that are not finite, invalid speeds or invalid places",
        limit: "refused by the name of the field, before anything is done",
        client: "takes them: the body turns to no heading and moves to no place",
        test: "s17_numbers_that_cannot_be_are_refused_by_name_and_change_nothing",
    },
    SafetyBound {
        id: "S18",
        what: "Going to, turning to or following something that is known but nowhere: in a pack",
        limit: "as an unknown target: the place or heading beside it counts, or no follow begins",
        client: "goes to whatever coordinates it has left, in no cell",
        test: "s18_what_is_in_a_pack_is_gone_to_where_it_is_said_to_be",
    },
    SafetyBound {
        id: "S19",
        what: "Animations with more than 64 things that happen at one keyframe, without keyframes, or with more than 65,536 of them",
        limit: "refused when they are made",
        client: "does all of it, each time the keyframe comes by",
        test: "s19_an_animation_that_cannot_be_is_refused",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retail_has_no_deviation_and_the_others_have_some() {
        let has = |config: &Config| DEVIATIONS.iter().filter(|deviation| (deviation.applies)(config)).count();
        assert_eq!(has(&Config::RETAIL), 0);
        assert_eq!(has(&Config::ACDREAM), 7);
        assert_eq!(has(&Config::SMOOTH), 9);
    }
}
