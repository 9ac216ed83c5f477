//! The node of a remote body in three dimensions.

use evenstride::{
    generic::{PlainPose, PlainUpdate},
    types::SimTime,
};
use godot::{
    classes::{INode3D, Node3D},
    global::Error,
    prelude::*,
};

use crate::{
    BodyEvent,
    world::{Membership, limits},
};

/// A body that moves by the updates about it, below a `RemoteWorld`.
///
/// Positions are those of the node's own parent, with y up and −z ahead.
/// The first update places it. Scale stays as it is.
#[derive(GodotClass)]
#[class(init, base = Node3D)]
pub struct RemoteBody3D {
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
    base: Base<Node3D>,
}

#[godot_api]
impl INode3D for RemoteBody3D {
    fn enter_tree(&mut self) {
        let limits = limits(self.top_speed, self.turn_rate_deg, self.snap_distance);
        let node = self.to_gd().upcast::<Node>();
        self.membership = Membership::join(&node, false, limits);
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
                BodyEvent::TookOff(rise) => self.signals().took_off().emit(rise),
                BodyEvent::Landed(speed) => self.signals().landed().emit(speed),
                BodyEvent::Stalled => self.signals().stalled().emit(),
                BodyEvent::Resumed => self.signals().resumed().emit(),
            }
        }
    }
}

#[godot_api]
impl RemoteBody3D {
    /// The body got its first update.
    #[signal]
    fn appeared();

    /// The body was placed over this distance instead of moving there.
    #[signal]
    fn snapped(distance: f32);

    /// The body left the ground, with this upward speed.
    #[signal]
    fn took_off(rise: f32);

    /// The body reached the ground, with this speed.
    #[signal]
    fn landed(speed: f32);

    /// The body was stopped, because updates about it stopped.
    #[signal]
    fn stalled();

    /// An update arrived after a stall.
    #[signal]
    fn resumed();

    /// Takes a pose that arrived from the network. Returns `ERR_INVALID_PARAMETER` for a value that is
    /// not finite, and `ERR_UNCONFIGURED` outside a `RemoteWorld`.
    #[func]
    fn receive(&mut self, position: Vector3, rotation: Quaternion) -> Error {
        self.hear(&update_of(position, rotation))
    }

    /// Takes a pose with a velocity in game units per second.
    #[func]
    fn receive_moving(&mut self, position: Vector3, rotation: Quaternion, velocity: Vector3) -> Error {
        self.hear(&update_of(position, rotation).moving([velocity.x, velocity.y, velocity.z]))
    }

    /// Takes a pose with a velocity and the time of sending in seconds by the sender's clock, which
    /// decides the order.
    #[func]
    fn receive_sent(
        &mut self,
        position: Vector3,
        rotation: Quaternion,
        velocity: Vector3,
        secs: f64,
    ) -> Error {
        let Ok(sent) = SimTime::from_secs(secs) else { return Error::ERR_INVALID_PARAMETER };
        self.hear(&update_of(position, rotation).moving([velocity.x, velocity.y, velocity.z]).sent_at(sent))
    }

    /// Takes a pose to which the body was moved without travelling.
    #[func]
    fn receive_teleport(&mut self, position: Vector3, rotation: Quaternion) -> Error {
        self.hear(&update_of(position, rotation).teleporting())
    }

    /// Throws the body with a velocity in game units per second, such as at the start of a jump.
    #[func]
    fn throw(&mut self, velocity: Vector3) -> Error {
        let velocity = [velocity.x, velocity.y, velocity.z];
        self.membership.call(|remotes, key| remotes.throw(key, velocity))
    }

    fn hear(&mut self, update: &PlainUpdate) -> Error {
        self.membership.call(|remotes, key| remotes.update(key, update))
    }

    fn write(&mut self, pose: PlainPose) {
        let [x, y, z] = pose.position.map(|units| units as f32);
        let [i, j, k, w] = pose.rotation;
        self.base_mut().set_position(Vector3::new(x, y, z));
        self.base_mut().set_quaternion(Quaternion::new(i, j, k, w));
    }
}

/// Returns the update of a pose.
fn update_of(position: Vector3, rotation: Quaternion) -> PlainUpdate {
    PlainUpdate::new(PlainPose {
        position: [position.x, position.y, position.z].map(f64::from),
        rotation: [rotation.x, rotation.y, rotation.z, rotation.w],
    })
}
