//! An unmodified Linux program in virtual time: the part that lives inside the program.
//!
//! The crate is two things. As an ordinary library it is the [`protocol`] between the program and its host, and the
//! rules of its threads as data ([`schedule`]). With `--cfg ironbird_preload`, built as a shared library and named in
//! `LD_PRELOAD`, it is the shim: it answers every clock, sleep, wait, thread, device and socket call of the program.
//!
//! ```text
//!   host (ironbird-native)                         program, unmodified
//!        │  Setup ───────────────────────────────►  shim starts before main
//!        │  ◄─────────────────────────────── Hello    │
//!        │  Resume { now, until, events } ───────►  threads run until nobody may go on before `until`
//!        │  ◄────────────── Yield { now, events }     │
//! ```
pub mod protocol;
pub mod schedule;

#[cfg(all(ironbird_preload, target_os = "linux", target_arch = "x86_64"))]
mod preload;
