//! Tells observers and readers of messages what happened.

use bevy_ecs::prelude::*;
use evenstride::Happening;

use crate::{
    RemoteAppeared, RemoteHappened, RemoteLanded, RemoteResumed, RemoteSnapped, RemoteStalled, RemoteTookOff,
    Remotes, remotes::Notice,
};

/// Triggers an event on each remote to which something happened.
pub(crate) fn notify(
    mut remotes: ResMut<Remotes>,
    mut happenings: MessageWriter<RemoteHappened>,
    mut commands: Commands,
) {
    remotes.take_events();
    for notice in remotes.notices.drain(..) {
        let event = match notice {
            Notice::Happened(event) => event,
            Notice::Resumed(entity) => {
                commands.trigger(RemoteResumed { entity });
                continue;
            }
        };
        let Some(entity) = Entity::try_from_bits(event.entity) else { continue };
        happenings.write(RemoteHappened { entity, at: event.at, kind: event.kind });
        match event.kind {
            Happening::Appeared => commands.trigger(RemoteAppeared { entity }),
            Happening::Snapped { reason, metres } => {
                commands.trigger(RemoteSnapped { entity, reason, distance: metres });
            }
            Happening::TookOff { rise } => commands.trigger(RemoteTookOff { entity, rise }),
            Happening::Landed { speed } => commands.trigger(RemoteLanded { entity, speed }),
            Happening::WentSilent => commands.trigger(RemoteStalled { entity }),
            _ => {}
        }
    }
}

/// Forgets what happened, so that nothing piles up without the plugin for notices.
pub(crate) fn forget(mut remotes: ResMut<Remotes>) {
    remotes.take_events();
    remotes.notices.clear();
}
