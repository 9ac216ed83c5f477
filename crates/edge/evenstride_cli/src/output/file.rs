//! Output files that appear whole or not at all.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use same_file::Handle;
use tempfile::NamedTempFile;

/// A file being written.
///
/// A regular file is written under another name in the same folder, and takes its place in
/// [`OutputFile::commit`]. Until then, an earlier file of that name stays whole. A failure removes
/// the unfinished file. If a signal ends the program, the unfinished file remains, with the
/// extension `part`. Devices and pipes are written directly.
pub(crate) struct OutputFile {
    path: PathBuf,
    out: Out,
    /// Number of bytes written so far.
    pub(crate) bytes: u64,
}

enum Out {
    Replacing(BufWriter<NamedTempFile>, PathBuf),
    Direct(BufWriter<Box<dyn Write + Send>>),
}

impl Out {
    fn direct(out: impl Write + Send + 'static) -> Self {
        Self::Direct(BufWriter::with_capacity(BUFFER_BYTES, Box::new(out)))
    }
}

/// Number of bytes that are written at once.
const BUFFER_BYTES: usize = 1 << 16;

impl OutputFile {
    /// Starts a file. The path `-` is standard output.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let cannot = || format!("{}: cannot be written", path.display());
        if is_dash(path) {
            return Ok(Self {
                path: PathBuf::from("standard output"),
                out: Out::direct(io::stdout()),
                bytes: 0,
            });
        }
        let out = match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => bail!("{}: is a folder", path.display()),
            Ok(metadata) if !metadata.is_file() => {
                Out::direct(File::options().write(true).open(path).with_context(cannot)?)
            }
            Ok(_) if is_standard_output(path) => Out::direct(io::stdout()),
            Ok(metadata) => {
                // A file that must not be written must not be replaced either.
                File::options().write(true).open(path).with_context(cannot)?;
                let mut beside = unfinished(&target_of(path))?;
                let same = metadata.permissions();
                beside.as_file_mut().set_permissions(same).with_context(cannot)?;
                Out::Replacing(BufWriter::with_capacity(BUFFER_BYTES, beside), target_of(path))
            }
            Err(_) => {
                let target = target_of(path);
                Out::Replacing(BufWriter::with_capacity(BUFFER_BYTES, unfinished(&target)?), target)
            }
        };
        Ok(Self { path: path.to_owned(), out, bytes: 0 })
    }

    /// Writes a whole file.
    pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
        let mut file = Self::create(path)?;
        file.write_all(bytes).with_context(|| path.display().to_string())?;
        file.commit()
    }

    /// Ends the file and gives it its name.
    pub(crate) fn commit(self) -> Result<()> {
        let name = || self.path.display().to_string();
        match self.out {
            Out::Direct(mut file) => file.flush().with_context(name),
            Out::Replacing(file, target) => {
                let beside = file.into_inner().map_err(io::IntoInnerError::into_error).with_context(name)?;
                beside.persist(target).map_err(|error| error.error).with_context(name)?;
                Ok(())
            }
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.out {
            Out::Replacing(file, _) => file.write(bytes)?,
            Out::Direct(file) => file.write(bytes)?,
        };
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Out::Replacing(file, _) => file.flush(),
            Out::Direct(file) => file.flush(),
        }
    }
}

/// Returns whether an output is named `-`, which is standard output.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Creates an unfinished file beside its target.
fn unfinished(target: &Path) -> Result<NamedTempFile> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    let mut prefix = target.file_name().unwrap_or_default().to_owned();
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder).with_context(|| {
        format!("{}: cannot be written, because its folder cannot be written to", target.display())
    })
}

/// Returns whether the path of a regular file leads to this program's standard output, like
/// `/dev/stdout`. The file behind it must not be replaced.
pub(super) fn is_standard_output(path: &Path) -> bool {
    matches!((Handle::from_path(path), Handle::stdout()), (Ok(file), Ok(output)) if file == output)
}

/// Returns the file that a path leads to through symbolic links, whether it exists or not.
pub(super) fn target_of(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&target) else { break };
        target = target.parent().map_or_else(|| next.clone(), |folder| folder.join(&next));
    }
    target
}

/// Largest number of symbolic links that are followed, as in Linux.
const MAX_LINKS: usize = 40;
