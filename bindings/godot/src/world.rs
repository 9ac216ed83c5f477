//! The node that moves time for all bodies below it.

use evenstride::generic::PlainLimits;
use godot::{classes::INode, prelude::*};

use crate::{Remotes, Settings};

/// Time, units and motion of all remote bodies below this node.
///
/// Bodies are moved in `_process`. Set `advances_by_itself` to `false` and call `advance_to` to use a
/// clock of your own, such as that of the network.
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
    /// Whether the times of sending are those of this node's clock, so that latency is compensated.
    #[export]
    has_shared_clock: bool,
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
            has_shared_clock: self.has_shared_clock,
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
}

/// A body's place in the world above it.
#[derive(Default)]
pub(crate) struct Membership {
    world: Option<Gd<RemoteWorld>>,
    key: u64,
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
        key.map_or_else(Self::default, |key| Self { world: Some(world), key })
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
                godot_warn!("{error}");
                godot::global::Error::ERR_INVALID_PARAMETER
            }
            None => godot::global::Error::ERR_UNCONFIGURED,
        }
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
