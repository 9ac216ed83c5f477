//! The node of a remote body in two dimensions.

use evenstride::{
    generic::{FlatPose, PlainPose, PlainUpdate},
    types::SimTime,
};
use godot::{
    classes::{INode2D, Node2D},
    global::Error,
    prelude::*,
};

use crate::{
    BodyEvent,
    world::{Membership, limits},
};

/// A body that moves by the updates about it, below a `RemoteWorld`.
///
/// Positions are those of the node's own parent, in pixels. A rotation of 0 faces right.
/// The first update places it. Scale stays as it is.
#[derive(GodotClass)]
#[class(init, base = Node2D)]
pub struct RemoteBody2D {
    /// Highest speed that is believed of it, in game units per second. 0 means none.
    #[export]
    top_speed: f32,
    /// Highest turn rate that is believed of it, in degrees per second. 0 means none.
    #[export]
    turn_rate_deg: f32,
    /// Distance from a received place beyond which it is placed, in game units. 0 means none.
    #[export]
    snap_distance: f32,
    membership: Membership,
    /// Pose that was written last.
    written: Option<PlainPose>,
    base: Base<Node2D>,
}

#[godot_api]
impl INode2D for RemoteBody2D {
    fn enter_tree(&mut self) {
        let limits = limits(self.top_speed, self.turn_rate_deg, self.snap_distance);
        let node = self.to_gd().upcast::<Node>();
        self.membership = Membership::join(&node, true, limits);
    }

    fn exit_tree(&mut self) {
        self.membership.leave();
        self.written = None;
    }

    fn process(&mut self, _delta: f64) {
        let Some((pose, events)) = self.membership.look() else { return };
        if self.written != Some(pose) {
            self.written = Some(pose);
            self.write(pose);
        }
        // Nothing is borrowed here, so handlers may call the world and this node.
        for event in events {
            match event {
                BodyEvent::Appeared => self.signals().appeared().emit(),
                BodyEvent::Snapped(distance) => self.signals().snapped().emit(distance),
                BodyEvent::TookOff(_) | BodyEvent::Landed(_) => {}
                BodyEvent::Stalled => self.signals().stalled().emit(),
                BodyEvent::Resumed => self.signals().resumed().emit(),
            }
        }
    }
}

#[godot_api]
impl RemoteBody2D {
    /// The body got its first update.
    #[signal]
    fn appeared();

    /// The body was placed over this distance instead of moving there.
    #[signal]
    fn snapped(distance: f32);

    /// The body was stopped, because updates about it stopped.
    #[signal]
    fn stalled();

    /// An update arrived after a stall.
    #[signal]
    fn resumed();

    /// Takes a pose that arrived from the network. Returns `ERR_INVALID_PARAMETER` for a value that is
    /// not finite, and `ERR_UNCONFIGURED` outside a `RemoteWorld`.
    #[func]
    fn receive(&mut self, position: Vector2, rotation: f32) -> Error {
        self.hear(&update_of(position, rotation))
    }

    /// Takes a pose with a velocity in game units per second.
    #[func]
    fn receive_moving(&mut self, position: Vector2, rotation: f32, velocity: Vector2) -> Error {
        self.hear(&update_of(position, rotation).moving([velocity.x, velocity.y, 0.0]))
    }

    /// Takes a pose with a velocity and the time of sending in seconds by the sender's clock, which
    /// decides the order.
    #[func]
    fn receive_sent(&mut self, position: Vector2, rotation: f32, velocity: Vector2, secs: f64) -> Error {
        let Ok(sent) = SimTime::from_secs(secs) else { return Error::ERR_INVALID_PARAMETER };
        self.hear(&update_of(position, rotation).moving([velocity.x, velocity.y, 0.0]).sent_at(sent))
    }

    /// Takes a pose to which the body was moved without travelling.
    #[func]
    fn receive_teleport(&mut self, position: Vector2, rotation: f32) -> Error {
        self.hear(&update_of(position, rotation).teleporting())
    }

    fn hear(&mut self, update: &PlainUpdate) -> Error {
        self.membership.call(|remotes, key| remotes.update(key, update))
    }

    fn write(&mut self, pose: PlainPose) {
        let FlatPose { position: [x, y], heading } = pose.into();
        self.base_mut().set_position(Vector2::new(x as f32, y as f32));
        self.base_mut().set_rotation(heading);
    }
}

/// Returns the update of a pose.
fn update_of(position: Vector2, rotation: f32) -> PlainUpdate {
    PlainUpdate::new(FlatPose { position: [position.x, position.y].map(f64::from), heading: rotation })
}
