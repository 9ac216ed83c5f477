//! The width of the terminal, and paragraphs that fit it.

use std::io::{self, IsTerminal};

use terminal_size::{Width, terminal_size_of};
use unicode_width::UnicodeWidthStr;

/// Returns the columns that standard output has, or `None` if it is not a terminal.
///
/// The environment variable `COLUMNS` overrides the terminal, also for pipes.
pub(crate) fn width() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let out = io::stdout();
    let measured = || terminal_size_of(&out).map(|(Width(columns), _)| usize::from(columns));
    let width = said.or_else(|| if out.is_terminal() { measured() } else { None });
    width.filter(|columns| *columns > 0).map(|columns| columns.max(LEAST))
}

/// Returns the columns that a text takes.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// Returns the lines of a paragraph. Lines after the first are indented.
pub(crate) fn wrap(text: &str, width: Option<usize>, indent: usize) -> Vec<String> {
    let Some(width) = width else { return vec![text.to_owned()] };
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last().map_or("", String::as_str);
        let is_start = line.trim().is_empty();
        let needed = columns(line) + usize::from(!is_start) + columns(word);
        if needed > width && !is_start {
            lines.push(" ".repeat(indent));
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() && !line.ends_with(' ') {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

/// Returns the start of a text that takes at most a number of columns. An ellipsis stands for the
/// rest.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if columns(text) <= most {
        return text.to_owned();
    }
    let mut kept = String::new();
    for letter in text.chars() {
        kept.push(letter);
        if columns(&kept) >= most {
            kept.pop();
            break;
        }
    }
    kept.push('…');
    kept
}

/// Columns below which output is not narrowed.
const LEAST: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_is_broken_between_words() {
        assert_eq!(wrap("one two three", None, 2), ["one two three"]);
        assert_eq!(wrap("one two three", Some(8), 2), ["one two", "  three"]);
        assert_eq!(wrap("- averyverylongword b", Some(8), 2), ["-", "  averyverylongword", "  b"]);
    }

    #[test]
    fn a_long_name_ends_with_an_ellipsis() {
        assert_eq!(cut("Drudge", 6), "Drudge");
        assert_eq!(cut("Drudges", 6), "Drudg…");
        assert_eq!(cut("龍龍龍", 5), "龍龍…");
    }
}
