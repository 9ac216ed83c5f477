//! Everything that shares a recording, so that it can be changed without a copy.

use std::{
    cell::RefCell,
    rc::{Rc, Weak},
    sync::Arc,
};

use evenstride_viewer::{TrackJob, ViewedScript};

use crate::drawing::Drawn;

/// Drawings and tracks of one recording that JavaScript still holds.
#[derive(Debug, Default)]
pub(crate) struct Shares {
    drawings: RefCell<Vec<Weak<RefCell<Drawn>>>>,
    tracks: RefCell<Vec<Weak<RefCell<TrackJob>>>>,
}

impl Shares {
    pub(crate) fn add_drawing(&self, drawing: &Rc<RefCell<Drawn>>) {
        add(&self.drawings, drawing);
    }

    pub(crate) fn add_track(&self, track: &Rc<RefCell<TrackJob>>) {
        add(&self.tracks, track);
    }

    /// Makes all of them let go of the recording.
    pub(crate) fn release(&self) {
        each(&self.drawings, Drawn::release);
        each(&self.tracks, TrackJob::release);
    }

    /// Gives the recording back to all of them.
    pub(crate) fn resume(&self, viewed: &Arc<ViewedScript>) {
        each(&self.drawings, |drawing| drawing.resume(viewed));
        each(&self.tracks, |track| track.resume(Arc::clone(viewed)));
    }
}

fn add<T>(all: &RefCell<Vec<Weak<RefCell<T>>>>, one: &Rc<RefCell<T>>) {
    let mut all = all.borrow_mut();
    all.retain(|of| of.strong_count() > 0);
    all.push(Rc::downgrade(one));
}

fn each<T>(all: &RefCell<Vec<Weak<RefCell<T>>>>, mut run: impl FnMut(&mut T)) {
    all.borrow().iter().filter_map(Weak::upgrade).for_each(|one| run(&mut one.borrow_mut()));
}
