//! Converts records to a library for the core.

use std::collections::{BTreeMap, BTreeSet};

use evenstride::animation::{Model, MotionLibrary};
use evenstride_types::{Vec3, update::MotionCommand};

use crate::{
    Animation, AnimationPart, Archive, Cursor, DatError, HookDirection, LinkGroup, MAX_FAULTS, MotionData,
    MotionTable, NotFetched, ReadAt, Record, RecordId, RecordKind, RecordSource, Setup, error::le_u32,
};

/// Default bound on the bytes of records in one library (512 MiB), counted before conversion. The
/// motion records of the game's archive have fewer bytes.
pub const MAX_LIBRARY_BYTES: usize = 512 << 20;

/// Adds motion tables, their animations, and models to a library.
///
/// ```
/// use std::sync::Arc;
///
/// use evenstride::{Config, MotionWorld, animation::MotionLibrary};
/// use evenstride::types::SimTime;
/// use evenstride_dat::{Archive, LibraryLoader, RecordId};
///
/// # let bytes = evenstride_dat::ArchiveWriter::portal()
/// #     .add_record(&evenstride_dat::MotionTable {
/// #         id: RecordId(0x0900_0001), default_style: 0, style_defaults: vec![], cycles: vec![], modifiers: vec![], links: vec![],
/// #     })?
/// #     .finish()?;
/// // Usually `Archive::open(File::open("client_portal.dat")?)?`.
/// let archive = Archive::open(bytes)?;
/// let mut loader = LibraryLoader::new(&archive, MotionLibrary::built_in());
/// loader.table(RecordId(0x0900_0001)); // or `everything()`, or `setup(…)` and `table(…)` of create messages
/// let loaded = loader.finish();
/// assert!(loaded.faults.is_empty() && loaded.missing.is_empty());
///
/// let mut world = MotionWorld::new(Config::SMOOTH, SimTime::ZERO);
/// world.set_library(Arc::new(loaded.library));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Unreadable records are left out and reported in [`Loaded::faults`]. Bodies whose table is left
/// out use the built-in table. A table with missing animations is used without them.
///
/// Records may come from another source than an archive. [`RecordCallback`](crate::RecordCallback)
/// requests each record's bytes from the host.
#[derive(Debug)]
pub struct LibraryLoader<'a, Records> {
    records: &'a Records,
    limit: usize,
    loaded: Loaded,
    /// Animations for the library. They are added at the end and in order, because a library is a
    /// sorted list.
    animations: BTreeMap<RecordId, evenstride::animation::Animation>,
    /// Every record that was requested, whether it was loaded or not.
    tried: BTreeSet<(RecordKind, RecordId)>,
}

/// The result of loading.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The library for the core.
    pub library: MotionLibrary,
    /// Motion tables that were loaded.
    pub tables: BTreeSet<RecordId>,
    /// Models that were loaded.
    pub models: BTreeSet<RecordId>,
    /// Motion tables and models that are missing. Built-in ones take their place.
    pub missing: BTreeSet<RecordId>,
    /// Animations that are missing. They are left out, and a motion with no animations left repeats
    /// the animations that led to it.
    pub missing_animations: BTreeSet<RecordId>,
    /// Errors, at most the first [`MAX_FAULTS`].
    pub faults: Vec<DatError>,
    /// Bytes that must be fetched first (see [`Fetched`](crate::Fetched)). Add them, and load again
    /// with a new loader that starts from this library.
    pub needs: BTreeSet<NotFetched>,
    /// Number of animations that were loaded.
    pub animations: usize,
    /// Number of bytes in the records that were read.
    pub bytes: usize,
}

impl<'a, Records: RecordSource> LibraryLoader<'a, Records> {
    /// Creates a loader that adds to a library, usually [`MotionLibrary::built_in`].
    pub fn new(records: &'a Records, library: MotionLibrary) -> Self {
        let loaded = Loaded { library, ..Loaded::default() };
        let (animations, tried) = (BTreeMap::new(), BTreeSet::new());
        Self { records, limit: MAX_LIBRARY_BYTES, loaded, animations, tried }
    }

    /// Sets the bound on record bytes (default: [`MAX_LIBRARY_BYTES`]).
    #[must_use]
    pub const fn limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// Loads a motion table and its animations. A repeated call has no effect.
    pub fn table(&mut self, id: RecordId) {
        if !self.tried.insert((RecordKind::MotionTable, id)) {
            return;
        }
        let Some(table) = self.record::<MotionTable>(id) else { return };
        for animation in table.animations() {
            self.animation(animation);
        }
        self.loaded.library.add_table(id.0, table.to_core());
        self.loaded.tables.insert(id);
    }

    /// Loads a model and its own motion table. A repeated call, or a number of another kind, has no
    /// effect.
    pub fn setup(&mut self, id: RecordId) {
        // An entity may have a bare mesh as its model. It then has one part and no motions.
        if self.records.kind_of(id) != RecordKind::Setup || !self.tried.insert((RecordKind::Setup, id)) {
            return;
        }
        let Some(setup) = self.record::<Setup>(id) else { return };
        if setup.motion_table.0 != 0 {
            self.table(setup.motion_table);
        }
        self.loaded.library.add_model(id.0, setup.to_core());
        self.loaded.models.insert(id);
    }

    /// Returns the library and a report.
    pub fn finish(mut self) -> Loaded {
        self.loaded.animations = self.animations.len();
        for (id, animation) in self.animations {
            self.loaded.library.add_animation(id.0, animation);
        }
        self.loaded
    }

    fn animation(&mut self, id: RecordId) {
        if !self.tried.insert((RecordKind::Animation, id)) {
            return;
        }
        let parse = |cursor: &mut Cursor<'_>| Animation::parse_part(cursor, AnimationPart::Motion);
        let made = self
            .parsed(id, RecordKind::Animation, parse)
            .and_then(|animation| animation.to_core().map_err(|error| self.fault(error)).ok());
        if let Some(animation) = made {
            self.animations.insert(id, animation);
        }
    }

    fn record<R: Record>(&mut self, id: RecordId) -> Option<R> {
        self.parsed(id, R::KIND, R::parse)
    }

    /// Reads a record. Errors are added to the report.
    fn parsed<R>(
        &mut self,
        id: RecordId,
        kind: RecordKind,
        parse: impl FnOnce(&mut Cursor<'_>) -> Result<R, crate::RecordError>,
    ) -> Option<R> {
        match self.try_parsed(id, kind, parse) {
            Ok(record) => Some(record),
            Err(DatError::NotFound { id }) => {
                match kind {
                    RecordKind::Animation => self.loaded.missing_animations.insert(id),
                    _ => self.loaded.missing.insert(id),
                };
                None
            }
            Err(error) => {
                self.fault(error);
                None
            }
        }
    }

    fn fault(&mut self, error: DatError) {
        match error {
            DatError::NotFetched(missing) => {
                self.loaded.needs.insert(missing);
            }
            error if self.loaded.faults.len() < MAX_FAULTS => self.loaded.faults.push(error),
            _ => {}
        }
    }

    fn try_parsed<R>(
        &mut self,
        id: RecordId,
        kind: RecordKind,
        parse: impl FnOnce(&mut Cursor<'_>) -> Result<R, crate::RecordError>,
    ) -> Result<R, DatError> {
        if self.records.kind_of(id) != kind {
            return Err(DatError::Kind { id, wanted: kind });
        }
        let room = self.limit.saturating_sub(self.loaded.bytes);
        let full = DatError::LibraryFull { id, limit: self.limit };
        let bytes = self.records.record(id, room)?.ok_or(full)?;
        self.loaded.bytes += bytes.len();
        let wrong = |error| DatError::Record { id, error };
        let mut cursor = Cursor::new(&bytes);
        let record = parse(&mut cursor).map_err(wrong)?;
        cursor.check_echo(id, RecordId(le_u32(&bytes, 0))).map_err(wrong)?;
        Ok(record)
    }
}

impl<Source: ReadAt> LibraryLoader<'_, Archive<Source>> {
    /// Loads every motion table and every model.
    pub fn everything(&mut self) {
        for entry in self.records.entries() {
            match entry.map(|entry| (entry.id, self.records.kind_of(entry.id))) {
                Ok((id, RecordKind::MotionTable)) => self.table(id),
                Ok((id, RecordKind::Setup)) => self.setup(id),
                Ok(_) => {}
                Err(error) => self.fault(error),
            }
        }
    }
}

impl MotionTable {
    /// Converts the table to the core's type.
    pub fn to_core(&self) -> evenstride::animation::MotionTable {
        let mut table = evenstride::animation::MotionTable::new(MotionCommand(self.default_style));
        // The last of several entries with the same key wins, as in the client.
        for (style, motion) in &self.style_defaults {
            table.set_style_default(MotionCommand(*style), MotionCommand(*motion));
        }
        for motion in &self.cycles {
            table.set_cycle(motion.key, motion.to_core());
        }
        for motion in &self.modifiers {
            table.set_modifier(motion.key, motion.to_core());
        }
        // The same holds for a whole group of links.
        let groups: BTreeMap<u32, &LinkGroup> = self.links.iter().map(|group| (group.from, group)).collect();
        for group in groups.values() {
            for motion in &group.to {
                table.set_link(group.from, MotionCommand(motion.key), motion.to_core());
            }
        }
        table
    }
}

impl MotionData {
    fn to_core(&self) -> evenstride::animation::Motion {
        let clips = self.clips.iter().map(|clip| evenstride::animation::Clip {
            animation: clip.animation.0,
            low: clip.low,
            high: clip.high,
            rate: clip.rate,
        });
        let vector = |vector: Option<[f32; 3]>| Vec3::from_array(vector.unwrap_or_default());
        evenstride::animation::Motion {
            clips: clips.collect(),
            bits: self.bits,
            velocity: vector(self.velocity),
            omega: vector(self.omega),
        }
    }
}

impl Animation {
    /// Converts the root motion and hooks to the core's type.
    ///
    /// # Errors
    /// [`DatError`] if there are no keyframes, too many keyframes or hooks, or an invalid root
    /// frame.
    pub fn to_core(&self) -> Result<evenstride::animation::Animation, DatError> {
        let id = self.id;
        let root =
            self.root.iter().enumerate().map(|(frame, root)| {
                root.to_pose().map_err(|error| DatError::RootFrame { id, frame, error })
            });
        let root = root.collect::<Result<Vec<_>, _>>()?;
        let made = evenstride::animation::Animation::new(self.frames, root)
            .map_err(|error| DatError::Animation { id, error })?;
        let hooks = self.hooks.iter().filter_map(|(frame, hook)| {
            let direction = match hook.direction {
                HookDirection::Both => evenstride::animation::HookDirection::Both,
                HookDirection::Forward => evenstride::animation::HookDirection::Forward,
                HookDirection::Backward => evenstride::animation::HookDirection::Backward,
                HookDirection::Never(_) => return None,
            };
            let (kind, value) = (hook.action.kind(), hook.action.value());
            Some(evenstride::animation::Hook { frame: *frame, kind, direction, value })
        });
        made.with_hooks(hooks.collect()).map_err(|error| DatError::Animation { id, error })
    }
}

impl Setup {
    /// Converts the size and the model's own motion table to the core's type.
    pub const fn to_core(&self) -> Model {
        Model { motion_table: self.motion_table.0, radius: self.radius, height: self.height }
    }
}
