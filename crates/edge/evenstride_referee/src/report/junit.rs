//! JUnit, which build servers read.

use std::fmt::Write as _;

use crate::{
    judge::{Judged, Verdict},
    report::{explain, reason},
    score::Score,
};

/// Returns a score as JUnit, with one suite for each driver and one case for each trace.
pub fn junit(score: &Score) -> String {
    let total = score.total();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string never fails.
    let _ = writeln!(
        text,
        "<testsuites name=\"evenstride conform\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">",
        total.all(),
        total.failed,
        total.unsupported
    );
    for (driver, counts) in score.by_driver() {
        let name = driver.map_or("unknown", |driver| driver.name());
        let _ = writeln!(
            text,
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">",
            counts.all(),
            counts.failed,
            counts.unsupported
        );
        score
            .judged
            .iter()
            .filter(|judged| judged.driver == driver)
            .for_each(|judged| case(&mut text, name, judged));
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn case(text: &mut String, driver: &str, judged: &Judged) {
    let _ = write!(text, "    <testcase classname=\"{driver}\" name=\"{}\"", escaped(&judged.name));
    let Some(reason) = reason(judged) else {
        text.push_str("/>\n");
        return;
    };
    let reason = escaped(&reason);
    let _ = match (&judged.verdict, explain(judged)) {
        (Verdict::Unsupported(_), _) => writeln!(text, "><skipped message=\"{reason}\"/></testcase>"),
        (_, Some(of)) => writeln!(
            text,
            "><failure message=\"{reason}\">{}</failure></testcase>",
            escaped(&format!("{}\n{}\n{}", of.sentences, of.functions, of.see))
        ),
        (_, None) => writeln!(text, "><failure message=\"{reason}\"/></testcase>"),
    };
}

/// Returns text for XML. Characters that XML cannot hold become replacement characters.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' | '\t' => safe.push(letter),
            letter if letter.is_control() || matches!(letter, '\u{FFFE}' | '\u{FFFF}') => {
                safe.push('\u{FFFD}')
            }
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn xml_has_no_foreign_marks() {
        assert_eq!(escaped("a<b>&\"\u{1b}[2J\n"), "a&lt;b&gt;&amp;&quot;\u{FFFD}[2J\n");
    }
}
