//! Assembles the page as one file.

use std::io::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::{Compression, write::DeflateEncoder};

use crate::data::Page;

const HTML: &str = include_str!("../assets/report.html");
const STYLE: &str = include_str!("../assets/report.css");
const SCRIPT: &str = include_str!("../assets/report.js");

/// Returns the page. The browser unpacks the compressed data itself.
pub(crate) fn html(page: &Page) -> String {
    let title = escape(&page.title);
    // Each mark occurs once in the template. Inserted text is not searched for marks.
    let mut html = String::new();
    let mut rest = HTML;
    for (mark, text) in [
        ("{{title}}", title.as_str()),
        ("{{style}}", STYLE),
        ("{{data}}", &packed(page)),
        ("{{script}}", SCRIPT),
    ] {
        if let Some((before, after)) = rest.split_once(mark) {
            html.push_str(before);
            html.push_str(text);
            rest = after;
        }
    }
    html.push_str(rest);
    html
}

fn packed(page: &Page) -> String {
    let json = serde_json::to_vec(page).unwrap_or_default();
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory never fails.
    let bytes = encoder.write_all(&json).and_then(|()| encoder.finish()).unwrap_or_default();
    STANDARD.encode(bytes)
}

fn escape(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, letter| {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
        escaped
    })
}
