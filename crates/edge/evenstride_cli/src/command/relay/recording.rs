//! The recording, on a thread of its own, which waits for nothing but the disk.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use evenstride_live::{Recorder, Stop, Tap, TapReceiver};

use crate::output::{StatusLine, warn};

/// Records what was forwarded, and passes it on.
pub(super) struct Recording {
    recorder: Option<Recorder>,
    onward: Tap,
    state: Arc<RecordingState>,
    status: StatusLine,
}

/// What other threads are told of a recording.
#[derive(Debug, Default)]
pub(super) struct RecordingState {
    /// Bytes on disk, or 0 if nothing is recorded any more.
    pub(super) bytes: AtomicU64,
    /// Datagrams that were forwarded and not recorded.
    pub(super) missed: AtomicU64,
}

impl Recording {
    pub(super) fn new(recorder: Option<Recorder>, onward: Tap, status: StatusLine) -> Self {
        Self { recorder, onward, state: Arc::default(), status }
    }

    pub(super) fn state(&self) -> Arc<RecordingState> {
        Arc::clone(&self.state)
    }

    /// Records until the relay is gone.
    pub(super) fn run(&mut self, receiver: &TapReceiver) {
        receiver.observe_until(&Stop::default(), |tapped, until| match tapped {
            Some(tapped) => {
                if let Some(recorder) = &mut self.recorder {
                    recorder.record(tapped);
                }
                self.onward.offer(tapped.clone());
            }
            None => {
                self.flush(receiver.dropped());
                self.onward.beat(until);
            }
        });
    }

    /// Ends it. The observer ends, too.
    pub(super) fn finish(self) -> Option<Recorder> {
        self.recorder
    }

    fn flush(&mut self, missed: u64) {
        self.state.missed.store(missed, Ordering::Relaxed);
        let Some(recorder) = &mut self.recorder else { return };
        recorder.flush();
        let bytes = if recorder.is_recording() { recorder.bytes() } else { 0 };
        self.state.bytes.store(bytes, Ordering::Relaxed);
        if let Some(failure) = recorder.take_failure() {
            self.status.suspend(|| warn(&failure));
        }
    }
}
