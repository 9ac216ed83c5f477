//! Evenstride for Python. The package `evenstride` in `python/` documents it.

mod arrow;
mod table;
mod world;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::Arc,
};

use evenstride::Config;
use evenstride_archive::{
    Batch, Capture, CaptureOptions, ConvertOptions, FrameScope, ReadError, TABLES, TableError,
    table_in_memory,
};
use evenstride_arena::{MAX_PICTURES, compete, received_paths, score as scores_of};
use evenstride_types::EntityId;
use pyo3::{
    exceptions::{PyFileNotFoundError, PyMemoryError, PyOSError, PyRuntimeError, PyValueError},
    prelude::*,
};

use crate::{table::Table, world::World};

/// Returns one of the five tables of a capture, with the rows of all of its connections.
#[pyfunction(name = "table")]
#[pyo3(signature = (name, path, *, fps = 60.0, profile = "glide", changed = false, entities = None, max_rows = 20_000_000))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
fn read_table(
    py: Python<'_>,
    name: &str,
    path: PathBuf,
    fps: f64,
    profile: &str,
    changed: bool,
    entities: Option<Vec<u32>>,
    max_rows: u64,
) -> PyResult<Table> {
    let spec = TABLES.into_iter().find(|spec| spec.name == name);
    let spec = spec.ok_or_else(|| PyValueError::new_err(format!("{name:?} is no table")))?;
    if spec.name != "tracks" && (changed || entities.is_some()) {
        return Err(PyValueError::new_err(format!(
            "changed and entities are for tracks, and not for {name}"
        )));
    }
    let options = ConvertOptions {
        profile: profile.to_owned(),
        config: profile_of(profile)?,
        fps: frame_rate(fps)?,
        frames: if changed { FrameScope::Changed } else { FrameScope::All },
        ..ConvertOptions::default()
    };
    let only: Vec<EntityId> = entities.unwrap_or_default().into_iter().map(EntityId::new).collect();
    py.detach(|| {
        guarded(|| {
            let mut all: Option<Batch> = None;
            let each = |capture: Capture| {
                let room = max_rows - all.as_ref().map_or(0, |batch| batch.rows() as u64);
                let batch = table_in_memory(&capture, &options, spec, &only, room).map_err(Failed::Table)?;
                match &mut all {
                    Some(all) => all.append(&batch),
                    None => all = Some(batch),
                }
                Ok(())
            };
            let read = Capture::read_each(&path, &CaptureOptions::default(), each);
            read.map_err(|error| match error {
                Failed::Read(error) => unreadable(&path, &error),
                Failed::Table(error) => failed(error),
            })?;
            Ok(Table { batch: Arc::new(all.unwrap_or_else(|| Batch::new(spec))) })
        })
    })
}

/// Returns the scores of all methods on a capture, as JSON.
#[pyfunction]
#[pyo3(signature = (path, *, fps = 60.0))]
fn score_json(py: Python<'_>, path: PathBuf, fps: f64) -> PyResult<String> {
    let fps = frame_rate(fps)?;
    py.detach(|| {
        guarded(|| {
            let script = read(&path)?.script;
            let (start, end) = script.span().unwrap_or_default();
            let mut truth = script.truth.clone();
            truth.retain(|entity, _| Some(*entity) != script.player);
            if truth.is_empty() {
                // Without a truth, the received positions are the measure.
                let room = (MAX_PICTURES / (fps * (end - start)).max(1.0)) as usize;
                let paths = received_paths(&script).into_iter().take(room.max(1));
                truth = paths.map(|(entity, _)| (entity, Vec::new())).collect();
            }
            if truth.is_empty() {
                return Err(PyValueError::new_err("no entity moves in it: nothing can be scored"));
            }
            if truth.len() as f64 * (end - start) * fps > MAX_PICTURES {
                return Err(PyValueError::new_err("too long to score at once; use a lower fps"));
            }
            let contest = compete(&script, &truth, &script.names, fps, end, None);
            serde_json::to_string(&scores_of(&contest))
                .map_err(|error| PyRuntimeError::new_err(error.to_string()))
        })
    })
}

/// Returns name, type, meaning and whether a value may be missing, for each column of a table.
#[pyfunction]
fn schema(name: &str) -> PyResult<Vec<(&'static str, &'static str, &'static str, bool)>> {
    let spec = TABLES.into_iter().find(|spec| spec.name == name);
    let spec = spec.ok_or_else(|| PyValueError::new_err(format!("{name:?} is no table")))?;
    let columns = spec.columns.iter();
    Ok(columns.map(|column| (column.name, column.kind.name(), column.what, column.is_optional)).collect())
}

/// The reason why a table cannot be made.
enum Failed {
    Read(ReadError),
    Table(TableError),
}

impl From<ReadError> for Failed {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

fn read(path: &Path) -> PyResult<Capture> {
    Capture::read(path).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &ReadError) -> PyErr {
    let named = format!("{}: {error}", path.display());
    match error {
        ReadError::Io(inner) if inner.kind() == std::io::ErrorKind::NotFound => {
            PyFileNotFoundError::new_err(named)
        }
        ReadError::Io(_) => PyOSError::new_err(named),
        _ => PyValueError::new_err(named),
    }
}

fn failed(error: TableError) -> PyErr {
    match error {
        TableError::TooLarge { .. } => PyMemoryError::new_err(format!(
            "{error}; use changed=True, entities=[…], a lower fps, a larger max_rows, or `evenstride archive`"
        )),
        other => PyRuntimeError::new_err(other.to_string()),
    }
}

fn frame_rate(fps: f64) -> PyResult<f64> {
    match fps {
        fps if (1.0..=1_000.0).contains(&fps) => Ok(fps),
        fps => Err(PyValueError::new_err(format!("fps: {fps} is not a frame rate from 1 to 1000"))),
    }
}

fn profile_of(name: &str) -> PyResult<Config> {
    match name {
        "retail" => Ok(Config::RETAIL),
        "acdream" => Ok(Config::ACDREAM),
        "smooth" => Ok(Config::SMOOTH),
        "glide" => Ok(Config::GLIDE),
        other => {
            Err(PyValueError::new_err(format!("profile: {other:?} is not retail, acdream, smooth or glide")))
        }
    }
}

/// Runs a function whose panics become errors of Python.
fn guarded<T>(run: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        Err(PyRuntimeError::new_err("evenstride made a mistake with this input; please report it"))
    })
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Table>()?;
    module.add_class::<World>()?;
    module.add_function(wrap_pyfunction!(read_table, module)?)?;
    module.add_function(wrap_pyfunction!(score_json, module)?)?;
    module.add_function(wrap_pyfunction!(schema, module)?)?;
    Ok(())
}
