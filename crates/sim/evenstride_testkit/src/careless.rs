//! Surroundings of a careless host, whose answers and panics a world must survive.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use evenstride::{
    FlatGround, Surroundings,
    surroundings::{Contact, Placed, Placing, Sweep, Swept},
};
use evenstride_types::{Placement, Vec3};

/// Flat ground that gives the answers of a careless host.
#[derive(Debug)]
pub struct CarelessGround {
    /// The ground that is there.
    pub ground: FlatGround,
    /// Normal to answer with, of any length. `None` means that of the ground.
    pub normal: Option<Vec3>,
    /// Place to answer with every fifth time, anywhere on the map.
    pub elsewhere: Option<Placement>,
    /// Calls until one panics. `None` means never.
    pub panics_in: Option<u32>,
    /// Whether a position lands a body.
    pub lands_by_update: bool,
    calls: AtomicU32,
}

/// Tells a panic of the surroundings from one of the core.
struct HostFault;

impl Clone for CarelessGround {
    fn clone(&self) -> Self {
        Self { calls: AtomicU32::new(self.calls.load(Relaxed)), ..*self }
    }
}

impl CarelessGround {
    /// Returns ground whose answers are right.
    pub const fn new(ground: FlatGround) -> Self {
        let calls = AtomicU32::new(0);
        Self { ground, normal: None, elsewhere: None, panics_in: None, lands_by_update: false, calls }
    }

    fn call(&self) {
        let number = self.calls.fetch_add(1, Relaxed).wrapping_add(1);
        if self.panics_in.is_some_and(|calls| number % (calls + 1) == calls) {
            // Unlike `panic!`, this prints nothing.
            resume_unwind(Box::new(HostFault));
        }
    }

    fn at(&self, at: Placement) -> Placement {
        self.elsewhere.filter(|_| self.calls.load(Relaxed).is_multiple_of(5)).unwrap_or(at)
    }

    fn contact(&self, contact: Contact) -> Contact {
        match (contact, self.normal) {
            (Contact::On(_), Some(normal)) => Contact::On(normal),
            _ => contact,
        }
    }
}

impl Surroundings for CarelessGround {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        self.call();
        match self.ground.sweep(sweep) {
            Swept::Moved { at, contact, ran_into } => {
                let ran_into = ran_into.map(|normal| self.normal.unwrap_or(normal));
                Swept::Moved { at: self.at(at), contact: self.contact(contact), ran_into }
            }
            Swept::Blocked => Swept::Blocked,
        }
    }

    fn place(&self, placing: &Placing) -> Placed {
        self.call();
        match self.ground.place(placing) {
            Placed::At { at, contact } => Placed::At { at: self.at(at), contact: self.contact(contact) },
            Placed::Refused => Placed::Refused,
        }
    }

    fn lands_by_update(&self, _: &Placement) -> bool {
        self.call();
        self.lands_by_update
    }
}

/// Runs a call in which a [`CarelessGround`] may panic. Returns `None` if it did.
///
/// # Panics
///
/// If anything else panics.
pub fn with_careless_host<T>(call: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(answer) => Some(answer),
        Err(fault) if fault.is::<HostFault>() => None,
        Err(fault) => resume_unwind(fault),
    }
}
