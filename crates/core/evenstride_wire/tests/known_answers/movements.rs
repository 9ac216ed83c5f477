//! Movements.

use evenstride_types::{
    EntityId, Stamp,
    update::{
        ActionItem, CommandIndex, InterpretedState, MoveToFlags, MoveToParams, Movement, MovementBody,
        MovementKind, MovementUpdate, TurnToParams, Update,
    },
};

use crate::helpers::*;

pub(crate) const fn index(number: u16) -> Option<CommandIndex> {
    Some(CommandIndex(number))
}

/// Commands and speeds in a stance.
pub(crate) fn doing(style: u16, state: InterpretedState) -> MovementBody {
    MovementBody { style: CommandIndex(style), ..MovementBody::interpreted(state) }
}

pub(crate) fn of_kind(style: u16, kind: MovementKind) -> MovementBody {
    MovementBody { style: CommandIndex(style), standing_long_jump: false, other_flags: 0, kind }
}

pub(crate) fn action(command: u16, stamp: u16, speed: f32) -> ActionItem {
    ActionItem { command: CommandIndex(command), stamp, autonomous: false, speed }
}

/// A movement with the stamps of life, movement and server control.
pub(crate) fn moves(entity: u32, stamps: [u16; 3], autonomous: u8, body: MovementBody) -> Update {
    let [instance, stamp, server_control] = stamps.map(Stamp::new);
    let movement = Movement { stamp, server_control, autonomous, body };
    Update::Movement(MovementUpdate { entity: EntityId::new(entity), instance, movement })
}

#[test]
fn movements_of_a_player_by_itself() {
    let speed = float("3ae7fc3f");
    near(speed, 1.9758);
    let run =
        InterpretedState { forward: index(7), forward_speed: Some(speed), ..InterpretedState::default() };
    says(
        "4cf70000 02000050 5a00 0200 0000 01 00 00 00 0000 06000000 0700 3ae7fc3f 0000",
        moves(0x5000_0002, [90, 2, 0], 1, doing(0, run)),
    );
    let left = InterpretedState { turn: index(0x0D), turn_speed: Some(-1.5), ..InterpretedState::default() };
    says(
        "4cf70000 02000050 5a00 0600 0000 01 00 00 00 0000 60000000 0d00 0000c0bf 0000",
        moves(0x5000_0002, [90, 6, 0], 1, doing(0, left)),
    );
    let speed = float("abaaba3f");
    near(speed, 1.4583);
    let run_and_turn = InterpretedState {
        style: index(0x3C),
        forward: index(7),
        turn: index(0x0D),
        forward_speed: Some(speed),
        turn_speed: Some(1.5),
        ..InterpretedState::default()
    };
    says(
        "4cf70000 13000050 0400 2e00 1c00 01 00 00 00 3c00 67000000 3c00 0700 0d00 abaaba3f 0000c03f 0000",
        moves(0x5000_0013, [4, 46, 28], 1, doing(0x3C, run_and_turn)),
    );
    let charge = MovementBody { standing_long_jump: true, ..doing(0, InterpretedState::default()) };
    says(
        "4cf70000 02000050 5a00 0b00 0000 01 00 00 02 0000 00000000",
        moves(0x5000_0002, [90, 11, 0], 1, charge),
    );
}

#[test]
fn movements_on_order_of_the_server() {
    let stance = |style: u16, forward: u16| InterpretedState {
        style: index(style),
        forward: index(forward),
        ..InterpretedState::default()
    };
    says(
        "4cf70000 6fc0887c 0000 2d00 2d00 00 00 00 00 3d00 03000000 3d00 7f00",
        moves(0x7C88_C06F, [0, 45, 45], 0, doing(0x3D, stance(0x3D, 0x7F))),
    );
    says(
        "4cf70000 e2090080 0000 0a00 0a00 00 00 00 00 3d00 03000000 3d00 1100",
        moves(0x8000_09E2, [0, 10, 10], 0, doing(0x3D, stance(0x3D, 0x11))),
    );
    let bow = InterpretedState { actions: vec![action(0x7D, 5, 1.0)], ..stance(0x3D, 3) };
    says(
        "4cf70000 1f000050 0100 3400 0400 00 00 00 00 3d00 83000000 3d00 0300 7d00 0500 0000803f",
        moves(0x5000_001F, [1, 52, 4], 0, doing(0x3D, bow)),
    );
    let target = EntityId::new(0x8000_0351);
    let flags = MoveToFlags::from_bits_retain(0x1_EE0F);
    let params = TurnToParams { flags, speed: 1.0, desired_heading_deg: 0.0 };
    says(
        "4cf70000 13000050 0400 3e00 1d00 00 00 08 00 3c00 51030080 00000000 0fee0100 0000803f 00000000",
        moves(
            0x5000_0013,
            [4, 62, 29],
            0,
            of_kind(0x3C, MovementKind::TurnToObject { target, heading_deg: 0.0, params }),
        ),
    );
    let speed = float("b76d5b3f");
    assert!((speed - 0.857).abs() < 0.0005, "{speed}");
    let swing = InterpretedState { forward_speed: Some(speed), turn_speed: Some(2.25), ..stance(0x3C, 0x64) };
    says(
        "4cf70000 13000050 0400 3f00 1e00 00 00 00 01 3c00 47000000 3c00 6400 b76d5b3f 00001040 51030080",
        moves(
            0x5000_0013,
            [4, 63, 30],
            0,
            of_kind(0x3C, MovementKind::Interpreted { state: swing, stick_to: Some(target) }),
        ),
    );
}

/// A movement from a description, as a message of its own.
pub(crate) fn described(core: &str) -> MovementBody {
    let text = format!("4cf70000 13000050 0400 3f00 1e00 00 00 {core}");
    match read_back(&hex(&text)).into_update() {
        Some(Update::Movement(update)) => update.movement.body,
        other => panic!("{other:?}"),
    }
}

#[test]
fn going_somewhere_as_the_retail_servers_said_it() {
    let to_object = MovementKind::MoveToObject {
        target: EntityId::new(0x5011_25E3),
        cell: 0x01F5_0167,
        origin: vector("7f23dd42 281916c2 c3f5efc1"),
        params: MoveToParams {
            flags: MoveToFlags::from_bits_retain(0x0041_EFF0),
            distance_to_object: float("e8e6bf3f"),
            min_distance: 0.1,
            fail_distance: 100.0,
            speed: 1.0,
            walk_run_threshold: 15.0,
            desired_heading_deg: 0.0,
        },
        run_rate: 2.03125,
    };
    near_vector(vector("7f23dd42 281916c2 c3f5efc1"), [110.569, -37.525, -29.995]);
    near(float("e8e6bf3f"), 1.4992);
    assert_eq!(
        described(
            "06003c00 e3251150 6701f501 7f23dd42 281916c2 c3f5efc1 f0ef4100 e8e6bf3f cdcccc3d 0000c842 \
             0000803f 00007041 00000000 00000240"
        ),
        of_kind(0x3C, to_object)
    );
    let to_position = MovementKind::MoveToPosition {
        cell: 0x01F5_0133,
        origin: vector("6d273d43 6d566dc2 c3f50fc2"),
        params: MoveToParams {
            flags: MoveToFlags::from_bits_retain(0x0041_EE0F),
            distance_to_object: 0.0,
            min_distance: 0.0,
            fail_distance: f32::MAX,
            speed: 1.0,
            walk_run_threshold: 15.0,
            desired_heading_deg: 0.0,
        },
        run_rate: float("cb3ded3f"),
    };
    near_vector(vector("6d273d43 6d566dc2 c3f50fc2"), [189.154, -59.334, -35.99]);
    near(float("cb3ded3f"), 1.853_45);
    assert_eq!(
        described(
            "07003c00 3301f501 6d273d43 6d566dc2 c3f50fc2 0fee4100 00000000 00000000 ffff7f7f 0000803f \
             00007041 00000000 cb3ded3f"
        ),
        of_kind(0x3C, to_position)
    );
}

#[test]
fn commands_and_actions_as_the_retail_servers_said_them() {
    let fast = float("58293d40");
    near(fast, 2.9556);
    let run_and_turn_left = InterpretedState {
        style: index(0x44),
        forward: index(7),
        turn: index(0x0D),
        forward_speed: Some(fast),
        turn_speed: Some(-1.5),
        ..InterpretedState::default()
    };
    assert_eq!(
        described("00004400 67000000 4400 0700 0d00 58293d40 0000c0bf 0000"),
        doing(0x44, run_and_turn_left)
    );
    let fast = float("72a73840");
    near(fast, 2.8852);
    let run_and_turn_right = InterpretedState {
        forward: index(7),
        turn: index(0x0D),
        forward_speed: Some(fast),
        turn_speed: Some(1.5),
        ..InterpretedState::default()
    };
    assert_eq!(described("00003d00 66000000 0700 0d00 72a73840 0000c03f"), doing(0x3D, run_and_turn_right));
    // Speeds of axes that have no command.
    let cast = InterpretedState {
        style: index(0x49),
        forward: index(0x2D),
        forward_speed: Some(2.0),
        sidestep_speed: Some(3.0),
        turn_speed: Some(1.5),
        ..InterpretedState::default()
    };
    assert_eq!(described("00004900 57000000 4900 2d00 00000040 00004040 0000c03f"), doing(0x49, cast));
    let speed = float("ee69843f");
    near(speed, 1.0345);
    let swing = InterpretedState {
        style: index(0x40),
        actions: vec![action(0x5F, 1, speed)],
        ..InterpretedState::default()
    };
    assert_eq!(described("00004000 81000000 4000 5f00 0100 ee69843f 0000"), doing(0x40, swing));
    let other = InterpretedState {
        style: index(0x3C),
        actions: vec![action(0x52, 38, 1.0)],
        ..InterpretedState::default()
    };
    assert_eq!(described("00003c00 81000000 3c00 5200 2600 0000803f 0000"), doing(0x3C, other));
}
