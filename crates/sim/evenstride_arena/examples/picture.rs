//! Draws the moving picture of README.md: one chase, as several methods show it.
//!
//! ```sh
//! cargo run --release -p evenstride_arena --example picture > docs/chase.svg
//! ```
//!
//! Each row shows the same creature, seen from above, with the camera on the true place. A method that is right stays on the line.

use std::fmt::Write;

use evenstride_arena::{Contest, contest, rival::Shown, scenario};

/// Seconds of the scenario to show, and samples per second.
const FROM: f64 = 3.5;
const SECS: f64 = 9.0;
const RATE: f64 = 30.0;

/// Pixels per metre, width of the picture and height of a row.
const SCALE: f32 = 60.0;
const WIDTH: f32 = 860.0;
const ROW: f32 = 62.0;

const ROWS: [(&str, &str, &str); 4] = [
    ("hard snap", "newest position", "#b0413e"),
    ("dead reckoning", "dead reckoning", "#c98a2b"),
    ("smooth", "the client of 2013, interpolated", "#4a6fa5"),
    ("glide", "Evenstride (GLIDE)", "#2e7d4f"),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scenario = scenario("chase-5hz").ok_or("no such scenario")??;
    let (contest, _) = contest(&scenario, 2)?;
    print!("{}", picture(&contest)?);
    Ok(())
}

fn picture(contest: &Contest) -> Result<String, Box<dyn std::error::Error>> {
    let number = contest.subjects.iter().position(|subject| subject.name == "Drudge").ok_or("no creature")?;
    let truth = &contest.subjects[number].truth;
    let every = (contest.fps / RATE).round() as usize;
    let first = (FROM * contest.fps) as usize;
    let frames: Vec<usize> = (0..(SECS * RATE) as usize).map(|sample| first + sample * every).collect();
    let height = ROW * ROWS.len() as f32 + 34.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <title>A creature that is heard of five times per second, as four methods draw it</title>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"12\" y=\"20\" fill=\"#444444\">A running creature, heard of five times per second. The line is where it truly is.</text>\n"
    );
    for (row, (name, label, colour)) in ROWS.iter().enumerate() {
        let contestant = contest.contestants.iter().find(|one| one.name == *name).ok_or("no contestant")?;
        let drawn = &contestant.drawn[number];
        let y = 34.0 + ROW * (row as f32 + 0.5);
        let middle = 0.62 * WIDTH;
        let mut xs = String::new();
        for frame in &frames {
            let off = ahead(truth, drawn, *frame).unwrap_or(0.0).clamp(-4.5, 4.5);
            write!(xs, "{:.0};", middle + off * SCALE)?;
        }
        let xs = xs.trim_end_matches(';');
        write!(
            svg,
            "<line x1=\"{middle}\" x2=\"{middle}\" y1=\"{:.0}\" y2=\"{:.0}\" stroke=\"#999999\" stroke-dasharray=\"4 4\"/>\n\
             <text x=\"12\" y=\"{:.0}\" fill=\"{colour}\">{label}</text>\n\
             <circle cy=\"{y:.0}\" r=\"12\" fill=\"{colour}\" cx=\"{middle}\"><animate attributeName=\"cx\" dur=\"{SECS}s\" repeatCount=\"indefinite\" values=\"{xs}\"/></circle>\n",
            y - 0.5 * ROW + 6.0,
            y + 0.5 * ROW - 6.0,
            y + 5.0
        )?;
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

/// Returns how many metres a creature is drawn ahead of its true place, along its way.
fn ahead(truth: &[Option<Shown>], drawn: &[Option<Shown>], frame: usize) -> Option<f32> {
    let (here, shown) = (truth.get(frame).copied()??, drawn.get(frame).copied()??);
    let before = truth.get(frame.checked_sub(12)?).copied()??;
    let way = here.at - before.at;
    let off = shown.at - here.at;
    let along = if way.length() > 0.05 { off.dot(way.normalize_or_zero()) } else { off.length() };
    // Off to the side counts as much as ahead or behind.
    let side = (off.length_squared() - along * along).max(0.0).sqrt();
    Some(if along < 0.0 { along - side } else { along + side })
}
