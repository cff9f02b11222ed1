//! What a program did wrong, in words: what, where, and what can be done.

use std::time::Duration;

use ironbird_native_shim::protocol::{Output, Unsteady};

use crate::launch::signal_name;

/// What the watchdog sends to a program in whose process the simulation is.
const SIGXCPU: u8 = 24;

/// What is said of a thread that computed for too long.
pub fn hangs(thread: Option<&str>, watchdog: Duration) -> String {
    let who = thread.map_or_else(|| "a thread".into(), |name| format!("the thread \"{name}\""));
    let seconds = watchdog.as_secs_f64();
    format!(
        "{who} of the program computed for {seconds} s of real time without a call (\"watchdog\"): simulated time \
         stands still meanwhile, so a loop that waits for a variable to change never ends"
    )
}

/// What is said of a program whose memory could not be made the same in every run; nothing if it could.
pub fn unsteadiness(unsteady: Unsteady) -> Option<String> {
    let Unsteady { addresses, random, stack } = unsteady;
    let causes = [
        (
            addresses,
            "its addresses are drawn at random (the system refuses the personality ADDR_NO_RANDOMIZE: some containers do)",
        ),
        (
            random,
            "its random bytes AT_RANDOM are drawn anew (the system refuses ptrace, or the run is being traced)",
        ),
        (
            stack,
            "its stack begins where arguments and environment end (its limit, `ulimit -s`, cannot be set to 12288 KiB)",
        ),
    ];
    let causes: Vec<_> = causes.iter().filter(|(is_so, _)| *is_so).map(|(_, text)| *text).collect();
    (!causes.is_empty()).then(|| {
        format!(
            "{}: what it does with memory that it never wrote may differ from run to run; its output `steady` is false in \
             this run",
            causes.join("; ")
        )
    })
}

/// What is said of a program in whose process the simulation is, if the watchdog had to interrupt it.
pub fn hang(events: &[Output], watchdog: Duration) -> Option<String> {
    events.iter().find_map(|event| match event {
        Output::Crashed { signal: SIGXCPU, thread, .. } => Some(hangs(Some(thread), watchdog)),
        _ => None,
    })
}

/// What an event of a program means, if it is a fault.
pub fn meaning(event: &Output) -> Option<String> {
    Some(match event {
        Output::Exited { code } => format!(
            "the program ended by itself, with status {code} (`on_fault = \"go-on\"` lets the run go on without it)"
        ),
        Output::Crashed { signal, thread, address, symbol } => {
            let function = if symbol.is_empty() { "an unknown function" } else { symbol };
            let signal = signal_name(i32::from(*signal));
            format!(
                "the program was ended by {signal}: its thread \"{thread}\" was at 0x{address:x} in {function}"
            )
        }
        Output::Leaked { what, place, thread, advice } => {
            // Not all that leaves virtual time is done at a place in the program.
            let place = match place.as_str() {
                "unknown" => String::new(),
                place => format!(" at {place}"),
            };
            format!(
                "the program left virtual time: {what}{place}, in its thread \"{thread}\"; {advice}"
            )
        }
        Output::Deadlock { text } => {
            format!(
                "no thread of the program can ever go on:\n    {}",
                text.replace('\n', "\n    ")
            )
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_in_each_run_is_said() {
        assert_eq!(unsteadiness(Unsteady::default()), None);
        let said = unsteadiness(Unsteady { addresses: true, random: false, stack: true }).unwrap();
        assert!(
            said.starts_with("its addresses are drawn at random") && !said.contains("AT_RANDOM")
        );
        assert!(
            said.contains("; its stack begins") && said.contains("`steady` is false"),
            "{said}"
        );
    }

    #[test]
    fn a_fault_says_what_where_and_what_to_do() {
        let (thread, symbol) = ("gyro".into(), "filter+0x12 (autopilot)".into());
        let crash = Output::Crashed { signal: 11, thread, address: 0x1234, symbol };
        assert_eq!(
            meaning(&crash).unwrap(),
            "the program was ended by signal 11 (SIGSEGV: a segmentation fault): its thread \"gyro\" was at 0x1234 in \
             filter+0x12 (autopilot)"
        );
        let (what, place) = ("the system call nanosleep".into(), "spin+0x4 (0x55d0)".into());
        let (thread, advice) = ("main".into(), "call the C library's function".into());
        let leak = meaning(&Output::Leaked { what, place, thread, advice }).unwrap();
        assert!(
            leak.starts_with("the program left virtual time: the system call nanosleep at spin")
        );
        assert!(leak.ends_with("in its thread \"main\"; call the C library's function"), "{leak}");
        assert_eq!(meaning(&Output::Listen { port: 1 }), None);
    }
}
