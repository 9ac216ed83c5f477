//! The places that another program drew, read from its own log, on the clock of a contest.

mod align;
mod columns;
mod csv;
mod entities;
mod place;
mod read;

use std::{collections::BTreeMap, path::Path};

use anyhow::{Result, bail};
use evenstride_arena::{
    Contest, Contestant,
    rival::{DrawnTrack, MAX_GAP_SECS, Shown},
};
use evenstride_replay::Script;
use evenstride_types::EntityId;
use evenstride_viewer::Method;

use self::read::Track;
use crate::{
    args::TrackArgs,
    entity::called,
    output::{self, tell, thousands, warn},
};

/// Drawn places of one entity by time in seconds, oldest first.
type Places = Vec<(f64, Shown)>;

/// Drawn places by entity.
type Drawn = BTreeMap<EntityId, Places>;

/// Adds the program's drawing to a contest as its first contestant. Returns the drawing on the clock of
/// the contest.
pub(crate) fn join(args: &TrackArgs, contest: &mut Contest, script: &Script) -> Result<Option<DrawnTrack>> {
    let Some(path) = &args.track else { return Ok(None) };
    let file = path.display();
    let subjects: Vec<EntityId> = contest.subjects.iter().map(|subject| subject.entity).collect();
    let mut track = read::read(path, &args.track_columns, script, &subjects)?;
    tell(&format!("{file}: columns {}", track.columns));
    track.left_out.iter().for_each(|words| tell(&format!("{file}: {words}")));
    if track.drawn.is_empty() {
        bail!("{file}: none of its entities is scored here");
    }
    let absent: Vec<EntityId> = subjects.iter().copied().filter(|of| !track.drawn.contains_key(of)).collect();
    if let Some(first) = absent.first() {
        let missing =
            format!("{} of {}", absent.len(), output::count(subjects.len() as u64, "entity", "entities"));
        tell(&format!("{file}: {missing} never drawn, the first is {}", called(script, *first)));
    }
    check_gaps(path, &track.drawn)?;
    let offset = match args.track_offset {
        Some(offset) => offset,
        None => found_offset(path, &track, contest)?,
    };
    let places: usize = track.drawn.values().map(Vec::len).sum();
    let entities = output::count(track.drawn.len() as u64, "entity", "entities");
    tell(&format!("{file}: {} places of {entities}", thousands(places as u64)));
    shift(path, &mut track.drawn, offset, contest)?;
    let drawn = DrawnTrack::new(name_of(args, path), track.drawn);
    let contestant = Contestant { lacks_headings: !track.has_headings, ..contestant(&drawn, contest) };
    if contestant.drawn.iter().flatten().all(Option::is_none) {
        bail!("{file}: it draws nothing in any frame of the contest; check --track-offset");
    }
    if !track.has_headings {
        tell(&format!("{file}: without headings, so bodies face the way they go, and turns are not scored"));
    }
    contest.contestants.insert(0, contestant);
    Ok(Some(drawn))
}

/// Returns the offset that the places tell, and says how sure it is.
fn found_offset(path: &Path, track: &Track, contest: &Contest) -> Result<f64> {
    let file = path.display();
    let clock = align::clock(track, contest)?;
    let offset = clock.offset;
    tell(&format!(
        "{file}: {offset:+.3} s are added to its times, for the best match; a constant delay of the program is lost, so give --track-offset to measure it"
    ));
    if let Some(rival) = clock.rival {
        warn(&format!(
            "{file}: its clock is uncertain, because {rival:+.3} s match about as well as {offset:+.3} s; give --track-offset"
        ));
    }
    Ok(offset)
}

/// Tells the longest gap between two rows of a body, if bodies are not drawn in it.
fn check_gaps(path: &Path, drawn: &Drawn) -> Result<()> {
    let gaps = drawn.values().flat_map(|rows| rows.windows(2)).map(|pair| pair[1].0 - pair[0].0);
    let (mut all, mut long, mut most) = (0u64, 0u64, 0.0);
    // A time that is written twice is no gap.
    for gap in gaps.filter(|gap| *gap > 1e-6) {
        all += 1;
        long += u64::from(gap > MAX_GAP_SECS);
        most = f64::max(most, gap);
    }
    let file = path.display();
    if 2 * long > all {
        bail!(
            "{file}: most of its rows are more than {MAX_GAP_SECS} s apart, up to {most:.3} s, and a body is not drawn in such a gap; log every drawn frame"
        );
    }
    if long > 0 {
        tell(&format!(
            "{file}: its rows are up to {most:.3} s apart; a body is not drawn in a gap of more than {MAX_GAP_SECS} s"
        ));
    }
    Ok(())
}

/// Moves places to the clock of the contest, and leaves out those of other times. A log may hold days.
fn shift(path: &Path, drawn: &mut Drawn, offset: f64, contest: &Contest) -> Result<()> {
    let span = |times: &mut dyn Iterator<Item = f64>| {
        times.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], time| [low.min(time), high.max(time)])
    };
    let [first, last] = span(&mut contest.times.iter().copied());
    let [from, to] = span(&mut drawn.values().flatten().map(|(time, _)| time + offset));
    for places in drawn.values_mut() {
        places.iter_mut().for_each(|(time, _)| *time += offset);
        places.retain(|(time, _)| (first - AROUND_SECS..=last + AROUND_SECS).contains(time));
        // A page holds all of them, so rows between frames are thinned out where there are many.
        if places.len() > ROWS_PER_FRAME * contest.times.len() {
            let least = 1.0 / (contest.fps * ROWS_PER_FRAME as f64);
            places.dedup_by(|(time, _), (kept, _)| *time - *kept < least);
        }
        places.shrink_to_fit();
    }
    drawn.retain(|_, places| !places.is_empty());
    if drawn.is_empty() {
        bail!(
            "{}: it draws nothing during the contest, which is from {first:.3} to {last:.3} s; with the offset of {offset} s, its times are from {from:.3} to {to:.3} s; check --track-offset",
            path.display()
        );
    }
    Ok(())
}

/// Seconds before and after the contest of which places are kept.
const AROUND_SECS: f64 = 1.0;

/// Number of places of a body per frame that are kept.
const ROWS_PER_FRAME: usize = 4;

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
