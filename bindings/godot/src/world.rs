//! The node that moves time for all bodies below it.

use evenstride::generic::{PlainLimits, SenderClock};
use godot::{classes::INode, prelude::*};

use crate::{Remotes, Settings};

/// What the times of sending in updates mean.
#[derive(GodotConvert, Var, Export, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[godot(via = i64)]
pub enum RemoteClock {
    /// They decide the order, and nothing else.
    #[default]
    OrderOnly = 0,
    /// Each sender has a clock of its own. Jitter is compensated.
    Own = 1,
    /// They are those of this node's clock. The whole latency is compensated.
    Shared = 2,
}

/// Time, units and motion of all remote bodies below this node.
///
/// Bodies are moved in `_process`. Set `advances_by_itself` to `false` and call `advance_to` to use a
/// clock of your own, such as that of the network.
///
/// This node has no place. Bodies right below it do not move with the nodes above it.
///
/// `is_flat`, `units_per_metre` and `max_coast_secs` are read when the node enters the tree. Later changes
/// count when it enters again.
#[derive(GodotClass)]
#[class(init, base = Node)]
pub struct RemoteWorld {
    /// Whether this is a flat game, with `RemoteBody2D`.
    #[export]
    is_flat: bool,
    /// Game units per metre, for example 64 pixels.
    #[export]
    #[init(val = 1.0)]
    units_per_metre: f64,
    /// Seconds for which a body goes on without updates.
    #[export]
    #[init(val = 3.0)]
    max_coast_secs: f64,
    /// Meaning of the times of sending. It may change at any time.
    #[export]
    #[var(set)]
    sender_clock: RemoteClock,
    /// Whether `sender_clock` is `Shared`.
    #[var(get, set)]
    has_shared_clock: PhantomVar<bool>,
    /// Whether time moves on in each `_process`.
    #[export]
    #[init(val = true)]
    advances_by_itself: bool,
    /// Bodies, from the moment at which the node enters the tree.
    remotes: Option<Remotes>,
    base: Base<Node>,
}

#[godot_api]
impl INode for RemoteWorld {
    fn enter_tree(&mut self) {
        self.remotes = Some(Remotes::new(Settings {
            is_flat: self.is_flat,
            units_per_metre: self.units_per_metre,
            max_coast_secs: self.max_coast_secs,
            sender_clock: self.sender_clock.into(),
        }));
    }

    fn process(&mut self, delta: f64) {
        if self.advances_by_itself
            && let Some(remotes) = &mut self.remotes
        {
            let _ = remotes.advance_to(remotes.secs() + delta);
        }
    }
}

#[godot_api]
impl RemoteWorld {
    /// Moves time to a moment in seconds. Returns `false` if it is not a valid time.
    #[func]
    pub fn advance_to(&mut self, secs: f64) -> bool {
        self.remotes.as_mut().is_some_and(|remotes| remotes.advance_to(secs))
    }

    /// Returns the present time in seconds.
    #[func]
    pub fn secs(&self) -> f64 {
        self.remotes.as_ref().map_or(0.0, Remotes::secs)
    }

    /// Changes the meaning of the times of sending, from the next updates on.
    #[func]
    pub fn set_sender_clock(&mut self, clock: RemoteClock) {
        self.sender_clock = clock;
        if let Some(remotes) = &mut self.remotes {
            remotes.set_sender_clock(clock.into());
        }
    }

    /// Returns whether the times of sending are those of this node's clock.
    #[func]
    pub fn get_has_shared_clock(&self) -> bool {
        self.sender_clock == RemoteClock::Shared
    }

    /// Makes the times of sending those of this node's clock, or takes that back.
    #[func]
    pub fn set_has_shared_clock(&mut self, is_shared: bool) {
        if is_shared != self.get_has_shared_clock() {
            self.set_sender_clock(if is_shared { RemoteClock::Shared } else { RemoteClock::OrderOnly });
        }
    }

    /// Returns the number of updates and throws of all bodies that were refused.
    #[func]
    pub fn refused_updates(&self) -> i64 {
        self.remotes.as_ref().map_or(0, |remotes| remotes.counts().refused as i64)
    }

    /// Returns the number of updates of all bodies that were ignored, because a newer one was there.
    #[func]
    pub fn ignored_updates(&self) -> i64 {
        self.remotes.as_ref().map_or(0, |remotes| remotes.counts().ignored as i64)
    }
}

impl From<RemoteClock> for SenderClock {
    fn from(clock: RemoteClock) -> Self {
        match clock {
            RemoteClock::OrderOnly => Self::OrderOnly,
            RemoteClock::Own => Self::Own,
            RemoteClock::Shared => Self::Shared,
        }
    }
}

/// A body's place in the world above it.
#[derive(Default)]
pub(crate) struct Membership {
    world: Option<Gd<RemoteWorld>>,
    key: u64,
    /// Whether a refused update of this body has been told. A peer must not be able to flood the log.
    has_warned: bool,
}

impl Membership {
    /// Joins the nearest world above a node. Without one, the node does not move, and a warning says so.
    pub(crate) fn join(node: &Gd<Node>, is_flat: bool, limits: PlainLimits) -> Self {
        let mut above = node.get_parent();
        while let Some(candidate) = above {
            match candidate.try_cast::<RemoteWorld>() {
                Ok(world) => return Self::enter(world, node, is_flat, limits),
                Err(other) => above = other.get_parent(),
            }
        }
        godot_warn!("{}: no RemoteWorld above this node; it receives no updates", node.get_path());
        Self::default()
    }

    fn enter(mut world: Gd<RemoteWorld>, node: &Gd<Node>, is_flat: bool, limits: PlainLimits) -> Self {
        let mut inner = world.bind_mut();
        if inner.is_flat != is_flat {
            let right = if is_flat { "true" } else { "false" };
            godot_warn!("{}: set is_flat of its RemoteWorld to {right}", node.get_path());
        }
        let key = inner.remotes.as_mut().map(|remotes| remotes.add(limits));
        drop(inner);
        key.map_or_else(Self::default, |key| Self { world: Some(world), key, has_warned: false })
    }

    /// Leaves the world.
    pub(crate) fn leave(&mut self) {
        let key = self.key;
        let _ = self.with(|remotes| remotes.remove(key));
        *self = Self::default();
    }

    /// Runs a call on the bodies of the world. `None` if there is no world.
    fn with<T>(&mut self, call: impl FnOnce(&mut Remotes) -> T) -> Option<T> {
        let world = self.world.as_mut().filter(|world| world.is_instance_valid())?;
        world.bind_mut().remotes.as_mut().map(call)
    }

    /// Runs a call on this body. Returns the code for scripts.
    pub(crate) fn call<E: std::fmt::Display>(
        &mut self,
        call: impl FnOnce(&mut Remotes, u64) -> Result<(), E>,
    ) -> godot::global::Error {
        let key = self.key;
        match self.with(|remotes| call(remotes, key)) {
            Some(Ok(())) => godot::global::Error::OK,
            Some(Err(error)) => {
                self.warn(&error);
                godot::global::Error::ERR_INVALID_PARAMETER
            }
            None => godot::global::Error::ERR_UNCONFIGURED,
        }
    }

    /// Refuses an update before it reaches the world. Returns the code for scripts.
    pub(crate) fn refuse(&mut self, error: &impl std::fmt::Display) -> godot::global::Error {
        if self.with(Remotes::count_refused).is_none() {
            return godot::global::Error::ERR_UNCONFIGURED;
        }
        self.warn(error);
        godot::global::Error::ERR_INVALID_PARAMETER
    }

    fn warn(&mut self, error: &impl std::fmt::Display) {
        if !std::mem::replace(&mut self.has_warned, true) {
            godot_warn!("{error}. RemoteWorld counts further refused updates of this body without a warning");
        }
    }

    /// Changes the limits of this body.
    pub(crate) fn limit(&mut self, limits: PlainLimits) {
        let key = self.key;
        let _ = self.with(|remotes| remotes.set_limits(key, limits));
    }

    /// Returns the pose of this body, and what happened to it.
    pub(crate) fn look(&mut self) -> Option<(evenstride::generic::PlainPose, Vec<crate::BodyEvent>)> {
        let key = self.key;
        self.with(|remotes| Some((remotes.drawn(key)?, remotes.take_events(key)))).flatten()
    }
}

/// Returns limits, where 0 means none.
pub(crate) fn limits(top_speed: f32, turn_rate_deg: f32, snap_distance: f32) -> PlainLimits {
    let some = |limit: f32| if limit > 0.0 { limit } else { f32::INFINITY };
    PlainLimits::NONE
        .top_speed(some(top_speed))
        .turn_rate_deg(some(turn_rate_deg))
        .snap_distance(some(snap_distance))
}
