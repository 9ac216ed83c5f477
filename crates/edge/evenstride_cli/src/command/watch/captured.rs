//! Captures that other programs write.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use anyhow::{Context, Result};
use evenstride_capture::read;
use evenstride_live::Stop;
use evenstride_watch::{FollowedFile, Pipe};

use super::{Ended, Watching};
use crate::output::is_dash;

/// A capture that is read while it grows, or to its end.
pub(super) type Source = Box<dyn Read + Send>;

/// Opens a capture. `-` is standard input.
pub(super) fn open(path: &Path, follow: bool, stop: &Stop) -> Result<Source> {
    let name = || path.display().to_string();
    if is_dash(path) {
        return Ok(Box::new(Pipe::new(io::stdin(), stop.flag())));
    }
    if path.is_dir() {
        anyhow::bail!("{}: is a directory, not a capture", name());
    }
    if follow {
        return Ok(Box::new(FollowedFile::open(path.to_owned(), stop.flag()).with_context(name)?));
    }
    Ok(Box::new(File::open(path).with_context(name)?))
}

/// Watches a capture to its end.
pub(super) fn watch(source: Source, name: &str, mut watching: Watching) -> Result<Ended> {
    read(source, watching.session()).with_context(|| name.to_owned())?;
    watching.finish(0)
}
