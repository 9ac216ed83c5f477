//! A world for notebooks.

use evenstride::{
    Config,
    generic::{Axes, PlainConfig, PlainPose, PlainUpdate, PlainWorld},
};
use evenstride_types::SimTime;
use numpy::{PyArray1, PyArray2, PyArrayMethods, ToPyArray};
use pyo3::{
    exceptions::{PyKeyError, PyValueError},
    prelude::*,
};

use crate::{guarded, profile_of};

/// Entities of any game, in flat coordinates.
#[pyclass(module = "evenstride")]
pub(crate) struct World {
    world: PlainWorld,
}

/// Entities, positions and rotations of all bodies.
type DrawnAll<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f32>>);

#[pymethods]
impl World {
    /// Creates a world without entities. `axes` is `z_up_y_forward`, `y_up_minus_z_forward`, `y_up_z_forward`,
    /// `z_up_x_forward` or `x_right_y_down`.
    #[new]
    #[pyo3(signature = (*, profile = "glide", axes = "z_up_y_forward", units_per_metre = 1.0, time = 0.0))]
    fn new(profile: &str, axes: &str, units_per_metre: f64, time: f64) -> PyResult<Self> {
        let motion: Config = profile_of(profile)?;
        let axes = match axes {
            "z_up_y_forward" => Axes::ZUpYForward,
            "y_up_minus_z_forward" => Axes::YUpMinusZForward,
            "y_up_z_forward" => Axes::YUpZForward,
            "z_up_x_forward" => Axes::ZUpXForward,
            "x_right_y_down" => Axes::XRightYDown,
            other => return Err(PyValueError::new_err(format!("axes: {other:?} is unknown"))),
        };
        let config = PlainConfig::default().with(|config| {
            (config.motion, config.axes, config.units_per_metre) = (motion, axes, units_per_metre);
        });
        let now = at(time)?;
        Ok(Self { world: guarded(|| Ok(PlainWorld::new(config, now)))? })
    }

    /// Moves time on, in seconds.
    fn advance(&mut self, py: Python<'_>, time: f64) -> PyResult<()> {
        let (now, world) = (at(time)?, &mut self.world);
        py.detach(|| {
            guarded(|| {
                let _ = world.advance(now);
                Ok(())
            })
        })
    }

    /// Handles an update about an entity. Returns how it was handled, in words.
    #[pyo3(signature = (time, entity, position, *, rotation = None, velocity = None, number = None, sent_at = None, teleports = false))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn update(
        &mut self,
        time: f64,
        entity: u64,
        position: [f64; 3],
        rotation: Option<[f32; 4]>,
        velocity: Option<[f32; 3]>,
        number: Option<u64>,
        sent_at: Option<f64>,
        teleports: bool,
    ) -> PyResult<String> {
        let mut pose = PlainPose::at(position);
        pose.rotation = rotation.unwrap_or(pose.rotation);
        let mut update = PlainUpdate::new(pose);
        update = velocity.map_or(update, |velocity| update.moving(velocity));
        update = number.map_or(update, |number| update.numbered(number));
        if let Some(sent_at) = sent_at {
            update = update.sent_at(at(sent_at)?);
        }
        let update = if teleports { update.teleporting() } else { update };
        let now = at(time)?;
        guarded(|| self.world.update(now, entity, &update).map_err(invalid))
            .map(|handled| handled.to_string())
    }

    /// Removes an entity. Returns whether it was there.
    fn remove(&mut self, entity: u64) -> PyResult<bool> {
        guarded(|| Ok(self.world.remove(entity)))
    }

    /// Returns the position (x, y, z) and rotation (x, y, z, w) at which an entity is drawn.
    fn drawn(&self, entity: u64, time: f64) -> PyResult<([f64; 3], [f32; 4])> {
        let now = at(time)?;
        let pose = guarded(|| Ok(self.world.drawn(entity, now)))?;
        let pose = pose.ok_or_else(|| PyKeyError::new_err(format!("{entity} is not in this world")))?;
        Ok((pose.position, pose.rotation))
    }

    /// Returns all entities, with their positions and rotations, as arrays.
    fn drawn_all<'py>(&self, py: Python<'py>, time: f64) -> PyResult<DrawnAll<'py>> {
        let now = at(time)?;
        let (mut entities, mut positions, mut rotations) = (Vec::new(), Vec::new(), Vec::new());
        guarded(|| {
            self.world.drawn_each(now, |drawn| {
                entities.push(drawn.entity);
                positions.extend(drawn.pose.position);
                rotations.extend(drawn.pose.rotation);
            });
            Ok(())
        })?;
        let count = entities.len();
        Ok((
            entities.to_pyarray(py),
            PyArray1::from_vec(py, positions).reshape([count, 3])?,
            PyArray1::from_vec(py, rotations).reshape([count, 4])?,
        ))
    }

    /// Records decisions about an entity, for `explain`.
    fn trace(&mut self, entity: u64) -> PyResult<()> {
        guarded(|| self.world.trace(entity).map_err(invalid))
    }

    /// Returns the recorded decisions about an entity as sentences, oldest first.
    fn explain(&self, entity: u64) -> PyResult<Vec<String>> {
        guarded(|| Ok(self.world.explain(entity).map(|decision| decision.to_string()).collect()))
    }

    fn __len__(&self) -> usize {
        self.world.len()
    }

    fn __contains__(&self, entity: u64) -> bool {
        self.world.key(entity).is_some()
    }
}

fn at(time: f64) -> PyResult<SimTime> {
    SimTime::from_secs(time).map_err(invalid)
}

fn invalid(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
