//! A contest in a few sentences: what each method gives up, and where Evenstride loses.
//!
//! Every sentence is made of measured numbers, so it holds for any scenario.

use crate::score::{Column, Score, rank};

/// The methods of the story, and what readers know them as.
const METHODS: [(&str, &str); 4] = [
    ("retail", "The client of 2013 (retail)"),
    ("dead reckoning", "Dead reckoning"),
    ("buffer, adaptive", "A snapshot buffer (adaptive)"),
    ("glide", "Evenstride (glide)"),
];

/// Faults that a viewer sees: the column, the value up to which it is tolerable, the words before and
/// after the value, and its digits.
const FAULTS: [(Column, f32, &str, &str, usize); 4] = [
    (Column::Frozen, 2.0, "It stands still in", "% of the frames in which an entity moves", 0),
    (Column::Pops, 0.0, "It leaps in", "frames", 0),
    (Column::Overshoot, 0.3, "It overshoots a stop by up to", "m", 2),
    (Column::RestOff, 0.2, "It rests up to", "m from the right place", 2),
];

/// Returns the story as lines of text. Empty without a truth, because nothing is known to be given up
/// then.
pub fn story(scores: &[Score]) -> Vec<String> {
    if scores.iter().all(|score| score.metres_off.is_none()) {
        return Vec::new();
    }
    let told = METHODS.iter().filter_map(|(name, known_as)| {
        let score = scores.iter().find(|score| score.name == *name)?;
        Some(format!("{known_as} {}", gives_up(score)))
    });
    told.chain(losses(scores)).collect()
}

/// Returns how late, how far off and how rough a method is, and its faults. Delays are medians.
fn gives_up(score: &Score) -> String {
    let delay = Column::Behind.of(score).map(|behind| format!("is usually {behind:.2} s behind, and "));
    let off = Column::OffP95.of(score).unwrap_or_default();
    let mut told = format!(
        "{}is within {off:.2} m of the truth in 95 % of the frames, with a jerk of {:.0} m/s³.",
        delay.unwrap_or_default(),
        score.jerk
    );
    for (column, limit, before, after, digits) in FAULTS {
        if let Some(value) = column.of(score).filter(|value| *value > limit) {
            let after = if column == Column::Pops && value == 1.0 { "frame" } else { after };
            told += &format!(" {before} {value:.digits$} {after}.");
        }
    }
    told
}

/// Returns the columns in which Evenstride's default is not the best.
fn losses(scores: &[Score]) -> Option<String> {
    let ours = scores.iter().position(|score| score.name == "glide")?;
    let best = rank(scores).best;
    let lost: Vec<String> = Column::ALL
        .iter()
        .zip(&best)
        .filter(|(_, best)| !best.is_empty() && !best.contains(&ours))
        .filter_map(|(column, best)| {
            let other = &scores[*best.first()?];
            let (own, least) = (column.of(&scores[ours])?, column.of(other)?);
            let digits = if own.max(least) < 10.0 { 2 } else { 0 };
            let [own, least] = [own, least].map(|value| format!("{value:.digits$}"));
            // A difference that cannot be read is none.
            (own != least).then(|| format!("{}: {own}, and {least} with {}", column.name(), other.name))
        })
        .collect();
    Some(if lost.is_empty() {
        "Evenstride is best in every column, among methods that are at most 0.5 s behind.".to_owned()
    } else {
        format!("Where Evenstride loses: {}.", lost.join("; "))
    })
}

#[cfg(test)]
mod tests {
    use crate::{contest, scenario, score, story};

    #[test]
    fn a_story_names_faults_and_losses() -> Result<(), Box<dyn std::error::Error>> {
        let (contest, _) = contest(&scenario("run-1hz").ok_or("no scenario")??, 1)?;
        let told = story(&score(&contest));
        assert_eq!(told.len(), 5, "{told:#?}");
        assert!(told[0].contains("stands still in"), "{told:#?}");
        assert!(told[2].contains("s behind"), "{told:#?}");
        assert!(told[4].contains("Evenstride"), "{told:#?}");
        Ok(())
    }

    #[test]
    fn a_single_leap_is_told_in_the_singular() -> Result<(), Box<dyn std::error::Error>> {
        let (contest, _) = contest(&scenario("run-1hz").ok_or("no scenario")??, 1)?;
        let mut scores = score(&contest);
        scores.iter_mut().for_each(|score| score.pops = 1);
        assert!(story(&scores)[0].contains("It leaps in 1 frame."), "{:#?}", story(&scores));
        Ok(())
    }

    #[test]
    fn a_scenario_in_which_nothing_goes_has_a_story_too() -> Result<(), Box<dyn std::error::Error>> {
        let (contest, _) = contest(&scenario("turn").ok_or("no scenario")??, 1)?;
        let told = story(&score(&contest));
        assert!(told.len() == 5 && told[4].contains("heading error"), "{told:#?}");
        Ok(())
    }
}
