//! Errors.

use std::io;

use thiserror::Error;

/// The reason why a table cannot be written or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// The output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The Parquet writer or reader refused.
    #[error("Parquet: {0}")]
    Parquet(String),
    /// A file needs more memory than is allowed.
    #[error("{what} of {found} exceeds {limit}; split the file")]
    TooLarge {
        /// The measure.
        what: &'static str,
        /// Its value in the file.
        found: u64,
        /// The largest allowed value.
        limit: u64,
    },
}

impl From<parquet::errors::ParquetError> for TableError {
    fn from(error: parquet::errors::ParquetError) -> Self {
        match error {
            parquet::errors::ParquetError::External(inner) if inner.is::<io::Error>() => inner
                .downcast::<io::Error>()
                .map_or_else(|other| Self::Parquet(other.to_string()), |io| Self::Io(*io)),
            other => Self::Parquet(other.to_string()),
        }
    }
}
