//! The node of a remote body in three dimensions.

use evenstride::{
    generic::{PlainLimits, PlainPose, PlainUpdate},
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
/// Positions are those of the node's own parent, with y up and −z ahead. A `RemoteWorld` has no place,
/// so right below it they are global.
///
/// The first update places it. Scale stays as it is.
#[derive(GodotClass)]
#[class(init, base = Node3D)]
pub struct RemoteBody3D {
    /// Highest speed that is believed of it, in game units per second. 0 means none.
    #[export]
    #[var(set)]
    top_speed: f32,
    /// Highest turn rate that is believed of it, in degrees per second. 0 means none.
    #[export]
    #[var(set)]
    turn_rate_deg: f32,
    /// Distance from a received place beyond which it is placed, in game units. 0 means none.
    #[export]
    #[var(set)]
    snap_distance: f32,
    membership: Membership,
    /// Pose that was written last.
    written: Option<PlainPose>,
    base: Base<Node3D>,
}

#[godot_api]
impl INode3D for RemoteBody3D {
    fn enter_tree(&mut self) {
        let limits = self.limits();
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
        self.hear_sent(update_of(position, rotation).moving([velocity.x, velocity.y, velocity.z]), secs)
    }

    /// Takes a pose with the time of sending, and without a velocity.
    #[func]
    fn receive_timed(&mut self, position: Vector3, rotation: Quaternion, secs: f64) -> Error {
        self.hear_sent(update_of(position, rotation), secs)
    }

    /// Takes a pose with its number, such as the tick of the server. Old and repeated ones are ignored.
    #[func]
    fn receive_numbered(&mut self, position: Vector3, rotation: Quaternion, number: i64) -> Error {
        self.hear_numbered(update_of(position, rotation), number)
    }

    /// Takes a pose with a velocity in game units per second and a number.
    #[func]
    fn receive_numbered_moving(
        &mut self,
        position: Vector3,
        rotation: Quaternion,
        velocity: Vector3,
        number: i64,
    ) -> Error {
        self.hear_numbered(update_of(position, rotation).moving([velocity.x, velocity.y, velocity.z]), number)
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

    /// Changes the highest speed that is believed of it, from its next update on.
    #[func]
    fn set_top_speed(&mut self, top_speed: f32) {
        self.top_speed = top_speed;
        self.membership.limit(self.limits());
    }

    /// Changes the highest turn rate that is believed of it, from its next update on.
    #[func]
    fn set_turn_rate_deg(&mut self, turn_rate_deg: f32) {
        self.turn_rate_deg = turn_rate_deg;
        self.membership.limit(self.limits());
    }

    /// Changes the distance beyond which it is placed, from its next update on.
    #[func]
    fn set_snap_distance(&mut self, snap_distance: f32) {
        self.snap_distance = snap_distance;
        self.membership.limit(self.limits());
    }

    fn limits(&self) -> PlainLimits {
        limits(self.top_speed, self.turn_rate_deg, self.snap_distance)
    }

    fn hear(&mut self, update: &PlainUpdate) -> Error {
        self.membership.call(|remotes, key| remotes.update(key, update))
    }

    fn hear_sent(&mut self, update: PlainUpdate, secs: f64) -> Error {
        match SimTime::from_secs(secs) {
            Ok(sent) => self.hear(&update.sent_at(sent)),
            Err(error) => self.membership.refuse(&error),
        }
    }

    fn hear_numbered(&mut self, update: PlainUpdate, number: i64) -> Error {
        match u64::try_from(number) {
            Ok(number) => self.hear(&update.numbered(number)),
            Err(_) => self.membership.refuse(&format_args!("number: {number} is negative; use 0 or more")),
        }
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
