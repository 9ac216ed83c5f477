//! The embedded core in a real browser computes what the program computes, to the last bit.

mod native;

use base64::{Engine, engine::general_purpose::STANDARD};
use evenstride_report::{core_script, core_wasm_gz};
use evenstride_testkit::browser::Browser;
use native::{expected, first_light};

/// Unpacks the core as a page does, and compares whole replays and scrubbing.
const HANDS: &str = r##"
(async () => {
  const seen = [];
  const bytes = (id) => Uint8Array.from(atob(document.getElementById(id).textContent.trim()), (letter) => letter.charCodeAt(0));
  const module = (id) => import(URL.createObjectURL(new Blob([bytes(id)], { type: "text/javascript" })));
  const [core, checks] = [await module("core"), await module("checks")];
  const unpacked = new Blob([bytes("wasm")]).stream().pipeThrough(new DecompressionStream("gzip"));
  await core.default({ module_or_path: await new Response(unpacked).arrayBuffer() });
  const expected = JSON.parse(new TextDecoder().decode(bytes("expected")));
  checks.compare(core, bytes("script"), expected, (what, is) => seen.push(`${is ? "yes" : "NO"}: ${what}`));
  const world = new core.World("GLIDE", 0);
  world.free();
  try { world.advance(1); } catch (error) { seen.push(`${error.message === "this object was freed; make a new one" ? "yes" : "NO"}: ${error}`); }
  return seen.join("\n");
})()
"##;

#[test]
fn the_embedded_core_computes_the_same_bits_in_chromium() {
    let script = first_light();
    let checks = include_str!("../../../../bindings/js/tests/checks.mjs");
    let (expected, bytes) = (expected(&script).to_string(), script.to_bytes().unwrap());
    let parts: [(&str, &[u8]); 5] = [
        ("core", core_script().as_bytes()),
        ("wasm", core_wasm_gz()),
        ("checks", checks.as_bytes()),
        ("script", &bytes),
        ("expected", expected.as_bytes()),
    ];
    let parts = parts.map(|(id, bytes)| {
        format!("<script type=\"text/plain\" id=\"{id}\">{}</script>\n", STANDARD.encode(bytes))
    });
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("core.html");
    std::fs::write(&page, format!("<!doctype html><meta charset=\"utf-8\">\n{}", parts.concat())).unwrap();
    let mut browser = Browser::open_at(&format!("file://{}", page.display()), folder.path(), "", [1400, 900]);
    let seen = browser.evaluate(HANDS);
    assert!(seen.lines().count() == 22 && seen.lines().all(|line| line.starts_with("yes: ")), "{seen}");
    assert_eq!(browser.complaints, Vec::<String>::new());
}
