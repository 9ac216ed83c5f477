//! Names of motions.

use evenstride_types::update::MotionCommand;

/// Every motion command of the 2013 client, one per line, as number and name.
const MOTIONS: &str = include_str!("motions.tsv");

/// Short names, which are preferred to the client's names.
const ALIASES: [(&str, u32); 2] = [("Walk", 0x4500_0005), ("Run", 0x4400_0007)];

fn names() -> impl Iterator<Item = (&'static str, u32)> {
    let all = MOTIONS.lines().filter_map(|line| {
        let (number, name) = line.split_once('\t')?;
        Some((name, self::number(number)?))
    });
    ALIASES.into_iter().chain(all)
}

/// Returns the name of a motion, or `None` if it has none. A short name is preferred.
pub fn motion_name(motion: MotionCommand) -> Option<&'static str> {
    names().find(|(_, number)| *number == motion.0).map(|(name, _)| name)
}

/// Returns the name of the motion with this index, or `None` if it has none. Keys of tables contain
/// only the index.
pub fn index_name(index: u16) -> Option<&'static str> {
    names().find(|(_, number)| *number as u16 == index).map(|(name, _)| name)
}

/// Returns a motion by its name or its number (`0x41000003`). The case of the name does not matter.
///
/// # Errors
/// A sentence that suggests a similar name, if there is one.
pub fn motion(text: &str) -> Result<MotionCommand, String> {
    let known = |(name, _): &(&str, u32)| name.eq_ignore_ascii_case(text);
    if let Some((_, number)) = names().find(known) {
        return Ok(MotionCommand(number));
    }
    if let Some(number) = number(text) {
        return Ok(MotionCommand(number));
    }
    Err(match nearest(&text.to_lowercase()) {
        Some(near) => {
            format!("`{text}` is not a motion; did you mean `{near}`? Write numbers like 0x41000003")
        }
        None => {
            format!("`{text}` is not a motion; use a name like Run or TurnRight, or a number like 0x41000003")
        }
    })
}

/// Returns the most similar name, which differs by one or two letters or contains the text.
fn nearest(text: &str) -> Option<&'static str> {
    let far = |name: &str| distance(&name.to_lowercase(), text);
    // Two letters may differ if the first letter is the same.
    let first = text.chars().next()?;
    let most = |name: &str| if text.len() > 2 && name.to_lowercase().starts_with(first) { 2 } else { 1 };
    let close =
        names().map(|(name, _)| name).filter(|name| far(name) <= most(name) && far(name) < text.len());
    close.min_by_key(|name| far(name)).or_else(|| {
        let holding = names().map(|(name, _)| name).filter(|name| name.to_lowercase().contains(text));
        holding.min_by_key(|name| name.len()).filter(|_| text.len() >= 4)
    })
}

/// Parses a number such as `0x09000001`, or a decimal number.
pub(crate) fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Returns the number of letters to change, add or remove to turn one word into the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, letter) in one.chars().enumerate() {
        let mut before = row[0];
        row[0] = line + 1;
        for (column, against) in other.iter().enumerate() {
            let changed = before + usize::from(letter != *against);
            before = row[column + 1];
            row[column + 1] = changed.min(row[column] + 1).min(before + 1);
        }
    }
    row[other.len()]
}
