//! Writes batches as a Parquet file.
//!
//! Floats are stored byte by byte (`BYTE_STREAM_SPLIT`), so that the bytes that rarely change lie side by
//! side. Everything else is stored as indices of a dictionary.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};

use parquet::{
    basic::{Compression, Encoding, GzipLevel, IntType, LogicalType, Repetition, Type as Physical},
    data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int32Type},
    file::{
        metadata::KeyValue,
        properties::{EnabledStatistics, WriterProperties, WriterVersion},
        writer::{SerializedColumnWriter, SerializedFileWriter},
    },
    schema::types::{ColumnPath, Type},
};

use crate::{
    batch::{Batch, Column, Texts, Values},
    error::TableError,
    sink::BatchSink,
    table::{ColumnKind, ColumnSpec, TableSpec},
};

/// Rows of a row group. Readers work on several groups at once, and a group of tracks takes 12 MB.
pub const GROUP_ROWS: usize = 122_880;

/// The compression of a file. All of them are pure Rust, and zstd is not among them for that reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Codec {
    /// Not compressed.
    Plain,
    /// Snappy, which is fast and which every reader knows.
    Snappy,
    /// LZ4 without frames.
    Lz4,
    /// Gzip of the fastest level, which every reader knows too and which is the smallest.
    #[default]
    Gzip,
}

impl Codec {
    /// All codecs.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Snappy, Self::Lz4, Self::Gzip];

    fn compression(self) -> Compression {
        match self {
            Self::Plain => Compression::UNCOMPRESSED,
            Self::Snappy => Compression::SNAPPY,
            Self::Lz4 => Compression::LZ4_RAW,
            Self::Gzip => Compression::GZIP(GzipLevel::try_new(GZIP_LEVEL).unwrap_or_default()),
        }
    }
}

const GZIP_LEVEL: u32 = 1;

/// A Parquet file that is being written.
pub struct ParquetTable<W: Write + Send> {
    spec: &'static TableSpec,
    file: SerializedFileWriter<Noting<W>>,
    failure: Failure,
}

/// The first failure of an output. The Parquet writer turns some of them into errors of its own, and a full
/// disk must not look like a fault of a capture.
#[derive(Clone, Debug, Default)]
struct Failure(Arc<Mutex<Option<io::Error>>>);

impl Failure {
    fn note<T>(&self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let copy = io::Error::new(error.kind(), error.to_string());
            // It is the same call again, and no failure.
            if error.kind() != io::ErrorKind::Interrupted {
                self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
            copy
        })
    }

    /// Returns the failure of the output, if it had one, or else what the writer said.
    fn or(&self, said: impl Into<TableError>) -> TableError {
        let failure = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or_else(|| said.into(), TableError::Io)
    }
}

/// An output whose first failure is kept.
struct Noting<W> {
    out: W,
    failure: Failure,
}

impl<W: Write> Write for Noting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.failure.note(self.out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.failure.note(self.out.flush())
    }
}

impl<W: Write + Send> std::fmt::Debug for ParquetTable<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetTable").field("table", &self.spec.name).finish_non_exhaustive()
    }
}

impl<W: Write + Send> ParquetTable<W> {
    /// Starts a file.
    ///
    /// # Errors
    /// If the output fails.
    pub fn new(out: W, spec: &'static TableSpec, codec: Codec) -> Result<Self, TableError> {
        let failure = Failure::default();
        let out = Noting { out, failure: failure.clone() };
        let (schema, properties) = (Arc::new(schema(spec)?), Arc::new(properties(spec, codec)));
        let file = SerializedFileWriter::new(out, schema, properties).map_err(|error| failure.or(error))?;
        Ok(Self { spec, file, failure })
    }

    /// Returns the number of bytes written so far.
    pub fn bytes(&self) -> u64 {
        self.file.bytes_written() as u64
    }

    /// Ends the file, with what is known about it, and returns the output.
    ///
    /// # Errors
    /// If the output fails.
    pub fn finish(mut self, facts: &[(&str, String)]) -> Result<W, TableError> {
        for (key, value) in facts {
            self.file.append_key_value_metadata(KeyValue::new(format!("evenstride.{key}"), value.clone()));
        }
        let written = self.file.into_inner().map_err(|error| self.failure.or(error))?;
        Ok(written.out)
    }
}

impl<W: Write + Send> BatchSink for ParquetTable<W> {
    fn group_rows(&self) -> usize {
        GROUP_ROWS
    }

    /// Writes a row group.
    fn take(&mut self, batch: &mut Batch) -> Result<(), TableError> {
        self.write_group(batch).map_err(|error| self.failure.or(error))?;
        batch.clear();
        Ok(())
    }
}

impl<W: Write + Send> ParquetTable<W> {
    fn write_group(&mut self, batch: &Batch) -> Result<(), TableError> {
        let mut group = self.file.next_row_group()?;
        for column in batch.columns() {
            let Some(mut writer) = group.next_column()? else { break };
            write_column(&mut writer, column)?;
            writer.close()?;
        }
        group.close()?;
        Ok(())
    }
}

fn write_column(writer: &mut SerializedColumnWriter<'_>, column: &Column) -> Result<(), TableError> {
    let present = column.present.as_deref();
    match &column.values {
        Values::Double(values) => write::<DoubleType>(writer, values, present),
        Values::Float(values) => write::<FloatType>(writer, values, present),
        Values::Flag(values) => write::<BoolType>(writer, values, present),
        Values::Number(values) => {
            // Parquet stores unsigned numbers in signed ones, bit by bit.
            let values: Vec<i32> = values.iter().map(|value| value.cast_signed()).collect();
            write::<Int32Type>(writer, &values, present)
        }
        Values::Text(texts) => write::<ByteArrayType>(writer, &byte_arrays(texts), present),
    }
}

fn byte_arrays(texts: &Texts) -> Vec<ByteArray> {
    let words: Vec<ByteArray> =
        texts.words.iter().map(|word| ByteArray::from(word.as_bytes().to_vec())).collect();
    texts.indices.iter().map(|index| words[*index as usize].clone()).collect()
}

fn write<T: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    values: &[T::T],
    present: Option<&[bool]>,
) -> Result<(), TableError> {
    let typed = writer.typed::<T>();
    match present {
        None => typed.write_batch(values, None, None)?,
        Some(present) => {
            let levels: Vec<i16> = present.iter().map(|is_there| i16::from(*is_there)).collect();
            let there: Vec<T::T> = values
                .iter()
                .zip(present)
                .filter(|(_, is_there)| **is_there)
                .map(|(value, _)| value.clone())
                .collect();
            typed.write_batch(&there, Some(&levels), None)?
        }
    };
    Ok(())
}

fn schema(spec: &TableSpec) -> Result<Type, TableError> {
    let fields = spec.columns.iter().map(|column| field(column).map(Arc::new)).collect::<Result<_, _>>()?;
    Ok(Type::group_type_builder(spec.name).with_fields(fields).build()?)
}

fn field(column: &ColumnSpec) -> Result<Type, TableError> {
    let (physical, logical) = match column.kind {
        ColumnKind::Double => (Physical::DOUBLE, None),
        ColumnKind::Float => (Physical::FLOAT, None),
        ColumnKind::Flag => (Physical::BOOLEAN, None),
        ColumnKind::Number => {
            (Physical::INT32, Some(LogicalType::Integer(IntType { bit_width: 32, is_signed: false })))
        }
        ColumnKind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let repetition = if column.is_optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let builder = Type::primitive_type_builder(column.name, physical).with_repetition(repetition);
    Ok(builder.with_logical_type(logical).build()?)
}

fn properties(spec: &TableSpec, codec: Codec) -> WriterProperties {
    let mut builder = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by(format!("evenstride {}", env!("CARGO_PKG_VERSION")))
        .set_compression(codec.compression())
        .set_statistics_enabled(EnabledStatistics::Chunk);
    for column in spec.columns {
        let is_dense =
            column.kind == ColumnKind::Float || (column.kind == ColumnKind::Double && column.name != "time");
        if is_dense {
            let path = ColumnPath::from(column.name);
            builder = builder.set_column_dictionary_enabled(path.clone(), false);
            builder = builder.set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT);
        }
    }
    builder.build()
}
