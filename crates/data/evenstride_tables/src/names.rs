//! Motions by the names people know them by.

use evenstride_types::update::MotionCommand;

const NAMES: [(&str, u32); 34] = [
    ("Ready", 0x4100_0003),
    ("Walk", 0x4500_0005),
    ("WalkBackwards", 0x4500_0006),
    ("Run", 0x4400_0007),
    ("Fallen", 0x4000_0008),
    ("Hover", 0x4000_000A),
    ("TurnRight", 0x6500_000D),
    ("TurnLeft", 0x6500_000E),
    ("SidestepRight", 0x6500_000F),
    ("SidestepLeft", 0x6500_0010),
    ("Dead", 0x4000_0011),
    ("Crouch", 0x4100_0012),
    ("Sitting", 0x4100_0013),
    ("Sleeping", 0x4100_0014),
    ("Falling", 0x4000_0015),
    ("Reload", 0x4000_0016),
    ("Pickup", 0x4000_0018),
    ("Eat", 0x4000_001A),
    ("Drink", 0x4000_001B),
    ("Reading", 0x4000_001C),
    ("AimLevel", 0x4000_001E),
    ("HandCombat", 0x8000_003C),
    ("NonCombat", 0x8000_003D),
    ("SwordCombat", 0x8000_003E),
    ("BowCombat", 0x8000_003F),
    ("SwordShieldCombat", 0x8000_0040),
    ("CrossbowCombat", 0x8000_0041),
    ("SlingCombat", 0x8000_0043),
    ("DualWieldCombat", 0x8000_0046),
    ("ThrownWeaponCombat", 0x8000_0047),
    ("Graze", 0x8000_0048),
    ("Magic", 0x8000_0049),
    ("StaggerBackward", 0x1000_0055),
    ("StaggerForward", 0x1000_0056),
];

/// A motion by name or number; `Err` with what it might have been meant to be.
pub(crate) fn motion(text: &str) -> Result<MotionCommand, String> {
    if let Some((_, number)) = NAMES.iter().find(|(name, _)| *name == text) {
        return Ok(MotionCommand(*number));
    }
    if let Some(number) = number(text) {
        return Ok(MotionCommand(number));
    }
    let near = NAMES
        .iter()
        .map(|(name, _)| *name)
        .min_by_key(|name| distance(&name.to_lowercase(), &text.to_lowercase()));
    Err(format!(
        "`{text}` is no motion; did you mean `{}`? Numbers are written like 0x41000003",
        near.unwrap_or("Ready")
    ))
}

/// `0x09000001`, or decimal.
pub(crate) fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// How many letters must be changed, added or left out to make one word of the other.
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
