//! Reads Parquet files from elsewhere, row by row.
//!
//! The bytes are untrusted. `pages.rs` checks the nesting of columns and the size of every page before anything
//! is unpacked, and a panic of the reader becomes an error.

mod compact;
mod pages;

use std::{
    fs::File,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
};

use parquet::{
    file::reader::{FileReader, SerializedFileReader},
    record::Field,
    schema::types::{Type, TypePtr},
};

use crate::error::TableError;

/// A value of a row as text, or `None` if it is missing.
pub type Cell = Option<String>;

/// A Parquet file from elsewhere, and its columns of interest.
pub struct ForeignRows {
    reader: SerializedFileReader<File>,
    projection: Type,
    names: Vec<String>,
    rows: u64,
}

impl std::fmt::Debug for ForeignRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ForeignRows").field("names", &self.names).finish_non_exhaustive()
    }
}

impl ForeignRows {
    /// Opens a file. Only columns whose names are wanted are read, and of those only numbers and texts.
    ///
    /// # Errors
    /// If the file is damaged, is compressed in an unknown way, has no such column, or exceeds a limit.
    pub fn open(path: &Path, is_wanted: &dyn Fn(&str) -> bool, max_rows: u64) -> Result<Self, TableError> {
        let file = File::open(path)?;
        pages::check_metadata(&file)?;
        guarded(|| {
            let reader = SerializedFileReader::new(file.try_clone()?)?;
            let schema = reader.metadata().file_metadata().schema();
            let rows = u64::try_from(reader.metadata().file_metadata().num_rows()).unwrap_or(0);
            if rows > max_rows {
                return Err(TableError::TooLarge { what: "number of rows", found: rows, limit: max_rows });
            }
            let is_taken =
                |field: &&TypePtr| field.is_primitive() && !is_list(field) && is_wanted(field.name());
            let fields: Vec<TypePtr> = schema.get_fields().iter().filter(is_taken).cloned().collect();
            if fields.is_empty() {
                let known: Vec<&str> =
                    schema.get_fields().iter().map(|field| field.name()).take(40).collect();
                return Err(TableError::Parquet(format!(
                    "no column is known; columns are {}",
                    known.join(", ")
                )));
            }
            let names: Vec<String> = fields.iter().map(|field| field.name().to_owned()).collect();
            pages::check(&file, reader.metadata(), &names)?;
            let projection = Type::group_type_builder(schema.name()).with_fields(fields).build()?;
            Ok(Self { reader, projection, names, rows })
        })
    }

    /// Returns the number of rows.
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// Calls `take` with every row, as names and values of its columns, until that fails.
    ///
    /// # Errors
    /// The error of `take`, or that of a damaged file.
    pub fn each<E: From<TableError>>(
        &self,
        mut take: impl FnMut(&[(String, Cell)]) -> Result<(), E>,
    ) -> Result<(), E> {
        let iterator = guarded(|| self.reader.get_row_iter(Some(self.projection.clone())));
        let mut rows = iterator.map_err(E::from)?;
        let mut cells: Vec<(String, Cell)> = self.names.iter().map(|name| (name.clone(), None)).collect();
        for _ in 0..self.rows {
            let Some(row) = guarded(|| rows.next().transpose()).map_err(E::from)? else { break };
            for ((_, cell), (_, field)) in cells.iter_mut().zip(row.get_column_iter()) {
                *cell = text_of(field);
            }
            take(&cells)?;
        }
        Ok(())
    }
}

fn is_list(field: &Type) -> bool {
    field.get_basic_info().has_repetition()
        && field.get_basic_info().repetition() == parquet::basic::Repetition::REPEATED
}

/// Returns a value as text. A number reads back unchanged.
fn text_of(field: &Field) -> Cell {
    Some(match field {
        Field::Null => return None,
        Field::Bool(value) => value.to_string(),
        Field::Byte(value) => value.to_string(),
        Field::Short(value) => value.to_string(),
        Field::Int(value) => value.to_string(),
        Field::Long(value) => value.to_string(),
        Field::UByte(value) => value.to_string(),
        Field::UShort(value) => value.to_string(),
        Field::UInt(value) => value.to_string(),
        Field::ULong(value) => value.to_string(),
        Field::Float(value) => value.to_string(),
        Field::Double(value) => value.to_string(),
        Field::Str(value) => value.clone(),
        Field::Bytes(value) => String::from_utf8_lossy(value.data()).into_owned(),
        _ => return None,
    })
}

/// Runs a part of the reader, whose panics are errors.
fn guarded<T, E: Into<TableError>>(run: impl FnOnce() -> Result<T, E>) -> Result<T, TableError> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => result.map_err(Into::into),
        Err(_) => Err(TableError::Parquet("the file is damaged".to_owned())),
    }
}
