//! What an exchange with a program costs.

use ironbird_test_rig::{Run, seconds, text};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::programs::{Compiled, compile, rig};

const TALKER: &str = r#"
int main(void) {
    for (;;) { pause_us(10); say("on"); }
}
"#;

/// Processor time of this process and of those that it has waited for, in ticks (proc_pid_stat(5), from the 14th word on).
fn ticks() -> u64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("proc is there");
    let words = text.rsplit_once(')').expect("a name").1.split_whitespace();
    words.skip(11).take(4).map(|word| word.parse::<u64>().expect("a number")).sum()
}

/// What a run of the program costs that stops some 17 000 times.
fn cost(program: &Compiled, transport: &str) -> u64 {
    let began = ticks();
    let run: Run = rig(program, &[("transport", text(transport))]).run(seconds(0.2), &[]);
    drop(run);
    ticks() - began
}

#[test]
fn on_one_core_shared_memory_costs_less_than_a_socket() {
    let Some(program) = compile(TALKER) else { return };
    let allowed = sched_getaffinity(None).expect("the cores of this process");
    let first = (0..CpuSet::MAX_CPU).find(|core| allowed.is_set(*core)).expect("a core");
    let mut one = CpuSet::new();
    one.set(first);
    // Threads and processes that are made from here on inherit it.
    sched_setaffinity(None, &one).expect("a core");
    let (mut memory, mut socket) = (0, 0);
    for _ in 0..4 {
        memory += cost(&program, "memory");
        socket += cost(&program, "socket");
    }
    println!("memory {memory}, socket {socket} ticks");
    assert!(memory < socket, "{memory} ticks by memory, {socket} by a socket");
}
