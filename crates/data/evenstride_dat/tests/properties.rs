//! Whatever can be written is read back equal; whatever is read does not panic.

use evenstride_dat::{
    AnimFrame, Animation, Archive, ArchiveWriter, Clip, CylSphere, Frame, Hook, HookAction, HookDirection,
    Iterations, LandBlock, Light, LinkGroup, Location, MotionData, MotionTable, Placement, Record, RecordId,
    Region, Setup, Sphere, check,
};
use proptest::{collection::vec, prelude::*, sample::select};

/// Most records of an archive, and most bytes of a record. Miri takes a thousand times as long.
const MOST: [usize; 2] = if cfg!(miri) { [6, 30] } else { [90, 700] };

fn float() -> impl Strategy<Value = f32> {
    prop_oneof![any::<f32>().prop_filter("equal to itself", |float| !float.is_nan()), -100.0..100.0f32]
}

fn floats<const N: usize>() -> impl Strategy<Value = [f32; N]> {
    vec(float(), N).prop_map(|floats| std::array::from_fn(|index| floats[index]))
}

fn frame() -> impl Strategy<Value = Frame> {
    (floats(), floats()).prop_map(|(origin, rotation)| Frame { origin, rotation })
}

fn action() -> impl Strategy<Value = HookAction> {
    let numbers = (any::<u32>(), any::<u32>(), any::<u32>(), floats::<6>(), frame());
    (0..27u32, numbers, any::<u8>(), 0..1u32 << 30).prop_map(
        |(kind, (word, part, other, f, offset), byte, mesh)| {
            let [a, b, c, d, e, g] = f;
            match kind {
                0 => HookAction::NoOp,
                1 => HookAction::Sound { wave: word },
                2 => HookAction::SoundTable { sound: word },
                3 => HookAction::Attack { part, left: [a, b], right: [c, d], radius: e, height: g },
                4 => HookAction::AnimationDone,
                5 => HookAction::ReplaceObject { part: byte, mesh: 0x0100_0000 + mesh },
                6 => HookAction::Ethereal { flag: word },
                7 => HookAction::TransparentPart { part, start: a, end: b, secs: c },
                8 => HookAction::Luminous { start: a, end: b, secs: c },
                9 => HookAction::LuminousPart { part, start: a, end: b, secs: c },
                10 => HookAction::Diffuse { start: a, end: b, secs: c },
                11 => HookAction::DiffusePart { part, start: a, end: b, secs: c },
                12 => HookAction::Scale { end: a, secs: b },
                13 => HookAction::CreateParticle { emitter_info: word, part, offset, emitter: other },
                14 => HookAction::DestroyParticle { emitter: word },
                15 => HookAction::StopParticle { emitter: word },
                16 => HookAction::NoDraw { flag: word },
                17 => HookAction::DefaultScript,
                18 => HookAction::DefaultScriptPart { part },
                19 => HookAction::CallScript { script: word, pause: a },
                20 => HookAction::Transparent { start: a, end: b, secs: c },
                21 => HookAction::SoundTweaked { wave: word, probability: a, priority: b, volume: c },
                22 => HookAction::SetOmega { axis: [a, b, c] },
                23 => HookAction::TextureVelocity { u: a, v: b },
                24 => HookAction::TextureVelocityPart { part, u: a, v: b },
                25 => HookAction::SetLight { flag: word },
                _ => HookAction::CreateBlockingParticle { emitter_info: word, part, offset, emitter: other },
            }
        },
    )
}

fn hook() -> impl Strategy<Value = Hook> {
    let never = any::<i32>().prop_filter("means something", |number| !(-1..=1).contains(number));
    let direction = prop_oneof![
        select(vec![HookDirection::Both, HookDirection::Forward, HookDirection::Backward]),
        never.prop_map(HookDirection::Never)
    ];
    (direction, action()).prop_map(|(direction, action)| Hook { direction, action })
}

fn animation() -> impl Strategy<Value = Animation> {
    // Miri takes a thousand times as long.
    let most: [u32; 2] = if cfg!(miri) { [3, 3] } else { [5, 6] };
    (any::<u32>(), any::<u32>(), 0..most[0], 0..most[1])
        .prop_flat_map(|(id, flags, parts, frames)| {
            let root = if flags & Animation::HAS_ROOT != 0 { frames as usize } else { 0 };
            let hooks = if frames == 0 { 0 } else { 4 };
            (
                Just((id, flags, parts, frames)),
                vec(frame(), root),
                vec(frame(), (parts * frames) as usize),
                vec((0..frames.max(1), hook()), 0..=hooks),
            )
        })
        .prop_map(|((id, flags, parts, frames), root, part_frames, mut hooks)| {
            hooks.sort_by_key(|(frame, _)| *frame);
            Animation { id: RecordId(id), flags, parts, frames, root, part_frames, hooks }
        })
}

fn motion() -> impl Strategy<Value = MotionData> {
    let clip = (any::<u32>(), any::<i32>(), any::<i32>(), float()).prop_map(|(id, low, high, rate)| Clip {
        animation: RecordId(id),
        low,
        high,
        rate,
    });
    let vectors = (proptest::option::of(floats()), proptest::option::of(floats()));
    (any::<u32>(), any::<u8>(), vec(clip, 0..4), vectors)
        .prop_map(|(key, bits, clips, (velocity, omega))| MotionData { key, bits, clips, velocity, omega })
}

fn table() -> impl Strategy<Value = MotionTable> {
    let links = (any::<u32>(), vec(motion(), 0..3)).prop_map(|(from, to)| LinkGroup { from, to });
    let lists = (vec(motion(), 0..4), vec(motion(), 0..3), vec(links, 0..3));
    (any::<u32>(), any::<u32>(), vec(any::<(u32, u32)>(), 0..4), lists).prop_map(
        |(id, default_style, style_defaults, (cycles, modifiers, links))| MotionTable {
            id: RecordId(id),
            default_style,
            style_defaults,
            cycles,
            modifiers,
            links,
        },
    )
}

fn location() -> impl Strategy<Value = Location> {
    (any::<u32>(), any::<u32>(), frame()).prop_map(|(key, part, frame)| Location { key, part, frame })
}

fn sphere() -> impl Strategy<Value = Sphere> {
    (floats(), float()).prop_map(|(centre, radius)| Sphere { centre, radius })
}

fn light() -> impl Strategy<Value = Light> {
    (any::<u32>(), frame(), any::<u32>(), floats()).prop_map(
        |(key, frame, argb, [intensity, falloff, cone_angle])| Light {
            key,
            frame,
            argb,
            intensity,
            falloff,
            cone_angle,
        },
    )
}

fn setup() -> impl Strategy<Value = Setup> {
    (any::<u32>(), any::<u32>(), 0..4usize)
        .prop_flat_map(|(id, flags, parts)| {
            let given = |flag: u32| if flags & flag != 0 { parts } else { 0 };
            let placement = (any::<u32>(), vec(frame(), parts), vec(hook(), 0..3))
                .prop_map(|(key, parts, hooks)| Placement { key, frame: AnimFrame { parts, hooks } });
            let cylsphere = (floats(), float(), float()).prop_map(|(low, radius, height)| CylSphere {
                low,
                radius,
                height,
            });
            (
                Just((id, flags)),
                (
                    vec(any::<u32>(), parts),
                    vec(any::<u32>(), given(Setup::HAS_PARENTS)),
                    vec(floats(), given(Setup::HAS_SCALES)),
                ),
                (vec(location(), 0..3), vec(location(), 0..2), vec(placement, 0..3)),
                (vec(cylsphere, 0..3), vec(sphere(), 0..3), vec(light(), 0..2)),
                (floats::<4>(), sphere(), sphere(), any::<[u32; 5]>()),
            )
        })
        .prop_map(|((id, flags), parts, places, shapes, (sizes, sorting, selection, own))| Setup {
            id: RecordId(id),
            flags,
            parts: parts.0,
            parents: parts.1,
            scales: parts.2,
            holding: places.0,
            connections: places.1,
            placements: places.2,
            cylspheres: shapes.0,
            spheres: shapes.1,
            lights: shapes.2,
            height: sizes[0],
            radius: sizes[1],
            step_up: sizes[2],
            step_down: sizes[3],
            sorting,
            selection,
            animation: RecordId(own[0]),
            script: RecordId(own[1]),
            motion_table: RecordId(own[2]),
            sound_table: RecordId(own[3]),
            script_table: RecordId(own[4]),
        })
}

fn region() -> impl Strategy<Value = Region> {
    // Names whose length takes more than two bytes hold one letter: random letters take long to make.
    // Miri takes a thousand times as long.
    let lengths = if cfg!(miri) { 0xFE..0x101usize } else { 0xFFFE..0x10001 };
    let long = (any::<u8>(), lengths).prop_map(|(letter, length)| vec![letter; length]);
    let name = prop_oneof![vec(any::<u8>(), 0..20), long];
    let grid = (any::<[i32; 2]>(), float(), any::<[i32; 2]>(), floats());
    (any::<u32>(), any::<u32>(), name, grid, floats()).prop_map(
        |(id, number, name, (blocks, spacing, squares, sizes), heights)| Region {
            id: RecordId(id),
            number,
            name,
            blocks,
            spacing,
            squares,
            sizes,
            heights,
        },
    )
}

fn landblock() -> impl Strategy<Value = LandBlock> {
    (any::<u32>(), any::<u32>(), vec(any::<u16>(), 81), vec(any::<u8>(), 81)).prop_map(
        |(id, has_objects, terrain, heights)| LandBlock {
            id: RecordId(id),
            has_objects,
            terrain: std::array::from_fn(|post| terrain[post]),
            heights: std::array::from_fn(|post| heights[post]),
        },
    )
}

/// Written and read back equal; cut off anywhere, an error.
fn comes_back<R: Record + PartialEq + std::fmt::Debug>(record: &R, cut: usize) -> Result<(), TestCaseError> {
    let bytes = record.to_bytes().expect("it can be written");
    prop_assert_eq!(&R::from_bytes(&bytes).expect("it can be read"), record);
    let cut = cut % bytes.len();
    prop_assert!(R::from_bytes(&bytes[..cut]).is_err(), "{} of {} bytes", cut, bytes.len());
    Ok(())
}

proptest! {
    #[test]
    fn animations_are_read_as_they_were_written(animation in animation(), cut: usize) {
        comes_back(&animation, cut)?;
    }

    #[test]
    fn motion_tables_are_read_as_they_were_written(table in table(), cut: usize) {
        comes_back(&table, cut)?;
    }

    #[test]
    fn setups_are_read_as_they_were_written(setup in setup(), cut: usize) {
        comes_back(&setup, cut)?;
    }

    #[test]
    fn landblocks_are_read_as_they_were_written(block in landblock(), cut: usize) {
        comes_back(&block, cut)?;
    }

    #[test]
    fn regions_are_read_as_they_were_written(region in region(), cut: usize) {
        comes_back(&region, cut)?;
    }

    #[test]
    fn iterations_are_read_as_they_were_written(
        total: i32,
        runs in vec((any::<i32>(), prop_oneof![1..5u32, Just(1u32 << 31)]), 0..5),
    ) {
        // Its list has no end but that of the record: it cannot be cut off between two runs.
        let record = Iterations { total, runs };
        let bytes = record.to_bytes().expect("it can be written");
        prop_assert_eq!(Iterations::from_bytes(&bytes).expect("it can be read"), record);
    }

    #[test]
    fn archives_give_back_what_was_put_into_them(
        records in proptest::collection::btree_map(any::<u32>(), vec(any::<u8>(), 0..MOST[1]), 0..MOST[0]),
        old: bool,
        block_size in select(vec![16u32, 64, 256, 1024]),
        per_node in 2..62usize,
        stride in 1..40usize,
    ) {
        let writer = ArchiveWriter::portal().block_size(block_size).per_node(per_node).scattered(stride);
        let writer = if old { writer.old() } else { writer };
        let writer = records.iter().fold(writer, |writer, (id, bytes)| writer.add(RecordId(*id), bytes.clone()));
        let archive = Archive::open(writer.finish().expect("it can be written")).expect("it can be opened");
        for (id, bytes) in &records {
            let entry = archive.find(RecordId(*id)).expect("the directory is sound").expect("it is there");
            prop_assert_eq!(&archive.bytes(&entry).expect("it can be read"), bytes);
        }
        let extra = usize::from(!old && !records.contains_key(&0xFFFF_0001));
        prop_assert_eq!(archive.entries().filter_map(Result::ok).count(), records.len() + extra);
        let checked = check(&archive, &mut |_| {});
        prop_assert_eq!(checked.lost, 0);
    }

    /// Any damage: no panic, no end without an answer, and everything that is listed is counted.
    #[test]
    fn damaged_archives_are_read_as_far_as_they_go(
        hits in vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        cut in proptest::option::of(any::<prop::sample::Index>()),
        in_directory: bool,
    ) {
        let mut file = include_bytes!("../../../../testdata/archives/synthetic_portal.dat").to_vec();
        for (at, byte) in hits {
            let range = if in_directory { 0x100..0x700 } else { 0..file.len() };
            let at = range.start + at.index(range.len());
            file[at] = byte;
        }
        if let Some(cut) = cut {
            file.truncate(cut.index(file.len()));
        }
        if let Ok(archive) = Archive::open(file) {
            let checked = check(&archive, &mut |_| {});
            let listed = archive.entries().filter_map(Result::ok).count() as u64;
            prop_assert_eq!(checked.kinds.values().map(|count| count.records).sum::<u64>(), listed);
        }
    }
}
