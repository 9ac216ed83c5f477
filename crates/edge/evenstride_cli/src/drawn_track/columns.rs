//! Which column of a track holds which value.

use std::borrow::Cow;

use anyhow::{Result, bail};

use crate::output::one_line;

/// A value that a row can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Time,
    Millis,
    Entity,
    Cell,
    X,
    Y,
    Z,
    Heading,
    Qw,
    Qx,
    Qy,
    Qz,
}

impl Part {
    const ALL: [Self; 12] = [
        Self::Time,
        Self::Millis,
        Self::Entity,
        Self::Cell,
        Self::X,
        Self::Y,
        Self::Z,
        Self::Heading,
        Self::Qw,
        Self::Qx,
        Self::Qy,
        Self::Qz,
    ];

    /// Returns its name in arguments and messages.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Millis => "ms",
            Self::Entity => "entity",
            Self::Cell => "cell",
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
            Self::Heading => "heading",
            Self::Qw => "qw",
            Self::Qx => "qx",
            Self::Qy => "qy",
            Self::Qz => "qz",
        }
    }

    /// Returns the names of columns that usually hold it, the most telling first.
    const fn usual(self) -> &'static [&'static str] {
        match self {
            Self::Time => &["time", "t", "timesecs", "seconds", "secs", "timestamp"],
            Self::Millis => &["timems", "ms", "milliseconds", "timestampms"],
            Self::Entity => &["entity", "entityid", "guid", "id", "name"],
            Self::Cell => &["drawncell", "cell", "cellid", "objcellid", "landcell"],
            Self::X => &["drawnx", "drawnpositionx", "x", "posx", "px", "positionx", "worldx"],
            Self::Y => &["drawny", "drawnpositiony", "y", "posy", "py", "positiony", "worldy"],
            Self::Z => &["drawnz", "drawnpositionz", "z", "posz", "pz", "positionz", "worldz"],
            Self::Heading => &["heading", "headingdeg", "yaw", "yawdeg"],
            Self::Qw => &["drawnqw", "drawnrotationqw", "qw", "rotw", "rotationqw"],
            Self::Qx => &["drawnqx", "drawnrotationqx", "qx", "rotx", "rotationqx"],
            Self::Qy => &["drawnqy", "drawnrotationqy", "qy", "roty", "rotationqy"],
            Self::Qz => &["drawnqz", "drawnrotationqz", "qz", "rotz", "rotationqz"],
        }
    }
}

/// The columns that the user chose for parts.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    titles: [Option<String>; 12],
}

impl Chosen {
    /// Checks what the user named.
    pub(super) fn new(columns: &[(String, String)]) -> Result<Self> {
        let mut titles = [const { None }; 12];
        for (part, title) in columns {
            let Some(known) = Part::ALL.into_iter().find(|known| known.name() == part) else {
                let known = Part::ALL.map(Part::name).join(", ");
                bail!("--track-columns: {} is unknown; use {known}", one_line(part));
            };
            titles[known as usize] = Some(title.clone());
        }
        let chosen = Self { titles };
        if chosen.has(Part::Time) && chosen.has(Part::Millis) {
            bail!("--track-columns: time and ms name the same thing; give one of them");
        }
        Ok(chosen)
    }

    /// Returns the chosen column of a part.
    pub(super) fn title(&self, part: Part) -> Option<&str> {
        self.titles[part as usize].as_deref()
    }

    fn has(&self, part: Part) -> bool {
        self.title(part).is_some()
    }

    /// Returns whether a column may hold a part.
    pub(super) fn is_wanted(&self, title: &str) -> bool {
        let title = plain(title);
        let is_chosen = |chosen: &Option<String>| chosen.as_ref().is_some_and(|of| plain(of) == title);
        self.titles.iter().any(is_chosen) || Part::ALL.iter().any(|part| part.usual().contains(&&*title))
    }

    /// Returns whether the user chose another part that says the same, so that the usual columns of this
    /// one do not count.
    fn is_replaced(&self, part: Part) -> bool {
        match part {
            Part::Time => self.has(Part::Millis),
            Part::Heading => [Part::Qw, Part::Qx, Part::Qy, Part::Qz].iter().any(|part| self.has(*part)),
            _ => false,
        }
    }
}

/// The columns of a file or of a JSON object, and the parts that they hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) titles: Vec<String>,
    /// Columns of each part, the most telling first.
    parts: [Vec<usize>; 12],
}

impl Layout {
    pub(super) fn new(titles: Vec<String>, chosen: &Chosen) -> Self {
        let plain_titles: Vec<String> = titles.iter().map(|title| plain(title)).collect();
        let all = |name: &str| -> Vec<usize> {
            (0..plain_titles.len()).filter(|index| plain_titles[*index] == name).collect()
        };
        let of = |part: Part| match chosen.title(part) {
            Some(title) => all(&plain(title)),
            None if chosen.is_replaced(part) => Vec::new(),
            None => part.usual().iter().flat_map(|name| all(name)).collect(),
        };
        Self { parts: Part::ALL.map(of), titles }
    }

    /// Returns whether a column holds a part.
    pub(super) fn has(&self, part: Part) -> bool {
        !self.parts[part as usize].is_empty()
    }

    /// Returns the parts with their columns, as the user would write them.
    pub(super) fn in_words(&self) -> String {
        let first = |part: Part| {
            let column = self.parts[part as usize].first()?;
            Some(format!("{}={}", part.name(), short(&self.titles[*column])))
        };
        Part::ALL.into_iter().filter_map(first).collect::<Vec<_>>().join(",")
    }

    /// Returns the error for a part that a row needs and does not have.
    pub(super) fn missing(&self, part: Part, chosen: &Chosen) -> anyhow::Error {
        let name = part.name();
        match chosen.title(part).filter(|_| !self.has(part)) {
            Some(title) => {
                anyhow::anyhow!("{name}: there is no column {}; columns are {}", short(title), self.known())
            }
            None => anyhow::anyhow!("{name}: missing; name its column with --track-columns {name}=COLUMN"),
        }
    }

    fn known(&self) -> String {
        let shown: Vec<_> = self.titles.iter().take(MAX_TITLES).map(|title| short(title)).collect();
        shown.join(", ") + if self.titles.len() > MAX_TITLES { ", …" } else { "" }
    }

    /// Checks that every chosen column is there.
    pub(super) fn check(&self, chosen: &Chosen) -> Result<()> {
        match Part::ALL.into_iter().find(|part| chosen.has(*part) && !self.has(*part)) {
            Some(part) => Err(self.missing(part, chosen)),
            None => Ok(()),
        }
    }
}

/// Largest number of columns that an error lists, and of characters of each.
const MAX_TITLES: usize = 40;
const MAX_TITLE: usize = 40;

/// Returns a title that fits a line.
fn short(title: &str) -> String {
    one_line(&title.chars().take(MAX_TITLE).collect::<String>()).into_owned()
}

/// The values of a row, in the order of its layout.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) layout: &'a Layout,
    pub(super) values: &'a [Cow<'a, str>],
}

impl Row<'_> {
    /// Returns the text of a part. An empty value counts as none.
    pub(super) fn text(&self, part: Part) -> Option<&str> {
        let columns = self.layout.parts[part as usize].iter();
        columns
            .filter_map(|column| self.values.get(*column))
            .map(|text| &**text)
            .find(|text| !text.is_empty())
    }

    /// Returns the number of a part.
    pub(super) fn number(&self, part: Part) -> Result<Option<f64>> {
        let Some(text) = self.text(part) else { return Ok(None) };
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Some(number)),
            _ => {
                let hint = if text.contains(',') { "; decimals follow a point" } else { "" };
                bail!("{}: \"{}\" is not a number{hint}", part.name(), one_line(text))
            }
        }
    }
}

/// Returns the name of a column in lower case, without quotation marks and punctuation.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(titles: &[&str], chosen: &[(&str, &str)]) -> String {
        let chosen: Vec<_> = chosen.iter().map(|(part, of)| ((*part).to_owned(), (*of).to_owned())).collect();
        let titles = titles.iter().map(|title| (*title).to_owned()).collect();
        Layout::new(titles, &Chosen::new(&chosen).unwrap()).in_words()
    }

    #[test]
    fn chosen_columns_replace_the_usual_ones_and_their_siblings() {
        assert_eq!(words(&["Time", "x", "PosX"], &[]), "time=Time,x=x");
        assert_eq!(words(&["Time", "x", "PosX"], &[("x", "PosX")]), "time=Time,x=PosX");
        assert_eq!(words(&["Time", "Clock"], &[("ms", "Clock")]), "ms=Clock");
        assert_eq!(words(&["yaw", "a", "qx", "qy", "qz"], &[("qw", "a")]), "qw=a,qx=qx,qy=qy,qz=qz");
        // A chosen column that is missing is not replaced by a usual one.
        assert_eq!(words(&["time", "x"], &[("x", "PosQ")]), "time=time");
    }
}
