//! Single HTML files with foreign text in them.
//!
//! Names and titles come from captures and scenarios, so they may contain anything. A page is
//! therefore filled in one pass: inserted text is never searched for marks. Each [`Part`] knows the
//! context that it stands in, and escapes its text for that context. A content-security policy
//! allows only the page's own script and style, and no connection, or only one to the page's own server.
//!
//! ```
//! use evenstride_page::{Part, fill};
//!
//! let template = "<head>{{policy}}</head><h1>{{title}}</h1>{{data}}{{script}}";
//! let page = fill(template, &[
//!     ("title", Part::Text("{{data}} <b>")),
//!     ("data", Part::Json { id: "data", text: r#"{"name":"</script>"}"# }),
//!     ("script", Part::Script("let shown = 1;")),
//! ]);
//! assert!(page.contains("<h1>{{data}} &lt;b&gt;</h1>"));
//! assert!(page.contains(r#"{"name":"\u003c/script\u003e"}"#));
//! assert!(page.contains("script-src 'sha256-"));
//! ```

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod escape;
mod policy;

use escape::{escape_json, escape_text};

/// A part of a page, by the context that it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// Text between tags, or in an attribute with quotation marks. Every character with a meaning in
    /// HTML is escaped.
    Text(&'a str),
    /// JSON in an element of its own, which scripts find by its id. The id is the template's own.
    /// Angle brackets, ampersands and line separators are escaped as JSON does it.
    Json {
        /// Id of the element.
        id: &'static str,
        /// A valid JSON text.
        text: &'a str,
    },
    /// A style sheet of the program, as a whole element.
    Style(&'static str),
    /// A script of the program, as a whole element. The policy allows it by its hash.
    Script(&'static str),
    /// A script of the program that is an ES module, as a whole element. The policy allows it by its hash.
    Module(&'static str),
    /// A WebAssembly module as text, in an element of its own like [`Part::Json`]. The policy allows
    /// WebAssembly if a page has one.
    Wasm {
        /// Id of the element.
        id: &'static str,
        /// The module, packed into letters that a JSON string needs not escape.
        packed: &'a str,
    },
    /// A table of text, as a whole element. The first row has the headings.
    Table(&'a [Vec<String>]),
    /// No content. The policy allows the page to connect to the server that it came from.
    OwnServer,
}

/// Fills a template in one pass. A mark is a name in double braces, and may occur several times.
///
/// The mark `{{policy}}` becomes the content-security policy, and belongs at the start of the head.
/// An unknown mark is left out.
pub fn fill(template: &str, parts: &[(&str, Part<'_>)]) -> String {
    let mut page = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let Some((name, after)) = after.split_once("}}") else {
            rest = after;
            break;
        };
        if name == "policy" {
            page.push_str(&policy::element(parts.iter().map(|(_, part)| part)));
        } else if let Some((_, part)) = parts.iter().find(|(known, _)| *known == name) {
            part.write(&mut page);
        }
        rest = after;
    }
    page.push_str(rest);
    page
}

impl Part<'_> {
    fn write(&self, page: &mut String) {
        match self {
            Self::Text(text) => escape_text(text, page),
            Self::Json { id, text } => {
                page.push_str("<script id=\"");
                page.push_str(id);
                page.push_str("\" type=\"application/json\">");
                escape_json(text, page);
                page.push_str("</script>");
            }
            Self::Style(text) => element("style", "", text, page),
            Self::Script(text) => element("script", "", text, page),
            Self::Module(text) => element("script", " type=\"module\"", text, page),
            Self::Wasm { id, packed } => {
                Part::Json { id, text: &format!("\"{packed}\"") }.write(page);
            }
            Self::Table(rows) => table(rows, page),
            Self::OwnServer => {}
        }
    }
}

fn element(name: &str, attributes: &str, text: &str, page: &mut String) {
    page.push_str(&format!("<{name}{attributes}>{}</{name}>", inside(text)));
}

fn table(rows: &[Vec<String>], page: &mut String) {
    page.push_str("<table>");
    for (number, row) in rows.iter().enumerate() {
        let cell = if number == 0 { "th" } else { "td" };
        page.push_str("<tr>");
        for text in row {
            page.push_str(&format!("<{cell}>"));
            escape_text(text, page);
            page.push_str(&format!("</{cell}>"));
        }
        page.push_str("</tr>");
    }
    page.push_str("</table>");
}

/// Returns the text of an element as a browser sees it, with plain line ends. The policy's hash is
/// taken from this text, and a checkout may have other line ends.
fn inside(text: &str) -> String {
    text.replace("\r\n", "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_that_looks_like_a_mark_stays_a_title() {
        let parts = [
            ("title", Part::Text("{{data}}{{title}}")),
            ("data", Part::Json { id: "data", text: "\"<b>\"" }),
        ];
        let page = fill("<h1>{{title}}</h1>{{data}}{{unknown}}.", &parts);
        let data = "<script id=\"data\" type=\"application/json\">\"\\u003cb\\u003e\"</script>";
        assert_eq!(page, format!("<h1>{{{{data}}}}{{{{title}}}}</h1>{data}."));
    }

    #[test]
    fn a_name_cannot_end_or_open_a_script() {
        let text = "\"</script><!--<script>&\u{2028}\u{2029}\"";
        let page = fill("{{data}}", &[("data", Part::Json { id: "data", text })]);
        assert_eq!((page.matches('<').count(), page.matches('&').count()), (2, 0), "{page}");
        assert!(page.contains("\\u003c!--\\u003cscript\\u003e\\u0026\\u2028\\u2029"), "{page}");
    }

    #[test]
    fn text_is_escaped_in_tags_and_in_attributes() {
        let page = fill("{{name}}", &[("name", Part::Text("a<b>&\"'"))]);
        assert_eq!(page, "a&lt;b&gt;&amp;&quot;&#39;");
    }

    #[test]
    fn cells_of_a_table_are_text() {
        let rows = [vec!["name".to_owned()], vec!["<b>".to_owned()]];
        let page = fill("{{rows}}", &[("rows", Part::Table(&rows))]);
        assert_eq!(page, "<table><tr><th>name</th></tr><tr><td>&lt;b&gt;</td></tr></table>");
    }

    #[test]
    fn a_policy_allows_webassembly_only_to_a_page_that_has_some() {
        let parts = [("core", Part::Wasm { id: "core", packed: "AGFzbQ==" }), ("script", Part::Module("a"))];
        let page = fill("{{policy}}{{core}}{{script}}", &parts);
        assert!(page.contains("script-src 'wasm-unsafe-eval' 'sha256-"), "{page}");
        assert!(page.ends_with("<script id=\"core\" type=\"application/json\">\"AGFzbQ==\"</script><script type=\"module\">a</script>"), "{page}");
    }

    #[test]
    fn a_policy_allows_connections_only_to_a_page_that_asks_for_them() {
        let page = fill("{{policy}}{{live}}.", &[("live", Part::OwnServer)]);
        assert!(page.contains("; connect-src 'self'; base-uri") && page.ends_with(">."), "{page}");
        assert!(!fill("{{policy}}", &[]).contains("connect-src"));
    }

    #[test]
    fn a_policy_allows_the_pages_own_script_and_nothing_else() {
        let page = fill("{{policy}}{{script}}", &[("script", Part::Script("a\r\nb"))]);
        // The hash of "a\nb".
        let hash = "sha256-fhj3NzEbLcOy8mndeDlrA1HxT7Zu+oefdoyyMYGIPHg=";
        assert_eq!(
            page,
            format!(
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{hash}'; style-src 'none'; base-uri 'none'; form-action 'none'\"><script>a\nb</script>"
            )
        );
    }
}
