//! Builds of the library, and of programs in C, C++ and C# that use it.

use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};

use crate::{
    command::{cargo, succeed},
    root,
};

/// The built library, as `libevenstride_ffi.a` and `libevenstride_ffi.so`.
pub(super) struct Library {
    pub(super) folder: PathBuf,
}

impl Library {
    /// Builds the library with a profile of cargo.
    pub(super) fn build(profile: &str) -> Result<Self> {
        succeed(&mut cargo(&["build", "--quiet", "-p", "evenstride_ffi", "--profile", profile]))?;
        let name = if profile == "dev" { "debug" } else { profile };
        Ok(Self { folder: target().join(name) })
    }
}

fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Returns the folder for programs of this step.
pub(super) fn folder() -> Result<PathBuf> {
    let folder = target().join("native");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Compiles one source of C or C++ with the static library. Returns the program.
pub(super) fn compile_c(
    compiler: &str,
    standard: &str,
    flags: &[&str],
    source: &str,
    library: &Library,
    name: &str,
) -> Result<PathBuf> {
    let program = folder()?.join(name);
    let mut command = Command::new(compiler);
    command.current_dir(root()).arg(format!("-std={standard}")).args(flags);
    command.args(["-Ibindings/c/include", source]).arg(library.folder.join("libevenstride_ffi.a"));
    succeed(command.args(["-lpthread", "-ldl", "-lm", "-o"]).arg(&program))?;
    Ok(program)
}

/// Compiles C# to a program for Mono.
pub(super) fn compile_csharp(sources: &[&str], name: &str) -> Result<PathBuf> {
    let program = folder()?.join(name);
    let mut command = Command::new("mcs");
    command.current_dir(root()).args(["-langversion:7.2", "-unsafe", "-optimize", "-warnaserror", "-nologo"]);
    command.args(sources).arg(format!("-out:{}", program.display()));
    succeed(&mut command)?;
    Ok(program)
}

/// Runs a C# program with the shared library. Returns what it printed.
pub(super) fn run_mono(library: &Library, program: &Path, arguments: &[&OsStr]) -> Result<String> {
    let mut command = Command::new("mono");
    command.arg(program).args(arguments).env("LD_LIBRARY_PATH", &library.folder);
    let output = command.output().with_context(|| format!("mono {}", program.display()))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    print!("{said}");
    ensure!(
        output.status.success(),
        "{} failed ({}): {}",
        program.display(),
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(said)
}
