//! Scenarios: the actors, their cues, and the network between server and viewer.

use std::ops::Range;

use evenstride_link::{Burst, LinkConfig};
use serde::Deserialize;
use toml::Spanned;

use crate::verb::{Cue, Verb};

/// An error in a scenario, and its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ScenarioError {
    /// Line, counted from 1.
    pub line: usize,
    /// The field, the problem, and the allowed values.
    pub what: String,
}

/// A scene, ready to be simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Title, one line.
    pub title: String,
    /// Length in seconds, 1 to 3600.
    pub seconds: f64,
    /// Place of the viewer in metres (default: 96, 84).
    pub viewer: [f32; 2],
    /// Frames per second to draw, 1 to 1000 (default: 60).
    pub fps: f64,
    /// The network between the server and the viewer (default: perfect).
    pub link: LinkConfig,
    /// Outages: the network delivers nothing, then everything at once (default: none).
    pub outages: Vec<Outage>,
    /// The ground (default: flat).
    pub ground: Ground,
    /// Duration of starts and stops, as a factor on the built-in animations', 0 to 4 (default: 1).
    /// At 0 actors start and stop at once.
    pub ramps: f32,
    /// The actors.
    pub actors: Vec<ActorSpec>,
}

/// A time during which nothing arrives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outage {
    /// Start in seconds.
    pub from: f64,
    /// End in seconds.
    pub to: f64,
}

/// The ground that bodies stand on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ground {
    /// Level ground.
    Flat,
    /// Ground that rises to the east, in metres per metre, -1 to 1.
    Slope(f32),
    /// Stairs that rise to the east, each 0.2 m high and 0.5 m deep.
    Stairs,
    /// A room: level ground in an indoor cell.
    Room,
}

/// One actor, or a group of them.
#[derive(Clone, Debug, PartialEq)]
pub struct ActorSpec {
    /// Name.
    pub name: String,
    /// Kind of entity.
    pub kind: ActorKind,
    /// Number of actors (default: 1). A group is numbered, and all but the first are spread around
    /// the place.
    pub count: u32,
    /// Place in metres.
    pub at: [f32; 2],
    /// Heading in degrees, clockwise from north (default: 0).
    pub facing: f32,
    /// Factor on the slowest running speed, 0.1 to 10 (default: 1).
    pub run_rate: f32,
    /// Cues, by time.
    pub cues: Vec<Cue>,
}

/// The kind of an actor, which decides what the server sends about it and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActorKind {
    /// The server sends its keys at once and its place at most once per second.
    Player,
    /// The server sends its goals, and its place five times per second while it moves.
    Creature,
    /// The server sends its velocity once.
    Projectile,
}

impl ActorKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Creature => "creature",
            Self::Projectile => "projectile",
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    seconds: Spanned<f64>,
    #[serde(default = "default_viewer")]
    viewer: Spanned<[f32; 2]>,
    #[serde(default = "default_fps")]
    fps: Spanned<f64>,
    #[serde(default)]
    link: Option<Spanned<LinkText>>,
    #[serde(default)]
    outages: Vec<Spanned<[f64; 2]>>,
    #[serde(default)]
    ground: Option<Spanned<String>>,
    #[serde(default = "default_ramps")]
    ramps: Spanned<f64>,
    actor: Vec<Spanned<ActorText>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum LinkText {
    Preset(String),
    Custom(CustomLink),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CustomLink {
    preset: Option<String>,
    seed: Option<u64>,
    latency: Option<f64>,
    jitter: Option<f64>,
    loss: Option<f64>,
    burst: Option<[f64; 3]>,
    reorder: Option<[f64; 2]>,
    duplicate: Option<f64>,
    bytes_per_sec: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ActorText {
    name: String,
    kind: Spanned<String>,
    #[serde(default = "one")]
    count: u32,
    at: [f32; 2],
    #[serde(default)]
    facing: f32,
    #[serde(default = "one_rate")]
    run_rate: f32,
    #[serde(default)]
    script: Vec<Spanned<String>>,
}

fn default_viewer() -> Spanned<[f32; 2]> {
    Spanned::new(0..0, [96.0, 84.0])
}

fn default_fps() -> Spanned<f64> {
    Spanned::new(0..0, 60.0)
}

fn default_ramps() -> Spanned<f64> {
    Spanned::new(0..0, 1.0)
}

const fn one() -> u32 {
    1
}

const fn one_rate() -> f32 {
    1.0
}

/// Most actors of a scenario, all groups together.
const MAX_ACTORS: u32 = 2_000;

/// Most drawn places in a contest, all entities together. Each contestant keeps twenty bytes per
/// place.
pub const MAX_PICTURES: f64 = 3e6;

impl Scenario {
    /// Parses a scenario.
    ///
    /// # Errors
    /// [`ScenarioError`] with the line, the field and the allowed values.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        let at = |span: Range<usize>, what: String| ScenarioError { line: line_of(text, span.start), what };
        let file: File = toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            at(span, error.message().trim().to_owned())
        })?;
        let in_range = |field: &str, number: &Spanned<f64>, low: f64, high: f64| {
            let value = *number.get_ref();
            if (low..=high).contains(&value) {
                Ok(value)
            } else {
                Err(at(number.span(), format!("{field}: {value} is invalid; use {low} to {high}")))
            }
        };
        let seconds = in_range("seconds", &file.seconds, 1.0, 3_600.0)?;
        let fps = in_range("fps", &file.fps, 1.0, 1_000.0)?;
        if let Some(value) = file.viewer.get_ref().iter().find(|value| !is_on_map(**value)) {
            let what = format!("viewer: {value} is invalid; use -{MAX_METRES} to {MAX_METRES}");
            return Err(at(file.viewer.span(), what));
        }
        let ramps = in_range("ramps", &file.ramps, 0.0, 4.0)? as f32;
        let link = match &file.link {
            Some(link) => link_of(link.get_ref()).map_err(|what| at(link.span(), format!("link: {what}")))?,
            None => LinkConfig::PERFECT,
        };
        let mut outages = Vec::new();
        for outage in &file.outages {
            let [from, to] = *outage.get_ref();
            if !(from >= 0.0 && from < to && to <= seconds) {
                let what = format!("outages: [{from}, {to}] is not a span within the scenario's {seconds} s");
                return Err(at(outage.span(), what));
            }
            outages.push(Outage { from, to });
        }
        let ground = match &file.ground {
            Some(ground) => ground_of(ground.get_ref()).map_err(|what| at(ground.span(), what))?,
            None => Ground::Flat,
        };
        let mut actors = Vec::new();
        for actor in &file.actor {
            actors.push(actor_of(actor.get_ref(), actor.span(), &at)?);
        }
        let scenario = Self {
            title: file.title,
            seconds,
            viewer: file.viewer.into_inner(),
            fps,
            link,
            outages,
            ground,
            ramps,
            actors,
        };
        scenario.check_names(&file.actor, &at)?;
        Ok(scenario)
    }

    /// Checks that names are unique and known, that cues fit their actors, and that the scenario is
    /// not too large.
    fn check_names(
        &self,
        texts: &[Spanned<ActorText>],
        at: &impl Fn(Range<usize>, String) -> ScenarioError,
    ) -> Result<(), ScenarioError> {
        let total: u32 = self.actors.iter().map(|actor| actor.count).fold(0, u32::saturating_add);
        if total > MAX_ACTORS {
            return Err(at(0..0, format!("actor: {total} actors are too many; use at most {MAX_ACTORS}")));
        }
        let frames = f64::from(total) * self.seconds * self.fps.max(60.0);
        if frames > MAX_PICTURES {
            let what = format!(
                "too much to draw: {total} actors for {} s need {frames:.0} frames; at most {MAX_PICTURES:.0} are allowed",
                self.seconds
            );
            return Err(at(0..0, what));
        }
        let names: Vec<&str> = self.actors.iter().map(|actor| actor.name.as_str()).collect();
        if self.actors.is_empty() {
            return Err(at(0..0, "actor: missing; add an [[actor]] section".to_owned()));
        }
        for (number, (actor, text)) in self.actors.iter().zip(texts).enumerate() {
            if names[..number].contains(&actor.name.as_str()) {
                return Err(at(
                    text.span(),
                    format!("name: there is already a \"{}\"; choose another name", actor.name),
                ));
            }
            for (cue, line) in actor.cues.iter().zip(&text.get_ref().script) {
                if let Err(allowed) = cue.verb.is_for(actor.kind) {
                    return Err(at(
                        line.span(),
                        format!("script: a {} cannot do this; {allowed}", actor.kind.name()),
                    ));
                }
                if cue.at > self.seconds {
                    let what = format!(
                        "script: {} s is after the end of the scenario at {} s",
                        cue.at, self.seconds
                    );
                    return Err(at(line.span(), what));
                }
                if let Verb::Chase(whom) | Verb::Flee(whom) | Verb::Strike(whom) = &cue.verb {
                    if *whom == actor.name {
                        return Err(at(line.span(), format!("script: {whom} cannot be its own target")));
                    }
                    if self.actors.iter().any(|other| other.name == *whom && other.count > 1) {
                        return Err(at(
                            line.span(),
                            format!("script: there is more than one {whom}; name an actor with a count of 1"),
                        ));
                    }
                }
                if let Verb::Chase(whom) | Verb::Flee(whom) | Verb::Strike(whom) = &cue.verb
                    && !names.contains(&whom.as_str())
                {
                    let what =
                        format!("script: unknown actor \"{whom}\"; known actors: {}", names.join(", "));
                    return Err(at(line.span(), what));
                }
            }
        }
        Ok(())
    }
}

fn actor_of(
    text: &ActorText,
    span: Range<usize>,
    at: &impl Fn(Range<usize>, String) -> ScenarioError,
) -> Result<ActorSpec, ScenarioError> {
    let kind = match text.kind.get_ref().as_str() {
        "player" => ActorKind::Player,
        "creature" => ActorKind::Creature,
        "projectile" => ActorKind::Projectile,
        other => {
            let what = format!("kind: \"{other}\" is unknown; use player, creature or projectile");
            return Err(at(text.kind.span(), what));
        }
    };
    if text.count == 0 {
        return Err(at(span, "count: 0 is not valid; use 1 or more".to_owned()));
    }
    let numbers = [("at", text.at[0]), ("at", text.at[1]), ("facing", text.facing)];
    for (field, value) in numbers {
        if !is_on_map(value) {
            return Err(at(span, format!("{field}: {value} is invalid; use -{MAX_METRES} to {MAX_METRES}")));
        }
    }
    if !(0.1..=10.0).contains(&text.run_rate) {
        return Err(at(span, format!("run_rate: {} is invalid; use 0.1 to 10", text.run_rate)));
    }
    let mut cues: Vec<Cue> = Vec::new();
    for line in &text.script {
        let cue = Cue::parse(line.get_ref()).map_err(|what| at(line.span(), format!("script: {what}")))?;
        if let Some(last) = cues.last().filter(|last| last.at > cue.at) {
            let what = format!(
                "script: the cue at {} s stands before the cue at {} s; sort the cues by time",
                last.at, cue.at
            );
            return Err(at(line.span(), what));
        }
        cues.push(cue);
    }
    let ActorText { name, count, at, facing, run_rate, .. } = text;
    Ok(ActorSpec {
        name: name.clone(),
        kind,
        count: *count,
        at: *at,
        facing: *facing,
        run_rate: *run_rate,
        cues,
    })
}

fn link_of(text: &LinkText) -> Result<LinkConfig, String> {
    let preset = |name: &str| {
        LinkConfig::preset(name).ok_or_else(|| {
            let known: Vec<&str> = LinkConfig::PRESETS.iter().map(|(name, _)| *name).collect();
            format!("\"{name}\" is unknown; use one of {}", known.join(", "))
        })
    };
    let custom = match text {
        LinkText::Preset(name) => return preset(name),
        LinkText::Custom(custom) => custom,
    };
    let base = custom.preset.as_deref().map_or(Ok(LinkConfig::PERFECT), preset)?;
    let [reorder, reorder_secs] = custom.reorder.unwrap_or([base.reorder, base.reorder_secs]);
    let burst = custom.burst.map(|[enter, leave, loss]| Burst { enter, leave, loss });
    let config = LinkConfig {
        seed: custom.seed.unwrap_or(base.seed),
        latency_secs: custom.latency.unwrap_or(base.latency_secs),
        jitter_secs: custom.jitter.unwrap_or(base.jitter_secs),
        loss: custom.loss.unwrap_or(base.loss),
        burst: burst.or(base.burst),
        reorder,
        reorder_secs,
        duplicate: custom.duplicate.unwrap_or(base.duplicate),
        bytes_per_sec: custom.bytes_per_sec.or(base.bytes_per_sec),
        queue_bytes: base.queue_bytes,
    };
    config.check().map_err(|error| error.to_string())?;
    Ok(config)
}

fn ground_of(text: &str) -> Result<Ground, String> {
    match text.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["flat"] => Ok(Ground::Flat),
        ["stairs"] => Ok(Ground::Stairs),
        ["room"] => Ok(Ground::Room),
        ["slope", rise] => match rise.parse::<f32>() {
            Ok(rise) if rise.abs() <= 1.0 => Ok(Ground::Slope(rise)),
            _ => Err(format!("ground: a slope of \"{rise}\" is invalid; use -1 to 1 metres per metre")),
        },
        _ => Err(format!("ground: \"{text}\" is unknown; use flat, slope RISE, stairs or room")),
    }
}

/// Largest coordinate in metres, and largest heading in degrees.
const MAX_METRES: f32 = 10_000.0;

fn is_on_map(value: f32) -> bool {
    value.abs() <= MAX_METRES
}

fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
title = "One walks"
seconds = 10
link = { preset = "cellular", loss = 0.5 }

[[actor]]
name = "Ilse"
kind = "player"
at = [90, 100]
script = ["1 walk", "5 stand"]
"#;

    #[test]
    fn a_scenario_is_read_with_its_defaults() {
        let scenario = Scenario::parse(GOOD).unwrap();
        assert_eq!((scenario.fps, scenario.viewer, scenario.ground), (60.0, [96.0, 84.0], Ground::Flat));
        assert_eq!((scenario.link.loss, scenario.link.latency_secs), (0.5, 0.07));
        assert_eq!(scenario.actors[0].cues.len(), 2);
    }

    #[test]
    fn mistakes_say_the_line_the_field_and_what_is_allowed() {
        for (old, new, expected) in [
            ("seconds = 10", "seconds = 0", "line 3: seconds: 0 is invalid; use 1 to 3600"),
            ("seconds = 10", "second = 10", "line 3: unknown field `second`"),
            (
                "\"cellular\"",
                "\"pigeon\"",
                "line 4: link: \"pigeon\" is unknown; use one of perfect, broadband",
            ),
            ("loss = 0.5", "loss = 5", "line 4: link: loss: 5 is invalid; use 0 to 1"),
            (
                "\"player\"",
                "\"plyer\"",
                "line 8: kind: \"plyer\" is unknown; use player, creature or projectile",
            ),
            ("\"5 stand\"", "\"5 stnd\"", "line 10: script: \"stnd\" is not a verb; use stand, walk"),
            (
                "\"5 stand\"",
                "\"0.5 stand\"",
                "line 10: script: the cue at 1 s stands before the cue at 0.5 s",
            ),
            ("\"5 stand\"", "\"5 chase Bob\"", "line 10: script: a player cannot do this; players can stand"),
            ("\"5 stand\"", "\"50 stand\"", "line 10: script: 50 s is after the end"),
            ("title = \"One walks\"", "title = 7", "line 2: invalid type"),
            (
                "seconds = 10",
                "seconds = 10\nviewer = [nan, 1]",
                "line 4: viewer: NaN is invalid; use -10000 to 10000",
            ),
            ("seconds = 10", "seconds = 10\nviewer = [1, -inf]", "line 4: viewer: -inf is invalid"),
            ("[90, 100]", "[90, nan]", "line 6: at: NaN is invalid; use -10000 to 10000"),
            ("seconds = 10", "seconds = 3600\nfps = 1000", "line 1: too much to draw"),
            (
                "kind = \"player\"",
                "kind = \"player\"\ncount = 4000000000",
                "line 1: actor: 4000000000 actors are too many",
            ),
        ] {
            let error = Scenario::parse(&GOOD.replace(old, new)).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{new}: {error}");
        }
    }
    #[test]
    fn whom_to_chase_must_be_there_alone_and_somebody_else() {
        let chase = GOOD.replace("\"player\"", "\"creature\"");
        let chase = chase.replace("script = [\"1 walk\", \"5 stand\"]", "script = [\"1 chase Bob\"]");
        let error = |text: &str| Scenario::parse(text).unwrap_err().to_string();
        assert!(error(&chase).starts_with("line 10: script: unknown actor \"Bob\"; known actors: Ilse"));
        assert!(error(&chase.replace("chase Bob", "chase Ilse")).ends_with("Ilse cannot be its own target"));
        let bobs = "[[actor]]\nname = \"Bob\"\nkind = \"creature\"\nat = [1, 2]\ncount = 3\n";
        assert!(error(&format!("{chase}{bobs}")).contains("there is more than one Bob"));
        let twice = "[[actor]]\nname = \"Ilse\"\nkind = \"creature\"\nat = [1, 2]\n";
        assert!(error(&format!("{GOOD}{twice}")).contains("there is already a \"Ilse\""));
        assert!(error("title = \"x\"\nseconds = 5\nactor = []\n").contains("actor: missing"));
    }
}
