//! The synthetic archive: invented records with round numbers, written by another program.

use std::sync::Arc;

use evenstride::animation::{MotionLibrary, Played, Treadmill};
use evenstride_dat::{
    Animation, Archive, ArchiveWriter, Contents, CylSphere, HookAction, HookDirection, Iterations,
    LibraryLoader, MotionTable, Record, RecordId, RecordKind, Setup, Version, check,
};
use evenstride_types::update::MotionCommand;

type Outcome = Result<(), Box<dyn std::error::Error>>;

const BYTES: &[u8] = include_bytes!("../../../../testdata/archives/synthetic_portal.dat");
const TABLE: RecordId = RecordId(0x0900_0001);
const RUN: MotionCommand = MotionCommand::RUN_FORWARD;
const READY: MotionCommand = MotionCommand::READY;

fn archive() -> Archive<&'static [u8]> {
    Archive::open(BYTES).expect("the synthetic archive opens")
}

#[test]
fn its_directory_lists_six_records() {
    let archive = archive();
    let header = archive.header();
    assert_eq!((header.version, header.contents), (Version::New, Contents::Portal));
    assert_eq!((header.block_size, header.file_size, header.root), (1024, 9216, 0x400));
    let listed: Vec<(u32, u32, u32)> = archive
        .entries()
        .map(|entry| entry.map(|entry| (entry.id.0, entry.first_block, entry.size)))
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(
        listed,
        [
            (0x0200_0001, 0xC00, 196),
            (0x0300_0001, 0x1000, 48),
            (0x0300_0002, 0x1400, 144),
            (0x0300_0003, 0x1800, 220),
            (0x0900_0001, 0x1C00, 304),
            (0xFFFF_0001, 0x2000, 12),
        ]
    );
    let checked = check(&archive, &mut |_| {});
    assert_eq!(checked.faults, []);
    assert_eq!((checked.fault_count, checked.missing_count, checked.blocks, checked.lost), (0, 0, 8, 0));
    assert_eq!(checked.kinds[&RecordKind::Animation].bytes, 48 + 144 + 220);
}

#[test]
fn its_setup_is_a_person() -> Outcome {
    let setup: Setup = archive().read(RecordId(0x0200_0001))?;
    assert_eq!((setup.flags, setup.parts.as_slice()), (4, [0x0100_0001].as_slice()));
    assert_eq!((setup.placements.len(), setup.placements[0].key), (1, 0));
    assert_eq!(setup.cylspheres, [CylSphere { low: [0.0; 3], radius: 0.48, height: 1.835 }]);
    let spheres: Vec<([f32; 3], f32)> = setup.spheres.iter().map(|of| (of.centre, of.radius)).collect();
    assert_eq!(spheres, [([0.0, 0.0, 0.475], 0.48), ([0.0, 0.0, 1.35], 0.48)]);
    assert_eq!([setup.height, setup.radius, setup.step_up, setup.step_down], [1.835, 0.48, 0.6, 1.5]);
    assert_eq!((setup.sorting.centre, setup.sorting.radius), ([0.0, 0.0, 0.9], 1.0));
    assert_eq!((setup.motion_table, setup.animation), (TABLE, RecordId(0)));
    Ok(())
}

#[test]
fn its_third_animation_moves_the_root_and_does_two_things() -> Outcome {
    let animation: Animation = archive().read(RecordId(0x0300_0003))?;
    assert_eq!((animation.flags, animation.parts, animation.frames), (3, 1, 3));
    let ways: Vec<[f32; 3]> = animation.root.iter().map(|frame| frame.origin).collect();
    assert_eq!(ways, [[0.0, 0.05, 0.0], [0.0, 0.1, 0.0], [0.0, 0.15, 0.0]]);
    let hooks: Vec<_> = animation.hooks.iter().map(|(at, hook)| (*at, hook.direction, hook.action)).collect();
    assert_eq!(
        hooks,
        [
            (1, HookDirection::Both, HookAction::Sound { wave: 0x0A00_0001 }),
            (2, HookDirection::Forward, HookAction::ReplaceObject { part: 0, mesh: 0x0100_0001 }),
        ]
    );
    Ok(())
}

#[test]
fn its_motion_table_walks_runs_turns_and_sidesteps() -> Outcome {
    let table: MotionTable = archive().read(TABLE)?;
    assert_eq!(table.default_style, 0x8000_003D);
    assert_eq!(table.style_defaults, [(0x8000_003D, 0x4100_0003)]);
    let cycles: Vec<_> = table.cycles.iter().map(|of| (of.key, of.velocity, of.omega)).collect();
    let half_turn = -std::f32::consts::FRAC_PI_2;
    assert_eq!(
        cycles,
        [
            (0x003D_0003, None, None),
            (0x003D_0005, Some([0.0, 3.12, 0.0]), None),
            (0x003D_0007, Some([0.0, 4.0, 0.0]), None),
            (0x003D_000D, None, Some([0.0, 0.0, half_turn])),
            (0x003D_000F, Some([1.25, 0.0, 0.0]), None),
        ]
    );
    assert_eq!(table.modifiers.iter().map(|of| of.clips.len()).collect::<Vec<_>>(), [0, 0]);
    let links: Vec<_> =
        table.links.iter().map(|of| (of.from, of.to[0].key, of.to[0].clips[0].rate)).collect();
    assert_eq!(links, [(0x003D_0003, 0x4400_0007, 30.0), (0x003D_0007, 0x4100_0003, -30.0)]);
    Ok(())
}

/// The records are what our own writer would write, and so is the whole file.
#[test]
fn our_writer_makes_the_same_bytes() -> Outcome {
    let archive = archive();
    let written = ArchiveWriter::portal()
        .date(0x5900_0000)
        .add_record(&archive.read::<Setup>(RecordId(0x0200_0001))?)?
        .add_record(&archive.read::<Animation>(RecordId(0x0300_0001))?)?
        .add_record(&archive.read::<Animation>(RecordId(0x0300_0002))?)?
        .add_record(&archive.read::<Animation>(RecordId(0x0300_0003))?)?
        .add_record(&archive.read::<MotionTable>(TABLE)?)?
        .add_record(&archive.read::<Iterations>(RecordId::ITERATIONS)?)?
        .finish()?;
    let differs = written.iter().zip(BYTES).position(|(ours, theirs)| ours != theirs);
    assert_eq!(differs.map(|at| format!("{at:X}")), None);
    assert_eq!(written.len(), BYTES.len());
    Ok(())
}

/// What a motion does, step by step of 0.05 s: metres ahead, keyframe after it, animations ended, hooks fired.
fn played(from: MotionCommand, to: MotionCommand, speed: f32, steps: usize) -> Vec<(f32, f64, usize, usize)> {
    let archive = archive();
    let mut loader = LibraryLoader::new(&archive, MotionLibrary::default());
    loader.table(TABLE);
    let loaded = loader.finish();
    assert_eq!((loaded.animations, loaded.faults.as_slice(), loaded.missing.len()), (3, [].as_slice(), 0));
    let mut legs = Treadmill::new(Arc::new(loaded.library), TABLE.0).expect("the table is there");
    if from != READY {
        legs.begin(from, 1.0).expect("it has that motion");
        legs.skip_links();
    }
    legs.begin(to, speed).expect("it has that motion");
    (0..steps)
        .map(|_| {
            let (mut ended, mut hooks) = (0, 0);
            let way = legs.play(0.05, |played| match played {
                Played::Ended => ended += 1,
                Played::Hook(_) => hooks += 1,
                Played::Keyframe { .. } => {}
            });
            assert_eq!((way.origin().x, way.origin().z), (0.0, 0.0));
            (way.origin().y, legs.playing().map_or(-1.0, |playing| playing.frame), ended, hooks)
        })
        .collect()
}

fn assert_played(got: &[(f32, f64, usize, usize)], expected: &[(f32, f64, usize, usize)], sum: f32) {
    assert_eq!(got.len(), expected.len());
    for (step, (got, expected)) in got.iter().zip(expected).enumerate() {
        assert!((got.0 - expected.0).abs() < 1e-5, "step {step}: {got:?}, not {expected:?}");
        assert!((got.1 - expected.1).abs() < 1e-4, "step {step}: {got:?}, not {expected:?}");
        assert_eq!((got.2, got.3), (expected.2, expected.3), "step {step}");
    }
    let total: f32 = got.iter().map(|step| step.0).sum();
    assert!((total - sum).abs() < 1e-4, "{total}, not {sum}");
}

#[test]
fn from_ready_to_run_it_goes_one_metre_and_thirty_five() {
    let expected = [
        (0.183_333, 1.5, 0, 0),
        (0.366_667, 0.0, 1, 1),
        (0.133_333, 1.5, 0, 0),
        (0.266_667, 3.0, 0, 0),
        (0.133_333, 0.5, 0, 0),
        (0.266_667, 2.0, 0, 0),
    ];
    assert_played(&played(READY, RUN, 1.0, 6), &expected, 1.35);
}

#[test]
fn half_as_fast_again_it_goes_half_as_far_again_but_for_the_link() {
    let expected = [
        (0.416_667, 2.25, 0, 1),
        (0.266_667, 1.5, 1, 0),
        (0.266_667, 3.75, 0, 0),
        (0.4, 2.0, 0, 0),
        (0.266_667, 0.25, 0, 0),
        (0.266_667, 2.5, 0, 0),
    ];
    assert_played(&played(READY, RUN, 1.5, 6), &expected, 1.883_333);
}

#[test]
fn from_run_to_ready_the_link_is_played_backward() {
    let expected = [(-0.15, 0, 0), (-0.15, 1, 1), (0.0, 0, 0), (0.0, 0, 0)];
    let got = played(RUN, READY, 1.0, 4);
    for (step, (got, expected)) in got.iter().zip(&expected).enumerate() {
        assert!((got.0 - expected.0).abs() < 1e-5, "step {step}: {got:?}, not {expected:?}");
        assert_eq!((got.2, got.3), (expected.1, expected.2), "step {step}: {got:?}");
    }
    // A keyframe's end is two ten-thousandths before the next one.
    assert!((got[0].1 - 1.4998).abs() < 1e-6 && (got[1].1 - 0.0002).abs() < 1e-6, "{got:?}");
}

#[test]
fn every_record_is_written_as_it_was_read() -> Outcome {
    let archive = archive();
    for entry in archive.entries() {
        let entry = entry?;
        let bytes = archive.bytes(&entry)?;
        let again = match archive.kind_of(entry.id) {
            RecordKind::Setup => Setup::from_bytes(&bytes)?.to_bytes()?,
            RecordKind::Animation => Animation::from_bytes(&bytes)?.to_bytes()?,
            RecordKind::MotionTable => MotionTable::from_bytes(&bytes)?.to_bytes()?,
            RecordKind::Iterations => Iterations::from_bytes(&bytes)?.to_bytes()?,
            other => return Err(format!("{} is a {other}", entry.id).into()),
        };
        assert_eq!(again, bytes, "{}", entry.id);
    }
    Ok(())
}
