//! Positions.

use evenstride_types::{
    EntityId, Stamp, Vec3,
    update::{PositionPack, PositionUpdate, SparseQuaternion, Update},
};

use crate::helpers::*;

pub(crate) const PLAYER: EntityId = EntityId::new(0x5000_0002);
pub(crate) const JUMPER: EntityId = EntityId::new(0x5000_001E);

/// Where the recorded player stood before the run.
pub(crate) fn before_the_run() -> PositionPack {
    PositionPack {
        cell: 0xA9B4_002A,
        origin: vector("8f49fd42 d0641442 9002bc42"),
        rotation: SparseQuaternion([Some(float("99d08c3e")), None, None, Some(float("aa2076bf"))]),
        velocity: None,
        placement_frame: None,
        has_contact: true,
        other_flags: 0,
        instance: Stamp::new(90),
        position: Stamp::new(1),
        teleport: Stamp::new(0),
        force_position: Stamp::new(0),
    }
}

/// Where the recorded jumper was right after a jump.
pub(crate) fn after_a_jump() -> PositionPack {
    PositionPack {
        cell: 0x8602_01AD,
        origin: vector("1ad22b41 6c90e7c1 f0d6a33b"),
        rotation: SparseQuaternion([Some(float("bd7fd43e")), None, None, Some(float("f3e868bf"))]),
        velocity: Some(vector("00000000 00000000 e98ee7b4")),
        instance: Stamp::new(1),
        position: Stamp::new(0x36),
        ..before_the_run()
    }
}

#[test]
fn a_player_on_the_ground() {
    let pack = before_the_run();
    assert_eq!(pack.flags(), 0x34);
    near_vector(pack.origin, [126.6437, 37.0984, 94.005]);
    let [w, x, y, z] = pack.rotation.to_wxyz();
    near(w, 0.275_03);
    near(z, -0.961_44);
    assert_eq!((x, y), (0.0, 0.0));
    says(
        "48f70000 02000050 34000000 2a00b4a9 8f49fd42 d0641442 9002bc42 99d08c3e aa2076bf \
         5a00 0100 0000 0000",
        Update::Position(PositionUpdate { entity: PLAYER, pack }),
    );
}

/// ACE sends a velocity however small it is; the client would have left it out.
#[test]
fn a_grounded_position_with_next_to_no_velocity() {
    let pack = after_a_jump();
    assert_eq!((pack.flags(), pack.has_contact), (0x35, true));
    let velocity = pack.velocity.unwrap();
    assert_eq!((velocity.x, velocity.y), (0.0, 0.0));
    assert!((velocity.z + 4.3e-7).abs() < 0.05e-7, "{velocity}");
    says(
        "48f70000 1e000050 35000000 ad010286 1ad22b41 6c90e7c1 f0d6a33b bd7fd43e f3e868bf \
         0000000000000000e98ee7b4 0100 3600 0000 0000",
        Update::Position(PositionUpdate { entity: JUMPER, pack }),
    );
}

#[test]
fn a_position_in_the_air() {
    let velocity = vector("00000000 00000000 530546c0");
    near_vector(velocity, [0.0, 0.0, -3.0941]);
    let pack = PositionPack {
        velocity: Some(velocity),
        has_contact: false,
        position: Stamp::new(0x37),
        ..after_a_jump()
    };
    assert_eq!(pack.flags(), 0x31);
    says(
        "48f70000 1e000050 31000000 ad010286 1ad22b41 6c90e7c1 f0d6a33b bd7fd43e f3e868bf \
         0000000000000000530546c0 0100 3700 0000 0000",
        Update::Position(PositionUpdate { entity: JUMPER, pack }),
    );
}

/// Invented bytes.
#[test]
fn a_position_that_leaves_nothing_out() {
    let pack = PositionPack {
        cell: 0x121E_8F5C,
        origin: Vec3::ZERO,
        rotation: SparseQuaternion::full([1.0, 0.0, 0.0, 0.0]),
        velocity: None,
        placement_frame: None,
        has_contact: false,
        other_flags: 0,
        instance: Stamp::new(1),
        position: Stamp::new(2),
        teleport: Stamp::new(3),
        force_position: Stamp::new(4),
    };
    assert_eq!(pack.flags(), 0);
    says(
        "48F70000 15000000 00000000 5C8F1E12 000000000000000000000000 0000803F 000000000000000000000000 \
         0100 0200 0300 0400",
        Update::Position(PositionUpdate { entity: EntityId::new(0x15), pack }),
    );
}

/// Creatures send a placement of 0x65; one that faces north sends only the first part of its rotation. Put
/// together from a player's recorded position: of creatures only flags and length were written down.
#[test]
fn positions_of_creatures() {
    let turned = PositionPack { placement_frame: Some(0x65), ..before_the_run() };
    assert_eq!(turned.flags(), 0x36);
    let text = "48f70000 02000050 36000000 2a00b4a9 8f49fd42 d0641442 9002bc42 99d08c3e aa2076bf 65000000 \
                5a00 0100 0000 0000";
    assert_eq!(hex(text).len(), 48);
    says(text, Update::Position(PositionUpdate { entity: PLAYER, pack: turned.clone() }));
    let rotation = SparseQuaternion::packed([1.0, 0.0, 0.0, 0.0]);
    let north = PositionPack { rotation, ..turned };
    assert_eq!(north.flags(), 0x76);
    says(
        "48f70000 02000050 76000000 2a00b4a9 8f49fd42 d0641442 9002bc42 0000803f 65000000 \
         5a00 0100 0000 0000",
        Update::Position(PositionUpdate { entity: PLAYER, pack: north }),
    );
}
