//! How a program's run ends: by itself, by a crash, by a leak, in a deadlock.

use super::{engine, state, sys};
use crate::protocol::Output;
use crate::schedule::{Guard, Mutex, RwLock, Wait};
use libc::{c_int, c_void};
use std::ffi::CStr;

unsafe extern "C" {
    fn on_exit(function: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
}

/// Hears of the program's end. Handlers run in the reverse order of registration, so this one is the last.
pub fn watch_for_the_end() {
    extern "C" fn at_exit(code: c_int, _: *mut c_void) {
        exited(code);
    }
    // SAFETY: the handler lives as long as the library, which is never unloaded.
    unsafe { on_exit(at_exit, std::ptr::null_mut()) };
}

/// Tells the host that the program ended by itself; the caller ends it.
pub fn exited(code: c_int) {
    if !state().ended {
        state().outputs.push(Output::Exited { code: code & 0xff });
        engine::send_last();
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn _exit(code: c_int) -> ! {
    if super::ready() {
        exited(code);
    }
    sys::end(code)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn _Exit(code: c_int) -> ! {
    _exit(code)
}

/// Function and library at an address, as far as the loader knows.
pub fn symbol(address: u64) -> String {
    // SAFETY: the loader looks the address up; it does not touch it.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(address as *const c_void, &mut info) == 0 {
            return String::new();
        }
        let text = |name: *const libc::c_char| CStr::from_ptr(name).to_string_lossy().into_owned();
        let path = if info.dli_fname.is_null() { String::new() } else { text(info.dli_fname) };
        let library = path.rsplit('/').next().unwrap_or_default();
        if info.dli_sname.is_null() {
            return format!("{library}+{:#x}", address.wrapping_sub(info.dli_fbase as u64));
        }
        format!("{} in {library}", text(info.dli_sname))
    }
}

fn thread_name() -> String {
    let state = state();
    state.scheduler.name(state.current).to_owned()
}

/// A fault of the program's own.
pub fn crash(signal: c_int, address: u64) -> ! {
    if !state().ended {
        let (thread, symbol) = (thread_name(), symbol(address));
        state().outputs.push(Output::Crashed { signal: signal as u8, thread, address, symbol });
        engine::send_last();
    }
    sys::end(128 + signal)
}

/// Something that cannot be virtual.
pub fn leak(what: &str, address: Option<u64>, advice: &str) -> ! {
    if !state().ended {
        let place = address.map_or("unknown".into(), |address| match symbol(address) {
            name if name.is_empty() => format!("{address:#x}"),
            name => format!("{name} ({address:#x})"),
        });
        let leaked = Output::Leaked {
            what: what.into(),
            place,
            thread: thread_name(),
            advice: advice.into(),
        };
        state().outputs.push(leaked);
        engine::send_last();
    }
    sys::end(71)
}

/// A child goes on and on, and the program's time stands still.
pub fn restless(who: &str, milliseconds: u64) -> ! {
    let what = format!(
        "a child that does not wait for the program: after {} s of real time {who}",
        milliseconds as f64 / 1000.0
    );
    leak(
        &what,
        None,
        "the program's time stands still until each child has ended or waits for the program, without a time-out; \
         let it end, or start it as a component of its own; `watchdog` is how long it may take",
    )
}

/// The shim itself is wrong.
pub fn broken(text: &str) -> ! {
    sys::complain(text);
    sys::end(70)
}

/// Whether anything that the host could send would let a thread go on.
pub fn input_can_help() -> bool {
    let scheduler = &state().scheduler;
    let helped = |id| matches!(scheduler.waits_for(id), Some(Wait::Bus(_) | Wait::Signal));
    (0..scheduler.thread_count()).any(helped) || listens()
}

/// Whether a thread waits for bytes or datagrams of the host.
pub fn listens() -> bool {
    let state = state();
    (0..state.scheduler.thread_count()).any(|id| {
        matches!(state.scheduler.waits_for(id), Some(Wait::Files))
            && state.threads[id]
                .interest
                .iter()
                .any(|&(object, _)| state.objects.fed_by_host(object))
    })
}

/// Nobody can go on, ever.
pub fn deadlock() -> ! {
    let state = state();
    let text = state.scheduler.who_waits(|on| {
        let named = |owner: u32| match owner {
            0 => String::new(),
            owner => format!(" that thread `{}` holds", state.scheduler.name(owner as usize - 1)),
        };
        // SAFETY: a thread waits for the object, so it is still there.
        unsafe {
            match on {
                Wait::Sleep => "its deadline".into(),
                Wait::Mutex(at) => {
                    format!("the mutex at {}{}", place(at), named((*(at as *const Mutex)).owner()))
                }
                Wait::Condition(at, _) => format!("the condition variable at {}", place(at)),
                Wait::ConditionEnd(at) => {
                    format!("nobody to use the condition variable at {}", place(at))
                }
                Wait::Barrier(at) => format!("the barrier at {}", place(at)),
                Wait::RwLock(at, _) => {
                    format!(
                        "the read-write lock at {}{}",
                        place(at),
                        named((*(at as *const RwLock)).writer())
                    )
                }
                Wait::Semaphore(at) => format!("the semaphore at {}", place(at)),
                Wait::Spin(at) => format!("the spin lock at {}", place(at)),
                Wait::Once(at) => format!("the initialiser of {}", place(at)),
                Wait::Guard(at) => {
                    format!(
                        "the static variable guarded at {}{}",
                        place(at),
                        named((*(at as *const Guard)).owner())
                    )
                }
                Wait::Futex(at, _) => format!("the futex at {}", place(at)),
                Wait::Join(id) => format!("the end of thread `{}`", state.scheduler.name(id)),
                Wait::Files => "files that nobody writes to".into(),
                Wait::Bus(transfer) => format!("bus transfer {transfer}"),
                Wait::Signal => "a signal".into(),
                Wait::Transmit(port) => format!("serial port {port} to send"),
                Wait::Child(pid) => super::children::describe(pid),
            }
        }
    });
    if !state.ended {
        state.outputs.push(Output::Deadlock { text });
        engine::send_last();
    }
    sys::end(72)
}

/// The name of a variable where the loader knows it, else its address.
fn place(address: u64) -> String {
    match symbol(address) {
        name if name.contains(" in ") => {
            format!("`{}`", name.split(" in ").next().unwrap_or_default())
        }
        _ => format!("{address:#x}"),
    }
}
