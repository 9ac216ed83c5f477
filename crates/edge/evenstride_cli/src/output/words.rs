//! Numbers and names in sentences.

/// Returns a number with its noun in singular or plural, like `1,281 datagrams`.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// Returns a number with commas between groups of three digits.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut words = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            words.push(',');
        }
        words.push(digit);
    }
    words
}

/// Returns all known names, those that are most similar to `name` first.
pub(crate) fn nearest_first<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name = name.to_lowercase();
    let mut names: Vec<(usize, &str)> =
        known.into_iter().map(|of| (strsim::osa_distance(&name, &of.to_lowercase()), of)).collect();
    // The sort keeps the order of names that are equally near.
    names.sort_by_key(|(distance, _)| *distance);
    names.into_iter().map(|(_, of)| of).collect()
}

/// Returns the known names that `name` may be a misspelling of, the most similar one first.
pub(crate) fn similar<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = name.to_lowercase();
    let is_similar = |of: &&str| {
        let other = of.to_lowercase();
        let parts =
            |text: &str, other: &str| text.split('-').any(|word| word.len() > 2 && other.contains(word));
        strsim::jaro_winkler(&lower, &other) > SIMILAR || parts(&other, &lower) || parts(&lower, &other)
    };
    let mut names: Vec<&str> = nearest_first(name, known).into_iter().filter(is_similar).collect();
    names.truncate(MAX_SIMILAR);
    names
}

/// Similarity from 0 to 1 above which a name may be a misspelling of another.
const SIMILAR: f64 = 0.75;

/// Most names that are suggested.
const MAX_SIMILAR: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups_of_three() {
        let words = [0, 7, 999, 1_000, 12_345, 1_234_567].map(thousands);
        assert_eq!(words, ["0", "7", "999", "1,000", "12,345", "1,234,567"]);
        assert_eq!(count(1, "waypoint", "waypoints"), "1 waypoint");
        assert_eq!(count(1_281, "datagram", "datagrams"), "1,281 datagrams");
    }

    #[test]
    fn a_misspelled_name_finds_its_neighbours() {
        let known = ["stand", "walk", "run-1hz", "turn", "chase-5hz"];
        assert_eq!(nearest_first("run-9hz", known)[0], "run-1hz");
        assert_eq!(similar("wlak", known), ["walk"]);
        assert_eq!(similar("RUN-1", known)[0], "run-1hz");
        assert!(similar("xyzzy", known).is_empty());
    }
}
