//! Animations to play: the built-in ones, those of an archive that the script names, and those of a
//! text file.

use std::{collections::BTreeSet, fs::File, path::Path, sync::Arc};

use anyhow::{Context, Result, bail};
use evenstride::animation::{BUILT_IN_HUMANOID, MotionLibrary};
use evenstride_dat::{Archive, Contents, LibraryLoader, Loaded, RecordId};
use evenstride_replay::{Said, Script};
use evenstride_types::update::Update;
use serde_json::{Value, json};

use crate::{
    output::{count, tell, thousands, warn},
    source::read_text,
};

/// Faults and missing records that are printed in full.
const SHOWN: usize = 10;

/// The result of loading.
#[derive(Debug, Default)]
pub(crate) struct LoadedLibrary {
    /// The library, or `None` for the built-in one.
    pub(crate) library: Option<Arc<MotionLibrary>>,
    /// Number of unreadable parts of the archive.
    pub(crate) faults: u64,
    /// The archive and the records taken from it, as JSON.
    pub(crate) about: Option<Value>,
}

/// Loads a library for a script. A text file overrides the archive, which overrides the built-in
/// animations.
pub(crate) fn load(dat: Option<&Path>, tables: Option<&Path>, script: &Script) -> Result<LoadedLibrary> {
    if dat.is_none() && tables.is_none() {
        return Ok(LoadedLibrary::default());
    }
    let named = |path: &Path| path.display().to_string();
    // The text is read first, because a wrong file name is the likeliest mistake.
    let text = match tables {
        Some(path) => Some((path, read_text(path)?)),
        None => None,
    };
    let (mut library, mut faults, mut about) = (MotionLibrary::built_in(), 0, None);
    if let Some(path) = dat {
        let (loaded, cut_short) = from_archive(path, library, script)?;
        let is_empty = loaded.tables.is_empty() && loaded.models.is_empty();
        if is_empty {
            let name = path.display();
            warn(&format!("{name}: contains no record that the captures refer to; is it client_portal.dat?"));
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

/// Opens an archive. The second value is 1 if the archive is shorter than its header says, which is
/// also reported.
pub(crate) fn open(path: &Path) -> Result<(Archive<File>, u64)> {
    let name = || path.display().to_string();
    if path.is_dir() {
        bail!("{}: is a directory, not an archive", name());
    }
    let file = File::open(path).with_context(name)?;
    let archive = Archive::open(file).with_context(name)?;
    let (said, has) = (u64::from(archive.header().file_size), archive.file_size());
    if has < said {
        warn(&format!("{}: truncated: its header says {said} bytes, but the file has {has}", name()));
    }
    Ok((archive, u64::from(has < said)))
}

/// Checks that an archive can have motion tables, models and the region.
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

/// Loads the models and motion tables of all entities in a script.
fn from_archive(path: &Path, library: MotionLibrary, script: &Script) -> Result<(Loaded, u64)> {
    let (archive, cut_short) = open(path)?;
    expect_portal(&archive, path)?;
    let mut loader = LibraryLoader::new(&archive, library);
    let (mut setups, mut tables) = (BTreeSet::new(), BTreeSet::new());
    for message in &script.messages {
        if let Said::Server(Update::Create(create) | Update::Recreate(create)) = &message.said {
            let resources = create.physics.resources;
            setups.extend(resources.setup.map(RecordId));
            tables.extend(resources.motion_table.map(RecordId));
        }
    }
    setups.into_iter().for_each(|id| loader.setup(id));
    tables.into_iter().for_each(|id| loader.table(id));
    // People without a table of their own use this one.
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
        thousands(loaded.tables.len() as u64),
        thousands(loaded.animations as u64),
        thousands(loaded.models.len() as u64),
        thousands(loaded.bytes as u64)
    ));
    if !loaded.missing.is_empty() {
        warn(&format!("{name}: missing records, replaced by built-in ones: {}", listed(&loaded.missing)));
    }
    if !loaded.missing_animations.is_empty() {
        warn(&format!(
            "{name}: missing animations, which are left out: {}",
            listed(&loaded.missing_animations)
        ));
    }
    loaded.faults.iter().take(SHOWN).for_each(|fault| warn(&format!("{name}: {fault}")));
    if loaded.faults.len() > SHOWN {
        let more = count((loaded.faults.len() - SHOWN) as u64, "more fault", "more faults");
        warn(&format!("{name}: {more}; run `evenstride dat {name} check` for a list"));
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
