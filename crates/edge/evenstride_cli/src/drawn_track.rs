//! The places that another program drew, read from its own log, on the clock of a contest.

mod align;
mod read;

use std::{collections::BTreeMap, path::Path};

use anyhow::{Result, bail};
use evenstride_arena::{Contest, Contestant, rival::Shown};
use evenstride_replay::Script;
use evenstride_types::EntityId;

use crate::{
    args::TrackArgs,
    output::{self, tell, thousands},
};

/// Drawn places of one entity by time in seconds, oldest first.
type Places = Vec<(f64, Shown)>;

/// Drawn places by entity.
type Drawn = BTreeMap<EntityId, Places>;

/// Longest time in seconds between two drawn places, within which a body moves on a straight line. A
/// body is not drawn in a longer gap.
const MAX_GAP_SECS: f64 = 0.25;

/// Adds the program's drawing to a contest as its first contestant.
pub(crate) fn join(args: &TrackArgs, contest: &mut Contest, script: &Script) -> Result<()> {
    let Some(path) = &args.track else { return Ok(()) };
    let subjects: Vec<EntityId> = contest.subjects.iter().map(|subject| subject.entity).collect();
    let mut drawn = read::read(path, &args.track_columns, script, &subjects)?;
    drawn.retain(|entity, _| subjects.contains(entity));
    if drawn.is_empty() {
        bail!("{}: none of its entities is scored here", path.display());
    }
    let offset = match args.track_offset {
        Some(offset) => offset,
        None => align::offset(&drawn, contest)?,
    };
    if args.track_offset.is_none() {
        tell(&format!(
            "{}: {offset:+.3} s are added to its times, for the best match; a constant delay of the program is lost, so give --track-offset to measure it",
            path.display()
        ));
    }
    let places: usize = drawn.values().map(Vec::len).sum();
    let entities = output::count(drawn.len() as u64, "entity", "entities");
    tell(&format!("{}: {} places of {entities}", path.display(), thousands(places as u64)));
    let contestant = contestant(name_of(args, path), &drawn, offset, contest);
    if contestant.drawn.iter().flatten().all(Option::is_none) {
        bail!("{}: it draws nothing during the contest; check --track-offset", path.display());
    }
    contest.contestants.insert(0, contestant);
    Ok(())
}

fn name_of(args: &TrackArgs, path: &Path) -> String {
    let file = || path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let name: String = args.track_name.clone().unwrap_or_else(file).chars().take(22).collect();
    output::one_line(&name).into_owned()
}

/// Returns the drawing in every frame. The program shows animations that a track does not tell, so
/// those of Evenstride stand in, as they do for the rivals.
fn contestant(name: String, drawn: &Drawn, offset: f64, contest: &Contest) -> Contestant {
    let none = Places::new();
    let of = |entity: EntityId| {
        let places = drawn.get(&entity).unwrap_or(&none);
        contest.times.iter().map(|time| place_at(places, time - offset)).collect()
    };
    Contestant {
        drawn: contest.subjects.iter().map(|subject| of(subject.entity)).collect(),
        legs: contest.subjects.iter().map(|subject| subject.legs.clone()).collect(),
        ..Contestant::named(name)
    }
}

/// Returns the drawn place at a time, on a straight line between two rows.
fn place_at(places: &[(f64, Shown)], time: f64) -> Option<Shown> {
    let next = places.partition_point(|(at, _)| *at <= time);
    let (before, here) = places.get(next.checked_sub(1)?)?;
    let Some((after, there)) = places.get(next) else {
        return (time - before <= MAX_GAP_SECS / 10.0).then_some(*here);
    };
    if after - before > MAX_GAP_SECS {
        return None;
    }
    let part = ((time - before) / (after - before)) as f32;
    let turn = (there.heading - here.heading + 540.0).rem_euclid(360.0) - 180.0;
    let heading = (here.heading + turn * part).rem_euclid(360.0);
    Some(Shown { at: here.at.lerp(there.at, part), heading })
}
