//! A browser that does what it is told, over its own debugging protocol. Loopback only.

use std::{
    io::{BufRead, BufReader},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
    time::Duration,
};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket, stream::MaybeTlsStream};

use crate::ensure_packages;

/// How long an answer may take. One answer is a whole script, which waits for several things, on machines
/// that do other work besides.
const MAX_ANSWER_TIME: Duration = Duration::from_secs(600);

/// A browser with one page.
#[derive(Debug)]
pub struct Browser {
    process: Child,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: Option<String>,
    calls: u64,
    /// What the page said on its console that sounded like trouble.
    pub complaints: Vec<String>,
    /// Addresses that the page asked for, besides its own.
    pub requests: Vec<String>,
}

impl Browser {
    /// Opens an address in a window of a size. `folder` is for what the browser writes. `ears` is a script that runs before
    /// the page's own, which its content-security policy does not concern.
    pub fn open_at(address: &str, folder: &Path, ears: &str, [width, height]: [u32; 2]) -> Self {
        let mut process = Command::new(chromium())
            .args([
                "--headless=new",
                "--no-sandbox",
                "--use-angle=swiftshader",
                "--enable-unsafe-swiftshader",
            ])
            .args(["--remote-debugging-port=0", "--no-first-run", "--disable-background-networking"])
            .args(["--disable-component-update", "--disable-sync", "--disable-quic"])
            .arg(format!("--user-data-dir={}", folder.join("profile").display()))
            .arg("about:blank")
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("Chromium starts");
        let mut lines = BufReader::new(process.stderr.take().expect("piped")).lines();
        let listens_at = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.split_once("DevTools listening on ").map(|(_, address)| address.to_owned()))
            .expect("Chromium says where it listens");
        // Whatever else it has to say must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        let (socket, _) = tungstenite::connect(listens_at).expect("Chromium listens");
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(MAX_ANSWER_TIME)).expect("a timeout");
        }
        let mut browser =
            Self { process, socket, session: None, calls: 0, complaints: Vec::new(), requests: Vec::new() };
        let target = (0..50)
            .find_map(|_| {
                let targets = browser.call("Target.getTargets", &json!({}));
                let page = targets["targetInfos"].as_array()?.iter().find(|target| {
                    target["type"] == "page"
                        && target["url"].as_str().is_some_and(|url| url.starts_with("about:blank"))
                });
                let id = page.map(|page| page["targetId"].clone());
                if id.is_none() {
                    std::thread::sleep(Duration::from_millis(100));
                }
                id
            })
            .expect("a page");
        let attached = browser.call("Target.attachToTarget", &json!({ "targetId": target, "flatten": true }));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        browser.call("Runtime.enable", &json!({}));
        browser.call("Log.enable", &json!({}));
        browser.call("Page.enable", &json!({}));
        browser.call("Network.enable", &json!({}));
        browser.resize([width, height]);
        browser.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": ears }));
        browser.call("Page.navigate", &json!({ "url": address }));
        // A script that begins while the page is still coming is thrown away with what was there before it.
        let asked = json!({ "expression": "document.readyState + location.protocol", "returnByValue": true });
        for _ in 0..300 {
            if browser.call("Runtime.evaluate", &asked)["result"]["value"]
                .as_str()
                .is_some_and(|of| of.starts_with("complete") && of != "completeabout:")
            {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        browser
    }

    /// Changes the size of the window.
    pub fn resize(&mut self, [width, height]: [u32; 2]) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700 });
        self.call("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Runs a script, waits for what it promises, and answers it as text.
    pub fn evaluate(&mut self, script: &str) -> String {
        let asked = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", &asked);
        match answer["result"]["value"].as_str() {
            Some(text) => text.to_owned(),
            None => panic!("the script failed: {answer}"),
        }
    }

    fn call(&mut self, method: &str, params: &Value) -> Value {
        self.calls += 1;
        let mut call = json!({ "id": self.calls, "method": method, "params": params });
        if let Some(session) = &self.session {
            call["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(call.to_string())).expect("Chromium listens");
        loop {
            let Message::Text(text) = self.socket.read().expect("Chromium answers") else { continue };
            let message: Value = serde_json::from_str(&text).expect("JSON");
            if message["id"] == json!(self.calls) {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            self.overhear(&message);
        }
    }

    fn overhear(&mut self, message: &Value) {
        let params = &message["params"];
        if message["method"] == "Network.requestWillBeSent" && params["type"] != "Document" {
            self.requests.push(params["request"]["url"].to_string());
        }
        let is_trouble = match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => params["type"] == "error" || params["type"] == "warning",
            Some("Log.entryAdded") => params["entry"]["level"] == "error",
            _ => false,
        };
        if is_trouble {
            self.complaints.push(params.to_string());
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Where Chromium is; installed if it is not there. Tests run at the same time, so only the first one
/// installs it, and the others wait.
fn chromium() -> PathBuf {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    FOUND.get_or_init(|| find().unwrap_or_else(install)).clone()
}

fn install() -> PathBuf {
    let installed = ensure_packages(&["chromium"], || find().is_some());
    installed.unwrap_or_else(|said| panic!("Chromium is missing and {said}"));
    find().unwrap_or_default()
}

fn find() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|path| path.is_file())
}
