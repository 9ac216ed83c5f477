//! Rows as text.

use std::io::{self, Write};

use evenstride_types::EntityId;

use super::{
    TrackFormat,
    kept::{KeptRow, write_beginning},
    micros,
    roster::Roster,
};
use crate::replay::{Frame, Heard, ReplayObserver, Still};

/// Rows that were written.
#[derive(Debug)]
pub struct WrittenTrack<W> {
    /// Number of rows.
    pub rows: u64,
    /// Number of rows that exceeded the size limit.
    pub left_out: u64,
    /// The output.
    pub out: W,
}

/// Writes rows during a replay, in large blocks. [`finish`](Self::finish) writes the last block.
#[derive(Debug)]
pub struct TrackWriter<W> {
    out: W,
    format: TrackFormat,
    roster: Roster,
    /// Text of the last row about each entity, by the number of its seat.
    kept: Vec<KeptRow>,
    /// Text that is not written yet.
    block: Vec<u8>,
    /// Beginning of every row of the present frame.
    beginning: Vec<u8>,
    /// Number of bytes written so far.
    written: u64,
    rows: u64,
    /// Size in bytes from which on rows are left out.
    limit: u64,
    left_out: u64,
    error: Option<io::Error>,
}

const NAMES: &str = "time,entity,cell,x,y,z,qw,qx,qy,qz,drawn_cell,drawn_x,drawn_y,drawn_z,drawn_qw,drawn_qx,drawn_qy,drawn_qz,vx,vy,vz,moved_by,route,last_update\n";

/// Number of bytes from which on a block is written. A block may exceed it by a row.
const BLOCK_BYTES: usize = 1 << 16;

impl<W: Write> TrackWriter<W> {
    /// Creates a writer to `out`. It writes the given entities, or all if there are none.
    pub fn new(out: W, format: TrackFormat, only: impl IntoIterator<Item = EntityId>) -> Self {
        let mut block = Vec::with_capacity(BLOCK_BYTES + 1024);
        if format == TrackFormat::Csv {
            block.extend_from_slice(NAMES.as_bytes());
        }
        Self {
            out,
            format,
            roster: Roster::new(only),
            kept: Vec::new(),
            block,
            beginning: Vec::new(),
            written: 0,
            rows: 0,
            limit: u64::MAX,
            left_out: 0,
            error: None,
        }
    }

    /// Leaves out all rows after `bytes` bytes. The last row is always complete.
    #[must_use]
    pub const fn with_limit(mut self, bytes: u64) -> Self {
        self.limit = bytes;
        self
    }

    /// Writes the last block and flushes the output.
    ///
    /// # Errors
    /// The first error that occurred while writing.
    pub fn finish(mut self) -> io::Result<WrittenTrack<W>> {
        if let Some(error) = self.error {
            return Err(error);
        }
        self.out.write_all(&self.block)?;
        self.out.flush()?;
        Ok(WrittenTrack { rows: self.rows, left_out: self.left_out, out: self.out })
    }

    /// Writes a row for every body in the roster.
    fn write(&mut self, time: f64) -> io::Result<()> {
        self.beginning.clear();
        write_beginning(&mut self.beginning, self.format, micros(time));
        for (body, (seat, update)) in self.roster.bodies().zip(self.roster.seats()) {
            if self.written + self.block.len() as u64 >= self.limit {
                self.left_out += 1;
                continue;
            }
            let number = seat.number as usize;
            if number >= self.kept.len() {
                self.kept.resize_with(number + 1, || KeptRow::new(self.format, seat.entity));
            }
            let kept = &mut self.kept[number];
            if kept.entity != seat.entity {
                *kept = KeptRow::new(self.format, seat.entity);
            }
            self.block.extend_from_slice(&self.beginning);
            self.block.extend_from_slice(kept.text(body, update));
            self.rows += 1;
            if self.block.len() >= BLOCK_BYTES {
                self.out.write_all(&self.block)?;
                self.written += self.block.len() as u64;
                self.block.clear();
            }
        }
        Ok(())
    }
}

impl<W: Write> ReplayObserver for TrackWriter<W> {
    fn heard(&mut self, heard: &Heard<'_>) {
        self.roster.hear(heard);
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        if self.error.is_none() {
            self.roster.fetch(frame);
            self.error = self.write(frame.time).err();
        }
    }

    fn still(&mut self, still: &Still<'_>) {
        let mut frames = still.frames();
        frames.next().iter().for_each(|frame| self.frame(frame));
        // All bodies are as in the first frame.
        for frame in frames {
            if self.error.is_none() {
                self.error = self.write(frame.time).err();
            }
        }
    }
}
