//! Text without control characters. Names, titles, fields and file names come from elsewhere, and a
//! terminal obeys what they contain.

use std::{
    borrow::Cow,
    fmt::Write as _,
    io::{self, Write},
};

use super::Tone;

/// Returns a text as a part of one line, with every control character spelled out.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    if !is_plain(text) {
        let mut clean = String::with_capacity(text.len() + 16);
        text.chars().for_each(|letter| push(&mut clean, letter, Spelling::Text));
        Cow::Owned(clean)
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns whether a text has no control characters.
pub(crate) fn is_plain(text: &str) -> bool {
    !text.chars().any(is_control)
}

/// Returns whether a terminal acts on a character instead of showing it. Besides the control
/// characters of ASCII and C1, these reorder, hide or break a line.
fn is_control(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{61C}'
                | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FEFF}'
                | '\u{FFF9}'..='\u{FFFB}'
                | '\u{E0000}'..='\u{E007F}'
        )
}

/// The way to spell out a control character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// For people, like `\u{1b}`.
    Text,
    /// As in JSON strings, where it means the same character.
    Json,
}

fn push(clean: &mut String, letter: char, spelling: Spelling) {
    // Writing to a string never fails.
    match spelling {
        _ if !is_control(letter) => clean.push(letter),
        Spelling::Text => clean.extend(letter.escape_default()),
        Spelling::Json => {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                let _ = write!(clean, "\\u{unit:04x}");
            }
        }
    }
}

/// An output that spells out every control character but line ends and tabs.
///
/// Each call of `write` must begin and end between characters, as those of `write!` do. Bytes that
/// are not UTF-8 become replacement characters.
#[derive(Debug)]
pub(crate) struct Clean<W> {
    out: W,
    spelling: Spelling,
    is_coloured: bool,
}

impl<W: Write> Clean<W> {
    pub(crate) const fn new(out: W, spelling: Spelling) -> Self {
        Self { out, spelling, is_coloured: false }
    }

    /// Returns the output with styles, or without them.
    #[must_use]
    pub(crate) fn coloured(self, is_coloured: bool) -> Self {
        Self { is_coloured, ..self }
    }

    /// Prints a text in a tone. Control characters in the text are spelled out, and only the style
    /// of the tone reaches the terminal.
    pub(crate) fn paint(&mut self, tone: Tone, text: &str) -> io::Result<()> {
        let style = if self.is_coloured { tone.style() } else { Tone::Plain.style() };
        write!(self.out, "{style}")?;
        self.write_all(text.as_bytes())?;
        write!(self.out, "{style:#}")
    }
}

impl<W: Write> Write for Clean<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_ascii_text = |byte: &u8| matches!(byte, b'\n' | b'\t' | b' '..=b'~');
        if bytes.iter().all(is_ascii_text) {
            self.out.write_all(bytes)?;
            return Ok(bytes.len());
        }
        let text = String::from_utf8_lossy(bytes);
        let mut clean = String::with_capacity(text.len() + 16);
        for letter in text.chars() {
            match letter {
                '\n' | '\t' => clean.push(letter),
                other => push(&mut clean, other, self.spelling),
            }
        }
        self.out.write_all(clean.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\u{1b}[2J\u{9b}1m\u{202e}b\r\n";

    #[test]
    fn a_name_cannot_speak_to_a_terminal() {
        assert_eq!(one_line(HOSTILE), "a\\u{1b}[2J\\u{9b}1m\\u{202e}b\\r\\n");
        assert_eq!(one_line("Bórd’s 龍"), "Bórd’s 龍");
    }

    #[test]
    fn only_the_programs_own_styles_pass() {
        let painted = |is_coloured| {
            let mut out = Clean::new(Vec::new(), Spelling::Text).coloured(is_coloured);
            out.paint(Tone::Incoming, "a\u{1b}[2J").unwrap();
            out.paint(Tone::Plain, "b").unwrap();
            String::from_utf8(out.out).unwrap()
        };
        assert_eq!(painted(true), "\u{1b}[36ma\\u{1b}[2J\u{1b}[0mb");
        assert_eq!(painted(false), "a\\u{1b}[2Jb");
    }

    #[test]
    fn lines_stay_lines_and_json_stays_the_same_data() {
        let written = |spelling| {
            let mut out = Clean::new(Vec::new(), spelling);
            out.write_all(HOSTILE.as_bytes()).unwrap();
            String::from_utf8(out.out).unwrap()
        };
        assert_eq!(written(Spelling::Text), "a\\u{1b}[2J\\u{9b}1m\\u{202e}b\\r\n");
        let json = serde_json::to_string("\u{9b}\u{202e}\u{E0041}").unwrap();
        let mut out = Clean::new(Vec::new(), Spelling::Json);
        out.write_all(json.as_bytes()).unwrap();
        assert_eq!(out.out, b"\"\\u009b\\u202e\\udb40\\udc41\"");
        assert_eq!(serde_json::from_slice::<String>(&out.out).unwrap(), "\u{9b}\u{202e}\u{E0041}");
    }
}
