//! Reads captures into a script for `replay`, `explain` and `score`.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::IpAddr,
};

use anyhow::{Result, bail};
use evenstride::animation::MotionLibrary;
use evenstride_capture::SERVER_PORTS;
use evenstride_replay::{
    Fingerprints, Heard, ReplayObserver, ReplayOptions, Replayed, Script, ScriptNotice, ScriptOptions,
    ScriptReader, Still, TAIL_SECS, fingerprints, first_difference, replay,
};

use evenstride_types::EntityId;
use serde_json::{Value, json};

use crate::{
    args::{SceneArgs, TimeArg},
    entity::called,
    library::{self, LoadedLibrary},
    output::{Progress, count, insist, tell, thousands, warn},
    source,
};

/// Captures that were read.
pub(crate) struct Scene {
    pub(crate) script: Script,
    /// Number of unreadable parts, files included.
    pub(crate) faults: u64,
    /// Address and port of the view's server, if the capture names them.
    pub(crate) server: Option<(IpAddr, u16)>,
}

impl Scene {
    /// Reads all captures, and prints unreadable parts on standard error.
    pub(crate) fn read(args: &SceneArgs) -> Result<Self> {
        let SceneArgs { captures, offsets, player, connection, server_ports, .. } = args;
        if offsets.len() >= captures.len().max(1) {
            bail!(
                "{} offsets for {} captures are too many; give at most one --offset for each capture after the first",
                offsets.len(),
                captures.len()
            );
        }
        let mut reader = ScriptReader::new(ScriptOptions {
            player: *player,
            connection: *connection,
            server_ports: server_ports.clone().unwrap_or(SERVER_PORTS),
        });
        let offsets = std::iter::once(0.0).chain(offsets.iter().copied()).chain(std::iter::repeat(0.0));
        for (path, offset) in captures.iter().zip(offsets) {
            let name = path.display().to_string();
            let read =
                |session: &mut _| source::read_capture(path, session).map_err(|error| format!("{error:#}"));
            let notices = reader.read(&name, offset, read)?;
            notices.iter().for_each(print);
            let is_view_lost = matches!(notices[..], [ScriptNotice::Unreadable { index: 0, .. }]);
            if is_view_lost && captures.len() > 1 {
                bail!("{name} is the view and could not be read; the other captures need it");
            }
        }
        let (faults, server) = (reader.faults(), reader.server());
        let (script, notices) = reader.finish()?;
        notices.iter().for_each(print);
        Ok(Self { script, faults, server })
    }
}

impl Scene {
    /// Returns the span to show, without bounds that are not given. It must overlap the captures.
    pub(crate) fn range(&self, from: Option<TimeArg>, to: Option<TimeArg>) -> Result<(f64, f64)> {
        let (first, last) = self.script.span().unwrap_or_default();
        let limit = |of: Option<TimeArg>, open: f64| match of {
            Some(time) => time.seconds(self.script.start).map_err(anyhow::Error::msg),
            None => Ok(open),
        };
        let (from, to) = (limit(from, f64::NEG_INFINITY)?, limit(to, f64::INFINITY)?);
        if from > to || from > last + TAIL_SECS || to < first {
            bail!("nothing between --from and --to: the capture runs from {first:.3} to {last:.3} s");
        }
        Ok((from, to))
    }
}

/// Replays a script, and shows the progress if it takes long.
pub(crate) fn replay_with_progress(
    script: &Script,
    options: &ReplayOptions,
    observer: &mut impl ReplayObserver,
) -> Replayed {
    let (first, last) = script.span().unwrap_or_default();
    let span = (first, last.min(options.to));
    replay(script, options, &mut (observer, ShownProgress { progress: Progress::new("replaying"), span }))
}

/// Shows how much of a replay is done.
struct ShownProgress {
    progress: Progress,
    span: (f64, f64),
}

impl ReplayObserver for ShownProgress {
    fn heard(&mut self, heard: &Heard<'_>) {
        let (first, last) = self.span;
        self.progress.set((heard.time - first) / (last - first).max(1e-9));
    }

    fn still(&mut self, _: &Still<'_>) {}
}

/// Motion tables that the captures name and that are not loaded.
pub(crate) struct MissingTables(BTreeMap<u32, BTreeSet<EntityId>>);

impl MissingTables {
    pub(crate) fn of(script: &Script, options: &ReplayOptions) -> Self {
        let missing = match &options.library {
            Some(library) => script.missing_tables(library),
            None => script.missing_tables(&MotionLibrary::built_in()),
        };
        Self(missing)
    }

    /// Returns one sentence about them and their effect, or `None` if nothing is missing.
    pub(crate) fn sentence(&self, script: &Script) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        let tables: Vec<String> = self.0.keys().take(LISTED).map(|table| format!("0x{table:08X}")).collect();
        let entities: BTreeSet<EntityId> = self.0.values().flatten().copied().collect();
        let names: Vec<String> = entities.iter().take(LISTED).map(|of| called(script, *of)).collect();
        let more = |count: usize| match count.saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(format!(
            "{} not loaded: {}{}. Built-in animations move {}{}, so speeds between updates and stops may differ from the game's. Use --dat client_portal.dat.",
            count(self.0.len() as u64, "motion table is", "motion tables are"),
            tables.join(", "),
            more(self.0.len()),
            names.join(", "),
            more(entities.len()),
        ))
    }

    pub(crate) fn json(&self) -> Value {
        let tables = self.0.iter().map(|(table, entities)| {
            let entities: Vec<String> = entities.iter().map(ToString::to_string).collect();
            json!({ "table": format!("0x{table:08X}"), "entities": entities })
        });
        tables.collect::<Vec<_>>().into()
    }
}

/// Number of tables and of entities that are listed.
const LISTED: usize = 6;

/// Tells what captures contain in which nothing can be drawn.
pub(crate) fn tell_nothing_drawn(script: &Script) {
    let mut kinds: Vec<(&str, u64)> = script.contents.iter().map(|(name, count)| (*name, *count)).collect();
    kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let listed: Vec<String> =
        kinds.iter().take(LISTED).map(|(name, count)| format!("{} × {name}", thousands(*count))).collect();
    warn("nothing can be drawn, because no message places an entity in the world");
    insist(&format!(
        "it contains {} about motion, and among all messages {}",
        count(script.messages.len() as u64, "message", "messages"),
        listed.join(", ")
    ));
    if let Some(player) = script.likely_player.filter(|_| script.player.is_none()) {
        insist(&format!("its own player is most likely {player}, to whom most game events are addressed"));
    }
    insist("a capture that begins before the login has descriptions and positions of everything around");
}

fn print(notice: &ScriptNotice) {
    warn(&notice.to_string());
}

/// Returns the options of a replay, and the library that was loaded for it.
pub(crate) fn options(args: &SceneArgs, script: &Script) -> Result<(ReplayOptions, LoadedLibrary)> {
    let loaded = library::load(args.dat.as_deref(), args.tables.as_deref(), script)?;
    let library = loaded.library.clone();
    let options = ReplayOptions { config: args.config(), fps: args.fps, library, ..ReplayOptions::default() };
    Ok((options, loaded))
}

/// Replays again and compares every frame. Returns whether the replays are the same.
pub(crate) fn is_same_twice(first: &Fingerprints, script: &Script, options: &ReplayOptions) -> bool {
    let second = fingerprints(script, options);
    match first_difference(first, &second) {
        None => {
            tell(&format!(
                "twice: all {} frames are the same, bit for bit",
                thousands(second.0.len() as u64)
            ));
            true
        }
        Some(time) => {
            insist(&format!(
                "twice: the two replays differ first in the frame at {time:.3} s. Please report this."
            ));
            false
        }
    }
}
