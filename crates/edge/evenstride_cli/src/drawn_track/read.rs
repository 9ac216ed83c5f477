//! Reads a track from CSV with a header, from JSON lines, or from Parquet.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead, BufReader, Read},
    panic,
    path::Path,
};

use anyhow::{Context, Result, bail};
use evenstride_archive::{Cell, ForeignRows};
use evenstride_arena::rival::Shown;
use evenstride_replay::Script;
use evenstride_types::{CellId, EntityId, Placement, Pose, Rotation, Vec3};
use serde_json::Value;

use super::Drawn;
use crate::{entity::EntityArg, output::one_line};

/// Most lines that are read.
const MAX_LINES: usize = 20_000_000;

/// Most bytes of a line.
const MAX_LINE_BYTES: u64 = 16_384;

/// The values of a row by the names of their columns, in lower case without punctuation.
type Row = BTreeMap<String, String>;

/// A value that a row can have, and the names of columns that hold it, the most telling first.
struct Part {
    name: &'static str,
    columns: &'static [&'static str],
}

const PARTS: [Part; 12] = [
    Part { name: "time", columns: &["time", "t", "timesecs", "seconds", "secs", "timestamp"] },
    Part { name: "ms", columns: &["timems", "ms", "milliseconds", "timestampms"] },
    Part { name: "entity", columns: &["entity", "entityid", "guid", "id", "name"] },
    Part { name: "cell", columns: &["drawncell", "cell", "cellid", "objcellid", "landcell"] },
    Part { name: "x", columns: &["drawnx", "drawnpositionx", "x", "posx", "px", "positionx", "worldx"] },
    Part { name: "y", columns: &["drawny", "drawnpositiony", "y", "posy", "py", "positiony", "worldy"] },
    Part { name: "z", columns: &["drawnz", "drawnpositionz", "z", "posz", "pz", "positionz", "worldz"] },
    Part { name: "heading", columns: &["heading", "headingdeg", "yaw", "yawdeg"] },
    Part { name: "qw", columns: &["drawnqw", "drawnrotationqw", "qw", "rotw", "rotationqw"] },
    Part { name: "qx", columns: &["drawnqx", "drawnrotationqx", "qx", "rotx", "rotationqx"] },
    Part { name: "qy", columns: &["drawnqy", "drawnrotationqy", "qy", "roty", "rotationqy"] },
    Part { name: "qz", columns: &["drawnqz", "drawnrotationqz", "qz", "rotz", "rotationqz"] },
];

/// Returns the drawn places of known entities. `columns` names columns for parts, and comes before the
/// usual names.
pub(super) fn read(
    path: &Path,
    columns: &[(String, String)],
    script: &Script,
    subjects: &[EntityId],
) -> Result<Drawn> {
    let named = || path.display().to_string();
    let mut input = BufReader::new(File::open(path).with_context(named)?);
    let columns = chosen(columns)?;
    let start = input.fill_buf().with_context(named)?;
    let (is_json, is_parquet) = (start.first() == Some(&b'{'), start.starts_with(b"PAR1"));
    let mut reader = Reader { columns, script, subjects, names: BTreeMap::new(), drawn: Drawn::new() };
    if is_parquet {
        reader.take_parquet(path).with_context(named)?;
        return Ok(reader.sorted());
    }
    let mut header: Option<Vec<String>> = None;
    let mut text = String::new();
    for number in 1.. {
        text.clear();
        let length = input.by_ref().take(MAX_LINE_BYTES).read_line(&mut text).with_context(named)?;
        if length == 0 {
            break;
        }
        if number > MAX_LINES || length as u64 >= MAX_LINE_BYTES {
            bail!("{}: line {number}: too long; a track has at most {MAX_LINES} short lines", named());
        }
        let line = text.trim();
        if line.is_empty() {
            continue;
        }
        let row = match (is_json, &header) {
            (true, _) => of_json(line),
            (false, None) => {
                header = Some(line.split(',').map(plain).collect());
                continue;
            }
            (false, Some(header)) => Ok(of_csv(header, line)),
        };
        row.and_then(|row| reader.take(&row)).with_context(|| format!("{}: line {number}", named()))?;
    }
    Ok(reader.sorted())
}

/// Checks the columns that the user named.
fn chosen(columns: &[(String, String)]) -> Result<BTreeMap<String, String>> {
    for (part, _) in columns {
        if !PARTS.iter().any(|known| known.name == part) {
            let known: Vec<_> = PARTS.iter().map(|part| part.name).collect();
            bail!("--track-columns: {} is unknown; use {}", one_line(part), known.join(", "));
        }
    }
    Ok(columns.iter().map(|(part, column)| (part.clone(), plain(column))).collect())
}

/// Returns the name of a column in lower case, without quotation marks and punctuation.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn of_csv(header: &[String], line: &str) -> Row {
    let values = line.split(',').map(|value| value.trim().trim_matches('"').to_owned());
    header.iter().cloned().zip(values).collect()
}

/// Returns the members of an object. Lists of three and four numbers become coordinates.
fn of_json(line: &str) -> Result<Row> {
    let Ok(Value::Object(members)) = serde_json::from_str(line) else { bail!("not a JSON object") };
    let mut row = Row::new();
    for (name, value) in members {
        let name = plain(&name);
        match value {
            Value::String(text) => drop(row.insert(name, text)),
            Value::Array(list) => {
                let parts: &[&str] =
                    if list.len() == 3 { &["x", "y", "z"] } else { &["qw", "qx", "qy", "qz"] };
                row.extend(
                    parts.iter().zip(list).map(|(part, value)| (format!("{name}{part}"), value.to_string())),
                );
            }
            value => drop(row.insert(name, value.to_string())),
        }
    }
    Ok(row)
}

/// Returns the values of a row. A number that names an entity is written as ids are.
fn of_parquet(cells: &[(String, Cell)]) -> Row {
    let mut row = Row::new();
    for (name, cell) in cells {
        let name = plain(name);
        let Some(text) = cell else { continue };
        let is_entity =
            PARTS.iter().any(|part| part.name == "entity" && part.columns.contains(&name.as_str()));
        let id = text.parse::<u32>().ok().filter(|_| is_entity);
        row.insert(name, id.map_or_else(|| text.clone(), |id| EntityId::new(id).to_string()));
    }
    row
}

struct Reader<'a> {
    columns: BTreeMap<String, String>,
    script: &'a Script,
    subjects: &'a [EntityId],
    /// Entities that rows have named, and `None` for names of others.
    names: BTreeMap<String, Option<EntityId>>,
    drawn: Drawn,
}

impl Reader<'_> {
    /// Returns all places, oldest first.
    fn sorted(self) -> Drawn {
        let mut drawn = self.drawn;
        drawn.values_mut().for_each(|places| places.sort_by(|(one, _), (other, _)| one.total_cmp(other)));
        drawn
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
        let chosen: Vec<String> = self.columns.values().cloned().collect();
        let is_wanted = |name: &str| {
            let name = plain(name);
            chosen.contains(&name) || PARTS.iter().any(|part| part.columns.contains(&name.as_str()))
        };
        let file = ForeignRows::open(path, &is_wanted, MAX_LINES as u64)?;
        let mut number = 0;
        file.each(|cells| {
            number += 1;
            self.take(&of_parquet(cells)).with_context(|| format!("row {number}"))
        })
    }

    fn take(&mut self, row: &Row) -> Result<()> {
        let entity = match (self.text(row, "entity").map(str::to_owned), self.subjects) {
            (Some(name), _) => {
                let find = || EntityArg(name.clone()).find(self.script).ok();
                *self.names.entry(name.clone()).or_insert_with(find)
            }
            (None, [one]) => Some(*one),
            (None, _) => bail!("entity: missing, but several entities are scored; add a column"),
        };
        let Some(entity) = entity else { return Ok(()) };
        let time = match (self.number(row, "time")?, self.number(row, "ms")?) {
            (Some(secs), _) => secs,
            (None, Some(millis)) => millis / 1000.0,
            (None, None) => bail!("time: missing; name its column with --track-columns time=COLUMN"),
        };
        let at =
            Vec3::new(self.coordinate(row, "x")?, self.coordinate(row, "y")?, self.coordinate(row, "z")?);
        let rotation = self.rotation(row)?;
        let place = Placement::new(self.cell(row)?, Pose::new(at, rotation)?);
        // The axes of contests begin in this landblock.
        let corner = Placement::new(CellId::new(0xA9B4_0001)?, Pose::IDENTITY);
        let heading =
            self.number(row, "heading")?.map_or_else(|| rotation.heading().degrees(), |of| of as f32);
        let shown = Shown { at: corner.offset_to(&place), heading };
        self.drawn.entry(entity).or_default().push((time, shown));
        Ok(())
    }

    /// Returns the text of a part of a row.
    fn text<'r>(&self, row: &'r Row, part: &str) -> Option<&'r str> {
        let usual = PARTS.iter().find(|known| known.name == part).map_or(&[][..], |part| part.columns);
        let chosen = self.columns.get(part).map(String::as_str);
        let columns = chosen.into_iter().chain(usual.iter().copied());
        columns.filter_map(|column| row.get(column)).map(String::as_str).find(|text| !text.is_empty())
    }

    fn number(&self, row: &Row, part: &str) -> Result<Option<f64>> {
        let Some(text) = self.text(row, part) else { return Ok(None) };
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Some(number)),
            _ => bail!("{part}: \"{}\" is not a number", one_line(text)),
        }
    }

    fn coordinate(&self, row: &Row, part: &str) -> Result<f32> {
        let number = self.number(row, part)?;
        number
            .map(|number| number as f32)
            .with_context(|| format!("{part}: missing; name its column with --track-columns {part}=COLUMN"))
    }

    /// Returns the cell. Without one, coordinates are metres of the whole map.
    fn cell(&self, row: &Row) -> Result<CellId> {
        let Some(text) = self.text(row, "cell") else { return Ok(CellId::new(1)?) };
        let digits = text.strip_prefix("0x").map(|digits| u32::from_str_radix(digits, 16));
        let cell = digits.unwrap_or_else(|| text.parse());
        let cell = cell.with_context(|| format!("cell: \"{}\" is not like 0xA9B40001", one_line(text)))?;
        Ok(CellId::new(cell)?)
    }

    fn rotation(&self, row: &Row) -> Result<Rotation> {
        let mut wxyz = [1.0, 0.0, 0.0, 0.0];
        for (slot, part) in wxyz.iter_mut().zip(["qw", "qx", "qy", "qz"]) {
            match self.number(row, part)? {
                Some(number) => *slot = number as f32,
                None => return Ok(Rotation::IDENTITY),
            }
        }
        Ok(Rotation::normalized(wxyz)?)
    }
}
