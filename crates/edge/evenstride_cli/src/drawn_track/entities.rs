//! The entities that rows are about, and the rows that are left out.

use std::collections::{BTreeMap, BTreeSet};

use evenstride_replay::Script;
use evenstride_types::EntityId;

use crate::output::{count, one_line};

/// The entities of a contest by id and by name.
///
/// A name must be complete. A name that resembles another one is common in the game, and its rows would
/// be taken for those of the other entity.
pub(super) struct Entities<'a> {
    known: BTreeSet<EntityId>,
    /// Entities by name in lower case. Several may have one name.
    names: BTreeMap<String, Vec<EntityId>>,
    subjects: &'a [EntityId],
    left_out: [LeftOut; 3],
}

/// Rows that are left out for one reason.
#[derive(Clone, Debug, Default)]
struct LeftOut {
    rows: u64,
    /// The entity of the first of them, as the row names it.
    first: String,
}

/// The reasons why a row is left out.
#[derive(Clone, Copy)]
enum Why {
    Unknown,
    Ambiguous,
    NotScored,
}

impl<'a> Entities<'a> {
    pub(super) fn new(script: &Script, subjects: &'a [EntityId]) -> Self {
        let mut known = script.entities();
        known.extend(subjects);
        let mut names: BTreeMap<String, Vec<EntityId>> = BTreeMap::new();
        for (entity, name) in script.names.iter().filter(|(entity, _)| known.contains(entity)) {
            names.entry(name.trim().to_lowercase()).or_default().push(*entity);
        }
        Self { known, names, subjects, left_out: Default::default() }
    }

    /// Returns the only subject, if there is one alone.
    pub(super) fn only(&self) -> Option<EntityId> {
        if let [one] = self.subjects { Some(*one) } else { None }
    }

    /// Returns the scored entity that a row names. Other rows are counted.
    pub(super) fn find(&mut self, text: &str) -> Option<EntityId> {
        let id = readings(text).into_iter().flatten().map(EntityId::new).find(|id| self.known.contains(id));
        let found = match id {
            Some(id) => Ok(id),
            None => match self.names.get(&text.to_lowercase()).map(Vec::as_slice) {
                Some([one]) => Ok(*one),
                Some(_) => Err(Why::Ambiguous),
                None => Err(Why::Unknown),
            },
        };
        match found {
            Ok(entity) if self.subjects.contains(&entity) => Some(entity),
            Ok(_) => self.leave_out(Why::NotScored, text),
            Err(why) => self.leave_out(why, text),
        }
    }

    fn leave_out(&mut self, why: Why, text: &str) -> Option<EntityId> {
        let of = &mut self.left_out[why as usize];
        of.rows += 1;
        if of.rows == 1 {
            of.first = one_line(&text.chars().take(MAX_NAME).collect::<String>()).into_owned();
        }
        None
    }

    /// Returns sentences about the rows that were left out, one for each reason.
    pub(super) fn left_out(&self) -> Vec<String> {
        let whys = [
            ("without an entity of the messages", "; use ids like 0x50000002, or complete names"),
            ("with the name of several entities", "; use ids like 0x50000002"),
            ("about entities that are not scored", ""),
        ];
        let some = self.left_out.iter().zip(whys).filter(|(of, _)| of.rows > 0);
        some.map(|(LeftOut { rows, first }, (why, remedy))| {
            format!("left out: {} {why}, the first about {first}{remedy}", count(*rows, "row", "rows"))
        })
        .collect()
    }
}

/// Returns the numbers that an id or a cell may mean, the likelier first. With `0x`, or with eight
/// digits, it is hexadecimal. Other numbers are decimal, as JSON and Parquet write them.
pub(super) fn readings(text: &str) -> [Option<u32>; 2] {
    let hexadecimal = |digits: &str| {
        let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)
    };
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return [hexadecimal(digits), None];
    }
    // Tools that know only one kind of number write `.0`, or a sign for ids above 0x7FFFFFFF.
    let whole = text.strip_suffix(".0").unwrap_or(text).parse::<i64>().ok();
    let decimal =
        whole.and_then(|id| u32::try_from(id).ok().or_else(|| i32::try_from(id).ok().map(|id| id as u32)));
    [if text.len() == 8 { hexadecimal(text) } else { None }, decimal]
}

/// Largest number of characters of a name in a note.
const MAX_NAME: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_programs_write_them() {
        for text in ["0x50000001", "0X50000001", "50000001", "1342177281", "1342177281.0"] {
            let found = readings(text).into_iter().flatten().next();
            assert_eq!(found, Some(0x5000_0001), "{text}");
        }
        assert_eq!(readings("-2147483647"), [None, Some(0x8000_0001)]);
        assert_eq!(readings("12345678"), [Some(0x1234_5678), Some(12_345_678)]);
        for text in ["", "0x", "0x+1", "Drudge", "99999999999", "1.5"] {
            assert_eq!(readings(text), [None, None], "{text}");
        }
    }
}
