//! The lists of fields are those of the traces.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use evenstride_trace::{Behaviour, DriverName, LineKind, Rule, Trace, find_traces};

fn golden() -> Vec<Trace> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../testdata/golden");
    find_traces(&folder).unwrap().iter().map(|path| Trace::read(path).unwrap()).collect()
}

#[test]
fn every_field_of_an_answer_can_be_claimed_and_every_claim_is_a_field() {
    let mut found: BTreeMap<DriverName, BTreeSet<String>> = BTreeMap::new();
    for trace in golden() {
        let driver = DriverName::from_name(&trace.header.driver).unwrap();
        let names = found.entry(driver).or_default();
        for line in &trace.lines {
            let fields = driver.expected(line).unwrap();
            let compared = fields.keys().filter(|field| driver.rule(&line.kind, field) != Rule::Input);
            names.extend(compared.map(|field| field.rsplit('.').next().unwrap().to_owned()));
        }
    }
    for driver in DriverName::ALL {
        let listed: BTreeSet<String> =
            driver.answer_fields().iter().map(|field| (*field).to_owned()).collect();
        let of_body = ["internal", "update_object", "use_time"].contains(&driver.name());
        // Bodies without animations have no keyframe, so the three drivers share one list.
        let found = &found[&driver];
        assert!(found.is_subset(&listed), "{driver}: {:?}", found.difference(&listed));
        assert!(of_body || found == &listed, "{driver}: {:?}", listed.difference(found));
        assert!(driver.core_fields().iter().all(|field| found.contains(*field)), "{driver}");
    }
}

#[test]
fn every_trace_pins_a_behaviour_and_every_behaviour_has_traces() {
    let traces = golden();
    for trace in &traces {
        assert!(!Behaviour::pinned_by(&trace.header.name).is_empty(), "{}", trace.header.name);
    }
    for behaviour in Behaviour::all() {
        for beginning in behaviour.traces {
            let exists = traces.iter().any(|trace| trace.header.name.starts_with(&format!("{beginning}_")));
            assert!(exists, "{}: no trace {beginning}", behaviour.id);
        }
        // What shows a behaviour is a field or a call of one of its traces.
        let of_it: Vec<&Trace> =
            traces.iter().filter(|trace| behaviour.is_pinned_by(&trace.header.name)).collect();
        for shown in behaviour.shown_by {
            let is_shown = of_it.iter().any(|trace| {
                let driver = DriverName::from_name(&trace.header.driver).unwrap();
                let is_call = |kind: &LineKind| matches!(kind, LineKind::Call(op) if op == shown);
                driver.answer_fields().contains(shown) || trace.lines.iter().any(|line| is_call(&line.kind))
            });
            assert!(is_shown, "{}: {shown} is neither a field nor a call", behaviour.id);
        }
    }
}
