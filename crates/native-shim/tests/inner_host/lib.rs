//! A host that is loaded into the program's process and called: around it is nothing, or the world of Betaflight at rest.
//!
//! `IRONBIRD_SHIM=library:PATH` names it; `IRONBIRD_HOST_WORLD` says which world, `IRONBIRD_HOST_SECONDS` for how long,
//! `IRONBIRD_HOST_BACKEND` how threads are made, and `IRONBIRD_HOST_REPORT` where the hash of all packets, the speed and
//! the counters are written.
#![cfg(target_os = "linux")]
#![allow(unsafe_code)]

#[path = "../rig/mod.rs"]
mod rig;

use ironbird_native_shim::protocol::{Backend, Setup, ToHost, ToProgram};
use rig::at_rest::{AtRest, betaflight_setup, hash};
use rig::{MILLISECOND, Nothing, Play, SECOND, World, counters_of, setup_with_charges};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

struct Host {
    begun: Instant,
    play: Play,
    is_empty: bool,
    world: Box<dyn World + Send>,
    seconds: u64,
    answer: Vec<u8>,
}

static HOST: Mutex<Option<Host>> = Mutex::new(None);

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

impl Host {
    fn new() -> Self {
        let seconds =
            variable("IRONBIRD_HOST_SECONDS").and_then(|text| text.parse().ok()).unwrap_or(10);
        let play = Play::new(seconds * SECOND);
        let is_empty = variable("IRONBIRD_HOST_WORLD").as_deref() == Some("nothing");
        let world: Box<dyn World + Send> = match is_empty {
            true => Box::new(Nothing),
            false => Box::new(AtRest { next: MILLISECOND }),
        };
        Self { begun: Instant::now(), play, is_empty, world, seconds, answer: Vec::new() }
    }

    fn setup(&self) -> Setup {
        let threads = variable("IRONBIRD_HOST_BACKEND").as_deref() == Some("kernel-threads");
        let backend = if threads { Backend::KernelThreads } else { Backend::Coroutines };
        let setup = match self.is_empty {
            true => setup_with_charges(backend),
            false => betaflight_setup(backend),
        };
        Setup { leak_net: false, ..setup }
    }

    fn step(&mut self, frame: &[u8]) -> Option<ToProgram> {
        if frame.is_empty() {
            return Some(ToProgram::Setup(self.setup()));
        }
        let resume = match ToHost::decode(frame).ok()? {
            ToHost::Hello(_) => {
                self.begun = Instant::now();
                Some(self.play.first(&*self.world))
            }
            ToHost::Yield(yielded) => self.play.next(yielded, &mut *self.world),
        };
        if resume.is_none() {
            self.report();
        }
        resume.map(ToProgram::Resume)
    }

    fn report(&self) {
        let (hash, count) = hash(&self.play.events);
        let speed = self.seconds as f64 / self.begun.elapsed().as_secs_f64();
        let (yields, now) = (self.play.yields, self.play.now);
        let counters = counters_of(&self.play.events);
        let text = format!(
            "{count} packets, hash {hash:016x}, {speed:.1} virtual s per wall s, {yields} yields\n{now} {counters:?}"
        );
        if let Some(path) = variable("IRONBIRD_HOST_REPORT")
            && let Err(error) = std::fs::write(&path, text)
        {
            eprintln!("{path}: {error}");
        }
    }
}

/// Whether a descriptor is this host's: none is, while the program runs.
#[unsafe(no_mangle)]
pub extern "C" fn ironbird_owns(_: i32) -> bool {
    false
}

/// Takes a frame of the program and answers with the next one for it.
///
/// # Safety
/// `frame` is valid for `length` bytes, `answer` is a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ironbird_exchange(
    frame: *const u8,
    length: usize,
    answer: *mut *const u8,
) -> usize {
    let mut host = HOST.lock().unwrap_or_else(PoisonError::into_inner);
    let host = host.get_or_insert_with(Host::new);
    // SAFETY: as the caller promises.
    let frame =
        if length == 0 { &[] } else { unsafe { std::slice::from_raw_parts(frame, length) } };
    let step = host.step(frame);
    host.answer.clear();
    if let Some(step) = step {
        step.encode(&mut host.answer);
    }
    // SAFETY: as the caller promises; the bytes stay until the next call.
    unsafe { *answer = host.answer.as_ptr() };
    host.answer.len()
}
