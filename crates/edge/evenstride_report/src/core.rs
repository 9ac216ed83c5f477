//! The motion core for browsers, made by `cargo xtask web`.

/// Returns the JavaScript around the core, as an ES module.
///
/// Call its default export with `{ module_or_path: bytes }` and the bytes of [`core_wasm_gz`], unpacked.
/// `docs/browser.md` in the repository documents the rest.
pub const fn core_script() -> &'static str {
    include_str!("../assets/core.js")
}

/// Returns the core as a gzipped WebAssembly module. Browsers unpack it with `DecompressionStream`.
pub const fn core_wasm_gz() -> &'static [u8] {
    include_bytes!("../assets/core.wasm.gz")
}
