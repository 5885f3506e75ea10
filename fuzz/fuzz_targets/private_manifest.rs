#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mingle_fuzz::run("private_manifest", bytes));
