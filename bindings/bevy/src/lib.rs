//! Remote entities that move smoothly from sparse updates, as components of Bevy.
//!
//! Add [`EvenstridePlugins`], spawn entities with [`Remote`], and write a [`RemoteUpdate`] for each
//! update that arrives. The plugins write the `Transform` of each remote in every frame in which it
//! moves.
//!
//! ```
//! use bevy_app::{App, Startup, Update};
//! use bevy_ecs::prelude::*;
//! use bevy_evenstride::{EvenstridePlugins, Remote, RemoteUpdate};
//! use bevy_math::Vec3;
//!
//! fn spawn(mut commands: Commands) {
//!     // 42 is the number of this entity in your protocol.
//!     commands.spawn(Remote::with_id(42));
//! }
//!
//! fn receive(mut updates: MessageWriter<RemoteUpdate>) {
//!     // A position arrived, here in each frame. A game reads its socket.
//!     updates.write(RemoteUpdate::new(42, Vec3::new(1.0, 0.0, -3.0)));
//! }
//!
//! let mut app = App::new();
//! app.add_plugins((bevy_time::TimePlugin, EvenstridePlugins));
//! app.add_systems(Startup, spawn).add_systems(Update, receive);
//! app.update();
//! ```
//!
//! # A frame
//!
//! The plugins run in `PostUpdate`, before transforms are propagated, or in a schedule of your choice
//! ([`RemotesPlugin::in_schedule`]). [`RemoteSystems`] has a set for each phase.
//!
//! ```text
//! Advance  time moves on
//! Receive  updates are handled
//! Draw     transforms are written
//! Notify   observers are told what happened
//! ```
//!
//! # Bad input
//!
//! No input causes a panic. `README.md` lists the answers.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod clock;
mod draw;
mod events;
mod notify;
mod plugin;
mod pose;
mod remote;
mod remotes;
mod update;

pub use evenstride;

pub use self::{
    clock::{RemoteClock, RemoteTime},
    events::{
        RefuseReason, RemoteAppeared, RemoteHappened, RemoteLanded, RemoteRefused, RemoteReplaced,
        RemoteResumed, RemoteSnapped, RemoteStalled, RemoteTookOff,
    },
    plugin::{EvenstridePlugins, RemoteNoticesPlugin, RemoteSystems, RemotesPlugin},
    pose::RemotePose,
    remote::Remote,
    remotes::{RemoteStats, Remotes},
    update::{RemoteName, RemoteThrow, RemoteUpdate},
};
