//! What legs can play: what is built in, what an archive has of those who appear, and what somebody has written.

use std::{collections::BTreeSet, fs::File, path::Path, sync::Arc};

use anyhow::{Context, Result, bail};
use evenstride::animation::{BUILT_IN_HUMANOID, MotionLibrary};
use evenstride_dat::{Archive, Contents, LibraryLoader, Loaded, RecordId};
use evenstride_replay::{Said, Script};
use evenstride_types::update::Update;
use serde_json::{Value, json};

use crate::output::{count, tell};

/// Faults and missing records that are told in full.
const SHOWN: usize = 10;

/// What came of loading.
#[derive(Debug, Default)]
pub(crate) struct LoadedLibrary {
    /// `None` if it is what is built in.
    pub(crate) library: Option<Arc<MotionLibrary>>,
    /// How many things in the archive could not be read.
    pub(crate) faults: u64,
    /// The archive and what was taken from it, for programs.
    pub(crate) about: Option<Value>,
}

/// A library for a script. A text has the last word, then the archive.
pub(crate) fn load(dat: Option<&Path>, tables: Option<&Path>, script: &Script) -> Result<LoadedLibrary> {
    if dat.is_none() && tables.is_none() {
        return Ok(LoadedLibrary::default());
    }
    let named = |path: &Path| path.display().to_string();
    // Read before anything else is done: a wrong name is the likeliest mistake.
    let text = match tables {
        Some(path) => Some((path, std::fs::read_to_string(path).with_context(|| named(path))?)),
        None => None,
    };
    let (mut library, mut faults, mut about) = (MotionLibrary::built_in(), 0, None);
    if let Some(path) = dat {
        let (loaded, cut_short) = from_archive(path, library, script)?;
        let is_empty = loaded.tables.is_empty() && loaded.models.is_empty();
        if is_empty {
            let name = path.display();
            tell(&format!(
                "evenstride: {name}: nothing that the captures name is in it; is it client_portal.dat?"
            ));
        }
        faults = cut_short + loaded.faults.len() as u64 + u64::from(is_empty);
        about = Some(about_archive(path, &loaded));
        library = loaded.library;
    }
    if let Some((path, text)) = text {
        library = evenstride_tables::parse_into(&text, library).with_context(|| named(path))?;
    }
    Ok(LoadedLibrary { library: Some(Arc::new(library)), faults, about })
}

/// Opens an archive; 1 beside it if it is shorter than it says, which is told.
pub(crate) fn open(path: &Path) -> Result<(Archive<File>, u64)> {
    let name = || path.display().to_string();
    if path.is_dir() {
        bail!("{}: is a directory, not an archive", name());
    }
    let file = File::open(path).with_context(name)?;
    let archive = Archive::open(file).with_context(name)?;
    let (said, has) = (u64::from(archive.header().file_size), archive.file_size());
    if has < said {
        tell(&format!("evenstride: {}: cut short: its header says {said} bytes, there are {has}", name()));
    }
    Ok((archive, u64::from(has < said)))
}

/// Whether an archive can have motion tables, models and the region.
pub(crate) fn expect_portal(archive: &Archive<File>, path: &Path) -> Result<()> {
    let what = match archive.header().contents {
        Contents::Cell => "land and rooms",
        Contents::Local => "texts",
        Contents::Portal | Contents::Other(_) => return Ok(()),
    };
    bail!(
        "{} is an archive of {what}; motion tables, models and the region are in client_portal.dat",
        path.display()
    )
}

/// Loads what those who appear are made of.
fn from_archive(path: &Path, library: MotionLibrary, script: &Script) -> Result<(Loaded, u64)> {
    let (archive, cut_short) = open(path)?;
    expect_portal(&archive, path)?;
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
    Ok((loaded, cut_short))
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
        tell(&format!(
            "evenstride: {name}: not there, so what is built in takes their place: {}",
            listed(&loaded.missing)
        ));
    }
    if !loaded.missing_animations.is_empty() {
        tell(&format!(
            "evenstride: {name}: animations that are not there, and are left out: {}",
            listed(&loaded.missing_animations)
        ));
    }
    loaded.faults.iter().take(SHOWN).for_each(|fault| tell(&format!("evenstride: {name}: {fault}")));
    if loaded.faults.len() > SHOWN {
        let more = count((loaded.faults.len() - SHOWN) as u64, "more thing", "more things");
        tell(&format!(
            "evenstride: {name}: {more} could not be read; `evenstride dat {name} check` tells them"
        ));
    }
}

fn listed(ids: &BTreeSet<RecordId>) -> String {
    let words: Vec<String> = ids.iter().take(SHOWN).map(ToString::to_string).collect();
    let more = ids.len().saturating_sub(SHOWN);
    words.join(", ") + &(if more > 0 { format!(" and {more} more") } else { String::new() })
}

fn about_archive(path: &Path, loaded: &Loaded) -> Value {
    json!({
        "file": path.display().to_string(),
        "motion_tables": loaded.tables,
        "models": loaded.models,
        "animations": loaded.animations,
        "missing": loaded.missing,
        "missing_animations": loaded.missing_animations,
        "faults": loaded.faults.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}
