//! What legs can play: what is built in, what an archive has of those who appear, and what somebody has written.

use std::{collections::BTreeSet, fs::File, path::Path, sync::Arc};

use anyhow::{Context, Result};
use evenstride::{BUILT_IN_HUMANOID, MotionLibrary};
use evenstride_dat::{Archive, LibraryLoader, Loaded, RecordId};
use evenstride_replay::{Said, Script};
use evenstride_types::update::Update;

use crate::output::tell;

/// Faults and missing records that are told in full.
const SHOWN: usize = 10;

/// A library for a script, if it is to be more than what is built in; and how many things in the archive could not be read.
///
/// A text has the last word, then the archive.
pub(crate) fn load(
    dat: Option<&Path>,
    tables: Option<&Path>,
    script: &Script,
) -> Result<(Option<Arc<MotionLibrary>>, u64)> {
    if dat.is_none() && tables.is_none() {
        return Ok((None, 0));
    }
    let (mut library, mut faults) = (MotionLibrary::built_in(), 0);
    if let Some(path) = dat {
        let loaded = from_archive(path, library, script)?;
        faults = loaded.faults.len() as u64;
        library = loaded.library;
    }
    if let Some(path) = tables {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        library =
            evenstride_tables::parse_into(&text, library).with_context(|| path.display().to_string())?;
    }
    Ok((Some(Arc::new(library)), faults))
}

/// Opens an archive.
pub(crate) fn open(path: &Path) -> Result<Archive<File>> {
    let name = || path.display().to_string();
    let file = File::open(path).with_context(name)?;
    Archive::open(file).with_context(name)
}

/// Loads what those who appear are made of.
fn from_archive(path: &Path, library: MotionLibrary, script: &Script) -> Result<Loaded> {
    let archive = open(path)?;
    let mut loader = LibraryLoader::new(&archive, library);
    let (mut setups, mut tables) = (BTreeSet::new(), BTreeSet::new());
    for moment in &script.moments {
        if let Said::Server(Update::Create(create) | Update::Recreate(create)) = &moment.said {
            let resources = create.physics.resources;
            setups.extend(resources.setup.map(RecordId));
            tables.extend(resources.motion_table.map(RecordId));
        }
    }
    setups.into_iter().for_each(|id| loader.setup(id));
    tables.into_iter().for_each(|id| loader.table(id));
    // Whoever is a person and has no table of its own has this one.
    let people = RecordId(BUILT_IN_HUMANOID);
    if archive.find(people).is_ok_and(|found| found.is_some()) {
        loader.table(people);
    }
    let loaded = loader.finish();
    report(path, &loaded);
    Ok(loaded)
}

fn report(path: &Path, loaded: &Loaded) {
    let name = path.display();
    tell(&format!(
        "evenstride: {name}: loaded motion tables: {}, animations: {}, models: {} ({} bytes)",
        loaded.tables.len(),
        loaded.animations,
        loaded.models.len(),
        loaded.bytes
    ));
    if !loaded.missing.is_empty() {
        let missing: Vec<String> = loaded.missing.iter().take(SHOWN).map(ToString::to_string).collect();
        let more = loaded.missing.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        tell(&format!(
            "evenstride: {name}: not there, so what is built in does: {}{more}",
            missing.join(", ")
        ));
    }
    loaded.faults.iter().take(SHOWN).for_each(|fault| tell(&format!("evenstride: {name}: {fault}")));
    if loaded.faults.len() > SHOWN {
        let more = loaded.faults.len() - SHOWN;
        tell(&format!(
            "evenstride: {name}: {more} more things could not be read; `evenstride dat {name} check` tells them"
        ));
    }
}
