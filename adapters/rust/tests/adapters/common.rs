//! The adapters, ready to run, and runs of them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use evenstride_referee::{Mode, Score, Session, Settings, judge_file};
use evenstride_testkit::tools::output_of;
use tempfile::TempDir;

/// An adapter, and the folder with what was built of it.
pub(crate) struct Adapter {
    pub(crate) command: String,
    pub(crate) folder: Option<TempDir>,
}

impl Adapter {
    pub(crate) fn rust() -> Self {
        Self { command: quoted(Path::new(env!("CARGO_BIN_EXE_evenstride-adapter"))), folder: None }
    }

    /// Copies the adapter, so that tests can change it.
    pub(crate) fn python() -> Self {
        let folder = copy_of("python");
        let version = || tool("python3", &["--version"]);
        assert!(output_of(version, &["python3"]).status.success());
        let command = format!("python3 -B {}", quoted(&folder.path().join("adapter.py")));
        Self { command, folder: Some(folder) }
    }

    pub(crate) fn csharp() -> Self {
        let folder = copy_of("csharp");
        let program = compile_csharp(&folder, files(folder.path(), "cs"));
        Self { command: format!("mono {}", quoted(&program)), folder: Some(folder) }
    }

    /// Compiles the C# package with the adapter. All files of `csharp` but its own body are shared.
    pub(crate) fn csharp_native() -> Self {
        let folder = copy_of("csharp-native");
        let mut sources = files(folder.path(), "cs");
        let shared = ["Adapter", "Calls", "Json", "Space"];
        sources.extend(shared.map(|name| root().join(format!("adapters/csharp/{name}.cs"))));
        sources.extend(files(&root().join("bindings/csharp/Evenstride"), "cs"));
        let program = compile_csharp(&folder, sources);
        // Cargo puts the C library, which is a dependency of these tests, beside them.
        let tests = std::env::current_exe().unwrap();
        let library = tests.parent().unwrap();
        assert!(library.join("libevenstride_ffi.so").is_file(), "no C library in {}", library.display());
        let command = format!("LD_LIBRARY_PATH={} mono {}", quoted(library), quoted(&program));
        Self { command, folder: Some(folder) }
    }

    /// Completes the npm package beside the adapter.
    pub(crate) fn javascript() -> Self {
        let folder = copy_of("javascript");
        let version = || tool("node", &["--version"]);
        assert!(output_of(version, &["nodejs"]).status.success());
        let package = folder.path().join("node_modules/evenstride");
        fs::create_dir_all(&package).unwrap();
        for name in ["package.json", "node.js", "browser.js", "evenstride.d.ts"] {
            fs::copy(root().join("bindings/js").join(name), package.join(name)).unwrap();
        }
        fs::write(package.join("evenstride.js"), evenstride_report::core_script()).unwrap();
        let mut wasm = flate2::read::GzDecoder::new(evenstride_report::core_wasm_gz());
        let mut file = fs::File::create(package.join("evenstride_bg.wasm")).unwrap();
        std::io::copy(&mut wasm, &mut file).unwrap();
        Self { command: format!("node {}", quoted(&folder.path().join("adapter.mjs"))), folder: Some(folder) }
    }
}

const MONO: [&str; 3] = ["mono-mcs", "mono-runtime", "libmono-system-core4.0-cil"];

/// Runs a program against traces.
pub(crate) fn score(command: &str, mode: Mode, traces: &[PathBuf]) -> (Score, Session) {
    let settings = Settings { command: command.to_owned(), timeout: Duration::from_secs(60), mode };
    let mut session = Session::new(settings);
    let judged = traces.iter().map(|path| judge_file(&mut session, path)).collect();
    (Score { judged }, session)
}

pub(crate) fn golden() -> PathBuf {
    root().join("testdata/golden")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn tool(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// Copies an adapter to a folder of its own.
fn copy_of(name: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source = root().join("adapters").join(name);
    for entry in fs::read_dir(&source).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
        }
    }
    folder
}

/// Compiles C# to a program for Mono, which is put into a folder.
fn compile_csharp(folder: &TempDir, sources: Vec<PathBuf>) -> PathBuf {
    let program = folder.path().join("adapter.exe");
    let compiler = || {
        let mut compiler = tool("mcs", &["-langversion:7.2", "-unsafe", "-warnaserror", "-out:adapter.exe"]);
        compiler.args(&sources).current_dir(folder.path());
        compiler
    };
    let output = output_of(compiler, &MONO);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|of| of == extension)).collect()
}

/// Returns a path as a word of the shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}
