//! `evenstride explain`: why an entity moved as it did.

mod focus;
mod story;

use std::{io::Write, process::ExitCode};

use anyhow::Result;
use evenstride_moments::{DecisionLog, Moment, MomentFinder, Moments, sentence_of, typed_decision};
use evenstride_replay::{Fingerprints, ReplayOptions, Script, TAIL_SECS, TraceScope};
use evenstride_types::EntityId;
use serde_json::json;

use self::{focus::Focus, story::Story};
use super::moments::to_json;
use crate::{
    args::{ExplainArgs, TimeRange},
    entity::{called, name_of},
    output::{self, Tone, width},
    scene::{self, Scene},
};

/// Seconds before and after `--at` for which decisions are shown.
const AROUND_SECS: f64 = 5.0;

pub(crate) fn run(args: &ExplainArgs) -> Result<ExitCode> {
    let scene = Scene::read(&args.scene)?;
    let script = &scene.script;
    let at = match args.at {
        Some(range) => Some(range.seconds(script.start).map_err(|error| anyhow::anyhow!("--at: {error}"))?),
        None => None,
    };
    if let Some(range) = &at {
        range.check(script)?;
    }
    let (options, loaded) = scene::options(&args.scene, script)?;
    let found = match &args.entity {
        Some(entity) => Some(entity.find(script)?),
        None => worst_entity(script, &options, at.as_ref()),
    };
    let exit = |is_same: bool| {
        let is_whole = scene.faults + loaded.faults == 0 && script.places_anything();
        Ok(if is_whole && is_same { ExitCode::SUCCESS } else { ExitCode::from(1) })
    };
    if !script.places_anything() {
        scene::tell_nothing_drawn(script);
    }
    let Some(entity) = found else {
        write_nothing(args.json)?;
        return exit(true);
    };
    let options = ReplayOptions { trace: TraceScope::One(entity), only: Some(entity), ..options };
    let mut fingerprints: Vec<Fingerprints> =
        args.scene.twice.then(Fingerprints::default).into_iter().collect();
    let mut story = Story::new(entity, at.map(|range| range.from));
    let mut finder = MomentFinder::new(script.player).only(entity);
    let mut observers = ((&mut story, &mut finder), &mut fingerprints);
    let _ = scene::replay_with_progress(script, &options, &mut observers);
    let moments = finder.finish();
    let answer = Answer::new(args.scene.to_words(), script, entity, at, &moments, story);
    if args.json {
        answer.write_json()?;
    } else {
        answer.write_text()?;
    }
    exit(fingerprints.first().is_none_or(|first| scene::is_same_twice(first, script, &options)))
}

/// Answers that no entity did anything that a person would notice.
fn write_nothing(is_json: bool) -> Result<()> {
    let answer = "Nothing that a person would notice. Use --entity to explain one entity.";
    if is_json {
        let nothing = json!({
            "entity": null, "name": "", "answer": answer, "moment": null, "moments": 0, "at": null,
            "decisions": [],
        });
        return output::print_json(&nothing);
    }
    let mut out = output::text();
    writeln!(out, "{answer}")?;
    out.flush()?;
    Ok(())
}

/// Returns the entity with the worst moment, of those at a time if one is given.
fn worst_entity(script: &Script, options: &ReplayOptions, at: Option<&TimeRange>) -> Option<EntityId> {
    let mut finder = MomentFinder::new(script.player);
    let options = ReplayOptions { trace: TraceScope::All, ..options.clone() };
    let _ = scene::replay_with_progress(script, &options, &mut finder);
    let moments = finder.finish();
    let focus = Focus::of(at.copied(), moments.iter());
    focus.moment().map(|moment| moment.entity)
}

/// Everything that is said about an entity.
struct Answer<'a> {
    /// Arguments that name the replay.
    scene: String,
    script: &'a Script,
    entity: EntityId,
    at: Option<TimeRange>,
    focus: Focus<'a>,
    moments: &'a Moments,
    story: Story,
    /// The next decision after the requested time, or else the last one before it, if none is shown.
    next: Option<String>,
}

impl<'a> Answer<'a> {
    fn new(
        scene: String,
        script: &'a Script,
        entity: EntityId,
        at: Option<TimeRange>,
        moments: &'a Moments,
        mut story: Story,
    ) -> Self {
        let focus = Focus::of(at, moments.iter());
        let mut nearest = None;
        if let Some(TimeRange { from, to }) = at {
            let is_shown = |time: f64| (from - AROUND_SECS..=to + AROUND_SECS).contains(&time);
            let after = story.decisions.iter().find(|of| of.at.as_secs() >= from);
            let next = after.or(story.decisions.last());
            nearest = next.filter(|of| !is_shown(of.at.as_secs())).map(ToString::to_string);
            story.decisions.retain(|decision| is_shown(decision.at.as_secs()));
        }
        Self { scene, script, entity, at, focus, moments, story, next: nearest }
    }

    /// Returns the paragraph that answers.
    fn paragraph(&self) -> String {
        let name = called(self.script, self.entity);
        let mut sentences = Vec::new();
        match (&self.focus, self.at) {
            (Focus::In(moments), _) => {
                sentences.extend(moments.iter().map(|moment| sentence_of(moment, &name)));
            }
            (Focus::Near(moment), Some(at)) => {
                sentences.push(format!("Nothing unusual is seen {}.", at.in_words()));
                sentences.push(format!(
                    "The nearest moment: {name} {} ({}).",
                    moment.headline(),
                    moment.when()
                ));
            }
            (Focus::Worst(moment), _) | (Focus::Near(moment), None) => {
                sentences.push(sentence_of(moment, &name));
            }
            (Focus::Nothing, Some(at)) => {
                sentences.push(format!("Nothing unusual is seen {}, or at any other time.", at.in_words()));
            }
            (Focus::Nothing, None) => {
                sentences.push(format!("{name} did nothing that a person would notice."));
            }
        }
        if self.at.is_some()
            && let Some(standing) = &self.story.standing
        {
            sentences.push(standing.sentence());
        }
        sentences.join(" ")
    }

    fn write_text(&self) -> Result<()> {
        let mut out = output::text();
        out.paint(Tone::Heading, &name_of(self.script, self.entity))?;
        writeln!(out)?;
        out.paragraph(Tone::Plain, &self.paragraph(), width(), 0)?;
        let others = self.moments.len().saturating_sub(self.focus.count());
        if others > 0 {
            let others = output::count(others as u64, "other moment", "other moments");
            writeln!(
                out,
                "{others} of this entity: evenstride moments {} --entity {}",
                self.scene, self.entity
            )?;
        }
        writeln!(out)?;
        let marked = self.focus.span(self.at);
        let log = DecisionLog::of(&self.story.decisions, marked);
        if log.lines.is_empty() {
            let when =
                self.at.map_or_else(String::new, |at| format!(" within {AROUND_SECS} s, {}", at.in_words()));
            writeln!(out, "no decision was made about it{when}")?;
            if let Some(next) = &self.next {
                writeln!(out, "the next one, or else the last: {next}")?;
            }
        }
        let mut has_marks = false;
        for line in &log.lines {
            let is_marked = marked.is_some_and(|(from, to)| line.to >= from && line.from <= to);
            has_marks |= is_marked;
            let tone = if is_marked { Tone::Heading } else { Tone::Plain };
            out.paint(tone, &format!("{} {line}", if is_marked { '>' } else { ' ' }))?;
            writeln!(out)?;
        }
        if has_marks {
            out.paint(
                Tone::Dim,
                "\n> marks the decisions that the answer is about, from its cause to its end",
            )?;
            writeln!(out)?;
        }
        out.flush()?;
        Ok(())
    }

    fn write_json(&self) -> Result<()> {
        let story = json!({
            "entity": self.entity.to_string(),
            "name": self.script.names.get(&self.entity).map_or("", String::as_str),
            "answer": self.paragraph(),
            "moment": self.focus.moment().map(|moment| to_json(moment, self.script)),
            "moments": self.moments.len(),
            "at": self.story.standing.as_ref().filter(|_| self.at.is_some()).map(story::Standing::json),
            "decisions": self.story.decisions.iter().map(typed_decision).collect::<Vec<_>>(),
        });
        output::print_json(&story)
    }
}

impl TimeRange {
    /// Checks that a range overlaps the capture.
    fn check(&self, script: &Script) -> Result<()> {
        let (first, last) = script.span().unwrap_or_default();
        if self.to < first || self.from > last + TAIL_SECS {
            anyhow::bail!(
                "--at: nothing {}, the capture runs from {first:.3} to {last:.3} s",
                self.in_words()
            );
        }
        Ok(())
    }

    fn in_words(self) -> String {
        if self.from == self.to {
            format!("at {:.2} s", self.from)
        } else {
            format!("between {:.2} and {:.2} s", self.from, self.to)
        }
    }
}

/// Returns whether a moment, or its cause, overlaps a span.
fn overlaps(moment: &Moment, from: f64, to: f64) -> bool {
    moment.from.min(moment.cause.from) <= to && moment.to >= from
}
