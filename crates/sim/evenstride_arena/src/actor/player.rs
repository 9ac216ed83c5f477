//! Messages that servers send about players: keys at once, places at most once per second.

use evenstride_types::{
    Placement, SimTime, StampKind, Vec3,
    update::{InterpretedState, ServerEntity, Update},
};
use evenstride_wire::Message;

use super::{
    local_player::LocalPlayer,
    said::{keyed, player_at},
};
use crate::{scenario::Ground, verb::Verb};

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

#[derive(Clone, PartialEq)]
enum News {
    Keys,
    Jumped(Vec3),
    Teleported(Update),
}

impl PlayerTeller {
    pub(super) fn act(
        &mut self,
        verb: &Verb,
        entity: &mut ServerEntity,
        player: &mut LocalPlayer,
        ground: Ground,
        now: SimTime,
    ) {
        match verb {
            Verb::Jump(rise) => self.news.extend(player.jump(now, *rise).map(News::Jumped)),
            Verb::Teleport(to) => {
                entity.next(StampKind::Teleport);
                let there = ground.at(*to, player.place().pose.heading().degrees());
                let update = player_at(entity, &there, true);
                player.hear(now, &update);
                (self.told, self.reported) = (Some(now.as_secs()), Some((now.as_secs(), player.place())));
                self.news.push(News::Teleported(update));
            }
            verb => {
                player.press(now, verb);
                self.news.push(News::Keys);
            }
        }
    }

    pub(super) fn tell(
        &mut self,
        entity: &mut ServerEntity,
        player: &mut LocalPlayer,
        now: SimTime,
        said: &mut Vec<Message>,
    ) {
        let time = now.as_secs();
        for news in std::mem::take(&mut self.news) {
            match news {
                News::Keys => {
                    said.push(keyed(entity, player.motion()));
                    self.reported = Some((time, player.place()));
                    if self.told.is_none_or(|told| time - told >= EVERY_SECS) {
                        self.place(entity, player, now, said);
                    }
                }
                News::Jumped(velocity) => {
                    // The message stops the legs first, so that the whole impulse counts.
                    let standing = InterpretedState { forward: None, forward_speed: None, ..player.motion() };
                    said.push(keyed(entity, standing));
                    said.push(entity.velocity(velocity).into());
                }
                News::Teleported(update) => said.push(update.into()),
            }
        }
        // A jump on the spot ends where it began, so no message is due. After other jumps the
        // server sends the keys that are still down again. No recording shows this message, but
        // without it runners would stand after every jump.
        if player.has_landed && player.has_keys_down() {
            said.push(keyed(entity, player.motion()));
            self.place(entity, player, now, said);
        }
        let here = player.place();
        let is_due = match &self.reported {
            None => false,
            Some((at, place)) => (time - at > EVERY_SECS && *place != here) || place.cell != here.cell,
        };
        if is_due && player.is_grounded() {
            self.place(entity, player, now, said);
        }
    }

    fn place(
        &mut self,
        entity: &mut ServerEntity,
        player: &mut LocalPlayer,
        now: SimTime,
        said: &mut Vec<Message>,
    ) {
        self.reported = Some((now.as_secs(), player.place()));
        self.told = Some(now.as_secs());
        let update = player_at(entity, &player.place(), player.is_grounded());
        player.hear(now, &update);
        said.push(update.into());
    }
}
