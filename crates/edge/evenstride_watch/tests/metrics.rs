//! Metrics as a monitoring system reads them.

use std::collections::BTreeSet;

use evenstride::Config;
use evenstride_arena::{scenario, simulate};
use evenstride_capture::{Listener as _, Session, Totals, read};
use evenstride_replay::ReplayOptions;
use evenstride_watch::{MetricsText, Watch, WatchOptions};
use prometheus_parse::{Scrape, Value};

fn scrape(text: &str) -> Scrape {
    Scrape::parse(text.lines().map(|line| Ok(line.to_owned()))).unwrap()
}

#[test]
fn a_parser_of_prometheus_reads_what_was_drawn() {
    let pcap = simulate(&scenario("recall").unwrap().unwrap(), 1).unwrap().pcap;
    let replay = ReplayOptions { config: Config::RETAIL, ..ReplayOptions::default() };
    let mut session = Session::new(Watch::new("a", WatchOptions { replay, is_capture: true }, None));
    read(&pcap[..pcap.len() * 3 / 4], &mut session).unwrap();
    session.listener.waits(&Totals::default());
    let mut text = MetricsText::default();
    session.listener.write_metrics(&mut text);
    let scrape = scrape(&text.finish());
    let (_, view) = session.listener.views().next().unwrap();
    let value = |name: &str, label: (&str, &str)| {
        let found: Vec<f64> = scrape
            .samples
            .iter()
            .filter(|of| of.metric == name && (label.0.is_empty() || of.labels.get(label.0) == Some(label.1)))
            .map(|of| match &of.value {
                Value::Counter(value) | Value::Gauge(value) | Value::Untyped(value) => *value,
                other => panic!("{name}: {other:?}"),
            })
            .collect();
        assert!(!found.is_empty(), "{name} {label:?}");
        found.iter().sum::<f64>()
    };
    let counts = view.counts();
    assert_eq!(value("evenstride_updates_total", ("", "")), counts.all_updates() as f64);
    assert_eq!(value("evenstride_updates_total", ("disposition", "Queued")), counts.updates["Queued"] as f64);
    assert_eq!(value("evenstride_entities", ("connection", "0")), counts.bodies as f64);
    assert_eq!(value("evenstride_frames_total", ("", "")), counts.frames as f64);
    let corrections: u64 = counts.corrections.values().sum();
    assert!(corrections > 0 && value("evenstride_corrections_total", ("", "")) == corrections as f64);
    let told = session.listener.moments().values().sum::<u64>();
    assert!(told > 0 && value("evenstride_moments_total", ("", "")) == told as f64);
    assert_eq!(value("evenstride_late_messages_total", ("", "")), 0.0);
    let error = scrape.samples.iter().find(|of| of.metric == "evenstride_error_metres").unwrap();
    let Value::Summary(quantiles) = &error.value else { panic!("{error:?}") };
    let known: Vec<(f64, f64)> = quantiles.iter().map(|of| (of.quantile, of.count)).collect();
    assert_eq!(known.iter().map(|of| of.0).collect::<Vec<_>>(), [0.5, 0.95, 0.99]);
    assert!(known.is_sorted_by(|one, other| one.1 <= other.1) && known[2].1 > 0.0, "{known:?}");
    let helped: BTreeSet<&String> = scrape.docs.keys().collect();
    assert!(scrape.samples.iter().all(|of| helped.iter().any(|name| of.metric.starts_with(*name))));
}

#[test]
fn labels_of_any_text_and_histograms_are_read() {
    let mut text = MetricsText::default();
    text.gauge("evenstride_a", "A.", &[("name", "a \"b\" \\ c\nd")], 1.5);
    text.histogram("evenstride_b", "B.", [(0.1, 2), (0.2, 5)].into_iter(), (0.7, 6));
    let scrape = scrape(&text.finish());
    let gauge = scrape.samples.iter().find(|of| of.metric == "evenstride_a").unwrap();
    assert_eq!(gauge.value, Value::Gauge(1.5));
    let histogram = scrape.samples.iter().find(|of| of.metric == "evenstride_b").unwrap();
    let Value::Histogram(buckets) = &histogram.value else { panic!("{histogram:?}") };
    assert_eq!(buckets.iter().map(|of| of.count).collect::<Vec<_>>(), [2.0, 5.0, 6.0]);
}
