//! Progress of long work on standard error.

use std::{
    io::{self, IsTerminal, Read},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{one_line, voice::is_quiet};

/// A progress bar with elapsed and remaining time.
///
/// It appears after a second, only on a terminal, and not with `--quiet`. It disappears when it is
/// dropped. [`Progress::set`] may be called as often as convenient.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    began: Instant,
    is_shown: AtomicBool,
}

impl Progress {
    /// Starts the progress of work that is measured as a fraction. `what` is a word like
    /// `replaying`.
    pub(crate) fn new(what: &'static str) -> Self {
        Self::with_length(what, THOUSANDTHS, "{msg} {bar:30} {percent:>3} %, {elapsed} elapsed, {eta} left")
    }

    /// Starts the progress of reading a number of bytes.
    pub(crate) fn of_bytes(what: &'static str, bytes: u64) -> Self {
        Self::with_length(what, bytes, "{msg} {bar:30} {bytes}/{total_bytes}, {elapsed} elapsed, {eta} left")
    }

    fn with_length(what: &'static str, length: u64, template: &str) -> Self {
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden())
            .with_style(style)
            .with_message(what);
        // A bar that counts as shown is never switched to the terminal.
        let is_never_shown = is_quiet() || !io::stderr().is_terminal();
        Self { bar, began: Instant::now(), is_shown: AtomicBool::new(is_never_shown) }
    }

    /// Sets the done part of the work, from 0 to 1.
    pub(crate) fn set(&self, fraction: f64) {
        self.bar.set_position((fraction.clamp(0.0, 1.0) * THOUSANDTHS as f64) as u64);
        self.appear();
    }

    fn add(&self, done: u64) {
        self.bar.inc(done);
        self.appear();
    }

    /// Hides the bar while `print` prints.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Returns a reader whose bytes are counted.
    pub(crate) const fn reading<R: Read>(&self, source: R) -> Reading<'_, R> {
        Reading { progress: self, source }
    }

    fn appear(&self) {
        if self.began.elapsed() > APPEARS_AFTER && !self.is_shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// One line that changes in place, only on a terminal and not with `--quiet`.
///
/// Copies are the same line.
#[derive(Clone, Debug)]
pub(crate) struct StatusLine(ProgressBar);

impl StatusLine {
    /// Starts an empty line.
    pub(crate) fn new() -> Self {
        if is_quiet() || !io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let style =
            ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
        Self(ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_style(style))
    }

    /// Replaces the text.
    pub(crate) fn set(&self, words: &str) {
        self.0.set_message(one_line(words).into_owned());
        self.0.tick();
    }

    /// Hides the line while `print` prints.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
    }
}

/// A reader whose bytes are counted.
#[derive(Debug)]
pub(crate) struct Reading<'a, R> {
    progress: &'a Progress,
    source: R,
}

impl<R: Read> Read for Reading<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.progress.add(read as u64);
        Ok(read)
    }
}

/// Work that takes less time has no progress bar.
const APPEARS_AFTER: Duration = Duration::from_secs(1);

/// Length of a bar that is set by a fraction.
const THOUSANDTHS: u64 = 1_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_and_fractions_kept_in_range() {
        let progress = Progress::of_bytes("reading", 4);
        let mut read = Vec::new();
        progress.reading(&b"four"[..]).read_to_end(&mut read).unwrap();
        assert_eq!((read.as_slice(), progress.bar.position()), (&b"four"[..], 4));
        let progress = Progress::new("replaying");
        progress.set(0.25);
        assert_eq!(progress.bar.position(), 250);
        progress.set(7.0);
        assert_eq!(progress.bar.position(), 1_000);
    }
}
