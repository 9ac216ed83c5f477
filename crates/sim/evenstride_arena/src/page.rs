//! A contest as one HTML file: a map that plays, the trade-off between delay and smoothness, and
//! the scorecard.

use evenstride_page::{Part, fill};
use serde_json::json;

use crate::{
    contest::Contest,
    rival::Shown,
    score::{Score, score_of_truth},
    story::story,
    table::table,
};

const PAGE: &str = include_str!("../assets/arena.html");
const STYLE: &str = include_str!("../assets/arena.css");
const SCRIPT: &str = include_str!("../assets/arena.js");

/// Samples per second on the page.
const RATE: f64 = 20.0;

/// Most subjects on the page.
const MAX_SUBJECTS: usize = 24;

/// Returns the page.
pub fn page(title: &str, about: &str, contest: &Contest, scores: &[Score]) -> String {
    let every = (contest.fps / RATE).round().max(1.0) as usize;
    let subjects: Vec<_> = contest
        .subjects
        .iter()
        .take(MAX_SUBJECTS)
        .map(|subject| json!({ "name": subject.name, "truth": track(&subject.truth, every) }))
        .collect();
    let contestants: Vec<_> = contest
        .contestants
        .iter()
        .filter_map(|one| Some((one, scores.iter().find(|score| score.name == one.name)?)))
        .map(|(one, score)| {
            let drawn: Vec<_> =
                one.drawn.iter().take(MAX_SUBJECTS).map(|drawn| track(drawn, every)).collect();
            json!({ "name": one.name, "drawn": drawn, "jerk": score.jerk, "behind": score.secs_behind.map_or(0.0, |behind| behind[0]) })
        })
        .collect();
    let times: Vec<f64> =
        contest.times.iter().step_by(every).map(|time| (time * 1000.0).round() / 1000.0).collect();
    let rate = contest.fps / every as f64;
    let data = json!({ "times": times, "rate": rate, "subjects": subjects, "contestants": contestants });
    let data = data.to_string();
    let story = story(scores).join("\n");
    let table = table(scores, score_of_truth(contest).as_ref());
    let parts = [
        ("title", Part::Text(title)),
        ("about", Part::Text(about)),
        ("story", Part::Text(&story)),
        ("table", Part::Text(&table)),
        ("data", Part::Json { id: "data", text: &data }),
        ("style", Part::Style(STYLE)),
        ("script", Part::Script(SCRIPT)),
    ];
    fill(PAGE, &parts)
}

/// Returns centimetres, x and y in turn, with `null` for frames without a place.
fn track(shown: &[Option<Shown>], every: usize) -> Vec<Option<i64>> {
    let point = |shown: &Option<Shown>| {
        let at = shown
            .map(|shown| [shown.at.x, shown.at.y].map(|metres| (f64::from(metres) * 100.0).round() as i64));
        at.map_or([None; 2], |at| at.map(Some))
    };
    shown.iter().step_by(every).flat_map(point).collect()
}
