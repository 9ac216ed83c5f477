//! A page with a badge and tables.

use evenstride_page::{Part, fill};

use crate::{
    judge::Verdict,
    protocol::Claims,
    report::{explain, reason},
    score::{Counts, Score},
};

/// Returns a score as one HTML file without scripts.
pub fn html(score: &Score, claims: Option<&Claims>) -> String {
    let total = score.total();
    let program = claims.map_or("a program that did not shake hands", |claims| claims.name.as_str());
    let badge = format!("{} of {} · {} %", total.passed, total.all(), total.percent());
    let drivers = table(
        "driver",
        score
            .by_driver()
            .into_iter()
            .map(|(driver, counts)| (driver.map_or("(unknown)", |driver| driver.name()).to_owned(), counts)),
    );
    let behaviours =
        score.by_behaviour().into_iter().map(|(behaviour, counts)| (behaviour.name.to_owned(), counts));
    let behaviours = table("behaviour", behaviours);
    let claimed = claims.map_or_else(String::new, |claims| {
        let of = |(driver, fields, all)| format!("{driver} ({fields} of {all} fields)");
        claims.drivers().map(of).collect::<Vec<_>>().join(", ")
    });
    let failures = failures(score);
    let parts = [
        ("program", Part::Text(program)),
        ("badge", Part::Text(&badge)),
        ("tone", Part::Text(tone(total))),
        ("claimed", Part::Text(&claimed)),
        ("drivers", Part::Table(&drivers)),
        ("behaviours", Part::Table(&behaviours)),
        ("failures", Part::Table(&failures)),
        ("style", Part::Style(include_str!("page.css"))),
    ];
    fill(include_str!("page.html"), &parts)
}

/// Returns the colour of the badge.
const fn tone(total: Counts) -> &'static str {
    match total.percent() {
        100 => "#1a7f4b",
        50..=99 => "#2b6cb0",
        _ => "#8a6d1a",
    }
}

fn table(heading: &str, rows: impl Iterator<Item = (String, Counts)>) -> Vec<Vec<String>> {
    let mut table = vec![[heading, "passed", "failed", "unsupported"].map(str::to_owned).to_vec()];
    table.extend(rows.map(|(name, counts)| {
        vec![name, counts.passed.to_string(), counts.failed.to_string(), counts.unsupported.to_string()]
    }));
    table
}

fn failures(score: &Score) -> Vec<Vec<String>> {
    let mut table = vec![["trace", "first difference", "the client"].map(str::to_owned).to_vec()];
    let failed = score.judged.iter().filter(|judged| matches!(judged.verdict, Verdict::Fail(_)));
    table.extend(failed.map(|judged| {
        let client = explain(judged).map(|of| format!("{} {}. {}", of.sentences, of.functions, of.see));
        vec![judged.name.clone(), reason(judged).unwrap_or_default(), client.unwrap_or_default()]
    }));
    table
}
