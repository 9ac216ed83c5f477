//! Where rows go once there are enough of them.

use crate::{batch::Batch, error::TableError, table::TableSpec};

/// Takes rows in groups.
pub trait BatchSink {
    /// Returns the number of rows from which on a batch is taken. [`usize::MAX`] means never.
    fn group_rows(&self) -> usize;

    /// Takes all rows out of a batch.
    ///
    /// # Errors
    /// If they cannot be written.
    fn take(&mut self, batch: &mut Batch) -> Result<(), TableError>;
}

/// Leaves all rows in memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct InMemory;

impl BatchSink for InMemory {
    fn group_rows(&self) -> usize {
        usize::MAX
    }

    fn take(&mut self, _: &mut Batch) -> Result<(), TableError> {
        Ok(())
    }
}

/// A batch, and the sink that takes it whenever it is full.
#[derive(Debug)]
pub(crate) struct Filling<S> {
    pub(crate) batch: Batch,
    sink: S,
    /// Number of rows so far.
    rows: u64,
    /// Most rows in all.
    limit: u64,
    left_out: u64,
    error: Option<TableError>,
}

impl<S: BatchSink> Filling<S> {
    pub(crate) fn new(spec: &'static TableSpec, sink: S) -> Self {
        Self { batch: Batch::new(spec), sink, rows: 0, limit: MAX_ROWS, left_out: 0, error: None }
    }

    pub(crate) const fn with_limit(mut self, rows: u64) -> Self {
        self.limit = rows;
        self
    }

    /// Returns how many of `rows` may be added. The others are counted as left out.
    pub(crate) fn admit(&mut self, rows: usize) -> usize {
        let room = if self.error.is_some() { 0 } else { self.limit - self.rows };
        let admitted = (rows as u64).min(room);
        self.rows += admitted;
        self.left_out += rows as u64 - admitted;
        admitted as usize
    }

    /// Returns whether rows were left out. All further ones are, too.
    pub(crate) const fn leaves_out(&self) -> bool {
        self.left_out > 0 || self.error.is_some()
    }

    /// Counts rows as left out.
    pub(crate) const fn leave_out(&mut self, rows: u64) {
        self.left_out = self.left_out.saturating_add(rows);
    }

    /// Hands the rows on if there are enough.
    pub(crate) fn settle(&mut self) {
        if self.batch.rows() >= self.sink.group_rows() && self.error.is_none() {
            self.error = self.sink.take(&mut self.batch).err();
        }
    }

    /// Hands the last rows on, and returns the sink and what remains in memory.
    pub(crate) fn finish(mut self) -> Result<Filled<S>, TableError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        if self.batch.rows() > 0 {
            self.sink.take(&mut self.batch)?;
        }
        Ok(Filled { sink: self.sink, batch: self.batch, rows: self.rows, left_out: self.left_out })
    }
}

/// A finished table.
#[derive(Debug)]
pub struct Filled<S> {
    /// The sink, which has got all rows.
    pub sink: S,
    /// The rows, if the sink leaves them in memory.
    pub batch: Batch,
    /// Number of rows.
    pub rows: u64,
    /// Number of rows beyond the limit.
    pub left_out: u64,
}

/// Most rows of a table. A capture of a few kilobytes may be silent for days, and has a row for every
/// frame of them.
pub const MAX_ROWS: u64 = 200_000_000;
