//! Messages that servers send about players: keys at once, places at most once per second.

use evenstride_types::{Placement, StampKind, update::ServerEntity};
use evenstride_wire::Message;

use super::{
    body::{Body, Goal},
    said::{keyed, player_at},
};
use crate::verb::Verb;

/// Shortest time in seconds between two places of a player after key changes. While it moves, its
/// own client reports its place after the same time.
const EVERY_SECS: f64 = 1.0;

#[derive(Default)]
pub(super) struct PlayerTeller {
    news: Vec<News>,
    /// Time at which other clients last received a place. The next field holds the time and place
    /// of the own client's last report.
    told: Option<f64>,
    reported: Option<(f64, Placement)>,
}

#[derive(Clone, Copy, PartialEq)]
enum News {
    Keys,
    Jumped,
    Teleported,
}

impl PlayerTeller {
    pub(super) fn act(&mut self, verb: &Verb, entity: &mut ServerEntity, body: &mut Body) {
        body.goal = Goal::Nowhere;
        match verb {
            Verb::Stand => body.stand(),
            Verb::Walk(speed) => body.walk(*speed),
            Verb::Run(speed) => body.run(*speed),
            Verb::Back => body.back(),
            Verb::Strafe(side) => body.strafe(*side),
            Verb::Turn(speed) => body.turn(*speed),
            Verb::Jump(rise) => {
                body.jump(*rise);
                return self.news.push(News::Jumped);
            }
            Verb::Teleport(to) => {
                body.put(*to);
                entity.next(StampKind::Teleport);
                return self.news.push(News::Teleported);
            }
            // Only creatures do these.
            _ => return,
        }
        self.news.push(News::Keys);
    }

    pub(super) fn tell(
        &mut self,
        entity: &mut ServerEntity,
        body: &mut Body,
        time: f64,
        said: &mut Vec<Message>,
    ) {
        for news in std::mem::take(&mut self.news) {
            match news {
                News::Keys => {
                    said.push(keyed(entity, &body.keys));
                    self.reported = Some((time, body.place()));
                    if self.told.is_none_or(|told| time - told >= EVERY_SECS) {
                        self.place(entity, body, time, said);
                    }
                }
                News::Jumped => {
                    // The message stops the legs first, so that the whole impulse counts.
                    let keys = std::mem::replace(
                        &mut body.keys.forward,
                        evenstride_types::update::MotionCommand::READY,
                    );
                    said.push(keyed(entity, &body.keys));
                    body.keys.forward = keys;
                    said.push(entity.velocity(body.velocity()).into());
                }
                News::Teleported => self.place(entity, body, time, said),
            }
        }
        // A jump on the spot ends where it began, so no message is due. After other jumps the
        // server sends the keys that are still down again. No recording shows this message, but
        // without it runners would stand after every jump.
        if body.has_landed && body.ground_velocity().length_squared() > 0.0 {
            said.push(keyed(entity, &body.keys));
            self.place(entity, body, time, said);
        }
        let here = body.place();
        let is_due = match &self.reported {
            None => false,
            Some((at, place)) => (time - at > EVERY_SECS && *place != here) || place.cell != here.cell,
        };
        if is_due && body.is_grounded() {
            self.place(entity, body, time, said);
        }
    }

    fn place(&mut self, entity: &mut ServerEntity, body: &Body, time: f64, said: &mut Vec<Message>) {
        self.reported = Some((time, body.place()));
        self.told = Some(time);
        said.push(player_at(entity, body));
    }
}
