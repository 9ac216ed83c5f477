//! Where notes end up: events for everybody, decisions for who is under watch.

use evenstride_types::{EntityId, SimTime};

use crate::{
    explain::{Decision, Decisions, Event, EventKind, Events},
    journal::{Journal, Note},
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
    pub(crate) fn event(&mut self, (at, entity, kind): (SimTime, EntityId, EventKind)) {
        self.events_dropped += self.events.push(Event { at, entity, kind });
    }

    /// Remembers a decision about the present subject, if somebody wants to know.
    #[inline]
    pub(crate) fn decide(&mut self, decision: Decision) {
        if self.is_traced {
            self.decisions.push(self.now, self.subject, decision);
        }
    }

    fn tell(&mut self, kind: EventKind) {
        self.event((self.now, self.subject, kind));
    }
}

impl Journal for Record {
    #[inline]
    fn about(&mut self, entity: EntityId, now: SimTime, is_traced: bool) {
        self.subject = entity;
        self.now = now;
        self.is_traced = is_traced;
    }

    // Which note it is, is known where it is taken: what is only of interest under watch costs one comparison.
    #[inline(always)]
    fn note(&mut self, note: Note) {
        if self.is_traced || note.is_event() {
            self.write_down(note);
        }
    }
}

impl Record {
    #[cold]
    #[inline(never)]
    fn write_down(&mut self, note: Note) {
        match note {
            Note::Snapped { reason, metres } => {
                self.tell(EventKind::Snapped { reason, metres });
                self.decide(Decision::Snapped { reason, metres });
            }
            Note::TookOff { rise } => {
                self.tell(EventKind::TookOff { rise });
                self.decide(Decision::TookOff { rise });
            }
            Note::Landed { speed } => {
                self.tell(EventKind::Landed { speed });
                self.decide(Decision::Landed { speed });
            }
            Note::FollowTimedOut => self.decide(Decision::FollowTimedOut),
            Note::FollowEnded => self.tell(EventKind::FollowEnded),
            Note::Turns { steering, heading } => self.decide(Decision::Turns { steering, heading }),
            Note::FollowBegan { target } => {
                self.tell(EventKind::FollowBegan { target });
                self.decide(Decision::Follows { target });
            }
            Note::SetsOut { target } => {
                self.tell(EventKind::SetOut { target });
                self.decide(Decision::SetsOut { target });
            }
            Note::MoveToEnded { end, metres } => {
                self.tell(EventKind::MoveToEnded { end });
                self.decide(Decision::MoveToEnded { end, metres });
            }
            Note::OnItsWay { target, metres, steering, is_running, is_away } => {
                let target = target.unwrap_or(EntityId::new(0));
                self.decide(Decision::OnItsWay { target, metres, steering, is_running, is_away });
            }
            Note::NoHeadway => self.decide(Decision::NoHeadway),
            Note::Hook { kind, value } => self.tell(EventKind::Hook { kind, value }),
            Note::WaypointReached { left } => self.decide(Decision::Reached { left }),
            Note::WaypointGivenUp { headway, given_up } => {
                self.decide(Decision::GivenUp { headway, given_up });
            }
            Note::PlacementRefused => self.decide(Decision::PlacementRefused),
            Note::NewestReplaced => self.decide(Decision::NewestReplaced),
            Note::OldestDropped => self.decide(Decision::OldestDropped),
            Note::RanDry => self.decide(Decision::RanDry),
            // Each of these is followed by a note that says what came of it.
            Note::SnapToNewest
            | Note::SnapToGivenUp
            | Note::SnapBeforeVelocity
            | Note::VelocityTaken
            | Note::Placed { .. } => {}
        }
    }
}
