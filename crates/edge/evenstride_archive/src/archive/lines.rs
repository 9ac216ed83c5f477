//! Appends whole lines to a file, and never a line after a part of one.

use std::{
    fs::File,
    io::{self, Seek, SeekFrom, Write},
};

/// A file that lines are added to.
#[derive(Debug)]
pub(super) struct Lines<F> {
    file: F,
    /// Size in bytes of all whole lines.
    whole: u64,
    /// Whether a line could not be written. Further ones are then refused.
    is_broken: bool,
}

/// What lines need of a file.
pub(super) trait LineFile {
    /// Writes at the end of the file.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Cuts the file, and goes on at its new end.
    fn cut(&mut self, bytes: u64) -> io::Result<()>;

    /// Waits until everything so far survives a loss of power.
    fn sync(&mut self) -> io::Result<()>;
}

impl LineFile for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn cut(&mut self, bytes: u64) -> io::Result<()> {
        self.set_len(bytes)?;
        self.seek(SeekFrom::End(0)).map(|_| ())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

impl<F: LineFile> Lines<F> {
    /// Creates the writer of a file whose first `whole` bytes are whole lines.
    pub(super) const fn new(file: F, whole: u64) -> Self {
        Self { file, whole, is_broken: false }
    }

    /// Adds a line with one call, so that a killed run leaves whole lines or a part of the last one.
    ///
    /// A full disk may take a part of a line. The part is removed, and no line is added after it, because
    /// other threads may free space in the meantime.
    pub(super) fn add(&mut self, mut line: Vec<u8>) -> io::Result<()> {
        if self.is_broken {
            return Err(io::Error::other("an earlier line of the manifest could not be written"));
        }
        line.push(b'\n');
        if let Err(error) = self.file.append(&line) {
            self.is_broken = true;
            // If this fails too, the next run removes the part.
            let _ = self.file.cut(self.whole);
            return Err(error);
        }
        self.whole += line.len() as u64;
        Ok(())
    }

    /// Removes what follows the last whole line.
    pub(super) fn cut(&mut self) -> io::Result<()> {
        self.file.cut(self.whole)
    }

    /// Waits until all lines survive a loss of power.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        self.file.sync()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file on a disk with room for some more bytes.
    struct SmallDisk<'a> {
        text: &'a mut Vec<u8>,
        room: usize,
    }

    impl LineFile for SmallDisk<'_> {
        fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
            let taken = bytes.len().min(self.room);
            self.text.extend_from_slice(&bytes[..taken]);
            self.room -= taken;
            if taken < bytes.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }

        fn cut(&mut self, bytes: u64) -> io::Result<()> {
            self.text.truncate(bytes as usize);
            Ok(())
        }

        fn sync(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_leaves_no_part_of_a_line_and_no_line_after_it() {
        let mut text = Vec::new();
        let mut lines = Lines::new(SmallDisk { text: &mut text, room: 9 }, 0);
        lines.add(b"first".to_vec()).unwrap();
        assert_eq!(lines.add(b"second".to_vec()).unwrap_err().kind(), io::ErrorKind::StorageFull);
        // Another job removes its temporary files.
        lines.file.room = 100;
        assert!(lines.add(b"third".to_vec()).is_err());
        assert_eq!(text, b"first\n");
    }
}
