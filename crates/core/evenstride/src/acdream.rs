//! The choices of acdream (today OpenAC) that differ from the client, one by one.
//!
//! The list says which of them [`Config::ACDREAM`](crate::Config::ACDREAM) makes and why it leaves
//! out the others. It is documentation in the form of data, and no rule of the core reads it.
//! `cargo xtask docs` writes it to `docs/deviations.md`.

/// A choice of acdream that differs from the client.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AcdreamChoice {
    /// The behaviour, as a sentence.
    pub choice: &'static str,
    /// Document in which the choice was found.
    pub source: AcdreamSource,
    /// Whether the profile makes the same choice.
    pub profile: AcdreamProfile,
}

/// Document in which a choice was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcdreamSource {
    /// The notes that the project kept under its name acdream. They are not public.
    Notes,
    /// The public code of OpenAC, which may differ from the notes.
    Code,
}

/// Whether [`Config::ACDREAM`](crate::Config::ACDREAM) makes a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcdreamProfile {
    /// The profile makes it, by the deviation with this id.
    Makes(&'static str),
    /// The profile leaves it out, for this reason.
    LeavesOut(&'static str),
}

/// Every known choice, those of the notes first. A test checks that each deviation named here is
/// part of the profile.
pub const ACDREAM_CHOICES: &[AcdreamChoice] = &[
    notes(
        "The longest step is 0.1 s. (OpenAC's code has 0.2 s, as the client.)",
        AcdreamProfile::Makes("D3"),
    ),
    notes("Each body has a gate of 1/30 s.", AcdreamProfile::Makes("D2")),
    notes("A body takes on the orientation it hears at once, in the air too.", AcdreamProfile::Makes("D4")),
    notes(
        "The first grounded update after a flight is the landing: placed, velocity cleared, gravity off.",
        AcdreamProfile::Makes("D5"),
    ),
    notes("The local player is drawn between its last two steps.", AcdreamProfile::Makes("D9")),
    notes("After a hitch the local player takes one step in each frame.", AcdreamProfile::Makes("D14")),
    notes(
        "A received position never finds the body under server control.",
        AcdreamProfile::LeavesOut(
            "Every position would then turn a body that steers towards its goal. OpenAC's code asks for the real state.",
        ),
    ),
    notes(
        "The 96 m of a placement are measured to the received place.",
        AcdreamProfile::LeavesOut(
            "The client measures to where the body's last tick left it. The two differ only for a body that crosses the line between two positions.",
        ),
    ),
    notes(
        "A position 100 m away is walked to indoors too.",
        AcdreamProfile::LeavesOut(
            "The client walks 20 m indoors; farther it would go through walls. OpenAC's later code has 20 m.",
        ),
    ),
    notes(
        "There is no follow.",
        AcdreamProfile::LeavesOut(
            "Fighters that stay close to each other are not heard of meanwhile. OpenAC's code has a follow.",
        ),
    ),
    notes(
        "There is no tether.",
        AcdreamProfile::LeavesOut(
            "A body whose updates stop would run on without end. OpenAC's code has a tether.",
        ),
    ),
    code(
        "A body that is more than 4 m from a received place is put there.",
        AcdreamProfile::LeavesOut("The client walks. A runner would pop with every update that is lost."),
    ),
    code(
        "A creature's gait is guessed from two received places, and ends after 0.6 s of silence.",
        AcdreamProfile::LeavesOut("The client hears of gaits in movements only."),
    ),
    code(
        "A velocity takes a body off the ground only if it rises faster than 0.5 m/s, and is kept whole.",
        AcdreamProfile::LeavesOut(
            "In the client any velocity away from the ground does, and the gait replaces it (D6).",
        ),
    ),
    code(
        "A landing empties the route.",
        AcdreamProfile::LeavesOut("The client's route goes on when the body stands again."),
    ),
    code(
        "An audit that passes clears the count of waypoints given up. (Not in later code.)",
        AcdreamProfile::LeavesOut("The client counts them until the route ends."),
    ),
    code(
        "Of the local player the place is drawn between steps, the heading as simulated.",
        AcdreamProfile::LeavesOut(
            "A turn would stutter at 30 steps per second; both are drawn between steps.",
        ),
    ),
    code(
        "Sleds on slopes below 10° glide with little friction, steeper ones with their own.",
        AcdreamProfile::LeavesOut("In the client it is the other way round."),
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
