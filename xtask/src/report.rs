//! Findings of a step.

/// Number of checks of one step that passed, and the problems of the others.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) passed: usize,
    pub(crate) failures: Vec<String>,
}

impl Findings {
    /// Returns one check that passed.
    pub(crate) fn one_pass() -> Self {
        Self { passed: 1, failures: Vec::new() }
    }

    /// Returns one check that failed.
    pub(crate) fn one_failure(what: impl Into<String>) -> Self {
        Self { passed: 0, failures: vec![what.into()] }
    }

    /// Returns one check, passed or failed.
    pub(crate) fn from_result(result: anyhow::Result<()>) -> Self {
        match result {
            Ok(()) => Self::one_pass(),
            Err(error) => Self::one_failure(format!("{error:#}")),
        }
    }

    pub(crate) fn absorb(&mut self, other: Self) {
        self.passed += other.passed;
        self.failures.extend(other.failures);
    }
}
