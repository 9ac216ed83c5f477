//! Captures that other programs write.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

use anyhow::{Context, Result, bail};
use evenstride_capture::read;
use evenstride_live::Stop;
use evenstride_watch::{FileEnd, FollowedFile, Pipe};

use super::{Ended, Watching};
use crate::output::is_dash;

/// A capture that is read while it grows, or to its end.
pub(super) enum Source {
    Whole(File),
    Pipe(Pipe),
    Followed(FollowedFile),
}

/// Opens a capture. `-` is standard input.
pub(super) fn open(path: &Path, follow: bool, stop: &Stop) -> Result<Source> {
    let name = || path.display().to_string();
    if is_dash(path) {
        return Ok(Source::Pipe(Pipe::new(|| Ok(io::stdin()), stop.flag())));
    }
    let about = fs::metadata(path).with_context(name)?;
    if about.is_dir() {
        bail!("{}: is a directory, not a capture", name());
    }
    if !about.is_file() {
        // Opening a pipe waits for its writer.
        let path = path.to_owned();
        return Ok(Source::Pipe(Pipe::new(move || File::open(path), stop.flag())));
    }
    if follow {
        return Ok(Source::Followed(FollowedFile::open(path.to_owned(), stop.flag()).with_context(name)?));
    }
    Ok(Source::Whole(File::open(path).with_context(name)?))
}

/// Watches a capture to its end. Where another file takes the place of a followed one, as with a ring, it
/// goes on with that.
pub(super) fn watch(source: Source, name: &str, mut watching: Watching) -> Result<Ended> {
    let named = || name.to_owned();
    match source {
        Source::Whole(file) => read(file, watching.session()).with_context(named)?,
        Source::Pipe(pipe) => read(pipe, watching.session()).with_context(named)?,
        Source::Followed(file) => follow(file, name, &mut watching)?,
    }
    watching.finish(0)
}

/// Follows a file, and those that take its place. What was drawn of earlier files is not lost if a later one
/// cannot be read.
fn follow(mut file: FollowedFile, name: &str, watching: &mut Watching) -> Result<()> {
    let mut is_first = true;
    loop {
        let outcome = read(&mut file, watching.session()).with_context(|| name.to_owned());
        match (file.end(), outcome) {
            (_, Err(error)) if is_first => return Err(error),
            (FileEnd::Asked, Ok(())) => return Ok(()),
            (FileEnd::Asked, Err(error)) => {
                watching.fail(&format!("{error:#}"));
                return Ok(());
            }
            (FileEnd::Replaced, _) => {
                watching.tell(&format!("{name}: another file took its place, and is followed"))
            }
            (FileEnd::Cut, _) => {
                watching.tell(&format!("{name}: became shorter, and is read from its beginning"))
            }
        }
        is_first = false;
        if let Err(error) = file.reopen() {
            watching.fail(&format!("{name}: {error}"));
            return Ok(());
        }
    }
}
