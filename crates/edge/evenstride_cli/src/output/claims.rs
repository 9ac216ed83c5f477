//! Checks that no output is also an input or another output, before anything is written.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use same_file::Handle;

use super::{
    file::{is_dash, is_standard_output, target_of},
    one_line,
};

/// The files that a command reads.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// Description and path of each file.
    files: Vec<(&'static str, PathBuf)>,
}

impl Inputs {
    /// Adds a file. The path `-` is standard input.
    #[must_use]
    pub(crate) fn with(mut self, what: &'static str, path: &Path) -> Self {
        self.files.push((what, path.to_owned()));
        self
    }

    /// Adds several files.
    #[must_use]
    pub(crate) fn with_all<'a>(
        self,
        what: &'static str,
        paths: impl IntoIterator<Item = &'a PathBuf>,
    ) -> Self {
        paths.into_iter().fold(self, |inputs, path| inputs.with(what, path))
    }

    /// Checks that outputs differ from all inputs and from each other, by any name. The path `-` is
    /// standard output, which takes one output.
    pub(crate) fn check<'a>(&self, outputs: impl IntoIterator<Item = &'a Path>) -> Result<()> {
        let mut taken: Vec<(PathBuf, Option<Handle>)> = Vec::new();
        let mut dashes = 0;
        for path in outputs {
            if is_dash(path) {
                dashes += 1;
                if dashes > 1 {
                    bail!("-: standard output takes one output; name files for the others");
                }
                continue;
            }
            let name = path.display().to_string();
            let name = one_line(&name);
            let handle = handle_of(path);
            if let Some((what, _)) = self.files.iter().find(|(_, input)| is_same(input, handle.as_ref())) {
                bail!("{name}: is also an input ({what}) and would be overwritten; choose another output");
            }
            let is_device = path.starts_with("/dev") || path.starts_with("/proc");
            if handle.is_some() && !is_device && is_standard_output(path) {
                bail!("{name}: is also the standard output; choose another output");
            }
            let Some(place) = place_of(path) else { bail!("{name}: there is no such folder") };
            let is_taken = |(other, file): &(PathBuf, Option<Handle>)| {
                *other == place || (file.is_some() && *file == handle)
            };
            // Devices and pipes take any number of outputs.
            if (handle.is_some() || !path.exists()) && taken.iter().any(is_taken) {
                bail!("{name}: would be written twice; name each output once");
            }
            taken.push((place, handle));
        }
        Ok(())
    }
}

/// Returns whether an input is the file of an output. A missing file overwrites nothing.
fn is_same(input: &Path, output: Option<&Handle>) -> bool {
    let input = if input.as_os_str() == "-" { Handle::stdin().ok() } else { handle_of(input) };
    output.is_some() && input.as_ref() == output
}

/// Returns the identity of a regular file. A pipe is not opened, because that would wait for its
/// other end.
fn handle_of(path: &Path) -> Option<Handle> {
    if path.is_file() { Handle::from_path(path).ok() } else { None }
}

/// Returns the folder and name of a file, whether it exists or not, or `None` without such a folder.
fn place_of(path: &Path) -> Option<PathBuf> {
    let target = target_of(path);
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new(".")).canonicalize().ok()?;
    Some(folder.join(target.file_name()?))
}
