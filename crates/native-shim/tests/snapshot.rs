//! A fork is a checkpoint in memory: program and copy go on alike.
#![cfg(target_os = "linux")]

mod rig;

use ironbird_native_shim::protocol::{Backend, Device, DeviceKind, Input, Output, Reason, Setup};
use rig::{MILLISECOND, Run, SECOND, Wire, compile, setup, supported};
use std::process::Command;

/// Everything that is written from `now` to `end`, with its time.
fn written(run: &mut Run, mut now: u64, end: u64, inputs: Vec<Input>) -> Vec<(u64, String)> {
    let mut lines = Vec::new();
    let mut inputs = inputs;
    loop {
        let yielded = run.resume(now, end, std::mem::take(&mut inputs));
        now = yielded.now;
        for event in yielded.events {
            if let Output::BytesOut { bytes, .. } = event {
                lines.push((now, String::from_utf8_lossy(&bytes).into_owned()));
            }
        }
        if yielded.reason == Reason::Reached {
            return lines;
        }
    }
}

/// A program with a serial port; none where it cannot be copied.
fn start(command: Command) -> Option<Run> {
    let kind = DeviceKind::Serial { port: 0, baud: 9600 };
    let serial = Device { path: "/dev/ttyTEST".into(), kind };
    let setup = Setup { devices: vec![serial], ..setup(Backend::Coroutines) };
    let run = Run::start(command, &setup, Wire::Memory);
    if run.hello.backend != Backend::Coroutines {
        println!("skipped: the processor has no FSGSBASE");
        return None;
    }
    Some(run)
}

#[test]
fn a_copy_goes_on_as_the_program_does() {
    if !supported() {
        return;
    }
    let Some(mut run) = start(Command::new(compile("ticker.c"))) else { return };
    let cut = 10 * MILLISECOND;
    assert_eq!(written(&mut run, 0, cut, Vec::new()).len(), 9 + 14);
    let (yielded, mut copy) = run.fork(cut, cut + 1);
    let forked = yielded
        .events
        .iter()
        .any(|event| matches!(event, Output::Forked { pid } if *pid == copy.hello.pid));
    assert!(forked, "{yielded:?}");
    // At the cut itself the slower thread ticks.
    let now = match yielded.reason {
        Reason::Output => yielded.now,
        _ => cut + 1,
    };
    let mut first: Vec<_> = yielded
        .events
        .iter()
        .filter_map(|event| match event {
            Output::BytesOut { bytes, .. } => {
                Some((yielded.now, String::from_utf8_lossy(bytes).into_owned()))
            }
            _ => None,
        })
        .collect();
    first.extend(written(&mut run, now, 3 * cut, Vec::new()));
    let second = written(&mut copy, cut, 3 * cut, Vec::new());
    assert_eq!(first.len(), 20 + 28, "{first:#?}");
    assert_eq!(first, second);
    copy.resume(3 * cut, 3 * cut, vec![Input::Stop]);
}

#[test]
fn a_copy_of_a_program_that_waits_to_send_goes_on_as_it_does() {
    if !supported() {
        return;
    }
    let mut command = Command::new(compile("transmit.c"));
    command.arg("floods");
    let Some(mut run) = start(command) else { return };
    // 4096 bytes are taken at once; then the fifth line waits, for 4 s at 960 bytes a second.
    let cut = SECOND;
    assert_eq!(written(&mut run, 0, cut, Vec::new()).len(), 5);
    let (_, mut copy) = run.fork(cut, cut + 1);
    let first = written(&mut run, cut + 1, 10 * cut, Vec::new());
    let second = written(&mut copy, cut, 10 * cut, Vec::new());
    let taken: Vec<_> = first.iter().map(|(at, bytes)| (at / MILLISECOND, bytes.len())).collect();
    // (4096 - 255) * 10 / 9600 s = 4.001 s after the first: the rest of the fifth line, two more, a part of the next.
    assert_eq!(taken[..4], [(4001, 904), (4001, 1000), (4001, 1000), (4001, 937)]);
    assert_eq!(taken.len(), 4 + 5);
    assert_eq!(first, second);
    copy.resume(10 * cut, 10 * cut, vec![Input::Stop]);
}

#[test]
fn threads_of_a_copy_end_as_those_of_the_program_do() {
    if !supported() {
        return;
    }
    let mut command = Command::new(compile("ticker.c"));
    command.arg("relay");
    let Some(mut run) = start(command) else { return };
    // In the midst of the life of the eleventh thread.
    let cut = 10 * MILLISECOND + MILLISECOND / 2;
    assert_eq!(written(&mut run, 0, cut, Vec::new()).len(), 10);
    let (_, mut copy) = run.fork(cut, cut + 1);
    let first = written(&mut run, cut + 1, 3 * cut, Vec::new());
    let second = written(&mut copy, cut, 3 * cut, Vec::new());
    assert_eq!(first.len(), 21);
    assert_eq!(first, second);
    copy.resume(3 * cut, 3 * cut, vec![Input::Stop]);
}
