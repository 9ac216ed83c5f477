//! Lines of tables with separators and quotation marks.

use std::borrow::Cow;

use anyhow::{Result, bail};

/// Returns the separator of a header: a comma, a semicolon or a tab.
pub(super) fn separator(header: &str) -> char {
    let mut is_quoted = false;
    let mut counts = [(',', 0), (';', 0), ('\t', 0)];
    for letter in header.chars() {
        is_quoted ^= letter == '"';
        if !is_quoted && let Some((_, count)) = counts.iter_mut().find(|(of, _)| *of == letter) {
            *count += 1;
        }
    }
    // Of equal counts, the first one wins.
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map_or(',', |(of, _)| of)
}

/// Returns the values of a line, without the spaces around them.
///
/// # Errors
/// If a quotation mark is not closed, or text follows it.
pub(super) fn split(line: &str, separator: char) -> Result<Vec<Cow<'_, str>>> {
    let mut values = Vec::new();
    let mut rest = line;
    loop {
        let start = rest.trim_start_matches(' ');
        let end = if let Some(quoted) = start.strip_prefix('"') {
            let (value, after) = unquoted(quoted)?;
            values.push(value);
            after.trim_start_matches(' ')
        } else {
            let end = rest.find(separator).unwrap_or(rest.len());
            values.push(Cow::Borrowed(rest[..end].trim()));
            &rest[end..]
        };
        match end.strip_prefix(separator) {
            Some(next) => rest = next,
            None if end.trim().is_empty() => return Ok(values),
            None => bail!("text follows a quotation mark; write \"\" for a quotation mark in a value"),
        }
    }
}

/// Returns the value up to the closing mark, and what follows. Two marks stand for one.
fn unquoted(text: &str) -> Result<(Cow<'_, str>, &str)> {
    let mut value = String::new();
    let mut rest = text;
    while let Some(end) = rest.find('"') {
        let after = &rest[end + 1..];
        let Some(next) = after.strip_prefix('"') else {
            if value.is_empty() {
                return Ok((Cow::Borrowed(&rest[..end]), after));
            }
            value += &rest[..end];
            return Ok((Cow::Owned(value), after));
        };
        value += &rest[..=end];
        rest = next;
    }
    bail!("a quotation mark is not closed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_in_quotes_separate_nothing() {
        assert_eq!(
            split(r#"1, "Drudge, the ""old"" one" ,3,"#, ',').unwrap(),
            ["1", "Drudge, the \"old\" one", "3", ""]
        );
        assert_eq!(split("a;1,5;\"\"", ';').unwrap(), ["a", "1,5", ""]);
        assert!(split("\"a", ',').is_err() && split("\"a\"b,c", ',').is_err());
    }

    #[test]
    fn the_header_tells_the_separator() {
        for (header, of) in
            [("time,x", ','), ("time;\"x,y,z\";y", ';'), ("time\tx", '\t'), ("time", ','), ("a,b;c", ',')]
        {
            assert_eq!(separator(header), of, "{header}");
        }
    }
}
