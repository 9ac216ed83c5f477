//! The page in a real browser: it opens on the answer, plays, scrubs and answers what-ifs, without a single
//! request. Its state is read from attributes of its elements.
//!
//! Needs Chromium; where it is missing and this is a Debian with root rights, it is installed (`evenstride_testkit`).

mod pages;

use std::path::Path;

use evenstride_testkit::browser::Browser;
use evenstride_viewer::{Method, Scene};
use pages::{contest_page, crowd_page, first_light, report_page, viewed};

/// Hears of every error before anything else runs.
const EARS: &str = r#"
window.problems = [];
addEventListener("error", (event) => problems.push(String(event.message)));
addEventListener("unhandledrejection", (event) => problems.push(String(event.reason)));
const complain = console.error;
console.error = (...words) => { problems.push(words.join(" ")); complain(...words); };
"#;

/// What every test does with a page.
const HANDS: &str = r##"
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const state = document.body.dataset;
const one = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];
const press = (key, more = {}) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
const until = async (is, seconds = 40) => {
  for (let tenth = 0; tenth < 20 * seconds; tenth += 1) {
    if (is()) return true;
    await pause(50);
  }
  return false;
};
const idle = () => until(() => state.ready && state.busy === "" && state.playing === "no");
const seen = [];
const check = (what, is) => seen.push(`${is ? "yes" : "NO"}: ${what}`);
const told = () => [...seen, ...problems.map((of) => `NO: ${of}`)].join("\n");
const set = (element, value) => {
  element.value = value;
  for (const kind of ["input", "change"]) element.dispatchEvent(new Event(kind, { bubbles: true }));
};
"##;

/// Opens a page, runs a script in it, and checks that every line of its answer begins with yes.
fn try_out(html: &str, hash: &str, size: [u32; 2], ears: &str, script: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    std::fs::write(&page, html).unwrap();
    let mut browser = open(&page, hash, folder.path(), ears, size);
    let seen = browser.evaluate(&format!("{HANDS}; (async () => {{ {script}\n return told(); }})()"));
    let lines: Vec<String> = seen.lines().map(str::to_owned).collect();
    assert!(!lines.is_empty() && lines.iter().all(|line| line.starts_with("yes: ")), "{seen}");
    assert_eq!(browser.requests, Vec::<String>::new(), "the page asks for nothing");
    assert_eq!(browser.complaints, Vec::<String>::new());
    lines
}

fn open(page: &Path, hash: &str, folder: &Path, ears: &str, size: [u32; 2]) -> Browser {
    Browser::open_at(&format!("file://{}{hash}", page.display()), folder, &format!("{EARS}{ears}"), size)
}

/// A page is posted in chats and sent by mail.
#[test]
fn a_page_stays_below_a_megabyte_plus_its_messages() {
    for html in [report_page(), contest_page(HOSTILE)] {
        let (_, messages) = html.split_once("id=\"messages\"").unwrap();
        let (messages, _) = messages.split_once("</script>").unwrap();
        let rest = html.len() - messages.len();
        assert!(rest < 1_000_000, "{rest} bytes besides {} of messages", messages.len());
    }
}

#[test]
fn a_report_plays_into_its_worst_moment_and_stops_there() {
    let html = report_page();
    assert!(!html.contains("http://") && !html.contains("https://"), "it needs nothing from elsewhere");
    let script = r##"
  check("it plays by itself", await until(() => state.playing === "yes"));
  check("it stops", await idle());
  const worst = Number(one("#moments li button .moment-name span").textContent.replace(/[^0-9.]/g, ""));
  check("it stops on the worst moment", Math.abs(Number(state.time) - worst) < 0.02 && state.moment === "0");
  check("the sentence names it", one("h1").textContent.includes("The worst moment: Drudge Skulker"));
  check("a warning stands under it", one(".warnings").textContent.includes("1 motion table is not loaded <b>"));
  check("the title is text", one(".caption").textContent.includes("first-light.pcap <&>"));
  const before = state.time;
  press(" ");
  check("space plays", await until(() => Number(state.time) > Number(before) + 0.3));
  press(" ");
  check("space pauses", await until(() => state.playing === "no"));
  const stopped = Number(state.time);
  press("ArrowRight", { shiftKey: true });
  check("an arrow with shift is a second", await until(() => Math.abs(Number(state.time) - stopped - 1) < 0.03));
  press("n");
  check("n goes to the next moment", await until(() => state.moment === "1"));
  const entity = state.entity;
  press("ArrowDown");
  check("an arrow down chooses another entity", await until(() => state.entity !== entity));
  check("its decisions come", await until(() => all(".decision-list li").length > 2));
  check("its message has fields and bytes", await until(() => all(".fields dt").length > 3 && all(".bytes span").length > 3));
  press("2");
  check("2 shows the map", await until(() => state.view === "map"));
  press("1");
  check("1 shows the stage", await until(() => state.view === "stage" && one("#panes").dataset.webgl === "yes"));
  press("d");
  const theme = state.theme;
  check("d changes the theme", await until(() => state.theme !== "" && document.documentElement.dataset.theme === state.theme));
  press("?");
  check("a question mark shows the keys", await until(() => one("dialog[open]")));
  one("dialog[open]").close();
  check("a link has the state", await until(() => /t=[0-9.]+&e=/.test(location.hash)));
  const foreign = document.createElement("script");
  foreign.textContent = "problems.push('a foreign script ran')";
  document.body.append(foreign);
  check("foreign scripts do not run", problems.length === 0);
"##;
    // The foreign script is a complaint of the browser, so this page is looked at by itself.
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    std::fs::write(&page, html).unwrap();
    let mut browser = open(&page, "", folder.path(), "", [1440, 900]);
    let seen = browser.evaluate(&format!("{HANDS}; (async () => {{ {script}\n return told(); }})()"));
    assert!(seen.lines().all(|line| line.starts_with("yes: ")), "{seen}");
    assert_eq!(browser.requests, Vec::<String>::new(), "the page asks for nothing");
    let others = browser.complaints.iter().filter(|words| !words.contains("Content Security Policy"));
    assert_eq!(others.collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn a_link_opens_what_was_sent_and_the_page_draws_the_programs_bits() {
    let viewed = viewed(first_light());
    let index = viewed.entities.iter().position(|of| of.name == "Drudge Skulker").unwrap();
    let guid = viewed.entities[index].entity;
    for method in ["glide", "retail"] {
        let known = Method::find(method).unwrap();
        let mut scene = Scene::new(viewed.clone(), viewed.script.clone(), &known, 60.0).unwrap();
        assert!(scene.seek(70.25, u32::MAX));
        let body = &scene.bodies()[index * evenstride_viewer::BODY_VALUES..][..3];
        let expected = format!("{:.2},{:.2},{:.2}", body[0], body[1], body[2]);
        let hash = format!("#t=70.25&e={:08X}&p={method}&w=66-76&v=map", guid.raw());
        let script = format!(
            r##"
  check("it is ready", await idle());
  check("time", Math.abs(Number(state.time) - 70.25) < 0.01);
  check("entity", state.entity.toLowerCase() === "{guid}".toLowerCase());
  check("method and view", state.panes === "{method}" && state.view === "map");
  check("window", state.window.startsWith("66.0"));
  const drawn = one("#panes canvas[data-selected]").dataset.selected;
  check(`drawn at ${{drawn}}, and by the program at {expected}`, drawn === "{expected}");
"##
        );
        try_out(&report_page(), &hash, [1440, 900], "", &script);
    }
}

#[test]
fn a_what_if_re_simulates_and_shows_the_difference() {
    let script = r##"
  check("it is ready", await idle());
  const offs = () => all("#moments li .moment-off").map((of) => of.textContent).join();
  const before = { offs: offs(), sentence: one("h1").textContent };
  set(one('input[aria-label="Latency"]'), 400);
  check("the latency is taken", await until(() => JSON.parse(state.whatif).latency === 400));
  check("it re-simulates", await until(() => state.busy === "" && offs() !== before.offs));
  check("the caption tells it", one(".caption").textContent.includes("400"));
  check("the sentence is recomputed", one("h1").textContent !== before.sentence);
  check("the captured run is a ghost", await until(() => one("#panes canvas[data-ghost]")?.dataset.ghost !== ""));
  set(one('select[aria-label="Profile"]'), "retail");
  check("the profile is taken", await until(() => state.panes === "retail" && state.busy === ""));
  [...document.querySelectorAll("#strip button")].find((of) => of.textContent.includes("Reset")).click();
  check("reset restores everything", await until(() => state.panes === "glide" && state.busy === "" && offs() === before.offs));
  const drop = [...document.querySelectorAll(".message-actions button")].find((of) => of.textContent === "Drop this message");
  drop.click();
  check("a message can be dropped", await until(() => JSON.parse(state.whatif).dropped.length === 1 && state.busy === ""));
"##;
    try_out(&report_page(), "#still", [1440, 900], "", script);
}

/// The inspector told of updates at the times of the capture, whatever the network did to them.
#[test]
fn a_what_if_shows_when_messages_arrive() {
    let script = r##"
  check("it is ready", await idle());
  const row = (label) => all("#inspector dt").find((of) => of.textContent === label)?.nextElementSibling.textContent;
  check(`it arrived ${row("Last update")}`, row("Last update") === "0.13\u2009s ago");
  set(one('input[aria-label="Latency"]'), 500);
  await until(() => state.busy === "" && row("Last update") !== "0.13\u2009s ago");
  check(`with latency, an earlier one is the last, ${row("Last update")}`, parseFloat(row("Last update")) < 0.1);
  set(one('input[aria-label="Latency"]'), 0);
  check("and back again", await until(() => state.busy === "" && row("Last update") === "0.13\u2009s ago"));
"##;
    try_out(&report_page(), "#t=63&e=80000010&still", [1440, 900], "", script);
}

/// A loss of 500 % was told in the caption and never drawn, and the core's refusal replaced the page's warnings.
#[test]
fn a_link_with_impossible_numbers_shows_what_is_drawn() {
    let script = r##"
  check("it is ready", await idle());
  const facts = () => JSON.parse(state.whatif);
  const { fps, latency, jitter, seed } = facts();
  check(`numbers are possible: ${state.whatif}`, fps === 1 && latency === 0 && jitter === 20 && seed === 2);
  check(`the sentence tells them: ${one("h1").textContent}`, one("h1").textContent.includes(" at 1 fps"));
  location.hash = `#still&drop=${Array.from({ length: 3000 }, (_, index) => index)}`;
  check("what cannot be drawn is told", await until(() => one("#alerts").textContent.includes("it has no messages")));
  check("the choice before it stays", await until(() => facts().dropped.length === 0 && facts().fps === 1));
  check("warnings stay", one(".warnings").textContent.includes("1 motion table is not loaded"));
"##;
    try_out(&report_page(), "#fps=0&lat=-5&jit=20&seed=1.5&still", [1440, 900], "", script);
}

/// The playhead's time covered half of a label, which then read as another time.
#[test]
fn no_label_of_the_ruler_is_half_covered() {
    let script = r##"
  check("it is ready", await idle());
  const chip = () => one("#ruler .now").getBoundingClientRect();
  const left = () => one("#ruler").getBoundingClientRect().left;
  const labels = () => JSON.parse(one("#ruler canvas").dataset.labels);
  for (const time of [64.4, 65.1, 66.3]) {
    location.hash = `#t=${time}&e=80000010&w=59-71&still`;
    await until(() => Math.abs(Number(state.time) - time) < 0.05);
    await pause(200);
    const covered = labels().filter(([from, to]) => left() + to > chip().left && left() + from < chip().right);
    check(`labels at ${time} s: ${labels().length}, covered ${JSON.stringify(covered)}`, labels().length > 5 && covered.length === 0);
  }
"##;
    try_out(&report_page(), "#t=64.4&e=80000010&w=59-71&still", [1440, 900], "", script);
}

/// An actor that runs out of the places where the others are.
const RUNAWAY: &str = r#"
title = "a runaway"
seconds = 12
[[actor]]
name = "Stander"
kind = "player"
at = [95, 100]
script = ["1 walk"]
[[actor]]
name = "Runaway"
kind = "player"
at = [90, 100]
script = ["1 run", "11 stand"]
"#;

#[test]
fn a_contest_opens_with_its_worst_moment_in_view() {
    let script = r##"
  check("it is ready", await idle());
  await pause(500);
  for (const canvas of all("#panes canvas[data-at]")) {
    const [x, y] = canvas.dataset.at.split(",").map(Number);
    const box = canvas.getBoundingClientRect();
    check(`it is in view, at ${canvas.dataset.at} of ${box.width}, ${box.height}`, x > 0 && y > 0 && x < box.width && y < box.height);
  }
  check("there are two panes", all("#panes canvas[data-at]").length === 2);
"##;
    for size in [[1280, 720], [820, 1180]] {
        try_out(&contest_page(RUNAWAY), "#still", size, "", script);
    }
}

/// Fingers move one after the other, so the middle of a quick pinch swings, which ended the following once.
#[test]
fn a_quick_pinch_zooms_and_keeps_following() {
    let script = r##"
  check("it is ready", await idle());
  const canvas = one("#panes canvas[data-camera]");
  const camera = () => canvas.dataset.camera.split(",");
  const touch = (kind, pointerId, clientX) =>
    canvas.dispatchEvent(new PointerEvent(kind, { pointerId, pointerType: "touch", clientX, clientY: 280, button: 0, bubbles: true, cancelable: true }));
  check("it follows", await until(() => camera()[3] === "follow"));
  const span = () => Number(camera()[2]);
  const before = span();
  touch("pointerdown", 11, 170);
  touch("pointerdown", 12, 220);
  for (const apart of [40, 80, 120]) {
    touch("pointermove", 11, 170 - apart);
    touch("pointermove", 12, 220 + apart);
  }
  check(`a pinch zooms, to ${span()}`, await until(() => span() < before * 0.8));
  check("and follows", camera()[3] === "follow");
  for (const right of [20, 40, 60]) {
    touch("pointermove", 11, 50 + right);
    touch("pointermove", 12, 340 + right);
  }
  check("two fingers that move together end that", await until(() => camera()[3] === "free"));
  touch("pointerup", 11, 110);
  touch("pointerup", 12, 400);
"##;
    let ears = "Element.prototype.setPointerCapture = () => {};";
    try_out(&report_page(), "#still", [390, 844], ears, script);
}

/// Names and a title that were markup once: the title let the data into the heading, and the comment hid the
/// rest of the page.
const HOSTILE: &str = r#"
title = "{{data}} %DATA% <script>problems.push('title')</script>"
seconds = 6
[[actor]]
name = "<img src=x onerror=\"problems.push('name')\">"
kind = "player"
at = [90, 100]
script = ["1 walk"]
[[actor]]
name = "<!--<script>"
kind = "player"
at = [95, 100]
script = ["1 run"]
"#;

#[test]
fn a_title_or_a_name_never_becomes_markup() {
    let script = r##"
  check("it is ready", await until(() => state.ready === "yes"));
  press(" ");
  await idle();
  check("the title is text", one(".caption").textContent.includes("{{data}} %DATA% <script>"));
  const names = document.body.textContent;
  check("names are text", names.includes("<!--<script>") || names.includes("<img src=x"));
  check("nothing became markup", all("img").length === 0 && document.scripts.length === 5);
  check("two panes are shown", state.panes === "glide+dead reckoning");
  check("the best of each column is bold", all("#moments td.best").length >= 4);
  one('#moments tr[data-name="hard snap"] button').click();
  check("a click compares with another method", await until(() => state.panes === "glide+hard snap"));
"##;
    try_out(&contest_page(HOSTILE), "", [1440, 900], "", script);
}

#[test]
fn what_another_program_drew_has_a_pane_and_moments() {
    let (html, drawn) = pages::page_with_a_track();
    let script = format!(
        r##"
  check("it opens", await until(() => state.ready === "yes" && state.busy === "", 120));
  press(" ");
  check("two panes", await until(() => state.panes === "glide+mine <b>"));
  check("the pane has its name as text", all("#panes .pane-plate").some((of) => of.textContent.includes("mine <b>")));
  const row = all("#moments tr").map((of) => of.textContent).find((of) => of.includes("mine <b>"));
  check(`a row of the scorecard: ${{row}}`, Boolean(row));
  const moment = all("#moments ol li").find((of) => of.textContent.includes("Mine <b> is 2."));
  check(`its moments are listed, among ${{all("#moments ol li").map((of) => of.textContent).join(" / ")}}`, Boolean(moment));
  location.hash = "#t=20&e={:08X}&p=glide+{}&v=map&still";
  check("it goes to 20 s", await until(() => Math.abs(Number(state.time) - 20) < 0.01 && state.busy === ""));
  await until(() => all("#panes canvas[data-selected]")[1]?.dataset.selected === "{}", 10);
  const shown = all("#panes canvas[data-selected]")[1]?.dataset.selected;
  check(`it draws at ${{shown}}, and the program drew at {}`, shown === "{}");
"##,
        drawn.entity.raw(),
        "mine%20%3Cb%3E",
        drawn.place,
        drawn.place,
        drawn.place,
    );
    try_out(&html, "", [1800, 1000], "", &script);
}

#[test]
fn without_webassembly_there_are_a_sentence_and_a_table() {
    let script = r##"
  check("it says why", await until(() => one("#plain .failure")?.textContent === "The motion core could not start: this browser has no WebAssembly."));
  check("a summary is visible", one("#plain").textContent.includes("121.0 s with 3 entities."));
  check("a table is visible", all("#plain tr").length === 4 && one("#plain table").getBoundingClientRect().height > 20);
"##;
    try_out(&report_page(), "", [1440, 900], "delete window.WebAssembly;", script);
}

#[test]
fn without_webgl_the_map_is_shown() {
    let ears = "const get = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = function (kind, ...more) { return kind === \"webgl2\" ? null : get.call(this, kind, ...more); };";
    let script = r##"
  check("it is ready", await idle());
  check("there is no stage", one("#panes").dataset.webgl === "no");
  check("it says so", document.body.textContent.includes("3D is not available in this browser."));
  check("the map draws", await until(() => Number(one("#panes canvas[data-bodies]")?.dataset.bodies) > 0));
"##;
    try_out(&report_page(), "#still", [1440, 900], ears, script);
}

#[test]
fn a_file_that_is_dropped_on_the_page_opens_or_gets_the_decoders_sentence() {
    let capture = evenstride_replay::sample::first_light().unwrap();
    let bytes: Vec<String> = capture.iter().map(u8::to_string).collect();
    let script = format!(
        r##"
  check("it is ready", await idle());
  const drop = async (name, bytes, how) => {{
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
    window.dispatchEvent(new DragEvent("drop", {{ dataTransfer, bubbles: true, cancelable: true }}));
    await until(() => one("dialog[open]"));
    all("dialog[open] button").find((of) => of.textContent === how).click();
  }};
  await drop("photo.png", [0x89, 0x50, 0x4e, 0x47, 1, 2, 3], "Open it");
  check("a foreign file is refused in words", await until(() => one("#alerts").textContent.includes("photo.png")));
  const words = one("#alerts").textContent;
  check(`the words are the decoder's: ${{words}}`, /capture|pcap/.test(words) && !words.includes("undefined"));
  check("the page goes on", state.entity !== "" && all("#moments li").length > 0);
  const capture = [{}];
  await drop("other.pcap", capture, "Show it beside");
  check("a capture is shown beside", await until(() => state.panes.includes("other.pcap")));
  await idle();
  await drop("damaged.pcap", capture.slice(0, 9000), "Open it");
  check("the good part of a damaged capture opens", await until(() => one(".caption").textContent.includes("damaged.pcap")));
  check("and is drawn", await until(() => state.busy === "" && Number(one("#panes canvas[data-bodies]").dataset.bodies) > 0));
"##,
        bytes.join(",")
    );
    try_out(&report_page(), "#still", [1440, 900], "", &script);
}

/// A pixel column's last value was dropped once, which drew a ramp where nothing moved.
#[test]
fn a_quiet_stretch_is_drawn_quiet_at_two_widths() {
    for size in [[1440, 900], [900, 1000]] {
        // Ilse stands from 108 to 116 s.
        let script = r##"
  check("it is ready", await idle());
  const drawn = (plot) => JSON.parse(one(`canvas[data-plot="${plot}"]`).dataset.drawn);
  check("plots are drawn", await until(() => one('canvas[data-plot="speed"]')?.dataset.drawn));
  check(`speed: ${JSON.stringify(drawn("speed"))}`, drawn("speed").max < 0.2 && drawn("speed").min > -0.01);
  press("0");
  check("the whole recording keeps its peaks", await until(() => drawn("speed").to - drawn("speed").from > 100 && drawn("speed").max > 5));
"##;
        try_out(&report_page(), "#t=112&e=50000002&w=109-115", size, "", script);
    }
}

/// The page once wrote its own address over a link that it had not read yet, on a busy machine.
#[test]
fn a_link_that_comes_while_the_page_writes_its_own_is_not_lost() {
    let script = r##"
  check("it is ready", await idle());
  // The page writes its address after a pause, which ends here when a link has just come.
  await pause(1500);
  const later = window.setTimeout;
  let write;
  window.setTimeout = (then, ms, ...more) => (ms === 400 ? ((write = then), 1) : later(then, ms, ...more));
  press("ArrowRight");
  check("the page is about to write", await until(() => write));
  location.hash = "#t=48";
  write();
  window.setTimeout = later;
  check("the link is followed", await until(() => Math.abs(Number(state.time) - 48) < 0.1, 10));
  check("the page writes again", await until(() => location.hash.includes("e="), 10));
"##;
    try_out(&report_page(), "#still", [1440, 900], "", script);
}

#[test]
fn ten_minutes_of_two_hundred_entities_open_and_scrub() {
    let script = r##"
  check("it is ready", await until(() => state.ready === "yes", 120));
  check("bodies are drawn", await until(() => Number(one("#panes canvas[data-bodies]")?.dataset.bodies) > 150, 120));
  const work = () => JSON.parse(state.work);
  press("ArrowRight", { shiftKey: true });
  const overview = one("#overview [role=slider]") ?? one("#overview");
  for (const time of [400, 30, 550]) {
    location.hash = `#t=${time}&e=${state.entity.slice(2)}`;
    check(`it scrubs to ${time} s`, await until(() => Math.abs(Number(state.time) - time) < 0.1 && Number(state.shown) > time - 0.1 && Number(state.shown) < time + 0.1, 120));
  }
  check(`work of a frame is bounded: ${state.work}`, work().most > 0 && work().most < 20000);
"##;
    try_out(&crowd_page(200, 600), "#still", [1440, 900], "", script);
}

#[test]
fn a_phone_has_tabs_and_large_targets() {
    let script = r##"
  check("it is ready", await idle());
  check("nothing is wider than the screen", document.documentElement.scrollWidth <= 390);
  const tabs = all("#tabs [role=tab]");
  check("four tabs", tabs.length === 4 && tabs.every((of) => of.getBoundingClientRect().height >= 44));
  for (const tab of tabs) {
    tab.click();
    await pause(100);
    check(`${tab.textContent} opens`, tab.getAttribute("aria-selected") === "true");
  }
  const small = all("button").filter((of) => of.offsetParent && of.getBoundingClientRect().height < 28);
  check(`no tiny buttons: ${small.map((of) => of.outerHTML.slice(0, 60))}`, small.length === 0);
  const unnamed = all("button, select, input").filter((of) => of.offsetParent && !(of.getAttribute("aria-label") || of.textContent.trim() || of.title || of.closest("label")?.textContent.trim()));
  check(`every control has a name: ${unnamed.map((of) => of.outerHTML.slice(0, 80))}`, unnamed.length === 0);
"##;
    try_out(&report_page(), "#still", [390, 844], "", script);
}
