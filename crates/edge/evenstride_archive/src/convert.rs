//! One capture in, five tables out.

use std::{fmt::Display, io::Write, sync::Arc};

use evenstride::{Config, animation::MotionLibrary};
use evenstride_moments::MomentFinder;
use evenstride_replay::{
    Heard, Playback, ReplayObserver, ReplayOptions, Replayed, Script, Still, Summary, TraceScope,
};

use crate::{
    capture::{Capture, CaptureOptions, capture_id},
    described::Described,
    error::TableError,
    parquet_table::{Codec, ParquetTable},
    rows::{DecisionRows, FrameScope, TrackRows, UpdateRows, entity_rows, moment_rows},
    sink::BatchSink,
    table::{DECISIONS, ENTITIES, MOMENTS, TABLES, TRACKS, TableSpec, UPDATES},
};

/// How captures become tables.
#[derive(Clone, Debug)]
pub struct ConvertOptions {
    /// Name of the profile, for the metadata.
    pub profile: String,
    /// Configuration of the world.
    pub config: Config,
    /// Frames per second, 1 to 1,000.
    pub fps: f64,
    /// Animations to play (default: the built-in ones).
    pub library: Option<Arc<MotionLibrary>>,
    /// Frames that get rows.
    pub frames: FrameScope,
    /// Compression.
    pub codec: Codec,
    /// Hash of the motion tables, for the metadata (default: empty, for the built-in ones).
    pub tables: String,
    /// How captures are read.
    pub reading: CaptureOptions,
    /// Most bodies times frames of a replay (default: 2 billion, which are a day with 400 bodies). A replay
    /// ends there, and the messages after it are left out.
    pub max_body_frames: u64,
}

/// A capture of a few megabytes may place 100,000 entities for days, and would keep a job busy for as long.
const MAX_BODY_FRAMES: u64 = 2_000_000_000;

impl Default for ConvertOptions {
    fn default() -> Self {
        Self {
            profile: "glide".to_owned(),
            config: Config::GLIDE,
            fps: 60.0,
            library: None,
            frames: FrameScope::All,
            codec: Codec::default(),
            tables: String::new(),
            reading: CaptureOptions::default(),
            max_body_frames: MAX_BODY_FRAMES,
        }
    }
}

impl ConvertOptions {
    pub(crate) fn replay(&self) -> ReplayOptions {
        let library = self.library.clone();
        ReplayOptions {
            config: self.config,
            fps: self.fps,
            trace: TraceScope::All,
            library,
            ..ReplayOptions::default()
        }
    }
}

/// What is known about a table as a whole. It stands in the metadata of a Parquet file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Name of the session, which is that of the capture's file.
    pub session: String,
    /// SHA-256 of the capture, or empty.
    pub capture: String,
    /// Number of the connection, unless it is the one with the most messages about motion.
    pub connection: Option<u32>,
    /// The player whose client recorded it, or empty.
    pub player: String,
    /// Name of the profile.
    pub profile: String,
    /// Frames per second.
    pub fps: String,
    /// Address and port of the server, or empty.
    pub server: String,
    /// Day of the first packet in UTC, or empty.
    pub date: String,
    /// Hash of the world's state at the end, 16 hexadecimal digits.
    pub state_hash: String,
    /// Whether frames without changes are left out of tracks.
    pub changed: bool,
    /// Hashes of the files with motion tables, or empty for the built-in ones.
    pub tables: String,
    /// Time in seconds of the first frame, if it was chosen.
    pub from: Option<f64>,
    /// Time in seconds of the last frame, if it was chosen.
    pub to: Option<f64>,
    /// The only entities, or empty for all.
    pub entity: String,
}

impl Facts {
    /// Returns the text of the column `capture`.
    pub fn capture_id(&self) -> String {
        capture_id(&self.capture, self.connection)
    }

    /// Returns keys and values of the metadata. Each key gets the prefix `evenstride.`.
    pub fn pairs(&self) -> [(&'static str, String); 15] {
        [
            ("session", self.session.clone()),
            ("capture", self.capture.clone()),
            ("player", self.player.clone()),
            ("profile", self.profile.clone()),
            ("fps", self.fps.clone()),
            ("server", self.server.clone()),
            ("date", self.date.clone()),
            ("state_hash", self.state_hash.clone()),
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("connection", text_of(self.connection)),
            ("changed", self.changed.to_string()),
            ("tables", self.tables.clone()),
            ("from", text_of(self.from)),
            ("to", text_of(self.to)),
            ("entity", self.entity.clone()),
        ]
    }

    /// Sets what a script and the result of its replay tell.
    pub fn complete(&mut self, script: &Script, replayed: &Replayed) {
        self.player = script.player.map(|player| player.to_string()).unwrap_or_default();
        self.state_hash = format!("{:016x}", replayed.state_hash);
    }
}

fn text_of(value: Option<impl Display>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// A table that was written.
#[derive(Debug)]
pub struct WrittenTable<W> {
    /// The table.
    pub spec: &'static TableSpec,
    /// Number of rows.
    pub rows: u64,
    /// Number of rows beyond the limit.
    pub left_out: u64,
    /// The output.
    pub out: W,
}

/// Replays a capture once and writes all five tables, each to an output of its own. Returns them in the order
/// of [`TABLES`], with the completed facts.
///
/// # Errors
/// If an output fails.
pub fn convert<W: Write + Send>(
    capture: &Capture,
    mut facts: Facts,
    options: &ConvertOptions,
    mut open: impl FnMut(&'static TableSpec) -> std::io::Result<W>,
) -> Result<(Vec<WrittenTable<W>>, Facts), TableError> {
    let script = &capture.script;
    let described = Described::of(script);
    let id = facts.capture_id();
    let mut sink = |spec| ParquetTable::new(open(spec)?, spec, options.codec);
    let mut tracks = TrackRows::new(sink(&TRACKS)?, &id, options.frames, []);
    let mut updates = UpdateRows::new(sink(&UPDATES)?, &id, script.player, described.clone());
    let mut decisions = DecisionRows::new(sink(&DECISIONS)?, &id);
    let (mut moments, mut entities) = (sink(&MOMENTS)?, sink(&ENTITIES)?);
    let mut summary = Summary::new(script);
    let mut finder = MomentFinder::new(script.player);
    let (replayed, unheard) = {
        let rows = (&mut tracks, (&mut updates, &mut decisions));
        replay_within(script, options, &mut together(rows, (&mut summary, &mut finder)))
    };
    facts.complete(script, &replayed);
    (facts.profile, facts.fps) = (options.profile.clone(), options.fps.to_string());
    (facts.changed, facts.tables) = (options.frames == FrameScope::Changed, options.tables.clone());
    let found = finder.finish();
    let mut rows = moment_rows(&found, script, &described, &id);
    let moments_count = rows.rows() as u64;
    write_all(&mut moments, &mut rows)?;
    let mut rows = entity_rows(&summary, &found, script, &described, &id);
    let entities_count = rows.rows() as u64;
    write_all(&mut entities, &mut rows)?;

    let [tracks, updates, decisions] = [tracks.finish()?, updates.finish()?, decisions.finish()?];
    let parts = [
        (tracks.sink, tracks.rows, tracks.left_out),
        (updates.sink, updates.rows, updates.left_out + unheard),
        (decisions.sink, decisions.rows, decisions.left_out),
        (moments, moments_count, found.left_out),
        (entities, entities_count, 0),
    ];
    let mut written = Vec::with_capacity(parts.len());
    for (spec, (table, rows, left_out)) in TABLES.into_iter().zip(parts) {
        written.push(WrittenTable { spec, rows, left_out, out: table.finish(&facts.pairs())? });
    }
    Ok((written, facts))
}

/// Replays a script within the limit of the options. Returns the number of messages after it.
fn replay_within(
    script: &Script,
    options: &ConvertOptions,
    observer: &mut impl ReplayObserver,
) -> (Replayed, u64) {
    let mut heard = Counter::default();
    let Some(mut playback) = Playback::new(script, options.replay()) else { return Default::default() };
    let mut body_frames = 0;
    let mut is_whole = true;
    while playback.advance_frame(&mut (&mut *observer, &mut heard)) {
        body_frames += playback.world().len() as u64;
        is_whole = body_frames <= options.max_body_frames;
        if !is_whole {
            break;
        }
    }
    let unheard = if is_whole { 0 } else { (script.messages.len() as u64).saturating_sub(heard.0) };
    (playback.finish(), unheard)
}

/// Counts messages.
#[derive(Default)]
struct Counter(u64);

impl ReplayObserver for Counter {
    fn heard(&mut self, _: &Heard<'_>) {
        self.0 += 1;
    }

    fn still(&mut self, _: &Still<'_>) {}
}

fn write_all<W: Write + Send>(
    table: &mut ParquetTable<W>,
    rows: &mut crate::batch::Batch,
) -> Result<(), TableError> {
    if rows.rows() == 0 { Ok(()) } else { table.take(rows) }
}

fn together<One: ReplayObserver, Other: ReplayObserver>(one: One, other: Other) -> (One, Other) {
    (one, other)
}
