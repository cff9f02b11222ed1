#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ironbird_fuzz::commands(bytes));
