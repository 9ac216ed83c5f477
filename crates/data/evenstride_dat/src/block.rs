//! Blocks, which form the chains of records. Each block begins with a link to the next.

use std::collections::BTreeMap;

use crate::{
    DatError, ReadAt,
    error::{ChainOwner, le_u32, read_bytes},
    header::FIRST_BLOCK,
};

/// Bit in the link of a free block.
pub(crate) const FREE: u32 = 0x8000_0000;

/// Largest number of blocks in the first read of a chain. A directory node takes no more.
///
/// Most chains are contiguous, so several blocks are read at once. Each read takes twice as many
/// blocks as were contiguous in the read before.
const FIRST_RUN_BLOCKS: usize = 8;
/// Largest number of bytes in the first read of a chain.
const FIRST_RUN_BYTES: usize = 4 << 10;
/// Largest number of bytes in one read.
const RUN_BYTES: usize = 64 << 10;

/// A fault in a block of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChainFault {
    /// The block extends beyond the end of the file.
    #[error("it reaches beyond the end of the file")]
    Outside,
    /// The block lies in the header.
    #[error("it lies in the header")]
    InHeader,
    /// The offset is not the beginning of a block.
    #[error("no block begins there")]
    Misaligned,
    /// The block is free.
    #[error("it is free")]
    Free,
    /// The block should be free, but is not.
    #[error("it is not free")]
    NotFree,
    /// The block is the last of its chain, but bytes are missing.
    #[error("it is the last one, but {missing} bytes are missing")]
    EndsEarly {
        /// Number of missing bytes.
        missing: usize,
    },
    /// The block appears twice in the same chain.
    #[error("it is in the chain twice, so the chain is circular")]
    Loops,
    /// The block also belongs to another chain.
    #[error("it also belongs to another chain")]
    Shared,
}

/// The blocks of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocks<'a, Source> {
    pub(crate) source: &'a Source,
    pub(crate) file_size: u64,
    pub(crate) block_size: u32,
}

impl<Source: ReadAt> Blocks<'_, Source> {
    /// Reads a chain of `size` bytes.
    pub(crate) fn chain(&self, owner: ChainOwner, first: u32, size: usize) -> Result<Vec<u8>, DatError> {
        let mut seen = Seen::default();
        self.claimed_chain(owner, first, size, &mut |at| seen.add(at, self.block_size))
    }

    /// Reads a chain of `size` bytes. `claim` is called for each block before its bytes are used.
    pub(crate) fn claimed_chain(
        &self,
        owner: ChainOwner,
        first: u32,
        size: usize,
        claim: &mut impl FnMut(u32) -> Result<(), ChainFault>,
    ) -> Result<Vec<u8>, DatError> {
        let block_size = self.block_size as usize;
        let payload = block_size - 4;
        if size == 0 {
            // An empty record has no bytes to read, but may have a block.
            let claimed = if first == 0 { Ok(()) } else { claim(first) };
            return claimed.map(|()| Vec::new()).map_err(|fault| DatError::Chain {
                owner,
                nth: 0,
                block: first,
                fault,
            });
        }
        // A size in the file is not trusted for allocation. The buffer grows with the bytes that
        // are read.
        let mut out = Vec::with_capacity(size.min(RUN_BYTES));
        let mut run = Vec::new();
        let (mut at, mut nth, mut left) = (first, 0u32, size);
        let mut blocks_at_once = (FIRST_RUN_BYTES / block_size).clamp(1, FIRST_RUN_BLOCKS);
        loop {
            let fault = |fault| DatError::Chain { owner, nth, block: at, fault };
            self.check_place(at, left.min(payload)).map_err(fault)?;
            // Claimed before reading, so that a rejected block is not read.
            claim(at).map_err(fault)?;
            let in_file = usize::try_from(self.file_size - u64::from(at)).unwrap_or(usize::MAX);
            let blocks = left.div_ceil(payload).clamp(1, blocks_at_once);
            let wanted = (blocks * block_size).min(left.saturating_add(blocks * 4));
            run.resize(wanted.min(in_file), 0);
            read_bytes(self.source, u64::from(at), &mut run)?;

            let before = nth;
            for (place, block) in run.chunks(block_size).enumerate() {
                let fault = |fault| DatError::Chain { owner, nth, block: at, fault };
                let bytes = left.min(payload);
                // The file ends within this block. The next round reports it.
                let Some(content) = block.get(4..4 + bytes) else { break };
                if place > 0 {
                    claim(at).map_err(fault)?;
                }
                let link = le_u32(block, 0);
                if link & FREE != 0 {
                    return Err(fault(ChainFault::Free));
                }
                out.extend_from_slice(content);
                left -= bytes;
                if left == 0 {
                    return Ok(out);
                }
                if link == 0 {
                    return Err(fault(ChainFault::EndsEarly { missing: left }));
                }
                nth += 1;
                let is_next = link == at.wrapping_add(self.block_size);
                at = link;
                if !is_next {
                    break;
                }
            }
            // Twice the number of contiguous blocks. A scattered chain is read two blocks at a
            // time.
            let went_well = (nth - before) as usize;
            blocks_at_once = (went_well * 2).clamp(1, (RUN_BYTES / block_size).max(1));
        }
    }

    /// Checks that a block may begin at this offset and has this many bytes.
    fn check_place(&self, at: u32, bytes: usize) -> Result<(), ChainFault> {
        match at {
            0..FIRST_BLOCK => Err(ChainFault::InHeader),
            // Offsets have 31 bits.
            FREE.. => Err(ChainFault::Outside),
            _ if u64::from(at) + 4 + bytes as u64 > self.file_size => Err(ChainFault::Outside),
            _ => Ok(()),
        }
    }
}

/// The blocks that a chain has passed, as runs of neighbours. Most chains are a single run, which
/// costs nothing.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The current run, from its first byte to past its last byte. Offsets are wide enough not to
    /// wrap.
    run: Option<(u64, u64)>,
    /// Start of the next recorded run after the current one, into which it may grow.
    limit: Option<u64>,
    /// Earlier runs.
    runs: BTreeMap<u64, u64>,
}

impl Seen {
    pub(crate) fn add(&mut self, at: u32, block_size: u32) -> Result<(), ChainFault> {
        let (start, end) = (u64::from(at), u64::from(at) + u64::from(block_size));
        if self.limit.is_some_and(|limit| start < limit && end > limit) {
            return Err(ChainFault::Loops);
        }
        match &mut self.run {
            Some((_, past)) if *past == start && self.limit.is_none_or(|limit| end <= limit) => {
                *past = end;
                return Ok(());
            }
            Some((first, past)) => {
                self.runs.insert(*first, *past);
            }
            None => {}
        }
        let before = self.runs.range(..end).next_back();
        if before.is_some_and(|(_, past)| *past > start) {
            return Err(ChainFault::Loops);
        }
        self.limit = self.runs.range(end..).next().map(|(first, _)| *first);
        self.run = Some((start, end));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_never_seen_twice() {
        let mut seen = Seen::default();
        for at in [0x400, 0x800, 0x2000, 0x1C00, 0xC00, 0x2400] {
            assert_eq!(seen.add(at, 0x400), Ok(()), "{at:X}");
        }
        for at in [0x400, 0x800, 0xC00, 0x1C00, 0x2000, 0x2400, 0x600, 0x1A00] {
            let mut seen = Seen { run: seen.run, limit: seen.limit, runs: seen.runs.clone() };
            assert_eq!(seen.add(at, 0x400), Err(ChainFault::Loops), "{at:X}");
        }
        assert_eq!(seen.add(0x1000, 0x400), Ok(()));
        assert_eq!(seen.add(0x1400, 0x400), Ok(()));
        assert_eq!(seen.add(0x1800, 0x400), Ok(()));
        assert_eq!(seen.add(0x1C00, 0x400), Err(ChainFault::Loops), "grows into another run");
    }
}
