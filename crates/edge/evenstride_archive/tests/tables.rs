//! Tables of the project's own capture, written and read back.

use std::{fs, path::Path};

use evenstride_archive::{
    Capture, Codec, ConvertOptions, Facts, ForeignRows, FrameScope, InMemory, ParquetTable, TABLES, TRACKS,
    TableError, TrackRows, Values, convert,
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
