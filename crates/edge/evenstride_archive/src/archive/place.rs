//! Tables that are written under other names, and then get their own.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, BufWriter},
    path::Path,
};

use tempfile::{NamedTempFile, TempPath};

use super::manifest::ArchivedTable;
use crate::convert::WrittenTable;

/// Creates a file in the folder of unfinished tables.
pub(super) fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.suffix(".part").tempfile_in(folder)
}

/// A table without its name.
pub(super) struct MadeTable {
    file: TempPath,
    /// Its path inside the archive.
    pub(super) path: String,
    bytes: u64,
    rows: u64,
}

impl MadeTable {
    /// Ends a table and closes its file, because a capture of many connections has many of them.
    pub(super) fn new(table: WrittenTable<BufWriter<NamedTempFile>>, path: String) -> io::Result<Self> {
        let file = table.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        // A table that has its name is whole, also after a loss of power.
        file.as_file().sync_all()?;
        let bytes = file.as_file().metadata()?.len();
        Ok(Self { file: file.into_temp_path(), path, bytes, rows: table.rows })
    }
}

/// Gives tables their names.
pub(super) fn place(folder: &Path, made: Vec<MadeTable>) -> io::Result<Vec<ArchivedTable>> {
    let mut changed = BTreeSet::new();
    let mut placed = Vec::with_capacity(made.len());
    for MadeTable { file, path, bytes, rows } in made {
        let whole = folder.join(&path);
        // A new folder is an entry of the one above it.
        for above in whole.ancestors().skip(1).take_while(|above| above.starts_with(folder)) {
            changed.insert(above.to_owned());
            if above.exists() {
                break;
            }
        }
        if let Some(above) = whole.parent() {
            fs::create_dir_all(above)?;
        }
        file.persist(&whole).map_err(|error| error.error)?;
        placed.push(ArchivedTable { path, bytes, rows });
    }
    changed.iter().try_for_each(|folder| sync_folder(folder))?;
    Ok(placed)
}

/// Waits until the names in a folder survive a loss of power.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

/// Other systems have no such call.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
