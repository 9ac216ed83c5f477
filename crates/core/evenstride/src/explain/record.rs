//! The receiver of all happenings of a world.
//!
//! A happening becomes an event, a decision, both, or neither. The kind of the happening decides
//! ([`Happening::is_event`], [`Happening::is_traced`]), and decisions are kept only about traced
//! entities.

use evenstride_types::{EntityId, SimTime};

use crate::{
    explain::{Decisions, Event, Events},
    journal::{Happening, Journal},
};

/// Events and decisions of a world, and the subject of the next note.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// Events that the host has not polled yet.
    pub(crate) events: Events,
    /// Decisions about traced entities.
    pub(crate) decisions: Decisions,
    /// Events lost because the queue was full. `MotionWorld::stats` adds them to the other counts.
    pub(crate) events_dropped: u64,
    /// Entity that the next notes are about.
    subject: EntityId,
    /// Time of the next notes.
    now: SimTime,
    /// Whether the subject is traced.
    is_traced: bool,
}

impl Record {
    /// Returns an empty record with these bounds. There is no subject until `about` sets one.
    pub(crate) fn new(max_events: usize, decision_bytes: usize) -> Self {
        Self {
            events: Events { max: max_events, ..Events::default() },
            decisions: Decisions::bounded(decision_bytes),
            events_dropped: 0,
            subject: EntityId::new(0),
            now: SimTime::ZERO,
            is_traced: false,
        }
    }

    /// Adds an event about any entity, which need not be in the world. The subject stays the same.
    pub(crate) fn event(&mut self, (at, entity, kind): (SimTime, EntityId, Happening)) {
        self.events_dropped += self.events.push(Event { at, entity, kind });
    }

    /// Adds a decision about the present subject, if that is traced.
    #[inline]
    pub(crate) fn decide(&mut self, decision: Happening) {
        if self.is_traced {
            self.decisions.push(self.now, self.subject, decision);
        }
    }
}

impl Journal for Record {
    /// Sets the subject. Without this call, notes would be attributed to the previous entity.
    #[inline]
    fn about(&mut self, entity: EntityId, now: SimTime, is_traced: bool) {
        self.subject = entity;
        self.now = now;
        self.is_traced = is_traced;
    }

    // The kind of a happening is known where it is noted, so a note for tracing alone costs one
    // comparison.
    #[inline(always)]
    fn note(&mut self, what: Happening) {
        if self.is_traced || what.is_event() {
            self.write_down(what);
        }
    }
}

impl Record {
    /// Adds a happening to events and decisions. It is separate from `note`, whose check is
    /// inlined.
    #[cold]
    #[inline(never)]
    fn write_down(&mut self, what: Happening) {
        if what.is_event() {
            self.event((self.now, self.subject, what));
        }
        if what.is_traced() {
            self.decide(what);
        }
    }
}
