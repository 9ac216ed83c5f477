//! The project's own capture, replayed.

use evenstride_capture::{Session, Timeline, read};
use evenstride_replay::{
    Recorder, Recording, ReplayOptions, Script, Summary, Watch, Watcher, replay, sample,
};

fn recorded(file: &[u8]) -> Recording {
    let mut session = Session::new(Recorder::new("first-light.pcap", Timeline::default()));
    read(file, &mut session).unwrap();
    assert_eq!(session.totals().checksum_failures, 0);
    session.listener.finish(None)
}

#[derive(Default)]
struct Printer(Vec<String>);
impl Watcher for Printer {
    fn decision(&mut self, entity: evenstride_types::EntityId, decision: &evenstride::Explanation) {
        self.0.push(format!("{entity} {decision}"));
    }
}

#[test]
fn tmp() {
    let file = sample::first_light().unwrap();
    let recording = recorded(&file);
    println!(
        "{} bytes {} moments, {:?} {:?}",
        file.len(),
        recording.moments.len(),
        recording.player,
        recording.names
    );
    let script = Script::of(vec![(recording, 0.0)], None);
    let mut summary = Summary::new(&script);
    let options = ReplayOptions { watch: Watch::Everybody, ..ReplayOptions::default() };
    let replayed = replay(&script, &options, &mut summary);
    println!("{replayed:?} {:?} {:?}", summary.worst_behind(), summary.entities());
    let mut printer = Printer::default();
    replay(&script, &options, &mut printer);
    for line in printer.0 {
        println!("{line}");
    }
}
