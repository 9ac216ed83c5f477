//! Scorecards as text.

use std::fmt::Write;

use crate::score::Score;

/// Returns the scorecard of one scenario as a table for people.
pub fn table(scores: &[Score]) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:<22} {:>5} {:>6} {:>7} {:>7} {:>7} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>7}",
        "",
        "pops",
        "worst",
        "frozen",
        "dv rms",
        "dv p99",
        "jerk",
        "over",
        "flicks",
        "off",
        "p95",
        "most",
        "behind",
        "p95",
        "slide",
        "recover"
    );
    let _ = writeln!(
        out,
        "{:<22} {:>5} {:>6} {:>7} {:>7} {:>7} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>7}",
        "", "", "m", "%", "m/s", "m/s", "m/s3", "m", "", "m", "m", "m", "s", "s", "%", "s"
    );
    for score in scores {
        let or_dash =
            |number: Option<f32>| number.map_or_else(|| "-".to_owned(), |number| format!("{number:.2}"));
        let recover =
            score.secs_to_truth.map_or_else(|| "-".to_owned(), |[median, _]| format!("{median:.2}"));
        let _ = writeln!(
            out,
            "{:<22} {:>5} {:>6.2} {:>7.1} {:>7.2} {:>7.2} {:>8.1} {:>6} {:>6} {:>6.2} {:>6.2} {:>6.2} {:>6} {:>6} {:>6.0} {:>7}",
            score.name,
            score.pops,
            score.worst_pop,
            score.frozen * 100.0,
            score.velocity_change[0],
            score.velocity_change[1],
            score.jerk,
            or_dash(score.overshoot),
            score.flicks,
            score.metres_off[0],
            score.metres_off[1],
            score.metres_off[2],
            or_dash(score.secs_behind.map(|behind| behind[0])),
            or_dash(score.secs_behind.map(|behind| behind[1])),
            score.foot_slide * 100.0,
            recover,
        );
    }
    out
}
