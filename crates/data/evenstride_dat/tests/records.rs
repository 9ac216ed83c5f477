//! Records, byte by byte: every hook's length, the awkward forms, and what is refused.

use std::sync::Arc;

use evenstride::{
    animation::{MotionLibrary, Treadmill},
    surroundings::{Cuts, Heightfield},
};
use evenstride_dat::{
    AnimFrame, Animation, Archive, ArchiveWriter, Clip, CylSphere, DatError, Frame, Hook, HookAction,
    HookDirection, Iterations, LandBlock, LibraryLoader, Light, LinkGroup, Location, MotionData, MotionTable,
    Placement, Record, RecordError, RecordFault, RecordId, Region, Setup, Sphere, Unwritable, heightfield,
};
use evenstride_types::{CellId, LandblockId, Pose, Rotation, Vec3, update::MotionCommand};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const OFFSET: Frame = Frame { origin: [1.0, 2.0, 3.0], rotation: [0.5, -0.5, 0.5, -0.5] };

/// One of each type, with the bytes it takes.
fn hooks() -> Vec<(HookAction, usize)> {
    let (part, start, end, secs) = (7, 0.25, 0.75, 1.5);
    let (emitter_info, emitter) = (0x3200_0001, 9);
    vec![
        (HookAction::NoOp, 8),
        (HookAction::Sound { wave: 0x0A00_0001 }, 12),
        (HookAction::SoundTable { sound: 4 }, 12),
        (HookAction::Attack { part, left: [1.0, 2.0], right: [3.0, 4.0], radius: 0.5, height: 1.0 }, 36),
        (HookAction::AnimationDone, 8),
        (HookAction::ReplaceObject { part: 3, mesh: 0x0100_7FFF }, 12),
        (HookAction::ReplaceObject { part: 0xFE, mesh: 0x0100_8000 }, 16),
        (HookAction::ReplaceObject { part: 1, mesh: 0x3FFF_FFFF + 0x0100_0000 }, 16),
        (HookAction::Ethereal { flag: 1 }, 12),
        (HookAction::TransparentPart { part, start, end, secs }, 24),
        (HookAction::Luminous { start, end, secs }, 20),
        (HookAction::LuminousPart { part, start, end, secs }, 24),
        (HookAction::Diffuse { start, end, secs }, 20),
        (HookAction::DiffusePart { part, start, end, secs }, 24),
        (HookAction::Scale { end, secs }, 16),
        (HookAction::CreateParticle { emitter_info, part, offset: OFFSET, emitter }, 48),
        (HookAction::DestroyParticle { emitter }, 12),
        (HookAction::StopParticle { emitter }, 12),
        (HookAction::NoDraw { flag: 1 }, 12),
        (HookAction::DefaultScript, 8),
        (HookAction::DefaultScriptPart { part }, 12),
        (HookAction::CallScript { script: 0x3300_0001, pause: 0.5 }, 16),
        (HookAction::Transparent { start, end, secs }, 20),
        (HookAction::SoundTweaked { wave: 0x0A00_0002, probability: 0.5, priority: 3.0, volume: 1.0 }, 24),
        (HookAction::SetOmega { axis: [0.0, 0.0, 2.0] }, 20),
        (HookAction::TextureVelocity { u: 0.5, v: -0.5 }, 16),
        (HookAction::TextureVelocityPart { part, u: 0.5, v: -0.5 }, 20),
        (HookAction::SetLight { flag: 0 }, 12),
        (HookAction::CreateBlockingParticle { emitter_info, part, offset: OFFSET, emitter }, 48),
    ]
}

/// An animation of one keyframe without parts, at which all this happens.
fn with_hooks(actions: impl IntoIterator<Item = HookAction>) -> Animation {
    let hook = |action| (0, Hook { direction: HookDirection::Both, action });
    Animation {
        id: RecordId(0x0300_0001),
        flags: Animation::HAS_HOOKS,
        parts: 0,
        frames: 1,
        root: Vec::new(),
        part_frames: Vec::new(),
        hooks: actions.into_iter().map(hook).collect(),
    }
}

#[test]
fn every_hook_takes_the_bytes_it_takes() -> Outcome {
    let kinds: Vec<u32> = hooks().iter().map(|(action, _)| action.kind()).collect();
    assert!((0..=26).all(|kind| kinds.contains(&kind)), "{kinds:?}");
    for (action, bytes) in hooks() {
        let animation = with_hooks([action]);
        let written = animation.to_bytes()?;
        assert_eq!(written.len() - 20, bytes, "{action:?}");
        assert_eq!(Animation::from_bytes(&written)?, animation);
    }
    // One after the other: none takes a byte of the next.
    let all = with_hooks(hooks().into_iter().map(|(action, _)| action));
    assert_eq!(Animation::from_bytes(&all.to_bytes()?)?, all);
    Ok(())
}

/// What the crate's documentation says an archive's bytes can become in memory.
#[test]
fn a_record_takes_a_small_multiple_of_its_bytes() -> Outcome {
    // Just more than a list has room for before it doubles.
    let animation = Animation::from_bytes(&with_hooks(vec![HookAction::NoOp; 1025]).to_bytes()?)?;
    let (weight, bytes) = (animation.weight(), 20 + 1025 * 8);
    assert!((13 * bytes..=14 * bytes).contains(&weight), "{weight} of {bytes}");
    Ok(())
}

#[test]
fn directions_are_kept_whatever_they_are() -> Outcome {
    let mut animation = with_hooks([HookAction::NoOp; 5]);
    let directions = [
        HookDirection::Both,
        HookDirection::Forward,
        HookDirection::Backward,
        HookDirection::Never(-2),
        HookDirection::Never(77),
    ];
    for ((_, hook), direction) in animation.hooks.iter_mut().zip(directions) {
        hook.direction = direction;
    }
    assert_eq!(Animation::from_bytes(&animation.to_bytes()?)?, animation);
    Ok(())
}

#[test]
fn a_hook_that_nobody_knows_is_named_by_its_byte() {
    let mut bytes = with_hooks([HookAction::NoOp, HookAction::NoOp]).to_bytes().unwrap();
    bytes[28] = 27;
    let error = Animation::from_bytes(&bytes).unwrap_err();
    assert_eq!(error, RecordError { at: 28, fault: RecordFault::UnknownHook { kind: 27 } });
    assert_eq!(error.to_string(), "byte 0x1C: unknown hook type 27; known types are 0 to 26");
}

#[test]
fn counts_that_cannot_be_are_refused_before_anything_is_made_of_them() {
    let frames = [0x0300_0001_u32, 1, 0xFFFF_FFFF, 0xFFFF_FFFF].map(u32::to_le_bytes).concat();
    let error = Animation::from_bytes(&frames).unwrap_err();
    assert!(
        matches!(error.fault, RecordFault::Count { field: "root frames", count: 0xFFFF_FFFF, .. }),
        "{error}"
    );
    let frames = [0x0300_0001_u32, 0, 0xFFFF_FFFF, 0xFFFF_FFFF].map(u32::to_le_bytes).concat();
    assert!(Animation::from_bytes(&frames).is_err());
    let setup = [0x0200_0001_u32, 3, 0x1000_0000].map(u32::to_le_bytes).concat();
    let error = Setup::from_bytes(&setup).unwrap_err();
    assert_eq!(
        error.to_string(),
        "byte 0x8: parts: 268435456 items of at least 4 bytes each, but only 0 bytes left"
    );
    let table = [0x0900_0001_u32, 0, 0, 0, 0, 0xFFFF_FFFF].map(u32::to_le_bytes).concat();
    assert!(MotionTable::from_bytes(&table).is_err_and(|error| error.at == 20));
}

fn animation() -> Animation {
    let at = |y: f32| Frame { origin: [0.0, y, 0.0], ..Frame::IDENTITY };
    let hook = |action| Hook { direction: HookDirection::Both, action };
    Animation {
        id: RecordId(0x0300_0042),
        flags: Animation::HAS_ROOT | Animation::HAS_HOOKS,
        parts: 2,
        frames: 3,
        root: vec![at(0.1), at(0.2), OFFSET],
        part_frames: (0..6).map(|part| at(part as f32)).collect(),
        hooks: vec![
            (0, hook(HookAction::NoOp)),
            (2, hook(HookAction::ReplaceObject { part: 1, mesh: 0x0101_0000 })),
            (2, hook(HookAction::Scale { end: 2.0, secs: 1.0 })),
        ],
    }
}

fn setup() -> Setup {
    let location = |key| Location { key, part: 1, frame: OFFSET };
    let frame = AnimFrame { parts: vec![OFFSET, Frame::IDENTITY], hooks: Vec::new() };
    Setup {
        flags: 0xF,
        parts: vec![0x0100_0001, 0x0100_0002],
        parents: vec![0xFFFF_FFFF, 0],
        scales: vec![[1.0, 1.0, 1.0], [0.5, 0.5, 2.0]],
        holding: vec![location(1), location(2)],
        connections: vec![location(3)],
        placements: vec![Placement { key: 0, frame: frame.clone() }, Placement { key: 0x65, frame }],
        cylspheres: vec![CylSphere { low: [0.0, 0.0, 0.1], radius: 0.5, height: 1.0 }],
        spheres: vec![Sphere { centre: [0.0, 0.0, 1.0], radius: 0.5 }],
        height: 2.0,
        radius: 0.75,
        step_up: 0.4,
        step_down: 0.4,
        lights: vec![Light {
            key: 1,
            frame: OFFSET,
            argb: 0xFF00_FF00,
            intensity: 1.0,
            falloff: 5.0,
            cone_angle: 0.0,
        }],
        animation: RecordId(0x0300_0042),
        motion_table: RecordId(0x0900_0042),
        ..Setup::empty(RecordId(0x0200_0042))
    }
}

fn table() -> MotionTable {
    let clip = |low, high| Clip { animation: RecordId(0x0300_0042), low, high, rate: 30.0 };
    let motion = |key, bits, clips| MotionData { key, bits, clips, ..MotionData::default() };
    MotionTable {
        id: RecordId(0x0900_0042),
        default_style: 0x8000_003D,
        style_defaults: vec![(0x8000_003D, 0x4100_0003)],
        cycles: vec![
            motion(0x003D_0003, 2, vec![clip(0, -1)]),
            MotionData {
                velocity: Some([0.0, 1.0, 0.0]),
                omega: Some([0.0, 0.0, 1.0]),
                ..motion(0x003D_0005, 0, vec![clip(0, 99), clip(2, 1), clip(-5, -7)])
            },
        ],
        modifiers: vec![MotionData { omega: Some([0.0; 3]), ..motion(0x0D, 1, vec![]) }],
        links: vec![
            LinkGroup { from: 0x003D_0003, to: vec![motion(0x4500_0005, 0xFF, vec![clip(0, 0)])] },
            LinkGroup { from: 0x003D_0000, to: vec![] },
        ],
    }
}

fn region() -> Region {
    // Twice the index up to 200, then steeper: as the game's is said to be.
    let height =
        |step: usize| if step <= 200 { step as f32 * 2.0 } else { 400.0 + (step - 200) as f32 * 7.0 };
    Region {
        id: RecordId::REGION,
        number: 1,
        name: b"Dereth".to_vec(),
        blocks: [255, 255],
        spacing: 24.0,
        squares: [8, 1],
        sizes: [200.0, 1000.0, 5.0],
        heights: std::array::from_fn(height),
    }
}

fn landblock(id: u32) -> LandBlock {
    LandBlock {
        id: RecordId(id),
        has_objects: 1,
        terrain: std::array::from_fn(|post| post as u16 * 800),
        heights: std::array::from_fn(|post| (post * 3) as u8),
    }
}

#[test]
fn every_kind_of_record_goes_through_an_archive_and_back() -> Outcome {
    let file = ArchiveWriter::portal()
        .scattered(5)
        .add_record(&setup())?
        .add_record(&animation())?
        .add_record(&table())?
        .add_record(&region())?
        .finish()?;
    let archive = Archive::open(file)?;
    assert_eq!(archive.read::<Setup>(setup().id)?, setup());
    assert_eq!(archive.read::<Animation>(animation().id)?, animation());
    assert_eq!(archive.read::<MotionTable>(table().id)?, table());
    assert_eq!(archive.read::<Region>(RecordId::REGION)?, region());
    let iterations = archive.read::<Iterations>(RecordId::ITERATIONS)?;
    assert_eq!(iterations, Iterations { total: 1, runs: vec![(1, 1)] });

    let block = landblock(0xA9B4_FFFF);
    let archive = Archive::open(ArchiveWriter::cell().add_record(&block)?.finish()?)?;
    assert_eq!(archive.read::<LandBlock>(block.id)?, block);
    assert_eq!(block.to_bytes()?.len(), LandBlock::BYTES);
    Ok(())
}

#[test]
fn a_record_of_another_kind_or_number_is_refused() -> Outcome {
    let mut bytes = animation().to_bytes()?;
    bytes[0] = 0x43;
    let id = RecordId(0x0300_0042);
    let archive = Archive::open(ArchiveWriter::portal().add(id, bytes).finish()?)?;
    let echo = RecordId(0x0300_0043);
    let error = RecordError { at: 0, fault: RecordFault::Id { echo } };
    assert_eq!(archive.read::<Animation>(id), Err(DatError::Record { id, error }));
    assert!(
        archive
            .read::<Setup>(id)
            .is_err_and(|error| error.to_string() == "0x03000042 is not a record of kind setup")
    );
    assert_eq!(archive.read::<Animation>(echo), Err(DatError::NotFound { id: echo }));
    Ok(())
}

/// What stands after a record takes nothing away from it; only a check minds.
#[test]
fn bytes_after_a_record_are_left_alone() -> Outcome {
    let mut bytes = animation().to_bytes()?;
    bytes.extend([1, 2, 3, 4]);
    assert!(matches!(
        Animation::from_bytes(&bytes),
        Err(RecordError { fault: RecordFault::Trailing { left: 4 }, .. })
    ));
    let archive = Archive::open(ArchiveWriter::portal().add(animation().id, bytes).finish()?)?;
    assert_eq!(archive.read::<Animation>(animation().id)?, animation());
    assert_eq!(evenstride_dat::check(&archive, &mut |_| {}).fault_count, 1);
    Ok(())
}

#[test]
fn what_bytes_cannot_say_is_not_written() {
    let wrong = |outcome: Result<Vec<u8>, Unwritable>| outcome.unwrap_err().to_string();
    let mut table = table();
    table.cycles[0].clips = vec![table.cycles[0].clips[0]; 256];
    assert_eq!(wrong(table.to_bytes()), "clips: more than 255");
    assert_eq!(
        wrong(Setup { parents: vec![], ..setup() }.to_bytes()),
        "parents: must be one per part or none, as the flags say"
    );
    assert_eq!(
        wrong(Animation { frames: 2, ..animation() }.to_bytes()),
        "root frames: must be one per keyframe or none, as the flags say"
    );
    let mesh = with_hooks([HookAction::ReplaceObject { part: 0, mesh: 0 }]);
    assert_eq!(wrong(mesh.to_bytes()), "hook mesh: the id cannot be packed");
}

#[test]
fn the_first_height_out_of_range_ends_the_table() {
    let mut region = region();
    assert_eq!(region.height(255), Some(785.0));
    region.heights[100] = 800.5;
    assert_eq!((region.height(99), region.height(100), region.height(101)), (Some(198.0), None, None));
    region.heights[3] = f32::NAN;
    assert_eq!(region.known_heights().iter().flatten().count(), 3);
}

fn height_at(field: &Heightfield, cell: u32, x: f32, y: f32) -> Option<f32> {
    let pose = Pose::new(Vec3::new(x, y, 0.0), Rotation::IDENTITY).unwrap();
    field.height_at(&evenstride_types::Placement::new(CellId::new(cell).unwrap(), pose))
}

#[test]
fn land_is_as_high_as_its_posts_and_cut_as_the_client_cuts_it() -> Outcome {
    let (west, east) = (landblock(0xA9B4_FFFF), landblock(0xAAB4_FFFF));
    let corner = LandblockId::new(0xA9, 0xB4)?;
    let field = heightfield(&region(), corner, 3, 1, |id| match id.raw() {
        0xA9B4 => Some(&west),
        0xAAB4 => Some(&east),
        _ => None,
    })?;
    // A post north of another is the next one; one to the east is nine on.
    let near = |height: Option<f32>, expected: f32| height.is_some_and(|got| (got - expected).abs() < 1e-3);
    assert!(near(height_at(&field, 0xA9B4_0001, 0.0, 0.0), 0.0));
    assert!(near(height_at(&field, 0xA9B4_0001, 0.0, 24.0), 3.0 * 2.0));
    assert!(near(height_at(&field, 0xA9B4_0001, 24.0, 0.0), 27.0 * 2.0));
    assert!(near(height_at(&field, 0xA9B4_0001, 48.0, 72.0), (2.0 * 27.0 + 9.0) * 2.0));
    // High steps are higher than twice their number.
    assert!(near(height_at(&field, 0xA9B4_0001, 168.0, 191.9), 400.0 + (213.0 - 200.0) * 7.0 - 0.0875));
    // Where two meet, the eastern one is believed; what is not there is not known.
    assert!(near(height_at(&field, 0xAAB4_0001, 0.0, 48.0), 6.0 * 2.0));
    assert_eq!(height_at(&field, 0xABB4_0001, 12.0, 12.0), None);
    // (0, 0) is cut from south-west to north-east: its middle lies between those corners.
    assert!(near(height_at(&field, 0xA9B4_0001, 12.0, 12.0), (0.0 + 60.0) / 2.0));
    // A field of one's own may be cut as one likes.
    assert!(Heightfield::with_gaps(corner, 24.0, 2, vec![None; 4], Cuts::Client).is_ok());
    assert!(heightfield(&region(), corner, 0, 0, |_| None::<&LandBlock>).is_err());
    Ok(())
}

#[test]
fn a_library_falls_short_of_nothing_but_what_is_not_there() -> Outcome {
    let mut broken = table();
    broken.id = RecordId(0x0900_0050);
    broken.cycles[0].clips[0].animation = RecordId(0x0300_0099);
    let mut cut_off = table().to_bytes()?;
    cut_off[0] = 0x51;
    cut_off.truncate(40);
    let file = ArchiveWriter::portal()
        .add_record(&setup())?
        .add_record(&animation())?
        .add_record(&table())?
        .add_record(&broken)?
        .add(RecordId(0x0900_0051), cut_off)
        .finish()?;
    let archive = Archive::open(file)?;
    let mut loader = LibraryLoader::new(&archive, evenstride::animation::MotionLibrary::built_in());
    for id in [0x0200_0042, 0x0100_0001, 0x0200_0099] {
        loader.setup(RecordId(id));
    }
    for id in [0x0900_0042, 0x0900_0050, 0x0900_0051, 0x0900_0052, 0x0900_0052] {
        loader.table(RecordId(id));
    }
    let loaded = loader.finish();
    assert_eq!(loaded.tables.iter().map(|id| id.0).collect::<Vec<_>>(), [0x0900_0042, 0x0900_0050]);
    assert_eq!(loaded.missing.iter().map(|id| id.0).collect::<Vec<_>>(), [0x0200_0099, 0x0900_0052]);
    assert_eq!(loaded.missing_animations.iter().map(|id| id.0).collect::<Vec<_>>(), [0x0300_0099]);
    assert_eq!((loaded.faults.len(), loaded.animations), (1, 1));
    assert!(loaded.faults[0].to_string().starts_with("0x09000051: byte 0x"), "{}", loaded.faults[0]);
    let model = loaded.library.model(0x0200_0042).ok_or("no model")?;
    assert_eq!((model.motion_table, model.radius, model.height), (0x0900_0042, 0.75, 2.0));
    Ok(())
}

/// Bytes as a description of the format gives them, field by field. Only this test writes them.
fn bytes(fields: &[&dyn Field]) -> Vec<u8> {
    fields.iter().flat_map(|field| field.bytes()).collect()
}

trait Field {
    fn bytes(&self) -> Vec<u8>;
}

impl Field for u32 {
    fn bytes(&self) -> Vec<u8> {
        self.to_le_bytes().to_vec()
    }
}

impl Field for f32 {
    fn bytes(&self) -> Vec<u8> {
        self.to_le_bytes().to_vec()
    }
}

impl<const N: usize> Field for [f32; N] {
    fn bytes(&self) -> Vec<u8> {
        self.iter().flat_map(|float| float.to_le_bytes()).collect()
    }
}

impl Field for &[u8] {
    fn bytes(&self) -> Vec<u8> {
        self.to_vec()
    }
}

#[test]
fn fields_stand_in_the_order_the_format_gives() {
    let frame = [1.0, 2.0, 3.0, 0.5, -0.5, 0.25, -0.25];
    let read = Frame { origin: [1.0, 2.0, 3.0], rotation: [0.5, -0.5, 0.25, -0.25] };
    let hooks = bytes(&[
        &0x0300_0001_u32,
        &2_u32,
        &0_u32,
        &1_u32,
        &4_u32,
        // A strike: part, left, right, radius, height. Backward only.
        &3_u32,
        &0xFFFF_FFFF_u32,
        &7_u32,
        &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        // Particles: info, part, where, emitter.
        &13_u32,
        &0_u32,
        &0x3200_0001_u32,
        &8_u32,
        &frame,
        &9_u32,
        // A sound: wave, probability, priority, volume.
        &21_u32,
        &1_u32,
        &0x0A00_0001_u32,
        &[0.25, 3.0, 0.75],
        // Another mesh, the long form: part, two times two bytes, padding.
        &5_u32,
        &0_u32,
        &[0xFE, 0x23, 0x81, 0x67, 0x45, 0, 0, 0].as_slice(),
    ]);
    let animation = Animation::from_bytes(&hooks).unwrap();
    let actions: Vec<_> = animation.hooks.iter().map(|(_, hook)| (hook.direction, hook.action)).collect();
    let attack =
        HookAction::Attack { part: 7, left: [1.0, 2.0], right: [3.0, 4.0], radius: 5.0, height: 6.0 };
    let particle =
        HookAction::CreateParticle { emitter_info: 0x3200_0001, part: 8, offset: read, emitter: 9 };
    let sound =
        HookAction::SoundTweaked { wave: 0x0A00_0001, probability: 0.25, priority: 3.0, volume: 0.75 };
    assert_eq!(
        actions,
        [
            (HookDirection::Backward, attack),
            (HookDirection::Both, particle),
            (HookDirection::Forward, sound),
            (HookDirection::Both, HookAction::ReplaceObject { part: 0xFE, mesh: 0x0223_4567 }),
        ]
    );

    let setup = bytes(&[
        &0x0200_0009_u32,
        &3_u32,
        &2_u32,
        &0x0100_0001_u32,
        &0x0100_0002_u32,
        // Parents, then scales.
        &0xFFFF_FFFF_u32,
        &0_u32,
        &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        // One place to hold things: key, part, where. No connections, no placements.
        &1_u32,
        &11_u32,
        &12_u32,
        &frame,
        &0_u32,
        &0_u32,
        // No cylinders, no balls; height, radius, steps.
        &0_u32,
        &0_u32,
        &[1.5, 0.5, 0.6, 0.7],
        // Two balls; one light: key, where, colour, intensity, falloff, cone.
        &[0.0, 0.0, 0.1, 0.2],
        &[0.0, 0.0, 0.3, 0.4],
        &1_u32,
        &13_u32,
        &frame,
        &0xFF01_0203_u32,
        &[0.8, 0.9, 1.0],
        // Animation, script, motion table, sounds, scripts.
        &0x0300_0001_u32,
        &0x3300_0001_u32,
        &0x0900_0001_u32,
        &0x2000_0001_u32,
        &0x3400_0001_u32,
    ]);
    let setup = Setup::from_bytes(&setup).unwrap();
    assert_eq!((setup.parents.as_slice(), setup.scales[1]), ([0xFFFF_FFFF, 0].as_slice(), [4.0, 5.0, 6.0]));
    assert_eq!(setup.holding, [Location { key: 11, part: 12, frame: read }]);
    assert_eq!([setup.height, setup.radius, setup.step_up, setup.step_down], [1.5, 0.5, 0.6, 0.7]);
    assert_eq!((setup.sorting.radius, setup.selection.radius), (0.2, 0.4));
    let light = setup.lights[0];
    assert_eq!((light.key, light.frame, light.argb), (13, read, 0xFF01_0203));
    assert_eq!([light.intensity, light.falloff, light.cone_angle], [0.8, 0.9, 1.0]);
    assert_eq!(
        [setup.animation.0, setup.script.0, setup.motion_table.0],
        [0x0300_0001, 0x3300_0001, 0x0900_0001]
    );
    assert_eq!([setup.sound_table.0, setup.script_table.0], [0x2000_0001, 0x3400_0001]);

    let mut heights = [0.0; 256];
    heights[255] = 799.0;
    let region = bytes(&[
        &0x1300_0000_u32,
        &1_u32,
        &3_u32,
        &[6, 0, b'D', b'e', b'r', b'e', b't', b'h'].as_slice(),
        &255_u32,
        &254_u32,
        &24.0_f32,
        &8_u32,
        &1_u32,
        &[200.0, 1000.0, 5.0],
        &heights,
    ]);
    let region = Region::from_bytes(&region).unwrap();
    assert_eq!((region.number, region.name.as_slice(), region.blocks), (1, b"Dereth".as_slice(), [255, 254]));
    assert_eq!((region.spacing, region.squares, region.sizes), (24.0, [8, 1], [200.0, 1000.0, 5.0]));
    assert_eq!(region.height(255), Some(799.0));
}

/// Which keyframes a clip plays: of four, at 30 a second, forward once round.
fn keyframes(low: i32, high: i32) -> Vec<i32> {
    let mut library = MotionLibrary::default();
    let core =
        Animation { root: vec![Frame::IDENTITY; 4], frames: 4, parts: 0, part_frames: vec![], ..animation() };
    library.add_animation(1, Animation { hooks: vec![], ..core }.to_core().unwrap());
    let clip = Clip { animation: RecordId(1), low, high, rate: 30.0 };
    let motion = |key| MotionData { key, clips: vec![clip], ..MotionData::default() };
    let table =
        MotionTable { cycles: vec![motion(0x003D_0003)], modifiers: vec![], links: vec![], ..table() };
    library.add_table(2, table.to_core());
    let mut legs = Treadmill::new(Arc::new(library), 2).unwrap();
    legs.begin(MotionCommand::READY, 1.0).unwrap();
    let mut frames = vec![legs.playing().unwrap().frame.floor() as i32];
    for _ in 0..12 {
        let _ = legs.play(1.0 / 30.0, |_| {});
        frames.push(legs.playing().unwrap().frame.floor() as i32);
    }
    frames.sort_unstable();
    frames.dedup();
    frames
}

#[test]
fn clips_are_cut_to_what_there_is() {
    assert_eq!(keyframes(0, -1), [0, 1, 2, 3]);
    assert_eq!(keyframes(1, 2), [1, 2]);
    assert_eq!(keyframes(2, 99), [2, 3], "beyond the end");
    assert_eq!(keyframes(3, 1), [3], "first after last");
    assert_eq!(keyframes(77, 78), [3], "first beyond the end");
}

/// Of two groups of links from the same motion the last one counts, whole.
#[test]
fn a_second_group_of_links_takes_the_place_of_the_first() {
    let link = |key, rate| {
        let clip = Clip { animation: RecordId(0x0300_0042), low: 0, high: -1, rate };
        MotionData { key, clips: vec![clip], ..MotionData::default() }
    };
    let group = |to| LinkGroup { from: 0x003D_0003, to };
    let twice = MotionTable {
        links: vec![group(vec![link(1, 10.0), link(2, 10.0)]), group(vec![link(2, 20.0)])],
        ..table()
    };
    let once = MotionTable { links: vec![group(vec![link(2, 20.0)])], ..table() };
    assert_eq!(twice.to_core(), once.to_core());
}

/// A clip may name anything: that it is no animation takes nothing from the table that it is.
#[test]
fn a_record_named_as_another_kind_is_still_loaded_as_what_it_is() {
    let mut first = table();
    first.cycles[0].clips[0].animation = RecordId(0x0900_0043);
    let second = MotionTable { id: RecordId(0x0900_0043), ..table() };
    let echo = Animation { id: RecordId(0x0300_0077), ..animation() };
    let file = ArchiveWriter::portal()
        .add_record(&first)
        .and_then(|writer| writer.add_record(&second))
        .map(|writer| writer.add(RecordId(0x0300_0042), echo.to_bytes().unwrap()))
        .and_then(ArchiveWriter::finish)
        .unwrap();
    let archive = Archive::open(file).unwrap();
    let mut loader = LibraryLoader::new(&archive, MotionLibrary::default());
    loader.table(first.id);
    loader.table(second.id);
    let loaded = loader.finish();
    assert_eq!(loaded.tables.len(), 2);
    let faults: Vec<String> = loaded.faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
        [
            "0x03000042: byte 0x0: its id field says 0x03000077",
            "0x09000043 is not a record of kind animation"
        ]
    );
    assert_eq!(loaded.animations, 0);
    // What does not fit is told, and what is there stays.
    let mut loader = LibraryLoader::new(&archive, MotionLibrary::default()).limit(200);
    loader.table(second.id);
    assert!(matches!(loader.finish().faults[..], [DatError::LibraryFull { limit: 200, .. }, ..]));
}
