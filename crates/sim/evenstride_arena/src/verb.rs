//! Cues of actors, one line each, like `12.5 run 1.5`.

use crate::scenario::ActorKind;

/// A verb that an actor does from a moment on.
#[derive(Clone, Debug, PartialEq)]
pub struct Cue {
    /// Time in seconds.
    pub at: f64,
    /// The verb.
    pub verb: Verb,
}

/// An action of an actor.
#[derive(Clone, Debug, PartialEq)]
pub enum Verb {
    /// Stands.
    Stand,
    /// Walks, at a multiple of the walking speed.
    Walk(f32),
    /// Runs, at a multiple of the actor's running speed. A projectile flies at a multiple of the
    /// slowest one.
    Run(f32),
    /// Walks backwards.
    Back,
    /// Sidesteps to the right, or to the left if negative, besides walking or running.
    Strafe(f32),
    /// Turns to the right, or to the left if negative, besides other motion. The unit is a quarter
    /// turn per second, or 1.5 of that while running.
    Turn(f32),
    /// Jumps, with a speed upwards in metres per second.
    Jump(f32),
    /// Teleports to a place.
    Teleport([f32; 2]),
    /// Walks to a place, or runs if it is far.
    Go([f32; 2]),
    /// Runs after the named actor.
    Chase(String),
    /// Runs away from the named actor.
    Flee(String),
    /// Moves from one place to the next, in an endless round.
    Patrol(Vec<[f32; 2]>),
    /// Strikes the named actor and stays close for a second.
    Strike(String),
    /// Wanders, with a new goal every few seconds.
    Wander,
    /// Dies.
    Die,
    /// Vanishes.
    Vanish,
}

/// Every verb, in the syntax of a cue.
pub(crate) const VERBS: &str = "stand, walk [SPEED], run [SPEED], back, strafe left|right, turn left|right|on|SPEED, jump SPEED, teleport X Y, go X Y, \
     chase NAME, flee NAME, patrol X Y X Y …, strike NAME, wander, die, vanish";

impl Cue {
    /// Parses a line.
    ///
    /// # Errors
    /// A sentence with the problem and the allowed values.
    pub(crate) fn parse(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let time = words.next().ok_or("an empty cue; write one like \"3.0 walk\"")?;
        let at = time.parse::<f64>().ok().filter(|at| (0.0..=36_000.0).contains(at)).ok_or_else(|| {
            format!("\"{time}\" is not a valid time; a cue begins with seconds, 0 to 36000")
        })?;
        let name = words.next().ok_or_else(|| format!("no verb at {at} s; use {VERBS}"))?;
        let rest: Vec<&str> = words.collect();
        Ok(Self { at, verb: verb(name, &rest)? })
    }
}

impl Verb {
    /// Checks that an actor of this kind can do it. The error lists the verbs that it can do.
    pub(crate) const fn is_for(&self, kind: ActorKind) -> Result<(), &'static str> {
        match (kind, self) {
            (_, Self::Vanish)
            | (
                ActorKind::Player,
                Self::Stand
                | Self::Walk(_)
                | Self::Run(_)
                | Self::Back
                | Self::Strafe(_)
                | Self::Turn(_)
                | Self::Jump(_)
                | Self::Teleport(_),
            )
            | (
                ActorKind::Creature,
                Self::Stand
                | Self::Walk(_)
                | Self::Run(_)
                | Self::Teleport(_)
                | Self::Go(_)
                | Self::Chase(_)
                | Self::Flee(_)
                | Self::Patrol(_)
                | Self::Strike(_)
                | Self::Wander
                | Self::Die,
            )
            | (ActorKind::Projectile, Self::Run(_)) => Ok(()),
            (ActorKind::Player, _) => {
                Err("players can stand, walk, run, back, strafe, turn, jump, teleport, vanish")
            }
            (ActorKind::Creature, _) => Err(
                "creatures can stand, walk, run, teleport, go, chase, flee, patrol, strike, wander, die, vanish",
            ),
            (ActorKind::Projectile, _) => Err("projectiles can run (they fly off) and vanish"),
        }
    }
}

fn verb(name: &str, rest: &[&str]) -> Result<Verb, String> {
    let number = |word: &str, low: f32, high: f32| {
        let number = word.parse::<f32>().ok().filter(|number| (low..=high).contains(number));
        number.ok_or_else(|| format!("{name}: \"{word}\" is not a number from {low} to {high}"))
    };
    let speed = |default: f32| match rest {
        [] => Ok(default),
        [word] => number(word, 0.05, 10.0),
        _ => Err(format!("{name}: takes one speed, or none")),
    };
    let point = |pair: &[&str]| match pair {
        [x, y] => Ok([number(x, -10_000.0, 10_000.0)?, number(y, -10_000.0, 10_000.0)?]),
        _ => Err(format!("{name}: needs X Y")),
    };
    let whom = || match rest {
        [whom] => Ok((*whom).to_owned()),
        _ => Err(format!("{name}: needs the name of an actor")),
    };
    let nothing =
        |verb: Verb| if rest.is_empty() { Ok(verb) } else { Err(format!("{name}: takes no arguments")) };
    match name {
        "stand" => nothing(Verb::Stand),
        "walk" => speed(1.0).map(Verb::Walk),
        "run" => speed(1.0).map(Verb::Run),
        "back" => nothing(Verb::Back),
        "strafe" => match rest {
            ["left"] => Ok(Verb::Strafe(-1.0)),
            ["right"] => Ok(Verb::Strafe(1.0)),
            _ => Err("strafe: needs left or right".to_owned()),
        },
        "turn" => match rest {
            ["left"] => Ok(Verb::Turn(-1.0)),
            ["right"] => Ok(Verb::Turn(1.0)),
            ["on"] => Ok(Verb::Turn(0.0)),
            [word] => number(word, -5.0, 5.0).map(Verb::Turn),
            _ => Err("turn: needs left, right, on (straight on), or a speed".to_owned()),
        },
        "jump" => match rest {
            [word] => number(word, 0.5, 15.0).map(Verb::Jump),
            _ => Err("jump: needs a speed in metres per second".to_owned()),
        },
        "teleport" => point(rest).map(Verb::Teleport),
        "go" => point(rest).map(Verb::Go),
        "chase" => whom().map(Verb::Chase),
        "flee" => whom().map(Verb::Flee),
        "patrol" => {
            let points: Result<Vec<_>, _> = rest.chunks(2).map(point).collect();
            points.and_then(|points| {
                if points.len() < 2 {
                    Err("patrol: needs at least two places".to_owned())
                } else {
                    Ok(Verb::Patrol(points))
                }
            })
        }
        "strike" => whom().map(Verb::Strike),
        "wander" => nothing(Verb::Wander),
        "die" => nothing(Verb::Die),
        "vanish" => nothing(Verb::Vanish),
        _ => Err(format!("\"{name}\" is not a verb; use {VERBS}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_are_read_and_mistakes_say_what_is_allowed() {
        assert_eq!(Cue::parse("3 walk"), Ok(Cue { at: 3.0, verb: Verb::Walk(1.0) }));
        assert_eq!(Cue::parse("3.5 run 1.5").unwrap().verb, Verb::Run(1.5));
        assert_eq!(Cue::parse("0 patrol 1 2 3 4").unwrap().verb, Verb::Patrol(vec![[1.0, 2.0], [3.0, 4.0]]));
        assert_eq!(Cue::parse("9 turn left").unwrap().verb, Verb::Turn(-1.0));
        for (line, expected) in [
            ("", "an empty cue"),
            ("soon walk", "\"soon\" is not a valid time"),
            ("3", "no verb at 3 s"),
            ("3 fly", "\"fly\" is not a verb; use stand, walk"),
            ("3 run fast", "\"fast\" is not a number"),
            ("3 strafe up", "left or right"),
            ("3 patrol 1 2 3", "needs X Y"),
            ("3 die slowly", "takes no arguments"),
            ("3 jump nan", "is not a number"),
        ] {
            let error = Cue::parse(line).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
