//! `evenstride moments`: what a person would notice in a replay, worst first.

use std::{collections::BTreeSet, io::Write, process::ExitCode};

use anyhow::Result;
use evenstride_moments::{Moment, MomentFinder, MomentKind, Moments, sentence_of, typed_moment};
use evenstride_replay::{ReplayOptions, Script, TraceScope};
use evenstride_types::EntityId;
use serde_json::Value;

use crate::{
    args::MomentsArgs,
    entity::{called, name_of},
    output::{self, TextOut, Tone, count, nearest_first, tell, thousands, width, wrap},
    scene::{self, MissingTables, Scene},
};

pub(crate) fn run(args: &MomentsArgs) -> Result<ExitCode> {
    let scene = Scene::read(&args.scene)?;
    let script = &scene.script;
    let entities: Vec<EntityId> =
        args.entities.iter().map(|entity| entity.find(script)).collect::<Result<_>>()?;
    let (from, to) = scene.range(args.from, args.to)?;
    let (options, loaded) = scene::options(&args.scene, script)?;
    if let Some(sentence) = MissingTables::of(script, &options).sentence(script) {
        tell(&sentence);
    }
    // What came before is part of the causes, so only the end limits the replay.
    let options = ReplayOptions { trace: TraceScope::All, to, ..options };
    let mut finder = MomentFinder::new(script.player);
    let options = match entities[..] {
        [entity] => {
            finder = finder.only(entity);
            ReplayOptions { only: Some(entity), ..options }
        }
        _ => options,
    };
    let replayed = scene::replay_with_progress(script, &options, &mut finder);
    let moments = finder.finish();
    let wanted: Vec<&Moment> = moments
        .iter()
        .filter(|moment| entities.is_empty() || entities.contains(&moment.entity))
        .filter(|moment| moment.to >= from)
        .filter(|moment| {
            let is_part = |kind: &MomentKind| moment.kind == *kind || moment.also.contains(kind);
            args.kinds.is_empty() || args.kinds.iter().any(is_part)
        })
        .collect();
    if args.json {
        let mut out = output::json();
        for moment in wanted.iter().take(args.top.unwrap_or(usize::MAX)) {
            serde_json::to_writer(&mut out, &to_json(moment, script))?;
            writeln!(out)?;
        }
        out.flush()?;
    } else {
        let (first, _) = script.span().unwrap_or_default();
        let seconds = (replayed.seconds + first - first.max(from)).max(0.0);
        print(args, script, &moments, &wanted, seconds)?;
    }
    if moments.left_out > 0 {
        let left_out = count(moments.left_out, "less important moment is", "less important moments are");
        tell(&format!("{left_out} left out; use --from and --to"));
    }
    if !script.places_anything() {
        scene::tell_nothing_drawn(script);
        return Ok(ExitCode::from(1));
    }
    Ok(if scene.faults + loaded.faults == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Moments that are printed unless the user says how many.
const TOP: usize = 10;

fn print(
    args: &MomentsArgs,
    script: &Script,
    moments: &Moments,
    wanted: &[&Moment],
    seconds: f64,
) -> Result<()> {
    let mut out = output::text();
    let entities: BTreeSet<EntityId> = wanted.iter().map(|moment| moment.entity).collect();
    if !wanted.is_empty() {
        writeln!(
            out,
            "{} of {} in {seconds:.0} s, worst first (profile {})",
            count(wanted.len() as u64, "moment", "moments"),
            count(entities.len() as u64, "entity", "entities"),
            args.scene.profile_name()
        )?;
    } else {
        let kinds: BTreeSet<MomentKind> = moments.iter().map(|moment| moment.kind).collect();
        let kinds: Vec<&str> = kinds.into_iter().map(MomentKind::name).collect();
        if kinds.is_empty() {
            let profile = args.scene.profile_name();
            writeln!(out, "nothing that a person would notice in {seconds:.0} s (profile {profile})")?;
        } else {
            writeln!(out, "no such moment in {seconds:.0} s; there are: {}", kinds.join(", "))?;
        }
    }
    let shown = args.top.unwrap_or(TOP);
    for (number, moment) in wanted.iter().take(shown).enumerate() {
        writeln!(out)?;
        write_moment(&mut out, script, number + 1, moment, args.brief)?;
    }
    if wanted.len() > shown {
        let more = thousands((wanted.len() - shown) as u64);
        writeln!(out, "\n{more} more; use --top {}", wanted.len())?;
    }
    out.flush()?;
    Ok(())
}

/// Columns before the words of a moment.
const INDENT: usize = 5;

/// Writes a moment as a headline and, unless it is to be brief, a paragraph.
pub(crate) fn write_moment(
    out: &mut TextOut,
    script: &Script,
    number: usize,
    moment: &Moment,
    is_brief: bool,
) -> Result<()> {
    let name = name_of(script, moment.entity);
    write!(out, "{number:>3}. ")?;
    out.paint(Tone::Heading, &format!("{:<15}", moment.kind))?;
    writeln!(out, " {:>9.2} s  {name}", moment.from)?;
    let words =
        if is_brief { moment.headline() } else { sentence_of(moment, &called(script, moment.entity)) };
    for line in wrap(&words, width().map(|width| width.saturating_sub(INDENT).max(20)), 0) {
        writeln!(out, "{:INDENT$}{line}", "")?;
    }
    Ok(())
}

/// Returns a moment as JSON, with the name of its entity and its paragraph.
pub(crate) fn to_json(moment: &Moment, script: &Script) -> Value {
    let name = script.names.get(&moment.entity).map(String::as_str);
    typed_moment(moment, name, &called(script, moment.entity))
}

/// Parses a kind. An error lists all kinds, nearest first.
pub(crate) fn parse_kind(text: &str) -> Result<MomentKind, String> {
    text.parse().map_err(|error| {
        let names = nearest_first(text, MomentKind::ALL.map(MomentKind::name));
        format!("{error}; nearest first: {}", names.join(", "))
    })
}
