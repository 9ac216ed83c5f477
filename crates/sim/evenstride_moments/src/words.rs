//! Moments in words: one paragraph that tells what was seen, why, and what would have avoided it.

use std::fmt::Write as _;

use evenstride::outcome::PlaceReason;

use crate::{
    cause::{Cause, Reason, Remedy},
    moment::{Moment, MomentKind},
};

/// Seconds after the last position from which on it no longer shows where the body was.
const LATER_SECS: f64 = 1.0;

impl Moment {
    /// Returns one line for a list, without time and name.
    pub fn headline(&self) -> String {
        let severity = &self.severity;
        let (metres, seconds) = (severity.metres, severity.seconds);
        match self.kind {
            MomentKind::Snap => format!("was placed {} away", length(metres)),
            MomentKind::Teleport => format!("was teleported {}", length(metres)),
            MomentKind::PullBack | MomentKind::Reversal => {
                let verb = if self.kind == MomentKind::PullBack { "was pulled back" } else { "moved back" };
                let speed = self.correction.map_or(0.0, |correction| correction.top_speed);
                format!("{verb} {} within {}, at up to {speed:.1} m/s", length(metres), span(seconds))
            }
            MomentKind::Overshoot => format!("went {} too far", length(metres)),
            MomentKind::Flick => format!("turned by {:.0}° within {}", severity.degrees, span(seconds)),
            MomentKind::Frozen => format!("stood still for {} while it should move", span(seconds)),
            MomentKind::StopAndGo => {
                format!("stopped and started again and again, standing for {}", span(seconds))
            }
            MomentKind::Stall if metres > 0.0 => {
                format!("got stuck, {} from where it should be", length(metres))
            }
            MomentKind::Stall => "got stuck on its way".to_owned(),
            MomentKind::Slide => format!("slid {} within {}, without steps", length(metres), span(seconds)),
            MomentKind::RunOnTheSpot => format!("moved its legs on the spot for {}", span(seconds)),
            MomentKind::Gap => format!("was not heard of for {} longer than usual", span(seconds)),
            MomentKind::LostUpdates => match self.cause.reason {
                Reason::MissingStamps { count } => format!("missed {}", counted(count, "message")),
                Reason::InvalidValue { count } => format!("had {} refused", counted(count, "message")),
                Reason::TooEarly { count } => format!("had {} dropped", counted(count, "message")),
                _ => "lost messages".to_owned(),
            },
            MomentKind::LateCreation => format!("was described {} late", span(seconds)),
            MomentKind::MissingTable => "plays a built-in motion table".to_owned(),
        }
    }

    /// Returns the span in seconds of the finding that names the moment.
    pub fn span_seen(&self) -> (f64, f64) {
        self.seen.unwrap_or((self.from, self.to))
    }

    /// Returns the time of the moment in words.
    pub fn when(&self) -> String {
        let seen = self
            .correction
            .filter(|_| matches!(self.kind, MomentKind::PullBack | MomentKind::Reversal | MomentKind::Snap));
        let (from, to) = seen.map_or((self.from, self.to), |seen| (seen.from, seen.to));
        if to - from < 0.005 { format!("at {from:.2} s") } else { format!("from {from:.2} to {to:.2} s") }
    }
}

/// Returns the paragraph of a moment. `name` is the subject of its first sentence.
pub fn sentence_of(moment: &Moment, name: &str) -> String {
    let mut text = format!("{name} {} ({}).", moment.headline(), moment.when());
    let mut say = |sentence: String| {
        if !sentence.is_empty() {
            let _ = write!(text, " {sentence}");
        }
    };
    say(why(moment));
    if !moment.also.is_empty() {
        let also: Vec<&str> = moment.also.iter().map(|kind| seen(*kind)).collect();
        say(format!("It also {}.", listed(&also, "and")));
    }
    let remedies: Vec<String> = moment.cause.remedies.iter().map(remedy).collect();
    if !remedies.is_empty() {
        say(format!("Avoided or softened by: {}.", remedies.join("; ")));
    }
    text
}

/// Returns the cause chain in sentences.
fn why(moment: &Moment) -> String {
    let cause = &moment.cause;
    match cause.reason {
        Reason::UpdateGap => join([gap(cause), meanwhile(cause), off(moment), correction(moment)]),
        Reason::UnheardStop => join([
            "The entity stopped or slowed down, and no message told so in time.".to_owned(),
            meanwhile(cause),
            off(moment),
            correction(moment),
        ]),
        Reason::UnheardTurn => join([
            "The entity turned, and no message told so in time.".to_owned(),
            meanwhile(cause),
            off(moment),
            correction(moment),
        ]),
        Reason::OtherSpeed { body_speed, entity_speed, missing_table } => {
            let table = missing_table.map_or_else(String::new, |table| {
                format!("Its own motion table 0x{table:08X} is not loaded, so built-in animations move it.")
            });
            join([
                format!(
                    "Between two positions, the body moved at {body_speed:.1} m/s and the entity at {entity_speed:.1} m/s."
                ),
                table,
                off(moment),
                correction(moment),
            ])
        }
        Reason::WaitedForPositions => {
            let every = cause
                .usual_gap
                .or(cause.gap)
                .map_or_else(String::new, |gap| format!("Positions came every {gap:.2} s."));
            let walks = "It reached each one sooner than the next one came, and stood until then.";
            join([every, walks.to_owned()])
        }
        Reason::NoStride => match moment.kind {
            MomentKind::Slide => {
                "Received positions moved it, but its last movement message lets its animation stand."
                    .to_owned()
            }
            _ => join([
                "Nothing moved the body between two positions, because its animation stood.".to_owned(),
                gap(cause),
                meanwhile(cause),
            ]),
        },
        Reason::StrideOnly => {
            "Its animation moved on, but the body waited for the next position or could not move.".to_owned()
        }
        Reason::Followed => {
            "It began to follow its target, which was behind it, and moved to its side at once.".to_owned()
        }
        Reason::HeadingSet => "A message changed its heading, and the turn was drawn at once.".to_owned(),
        Reason::Teleported => {
            "The server said so, by a newer teleport stamp. This is not a fault.".to_owned()
        }
        Reason::Placed { rule, height } => placed(rule, height, cause),
        Reason::TooFar => {
            "A received position was too far away to walk to, so the body was placed there.".to_owned()
        }
        Reason::NoHeadway { given_up, headway } => {
            let percent = 100.0 * headway;
            join([
                format!("It made {percent:.0} % of the expected progress to its next waypoint."),
                format!("It gave up {}.", counted(given_up, "waypoint")),
            ])
        }
        Reason::MissingStamps { .. } => {
            "The stamps of its movement messages have a hole, so these messages never arrived.".to_owned()
        }
        Reason::InvalidValue { .. } => {
            "Such a message contains an invalid value or exceeds a limit, and has no effect.".to_owned()
        }
        Reason::TooEarly { .. } => {
            "Messages that come before the description of their entity can wait only for a while.".to_owned()
        }
        Reason::LateDescription { count } => format!(
            "{} came first. Until its description, the entity has no model and no motion table.",
            capital(&counted(count, "update"))
        ),
        Reason::TableNotLoaded { table } => format!(
            "Its own motion table 0x{table:08X} is not loaded. Its speed between updates and its stops may differ from the game's."
        ),
        Reason::OwnMotion => String::new(),
    }
}

fn gap(cause: &Cause) -> String {
    let (Some(gap), Some(heard), Some(arrived)) = (cause.gap, cause.heard, cause.arrived) else {
        return String::new();
    };
    let usual = match (cause.usual_gap, cause.due) {
        (Some(usual), Some(due)) => {
            format!(" Usually one comes every {usual:.2} s, so the next was due at {due:.2} s.")
        }
        _ => String::new(),
    };
    format!("No position arrived for {gap:.2} s, from {heard:.2} to {arrived:.2} s.{usual}")
}

fn meanwhile(cause: &Cause) -> String {
    let Some(meanwhile) = &cause.meanwhile else { return String::new() };
    let subject = match meanwhile.moved_by {
        "legs" => "its animation moved the body",
        "route" => "its route moved the body",
        "follow" => "its target led the body",
        "flight" => "its flight carried the body",
        _ => "the body moved",
    };
    let body = length(meanwhile.body_metres);
    match meanwhile.entity_metres {
        metres if metres < 0.01 => format!("Meanwhile {subject} {body}, and the entity stood."),
        metres => format!("Meanwhile {subject} {body}, and the entity went {}.", length(metres)),
    }
}

fn off(moment: &Moment) -> String {
    let cause = &moment.cause;
    let Some(ahead) = cause.ahead else { return String::new() };
    let arrived = cause.arrived.map_or_else(String::new, |time| format!(" at {time:.2} s"));
    // A body that goes back by itself is compared with the last position when it begins to.
    let goes_back = matches!(moment.kind, MomentKind::PullBack | MomentKind::Reversal);
    let is_later = goes_back && cause.arrived.is_some_and(|time| moment.from - time > LATER_SECS);
    match (ahead, cause.aside.unwrap_or(0.0)) {
        (ahead, _) if ahead >= 0.05 && is_later => {
            let from = moment.from;
            format!("By {from:.2} s, the body was {} past the position that arrived{arrived}.", length(ahead))
        }
        (ahead, _) if ahead >= 0.05 => {
            format!("The position that arrived{arrived} showed the body {} ahead.", length(ahead))
        }
        (ahead, _) if ahead <= -0.05 => {
            format!("The position that arrived{arrived} showed the body {} behind.", length(-ahead))
        }
        (_, aside) if aside >= 0.05 => {
            format!("The position that arrived{arrived} showed the body {} beside its path.", length(aside))
        }
        _ => String::new(),
    }
}

fn correction(moment: &Moment) -> String {
    match (moment.kind, &moment.correction) {
        (MomentKind::PullBack, Some(_)) => "So it had to go back.".to_owned(),
        _ => String::new(),
    }
}

fn placed(rule: PlaceReason, height: Option<f64>, cause: &Cause) -> String {
    let why = match rule {
        PlaceReason::FarFromViewpoint => {
            "It was 96 m or more from the viewer, where the client places bodies instead of walking them."
        }
        PlaceReason::DistanceUnknown => {
            "Its distance from the viewer was unknown, because it had just appeared or the capture names no viewer."
        }
        PlaceReason::Landing => "It was in the air, and the update said that it touches the ground.",
        PlaceReason::Corrected => "The server corrected the player's place, by a newer force stamp.",
        PlaceReason::GaveUp => {
            "It made too little headway on its route, so the client placed it at the newest position."
        }
        PlaceReason::GaveUpLast => {
            "It made too little headway on its route, so the client placed it at the last position given up."
        }
        PlaceReason::LandingOverdue => "Its flight should have ended, but no update told where it landed.",
        _ => "A rule of the client placed it.",
    };
    let silence = match (cause.heard, cause.arrived) {
        (Some(heard), Some(arrived)) if arrived - heard > 1.0 && rule != PlaceReason::LandingOverdue => {
            format!("Its last position was {} old.", span(arrived - heard))
        }
        _ => String::new(),
    };
    let height = match height {
        Some(height) if height > 0.3 => format!("It had been drawn {} below that place.", length(height)),
        Some(height) if height < -0.3 => format!("It had been drawn {} above that place.", length(-height)),
        _ => String::new(),
    };
    join([why.to_owned(), height, silence])
}

fn remedy(remedy: &Remedy) -> String {
    match *remedy {
        Remedy::PositionInTime { due } => format!("a position at {due:.2} s, when it was due"),
        Remedy::MovementMessage => "a movement message when the entity stopped, turned or set out".to_owned(),
        Remedy::LoadTable { table } => {
            format!("its motion table 0x{table:08X} (--dat client_portal.dat)")
        }
        Remedy::Glide => "drawing with --profile glide".to_owned(),
        Remedy::DescribeFirst => "a description before the first update".to_owned(),
        Remedy::ValidValues => "valid values in the message".to_owned(),
        Remedy::WalkableWay => "a position within walking distance, or a teleport stamp".to_owned(),
        Remedy::LoseNothing => "a capture or a connection that loses nothing".to_owned(),
    }
}

/// Returns a kind as the predicate of a sentence.
const fn seen(kind: MomentKind) -> &'static str {
    match kind {
        MomentKind::Snap => "was placed elsewhere",
        MomentKind::PullBack => "was pulled back",
        MomentKind::Reversal => "moved back",
        MomentKind::Flick => "turned abruptly",
        MomentKind::Frozen => "stood still",
        MomentKind::StopAndGo => "stopped and started",
        MomentKind::Overshoot => "went too far",
        MomentKind::Stall => "got stuck",
        MomentKind::Slide => "slid without steps",
        MomentKind::RunOnTheSpot => "moved its legs on the spot",
        MomentKind::Gap => "was not heard of for longer than usual",
        MomentKind::LostUpdates => "lost updates",
        MomentKind::LateCreation => "was described late",
        MomentKind::Teleport => "was teleported",
        MomentKind::MissingTable => "plays a built-in motion table",
    }
}

fn join<const N: usize>(sentences: [String; N]) -> String {
    let said: Vec<String> = sentences.into_iter().filter(|sentence| !sentence.is_empty()).collect();
    said.join(" ")
}

fn listed(words: &[&str], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

fn counted(count: u32, noun: &str) -> String {
    match count {
        1 => format!("one {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns a distance in words, with as many digits as matter.
fn length(metres: f64) -> String {
    match metres {
        metres if metres < 0.995 => format!("{metres:.2} m"),
        metres if metres < 99.5 => format!("{metres:.1} m"),
        metres => format!("{metres:.0} m"),
    }
}

/// Returns a duration in words.
fn span(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 9.95 => format!("{seconds:.2} s"),
        seconds if seconds < 120.0 => format!("{seconds:.0} s"),
        seconds => format!("{:.0} min", seconds / 60.0),
    }
}
