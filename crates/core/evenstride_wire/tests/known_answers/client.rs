//! What a player's client says.

use evenstride_types::{
    RawPlacement, Stamp,
    update::{
        AutonomousPosition, Contact, HoldKey, Jump, MotionCommand, MoveToState, PlayerAction, PlayerStamps,
        RawAxis, RawState,
    },
};
use evenstride_wire::{ActionMessage, Message};

use crate::helpers::*;

const DOWN: &str = "b1f70000 07000000 1cf60000 05000000 02000000 05000045 \
                    2a00b4a9 8f49fd42 d0641442 9002bc42 99d08c3e 0000000000000000 aa2076bf \
                    5a00 0000 0000 0000 01 000000";
/// The example leaves the rotation and the last three stamps out: running straight on, they are those of the
/// key-down.
const UP: &str = "b1f70000 08000000 1cf60000 01000000 02000000 \
                  2a00b4a9 284e0143 aa4e0342 9002bc42 99d08c3e 0000000000000000 aa2076bf \
                  5a00 0000 0000 0000 01 000000";
const STOPPED: &str = "b1f70000 09000000 53f70000 2a00b4a9 e6b80143 71a10042 9002bc42 \
                       99d08c3e 0000000000000000 aa2076bf 5a00 0000 0000 0000 01 000000";

/// A place of the recorded run.
fn place(origin: &str) -> RawPlacement {
    let wxyz = floats("99d08c3e 00000000 00000000 aa2076bf");
    RawPlacement { cell: 0xA9B4_002A, origin: vector(origin), wxyz }
}

/// The server had told the client nothing yet but which life it is.
fn stamps() -> PlayerStamps {
    PlayerStamps { instance: Stamp::new(90), ..PlayerStamps::default() }
}

fn keys(state: RawState, position: RawPlacement) -> PlayerAction {
    PlayerAction::MoveToState(MoveToState { state, position, stamps: stamps(), contact: Contact(1) })
}

/// The run key held, and nothing else.
fn holding_run() -> RawState {
    RawState { hold_key: Some(HoldKey::RUN), ..RawState::default() }
}

fn axis(command: MotionCommand) -> RawAxis {
    RawAxis { command: Some(command), ..RawAxis::default() }
}

#[test]
fn the_key_down_of_the_recorded_run() {
    let state = RawState { forward: axis(MotionCommand::WALK_FORWARD), ..holding_run() };
    asks(DOWN, 7, keys(state, place("8f49fd42 d0641442 9002bc42")));
}

#[test]
fn the_key_up_of_the_recorded_run() {
    asks(UP, 8, keys(holding_run(), place("284e0143 aa4e0342 9002bc42")));
}

#[test]
fn where_the_recorded_run_came_to_a_stop() {
    assert_eq!(hex(STOPPED).len(), 56);
    asks(
        STOPPED,
        9,
        PlayerAction::AutonomousPosition(AutonomousPosition {
            position: place("e6b80143 71a10042 9002bc42"),
            stamps: stamps(),
            contact: Contact(1),
        }),
    );
}

#[test]
fn the_recorded_run_is_as_long_as_it_was_measured() {
    let [start, released, stopped] = [DOWN, UP, STOPPED].map(|text| match read_back(&hex(text)) {
        Message::Action(ActionMessage { action: Ok(PlayerAction::MoveToState(keys)), .. }) => {
            keys.position.origin
        }
        Message::Action(ActionMessage { action: Ok(PlayerAction::AutonomousPosition(still)), .. }) => {
            still.position.origin
        }
        other => panic!("{other:?}"),
    });
    near(start.distance(released), 5.033);
    near(start.distance(stopped), 5.8214);
}

/// The example leaves the place out; the turn was made where the jump below was.
#[test]
fn the_recorded_turn_to_the_left() {
    let state = RawState { turn: axis(MotionCommand::TURN_LEFT), ..holding_run() };
    asks(
        "b1f70000 0d000000 1cf60000 01010000 02000000 0e000065 \
         2a00b4a9 04cd0443 33bcd941 9002bc42 99d08c3e 0000000000000000 aa2076bf \
         5a00 0000 0000 0000 01 000000",
        13,
        keys(state, place("04cd0443 33bcd941 9002bc42")),
    );
}

/// The example leaves the place out; that of the run stands in.
#[test]
fn running_and_turning_in_hand_combat() {
    let state = RawState {
        style: Some(MotionCommand(0x8000_003C)),
        forward: axis(MotionCommand::WALK_FORWARD),
        turn: axis(MotionCommand::TURN_RIGHT),
        ..holding_run()
    };
    asks(
        "b1f70000 6e000000 1cf60000 07010000 02000000 3c000080 05000045 0d000065 \
         2a00b4a9 8f49fd42 d0641442 9002bc42 99d08c3e 0000000000000000 aa2076bf \
         5a00 0000 0000 0000 01 000000",
        110,
        keys(state, place("8f49fd42 d0641442 9002bc42")),
    );
}

#[test]
fn the_recorded_jump() {
    let text = "b1f70000 16000000 1bf60000 2839023f 00000000 00000000 b6eb6240 \
                2a00b4a9 04cd0443 33bcd941 9002bc42 97d08c3e 0000000000000000 ab2076bf 5a00 0000 0000 0000";
    assert_eq!(hex(text).len(), 68);
    let extent = float("2839023f");
    near(extent, 0.5087);
    let position = RawPlacement {
        wxyz: floats("97d08c3e 00000000 00000000 ab2076bf"),
        ..place("04cd0443 33bcd941 9002bc42")
    };
    let local_velocity = vector("00000000 00000000 b6eb6240");
    near_vector(local_velocity, [0.0, 0.0, 3.5456]);
    asks(text, 22, PlayerAction::Jump(Jump { extent, local_velocity, position, stamps: stamps() }));
}
