//! The live page in a real browser: entities appear, one scrubs back while it goes on, and the connection is
//! lost and found again.
//!
//! Needs Chromium; where it is missing and this is a Debian with root rights, it is installed.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use evenstride_arena::{scenario, simulate};
use evenstride_replay::{Said, Script, TimedMessage, sample};
use evenstride_report::{About, live_page};
use evenstride_testkit::browser::Browser;
use evenstride_types::EntityId;
use evenstride_viewer::{BODY_VALUES, Method, Scene, ViewedScript};
use evenstride_watch::{Hub, PageServer};

/// Hears of every error before anything else runs.
const EARS: &str = r#"
window.problems = [];
addEventListener("error", (event) => problems.push(String(event.message)));
addEventListener("unhandledrejection", (event) => problems.push(String(event.reason)));
"#;

const HANDS: &str = r##"
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const state = document.body.dataset;
const one = (selector) => document.querySelector(selector);
const press = (key, more = {}) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
const until = async (is, seconds = 60) => {
  for (let tenth = 0; tenth < 20 * seconds; tenth += 1) {
    if (is()) return true;
    await pause(50);
  }
  return false;
};
const seen = [];
const check = (what, is) => seen.push(`${is ? "yes" : "NO"}: ${what}`);
const told = () => [...seen, ...problems.map((of) => `NO: ${of}`)].join("\n");
"##;

/// Seconds of the session for each part, and the time that a part takes here.
const PART_SECS: f64 = 0.25;
const PACE: Duration = Duration::from_millis(80);

struct Live {
    hub: Arc<Hub>,
    server: Arc<PageServer>,
    folder: tempfile::TempDir,
}

impl Live {
    fn new() -> Self {
        let about = About {
            title: "play.example.org <&>".to_owned(),
            profile: "glide".to_owned(),
            fps: 60.0,
            notes: Vec::new(),
        };
        let hub = Arc::new(Hub::default());
        let html = live_page(&about, "Start the client with <this> address.");
        let server = Arc::new(PageServer::start(0, html, Arc::clone(&hub)).unwrap());
        Self { hub, server, folder: tempfile::tempdir().unwrap() }
    }

    fn open(&self, hash: &str, size: [u32; 2]) -> Browser {
        let address = format!("{}{hash}", self.server.address());
        Browser::open_at(&address, self.folder.path(), EARS, size)
    }
}

/// Runs a script in a page, and checks that every line of its answer begins with yes.
fn check(browser: &mut Browser, script: &str) {
    let seen = browser.evaluate(&format!("(async () => {{ {HANDS} {script}\n return told(); }})()"));
    assert!(!seen.is_empty() && seen.lines().all(|line| line.starts_with("yes: ")), "{seen}");
}

fn chase() -> Script {
    simulate(&scenario("chase-5hz").unwrap().unwrap(), 1).unwrap().script()
}

/// Returns a part of a script.
fn part(script: &Script, from: f64, to: f64) -> Script {
    let messages = script.messages.iter().filter(|of| of.time > from && of.time <= to).cloned().collect();
    let names = if from < 0.0 { script.names.clone() } else { Default::default() };
    Script { messages, names, player: script.player, ..Script::default() }
}

#[test]
fn a_session_is_watched_scrubbed_lost_found_and_ended() {
    let live = Live::new();
    let mut browser = live.open("", [1440, 900]);
    check(
        &mut browser,
        r##"
  check("it waits", await until(() => one("#panes").textContent.includes("Waiting for the first message")));
  check("it tells how to begin", one("#panes").textContent.includes("Start the client with <this> address."));
  check("nothing is followed yet", state.live === "behind" && one("#transport .live").disabled);
"##,
    );
    let script = chase();
    let chaser = chaser(&script);
    let viewed =
        Arc::new(ViewedScript::new(Arc::new(script.clone()), None, (f64::NEG_INFINITY, f64::INFINITY)));
    let glide = Method::find("glide").unwrap();
    let mut scene = Scene::new(Arc::clone(&viewed), Arc::clone(&viewed.script), &glide, 60.0).unwrap();
    assert!(scene.seek(9.0, u32::MAX));
    let index = viewed.index(chaser).unwrap();
    let body = &scene.bodies()[index * BODY_VALUES..][..3];
    let expected = format!("{:.2},{:.2},{:.2}", body[0], body[1], body[2]);

    let is_lost = Arc::new(AtomicBool::new(false));
    let feeding = thread::spawn({
        let (hub, server, is_lost) = (Arc::clone(&live.hub), Arc::clone(&live.server), Arc::clone(&is_lost));
        move || {
            let mut from = -1.0;
            let mut to = 0.0;
            while to < 45.0 {
                hub.push(0, &part(&script, from, to), to, to);
                (from, to) = (to, to + PART_SECS);
                // Half way, all connections break. What comes meanwhile is sent again.
                if to > 30.0 && !is_lost.swap(true, Ordering::Relaxed) {
                    server.close_streams();
                }
                thread::sleep(PACE);
            }
            hub.describe(0, "127.0.0.1:50000", Some("Runner"));
            hub.end("The watch has ended.");
        }
    });
    check(
        &mut browser,
        &format!(
            r##"
  check("it begins by itself and follows", await until(() => state.live === "follows" && Number(state.end) > 2));
  check("the title is text", one(".caption").textContent.includes("play.example.org <&>"));
  check("the sentence is of now", await until(() => /^Live: \d+ entit/.test(one("h1").textContent)));
  check("entities appear", await until(() => document.querySelectorAll(".lane:not([hidden])").length >= 2));
  const before = Number(state.time);
  check("time goes on", await until(() => Number(state.time) > before + 2));
  check("it is close to the newest", Number(state.end) - Number(state.time) < 3);
  check("it comes to 10 s", await until(() => Number(state.end) > 11));
  press("ArrowLeft", {{ shiftKey: true }});
  check("an arrow back leaves the present", await until(() => state.live === "behind" && state.playing === "no"));
  location.hash = "#t=9&e={guid:08X}&v=map";
  check("it goes back to 9 s", await until(() => Math.abs(Number(state.time) - 9) < 0.01 && Math.abs(Number(state.shown) - 9) < 0.02));
  const end = Number(state.end);
  check("the session goes on meanwhile", await until(() => Number(state.end) > end + 1));
  check("the picture stays", Math.abs(Number(state.time) - 9) < 0.01);
  await until(() => one("#panes canvas[data-selected]").dataset.selected === "{expected}", 10);
  const drawn = one("#panes canvas[data-selected]").dataset.selected;
  check(`it draws at ${{drawn}}, and the program at {expected}`, drawn === "{expected}");
  check("its decisions are there", await until(() => document.querySelectorAll(".decision-list li").length > 2));
  press("End");
  check("End follows again", await until(() => state.live === "follows"));
  check("the connection is lost", await until(() => state.live === "lost"));
  check("that is told", one(".caption").textContent.includes("Connection lost at "));
  check("it is found again", await until(() => state.live === "follows"));
  check("nothing was missed", one(".warnings").hidden);
  check("moments appear", await until(() => document.querySelectorAll("#moments li").length > 0));
  check("the newest are first", document.querySelector("#moments ol").getAttribute("aria-label") === "Moments, newest first");
  check("it ends", await until(() => state.live === "ended"));
  check("that is told", one(".caption").textContent.includes("The watch has ended."));
  check("everything came", Math.abs(Number(state.end) - 44.75) < 0.3);
  check("it still plays", (() => {{ location.hash = "#t=20"; return true; }})() && await until(() => Math.abs(Number(state.time) - 20) < 0.01));
  press(" ");
  check("space plays", await until(() => Number(state.time) > 20.3));
"##,
            guid = chaser.raw(),
        ),
    );
    feeding.join().unwrap();
    let own = live.server.address();
    assert!(browser.requests.iter().all(|of| of.contains(&own)), "{:?}", browser.requests);
}

/// Returns the creature.
fn chaser(script: &Script) -> EntityId {
    let mut entities = script.messages.iter().filter_map(|of| match &of.said {
        Said::Server(update) => update.entity(),
        Said::Client(_) => None,
    });
    entities.find(|entity| entity.raw() >= 0x8000_0000).unwrap()
}

#[test]
fn a_what_if_of_a_live_session_is_about_what_has_come() {
    let live = Live::new();
    let script = chase();
    for number in 0..60 {
        let (from, to) =
            (f64::from(number) * 0.25 - if number == 0 { 1.0 } else { 0.0 }, f64::from(number + 1) * 0.25);
        live.hub.push(0, &part(&script, from, to), to, to);
    }
    let mut browser = live.open("", [390, 844]);
    let hub = Arc::clone(&live.hub);
    let feeding = thread::spawn(move || {
        for number in 60..200 {
            let to = f64::from(number + 1) * 0.25;
            hub.push(0, &part(&script, to - 0.25, to), to, to);
            thread::sleep(PACE);
        }
    });
    check(
        &mut browser,
        r##"
  check("a page that comes late has everything", await until(() => state.live === "follows" && Number(state.end) >= 15));
  location.hash = "#lat=400&t=10";
  check("a what-if pauses", await until(() => state.playing === "no" && JSON.parse(state.whatif).latency === 400));
  check("it is drawn", await until(() => state.busy === "" && Math.abs(Number(state.shown) - 10) < 0.02));
  const end = Number(state.end);
  check("the session goes on", await until(() => Number(state.end) > end + 1));
  press("End");
  check("End shows the recording itself", await until(() => state.live === "follows" && JSON.parse(state.whatif).latency === 0));
"##,
    );
    feeding.join().unwrap();
}

#[test]
fn a_page_follows_the_client_that_is_active_unless_its_reader_chooses() {
    let live = Live::new();
    let script = chase();
    live.hub.push(0, &part(&script, -1.0, 6.0), 9.0, 6.0);
    live.hub.describe(0, "127.0.0.1:50000", Some("First"));
    let mut browser = live.open("", [1440, 900]);
    check(
        &mut browser,
        r##"
  check("it follows the first client", await until(() => state.live === "follows" && Math.abs(Number(state.end) - 9) < 0.01));
  check("there is no choice yet", one('select[aria-label="Client"]').hidden);
"##,
    );
    live.hub.push(5, &part(&script, -1.0, 20.0), 21.0, 20.0);
    live.hub.describe(5, "127.0.0.1:50001", Some("Second <b>"));
    check(
        &mut browser,
        r##"
  const client = () => one('select[aria-label="Client"]');
  check("it goes to the active one", await until(() => client().value === "5" && Math.abs(Number(state.end) - 21) < 0.01));
  check("it follows", await until(() => state.live === "follows" && Number(state.time) > 20));
  check("names are text", [...client().options].map((of) => of.textContent).join() === "0: First,5: Second <b>");
  client().value = "0";
  client().dispatchEvent(new Event("change", { bubbles: true }));
  check("a choice goes back", await until(() => client().value === "0" && Math.abs(Number(state.end) - 9) < 0.01));
  await pause(1500);
  check("and stays", client().value === "0");
  check("the sentence says why nothing moves", await until(() => one("h1").textContent.includes("no message for")));
  press(" ");
  check("a link has the client", await until(() => location.hash.includes("c=0")));
"##,
    );
}

/// What a page had left out was once only told if it was so from the beginning.
#[test]
fn a_page_tells_how_many_entities_it_has_left_out_since_it_began() {
    let live = Live::new();
    let crowd = sample::crowd(4_200, 1);
    let of_early = |message: &TimedMessage| match &message.said {
        Said::Server(update) => update.entity().is_none_or(|entity| entity.raw() % 2 == 0),
        Said::Client(_) => true,
    };
    let (early, late): (Vec<_>, Vec<_>) = crowd.messages.iter().cloned().partition(of_early);
    let script = |messages: Vec<TimedMessage>| Script { messages, ..Script::default() };
    let later = |of: TimedMessage| TimedMessage { time: of.time + 5.0, ..of };
    live.hub.push(0, &script(early), 3.0, 3.0);
    let mut browser = live.open("", [1440, 900]);
    check(&mut browser, r#"check("it follows", await until(() => state.live === "follows"));"#);
    live.hub.push(0, &script(late.into_iter().map(later).collect()), 8.0, 8.0);
    check(
        &mut browser,
        r#"check("it says so", await until(() => /[0-9]+ entities are not shown/.test(document.body.textContent)));"#,
    );
}
