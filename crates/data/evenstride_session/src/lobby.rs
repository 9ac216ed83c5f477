//! The messages between the handshake and the world: list of characters, and entry.
//!
//! ```text
//! server  F658 characters, F7E1 name of the server, F7E5 which data do you have?
//! client  F7E6 these                     server  F7EA that is all
//! client  F7C8 may I enter?              server  F7DF yes
//! client  F657 with this character       server  F746 it is yours, and the world
//! client  F7B1/A1 I see it
//! ```

use evenstride_wire::ACTION_WRAPPER;

use crate::{
    Outgoing,
    login::{latin, push_string, string},
};

const CHARACTERS: u32 = 0xF658;
const SERVER_NAME: u32 = 0xF7E1;
const DATA_QUESTION: u32 = 0xF7E5;
const DATA_ANSWER: u32 = 0xF7E6;
const DATA_END: u32 = 0xF7EA;
const ENTER_REQUEST: u32 = 0xF7C8;
const ENTER_READY: u32 = 0xF7DF;
const ENTER_WORLD: u32 = 0xF657;
const CREATE_PLAYER: u32 = 0xF746;
const LOGIN_COMPLETE: u32 = 0xA1;

/// Queues of these messages.
const CONTROL: u16 = 5;
const LOGIN: u16 = 4;
const INTERFACE: u16 = 9;
const WEENIE: u16 = 3;

/// A character of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Character {
    /// Its entity.
    pub entity: u32,
    /// Its name.
    pub name: String,
}

/// The server's part.
#[derive(Clone, Debug)]
pub struct Greeter {
    account: String,
    server: String,
    characters: Vec<Character>,
    has_entered: bool,
}

impl Greeter {
    /// Creates the part for a client that has just connected.
    pub fn new(account: &str, server: &str, characters: Vec<Character>) -> Self {
        Self { account: account.to_owned(), server: server.to_owned(), characters, has_entered: false }
    }

    /// Returns the first messages.
    pub fn greeting(&self) -> Vec<Outgoing> {
        let mut list = words(&[CHARACTERS, 0, self.characters.len() as u32]);
        for character in &self.characters {
            list.extend_from_slice(&character.entity.to_le_bytes());
            push_string(&character.name, &mut list);
            list.extend_from_slice(&words(&[0]));
        }
        list.extend_from_slice(&words(&[0, 11]));
        push_string(&self.account, &mut list);
        list.extend_from_slice(&words(&[1, 1]));
        let mut name = words(&[SERVER_NAME, 1, u32::MAX]);
        push_string(&self.server, &mut name);
        let question = words(&[DATA_QUESTION, 1, 1, 1, 2, 0, 1]);
        vec![message(INTERFACE, list), message(INTERFACE, name), message(CONTROL, question)]
    }

    /// Returns the answers to a message of the client.
    pub fn answer(&self, bytes: &[u8]) -> Vec<Outgoing> {
        match opcode(bytes) {
            Some(DATA_ANSWER) => vec![message(CONTROL, words(&[DATA_END]))],
            Some(ENTER_REQUEST) => vec![message(INTERFACE, words(&[ENTER_READY]))],
            _ => Vec::new(),
        }
    }

    /// Returns the character with which the client enters, once.
    pub fn entry(&mut self, bytes: &[u8]) -> Option<u32> {
        if opcode(bytes) != Some(ENTER_WORLD) || self.has_entered {
            return None;
        }
        let entity = word(bytes, 4)?;
        self.has_entered = self.characters.iter().any(|character| character.entity == entity);
        self.has_entered.then_some(entity)
    }
}

/// The client's part. It enters with the first character.
#[derive(Clone, Debug, Default)]
pub struct Guest {
    account: String,
    server: Option<String>,
    character: Option<Character>,
    is_in_world: bool,
    actions: u32,
}

impl Guest {
    /// Creates the part for an account.
    pub fn new(account: &str) -> Self {
        Self { account: account.to_owned(), ..Self::default() }
    }

    /// Returns the answers to a message of the server.
    pub fn answer(&mut self, bytes: &[u8]) -> Vec<Outgoing> {
        match opcode(bytes) {
            Some(DATA_QUESTION) => vec![message(CONTROL, words(&[DATA_ANSWER, 1, 0]))],
            Some(DATA_END) => vec![message(CONTROL, words(&[DATA_END]))],
            Some(SERVER_NAME) => {
                self.server = bytes.get(12..).and_then(string).map(|(name, _)| latin(name));
                Vec::new()
            }
            Some(CHARACTERS) if self.character.is_none() => {
                self.character = first_character(bytes);
                let request = self.character.as_ref().map(|_| message(LOGIN, words(&[ENTER_REQUEST])));
                request.into_iter().collect()
            }
            Some(ENTER_READY) => {
                let Some(character) = &self.character else { return Vec::new() };
                let mut enter = words(&[ENTER_WORLD, character.entity]);
                push_string(&self.account, &mut enter);
                vec![message(LOGIN, enter)]
            }
            Some(CREATE_PLAYER) if !self.is_in_world => {
                self.is_in_world = true;
                self.actions += 1;
                vec![message(WEENIE, words(&[ACTION_WRAPPER, self.actions, LOGIN_COMPLETE]))]
            }
            _ => Vec::new(),
        }
    }

    /// Returns the name of the server, once it is known.
    pub fn server(&self) -> Option<&str> {
        self.server.as_deref()
    }

    /// Returns the character, once it is known.
    pub const fn character(&self) -> Option<&Character> {
        self.character.as_ref()
    }

    /// Returns whether the server has let the character into the world.
    pub const fn is_in_world(&self) -> bool {
        self.is_in_world
    }
}

fn first_character(list: &[u8]) -> Option<Character> {
    if word(list, 8)? == 0 {
        return None;
    }
    let (name, _) = string(list.get(16..)?)?;
    Some(Character { entity: word(list, 12)?, name: latin(name) })
}

fn opcode(bytes: &[u8]) -> Option<u32> {
    word(bytes, 0)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

const fn message(queue: u16, bytes: Vec<u8>) -> Outgoing {
    Outgoing { queue, bytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_enters_with_the_first_character() {
        let viewer = Character { entity: 0x5000_0001, name: "Viewer".to_owned() };
        let mut greeter = Greeter::new("ash", "chase-5hz", vec![viewer.clone()]);
        let mut guest = Guest::new("ash");
        let mut to_guest = greeter.greeting();
        let mut entered = None;
        for _ in 0..9 {
            let to_server: Vec<Outgoing> = to_guest.iter().flat_map(|of| guest.answer(&of.bytes)).collect();
            entered = to_server.iter().find_map(|of| greeter.entry(&of.bytes)).or(entered);
            to_guest = to_server.iter().flat_map(|of| greeter.answer(&of.bytes)).collect();
        }
        assert_eq!(
            (entered, guest.character(), guest.server()),
            (Some(viewer.entity), Some(&viewer), Some("chase-5hz"))
        );
        assert!(!guest.is_in_world());
        let complete = guest.answer(&words(&[CREATE_PLAYER, viewer.entity]));
        assert_eq!(complete[0].bytes, words(&[0xF7B1, 1, 0xA1]));
        assert_eq!(greeter.entry(&words(&[ENTER_WORLD, viewer.entity])), None, "it is in the world already");
    }

    #[test]
    fn damaged_messages_and_strange_characters_are_ignored() {
        let mut greeter = Greeter::new("ash", "s", vec![Character { entity: 7, name: "A".to_owned() }]);
        assert_eq!(greeter.entry(&words(&[ENTER_WORLD, 8])), None);
        let list = greeter.greeting().remove(0).bytes;
        for cut in 0..20 {
            let mut guest = Guest::new("ash");
            assert!(guest.answer(&list[..cut]).is_empty(), "{cut}");
        }
        assert!(Guest::new("ash").answer(&words(&[CHARACTERS, 0, 0, 0])).is_empty(), "no characters");
    }
}
