//! A host that is loaded into the program's process: the world of Betaflight at rest, by function calls.
//!
//! `IRONBIRD_SHIM=library:PATH` names it; `IRONBIRD_HOST_SECONDS` says for how long, `IRONBIRD_HOST_BACKEND` how threads
//! are made, and `IRONBIRD_HOST_REPORT` where the hash of all packets and the speed are written.
#![cfg(target_os = "linux")]
#![allow(unsafe_code)]

#[path = "../rig/mod.rs"]
mod rig;

use ironbird_native_shim::protocol::{Backend, Setup, ToHost, ToProgram};
use rig::at_rest::{AtRest, betaflight_setup, hash};
use rig::{MILLISECOND, Play, SECOND};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

struct Host {
    begun: Instant,
    play: Play,
    world: AtRest,
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
        Self {
            begun: Instant::now(),
            play,
            world: AtRest { next: MILLISECOND },
            seconds,
            answer: Vec::new(),
        }
    }

    fn setup(&self) -> Setup {
        let threads = variable("IRONBIRD_HOST_BACKEND").as_deref() == Some("kernel-threads");
        let backend = if threads { Backend::KernelThreads } else { Backend::Coroutines };
        Setup { leak_net: false, ..betaflight_setup(backend) }
    }

    fn step(&mut self, frame: &[u8]) -> Option<ToProgram> {
        if frame.is_empty() {
            return Some(ToProgram::Setup(self.setup()));
        }
        let resume = match ToHost::decode(frame).ok()? {
            ToHost::Hello(_) => {
                self.begun = Instant::now();
                Some(self.play.first(&self.world))
            }
            ToHost::Yield(yielded) => self.play.next(yielded, &mut self.world),
        };
        if resume.is_none() {
            self.report();
        }
        resume.map(ToProgram::Resume)
    }

    fn report(&self) {
        let (hash, count) = hash(&self.play.events);
        let speed = self.seconds as f64 / self.begun.elapsed().as_secs_f64();
        let yields = self.play.yields;
        let text = format!(
            "{count} packets, hash {hash:016x}, {speed:.1} virtual s per wall s, {yields} yields"
        );
        if let Some(path) = variable("IRONBIRD_HOST_REPORT")
            && let Err(error) = std::fs::write(&path, text)
        {
            eprintln!("{path}: {error}");
        }
    }
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
