//! Where happenings end up: events for every host, decisions about traced entities.

use evenstride_types::{EntityId, SimTime};

use crate::{
    explain::{Decisions, Event, Events},
    journal::{Happening, Journal},
};

/// Takes notes of a whole world.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) events: Events,
    pub(crate) decisions: Decisions,
    pub(crate) events_dropped: u64,
    subject: EntityId,
    now: SimTime,
    is_traced: bool,
}

impl Record {
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

    /// Something happened to somebody, who need not be in the world.
    pub(crate) fn event(&mut self, (at, entity, kind): (SimTime, EntityId, Happening)) {
        self.events_dropped += self.events.push(Event { at, entity, kind });
    }

    /// Remembers a decision about the present subject, if somebody wants to know.
    #[inline]
    pub(crate) fn decide(&mut self, decision: Happening) {
        if self.is_traced {
            self.decisions.push(self.now, self.subject, decision);
        }
    }
}

impl Journal for Record {
    #[inline]
    fn about(&mut self, entity: EntityId, now: SimTime, is_traced: bool) {
        self.subject = entity;
        self.now = now;
        self.is_traced = is_traced;
    }

    // What happens is known where it is noted: what only tracing wants costs one comparison.
    #[inline(always)]
    fn note(&mut self, what: Happening) {
        if self.is_traced || what.is_event() {
            self.write_down(what);
        }
    }
}

impl Record {
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
