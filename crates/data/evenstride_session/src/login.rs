//! The content of a login request.

/// The version that the last client reports.
const VERSION: &str = "1802";

/// A login with account and password is of this kind.
const WITH_PASSWORD: u32 = 2;

/// Account and password of a login request.
///
/// The layout is a version, the number of bytes that follow, kind, flags, time, account, an empty
/// buffer, and the password with its length in front of it.
///
/// ```
/// use evenstride_session::Login;
///
/// let login = Login { account: "ash".to_owned(), password: "secret".to_owned() };
/// assert_eq!(Login::read(&login.write()), Some(login));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Login {
    /// Name of the account.
    pub account: String,
    /// Password.
    pub password: String,
}

impl Login {
    /// Reads the content of a login section. Returns `None` if it has another layout.
    pub fn read(body: &[u8]) -> Option<Self> {
        let (_, rest) = string(body)?;
        let rest = rest.get(16..)?;
        let (account, rest) = string(rest)?;
        let size = u32::from_le_bytes(rest.get(4..8)?.try_into().ok()?) as usize;
        let password = rest.get(8..8 + size)?;
        let password = match password {
            [first, _, text @ ..] if *first >= 0x80 => text,
            [_, text @ ..] => text,
            [] => &[],
        };
        Some(Self { account: latin(account), password: latin(password) })
    }

    /// Returns the content of a login section. Letters outside Latin-1 become question marks.
    pub fn write(&self) -> Vec<u8> {
        let mut rest = Vec::new();
        for word in [WITH_PASSWORD, 0, 0] {
            rest.extend_from_slice(&word.to_le_bytes());
        }
        push_string(&self.account, &mut rest);
        rest.extend_from_slice(&[0; 4]);
        let password: Vec<u8> = bytes(&self.password).take(0x7FFF).collect();
        let length = password.len() as u16;
        let prefix =
            if length < 0x80 { vec![length as u8] } else { (length | 0x8000).to_be_bytes().to_vec() };
        rest.extend_from_slice(&((prefix.len() + password.len()) as u32).to_le_bytes());
        rest.extend_from_slice(&prefix);
        rest.extend_from_slice(&password);
        let mut body = Vec::new();
        push_string(VERSION, &mut body);
        body.extend_from_slice(&(rest.len() as u32).to_le_bytes());
        body.extend_from_slice(&rest);
        body
    }
}

impl std::fmt::Debug for Login {
    /// Formats the account only.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Login").field("account", &self.account).finish_non_exhaustive()
    }
}

/// Appends a string with a length of two bytes, padded to four.
pub(crate) fn push_string(text: &str, body: &mut Vec<u8>) {
    let start = body.len();
    let text: Vec<u8> = bytes(text).take(0xFFFE).collect();
    body.extend_from_slice(&(text.len() as u16).to_le_bytes());
    body.extend_from_slice(&text);
    let padded = (body.len() - start).next_multiple_of(4);
    body.resize(start + padded, 0);
}

/// Reads a string with a length of two bytes, padded to four. Returns the bytes after it, too.
pub(crate) fn string(body: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = usize::from(u16::from_le_bytes(body.get(..2)?.try_into().ok()?));
    let text = body.get(2..2 + length)?;
    Some((text, body.get((2 + length).next_multiple_of(4)..)?))
}

/// Returns the text of bytes, in which each byte is a letter of Latin-1.
pub(crate) fn latin(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

fn bytes(text: &str) -> impl Iterator<Item = u8> {
    text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap_or(b'?'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A real login of account `ac01` with password `ac01`, without its header.
    const REAL: &str =
        "0400313830320000210000000200000000000000ccc6996a040061633031000000000000050000000461633031";

    #[test]
    fn a_real_login_is_read_and_its_layout_is_ours() {
        let real: Vec<u8> =
            (0..REAL.len()).step_by(2).map(|at| u8::from_str_radix(&REAL[at..at + 2], 16).unwrap()).collect();
        let login = Login::read(&real).unwrap();
        assert_eq!((login.account.as_str(), login.password.as_str()), ("ac01", "ac01"));
        let mut ours = login.write();
        // The client writes its time of day.
        ours[20..24].copy_from_slice(&real[20..24]);
        assert_eq!(ours, real);
        assert!(!format!("{login:?}").contains("password"));
    }

    #[test]
    fn long_passwords_and_damaged_logins_are_fine() {
        let login = Login { account: String::new(), password: "p".repeat(300) };
        let body = login.write();
        assert_eq!(Login::read(&body), Some(login));
        for cut in 0..body.len() {
            assert_eq!(Login::read(&body[..cut]), None, "{cut}");
        }
        assert_eq!(Login::read(&[0xFF; 60]), None);
    }
}
