//! A playback that goes to any time, from key frames.

use std::{borrow::Borrow, sync::Arc};

use crate::{
    playback::{Continued, Mark, Playback},
    replay::{ReplayObserver, ReplayOptions, Stillness},
    script::Script,
};

/// Seconds between two key frames, as long as all of them fit.
const KEY_FRAME_SECS: f64 = 2.0;

/// Memory of all key frames in bytes, unless the caller says otherwise.
const KEY_FRAME_BYTES: usize = 32 << 20;

/// A playback with key frames. Going to a time takes as long as playing from the key frame before it.
///
/// A key frame is taken every two seconds while frames are played. When key frames take too much memory,
/// every second one is dropped and they are taken half as often. Every frame is played by itself
/// ([`Stillness::Stepped`]), and there is no sync test.
///
/// Frames are the same bit for bit, in whatever order they are shown.
///
/// ```
/// use evenstride_replay::{ReplayOptions, Scrubber, sample};
///
/// let script = sample::crowd(3, 4);
/// let mut scrubber = Scrubber::new(&script, ReplayOptions::default()).expect("a script with messages");
/// scrubber.seek(1.0, &mut ());
/// let hash = scrubber.playback().world().drawing_hash();
/// scrubber.seek(4.0, &mut ());
/// scrubber.seek(1.0, &mut ());
/// assert_eq!(scrubber.playback().world().drawing_hash(), hash);
/// ```
#[derive(Debug)]
pub struct Scrubber<S> {
    playback: Playback<S>,
    /// Key frames by number of the next frame. The first is the beginning.
    key_frames: Vec<Mark>,
    /// Number of frames between two key frames.
    every: u64,
    /// Memory of all key frames in bytes.
    bytes: usize,
    max_bytes: usize,
}

impl Scrubber<Arc<Script>> {
    /// Lets go of a shared script, as [`Playback::release_script`] does.
    pub fn release_script(&mut self) {
        self.playback.release_script();
    }
}

impl<S: Borrow<Script>> Scrubber<S> {
    /// Prepares a replay from the script's beginning. Returns `None` for a script without messages.
    pub fn new(script: S, options: ReplayOptions) -> Option<Self> {
        let options = ReplayOptions { stillness: Stillness::Stepped, sync_test: None, ..options };
        let every = (options.fps.clamp(1.0, 1_000.0) * KEY_FRAME_SECS).round() as u64;
        let playback = Playback::new(script, options)?;
        let mut scrubber =
            Self { playback, key_frames: Vec::new(), every, bytes: 0, max_bytes: KEY_FRAME_BYTES };
        scrubber.take_key_frame();
        Some(scrubber)
    }

    /// Limits the memory of key frames, in bytes (default: 32 MiB). The key frame of the beginning is
    /// always kept.
    #[must_use]
    pub const fn with_max_bytes(mut self, max_bytes: usize) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// Goes on with a longer script, as [`Playback::go_on_with`] does.
    pub fn go_on_with(&mut self, script: S, until: Option<f64>) -> Continued {
        let continued = self.playback.go_on_with(script, until);
        if continued == Continued::BeginsAgain {
            self.key_frames.clear();
            self.bytes = 0;
            self.take_key_frame();
        }
        continued
    }

    /// Returns the playback at its last frame.
    pub const fn playback(&self) -> &Playback<S> {
        &self.playback
    }

    /// Returns the times in seconds of the frames that follow key frames, in order.
    pub fn key_frames(&self) -> impl ExactSizeIterator<Item = f64> {
        self.key_frames.iter().map(|mark| self.playback.time_of(mark.number()))
    }

    /// Returns the memory of all key frames in bytes.
    pub const fn key_frame_bytes(&self) -> usize {
        self.bytes
    }

    /// Plays the next frame. Returns `false` at the end.
    pub fn advance_frame(&mut self, watcher: &mut impl ReplayObserver) -> bool {
        let is_due = self
            .key_frames
            .last()
            .is_none_or(|last| self.playback.next_number() >= last.number() + self.every);
        if is_due {
            self.take_key_frame();
        }
        self.playback.advance_frame(watcher)
    }

    /// Goes to the last frame that is not later than a time in seconds, and plays at least that frame.
    /// Times outside the replay mean its first or last frame. NaN means the first.
    pub fn seek(&mut self, time: f64, watcher: &mut impl ReplayObserver) {
        let (start, end) = self.playback.span();
        let time = if time.is_nan() { start } else { time.max(start).min(end.max(start)) };
        let after = self.key_frames.partition_point(|mark| self.playback.time_of(mark.number()) <= time);
        let nearest = &self.key_frames[after.saturating_sub(1)];
        // Playing on is faster than going back to an earlier point.
        let goes_on = self.playback.next_time().is_some_and(|next| next <= time)
            && self.playback.next_number() >= nearest.number();
        if !goes_on {
            let restored = self.playback.return_to(nearest);
            debug_assert!(restored.is_ok(), "a key frame that this playback made: {restored:?}");
        }
        while self.playback.next_time().is_some_and(|next| next <= time) && self.advance_frame(watcher) {}
    }

    /// Keeps the present point as a key frame, and drops every second one while there are too many.
    fn take_key_frame(&mut self) {
        let Some(mark) = self.playback.mark() else { return };
        self.bytes += mark.bytes();
        self.key_frames.push(mark);
        while self.bytes > self.max_bytes && self.key_frames.len() > 1 {
            let mut is_kept = false;
            self.key_frames.retain(|_| {
                is_kept = !is_kept;
                is_kept
            });
            self.every = self.every.saturating_mul(2);
            self.bytes = self.key_frames.iter().map(Mark::bytes).sum();
        }
    }
}
