//! A table for Python.

use std::sync::Arc;

use evenstride_archive::{Batch, Column, Values};
use numpy::{PyArray1, ToPyArray};
use pyo3::{
    exceptions::PyKeyError,
    prelude::*,
    types::{PyCapsule, PyList},
};

use crate::arrow::{Schema, Stream};

/// Rows of a capture, with a column for each value.
#[pyclass(frozen, module = "evenstride")]
pub(crate) struct Table {
    pub(crate) batch: Arc<Batch>,
}

#[pymethods]
impl Table {
    /// Name of the table.
    #[getter]
    fn name(&self) -> &'static str {
        self.batch.spec().name
    }

    /// Names of all columns.
    #[getter]
    fn columns(&self) -> Vec<&'static str> {
        self.batch.columns().iter().map(|column| column.spec().name).collect()
    }

    /// Returns the meaning of a column.
    fn describe(&self, column: &str) -> PyResult<&'static str> {
        Ok(self.column(column)?.spec().what)
    }

    fn __len__(&self) -> usize {
        self.batch.rows()
    }

    fn __repr__(&self) -> String {
        format!(
            "evenstride.Table({}, {} rows, {} columns)",
            self.name(),
            self.batch.rows(),
            self.columns().len()
        )
    }

    fn __contains__(&self, column: &str) -> bool {
        self.batch.column(column).is_some()
    }

    /// Returns a column as an array of numpy. A missing float is NaN, and `present` tells which other values are
    /// missing.
    fn __getitem__<'py>(&self, py: Python<'py>, column: &str) -> PyResult<Bound<'py, PyAny>> {
        let column = self.column(column)?;
        let present = column.present();
        Ok(match column.values() {
            Values::Double(values) => with_gaps(values, present, f64::NAN).to_pyarray(py).into_any(),
            Values::Float(values) => with_gaps(values, present, f32::NAN).to_pyarray(py).into_any(),
            Values::Number(values) => values.to_pyarray(py).into_any(),
            Values::Flag(values) => values.to_pyarray(py).into_any(),
            Values::Text(texts) => {
                let words = texts.words.iter().map(|word| word.as_ref());
                let words: Vec<Bound<'py, PyAny>> =
                    words.map(|word| Ok(word.into_pyobject(py)?.into_any())).collect::<PyResult<_>>()?;
                let rows = texts.indices.iter().map(|index| words[*index as usize].clone().unbind());
                PyArray1::from_vec(py, rows.collect()).into_any()
            }
            _ => PyList::empty(py).into_any(),
        })
    }

    /// Returns for each row whether a column has a value.
    fn present<'py>(&self, py: Python<'py>, column: &str) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let column = self.column(column)?;
        Ok(match column.present() {
            Some(present) => present.to_pyarray(py),
            None => vec![true; self.batch.rows()].to_pyarray(py),
        })
    }

    /// Returns the schema for programs that read Arrow.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, Schema::of(&self.batch), c"arrow_schema")
    }

    /// Returns the rows for programs that read Arrow, such as pyarrow, pandas, polars and DuckDB.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A request for other types may be ignored.
        drop(requested_schema);
        PyCapsule::new_with_value(py, Stream::of(Arc::clone(&self.batch)), c"arrow_array_stream")
    }
}

impl Table {
    fn column(&self, name: &str) -> PyResult<&Column> {
        let missing = || PyKeyError::new_err(format!("{name}; columns are {}", self.columns().join(", ")));
        self.batch.column(name).ok_or_else(missing)
    }
}

/// Returns values with another one wherever none is there.
fn with_gaps<T: Copy>(values: &[T], present: Option<&[bool]>, gap: T) -> Vec<T> {
    match present {
        None => values.to_vec(),
        Some(present) => {
            values.iter().zip(present).map(|(value, is_there)| if *is_there { *value } else { gap }).collect()
        }
    }
}
