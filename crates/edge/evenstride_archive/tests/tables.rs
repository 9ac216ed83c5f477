//! Tables of the project's own capture, written and read back.

use std::{fs, path::Path};

use evenstride_archive::{
    Capture, CaptureOptions, Codec, ColumnKind, ConvertOptions, Described, Facts, ForeignRows, FrameScope,
    InMemory, MAX_CONNECTIONS, ParquetTable, ReadError, TABLES, TRACKS, TableError, TrackRows, Values,
    convert, sample::write_capture, table_in_memory,
};
use evenstride_replay::{ColumnRecorder, ReplayOptions, Script, TrackColumns, moved_by, replay, sample};

fn capture() -> Capture {
    Capture::read_from(sample::first_light().unwrap().as_slice(), "first-light.pcap").unwrap()
}

/// Rows of a file as text, with all of their columns.
fn rows_of(path: &Path) -> Vec<Vec<(String, Option<String>)>> {
    let mut rows = Vec::new();
    let file = ForeignRows::open(path, &|_| true, 10_000_000).unwrap();
    file.each(|row| -> Result<(), TableError> {
        rows.push(row.to_vec());
        Ok(())
    })
    .unwrap();
    rows
}

fn write_tracks(script: &Script, frames: FrameScope, codec: Codec, path: &Path) {
    let table = ParquetTable::new(fs::File::create(path).unwrap(), &TRACKS, codec).unwrap();
    let mut rows = TrackRows::new(table, "0123456789abcdef", frames, []);
    let _ = replay(script, &ReplayOptions::default(), &mut rows);
    drop(rows.finish().unwrap().sink.finish(&Facts::default().pairs()).unwrap());
}

fn columns(script: &Script) -> TrackColumns {
    let mut recorder = ColumnRecorder::new([]);
    let _ = replay(script, &ReplayOptions::default(), &mut recorder);
    recorder.finish()
}

#[test]
fn parquet_has_the_rows_of_csv() {
    let (folder, script) = (tempfile::tempdir().unwrap(), capture().script);
    let expected = columns(&script);
    for codec in Codec::ALL {
        let path = folder.path().join("tracks.parquet");
        write_tracks(&script, FrameScope::All, codec, &path);
        let rows = rows_of(&path);
        assert_eq!(rows.len(), expected.len(), "{codec:?}");
        for (index, row) in rows.iter().enumerate() {
            let get = |name: &str| row.iter().find(|(of, _)| of == name).unwrap().1.clone().unwrap();
            let number = |name: &str| get(name).parse::<f32>().unwrap();
            assert_eq!(get("time").parse::<f64>().unwrap(), expected.time[index]);
            assert_eq!(get("entity"), expected.entity[index].raw().to_string());
            assert_eq!(get("drawn_cell"), expected.drawn_cell[index].raw().to_string());
            assert_eq!(["x", "y", "z"].map(number), expected.position[index]);
            assert_eq!(
                ["drawn_qw", "drawn_qx", "drawn_qy", "drawn_qz"].map(number),
                expected.drawn_rotation[index]
            );
            assert_eq!(["vx", "vy", "vz"].map(number), expected.velocity[index]);
            assert_eq!(get("moved_by"), moved_by(expected.moved_by[index]));
            assert_eq!(get("route"), expected.route[index].to_string());
            assert_eq!(get("last_update"), expected.outcomes[expected.last_update[index] as usize]);
            assert_eq!(get("capture"), "0123456789abcdef");
        }
    }
}

#[test]
fn rows_that_are_left_out_are_like_those_around_them() {
    let (folder, script) = (tempfile::tempdir().unwrap(), capture().script);
    let [all, changed] = [FrameScope::All, FrameScope::Changed].map(|frames| {
        let path = folder.path().join("tracks.parquet");
        write_tracks(&script, frames, Codec::Snappy, &path);
        let mut rows = rows_of(&path);
        // By entity, and by time within each.
        let key = |row: &[(String, Option<String>)], name: &str| {
            row.iter().find(|(of, _)| of == name).unwrap().1.clone().unwrap().parse::<f64>().unwrap()
        };
        rows.sort_by(|one, other| {
            key(one, "entity")
                .total_cmp(&key(other, "entity"))
                .then(key(one, "time").total_cmp(&key(other, "time")))
        });
        rows
    });
    assert!(changed.len() * 10 < all.len() * 9, "{} of {} rows", changed.len(), all.len());
    let like = |one: &[(String, Option<String>)], other: &[(String, Option<String>)]| {
        one.iter().zip(other).all(|(one, other)| one.0 == "time" || one.1 == other.1)
    };
    let mut kept = changed.iter().peekable();
    let mut last: Option<&Vec<(String, Option<String>)>> = None;
    for row in &all {
        if kept.peek().is_some_and(|next| *next == row) {
            last = kept.next();
        } else {
            // Between two rows, all others are as both of them.
            assert!(last.is_some_and(|last| like(last, row)), "{row:?}");
            assert!(kept.peek().is_some_and(|next| like(next, row)), "{row:?}");
        }
    }
    assert_eq!(kept.next(), None, "every row is one of the full table");
}

#[test]
fn rows_in_memory_are_those_of_a_file() {
    let script = sample::crowd(3, 2);
    let mut rows = TrackRows::new(InMemory, "", FrameScope::All, []);
    let _ = replay(&script, &ReplayOptions::default(), &mut rows);
    let (batch, expected) = (rows.finish().unwrap().batch, columns(&script));
    let Some(Values::Float(x)) = batch.column("drawn_x").map(|column| column.values()) else {
        panic!("floats")
    };
    assert!(x.iter().eq(expected.drawn_position.iter().map(|[x, ..]| x)));
}

#[test]
fn all_five_tables_have_rows_and_metadata() {
    let folder = tempfile::tempdir().unwrap();
    let facts = Facts { session: "first-light.pcap".into(), capture: "ab".repeat(32), ..Facts::default() };
    let open = |spec: &'static evenstride_archive::TableSpec| fs::File::create(folder.path().join(spec.name));
    let (tables, facts) = convert(&capture(), facts, &ConvertOptions::default(), open).unwrap();
    assert_eq!(facts.state_hash.len(), 16);
    for (table, spec) in tables.iter().zip(TABLES) {
        let rows = rows_of(&folder.path().join(spec.name));
        assert_eq!((table.spec, table.rows), (spec, rows.len() as u64));
        assert!(!rows.is_empty(), "{} is empty", spec.name);
        let names: Vec<&str> = rows[0].iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, spec.columns.iter().map(|column| column.name).collect::<Vec<_>>());
        for row in &rows {
            for (cell, column) in row.iter().zip(spec.columns) {
                assert!(column.is_optional || cell.1.is_some(), "{} of {}", column.name, spec.name);
            }
        }
        let text = String::from_utf8_lossy(&fs::read(folder.path().join(spec.name)).unwrap()).into_owned();
        for (key, value) in facts.pairs() {
            assert!(text.contains(&format!("evenstride.{key}")) && text.contains(&value), "{key} = {value}");
        }
    }
}

#[test]
fn the_same_capture_gives_the_same_bytes() {
    let bytes = || {
        let (tables, _) =
            convert(&capture(), Facts::default(), &ConvertOptions::default(), |_| Ok(Vec::new())).unwrap();
        tables.into_iter().map(|table| table.out).collect::<Vec<_>>()
    };
    assert_eq!(bytes(), bytes());
}

/// Writers of foreign files may be hostile. The reader must answer, and neither panic nor take memory.
#[test]
fn damaged_files_are_errors_and_never_panics() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tracks.parquet");
    for codec in [Codec::Snappy, Codec::Gzip, Codec::Lz4, Codec::Plain] {
        write_tracks(&sample::crowd(2, 1), FrameScope::All, codec, &path);
        let whole = fs::read(&path).unwrap();
        let mut state = 20_130_918_u64;
        for round in 0..300 {
            let mut bytes = whole.clone();
            for _ in 0..=round % 4 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // Half of the faults are in the metadata at the end.
                let span = if state & 1 == 0 { bytes.len() } else { bytes.len().min(6_000) };
                let at = bytes.len() - 1 - (state >> 33) as usize % span;
                bytes[at] = (state >> 20) as u8;
            }
            if round % 7 == 0 {
                bytes.truncate((state >> 33) as usize % bytes.len());
            }
            fs::write(&path, &bytes).unwrap();
            if let Ok(file) = ForeignRows::open(&path, &|_| true, 100_000) {
                // Damage of values alone is not noticed.
                let _ = file.each(|_| Ok::<(), TableError>(()));
            }
        }
    }
}

fn tables_of(capture: &Capture, options: &ConvertOptions) -> Vec<(u64, u64)> {
    let (tables, _) = convert(capture, Facts::default(), options, |_| Ok(Vec::new())).unwrap();
    tables.into_iter().map(|table| (table.rows, table.left_out)).collect()
}

/// The Parquet library turns some of them into errors of its own, which were taken for faults of the capture.
#[test]
fn a_full_disk_is_never_a_fault_of_the_capture() {
    #[derive(Debug)]
    struct SmallDisk(usize);

    impl std::io::Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            if bytes.len() > self.0 {
                return Err(std::io::ErrorKind::StorageFull.into());
            }
            self.0 -= bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            if self.0 == 0 { Err(std::io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }
    }

    let capture = capture();
    let options = ConvertOptions { fps: 5.0, ..ConvertOptions::default() };
    let (whole, _) = convert(&capture, Facts::default(), &options, |_| Ok(Vec::new())).unwrap();
    let largest = whole.iter().map(|table| table.out.len()).max().unwrap();
    for room in (0..largest).step_by(largest / 40) {
        let error = convert(&capture, Facts::default(), &options, |_| Ok(SmallDisk(room))).unwrap_err();
        let TableError::Io(error) = error else { panic!("{room} bytes of room: {error}") };
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    }
}

#[test]
fn columns_are_encoded_and_compressed_as_documented() {
    use parquet::{
        basic::{Compression, Encoding},
        file::reader::{FileReader as _, SerializedFileReader},
    };

    let folder = tempfile::tempdir().unwrap();
    let open = |spec: &'static evenstride_archive::TableSpec| fs::File::create(folder.path().join(spec.name));
    let _ = convert(&capture(), Facts::default(), &ConvertOptions::default(), open).unwrap();
    for spec in TABLES {
        let file = SerializedFileReader::new(fs::File::open(folder.path().join(spec.name)).unwrap()).unwrap();
        let group = file.metadata().row_group(0);
        for (column, written) in spec.columns.iter().zip(group.columns()) {
            let name = format!("{} of {}", column.name, spec.name);
            assert!(matches!(written.compression(), Compression::GZIP(_)), "{name}");
            let is_split = written.encodings().any(|encoding| encoding == Encoding::BYTE_STREAM_SPLIT);
            let is_float = matches!(column.kind, ColumnKind::Float | ColumnKind::Double);
            assert_eq!(is_split, is_float && column.name != "time", "{name}");
            let has_dictionary = written.dictionary_page_offset().is_some();
            assert_eq!(has_dictionary, !is_split && column.kind != ColumnKind::Flag, "{name}");
        }
    }
}

/// They were rounded in one table and not in the other, so a join by time found few of them.
#[test]
fn every_time_of_an_update_is_the_time_of_a_frame_in_tracks() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_capture(folder.path(), 0, &["chase-5hz"]).unwrap();
    let capture = Capture::read(&path).unwrap();
    let options = ConvertOptions { fps: 59.94, ..ConvertOptions::default() };
    let table = |spec| table_in_memory(&capture, &options, spec, &[], 10_000_000).unwrap();
    let times = |spec: &'static evenstride_archive::TableSpec| {
        let batch = table(spec);
        let Some(Values::Double(times)) = batch.column("time").map(|column| column.values()) else {
            panic!("times")
        };
        times.iter().map(|time| time.to_bits()).collect::<std::collections::BTreeSet<_>>()
    };
    let (tracks, updates) = (times(&TRACKS), times(&evenstride_archive::UPDATES));
    let missing = updates.difference(&tracks).count();
    // Nothing is drawn before the first description.
    assert!(missing <= 1 && updates.len() > 50, "{missing} of {}", updates.len());
}

#[test]
fn an_id_that_is_used_again_has_the_motion_table_of_its_time() {
    use evenstride_replay::{Said, TimedMessage};
    use evenstride_types::{
        CellId, EntityId, Placement, Pose,
        update::{Resources, ServerEntity},
    };

    let place = Placement::new(CellId::new(0xA9B4_0001).unwrap(), Pose::IDENTITY);
    let mut entity = ServerEntity::new(EntityId::new(0x8000_0001));
    let mut script = Script::default();
    for (time, table) in [(1.0, 0x0900_0001), (5.0, 0x0900_0002)] {
        let mut description = entity.description(&place);
        description.resources = Resources { motion_table: Some(table), ..Resources::default() };
        let said = Said::Server(entity.create(description));
        script.messages.push(TimedMessage { time, said });
        let said = Said::Server(entity.position(&place));
        script.messages.push(TimedMessage { time: time + 1.0, said });
    }
    let described = Described::of(&script);
    let at = |time| described.motion_table_at(EntityId::new(0x8000_0001), time);
    assert_eq!([at(0.0), at(2.0), at(6.0)], [Some(0x0900_0001), Some(0x0900_0001), Some(0x0900_0002)]);
    let capture = Capture { script, ..capture() };
    let updates =
        table_in_memory(&capture, &ConvertOptions::default(), &evenstride_archive::UPDATES, &[], 100)
            .unwrap();
    let Some(Values::Number(tables)) = updates.column("motion_table").map(|column| column.values()) else {
        panic!("numbers")
    };
    assert_eq!(tables[..], [0x0900_0001, 0x0900_0001, 0x0900_0002, 0x0900_0002]);
}

#[test]
fn no_table_in_memory_is_larger_than_its_limit() {
    let (capture, options) = (capture(), ConvertOptions::default());
    for spec in TABLES {
        let whole = table_in_memory(&capture, &options, spec, &[], u64::MAX).unwrap().rows() as u64;
        assert_eq!(table_in_memory(&capture, &options, spec, &[], whole).unwrap().rows() as u64, whole);
        let refused = table_in_memory(&capture, &options, spec, &[], whole - 1);
        assert!(matches!(refused, Err(TableError::TooLarge { .. })), "{}", spec.name);
    }
    let changed = ConvertOptions { frames: FrameScope::Changed, ..options };
    let whole = table_in_memory(&capture, &changed, &TRACKS, &[], u64::MAX).unwrap().rows() as u64;
    assert!(table_in_memory(&capture, &changed, &TRACKS, &[], whole).is_ok());
}

#[test]
fn a_full_table_counts_every_row_that_is_left_out() {
    let script = capture().script;
    let rows = |limit| {
        let mut rows = TrackRows::new(InMemory, "", FrameScope::All, []).with_limit(limit);
        let _ = replay(&script, &ReplayOptions::default(), &mut rows);
        let filled = rows.finish().unwrap();
        (filled.rows, filled.left_out)
    };
    let (all, none) = rows(u64::MAX);
    assert_eq!(none, 0);
    for limit in [0, 1, all / 3, all - 1] {
        assert_eq!(rows(limit), (limit, all - limit));
    }
}

/// A capture of a few megabytes kept a job busy for days.
#[test]
fn a_replay_ends_at_its_limit_and_counts_the_messages_after_it() {
    let capture = capture();
    let all = tables_of(&capture, &ConvertOptions::default());
    assert!(all.iter().all(|(_, left_out)| *left_out == 0));
    let short = ConvertOptions { max_body_frames: 500, ..ConvertOptions::default() };
    let cut = tables_of(&capture, &short);
    let [tracks, updates, ..] = cut[..] else { panic!("tables") };
    assert!(tracks.0 <= 600, "{tracks:?}");
    assert!(updates.1 > 0);
    assert_eq!(updates.0 + updates.1, all[1].0);
}

#[test]
fn a_capture_that_changes_between_its_connections_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = [0, 1].map(|number| write_capture(folder.path(), number, &["walk"]).unwrap());
    // Two files of gzip are one, and the header of the second pcap costs one fault.
    let both = [fs::read(one).unwrap(), fs::read(other).unwrap()].concat();
    let path = folder.path().join("both.pcap.gz");
    fs::write(&path, &both).unwrap();
    let mut seen = Vec::new();
    let read = Capture::read_each(&path, &CaptureOptions::default(), |capture| -> Result<(), ReadError> {
        seen.push((capture.id(), capture.sha256.clone()));
        Ok(())
    });
    assert!(read.is_ok(), "{read:?}");
    let [(first, hash), (second, _)] = &seen[..] else { panic!("{seen:?}") };
    assert_eq!(hash, &evenstride_archive::hash_of(&path).unwrap());
    assert!(first == &hash[..16] && second.starts_with(&format!("{first}-")), "{first} {second}");
    let read = Capture::read_each(&path, &CaptureOptions::default(), |_| -> Result<(), ReadError> {
        Ok(fs::write(&path, [&both[..], b"more"].concat())?)
    });
    assert!(matches!(read, Err(ReadError::Changed)), "{read:?}");
}

/// A damaged capture may have thousands of connections, and each of them five files.
#[test]
fn connections_beyond_the_limit_are_counted_as_faults() {
    use evenstride_types::{CellId, EntityId, Placement, Pose, update::ServerEntity};

    let place = Placement::new(CellId::new(0xA9B4_0001).unwrap(), Pose::IDENTITY);
    let said = ServerEntity::new(EntityId::new(0x8000_0001)).position(&place);
    let datagrams = evenstride_replay::Tape::new().unwrap().server_datagrams(&[said.into()]);
    let mut lines = String::new();
    for pair in (0..70).map(|number| 2 * number) {
        for datagram in &datagrams {
            let hex: String = datagram.iter().map(|byte| format!("{byte:02x}")).collect();
            lines += &format!("{{\"dir\":\"s2c\",\"t\":1,\"pair\":{pair},\"data\":\"{hex}\"}}\n");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.jsonl");
    fs::write(&path, lines).unwrap();
    let mut faults = Vec::new();
    let read = Capture::read_each(&path, &CaptureOptions::default(), |capture| -> Result<(), ReadError> {
        faults.push(capture.fault_count);
        Ok(())
    });
    assert!(read.is_ok(), "{read:?}");
    assert_eq!((faults.len(), faults[0]), (MAX_CONNECTIONS, 6));
}
