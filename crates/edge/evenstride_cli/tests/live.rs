//! Relay, server and client as their users run them, on the loopback interface.

use std::{
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_evenstride"))
}

fn run(args: &[&str]) -> Output {
    program().args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../testdata/captures").join(name)
}

/// A command that runs until it is told to end. It is ended when the test fails.
struct Running(Child);

impl Running {
    fn start(args: &[&str]) -> Self {
        Self(program().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// Returns the address after a phrase in the first lines of a stream.
    fn address(stream: impl Read, phrase: &str) -> (String, impl BufRead) {
        let mut stream = BufReader::new(stream);
        let mut line = String::new();
        while !line.contains(phrase) {
            line.clear();
            assert!(stream.read_line(&mut line).unwrap() > 0, "it ended before `{phrase}`");
        }
        let rest = line.split(phrase).nth(1).unwrap().trim();
        (rest.split(' ').next().unwrap().to_owned(), stream)
    }

    /// Presses Ctrl-C and returns exit code and output.
    #[cfg(unix)]
    fn interrupt(mut self) -> (Option<i32>, String) {
        let killed = Command::new("kill").args(["-INT", &self.0.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let code = self.0.wait().unwrap().code();
        let mut out = String::new();
        if let Some(stream) = &mut self.0.stdout {
            stream.read_to_string(&mut out).unwrap();
        }
        (code, out)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(unix)]
#[test]
fn a_session_through_a_relay_is_recorded_and_ctrl_c_completes_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.pcap");
    let name = path.to_str().unwrap();
    let mut server = Running::start(&["serve", "chase-5hz", "--port", "0"]);
    let (at, mut out) = Running::address(server.0.stdout.take().unwrap(), " at ");
    let mut relay = Running::start(&["relay", "--server", &at, "--listen", "127.0.0.1:0", "--record", name]);
    let (through, _notes) = Running::address(relay.0.stderr.take().unwrap(), "relay from ");
    for ports in [&[][..], &["--two-ports"]] {
        let args = [&["join", through.as_str(), "--seconds", "2", "--account", "who-is-it"], ports].concat();
        let joined = run(&args);
        let heard = text(&joined.stdout);
        assert_eq!(joined.status.code(), Some(0), "{heard}{}", text(&joined.stderr));
        assert!(heard.contains("server              chase-5hz") && heard.contains("F745 Create"), "{heard}");
    }
    let (code, summary) = relay.interrupt();
    assert_eq!(code, Some(0), "{summary}");
    assert!(summary.contains("client addresses    3") && !summary.contains("dropped"), "{summary}");

    let ports = at.rsplit_once(':').unwrap().1.parse::<u16>().unwrap();
    let ports = format!("{ports}-{}", ports + 1);
    let inspected = run(&["inspect", name, "--server-ports", &ports]);
    let found = text(&inspected.stdout);
    assert_eq!(inspected.status.code(), Some(0), "{found}");
    for line in ["checksum failures   0 of", "faults              0", "decode errors       0"] {
        assert!(found.contains(line), "no `{line}` in {found}");
    }
    let (code, _) = server.interrupt();
    let mut summary = String::new();
    out.read_to_string(&mut summary).unwrap();
    assert_eq!(code, Some(0));
    assert!(summary.contains("2 sessions"), "{summary}");
}

#[test]
fn a_recording_is_served_with_its_messages() {
    let capture = testdata("seven-turns.pcap");
    let mut server = Running::start(&["serve", "--capture", capture.to_str().unwrap(), "--port", "0"]);
    let (at, _out) = Running::address(server.0.stdout.take().unwrap(), " at ");
    let joined = run(&["join", &at, "--seconds", "3", "--messages"]);
    let heard = text(&joined.stdout);
    assert_eq!(joined.status.code(), Some(0), "{heard}{}", text(&joined.stderr));
    assert!(heard.contains("server              seven-turns.pcap"), "{heard}");
    assert!(heard.lines().any(|line| line.contains("F748 Position 0x5")), "{heard}");
}

#[test]
fn mistakes_are_named_and_end_with_2() {
    let taken: Vec<_> = (0..20).map(|_| std::net::UdpSocket::bind("127.0.0.1:0").unwrap()).collect();
    let mut ports = taken.iter().map(|socket| socket.local_addr().unwrap().port());
    let port = ports.find(|port| port.is_multiple_of(2)).unwrap().to_string();
    let folder = tempfile::tempdir().unwrap();
    let existing = folder.path().join("old.pcap");
    std::fs::write(&existing, "something").unwrap();
    let existing = existing.to_str().unwrap();
    for (args, words) in [
        (&["serve", "chase-5hz", "--port", port.as_str()][..], "is in use"),
        (&["serve", "chase-6hz"], "chase-5hz"),
        (&["serve", "--port", "65535"], "use 65534"),
        (&["join", "127.0.0.1:0"], "port 0 is no server"),
        (&["serve", "--link", "fine"], "cellular"),
        (&["serve", "--capture", existing], "old.pcap"),
        (&["join", "no-such-host.invalid:9000"], "no such host"),
        (&["join", "127.0.0.1"], "HOST:PORT"),
        (&["relay", "--server", "nowhere.invalid:9000"], "no such host"),
        (&["relay", "--server", "127.0.0.1:9000"], "the server's own ports"),
        (
            &["relay", "--server", "192.0.2.1:9000", "--listen", "127.0.0.1:0", "--record", existing],
            "exists already",
        ),
        (&["relay", "--server", "192.0.2.1:9000", "--ring", "5"], "is not a size"),
    ] {
        let output = run(args);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(words), "{args:?}: {error}");
    }
}
