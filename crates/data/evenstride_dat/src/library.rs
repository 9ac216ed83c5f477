//! From records to what the core plays.

use std::collections::{BTreeMap, BTreeSet};

use evenstride::animation::{Model, MotionLibrary};
use evenstride_types::{Vec3, update::MotionCommand};

use crate::{
    Animation, AnimationPart, Archive, Cursor, DatError, HookDirection, LinkGroup, MAX_FAULTS, MotionData,
    MotionTable, NotFetched, ReadAt, Record, RecordId, RecordKind, RecordSource, Setup, error::le_u32,
};

/// Most bytes of records that are made into one library, before they are. The game's whole archive has less that moves.
pub const MAX_LIBRARY_BYTES: usize = 512 << 20;

/// Puts motion tables of an archive, with the animations they play, and models beside what a library has already.
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
/// loader.table(RecordId(0x0900_0001)); // or `everything()`, or what create messages name: `setup(…)`, `table(…)`
/// let loaded = loader.finish();
/// assert!(loaded.faults.is_empty() && loaded.missing.is_empty());
///
/// let mut world = MotionWorld::new(Config::SMOOTH, SimTime::ZERO);
/// world.set_library(Arc::new(loaded.library));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// What cannot be read is left out, and told in [`Loaded::faults`]. Whoever has a table that is left out falls back to what is built in; a
/// table of which only animations are left out is played without those.
///
/// Records need not come from an archive. [`RecordCallback`](crate::RecordCallback) asks the host for the bytes of each.
#[derive(Debug)]
pub struct LibraryLoader<'a, Records> {
    records: &'a Records,
    limit: usize,
    loaded: Loaded,
    /// Added to the library at the end, in order: a library is a sorted list.
    animations: BTreeMap<RecordId, evenstride::animation::Animation>,
    /// Everything that was looked for, whatever came of it.
    tried: BTreeSet<(RecordKind, RecordId)>,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// What the core plays.
    pub library: MotionLibrary,
    /// Motion tables that were loaded.
    pub tables: BTreeSet<RecordId>,
    /// Models that were loaded.
    pub models: BTreeSet<RecordId>,
    /// Motion tables and models that the archive does not have: what is built in takes their place.
    pub missing: BTreeSet<RecordId>,
    /// Animations that the archive does not have: they are left out, and a motion without any goes round with what led to it.
    pub missing_animations: BTreeSet<RecordId>,
    /// What could not be read, the first thousand of it.
    pub faults: Vec<DatError>,
    /// What has to be fetched first (see [`Fetched`](crate::Fetched)): then load once more, beginning with this library.
    pub needs: BTreeSet<NotFetched>,
    /// Animations that were loaded.
    pub animations: usize,
    /// Bytes of records that were read.
    pub bytes: usize,
}

impl<'a, Records: RecordSource> LibraryLoader<'a, Records> {
    /// Begins with what is there: usually [`MotionLibrary::built_in`].
    pub fn new(records: &'a Records, library: MotionLibrary) -> Self {
        let loaded = Loaded { library, ..Loaded::default() };
        let (animations, tried) = (BTreeMap::new(), BTreeSet::new());
        Self { records, limit: MAX_LIBRARY_BYTES, loaded, animations, tried }
    }

    /// With another bound than [`MAX_LIBRARY_BYTES`].
    #[must_use]
    pub const fn limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// Loads a motion table and the animations it plays. Asked twice, it is loaded once.
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

    /// Loads a model, and the motion table it has of its own.
    pub fn setup(&mut self, id: RecordId) {
        // Something may be made of a bare mesh: then it has one part and no motions.
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

    /// What came of it.
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

    /// Reads a record; what goes wrong is remembered.
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
    /// The same for the core.
    pub fn to_core(&self) -> evenstride::animation::MotionTable {
        let mut table = evenstride::animation::MotionTable::new(MotionCommand(self.default_style));
        // Of two with the same key the last wins, as in the client.
        for (style, motion) in &self.style_defaults {
            table.set_style_default(MotionCommand(*style), MotionCommand(*motion));
        }
        for motion in &self.cycles {
            table.set_cycle(motion.key, motion.to_core());
        }
        for motion in &self.modifiers {
            table.set_modifier(motion.key, motion.to_core());
        }
        // So does a whole group of links.
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
    /// The same for the core: how it moves the root, and what happens.
    ///
    /// # Errors
    /// [`DatError`] when it has no keyframes or too many, or carries the root to where nothing is.
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
    /// The same for the core: how large it is, and which motion table it has of its own.
    pub const fn to_core(&self) -> Model {
        Model { motion_table: self.motion_table.0, radius: self.radius, height: self.height }
    }
}
