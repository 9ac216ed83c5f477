//! Tracks have the same bytes as those of a plain writer, which looks up each entity in each frame and
//! formats each value again.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
};

use evenstride::{Config, MovedBy};
use evenstride_capture::{Session, Timeline, read};
use evenstride_replay::{
    ColumnRecorder, Frame, Heard, Recorder, ReplayObserver, ReplayOptions, Row, Said, Script, TimedMessage,
    TrackFormat, TrackWriter, replay, sample,
};
use evenstride_types::{
    CellId, EntityId, Placement, Pose, Rotation,
    update::{ServerEntity, Update},
};

const PROFILES: [Config; 3] = [Config::RETAIL, Config::SMOOTH, Config::GLIDE];

/// Writes rows as CSV and as JSON lines.
#[derive(Default)]
struct PlainWriter {
    only: BTreeSet<EntityId>,
    last_update: BTreeMap<EntityId, String>,
    csv: Vec<u8>,
    json: Vec<u8>,
    rows: usize,
}

impl ReplayObserver for PlainWriter {
    fn heard(&mut self, heard: &Heard<'_>) {
        if let (Said::Server(update), Some(disposition)) = (heard.said, heard.disposition)
            && let Some(entity) = update.entity()
        {
            self.last_update.insert(entity, disposition.to_string());
        }
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        let mut entities: Vec<EntityId> = frame.world.entities().collect();
        entities.sort_unstable();
        entities.retain(|entity| self.only.is_empty() || self.only.contains(entity));
        for entity in entities {
            self.write(frame, entity);
        }
    }
}

impl PlainWriter {
    fn write(&mut self, frame: &Frame<'_>, entity: EntityId) {
        let Some(drawn) = frame.world.drawn(entity, frame.now) else { return };
        let body = frame.world.body(entity).unwrap();
        let place = body.place.unwrap_or(drawn);
        let drawn = drawn.settled().unwrap_or(drawn);
        let row = Row {
            time: (frame.time * 1e6).round() / 1e6,
            entity: entity.to_string(),
            cell: place.cell.to_string(),
            position: place.pose.origin().to_array(),
            rotation: place.pose.rotation().to_wxyz(),
            drawn_cell: drawn.cell.to_string(),
            drawn_position: drawn.pose.origin().to_array(),
            drawn_rotation: drawn.pose.rotation().to_wxyz(),
            velocity: body.velocity.to_array(),
            moved_by: match body.moved_by {
                MovedBy::Route => "route",
                MovedBy::Follow => "follow",
                MovedBy::Legs => "legs",
                MovedBy::Flight => "flight",
                MovedBy::Holder => "holder",
                _ => "nothing",
            },
            route: body.waypoints,
            last_update: self.last_update.get(&entity).map_or("", String::as_str),
        };
        serde_json::to_writer(&mut self.json, &row).unwrap();
        self.json.push(b'\n');
        let numbers = |numbers: &[f32]| -> String {
            numbers.iter().map(|number| format!(",{}", serde_json::to_string(number).unwrap())).collect()
        };
        writeln!(
            self.csv,
            "{},{},{}{}{},{}{}{}{},{},{},\"{}\"",
            serde_json::to_string(&row.time).unwrap(),
            row.entity,
            row.cell,
            numbers(&row.position),
            numbers(&row.rotation),
            row.drawn_cell,
            numbers(&row.drawn_position),
            numbers(&row.drawn_rotation),
            numbers(&row.velocity),
            row.moved_by,
            row.route,
            row.last_update
        )
        .unwrap();
        self.rows += 1;
    }
}

/// Replays a script and compares all kinds of tracks. Returns the number of rows.
fn compare(script: &Script, options: &ReplayOptions, only: &[EntityId]) -> usize {
    let entities = || only.iter().copied();
    let mut watchers = (
        PlainWriter { only: entities().collect(), ..PlainWriter::default() },
        (
            vec![
                TrackWriter::new(Vec::new(), TrackFormat::Csv, entities()),
                TrackWriter::new(Vec::new(), TrackFormat::JsonLines, entities()),
            ],
            ColumnRecorder::new(entities()),
        ),
    );
    let _ = replay(script, options, &mut watchers);
    let (plain, (writers, recorder)) = watchers;
    let [csv, json] = <[_; 2]>::try_from(writers).unwrap().map(|writer| writer.finish().unwrap());
    let (header, rows) = csv.out.split_at(csv.out.iter().position(|byte| *byte == b'\n').unwrap() + 1);
    assert!(header.starts_with(b"time,entity,cell,x,y,z,qw,") && header.ends_with(b",last_update\n"));
    assert_same(rows, &plain.csv);
    assert_same(&json.out, &plain.json);
    let columns = recorder.finish();
    let mut lines = Vec::new();
    for row in (0..).map_while(|index| columns.row(index)) {
        serde_json::to_writer(&mut lines, &row).unwrap();
        lines.push(b'\n');
    }
    assert_same(&lines, &plain.json);
    assert_eq!([csv.rows, json.rows, columns.len() as u64], [plain.rows as u64; 3]);
    plain.rows
}

fn assert_same(text: &[u8], expected: &[u8]) {
    if text != expected {
        let lines = |text: &[u8]| -> Vec<String> {
            text.split(|byte| *byte == b'\n').map(|line| String::from_utf8_lossy(line).into_owned()).collect()
        };
        let (text, expected) = (lines(text), lines(expected));
        let line = text.iter().zip(&expected).position(|(one, other)| one != other);
        let line = line.unwrap_or(text.len().min(expected.len()));
        assert_eq!(text.get(line), expected.get(line), "line {line}");
    }
}

fn script(capture: &[u8]) -> Script {
    let mut session = Session::new(Recorder::new("capture", Timeline::default()));
    read(capture, &mut session).unwrap();
    Script::of(vec![(session.listener.finish(None), 0.0)], None)
}

#[test]
fn captures_give_the_bytes_of_a_plain_writer() {
    let captures = [
        include_bytes!("../../../../testdata/captures/first-light.pcap").as_slice(),
        include_bytes!("../../../../testdata/captures/seven-turns.pcap").as_slice(),
    ];
    for script in captures.map(script) {
        for config in PROFILES {
            let options = ReplayOptions { config, ..ReplayOptions::default() };
            assert!(compare(&script, &options, &[]) > 1_000);
            let options = ReplayOptions { fps: 7.0, ..options };
            let some: Vec<EntityId> = script.entities().into_iter().step_by(2).collect();
            assert!(compare(&script, &options, &some) > 100);
            let options = ReplayOptions { fps: 144.0, from: 10.0, to: 20.0, ..options };
            assert!(compare(&script, &options, &[]) > 100);
        }
    }
}

#[test]
fn runners_give_the_bytes_of_a_plain_writer() {
    for config in PROFILES {
        let options = ReplayOptions { config, ..ReplayOptions::default() };
        assert!(compare(&sample::crowd(40, 4), &options, &[]) > 40 * 400);
    }
}

#[test]
fn entities_that_come_and_go_give_the_bytes_of_a_plain_writer() {
    for config in PROFILES {
        let options = ReplayOptions { config, ..ReplayOptions::default() };
        assert!(compare(&visitors(), &options, &[]) > 1_000);
        let some = [30, 5, 17].map(visitor);
        assert!(compare(&visitors(), &options, &some) > 100);
    }
}

/// Entities that appear in no order, are heard of, and leave. Some come back, one picks another up, and
/// messages about unknown ones arrive.
fn visitors() -> Script {
    let mut script = Script::default();
    let mut say =
        |time: f64, update: Update| script.messages.push(TimedMessage { time, said: Said::Server(update) });
    let cell = CellId::new(0xA9B4_0001).unwrap();
    let place = |east: u32| {
        let pose = Pose::new([f32::from(east as u16) * 1.7, 90.0, 12.0], Rotation::IDENTITY).unwrap();
        Placement::new(cell, pose).settled_outdoors().unwrap()
    };
    let mut present: BTreeMap<u32, ServerEntity> = BTreeMap::new();
    let mut holder = ServerEntity::new(visitor(99));
    say(0.0, holder.create(holder.description(&place(3))));
    for step in 0..240u32 {
        let time = f64::from(step) * 0.05;
        let number = step * 29 % 40;
        match present.remove(&number) {
            None => {
                let new = ServerEntity::new(visitor(number));
                say(time, new.create(new.description(&place(number))));
                present.insert(number, new);
            }
            Some(mut one) if step % 3 == 0 => {
                say(time, one.held_by(&holder, 1));
                present.insert(number, one);
            }
            Some(one) => say(time, one.delete()),
        }
        for one in present.values_mut().filter(|one| one.id.raw() % 5 == step % 5) {
            say(time, one.position(&place(step % 60)));
        }
        say(time, ServerEntity::new(visitor(200 + step)).position(&place(7)));
        if step % 20 == 0 {
            say(time, holder.position(&place(step % 50)));
        }
    }
    script
}

fn visitor(number: u32) -> EntityId {
    EntityId::new(0x8000_0000 | number)
}

#[test]
fn columns_end_at_their_limit() {
    let mut recorder = ColumnRecorder::new([]).with_limit(1_000);
    let replayed = replay(&sample::crowd(7, 4), &ReplayOptions::default(), &mut recorder);
    let columns = recorder.finish();
    assert_eq!((columns.len(), columns.left_out), (1_000, 7 * replayed.frames - 1_000));
    assert!(columns.row(999).is_some() && columns.row(1_000).is_none());
    assert_eq!(columns.last_update.len(), columns.drawn_rotation.len());
}

#[test]
fn columns_in_used_memory_are_the_same() {
    let record = |mut recorder: ColumnRecorder| {
        let _ = replay(&sample::crowd(7, 2), &ReplayOptions::default(), &mut recorder);
        recorder.finish()
    };
    let mut other = ColumnRecorder::new([visitor(5)]).with_limit(100);
    let _ = replay(&visitors(), &ReplayOptions::default(), &mut other);
    let other = other.finish();
    assert!(!other.is_empty() && other.left_out > 0 && other.outcomes.len() > 1);
    let again = record(ColumnRecorder::reusing(other, []));
    assert!(!again.is_empty() && again == record(ColumnRecorder::new([])));
}

#[test]
fn an_output_that_fails_is_reported_once_the_tracks_end() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or_else(|| std::io::Error::other("full"))?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for room in [0, 100_000] {
        let mut writer = TrackWriter::new(Full(room), TrackFormat::Csv, []);
        let _ = replay(&sample::crowd(7, 4), &ReplayOptions::default(), &mut writer);
        assert_eq!(writer.finish().map(|track| track.rows).unwrap_err().to_string(), "full");
    }
}
