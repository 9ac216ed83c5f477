//! The content-security policy of a page.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

use crate::{Part, inside};

/// Returns the policy as an element. Scripts and styles are allowed by their hashes, and nothing is
/// loaded from anywhere else.
pub(crate) fn element<'a>(parts: impl Iterator<Item = &'a Part<'a>>) -> String {
    let (mut scripts, mut styles, mut connections) = (String::new(), String::new(), "");
    for part in parts {
        match part {
            Part::Script(text) | Part::Module(text) => scripts.push_str(&source(text)),
            Part::Style(text) => styles.push_str(&source(text)),
            Part::Wasm { .. } => scripts.push_str(" 'wasm-unsafe-eval'"),
            Part::OwnServer => connections = "; connect-src 'self'",
            Part::Text(_) | Part::Json { .. } | Part::Table(_) => {}
        }
    }
    let or_none = |sources: String| if sources.is_empty() { " 'none'".to_owned() } else { sources };
    format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src{}; style-src{}{connections}; base-uri 'none'; form-action 'none'\">",
        or_none(scripts),
        or_none(styles)
    )
}

fn source(text: &str) -> String {
    format!(" 'sha256-{}'", STANDARD.encode(Sha256::digest(inside(text))))
}
