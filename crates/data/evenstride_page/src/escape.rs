//! Escaping, by context.

/// Appends text with every character escaped that has a meaning in HTML.
pub(crate) fn escape_text(text: &str, page: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => page.push_str("&amp;"),
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '"' => page.push_str("&quot;"),
            '\'' => page.push_str("&#39;"),
            other => page.push(other),
        }
    }
}

/// Appends JSON with every character escaped that could end or change the element around it.
///
/// These characters occur only within JSON strings, so the data stays the same.
pub(crate) fn escape_json(text: &str, page: &mut String) {
    for letter in text.chars() {
        match letter {
            '<' => page.push_str("\\u003c"),
            '>' => page.push_str("\\u003e"),
            '&' => page.push_str("\\u0026"),
            '\u{2028}' => page.push_str("\\u2028"),
            '\u{2029}' => page.push_str("\\u2029"),
            other => page.push(other),
        }
    }
}
