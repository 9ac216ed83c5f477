//! The report in a real browser: no errors, play moves entities, cursor and tables follow.
//!
//! Needs Chromium; where it is missing and this is a Debian with root rights, it is installed (`chromium/mod.rs`).

mod chromium;

use chromium::Browser;

use evenstride_arena::{Scenario, contest, page as demo_page, score};
use evenstride_capture::{Session, Timeline, read};
use evenstride_moments::MomentFinder;
use evenstride_replay::{Recorder, ReplayOptions, Script, Summary, TraceScope, replay, sample};
use evenstride_report::{About, Report};

/// Hears of every error before anything else runs.
const EARS: &str = r#"
window.problems = [];
addEventListener("error", (event) => problems.push(String(event.message)));
addEventListener("unhandledrejection", (event) => problems.push(String(event.reason)));
const complain = console.error;
console.error = (...words) => { problems.push(words.join(" ")); complain(...words); };
"#;

/// Does what a user does, and writes down what came of it.
const HANDS: &str = r##"
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const picture = (id) => document.getElementById(id).toDataURL();
const text = (id) => document.getElementById(id).textContent;
const press = (key, more = {}) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
const rowTime = () => Number(document.querySelector("#decisions tr.now")?.dataset.time);
async function tryEverything() {
  const seen = [];
  const check = (what, is) => seen.push(`${is ? "yes" : "NO"}: ${what}`);
  while (!window.app) await pause(20);
  check("all three are listed", document.querySelectorAll("#entity option").length === 3);
  check("it opens on the worst moment", document.querySelector("#moments tr.now")?.dataset.index === "0" && app.chosen === app.data.moments[0].entity);
  app.choose(1);
  app.seek(12);
  await pause(100);
  check("the chosen one is Ilse", text("why-of").startsWith("Ilse"));
  check("the summary speaks of snaps", text("summary").includes("snaps: 2 teleport"));
  const before = { map: picture("map"), speed: picture("speed"), clock: text("clock"), here: text("here"), row: rowTime() };
  document.getElementById("play").click();
  // A busy machine draws few frames, and each of them moves time by little.
  for (let tenth = 0; tenth < 900 && !(app.time > 12.5 && rowTime() > before.row); tenth++) await pause(100);
  check("play moves time", app.time > 12.5);
  check("play moves the map", picture("map") !== before.map);
  check("play moves the cursor in the plots", picture("speed") !== before.speed);
  check("play moves the clock", text("clock") !== before.clock);
  check("play moves the numbers", text("here") !== before.here);
  check("the table follows", rowTime() > before.row && rowTime() <= app.time);
  press(" ");
  const stopped = app.time;
  await pause(200);
  check("space pauses", app.time === stopped);
  press("ArrowRight", { shiftKey: true });
  check("an arrow with shift is a second", Math.abs(app.time - stopped - 1) < 1e-6);
  app.seek(20);
  press("n");
  await pause(100);
  check("n goes to the next mark", app.time > 20 && app.entity.marks.some((mark) => Math.abs(mark.time - app.time) < 1e-6));
  press("ArrowDown");
  await pause(100);
  check("an arrow down chooses the next", text("why-of").startsWith("Drudge"));
  check("its decisions are there", document.querySelectorAll("#decisions tr").length > 100);
  document.querySelector("#decisions tr:nth-child(50)").click();
  await pause(100);
  check("a click on a decision goes there", Math.abs(app.time - Number(document.querySelector("#decisions tr:nth-child(50)").dataset.time)) < 1e-6);
  check("a note stands at the top", text("notes") === "1 motion table is not loaded <b>");
  check("moments are listed", document.querySelectorAll("#moments tr").length === app.data.moments.length && app.data.moments.length > 0);
  document.querySelector("#moments tr").click();
  await pause(100);
  const [worst] = app.data.moments;
  check("a click on a moment goes there", app.chosen === worst.entity && Math.abs(app.time - Math.max(app.start, worst.span[0] - 0.5)) < 1e-6);
  press("m");
  await pause(100);
  check("m goes to the next moment", app.data.moments.length < 2 || document.querySelector("#moments tr.now").dataset.index === "1");
  app.choose(2);
  const plot = document.getElementById("behind");
  plot.dispatchEvent(new WheelEvent("wheel", { deltaY: -400, offsetX: 50, cancelable: true }));
  await pause(100);
  check("the wheel narrows the plots", app.window[1] - app.window[0] < 60);
  document.getElementById("others").focus();
  const wasPlaying = app.playing;
  document.getElementById("others").dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true, cancelable: true }));
  check("space on a checkbox is the checkbox's", app.playing === wasPlaying);
  const middle = app.view.x;
  document.getElementById("map").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
  check("an arrow on the map moves the map", app.view.x > middle);
  app.toggle(); app.toggle(); app.toggle();
  const [from, then] = [app.time, performance.now()];
  await pause(1000);
  const ratio = (app.time - from) / ((performance.now() - then) / 1000);
  check("hasty clicks do not make it run twice as fast", ratio < 1.5);
  app.toggle();
  const scale = app.view.scale;
  press("+");
  check("plus zooms the map", app.view.scale > scale);
  const light = picture("map");
  press("d");
  await pause(100);
  check("dark is not light", picture("map") !== light);
  check("no errors", problems.length === 0);
  return [...seen, ...problems];
}
"##;

#[test]
fn the_report_works_in_a_browser() {
    let html = report();
    assert!(!html.contains("http://") && !html.contains("https://"), "it needs nothing from elsewhere");
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("report.html");
    std::fs::write(&page, html).unwrap();
    let mut browser = Browser::open(&page, folder.path(), EARS);
    let seen = browser.evaluate(&format!("{HANDS}; tryEverything().then((seen) => seen.join(\"\\n\"))"));
    assert!(seen.lines().count() == 27 && seen.lines().all(|line| line.starts_with("yes: ")), "{seen}");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

/// Names and a title that were markup once: the title let the data into the heading, and the comment hid the rest of the page.
const HOSTILE: &str = r#"
title = "{{data}} %DATA% <script>problems.push('title')</script>"
seconds = 3
[[actor]]
name = "<img src=x onerror=\"problems.push('name')\">"
kind = "player"
at = [90, 100]
script = ["1 walk"]
[[actor]]
name = "<!--<script>"
kind = "player"
at = [95, 100]
"#;

const DEMO_HANDS: &str = r##"
(async () => {
  const seen = [];
  const check = (what, is) => seen.push(`${is ? "yes" : "NO"}: ${what}`);
  const options = [...document.querySelectorAll("#subject option")].map((option) => option.textContent);
  check("names are names", options.includes("<!--<script>") && options.some((name) => name.startsWith("<img")));
  check("the heading is the title", document.querySelector("h1").textContent.startsWith("{{data}} %DATA% <script>"));
  check("nothing became markup", document.querySelectorAll("img").length === 0 && document.scripts.length === 2);
  const before = document.getElementById("clock").textContent;
  document.getElementById("play").click();
  await new Promise((done) => setTimeout(done, 800));
  check("play moves the clock", document.getElementById("clock").textContent !== before);
  const foreign = document.createElement("script");
  foreign.textContent = "problems.push('a foreign script ran')";
  document.body.append(foreign);
  check("foreign scripts do not run", problems.length === 0);
  return [...seen, ...problems].join("\n");
})()
"##;

#[test]
fn a_title_or_a_name_never_becomes_markup_in_the_demo() {
    let scenario = Scenario::parse(HOSTILE).unwrap();
    let (contest, _) = contest(&scenario, 1).unwrap();
    let html = demo_page(&scenario.title, "about", &contest, &score(&contest));
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("demo.html");
    std::fs::write(&page, html).unwrap();
    let mut browser = Browser::open(&page, folder.path(), EARS);
    assert_eq!(browser.complaints, Vec::<String>::new());
    let seen = browser.evaluate(DEMO_HANDS);
    assert!(seen.lines().count() == 5 && seen.lines().all(|line| line.starts_with("yes: ")), "{seen}");
}

fn report() -> String {
    let mut session = Session::new(Recorder::new("first-light.pcap", Timeline::default()));
    read(sample::first_light().unwrap().as_slice(), &mut session).unwrap();
    let script = Script::of(vec![(session.listener.finish(None), 0.0)], None);
    let options = ReplayOptions { trace: TraceScope::All, ..ReplayOptions::default() };
    let mut watchers = (Summary::new(&script), (Report::new(&script), MomentFinder::new(script.player)));
    let replayed = replay(&script, &options, &mut watchers);
    let (summary, (report, finder)) = watchers;
    let about = About {
        title: "first-light.pcap <&>".to_owned(),
        profile: "smooth".to_owned(),
        fps: options.fps,
        notes: vec!["1 motion table is not loaded <b>".to_owned()],
    };
    report.finish(&about, &script, &summary, &replayed, &finder.finish())
}
