//! Captures that are still being written, as sources for [`evenstride_capture::read`].

use std::{
    fs::File,
    io::{self, ErrorKind, Read},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, sync_channel},
    },
    thread,
    time::Duration,
};

/// Time for which a source waits for more.
const WAIT: Duration = Duration::from_millis(15);

/// Number of parts of a pipe that wait. A pipe that is read slowly slows its writer down.
const MAX_PARTS: usize = 64;

/// Size of a part in bytes.
const PART_BYTES: usize = 1 << 16;

/// A pipe, such as standard input, that is read on a thread of its own.
#[derive(Debug)]
pub struct Pipe {
    parts: Receiver<io::Result<Vec<u8>>>,
    part: Vec<u8>,
    used: usize,
    is_ending: Arc<AtomicBool>,
}

impl Pipe {
    /// Opens a pipe and begins to read, both on another thread. The source ends when the pipe does, or when
    /// `is_ending` is set.
    pub fn new<R: Read>(
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
        is_ending: Arc<AtomicBool>,
    ) -> Self {
        let (sender, parts) = sync_channel(MAX_PARTS);
        thread::spawn(move || {
            let mut source = match open() {
                Ok(source) => source,
                Err(error) => return drop(sender.send(Err(error))),
            };
            let mut part = vec![0; PART_BYTES];
            loop {
                let read = match source.read(&mut part) {
                    Ok(0) => return,
                    Ok(length) => Ok(part[..length].to_vec()),
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let is_over = read.is_err();
                if sender.send(read).is_err() || is_over {
                    return;
                }
            }
        });
        Self { parts, part: Vec::new(), used: 0, is_ending }
    }
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.used == self.part.len() {
            if self.is_ending.load(Ordering::Relaxed) {
                return Ok(0);
            }
            self.part = match self.parts.recv_timeout(WAIT) {
                Ok(part) => part?,
                Err(RecvTimeoutError::Timeout) => return Err(ErrorKind::WouldBlock.into()),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            };
            self.used = 0;
        }
        let length = buffer.len().min(self.part.len() - self.used);
        buffer[..length].copy_from_slice(&self.part[self.used..self.used + length]);
        self.used += length;
        Ok(length)
    }
}

/// Why a followed file has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileEnd {
    /// The end was requested.
    Asked,
    /// Another file has taken its place.
    Replaced,
    /// It has become shorter.
    Cut,
}

/// A file that grows. It ends when another file takes its place, when it becomes shorter, or when
/// `is_ending` is set.
#[derive(Debug)]
pub struct FollowedFile {
    path: PathBuf,
    file: File,
    offset: u64,
    end: FileEnd,
    is_ending: Arc<AtomicBool>,
}

impl FollowedFile {
    /// Opens a file.
    ///
    /// # Errors
    /// The system's error.
    pub fn open(path: PathBuf, is_ending: Arc<AtomicBool>) -> io::Result<Self> {
        let file = File::open(&path)?;
        Ok(Self { path, file, offset: 0, end: FileEnd::Asked, is_ending })
    }

    /// Returns why it has ended.
    pub const fn end(&self) -> FileEnd {
        self.end
    }

    /// Goes on with the beginning of the file that has its name now.
    ///
    /// # Errors
    /// The system's error.
    pub fn reopen(&mut self) -> io::Result<()> {
        self.file = File::open(&self.path)?;
        (self.offset, self.end) = (0, FileEnd::Asked);
        Ok(())
    }

    /// Returns whether another file has taken its place, or whether it was cut. While there is no file of
    /// that name, another one may still come.
    fn ending(&self) -> Option<FileEnd> {
        let (Ok(now), Ok(own)) = (std::fs::metadata(&self.path), self.file.metadata()) else { return None };
        if own.len() < self.offset {
            return Some(FileEnd::Cut);
        }
        is_other(&now, &own).then_some(FileEnd::Replaced)
    }
}

impl Read for FollowedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Looked at before reading, so what was written before another file took over is read first.
        let ending = self.ending();
        let length = self.file.read(buffer)?;
        self.offset += length as u64;
        if length > 0 || buffer.is_empty() {
            return Ok(length);
        }
        if self.is_ending.load(Ordering::Relaxed) {
            return Ok(0);
        }
        if let Some(ending) = ending {
            self.end = ending;
            return Ok(0);
        }
        thread::sleep(WAIT);
        Err(ErrorKind::WouldBlock.into())
    }
}

#[cfg(unix)]
fn is_other(one: &std::fs::Metadata, other: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) != (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_other(one: &std::fs::Metadata, other: &std::fs::Metadata) -> bool {
    one.created().ok() != other.created().ok()
}
