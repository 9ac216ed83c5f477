//! A process that is asked on standard input, and whose output is read within bounds.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

use crate::group::{Stopper, has_exited, shell};

/// Largest length of a line that is read, in bytes. The longest answer of a trace has 12,000.
pub(crate) const MAX_LINE_BYTES: usize = 1 << 20;

/// Largest number of lines that wait. A program that writes more must wait itself.
const MAX_WAITING_LINES: usize = 8;

/// Number of bytes of standard error that are kept, from its end.
const LAST_WORDS_BYTES: usize = 1_000;

/// Time for a program to end by itself once its input is closed.
const FAREWELL: Duration = Duration::from_millis(500);

/// A running program. It is ended when this value is dropped, with every program in its group.
#[derive(Debug)]
pub(crate) struct Program {
    child: Child,
    stopper: Stopper,
    /// Lines on their way to the program. `None` once its input is closed.
    to: Option<Sender<String>>,
    from: Receiver<Line>,
    last_words: Arc<Mutex<Vec<u8>>>,
    has_said_all: Receiver<()>,
}

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line without its end.
    Text(Vec<u8>),
    /// A line that is longer than [`MAX_LINE_BYTES`]. Nothing more is read.
    TooLong,
}

/// Why there is no line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// The time is over.
    Hung,
    /// The output is closed.
    Ended,
}

impl Program {
    /// Starts a command with the system's shell.
    pub(crate) fn start(command: &str, stopper: &Stopper) -> std::io::Result<Self> {
        let mut shell = shell(command);
        let pipes = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = stopper.spawn(pipes)?;
        let missing = || std::io::Error::other("no pipe");
        let mut input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let complaints = child.stderr.take().ok_or_else(missing)?;
        let (to, lines) = mpsc::channel::<String>();
        // A program that does not read must not stop the referee, so another thread writes.
        thread::spawn(move || {
            for line in lines {
                if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
                    break;
                }
            }
        });
        let (found, from) = mpsc::sync_channel(MAX_WAITING_LINES);
        thread::spawn(move || read_lines(output, &found));
        let last_words = Arc::new(Mutex::new(Vec::new()));
        let (all_said, has_said_all) = mpsc::channel();
        let kept = Arc::clone(&last_words);
        thread::spawn(move || {
            keep_end(complaints, &kept);
            let _ = all_said.send(());
        });
        let stopper = stopper.clone();
        Ok(Self { child, stopper, to: Some(to), from, last_words, has_said_all })
    }

    /// Hands a line to the program. It may not have read earlier ones yet.
    pub(crate) fn write(&self, line: String) {
        // A program that has ended is noticed when its answer is missing.
        let _ = self.to.as_ref().map(|to| to.send(line));
    }

    /// Closes the program's input after the lines that it was handed.
    pub(crate) fn close_input(&mut self) {
        self.to = None;
    }

    /// Waits for the next line of the program.
    pub(crate) fn read(&self, until: Instant) -> Result<Line, Silence> {
        let left = until.saturating_duration_since(Instant::now());
        self.from.recv_timeout(left).map_err(|why| match why {
            RecvTimeoutError::Timeout => Silence::Hung,
            RecvTimeoutError::Disconnected => Silence::Ended,
        })
    }

    /// Returns how the program ended, and its last words.
    pub(crate) fn end(&mut self) -> (String, String) {
        let status = if self.waits_for_its_end() { self.stopper.end(&mut self.child) } else { None };
        let how = status.map_or_else(|| "closed its output".to_owned(), |status| format!("ended ({status})"));
        let _ = self.has_said_all.recv_timeout(Duration::from_millis(100));
        let said = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        (how, String::from_utf8_lossy(&said).trim().to_owned())
    }

    /// Waits until the program ends by itself. Returns whether it did.
    fn waits_for_its_end(&mut self) -> bool {
        let until = Instant::now() + FAREWELL;
        while !has_exited(&mut self.child) {
            if Instant::now() >= until {
                return false;
            }
            thread::sleep(Duration::from_millis(2));
        }
        true
    }

    /// Ends the program at once.
    pub(crate) fn kill(&mut self) {
        self.stopper.end(&mut self.child);
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.close_input();
        // A program that still writes is not read any more, which ends most programs.
        drop(std::mem::replace(&mut self.from, mpsc::channel().1));
        self.waits_for_its_end();
        self.kill();
    }
}

/// Reads lines until the end of the output, or until nothing asks for them.
fn read_lines(output: impl Read, found: &SyncSender<Line>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let limit = MAX_LINE_BYTES as u64 + 1;
        match output.by_ref().take(limit).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if line.len() > MAX_LINE_BYTES => {
                let _ = found.send(Line::TooLong);
                return;
            }
            Ok(_) => {}
        }
        while line.last().is_some_and(|end| matches!(end, b'\n' | b'\r')) {
            line.pop();
        }
        if found.send(Line::Text(line)).is_err() {
            return;
        }
    }
}

/// Reads everything, and keeps the end.
fn keep_end(mut complaints: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 4096];
    while let Ok(length @ 1..) = complaints.read(&mut chunk) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&chunk[..length]);
        let surplus = kept.len().saturating_sub(LAST_WORDS_BYTES);
        kept.drain(..surplus);
    }
}
