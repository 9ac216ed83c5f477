//! One file with everything in it.

use std::io::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::{Compression, write::DeflateEncoder};

use crate::data::Page;

const HTML: &str = include_str!("../assets/report.html");
const STYLE: &str = include_str!("../assets/report.css");
const SCRIPT: &str = include_str!("../assets/report.js");

/// The page. Data is packed: the browser unpacks it by itself.
pub(crate) fn html(page: &Page) -> String {
    let title = escape(&page.title);
    // Each mark stands once in the template, and nothing that is put in is looked through for more of them.
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
    // Memory takes all that is written to it.
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
