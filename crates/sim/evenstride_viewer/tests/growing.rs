//! A recording that grows is seen like the complete one.

use std::sync::Arc;

use evenstride_replay::{Said, Script, TAIL_SECS, TimedMessage, sample};
use evenstride_types::update::Update;
use evenstride_viewer::{KNOWN_AFTER_SECS, Method, OverviewJob, Scene, TrackJob, ViewedScript};

const ALL: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

fn first_light() -> Script {
    let mut session = evenstride_capture::Session::new(evenstride_replay::Recorder::new(
        "first-light.pcap",
        evenstride_capture::Timeline::default(),
    ));
    evenstride_capture::read(sample::first_light().unwrap().as_slice(), &mut session).unwrap();
    Script::of(vec![(session.listener.finish(None), 0.0)], None)
}

/// Everything that a page keeps of a recording.
struct Page {
    viewed: Arc<ViewedScript>,
    scene: Scene,
    overview: OverviewJob,
    track: TrackJob,
}

impl Page {
    fn new(script: Script, method: &Method, entity: usize, until: f64) -> Self {
        let mut viewed = ViewedScript::new(Arc::default(), None, ALL);
        let _ = viewed.append(script, until);
        let viewed = Arc::new(viewed);
        let same = || (Arc::clone(&viewed), Arc::clone(&viewed.script));
        let (of, script) = same();
        let scene = Scene::new(of, script, method, 60.0).unwrap();
        let (of, script) = same();
        let overview = OverviewJob::new(of, script, method, 60.0).unwrap();
        let (of, script) = same();
        let track = TrackJob::new(of, script, method, 60.0, entity, ALL).unwrap();
        Self { viewed, scene, overview, track }
    }

    fn append(&mut self, more: Script, until: f64) {
        self.scene.release();
        self.overview.release();
        self.track.release();
        let messages = self.viewed.script.messages.as_ptr();
        let length = self.viewed.script.messages.capacity();
        let _ = Arc::get_mut(&mut self.viewed).unwrap().append(more, until);
        if self.viewed.script.messages.capacity() == length {
            assert_eq!(self.viewed.script.messages.as_ptr(), messages, "nothing is copied");
        }
        self.scene.resume(Arc::clone(&self.viewed));
        self.overview.resume(Arc::clone(&self.viewed));
        self.track.resume(Arc::clone(&self.viewed));
    }
}

/// Returns the script in parts of this many messages, each with the time up to which everything is known.
fn parts(script: &Script, length: usize) -> Vec<(Script, f64)> {
    let chunks: Vec<&[TimedMessage]> = script.messages.chunks(length).collect();
    let until = |number: usize| match chunks.get(number + 1) {
        Some(next) => next[0].time - 1e-9,
        None => script.span().unwrap().1 + TAIL_SECS,
    };
    let player = |messages: &[TimedMessage]| {
        messages.iter().find_map(|message| match &message.said {
            Said::Server(Update::LocalPlayer(player)) => Some(*player),
            _ => None,
        })
    };
    let of = |(number, messages): (usize, &&[TimedMessage])| {
        let mut part = Script { player: player(messages), messages: messages.to_vec(), ..Script::default() };
        if number == 0 {
            (part.names, part.start) = (script.names.clone(), script.start);
        }
        let time = |of: &evenstride_replay::Truth| {
            let at = messages[0].time;
            let end = chunks.get(number + 1).map_or(f64::INFINITY, |next| next[0].time);
            of.time >= at && of.time < end
        };
        for (entity, truth) in &script.truth {
            let places: Vec<_> = truth.iter().filter(|of| time(of)).copied().collect();
            if !places.is_empty() {
                part.truth.insert(*entity, places);
            }
        }
        (part, until(number))
    };
    chunks.iter().enumerate().map(of).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn scenes_errors_and_tracks_of_a_growing_recording_are_those_of_the_complete_one() {
    let script = first_light();
    let whole = Arc::new(ViewedScript::new(Arc::new(script.clone()), None, ALL));
    for (name, length) in [("glide", 40), ("retail", 150), ("buffer, adaptive", 90)] {
        let method = Method::find(name).unwrap();
        let mut parts = parts(&script, length).into_iter();
        let (first, until) = parts.next().unwrap();
        let mut page = Page::new(first, &method, 0, until);
        for (part, until) in parts {
            page.append(part, until);
            while page.overview.work(1_000) {}
            while page.track.work(1_000) {}
            assert!(page.scene.seek(until, u32::MAX));
            // Looking back does not disturb what comes next.
            if until < 20.0 {
                assert!(page.scene.seek(until / 2.0, u32::MAX));
            }
        }
        let same = || (Arc::clone(&whole), Arc::clone(&whole.script));
        let (of, changed) = same();
        let mut scene = Scene::new(of, changed, &method, 60.0).unwrap();
        let (of, changed) = same();
        let mut overview = OverviewJob::new(of, changed, &method, 60.0).unwrap();
        while overview.work(1_000) {}
        let expected = overview.look();
        let known = page.viewed.range.1 - KNOWN_AFTER_SECS;
        for (index, of) in page.viewed.entities.iter().enumerate() {
            let other = whole.index(of.entity).unwrap();
            let (one, two) = (of, &whole.entities[other]);
            assert_eq!((one.positions(), &one.name), (two.positions(), &two.name));
            assert_eq!((one.usual_gap, one.is_player), (two.usual_gap, two.is_player));
            let (errors, bin_secs) = page.overview.errors(index);
            let bins = (known / bin_secs) as usize - 1;
            let expected = &expected.lines[other].bins;
            let count = bins.min(errors.len()).min(expected.len());
            assert!(count > 1_000 || of.positions().len() < 5, "{count}");
            let first = (0..count).find(|bin| errors[*bin].to_bits() != expected[*bin].to_bits());
            let values = first.map(|bin| (bin, errors[bin], expected[bin]));
            // The truth about a player ends with its last report, which is unknown while reports may come.
            let last = two.truth.last().map_or(f64::INFINITY, |(last, _)| *last) / bin_secs;
            assert!(first.is_none_or(|bin| bin as f64 > last), "{name}: {}: {values:?}", of.name);
        }
        for time in [3.0, 61.5, 100.0, f64::INFINITY] {
            assert!(scene.seek(time, u32::MAX) && page.scene.seek(time, u32::MAX));
            assert_eq!(scene.state_hash(), page.scene.state_hash(), "{name} at {time}");
        }
        let entity = page.viewed.entities[0].entity;
        let (of, changed) = same();
        let mut track = TrackJob::new(of, changed, &method, 60.0, whole.index(entity).unwrap(), ALL).unwrap();
        while track.work(1_000) {}
        let (one, two) = (page.track.track(), track.track());
        let first = (0..one.times.len().min(two.times.len()))
            .find(|row| one.speeds[*row].to_bits() != two.speeds[*row].to_bits());
        let of = first.map(|row| (row, one.times[row], two.times[row], one.speeds[row], two.speeds[row]));
        assert_eq!((one.times.len(), of), (two.times.len(), None), "{name}");
        assert!(one.times == two.times && bits(&one.speeds) == bits(&two.speeds));
        assert!(bits(one.places.as_flattened()) == bits(two.places.as_flattened()));
        assert!(one.decisions == two.decisions);
        let count = one.times.partition_point(|time| *time <= known);
        let off = one.errors[..count].iter().zip(&two.errors).map(|(one, two)| (one - two).abs());
        assert!(off.fold(0.0, f32::max) < 1e-4, "{name}");
        assert!(one.errors[count..].iter().all(|error| error.is_nan()));
    }
}

/// The list of moments of a page that was open all the time is that of a page of the recording.
#[test]
fn moments_of_a_growing_recording_are_found() {
    let script = first_light();
    let method = Method::find("retail").unwrap();
    let mut parts = parts(&script, 100).into_iter();
    let (first, until) = parts.next().unwrap();
    let mut page = Page::new(first, &method, 0, until);
    let mut counts = Vec::new();
    for (part, until) in parts {
        page.append(part, until);
        while page.overview.work(1_000) {}
        counts.push(page.overview.look().to_json()["moments"].as_array().unwrap().len());
    }
    let whole = Arc::new(ViewedScript::new(Arc::new(script.clone()), None, ALL));
    let all =
        OverviewJob::new(Arc::clone(&whole), Arc::clone(&whole.script), &method, 60.0).unwrap().finish();
    let all = all.to_json()["moments"].as_array().unwrap().len();
    assert!(*counts.last().unwrap() + 1 >= all && all > 3, "{all} of {counts:?}");
    assert!(counts.iter().any(|count| *count > 0 && *count < all), "they come one by one: {counts:?}");
}
