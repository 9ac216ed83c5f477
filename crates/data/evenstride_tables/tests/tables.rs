//! Tables as text: what is right works in a world, what is wrong is said with its line.

use std::sync::Arc;

use evenstride::{
    Config, MotionWorld, OpenField,
    types::{
        CellId, EntityId, Placement, Pose, Rotation, SimTime, Stamp, StampTable, Vec3,
        update::{
            CreateUpdate, InterpretedState, MotionCommand, Movement, MovementBody, MovementUpdate,
            PhysicsDescription, Update,
        },
    },
};
use evenstride_tables::parse;

const CRAB: &str = r#"
[animation.stand]
frames = 10

[animation.scuttle]
frames = 10
each = [0.05, 0.0, 0.0]
hooks = [{ frame = 4, kind = 1, value = 77 }]

[table.0x09000777]
default_style = "NonCombat"

[table.0x09000777.style.NonCombat]
default = "Ready"
cycle.Ready = { clips = [{ animation = "stand" }] }
cycle.Walk = { clips = [{ animation = "scuttle", rate = 20.0 }] }
"#;

#[test]
fn a_crab_walks_sideways_by_its_own_table() {
    let mut world = MotionWorld::new(Config::SMOOTH, SimTime::ZERO);
    world.set_library(Arc::new(parse(CRAB).unwrap()));
    let place = Placement::new(
        CellId::new(0xA9B4_0001).unwrap(),
        Pose::new(Vec3::new(10.0, 10.0, 0.0), Rotation::IDENTITY).unwrap(),
    );
    world.set_viewpoint(Some(place));
    let crab = EntityId::new(0x8000_0001);
    world.trace(crab);
    let mut physics = PhysicsDescription::standing(&place, StampTable::default());
    physics.resources.motion_table = Some(0x0900_0777);
    let at = |seconds: f64| SimTime::from_secs(seconds).unwrap();
    let _ = world.handle(at(0.0), &Update::Create(CreateUpdate::new(crab, physics)), &OpenField);
    let body = MovementBody::interpreted(InterpretedState::doing(MotionCommand::WALK_FORWARD, 1.0));
    let movement = Movement { stamp: Stamp::new(1), server_control: Stamp::new(0), autonomous: 0, body };
    let walks = Update::Movement(MovementUpdate { entity: crab, instance: Stamp::new(0), movement });
    let _ = world.handle(at(0.0), &walks, &OpenField);
    let mut sounds = 0;
    for frame in 1..=120 {
        world.advance(at(f64::from(frame) / 30.0), &OpenField);
        while let Some(event) = world.poll_event() {
            sounds += u32::from(event.kind == evenstride::Happening::Hook { kind: 1, value: 77 });
        }
    }
    // Twenty keyframes a second of 5 cm each, to the right; a sound every ten of them.
    let gone = world.body(crab).unwrap().place.unwrap().pose.origin() - place.pose.origin();
    assert!((gone.x - 4.0).abs() < 0.11 && gone.y == 0.0, "{gone}");
    assert_eq!(sounds, 8);
    let words: Vec<String> = world.explain(crab).map(|of| of.decision.to_string()).collect();
    assert!(words.contains(&"plays its own motion table 09000777".to_owned()), "{words:?}");
    let playing = world.animation(crab).unwrap().playing.unwrap();
    assert_eq!((playing.table, playing.rate), (0x0900_0777, 20.0));
}

#[test]
fn mistakes_are_said_with_their_line() {
    for (change, line, words) in [
        (("cycle.Walk", "cycle.Wakl"), 16, "`Wakl` is not a motion; did you mean `Walk`?"),
        (
            ("animation = \"scuttle\"", "animation = \"skuttle\""),
            16,
            "unknown animation `skuttle`; known animations: scuttle, stand",
        ),
        (("frames = 10\neach", "frames = 0\neach"), 5, "the animation has no keyframes"),
        (("frame = 4", "frame = 40"), 5, "a hook is at keyframe 40, but the animation has 10 keyframes"),
        (
            ("default = \"Ready\"", "default = \"Sitting\""),
            14,
            "has no cycle for its default motion `Sitting`",
        ),
        (
            ("default_style = \"NonCombat\"", "default_style = \"Magic\""),
            11,
            "the default stance `Magic` is missing",
        ),
        (("default_style = \"NonCombat\"", "default_style = \"Ready\""), 11, "`Ready` is not a stance"),
        (("rate = 20.0", "rte = 20.0"), 16, "unknown field `rte`"),
        (("0x09000777", "crab"), 10, "`crab` is not the number of a table"),
        (("each = [0.05, 0.0, 0.0]", "root = [[0.0, 0.0, 0.0]]"), 5, "root motion for 1 of 10 keyframes"),
    ] {
        let text = CRAB.replace(change.0, change.1);
        assert_ne!(text, CRAB, "{change:?}");
        let error = parse(&text).unwrap_err();
        assert!(error.what.contains(words), "{error}");
        assert_eq!(error.line, line, "{error}");
    }
}
