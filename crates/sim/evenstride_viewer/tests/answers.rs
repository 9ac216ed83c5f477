//! Scenes, overviews and tracks agree with each other, and with a plain replay.

use std::sync::Arc;

use evenstride::Config;
use evenstride_arena::{contest, scenario};
use evenstride_moments::MomentFinder;
use evenstride_replay::{
    Recorder, ReplayOptions, Script, TraceScope, replay,
    sample::{self, first_light},
};
use evenstride_viewer::{
    BODY_VALUES, FinishedOverview, Method, OverviewJob, Scene, TrackJob, ViewedScript, WhatIf, comparison,
};

const ALL: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

fn script() -> Arc<Script> {
    let mut session = evenstride_capture::Session::new(Recorder::new(
        "first-light.pcap",
        evenstride_capture::Timeline::default(),
    ));
    evenstride_capture::read(first_light().unwrap().as_slice(), &mut session).unwrap();
    Arc::new(Script::of(vec![(session.listener.finish(None), 0.0)], None))
}

fn viewed(script: &Arc<Script>) -> Arc<ViewedScript> {
    Arc::new(ViewedScript::new(Arc::clone(script), None, ALL))
}

fn method(name: &str) -> Method {
    Method::find(name).unwrap()
}

fn overview(script: &Arc<Script>, changed: &Arc<Script>, name: &str) -> FinishedOverview<'static> {
    OverviewJob::new(viewed(script), Arc::clone(changed), &method(name), 60.0).unwrap().finish()
}

/// The bits of all bodies, so that absent ones are equal too.
fn bits(scene: &Scene) -> Vec<u32> {
    scene.bodies().iter().map(|value| value.to_bits()).collect()
}

#[test]
fn bodies_are_the_same_in_whatever_order_times_are_shown() {
    let script = script();
    for name in ["glide", "retail", "dead reckoning", "buffer, adaptive"] {
        let scene = || Scene::new(viewed(&script), Arc::clone(&script), &method(name), 60.0).unwrap();
        let mut scrubbed = scene();
        for time in [65.07, 20.5, 64.9, 100.0, 3.0, 66.0, 20.5] {
            let mut parts = 0;
            while !scrubbed.seek(time, 7) {
                parts += 1;
                assert!(parts < 10_000, "{name} at {time}");
            }
            let mut straight = scene();
            assert!(straight.seek(time, u32::MAX));
            assert_eq!(bits(&scrubbed), bits(&straight), "{name} at {time}");
            assert_eq!(scrubbed.state_hash(), straight.state_hash(), "{name} at {time}");
            assert!(scrubbed.time() <= time + 1e-6 && time - scrubbed.time() < 0.02, "{name} at {time}");
            let beads: Vec<f64> = scrubbed.beads().map(|(time, _)| time).collect();
            let expected: Vec<f64> = straight.beads().map(|(time, _)| time).collect();
            assert_eq!(beads, expected, "{name} at {time}");
            assert!(beads.windows(2).all(|pair| (0.08..0.12).contains(&(pair[1] - pair[0]))), "{beads:?}");
        }
    }
}

/// Every entity that moved when a client left was once the worst one, metres off a path that is unknown.
#[test]
fn nothing_is_off_its_path_after_a_recording_that_ends_on_the_way() {
    let whole = sample::crowd(8, 30);
    let cut = Script {
        messages: whole.messages.iter().filter(|of| of.time < 17.3).cloned().collect(),
        ..whole.clone()
    };
    let (_, last) = cut.span().unwrap();
    for name in ["glide", "dead reckoning"] {
        let [whole, cut] = [&whole, &cut].map(|script| {
            let script = Arc::new(Script { truth: Default::default(), ..script.clone() });
            overview(&script, &script, name)
        });
        let (mut compared, mut hidden) = (0, 0);
        for (index, line) in cut.lines.iter().enumerate() {
            let heard = cut.viewed.entities[index].positions().last().map_or(last, |of| of.time);
            if let Some((off, time)) = line.worst {
                assert!(
                    time <= heard + 1e-6,
                    "{name}: entity {index} is {off} m off at {time} after {heard}"
                );
            }
            // Until then, errors are those of the whole recording.
            let before = (last - 5.0, last - 3.0);
            assert_eq!(cut.largest(index, before.0, before.1), whole.largest(index, before.0, before.1));
            compared += usize::from(cut.largest(index, before.0, before.1).is_some());
            hidden += usize::from(cut.largest(index, heard + 0.2, last + 3.0).is_none());
        }
        assert!(compared >= 8 && hidden >= 8, "{compared} {hidden}");
    }
}

#[test]
fn a_track_an_overview_and_a_scene_tell_the_same_error_and_place() {
    let script = script();
    let viewed = viewed(&script);
    for name in ["glide", "smooth", "dead reckoning"] {
        let overview = overview(&script, &script, name);
        let mut scene = Scene::new(Arc::clone(&viewed), Arc::clone(&script), &method(name), 60.0).unwrap();
        for (index, of) in viewed.entities.iter().enumerate() {
            let job =
                TrackJob::new(Arc::clone(&viewed), Arc::clone(&script), &method(name), 60.0, index, ALL);
            let mut job = job.unwrap();
            while job.work(100) {}
            let track = job.track();
            let worst =
                track.errors.iter().copied().filter(|error| !error.is_nan()).map(f32::abs).reduce(f32::max);
            let (expected, _) = overview.lines[index].worst.unwrap_or_default();
            let worst = worst.unwrap_or(0.0);
            assert!(
                (f64::from(worst) - expected.abs()).abs() < 0.02,
                "{name}, {}: {worst} {expected}",
                of.name
            );
            // The frame at 65 s, if it is drawn then.
            while !scene.seek(65.0, 600) {}
            let row = track.times.partition_point(|time| *time <= scene.time() + 1e-9) - 1;
            let body = &scene.bodies()[BODY_VALUES * index..][..3];
            for (one, other) in body.iter().zip(track.places[row]) {
                assert!(
                    one.is_nan() == other.is_nan() && (one.is_nan() || (one - other).abs() < 0.02),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn moments_are_those_of_the_program() {
    let script = script();
    let mut finder = MomentFinder::new(script.player);
    let options =
        ReplayOptions { config: Config::RETAIL, trace: TraceScope::All, ..ReplayOptions::default() };
    let _ = replay(&script, &options, &mut finder);
    let overview = overview(&script, &script, "retail");
    assert_eq!(overview.moments, finder.finish());
    let json = overview.to_json();
    let first = &json["moments"][0];
    assert!(first["off"].as_f64().unwrap() > 0.0 && first["level"].is_string(), "{first}");
    let lines = json["lines"].as_array().unwrap();
    assert!(lines.iter().all(|line| line["spark"].as_array().unwrap().len() == 64));
}

#[test]
fn an_overshoot_stops_while_the_body_is_still_ahead() {
    let script = script();
    let answer = overview(&script, &script, "glide").to_json();
    let moments = answer["moments"].as_array().unwrap();
    let overshoots: Vec<_> = moments.iter().filter(|moment| moment["kind"] == "overshoot").collect();
    assert!(!overshoots.is_empty());
    for moment in overshoots {
        let index = usize::try_from(moment["index"].as_u64().unwrap()).unwrap();
        let job = TrackJob::new(viewed(&script), Arc::clone(&script), &method("glide"), 60.0, index, ALL);
        let mut job = job.unwrap();
        while job.work(100) {}
        let track = job.track();
        let row = track.times.partition_point(|time| *time <= moment["at"].as_f64().unwrap()) - 1;
        let off = moment["off"].as_f64().unwrap();
        assert!((f64::from(track.errors[row]) - off).abs() < 0.01, "{} {moment}", track.errors[row]);
    }
}

#[test]
fn a_teleport_that_arrives_later_is_no_error() {
    let script = script();
    let what_if = WhatIf { latency_secs: 0.15, jitter_secs: 0.04, ..WhatIf::default() };
    let later = overview(&script, &what_if.apply(&script).unwrap(), "glide");
    let within = later.within().unwrap();
    assert!(within < 10.0, "{within}");
}

#[test]
fn a_what_if_changes_what_is_drawn_and_not_what_is_believed() {
    let script = script();
    assert_eq!(WhatIf::default().apply(&script).unwrap().messages, script.messages);
    let late = WhatIf { latency_secs: 0.4, seed: 1, ..WhatIf::default() }.apply(&script).unwrap();
    let (before, after) = (overview(&script, &script, "smooth"), overview(&script, &late, "smooth"));
    let mean = |of: &FinishedOverview| {
        let known = of.lines.iter().flat_map(|line| &line.bins).copied().filter(|error| !error.is_nan());
        let (count, sum) =
            known.fold((0.0, 0.0), |(count, sum), error| (count + 1.0, sum + f64::from(error)));
        sum / count
    };
    assert!(mean(&after) > mean(&before) + 0.1, "{} {}", mean(&before), mean(&after));
    let without = WhatIf { dropped: vec![3, 5], ..WhatIf::default() }.apply(&script).unwrap();
    assert_eq!(without.messages.len(), script.messages.len() - 2);
    assert_eq!(without.messages[3], script.messages[4]);
    let error = WhatIf { loss: 2.0, ..WhatIf::default() }.apply(&script).unwrap_err();
    assert!(error.contains("loss"), "{error}");
}

#[test]
fn messages_arrive_when_the_changed_network_brings_them() {
    let script = script();
    let viewed = viewed(&script);
    let sent = viewed.arrivals(&script);
    let late = WhatIf { latency_secs: 0.4, dropped: vec![40], seed: 1, ..WhatIf::default() };
    let arrived = viewed.arrivals(&late.apply(&script).unwrap());
    let pairs = || {
        let of = |at: &[evenstride_viewer::Arrivals]| {
            at.iter().flat_map(|of| of.messages.clone()).collect::<Vec<_>>()
        };
        of(&sent).into_iter().zip(of(&arrived))
    };
    assert_eq!(pairs().filter(|(_, to)| to.is_nan()).count(), 1, "only the dropped one is missing");
    for (from, to) in pairs().filter(|(_, to)| !to.is_nan()) {
        assert!((to - from - 0.4).abs() < 0.02, "{from} {to}");
    }
    for (one, other) in sent.iter().zip(&arrived) {
        assert!(other.positions.len() + 1 >= one.positions.len());
        assert!(other.positions.iter().all(|of| of.time > one.positions[0].time + 0.3));
    }
    // What the network loses is sent again, later.
    let lossy = WhatIf { loss: 0.4, seed: 1, ..WhatIf::default() };
    let arrived = viewed.arrivals(&lossy.apply(&script).unwrap());
    let gaps = arrived.iter().map(|of| of.late.len()).sum::<usize>();
    assert!(gaps > sent.iter().map(|of| of.late.len()).sum::<usize>(), "{gaps}");
}

/// Ilse turned at 11.0 s and ran from 11.5 s on. Between her positions at 11.0 and 12.5 s, she was believed to
/// run all the time, and a body that stood as she did was 2.3 m off.
#[test]
fn an_entity_that_turns_on_the_spot_is_believed_to_stand() {
    let script = script();
    let overview = overview(&script, &script, "glide");
    let ilse = overview.viewed.entities.iter().position(|of| of.name == "Ilse").unwrap();
    let (metres, at) = overview.largest(ilse, 10.5, 13.0).unwrap();
    assert!(metres < 0.8, "{metres} m at {at} s");
}

#[test]
fn every_large_error_has_a_moment_and_they_are_in_order() {
    let script = script();
    for (latency_secs, loss) in [(0.0, 0.0), (0.3, 0.0), (0.15, 0.4)] {
        let what_if = WhatIf { latency_secs, loss, seed: 1, ..WhatIf::default() };
        let overview = overview(&script, &what_if.apply(&script).unwrap(), "glide");
        let shown = overview.to_json();
        let moments = shown["moments"].as_array().unwrap();
        let rank =
            |of: &serde_json::Value| ["bad", "watch", "note"].iter().position(|level| of["level"] == *level);
        for pair in moments.windows(2) {
            let is_sorted = rank(&pair[0]) < rank(&pair[1]) || {
                let off = |of: &serde_json::Value| of["off"].as_f64().unwrap_or(0.0);
                rank(&pair[0]) == rank(&pair[1])
                    && (off(&pair[0]) >= off(&pair[1])
                        || pair[0]["turn"].is_number()
                        || pair[1]["turn"].is_number())
            };
            assert!(is_sorted, "{} {}", pair[0], pair[1]);
        }
        for (index, line) in overview.lines.iter().enumerate() {
            let Some((worst, at)) = line.worst.filter(|(worst, _)| worst.abs() >= 1.5) else { continue };
            let is_told = moments.iter().filter(|of| of["index"] == index).any(|of| {
                let time = |name: &str| of[name].as_f64().unwrap();
                time("from") - 3.0 <= at && at <= time("to") + 3.0
            });
            assert!(is_told, "entity {index} is {worst} m off at {at} s with {latency_secs} s, {loss}");
        }
    }
}

#[test]
fn messages_have_bytes_and_fields_that_cover_them() {
    let script = script();
    let viewed = viewed(&script);
    let entity = viewed.entities.iter().max_by_key(|of| of.positions().len()).unwrap();
    let listed = viewed.messages(entity.entity, 0);
    let listed = listed.as_array().unwrap();
    assert_eq!(listed.len(), entity.messages() as usize);
    for message in listed {
        let message = viewed.message(message["index"].as_u64().unwrap() as usize);
        let bytes = message["hex"].as_str().unwrap().len() as u64 / 2;
        let fields = message["fields"].as_array().unwrap();
        let mut end = 0;
        for field in fields {
            assert_eq!(field["from"], end, "{message}");
            end = field["to"].as_u64().unwrap();
        }
        assert_eq!(end, bytes, "{message}");
    }
    assert!(viewed.message(usize::MAX).is_null());
}

#[test]
fn rivals_have_episodes_and_the_best_of_each_column_is_marked() {
    let scenario = scenario("chase-5hz").unwrap().unwrap();
    let (contest, simulated) = contest(&scenario, 1).unwrap();
    let script = Arc::new(Script { truth: simulated.truth.clone(), ..simulated.script() });
    let (ours, other) = (overview(&script, &script, "glide"), overview(&script, &script, "dead reckoning"));
    let episodes = other.episodes("dead reckoning", &ours, "glide");
    let worst = &episodes[0];
    assert!(worst["off"].as_f64().unwrap() > 1.0, "{episodes}");
    assert!(worst["words"].as_str().unwrap().starts_with("Dead reckoning is "), "{worst}");
    let compared = comparison(&evenstride_arena::score(&contest));
    let rows = compared["rows"].as_array().unwrap();
    for column in 0..compared["columns"].as_array().unwrap().len() {
        assert!(rows.iter().any(|row| row["best"][column] == true), "column {column}: {compared}");
    }
}

#[test]
fn a_script_with_thousands_of_entities_shows_those_with_the_most_positions() {
    let script = Arc::new(sample::crowd(5_000, 1));
    let viewed = viewed(&script);
    assert_eq!(viewed.entities.len(), evenstride_viewer::MAX_ENTITIES);
    assert!(viewed.left_out > 0);
    let facts = viewed.facts();
    assert_eq!((&facts["max_entities"], &facts["left_out"]), (&4_096.into(), &viewed.left_out.into()));
    let empty = Arc::new(Script::default());
    assert!(
        Scene::new(Arc::new(ViewedScript::new(Arc::clone(&empty), None, ALL)), empty, &method("glide"), 60.0)
            .is_none()
    );
}
