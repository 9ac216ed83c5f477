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
    (Column::Frozen, 2.0, "stands still in", "% of the frames in which an entity moves", 0),
    (Column::Pops, 0.0, "leaps", "times", 0),
    (Column::Overshoot, 0.3, "overshoots stops by up to", "m", 2),
    (Column::RestOff, 0.2, "rests", "m from the right place", 2),
];

/// Returns the story as lines of text. Empty without a truth, because nothing is known to be given up
/// then.
pub fn story(scores: &[Score]) -> Vec<String> {
    if scores.iter().all(|score| score.secs_behind.is_none()) {
        return Vec::new();
    }
    let told = METHODS.iter().filter_map(|(name, known_as)| {
        let score = scores.iter().find(|score| score.name == *name)?;
        Some(format!("{known_as} {}.", gives_up(score)))
    });
    told.chain(losses(scores)).collect()
}

/// Returns how late, how far off and how rough a method is, and its faults.
fn gives_up(score: &Score) -> String {
    let number = |column: Column, digits: usize| {
        column.of(score).map_or_else(|| "?".to_owned(), |value| format!("{value:.digits$}"))
    };
    let mut told = format!(
        "is {} s behind and within {} m of the truth in 95 % of the frames, with a jerk of {} m/s³",
        number(Column::Behind, 2),
        number(Column::OffP95, 2),
        number(Column::Jerk, 0)
    );
    let faults: Vec<String> = FAULTS
        .iter()
        .filter_map(|(column, limit, before, after, digits)| {
            let value = column.of(score).filter(|value| value > limit)?;
            Some(format!("{before} {value:.digits$} {after}"))
        })
        .collect();
    match faults.as_slice() {
        [] => {}
        [one] => told += &format!(". It {one}"),
        [most @ .., last] => told += &format!(". It {} and {last}", most.join(", ")),
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
            let [own, least] =
                [&scores[ours], other].map(|score| column.of(score).map(|value| format!("{value:.2}")));
            // A difference that cannot be read is none.
            (own != least).then(|| {
                format!(
                    "{} {} ({} {})",
                    column.name(),
                    own.unwrap_or_default(),
                    other.name,
                    least.unwrap_or_default()
                )
            })
        })
        .collect();
    Some(if lost.is_empty() {
        "glide is best in every column, among methods that are not more than 0.5 s behind.".to_owned()
    } else {
        format!("Where glide loses: {}.", lost.join(", "))
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
        assert!(told[4].contains("glide"), "{told:#?}");
        Ok(())
    }
}
