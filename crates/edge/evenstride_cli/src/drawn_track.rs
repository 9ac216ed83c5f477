//! The places that another program drew, read from its own log, on the clock of a contest.

mod align;
mod read;

use std::{collections::BTreeMap, path::Path};

use anyhow::{Result, bail};
use evenstride_arena::{
    Contest, Contestant,
    rival::{DrawnTrack, Shown},
};
use evenstride_replay::Script;
use evenstride_types::EntityId;
use evenstride_viewer::Method;

use crate::{
    args::TrackArgs,
    output::{self, tell, thousands},
};

/// Drawn places of one entity by time in seconds, oldest first.
type Places = Vec<(f64, Shown)>;

/// Drawn places by entity.
type Drawn = BTreeMap<EntityId, Places>;

/// Adds the program's drawing to a contest as its first contestant. Returns the drawing on the clock of
/// the contest.
pub(crate) fn join(args: &TrackArgs, contest: &mut Contest, script: &Script) -> Result<Option<DrawnTrack>> {
    let Some(path) = &args.track else { return Ok(None) };
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
    drawn.values_mut().flatten().for_each(|(time, _)| *time += offset);
    let track = DrawnTrack::new(name_of(args, path), drawn);
    let contestant = contestant(&track, contest);
    if contestant.drawn.iter().flatten().all(Option::is_none) {
        bail!("{}: it draws nothing during the contest; check --track-offset", path.display());
    }
    contest.contestants.insert(0, contestant);
    Ok(Some(track))
}

fn name_of(args: &TrackArgs, path: &Path) -> String {
    let file = || path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let name: String = args.track_name.clone().unwrap_or_else(file).chars().take(22).collect();
    // A row with the name of one of ours would be taken for it.
    let name = if Method::find(&name).is_some() { format!("your {name}") } else { name };
    output::one_line(&name).into_owned()
}

/// Returns the drawing in every frame. The program shows animations that a track does not tell, so
/// those of Evenstride stand in, as they do for the rivals.
fn contestant(track: &DrawnTrack, contest: &Contest) -> Contestant {
    let of = |entity: EntityId| contest.times.iter().map(|time| track.place(entity, *time)).collect();
    Contestant {
        drawn: contest.subjects.iter().map(|subject| of(subject.entity)).collect(),
        legs: contest.subjects.iter().map(|subject| subject.legs.clone()).collect(),
        ..Contestant::named(track.name.clone())
    }
}
