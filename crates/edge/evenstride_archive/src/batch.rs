//! Rows as columns in memory.

use std::{collections::HashMap, sync::Arc};

use crate::table::{ColumnKind, ColumnSpec, TableSpec};

/// Rows of a table, one vector per column.
#[derive(Clone, Debug)]
pub struct Batch {
    spec: &'static TableSpec,
    columns: Vec<Column>,
}

/// The values of a column, and which of them are there.
#[derive(Clone, Debug)]
pub struct Column {
    spec: ColumnSpec,
    /// The values. A missing one is zero or the first text.
    pub(crate) values: Values,
    /// Whether each value is there, for optional columns.
    pub(crate) present: Option<Vec<bool>>,
}

/// The values of a column.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Values {
    /// Floats of 64 bits.
    Double(Vec<f64>),
    /// Floats of 32 bits.
    Float(Vec<f32>),
    /// Unsigned integers.
    Number(Vec<u32>),
    /// Yes or no.
    Flag(Vec<bool>),
    /// Texts.
    Text(Texts),
}

/// Texts, each of which is kept once.
#[derive(Clone, Debug)]
pub struct Texts {
    /// Index of each row's text in `words`.
    pub indices: Vec<u32>,
    /// All texts. The first is empty.
    pub words: Vec<Arc<str>>,
    known: HashMap<Arc<str>, u32>,
    /// Number of times that the texts were forgotten.
    epoch: u32,
}

/// A text of a column that can be added again without a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KnownText {
    epoch: u32,
    index: u32,
}

/// Number of different texts from which on they are forgotten between row groups.
const MAX_WORDS: usize = 1 << 14;

impl Batch {
    /// Creates a batch without rows.
    pub fn new(spec: &'static TableSpec) -> Self {
        let columns = spec.columns.iter().map(Column::new).collect();
        Self { spec, columns }
    }

    /// Returns the table.
    pub const fn spec(&self) -> &'static TableSpec {
        self.spec
    }

    /// Returns the columns in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns a column by name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.get(self.spec.index_of(name)?)
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Column::len)
    }

    /// Removes all rows and keeps their memory.
    pub fn clear(&mut self) {
        self.columns.iter_mut().for_each(Column::clear);
    }

    pub(crate) fn columns_mut(&mut self) -> &mut [Column] {
        &mut self.columns
    }

    /// Adds a row. Its values must be those of the table, in order.
    pub(crate) fn push<const N: usize>(&mut self, row: [Value<'_>; N]) {
        debug_assert_eq!(N, self.columns.len(), "values for all columns of {}", self.spec.name);
        for (column, value) in self.columns.iter_mut().zip(row) {
            column.push(value);
        }
    }

    /// Adds the rows of another batch of the same table.
    pub fn append(&mut self, other: &Self) {
        for (column, more) in self.columns.iter_mut().zip(&other.columns) {
            column.append(more);
        }
    }
}

/// A value of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    Double(f64),
    Float(f32),
    Number(u32),
    Flag(bool),
    Text(&'a str),
    Missing,
}

impl Value<'_> {
    pub(crate) fn double(value: Option<f64>) -> Self {
        value.map_or(Self::Missing, Self::Double)
    }

    pub(crate) fn float(value: Option<f32>) -> Self {
        value.map_or(Self::Missing, Self::Float)
    }

    pub(crate) fn number(value: Option<u32>) -> Self {
        value.map_or(Self::Missing, Self::Number)
    }
}

impl Column {
    fn new(spec: &ColumnSpec) -> Self {
        let values = match spec.kind {
            ColumnKind::Double => Values::Double(Vec::new()),
            ColumnKind::Float => Values::Float(Vec::new()),
            ColumnKind::Number => Values::Number(Vec::new()),
            ColumnKind::Flag => Values::Flag(Vec::new()),
            ColumnKind::Text => Values::Text(Texts::default()),
        };
        Self { spec: *spec, values, present: spec.is_optional.then(Vec::new) }
    }

    /// Returns name, type and meaning.
    pub const fn spec(&self) -> &ColumnSpec {
        &self.spec
    }

    /// Returns the values. A missing one is zero, false or empty.
    pub const fn values(&self) -> &Values {
        &self.values
    }

    /// Returns whether each value is there, or `None` if all are.
    pub fn present(&self) -> Option<&[bool]> {
        self.present.as_deref()
    }

    const fn len(&self) -> usize {
        match &self.values {
            Values::Double(values) => values.len(),
            Values::Float(values) => values.len(),
            Values::Number(values) => values.len(),
            Values::Flag(values) => values.len(),
            Values::Text(texts) => texts.indices.len(),
        }
    }

    fn clear(&mut self) {
        match &mut self.values {
            Values::Double(values) => values.clear(),
            Values::Float(values) => values.clear(),
            Values::Number(values) => values.clear(),
            Values::Flag(values) => values.clear(),
            Values::Text(texts) => texts.clear(),
        }
        if let Some(present) = &mut self.present {
            present.clear();
        }
    }

    fn push(&mut self, value: Value<'_>) {
        let is_there = !matches!(value, Value::Missing);
        debug_assert!(is_there || self.present.is_some(), "{} always has a value", self.spec.name);
        if let Some(present) = &mut self.present {
            present.push(is_there);
        }
        match (&mut self.values, value) {
            (Values::Double(values), Value::Double(value)) => values.push(value),
            (Values::Float(values), Value::Float(value)) => values.push(value),
            (Values::Number(values), Value::Number(value)) => values.push(value),
            (Values::Flag(values), Value::Flag(value)) => values.push(value),
            (Values::Text(texts), Value::Text(text)) => texts.push(text),
            (values, value) => {
                debug_assert!(!is_there, "{}: {value:?} has another type", self.spec.name);
                values.push_default();
            }
        }
    }

    fn append(&mut self, more: &Self) {
        match (&mut self.values, &more.values) {
            (Values::Double(values), Values::Double(more)) => values.extend_from_slice(more),
            (Values::Float(values), Values::Float(more)) => values.extend_from_slice(more),
            (Values::Number(values), Values::Number(more)) => values.extend_from_slice(more),
            (Values::Flag(values), Values::Flag(more)) => values.extend_from_slice(more),
            (Values::Text(texts), Values::Text(more)) => texts.append(more),
            _ => debug_assert!(false, "batches of one table have the same types"),
        }
        if let (Some(present), Some(more)) = (&mut self.present, &more.present) {
            present.extend_from_slice(more);
        }
    }
}

impl Values {
    fn push_default(&mut self) {
        match self {
            Self::Double(values) => values.push(0.0),
            Self::Float(values) => values.push(0.0),
            Self::Number(values) => values.push(0),
            Self::Flag(values) => values.push(false),
            Self::Text(texts) => texts.indices.push(0),
        }
    }
}

impl Default for Texts {
    fn default() -> Self {
        let empty: Arc<str> = Arc::from("");
        let known = HashMap::from([(Arc::clone(&empty), 0)]);
        Self { indices: Vec::new(), words: vec![empty], known, epoch: 0 }
    }
}

impl Texts {
    /// Returns the text of a row.
    pub fn get(&self, row: usize) -> Option<&str> {
        Some(self.words.get(*self.indices.get(row)? as usize)?)
    }

    fn push(&mut self, text: &str) {
        let known = self.know(text);
        self.indices.push(known.index);
    }

    /// Keeps a text for later rows.
    pub(crate) fn know(&mut self, text: &str) -> KnownText {
        let index = self.known.get(text).copied().unwrap_or_else(|| {
            let (index, text) = (self.words.len() as u32, Arc::<str>::from(text));
            self.words.push(Arc::clone(&text));
            self.known.insert(text, index);
            index
        });
        KnownText { epoch: self.epoch, index }
    }

    /// Returns whether a text is still kept.
    pub(crate) const fn knows(&self, text: KnownText) -> bool {
        text.epoch == self.epoch
    }

    /// Adds a row with a kept text.
    pub(crate) fn push_known(&mut self, text: KnownText) {
        debug_assert!(self.knows(text));
        self.indices.push(text.index);
    }

    /// Adds the same kept text several times.
    pub(crate) fn repeat_known(&mut self, text: KnownText, times: usize) {
        self.indices.extend(std::iter::repeat_n(text.index, times));
    }

    fn append(&mut self, more: &Self) {
        let moved: Vec<u32> = more.words.iter().map(|text| self.know(text).index).collect();
        self.indices.extend(more.indices.iter().map(|index| moved[*index as usize]));
    }

    /// Removes all rows. Texts are kept for the next rows unless there are many.
    fn clear(&mut self) {
        self.indices.clear();
        if self.words.len() > MAX_WORDS {
            *self = Self { epoch: self.epoch.wrapping_add(1), ..Self::default() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::DECISIONS;

    #[test]
    fn texts_are_forgotten_once_there_are_many() {
        let mut texts = Texts::default();
        let first = texts.know("first");
        texts.clear();
        assert!(texts.knows(first));
        (0..=MAX_WORDS).for_each(|number| texts.push(&number.to_string()));
        texts.clear();
        assert!(!texts.knows(first));
        texts.push("again");
        assert_eq!((texts.get(0), texts.get(1)), (Some("again"), None));
    }

    #[test]
    fn appended_rows_keep_their_texts() {
        let batch = |words: &str| {
            let mut batch = Batch::new(&DECISIONS);
            let values = [Value::Text("c"), Value::Double(1.0), Value::Number(2), Value::Text("landed")];
            let [capture, time, entity, kind] = values;
            batch.push([capture, time, entity, kind, Value::Number(3), Value::Text(words)]);
            batch
        };
        let mut all = batch("one");
        all.append(&batch("two"));
        all.append(&batch("one"));
        let Some(Values::Text(words)) = all.column("words").map(Column::values) else { panic!("texts") };
        assert_eq!([0, 1, 2].map(|row| words.get(row).unwrap_or("none")), ["one", "two", "one"]);
        assert_eq!(all.rows(), 3);
    }
}
