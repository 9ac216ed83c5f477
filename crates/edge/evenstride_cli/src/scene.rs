//! From captures to a script that can be replayed: what `replay` and `explain` share.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use evenstride_capture::{SERVER_PORTS, Session, Timeline};
use evenstride_replay::{
    Fingerprints, Recorder, ReplayOptions, Said, Script, fingerprints, first_difference,
};
use evenstride_types::EntityId;

use crate::{
    args::SceneArgs,
    library::{self, LoadedLibrary},
    source,
};

/// Faults that are printed in full.
const FAULTS_SHOWN: usize = 10;

/// Captures, read.
pub(crate) struct Scene {
    pub(crate) script: Script,
    /// Things that could not be read, files included.
    pub(crate) faults: u64,
}

impl Scene {
    /// Reads everything that can be read, and tells on standard error what cannot.
    pub(crate) fn read(args: &SceneArgs) -> Result<Self> {
        if args.offsets.len() >= args.captures.len().max(1) {
            bail!(
                "{} offsets for {} captures: the first capture needs none, each after it one",
                args.offsets.len(),
                args.captures.len()
            );
        }
        let ports = args.server_ports.clone().unwrap_or(SERVER_PORTS);
        let mut timeline = Timeline::default();
        let mut recordings = Vec::new();
        let mut faults = 0;
        for (index, path) in args.captures.iter().enumerate() {
            let name = path.display().to_string();
            let mut session =
                Session::with_server_ports(Recorder::new(name.as_str(), timeline), ports.clone());
            if let Err(error) = source::read_capture(path, &mut session) {
                // The other captures are not to blame.
                crate::output::tell(&format!("evenstride: {error:#}"));
                if index == 0 && args.captures.len() > 1 {
                    bail!("{name} is the view, without which the others mean nothing");
                }
                faults += 1;
                continue;
            }
            let connections = session.listener.connections();
            if let Some(number) = args.connection.filter(|number| !connections.contains(number)) {
                bail!(
                    "{name}: there is no connection {number} with anything about motion; there are {connections:?}"
                );
            }
            timeline = session.listener.timeline();
            let recording = session.listener.finish(args.connection);
            recording
                .faults
                .iter()
                .take(FAULTS_SHOWN)
                .for_each(|fault| crate::output::tell(&format!("evenstride: {fault}")));
            let unsaid = recording.fault_count.saturating_sub(FAULTS_SHOWN as u64);
            if unsaid > 0 {
                crate::output::tell(&format!(
                    "evenstride: {name}: {unsaid} more things could not be read; `evenstride inspect` counts them"
                ));
            }
            if recording.other_connections > 0 {
                let taken = recording.connection.map_or(0, |connection| connection.0);
                crate::output::tell(&format!(
                    "evenstride: {name}: connection {taken} is replayed, {} others are not (--connection N)",
                    recording.other_connections
                ));
            }
            faults += recording.fault_count;
            let offset = if index == 0 { 0.0 } else { args.offsets.get(index - 1).copied().unwrap_or(0.0) };
            recordings.push((recording, offset));
        }
        if recordings.is_empty() {
            bail!("nothing to replay");
        }
        let recordings_count = recordings.len();
        let view = args.player.or_else(|| recordings.first().and_then(|(recording, _)| recording.player));
        let uses: Vec<String> = recordings
            .iter()
            .zip(&args.captures)
            .enumerate()
            .map(|(index, ((recording, _), path))| {
                let name = path.display();
                match recording.player {
                    _ if index == 0 => format!("{name}: the view"),
                    Some(player) if Some(player) != view => format!("{name}: the truth about {player}"),
                    _ => format!("{name}: more of the view"),
                }
            })
            .collect();
        let script = Script::of(recordings, args.player);
        if script.moments.is_empty() {
            bail!("nothing in it is about motion; `evenstride inspect` shows what there is");
        }
        if recordings_count > 1 {
            uses.iter().for_each(|line| crate::output::tell(&format!("evenstride: {line}")));
        }
        if let Some(player) = args.player.filter(|player| !scene_knows(&script, *player)) {
            let scene = Self { script, faults };
            bail!("nobody speaks of {player}, who cannot have recorded this; there are {}", scene.known());
        }
        if script.player.is_none() {
            crate::output::tell(
                "evenstride: whose client recorded this cannot be told; everything is treated as near (--player GUID)",
            );
        }
        Ok(Self { script, faults })
    }
}

impl Scene {
    /// Whether anybody speaks of an entity.
    pub(crate) fn knows(&self, entity: EntityId) -> bool {
        self.entities().contains(&entity)
    }

    /// Everybody, in words.
    pub(crate) fn known(&self) -> String {
        const SHOWN: usize = 12;
        let entities = self.entities();
        let words: Vec<String> = entities
            .iter()
            .take(SHOWN)
            .map(|entity| match self.script.names.get(entity) {
                Some(name) => format!("{entity} {name}"),
                None => entity.to_string(),
            })
            .collect();
        let more = entities.len().saturating_sub(SHOWN);
        words.join(", ") + &(if more > 0 { format!(" and {more} more") } else { String::new() })
    }

    fn entities(&self) -> BTreeSet<EntityId> {
        spoken_of(&self.script).collect()
    }
}

fn scene_knows(script: &Script, entity: EntityId) -> bool {
    spoken_of(script).any(|known| known == entity)
}

/// Everybody that the server speaks of.
fn spoken_of(script: &Script) -> impl Iterator<Item = EntityId> {
    script.moments.iter().filter_map(|moment| match &moment.said {
        Said::Server(update) => update.entity(),
        Said::Client(_) => None,
    })
}

/// How a scene is to be replayed, and what came of loading what legs can play.
pub(crate) fn options(args: &SceneArgs, script: &Script) -> Result<(ReplayOptions, LoadedLibrary)> {
    let loaded = library::load(args.dat.as_deref(), args.tables.as_deref(), script)?;
    let library = loaded.library.clone();
    let options =
        ReplayOptions { config: args.profile.config(), fps: args.fps, library, ..ReplayOptions::default() };
    Ok((options, loaded))
}

/// Compares a replay with another one, frame by frame. Says whether they are the same.
pub(crate) fn is_same_twice(first: &Fingerprints, script: &Script, options: &ReplayOptions) -> bool {
    let second = fingerprints(script, options);
    match first_difference(first, &second) {
        None => {
            crate::output::tell(&format!("twice: all {} frames are the same, bit for bit", second.0.len()));
            true
        }
        Some(time) => {
            crate::output::tell(&format!(
                "twice: the two replays differ first in the frame at {time:.3} s. Please report this."
            ));
            false
        }
    }
}
