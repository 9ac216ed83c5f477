//! Reads a track from CSV with a header, from JSON lines, or from Parquet.

use std::{
    borrow::Cow,
    fs::File,
    io::{BufRead, BufReader, Read},
    panic,
    path::Path,
};

use anyhow::{Context, Result, bail};
use evenstride_archive::ForeignRows;
use evenstride_arena::rival::Shown;
use evenstride_replay::Script;
use evenstride_types::EntityId;
use serde_json::Value;

use super::{
    Drawn, Places,
    columns::{Chosen, Layout, Part, Row},
    csv,
    entities::Entities,
    place::spot,
};

/// Most lines that are read.
const MAX_LINES: usize = 20_000_000;

/// Most bytes of a line, and of a value of Parquet.
const MAX_LINE_BYTES: u64 = 16_384;

/// Most members of a JSON object.
const MAX_MEMBERS: usize = 1_000;

/// A track, and what its reading tells.
pub(super) struct Track {
    /// Places of scored entities.
    pub(super) drawn: Drawn,
    /// Whether every place has a heading. Otherwise bodies face the way they go.
    pub(super) has_headings: bool,
    /// The columns that were read, as the user would write them.
    pub(super) columns: String,
    /// Sentences about rows that were left out.
    pub(super) left_out: Vec<String>,
}

/// Returns the drawn places of scored entities. `columns` names columns for parts, and comes before the
/// usual names.
pub(super) fn read(
    path: &Path,
    columns: &[(String, String)],
    script: &Script,
    subjects: &[EntityId],
) -> Result<Track> {
    let chosen = Chosen::new(columns)?;
    let named = || path.display().to_string();
    let mut input = BufReader::new(File::open(path).with_context(named)?);
    let mut reader = Reader {
        chosen,
        entities: Entities::new(script, subjects),
        first: None,
        rows: 0,
        drawn: Drawn::new(),
        has_headings: true,
    };
    let is_parquet = input.fill_buf().with_context(named)?.starts_with(b"PAR1");
    let read = if is_parquet { reader.take_parquet(path) } else { reader.take_text(&mut input) };
    read.and_then(|()| reader.finish()).with_context(named)
}

struct Reader<'a> {
    chosen: Chosen,
    entities: Entities<'a>,
    /// The columns of the first row, or of the first one that has every chosen column.
    first: Option<Layout>,
    rows: u64,
    drawn: Drawn,
    has_headings: bool,
}

/// How the lines of a text are written.
enum Format {
    Csv {
        separator: char,
        layout: Layout,
    },
    /// The layout is that of the line before.
    Json {
        layout: Layout,
    },
}

impl Reader<'_> {
    fn take_text(&mut self, input: &mut impl BufRead) -> Result<()> {
        let mut format: Option<Format> = None;
        let mut text = String::new();
        for number in 1.. {
            text.clear();
            let length = input.by_ref().take(MAX_LINE_BYTES).read_line(&mut text)?;
            if length == 0 {
                break;
            }
            if number > MAX_LINES || length as u64 >= MAX_LINE_BYTES {
                bail!("line {number}: too long; a track has at most {MAX_LINES} short lines");
            }
            let line = text.trim_start_matches('\u{FEFF}').trim_matches([' ', '\r', '\n']);
            if line.trim().is_empty() {
                continue;
            }
            let taken = match &mut format {
                None => self.begin(line).map(|begun| format = Some(begun)),
                Some(Format::Csv { separator, layout }) => self.take_csv(line, *separator, layout),
                Some(Format::Json { layout }) => self.take_json(line, layout),
            };
            taken.with_context(|| format!("line {number}"))?;
        }
        Ok(())
    }

    /// Reads the first line, which tells the format.
    fn begin(&mut self, line: &str) -> Result<Format> {
        if line.starts_with('{') {
            let mut layout = Layout::default();
            self.take_json(line, &mut layout)?;
            return Ok(Format::Json { layout });
        }
        if line.starts_with('[') {
            bail!("a JSON list; write one object per line, without brackets around them");
        }
        let separator = csv::separator(line);
        let titles = csv::split(line, separator)?.into_iter().map(Cow::into_owned).collect();
        let layout = Layout::new(titles, &self.chosen);
        layout.check(&self.chosen)?;
        Ok(Format::Csv { separator, layout })
    }

    fn take_csv(&mut self, line: &str, separator: char, layout: &Layout) -> Result<()> {
        let values = csv::split(line, separator)?;
        let columns = layout.titles.len();
        if values.iter().skip(columns).any(|value| !value.is_empty()) {
            bail!(
                "{} values, but the header has {columns}; put texts with `{separator}` in quotation marks",
                values.len()
            );
        }
        self.take(Row { layout, values: &values })
    }

    fn take_json(&mut self, line: &str, layout: &mut Layout) -> Result<()> {
        let (titles, values) = members(line)?;
        if titles != layout.titles {
            *layout = Layout::new(titles, &self.chosen);
            let lacks_some = |of: &Layout| of.check(&self.chosen).is_err();
            if self.first.as_ref().is_some_and(lacks_some) && !lacks_some(layout) {
                self.first = Some(layout.clone());
            }
        }
        self.take(Row { layout, values: &values })
    }

    /// Takes the rows of a Parquet file. A damaged file may make the reader panic, which is an error.
    fn take_parquet(&mut self, path: &Path) -> Result<()> {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        let result = self.take_parquet_rows(path);
        panic::set_hook(hook);
        result
    }

    fn take_parquet_rows(&mut self, path: &Path) -> Result<()> {
        let chosen = self.chosen.clone();
        let file = ForeignRows::open(path, &|title| chosen.is_wanted(title), MAX_LINES as u64)?;
        let mut layout: Option<Layout> = None;
        let mut number = 0;
        file.each(|cells| {
            number += 1;
            let layout = layout.get_or_insert_with(|| {
                Layout::new(cells.iter().map(|(title, _)| title.clone()).collect(), &self.chosen)
            });
            if number == 1 {
                layout.check(&self.chosen)?;
            }
            let long = cells
                .iter()
                .find(|(_, cell)| cell.as_ref().is_some_and(|text| text.len() as u64 > MAX_LINE_BYTES));
            if let Some((title, _)) = long {
                bail!("row {number}: {title}: longer than {MAX_LINE_BYTES} bytes");
            }
            let values: Vec<Cow<'_, str>> =
                cells.iter().map(|(_, cell)| Cow::Borrowed(cell.as_deref().unwrap_or_default())).collect();
            self.take(Row { layout, values: &values }).with_context(|| format!("row {number}"))
        })
    }

    fn take(&mut self, row: Row<'_>) -> Result<()> {
        if self.first.is_none() {
            self.first = Some(row.layout.clone());
        }
        self.rows += 1;
        let entity = match row.text(Part::Entity) {
            Some(name) => self.entities.find(name),
            None => match self.entities.only() {
                Some(only) => Some(only),
                None => bail!("entity: missing, but several entities are scored; add a column"),
            },
        };
        let Some(entity) = entity else { return Ok(()) };
        let spot = spot(row, &self.chosen)?;
        self.has_headings &= spot.has_heading;
        self.drawn.entry(entity).or_default().push((spot.time, spot.shown));
        Ok(())
    }

    /// Returns all places, oldest first.
    fn finish(self) -> Result<Track> {
        let Some(layout) = self.first.filter(|_| self.rows > 0) else {
            bail!("no rows; a track has a header and a row per drawn body and frame");
        };
        layout.check(&self.chosen)?;
        let mut drawn = self.drawn;
        for places in drawn.values_mut() {
            places.sort_by(|(one, _), (other, _)| one.total_cmp(other));
            if !self.has_headings {
                face_ahead(places);
            }
        }
        let (columns, left_out) = (layout.in_words(), self.entities.left_out());
        Ok(Track { drawn, has_headings: self.has_headings, columns, left_out })
    }
}

/// Returns the members of an object. Lists of three and four numbers become coordinates.
fn members(line: &str) -> Result<(Vec<String>, Vec<Cow<'static, str>>)> {
    let Ok(Value::Object(members)) = serde_json::from_str(line) else { bail!("not a JSON object") };
    if members.len() > MAX_MEMBERS {
        bail!("more than {MAX_MEMBERS} members");
    }
    let (mut titles, mut values) = (Vec::new(), Vec::new());
    let mut put = |title: String, value: Value| {
        titles.push(title);
        values.push(Cow::Owned(match value {
            Value::String(text) => text.trim().to_owned(),
            Value::Null => String::new(),
            value => value.to_string(),
        }));
    };
    for (name, value) in members {
        match value {
            Value::Array(list) => {
                let parts: &[&str] =
                    if list.len() == 3 { &["x", "y", "z"] } else { &["qw", "qx", "qy", "qz"] };
                parts.iter().zip(list).for_each(|(part, value)| put(format!("{name}.{part}"), value));
            }
            value => put(name, value),
        }
    }
    Ok((titles, values))
}

/// Turns a body whose headings are unknown the way it goes, so that it can be shown.
fn face_ahead(places: &mut Places) {
    let Some((_, Shown { at: mut since, .. })) = places.first().copied() else { return };
    let mut heading = 0.0;
    for (_, shown) in places {
        let way = shown.at - since;
        if way.with_z(0.0).length() > TURNS_METRES {
            heading = way.x.atan2(way.y).to_degrees().rem_euclid(360.0) % 360.0;
            since = shown.at;
        }
        shown.heading = heading;
    }
}

/// Way in metres that tells where a body goes.
const TURNS_METRES: f32 = 0.05;
