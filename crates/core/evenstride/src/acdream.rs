//! Choices of acdream that differ from the client.
//!
//! [OpenAC](https://github.com/eriknihlen/OpenAC), formerly acdream, is another port of the client.
//! This list says which of its choices [`Config::ACDREAM`](crate::Config::ACDREAM) makes, and why
//! the profile leaves out the others. No rule of the core reads the list. `cargo xtask docs` writes
//! it to `docs/deviations.md`.

/// A choice of acdream that differs from the client.
///
/// acdream is the former name of [OpenAC](https://github.com/eriknihlen/OpenAC), another port of
/// the client.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AcdreamChoice {
    /// The behaviour, as a sentence.
    pub choice: &'static str,
    /// Source in which the choice was found.
    pub source: AcdreamSource,
    /// Whether the profile makes the same choice.
    pub profile: AcdreamProfile,
}

/// Source in which a choice was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcdreamSource {
    /// Notes that the project wrote under the name acdream. They are not public.
    Notes,
    /// The public code of OpenAC, which may differ from the notes.
    Code,
}

/// Whether [`Config::ACDREAM`](crate::Config::ACDREAM) makes a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcdreamProfile {
    /// The profile makes the choice, through the deviation with this id.
    Makes(&'static str),
    /// The profile leaves the choice out, for this reason.
    LeavesOut(&'static str),
}

/// Every known choice, those of the notes first. A test checks that each deviation named here is
/// part of the profile.
pub const ACDREAM_CHOICES: &[AcdreamChoice] = &[
    notes(
        "The longest step is 0.1 s. (OpenAC's code has 0.2 s, like the client.)",
        AcdreamProfile::Makes("D3"),
    ),
    notes("Each body has a gate of 1/30 s.", AcdreamProfile::Makes("D2")),
    notes("A body takes a received orientation at once, also in the air.", AcdreamProfile::Makes("D4")),
    notes(
        "The first grounded update after a flight lands the body. The body is placed, its velocity is cleared, and its gravity is turned off.",
        AcdreamProfile::Makes("D5"),
    ),
    notes("The local player is drawn between its last two steps.", AcdreamProfile::Makes("D9")),
    notes("After a hitch, the local player takes one step per frame.", AcdreamProfile::Makes("D14")),
    notes(
        "A received position is handled as if the body were never under server control.",
        AcdreamProfile::LeavesOut(
            "Every position would then turn a body that steers towards its goal. OpenAC's code checks the real state.",
        ),
    ),
    notes(
        "The 96 m limit for placements is measured to the received place.",
        AcdreamProfile::LeavesOut(
            "The client measures to the body's place after its last tick. The two differ only for a body that crosses the limit between two positions.",
        ),
    ),
    notes(
        "A body walks up to 100 m to a position, also indoors.",
        AcdreamProfile::LeavesOut(
            "In the client a body walks up to 20 m indoors, because a longer walk would go through walls. OpenAC's later code has 20 m.",
        ),
    ),
    notes(
        "There is no follow.",
        AcdreamProfile::LeavesOut(
            "The server sends no positions for fighters that stay close to each other. OpenAC's code has a follow.",
        ),
    ),
    notes(
        "There is no tether.",
        AcdreamProfile::LeavesOut("A body whose updates stop would run forever. OpenAC's code has a tether."),
    ),
    code(
        "A body more than 4 m from a received place is placed there.",
        AcdreamProfile::LeavesOut(
            "In the client the body walks there. A runner would pop with every lost update.",
        ),
    ),
    code(
        "A creature's gait is guessed from two received places, and ends after 0.6 s without updates.",
        AcdreamProfile::LeavesOut("The client takes gaits only from movements."),
    ),
    code(
        "A velocity lifts a body off the ground only if it rises faster than 0.5 m/s. The whole velocity is kept.",
        AcdreamProfile::LeavesOut(
            "In the client any velocity away from the ground lifts the body, and the velocity of the gait replaces it (D6).",
        ),
    ),
    code(
        "A landing clears the route.",
        AcdreamProfile::LeavesOut("The client's route continues when the body stands on the ground again."),
    ),
    code(
        "An audit that passes resets the count of waypoints given up. (Later code does not do this.)",
        AcdreamProfile::LeavesOut("The client counts them until the route ends."),
    ),
    code(
        "The place of the local player is drawn between steps, and its heading as simulated.",
        AcdreamProfile::LeavesOut(
            "A turn would stutter at 30 steps per second. The profile draws both between steps.",
        ),
    ),
    code(
        "Sleds glide with little friction on slopes below 10°, and with their own friction on steeper slopes.",
        AcdreamProfile::LeavesOut("In the client it is the other way around."),
    ),
];

/// Lists a choice that the notes document.
const fn notes(choice: &'static str, profile: AcdreamProfile) -> AcdreamChoice {
    AcdreamChoice { choice, source: AcdreamSource::Notes, profile }
}

/// Lists a choice that the code of OpenAC shows.
const fn code(choice: &'static str, profile: AcdreamProfile) -> AcdreamChoice {
    AcdreamChoice { choice, source: AcdreamSource::Code, profile }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{config::Config, deviation::DEVIATIONS};

    #[test]
    fn a_choice_that_the_profile_makes_is_one_of_its_deviations() {
        for AcdreamChoice { choice, profile, .. } in ACDREAM_CHOICES {
            let AcdreamProfile::Makes(id) = profile else { continue };
            let deviation = DEVIATIONS.iter().find(|deviation| deviation.id == *id);
            assert!(deviation.is_some_and(|of| (of.applies)(&Config::ACDREAM)), "{choice}: {id}");
        }
    }
}
