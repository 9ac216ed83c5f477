//! Text in lines that fit the terminal.

/// Columns of a line, unless the terminal is narrower.
const COLUMNS: usize = 100;

/// Returns a text in lines that fit the terminal, each after `indent`.
pub(crate) fn wrapped(text: &str, indent: &str) -> Vec<String> {
    lines_of(text, indent, columns())
}

/// Returns the width of the terminal in columns, at most [`COLUMNS`].
fn columns() -> usize {
    let named = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    named.unwrap_or(COLUMNS).clamp(40, COLUMNS)
}

fn lines_of(text: &str, indent: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("{indent}{word}")),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_longer_than_the_terminal() {
        let text = "A drudge was pulled back 2.2 m within 0.26 s, at up to 10.9 m/s.";
        for columns in 20..80 {
            let lines = lines_of(text, "  ", columns);
            assert!(lines.iter().all(|line| line.chars().count() <= columns && line.starts_with("  ")));
            let words: Vec<&str> = lines.iter().flat_map(|line| line.split_whitespace()).collect();
            assert_eq!(words, text.split_whitespace().collect::<Vec<_>>());
        }
    }
}
