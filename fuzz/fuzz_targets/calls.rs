#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| evenstride_fuzz_targets::calls(data));
