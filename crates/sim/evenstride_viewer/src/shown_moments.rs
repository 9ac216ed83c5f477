//! Moments as a page shows them. Each one has the error of the drawing, which is the number that the page shows
//! everywhere, and stops at the frame with that error.

use evenstride_moments::{Moment, MomentKind, sentence_of, typed_moment};
use serde_json::{Value, json};

use crate::{answers::rounded, overview::FinishedOverview};

/// Largest number of episodes that a page lists.
const MAX_EPISODES: usize = 40;

/// Error in metres from which a drawing is worth a look.
const EPISODE_METRES: f64 = 1.0;

/// Seconds between two episodes of one entity.
const EPISODE_GAP_SECS: f64 = 2.0;

/// Error in metres from which a moment is bad, whatever its kind.
const BAD_METRES: f64 = 1.5;

/// Seconds around a moment in which a large error belongs to it.
const MOMENT_SECS: f64 = 1.0;

/// A time in which a body is far off.
#[derive(Clone, Copy, Debug)]
struct Episode {
    from: f64,
    to: f64,
    /// Largest error in metres, without its sign, and its time in seconds.
    metres: f64,
    at: f64,
}

impl FinishedOverview<'_> {
    /// Returns what a person would notice, and every other time with a large error, worst first. What is
    /// intended comes last.
    pub(crate) fn shown_moments(&self) -> Vec<Value> {
        // Missing tables are a warning of the page, not a moment.
        let found = self.moments.iter().filter(|moment| moment.kind != MomentKind::MissingTable);
        let mut shown: Vec<Value> = Vec::new();
        for moment in found.filter_map(|moment| self.shown_moment(moment)) {
            let is_same = |of: &&mut Value| of["index"] == moment["index"] && of["cause"] == moment["cause"];
            match shown.iter_mut().find(is_same).filter(|_| moment["cause"] != "") {
                // One cause is one moment, at its largest error.
                Some(known) if size(known) < size(&moment) => *known = moment,
                Some(_) => {}
                None => shown.push(moment),
            }
        }
        for index in 0..self.lines.len() {
            // Below that, the belief is no better than the drawing: an entity that runs a curve is believed to run
            // straight from position to position.
            for episode in self.episodes_of(index).into_iter().filter(|of| of.metres >= BAD_METRES) {
                let entity = self.viewed.entities[index].entity;
                let is_known = self
                    .moments
                    .iter()
                    .filter(|of| of.entity == entity)
                    .any(|of| of.from - MOMENT_SECS <= episode.to && episode.from <= of.to + MOMENT_SECS);
                if !is_known {
                    shown.push(self.own_episode(index, &episode));
                }
            }
        }
        let order = |moment: &Value| LEVELS.iter().position(|level| moment["level"] == *level);
        shown.sort_by(|one, other| {
            order(one).cmp(&order(other)).then_with(|| size(other).total_cmp(&size(one)))
        });
        shown
    }

    fn shown_moment(&self, moment: &Moment) -> Option<Value> {
        let index = self.viewed.index(moment.entity)?;
        let name = &self.viewed.entities[index].name;
        let mut value = typed_moment(moment, Some(name), name);
        let from = moment.span_seen().0;
        // The page stops where the error is largest, and shows that error everywhere.
        let at = moment.correction.map_or(from, |correction| correction.from);
        let before = (at - self.bin_secs).max(moment.from);
        let ahead = match moment.kind {
            // The position that shows how far it went may also show that the entity has turned round.
            MomentKind::Overshoot => self
                .largest_ahead(index, at - self.bin_secs, at)
                .filter(|(metres, _)| *metres >= moment.severity.metres / 2.0),
            _ => None,
        };
        let is_intended = level(moment.kind) == "note";
        // The bin of that time may hold frames after the correction began.
        let largest =
            ahead.or_else(|| if is_intended { None } else { self.largest(index, moment.from, before) });
        let is_turn = moment.kind == MomentKind::Flick;
        let off = largest.map(|(metres, _)| metres).filter(|_| !is_turn);
        let is_far = off.is_some_and(|off| off >= BAD_METRES);
        value["index"] = json!(index);
        value["at"] = json!(largest.map_or_else(|| rounded(at), |(_, time)| frame_after(time)));
        value["level"] = json!(if is_far { "bad" } else { level(moment.kind) });
        // It is rounded where it is printed, and only there.
        value["off"] = json!(off);
        value["turn"] = json!(is_turn.then(|| rounded(moment.severity.degrees)));
        value["headline"] = json!(moment.headline());
        value["short"] = json!(match (moment.kind, off) {
            (MomentKind::Overshoot, Some(off)) if ahead.is_some() => format!("went {off:.2} m too far"),
            // With more latency, a body may be too far for what was received, and yet behind.
            (MomentKind::Overshoot, Some(off)) => format!("was drawn {off:.2} m off its path"),
            _ => short(moment),
        });
        let words = sentence_of(moment, name);
        value["cause"] = json!(cause(&words));
        value["words"] = json!(words);
        Some(value)
    }

    fn own_episode(&self, index: usize, episode: &Episode) -> Value {
        let off = episode.metres;
        let lasted =
            format!("It was more than {EPISODE_METRES} m off for {:.1} s.", episode.to - episode.from);
        let silence = self.silence(index, episode.at);
        let short = format!("was drawn {off:.2} m off its path");
        self.episode(index, episode, "bad", &short, &format!("{lasted}{silence}"))
    }

    /// Returns the times at which a method is farthest off, as moments in JSON, worst first. `best` is the
    /// overview of the method to compare it with.
    pub fn episodes(&self, name: &str, best: &FinishedOverview<'_>, best_name: &str) -> Value {
        let mut found: Vec<(f64, Value)> = Vec::new();
        for index in 0..self.lines.len() {
            for episode in self.episodes_of(index) {
                let ours = best.largest(index, episode.at, episode.at).map_or(0.0, |(metres, _)| metres);
                let off = episode.metres;
                if off - ours < EPISODE_METRES {
                    continue;
                }
                let why = self.silence(index, episode.at);
                let words = format!("{} is {off:.1} m off, {best_name} {ours:.1} m.{why}", capital(name));
                let short = format!("is drawn {off:.1} m off by {name}");
                let mut value = self.episode(index, &episode, "bad", &short, &words);
                value["words"] = json!(words);
                found.push((off, value));
            }
        }
        found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        Value::Array(found.into_iter().take(MAX_EPISODES).map(|(_, moment)| moment).collect())
    }

    fn episode(&self, index: usize, episode: &Episode, level: &str, short: &str, cause: &str) -> Value {
        let name = &self.viewed.entities[index].name;
        json!({
            "index": index,
            "name": name,
            "kind": "off",
            "from": rounded(episode.from),
            "to": rounded(episode.to),
            "at": frame_after(episode.at),
            "level": level,
            "off": episode.metres,
            "headline": short,
            "short": short,
            "cause": cause,
            "words": format!("{name} {short}. {cause}"),
        })
    }

    /// Returns the times in which an entity is far off, oldest first.
    fn episodes_of(&self, index: usize) -> Vec<Episode> {
        let line = &self.lines[index];
        let mut found = Vec::new();
        let mut episode: Option<Episode> = None;
        let times = (0u32..).map(|number| self.viewed.range.0 + f64::from(number) * self.bin_secs);
        let errors = line.bins.iter().map(|error| f64::from(*error)).chain([f64::NAN]);
        for (bin, (time, error)) in times.zip(errors).enumerate() {
            let is_off = error >= EPISODE_METRES;
            if is_off {
                let at = line.times.get(bin).map_or(time, |since| self.viewed.range.0 + f64::from(*since));
                let known = episode.get_or_insert(Episode { from: time, to: time, metres: error, at });
                known.to = time + self.bin_secs;
                if error > known.metres {
                    (known.metres, known.at) = (error, at);
                }
            }
            let is_over = episode.is_some_and(|of| error.is_nan() || time - of.at > EPISODE_GAP_SECS);
            if !is_off && is_over {
                found.extend(episode.take());
            }
        }
        found
    }

    /// Returns a sentence if the last update of an entity had come long before a time.
    fn silence(&self, index: usize, at: f64) -> String {
        let of = &self.viewed.entities[index];
        let heard = of.positions().partition_point(|position| position.time <= at);
        let silent = heard.checked_sub(1).map(|last| at - of.positions()[last].time);
        let silent = silent.filter(|secs| *secs > 2.0 * of.usual_gap.unwrap_or(0.5));
        silent.map_or_else(String::new, |secs| format!(" Its last update came {secs:.1} s before."))
    }
}

/// Levels of moments. A level that matters more comes earlier.
const LEVELS: [&str; 3] = ["bad", "watch", "note"];

/// Returns how much a kind of moment matters: `bad` if a person sees it, `watch` if it is mild, and `note`
/// if it is intended.
const fn level(kind: MomentKind) -> &'static str {
    match kind {
        MomentKind::Snap
        | MomentKind::PullBack
        | MomentKind::Reversal
        | MomentKind::Flick
        | MomentKind::Frozen
        | MomentKind::StopAndGo
        | MomentKind::Stall => "bad",
        MomentKind::Teleport | MomentKind::MissingTable | MomentKind::LateCreation => "note",
        _ => "watch",
    }
}

/// Returns the number by which moments of one level are ordered: metres, or a part of a turn.
fn size(moment: &Value) -> f64 {
    let turn = moment["turn"].as_f64().map_or(0.0, |degrees| degrees / 360.0);
    moment["off"].as_f64().unwrap_or(turn)
}

/// Longest cause in a list, in characters.
const MAX_CAUSE: usize = 150;

/// Returns the sentences after the first one, as many as fit into a list. The first one is the headline.
fn cause(words: &str) -> String {
    let mut told = String::new();
    for sentence in words.split_inclusive(". ").skip(1) {
        if !told.is_empty() && told.len() + sentence.len() > MAX_CAUSE {
            break;
        }
        told.push_str(sentence);
    }
    told.trim().to_owned()
}

/// Returns the headline without its details, for a sentence with others.
fn short(moment: &Moment) -> String {
    let headline = moment.headline();
    let end = headline.find(" within ").or_else(|| headline.find(", "));
    headline[..end.unwrap_or(headline.len())].to_owned()
}

/// Returns a time in seconds that is surely not before the frame at `time`, which was rounded.
fn frame_after(time: f64) -> f64 {
    (time * 1e3).ceil() / 1e3 + 0.001
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
