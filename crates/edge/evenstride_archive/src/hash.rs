//! SHA-256 of files, also while they are read for another purpose.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use sha2::{Digest, Sha256};

/// A source whose bytes are hashed while they are read.
pub(crate) struct Hashed<R> {
    source: R,
    hasher: Sha256,
}

impl<R: Read> Hashed<R> {
    pub(crate) fn new(source: R) -> Self {
        Self { source, hasher: Sha256::new() }
    }

    /// Reads what remains, and returns the hash as 64 hexadecimal digits.
    pub(crate) fn finish(mut self) -> io::Result<String> {
        io::copy(&mut self, &mut io::sink())?;
        Ok(self.hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.hasher.update(&buffer[..read]);
        Ok(read)
    }
}

/// Returns the SHA-256 of a file, as 64 hexadecimal digits.
///
/// # Errors
/// If the file cannot be read.
pub fn hash_of(path: &Path) -> io::Result<String> {
    Hashed::new(File::open(path)?).finish()
}
