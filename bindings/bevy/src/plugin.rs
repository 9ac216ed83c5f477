//! Plugins, their settings, and the phases of a frame.

use bevy_app::{App, Plugin, PluginGroup, PluginGroupBuilder, PostUpdate};
use bevy_ecs::{
    entity_disabling::Disabled,
    prelude::*,
    schedule::{InternedScheduleLabel, ScheduleLabel},
};
use bevy_transform::TransformSystems;
use evenstride::generic::{Axes, PlainConfig};

use crate::{
    Remote, RemoteClock, RemoteHappened, RemoteThrow, RemoteTime, RemoteUpdate, Remotes, draw,
    notify::{forget, notify},
};

/// All plugins of this crate.
///
/// ```
/// use bevy_app::{App, PluginGroup};
/// use bevy_evenstride::{EvenstridePlugins, RemotesPlugin};
///
/// let mut app = App::new();
/// // A flat game with 32 pixels to the metre.
/// let flat = RemotesPlugin::two_d().with(|config| config.units_per_metre = 32.0);
/// app.add_plugins(EvenstridePlugins.set(flat));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct EvenstridePlugins;

impl PluginGroup for EvenstridePlugins {
    fn build(self) -> PluginGroupBuilder {
        PluginGroupBuilder::start::<Self>().add(RemotesPlugin::default()).add(RemoteNoticesPlugin)
    }
}

/// Phases of a frame, in this order. All of them come before transforms are propagated.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RemoteSystems {
    /// Time moves on.
    Advance,
    /// Updates are handled. Write a [`RemoteUpdate`] before this phase to see it in the same frame.
    Receive,
    /// Transforms are written.
    Draw,
    /// Observers are told what happened. They see the transforms of this frame.
    Notify,
}

/// Moves remotes and writes their transforms.
#[derive(Clone, Debug)]
pub struct RemotesPlugin {
    /// Settings of the motion.
    pub config: PlainConfig,
    /// Clock that moves remotes.
    pub clock: RemoteClock,
    /// Schedule in which the plugins run.
    schedule: InternedScheduleLabel,
    /// Whether `z` of a transform is a layer of the picture.
    is_flat: bool,
}

impl RemotesPlugin {
    /// Returns the settings for Bevy's axes in three dimensions, with y up and −z forward.
    pub fn three_d() -> Self {
        Self::along(Axes::YUpMinusZForward, false)
    }

    /// Returns the settings for Bevy's axes in two dimensions, with x right and y up.
    ///
    /// A remote without a rotation faces right, along x. If yours face up, set the axes to
    /// [`Axes::ZUpYForward`]. `z` of a transform is its layer and is never written.
    pub fn two_d() -> Self {
        Self::along(Axes::ZUpXForwardYLeft, true)
    }

    fn along(axes: Axes, is_flat: bool) -> Self {
        Self {
            config: PlainConfig::default().with(|config| config.axes = axes),
            clock: RemoteClock::default(),
            schedule: PostUpdate.intern(),
            is_flat,
        }
    }

    /// Returns the plugin with some settings of the motion changed.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut PlainConfig)) -> Self {
        change(&mut self.config);
        self
    }

    /// Returns the plugin with another clock.
    #[must_use]
    pub const fn clock(mut self, clock: RemoteClock) -> Self {
        self.clock = clock;
        self
    }

    /// Returns the plugin for another schedule (default: `PostUpdate`).
    ///
    /// `FixedUpdate` moves remotes before the physics of avian, once per fixed step. Transforms then
    /// change only at fixed steps, so add a crate that eases between them.
    #[must_use]
    pub fn in_schedule(mut self, schedule: impl ScheduleLabel) -> Self {
        self.schedule = schedule.intern();
        self
    }
}

impl Default for RemotesPlugin {
    /// Returns [`three_d`](Self::three_d).
    fn default() -> Self {
        Self::three_d()
    }
}

impl Plugin for RemotesPlugin {
    fn build(&self, app: &mut App) {
        use RemoteSystems::{Advance, Draw, Notify, Receive};
        app.insert_resource(Remotes::new(self.config, self.is_flat))
            .insert_resource(self.clock)
            .insert_resource(Phases(self.schedule))
            .init_resource::<RemoteTime>()
            .add_message::<RemoteUpdate>()
            .add_message::<RemoteThrow>()
            .add_observer(draw::note_inserted)
            .configure_sets(
                self.schedule,
                (Advance, Receive, Draw, Notify).chain().before(TransformSystems::Propagate),
            )
            .add_systems(
                self.schedule,
                (
                    draw::advance.in_set(Advance),
                    draw::receive.in_set(Receive),
                    draw::draw.in_set(Draw),
                    forget.in_set(Notify).run_if(not(resource_exists::<Notices>)),
                ),
            );
        // Remotes that were spawned before the plugin was added.
        let world = app.world_mut();
        let earlier: Vec<(Entity, Remote)> = world
            .query_filtered::<(Entity, &Remote), Allow<Disabled>>()
            .iter(world)
            .map(|(entity, remote)| (entity, *remote))
            .collect();
        for (entity, remote) in earlier {
            world.entity_mut(entity).insert(remote);
        }
    }
}

/// Tells observers and readers of [`RemoteHappened`] what happened. Disable it if you need neither.
#[derive(Clone, Copy, Debug, Default)]
pub struct RemoteNoticesPlugin;

impl Plugin for RemoteNoticesPlugin {
    fn build(&self, app: &mut App) {
        let Some(phases) = app.world().get_resource::<Phases>() else { return };
        let schedule = phases.0;
        app.insert_resource(Notices)
            .add_message::<RemoteHappened>()
            .add_systems(schedule, notify.in_set(RemoteSystems::Notify));
    }
}

/// Schedule of the phases.
#[derive(Resource)]
struct Phases(InternedScheduleLabel);

/// Marks that happenings are read.
#[derive(Resource)]
struct Notices;
