//! A growing pcap file that can be read at any moment.

use std::{
    fs::{self, File},
    io::{self, Write},
    net::SocketAddr,
    path::{Path, PathBuf},
};

use crate::{Clock, Tapped};
use evenstride_capture::PcapWriter;
use evenstride_relay::blank_login;

/// Whether the account and the password of logins are recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoginPrivacy {
    /// Both are blanked. The datagram keeps its length and gets a checksum that fits.
    #[default]
    Blank,
    /// Both are recorded as they are.
    Keep,
}

/// What to record, and where.
#[derive(Clone, Debug)]
pub struct RecordOptions {
    /// File to write. It must not exist, unless it is empty or a device.
    pub path: PathBuf,
    /// Largest number of bytes on disk, of which the newest half at least is always kept (default: no
    /// limit). The part before the present one is in a file with `.1` before its extension.
    pub ring: Option<u64>,
    /// Treatment of logins.
    pub login: LoginPrivacy,
    /// The lower port of the server.
    pub server: SocketAddr,
}

/// The reason why a recording cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file exists and would be lost.
    #[error("{}: exists already, and a recording would replace it; choose another name or remove it", .0.display())]
    Exists(PathBuf),
    /// The file cannot be written.
    #[error("{}: cannot be written: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// The path is a pipe or something else that could block.
    #[error("{}: is neither a file nor a device; name a file", .0.display())]
    NotAFile(PathBuf),
    /// Parts of a ring are renamed, which a device must not be.
    #[error("{}: is a device, and a ring needs a file; leave --ring out, or name a file", .0.display())]
    NoRing(PathBuf),
}

/// Bytes of the header of a file.
const HEADER_BYTES: u64 = 24;

/// Bytes that are collected before they are written.
const CHUNK: usize = 1 << 16;

/// Records what goes through a relay.
///
/// Only whole records are written. A failure ends the recording and not the caller: what was written
/// before stays readable.
#[derive(Debug)]
pub struct Recorder {
    options: RecordOptions,
    clock: Clock,
    file: Option<File>,
    waiting: PcapWriter<Vec<u8>>,
    /// Bytes in the present file.
    in_file: u64,
    /// Bytes in all files of this recording.
    written: u64,
    /// Datagrams on disk, and in `waiting`.
    records: u64,
    collected: u64,
    /// Datagrams that came after a failure, or were lost by it.
    missed: u64,
    failure: Option<String>,
}

impl Recorder {
    /// Starts a recording whose times count from `clock`.
    ///
    /// # Errors
    /// [`RecordError`] if the file exists, or cannot be written.
    pub fn create(options: RecordOptions, clock: Clock) -> Result<Self, RecordError> {
        let path = &options.path;
        let failed = |reason| RecordError::Write { path: path.clone(), reason };
        let existing = fs::metadata(path).ok();
        if existing.as_ref().is_some_and(|of| of.is_file() && of.len() > 0) {
            return Err(RecordError::Exists(path.clone()));
        }
        let is_link = fs::symlink_metadata(path).is_ok_and(|of| of.is_symlink());
        match &existing {
            Some(of) if of.is_dir() => return Err(failed(io::ErrorKind::IsADirectory.into())),
            Some(of) if !of.is_file() && !is_device(of) => return Err(RecordError::NotAFile(path.clone())),
            Some(of) if options.ring.is_some() && (!of.is_file() || is_link) => {
                return Err(RecordError::NoRing(path.clone()));
            }
            _ => {}
        }
        let older = older(path);
        if options.ring.is_some() && fs::metadata(&older).is_ok_and(|of| of.len() > 0) {
            return Err(RecordError::Exists(older));
        }
        let file = File::options()
            .write(true)
            .create(true)
            .truncate(existing.is_none())
            .open(path)
            .map_err(failed)?;
        let waiting = PcapWriter::new(Vec::new()).map_err(failed)?;
        let mut recorder = Self {
            options,
            clock,
            file: Some(file),
            waiting,
            in_file: 0,
            written: 0,
            records: 0,
            collected: 0,
            missed: 0,
            failure: None,
        };
        // The header shows at once whether the file can be written, and that something records.
        recorder.flush();
        Ok(recorder)
    }

    /// Adds a datagram. It is on disk after the next [`Self::flush`] at the latest.
    pub fn record(&mut self, tapped: &Tapped) {
        if self.file.is_none() {
            self.missed += 1;
            return;
        }
        let server = tapped.server_address(self.options.server);
        let (from, to) = if tapped.is_to_server { (tapped.client, server) } else { (server, tapped.client) };
        let is_blanked = self.options.login == LoginPrivacy::Blank && tapped.is_to_server;
        let blanked = if is_blanked { blank_login(&tapped.bytes) } else { None };
        let payload = blanked.as_deref().unwrap_or(&tapped.bytes);
        let time = self.clock.unix(tapped.time);
        // Memory takes everything but datagrams that no network delivers.
        if self.waiting.write_between(time, from, to, payload).is_ok() {
            self.collected += 1;
        }
        if self.waiting.get_mut().len() >= CHUNK {
            self.flush();
        }
    }

    /// Writes what waits. After a failure, the recording is over.
    pub fn flush(&mut self) {
        let chunk = std::mem::take(self.waiting.get_mut());
        let records = std::mem::take(&mut self.collected);
        if chunk.is_empty() {
            return;
        }
        self.turn_over(chunk.len() as u64);
        let Some(file) = self.file.as_mut() else {
            self.missed += records;
            return;
        };
        match file.write_all(&chunk) {
            Ok(()) => {
                self.in_file += chunk.len() as u64;
                self.written += chunk.len() as u64;
                self.records += records;
            }
            Err(error) => {
                self.missed += records;
                self.fail(&error);
            }
        }
    }

    /// Returns why the recording ended early, once.
    pub fn take_failure(&mut self) -> Option<String> {
        self.failure.take()
    }

    /// Returns whether the recording goes on.
    pub const fn is_recording(&self) -> bool {
        self.file.is_some()
    }

    /// Returns the number of datagrams that are not recorded because of a failure.
    pub const fn missed(&self) -> u64 {
        self.missed
    }

    /// Returns the file with the part before the present one, if there is one.
    pub fn older_path(&self) -> Option<PathBuf> {
        self.options.ring.map(|_| older(&self.options.path)).filter(|path| path.exists())
    }

    /// Returns the number of recorded datagrams, of all parts.
    pub const fn records(&self) -> u64 {
        self.records
    }

    /// Returns the number of bytes written.
    pub const fn bytes(&self) -> u64 {
        self.written
    }

    /// Returns the file.
    pub fn path(&self) -> &Path {
        &self.options.path
    }

    /// Starts the file again before it exceeds half of the ring. The part before it stays.
    fn turn_over(&mut self, bytes: u64) {
        let is_full = |ring: u64| self.in_file > HEADER_BYTES && self.in_file + bytes > ring / 2;
        if self.file.is_none() || !self.options.ring.is_some_and(is_full) {
            return;
        }
        self.file = None;
        let turned = fs::rename(&self.options.path, older(&self.options.path)).and_then(|()| {
            let mut file = File::create(&self.options.path)?;
            let header = PcapWriter::new(Vec::new())?.finish()?;
            file.write_all(&header)?;
            Ok((file, header.len() as u64))
        });
        match turned {
            Ok((file, length)) => {
                self.file = Some(file);
                self.in_file = length;
                self.written += length;
            }
            Err(error) => self.fail(&error),
        }
    }

    /// Ends the recording at the last whole record.
    fn fail(&mut self, error: &io::Error) {
        if let Some(file) = self.file.take() {
            // A device has no length, and then there is nothing to cut off.
            let _ = file.set_len(self.in_file);
        }
        self.failure = Some(format!(
            "{}: recording ended after {} datagrams: {error}; forwarding goes on",
            self.options.path.display(),
            self.records
        ));
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.flush();
    }
}

/// Returns whether something that is no file takes bytes without blocking, like `/dev/null`.
fn is_device(of: &fs::Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::FileTypeExt::is_char_device(&of.file_type());
    #[cfg(not(unix))]
    return !of.is_dir();
}

/// Returns the name of the part before the present one.
fn older(path: &Path) -> PathBuf {
    let extension = path.extension().map_or("pcap".into(), |of| of.to_string_lossy().into_owned());
    path.with_extension(format!("1.{extension}"))
}

#[cfg(test)]
mod tests {
    use evenstride_capture::{CapturedMessage, Fault, Listener, Session, read};
    use evenstride_session::Port;

    use super::*;

    fn tapped(bytes: Vec<u8>) -> Tapped {
        let client = SocketAddr::new([127, 0, 0, 1].into(), 50_000);
        Tapped { time: 1.0, client, port: Port::Lower, is_to_server: true, bytes }
    }

    fn options(path: PathBuf) -> RecordOptions {
        let server = SocketAddr::new([127, 0, 0, 1].into(), 9_000);
        RecordOptions { path, ring: None, login: LoginPrivacy::Blank, server }
    }

    struct Ignore;

    impl Listener for Ignore {
        fn message(&mut self, _: &CapturedMessage<'_>) {}

        fn fault(&mut self, _: Fault) {}
    }

    fn datagrams(path: &Path) -> u64 {
        let mut session = Session::new(Ignore);
        read(File::open(path).unwrap(), &mut session).unwrap();
        session.totals().datagrams
    }

    #[test]
    fn a_recording_can_be_read_while_it_grows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("live.pcap");
        let mut recorder = Recorder::create(options(path.clone()), Clock::start()).unwrap();
        assert_eq!(datagrams(&path), 0);
        for number in 1..=3 {
            recorder.record(&tapped(vec![0; 20]));
            recorder.flush();
            assert_eq!(datagrams(&path), number);
        }
        recorder.record(&tapped(vec![0; 20]));
        drop(recorder);
        assert_eq!(datagrams(&path), 4);
        let error = Recorder::create(options(path), Clock::start()).unwrap_err().to_string();
        assert!(error.contains("exists already"), "{error}");
    }

    #[test]
    fn a_ring_keeps_the_newest_records_within_its_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ring.pcap");
        let ring = Some(20_000);
        let mut recorder =
            Recorder::create(RecordOptions { ring, ..options(path.clone()) }, Clock::start()).unwrap();
        for _ in 0..1_000 {
            recorder.record(&tapped(vec![0; 100]));
            recorder.flush();
        }
        drop(recorder);
        let sizes = [&path, &older(&path)].map(|path| fs::metadata(path).unwrap().len());
        assert!(sizes.iter().sum::<u64>() <= 20_000, "{sizes:?}");
        assert!(datagrams(&path) + datagrams(&older(&path)) >= 60);
        assert_eq!(older(Path::new("a/b.pcap")), Path::new("a/b.1.pcap"));
    }

    #[cfg(unix)]
    #[test]
    fn a_ring_never_renames_a_device_and_pipes_are_refused() {
        let ring = Some(20_000);
        let error = Recorder::create(RecordOptions { ring, ..options("/dev/null".into()) }, Clock::start());
        assert!(matches!(error, Err(RecordError::NoRing(_))), "{error:?}");
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let error = Recorder::create(options(pipe), Clock::start());
        assert!(matches!(error, Err(RecordError::NotAFile(_))), "{error:?}");
        assert!(Recorder::create(options("/dev/null".into()), Clock::start()).is_ok());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_ends_the_recording_and_not_the_caller() {
        let mut recorder = Recorder::create(options("/dev/full".into()), Clock::start()).unwrap();
        assert!(!recorder.is_recording());
        let failure = recorder.take_failure().unwrap();
        assert!(failure.contains("forwarding goes on"), "{failure}");
        recorder.record(&tapped(vec![0; 20]));
        recorder.flush();
        assert_eq!((recorder.take_failure(), recorder.bytes()), (None, 0));
        assert_eq!((recorder.records(), recorder.missed()), (0, 1), "what is not on disk is not recorded");
    }
}
