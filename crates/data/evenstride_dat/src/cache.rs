//! A cache of records.

use std::{any::Any, collections::BTreeMap, sync::Arc};

use crate::{Archive, DatError, ReadAt, Record, RecordId};

/// Default limit of a cache in bytes (64 MiB).
pub const DEFAULT_CACHE_BYTES: usize = 64 << 20;

/// An archive whose records are read once and shared. If there is no room left, the least recently
/// used record is dropped. Callers that hold a dropped record keep it.
///
/// The cache keeps at most [`RecordCache::limit`] bytes of records, and about 200 bytes of its own
/// per record.
#[derive(Debug)]
pub struct RecordCache<Source> {
    archive: Archive<Source>,
    limit: usize,
    used: usize,
    /// Number of requests so far.
    clock: u64,
    records: BTreeMap<RecordId, Kept>,
    by_age: BTreeMap<u64, RecordId>,
}

#[derive(Debug)]
struct Kept {
    record: Arc<dyn Any + Send + Sync>,
    weight: usize,
    asked: u64,
}

impl<Source: ReadAt> RecordCache<Source> {
    /// Creates a cache that keeps at most `limit` bytes.
    pub const fn new(archive: Archive<Source>, limit: usize) -> Self {
        Self { archive, limit, used: 0, clock: 0, records: BTreeMap::new(), by_age: BTreeMap::new() }
    }

    /// Returns the archive.
    pub const fn archive(&self) -> &Archive<Source> {
        &self.archive
    }

    /// Returns the archive mutably, for example to add pieces to a [`Fetched`](crate::Fetched).
    pub const fn archive_mut(&mut self) -> &mut Archive<Source> {
        &mut self.archive
    }

    /// Returns the limit in bytes.
    pub const fn limit(&self) -> usize {
        self.limit
    }

    /// Returns the number of bytes in use.
    pub const fn used(&self) -> usize {
        self.used
    }

    /// Returns the number of records in the cache.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns whether the cache is empty.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns a record from the cache, or reads it. A record larger than the limit is not cached.
    ///
    /// # Errors
    /// [`DatError`] as in [`Archive::read`]. Failures are not cached.
    pub fn get<R: Record + Send + Sync + 'static>(&mut self, id: RecordId) -> Result<Arc<R>, DatError> {
        self.clock += 1;
        if let Some(kept) = self.records.get_mut(&id) {
            let wrong = DatError::Kind { id, wanted: R::KIND };
            let record = Arc::clone(&kept.record).downcast().map_err(|_| wrong)?;
            self.by_age.remove(&kept.asked);
            kept.asked = self.clock;
            self.by_age.insert(self.clock, id);
            return Ok(record);
        }
        let record: R = self.archive.read(id)?;
        let weight = record.weight();
        let record = Arc::new(record);
        if weight > self.limit {
            return Ok(record);
        }
        while self.used + weight > self.limit {
            let Some((_, oldest)) = self.by_age.pop_first() else { break };
            self.used -= self.records.remove(&oldest).map_or(0, |kept| kept.weight);
        }
        let kept = Kept { record: Arc::clone(&record) as _, weight, asked: self.clock };
        self.records.insert(id, kept);
        self.by_age.insert(self.clock, id);
        self.used += weight;
        Ok(record)
    }
}
