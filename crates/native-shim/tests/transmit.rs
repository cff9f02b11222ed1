//! A serial port takes what its line carries, and a program that offers more waits or is refused.
#![cfg(target_os = "linux")]

mod rig;

use ironbird_native_shim::protocol::{Device, DeviceKind, Input, Output, Setup};
use rig::{MICROSECOND, MILLISECOND, SECOND, WAYS, World, compile, run, setup, supported};

const PORT: u32 = 3;
/// Ten bits of a byte take 100 us.
const BAUD: u32 = 100_000;

/// Sends three bytes after a millisecond; grants are cut as is said.
#[derive(Default)]
struct Sender {
    slices: Option<u64>,
    now: u64,
}

impl World for Sender {
    fn react(&mut self, now: u64, _: &Output) -> Vec<Input> {
        self.now = now;
        Vec::new()
    }

    fn next(&self) -> Option<u64> {
        let input = (self.now < MILLISECOND).then_some(MILLISECOND);
        let slice = self.slices.map(|slice| (self.now / slice + 1) * slice);
        [input, slice].into_iter().flatten().min()
    }

    fn happen(&mut self, now: u64) -> Vec<Input> {
        self.now = now;
        let input = Input::BytesIn { port: PORT, bytes: b"xyz".to_vec() };
        if now == MILLISECOND { vec![input] } else { Vec::new() }
    }
}

fn wired(base: Setup) -> Setup {
    let kind = DeviceKind::Serial { port: PORT, baud: BAUD };
    Setup { devices: vec![Device { path: "/dev/ttyTEST".into(), kind }], ..base }
}

/// Derived from the rule: a byte takes 100 us (50 us at twice the speed), 4096 may wait, and writers are called when
/// 255 are left: (4096 - 255) * 100 us = 384.1 ms after the buffer was filled.
const REFERENCE: &str = "\
0.000000 takes 4096, 4096 wait
0.000000 takes -11, 4096 wait
0.000000 poll 0, 4096 wait
0.384100 poll 4, 255 wait
0.384100 takes 1, 256 wait
0.384100 poll 0, 256 wait
0.384200 select 1, 255 wait
0.409700 drained 0, 0 wait
1.177900 takes 10000, 2318 wait
1.409700 TCSADRAIN 0, 0 wait
1.409700 same settings 1, 0 wait
1.410700 TCSETSW2 0, 0 wait
1.411200 TCSETSF2 30, 0 wait
1.412200 TCSBRK 0, 0 wait
1.412200 flushed 0, 10 wait
1.412200 flushed 0, 10 wait
1.423250 faster 0, 900 wait
1.455500 other polled 4, 255 wait
1.468250 other drained 0, 0 wait
1.468250 level 1, 0 wait
1.468250 crowded 0, 4096 wait
1.852350 room 1, 255 wait
1.852350 again 1, 255 wait
1.877850 edge 1, 0 wait
1.877850 crowded 0, 4096 wait
2.261950 room 1, 255 wait
2.261950 again 0, 255 wait
3.055650 first takes 8192, 510 wait
3.055650 other takes 100, 610 wait
3.091150 other polled 4, 255 wait
3.126650 interrupted 4096, 3996 wait
3.126700 interrupted -4, 4096 wait
3.136700 interrupted -4, 3996 wait
3.636250 read 0, 0 wait
3.636250 read -11, 0 wait
3.636250 read 0, 0 wait
3.636250 read -11, 0 wait
";

#[test]
fn who_offers_more_than_the_line_carries_waits_until_there_is_room() {
    if !supported() {
        return;
    }
    let program = compile("transmit.c");
    let mut first = None;
    for (backend, wire) in WAYS {
        let outcome = run(&program, &[], &wired(setup(backend)), wire, &mut Sender::default());
        outcome.assert_success();
        assert_eq!(outcome.printed, REFERENCE, "{backend:?} {wire:?}");
        let speeds: Vec<_> = outcome
            .events
            .iter()
            .filter_map(|(at, event)| match event {
                Output::Speed { port: PORT, baud } => Some((at / MICROSECOND, *baud)),
                _ => None,
            })
            .collect();
        let changes =
            [(1_410_700, 200_000), (1_411_200, 100_000), (1_423_250, 200_000), (1_468_250, BAUD)];
        assert_eq!(speeds, changes);
        let all = (outcome.printed, outcome.events);
        assert_eq!(first.get_or_insert_with(|| all.clone()), &all, "{backend:?} {wire:?}");
    }
}

#[test]
fn the_grants_of_the_host_do_not_change_what_waits() {
    if !supported() {
        return;
    }
    let program = compile("transmit.c");
    for (clock, call) in [(0, 0), (50_000, 500_000), (1_000_000, 130_000_000)] {
        let mut first = None;
        for slices in [None, Some(MILLISECOND), Some(50 * MICROSECOND), Some(333_333_333)] {
            let (backend, wire) = WAYS[0];
            let charged =
                Setup { clock_read_charge: clock, call_charge: call, ..wired(setup(backend)) };
            let mut sender = Sender { slices, ..Sender::default() };
            let outcome = run(&program, &[], &charged, wire, &mut sender);
            outcome.assert_success();
            let all = (outcome.printed, outcome.events);
            assert_eq!(
                first.get_or_insert_with(|| all.clone()),
                &all,
                "slices of {slices:?}, charges {clock} {call}"
            );
        }
    }
}

/// How many bytes wait after each that the program hands over, on a line that counts as that of the host does: the
/// next byte begins when the one before it is over.
fn waiting_on_the_line(events: &[(u64, Output)], mut baud: u32) -> Vec<usize> {
    let (mut waiting, mut over, mut found) = (0, 0, Vec::new());
    for (now, event) in events {
        let byte = |baud: u32| (10 * SECOND).div_ceil(u64::from(baud));
        while waiting > 0 && over <= *now {
            waiting -= 1;
            over += byte(baud);
        }
        match event {
            Output::BytesOut { bytes, .. } => {
                over = if waiting == 0 { now + byte(baud) } else { over };
                waiting += bytes.len();
                found.push(waiting);
            }
            Output::Speed { baud: new, .. } => baud = *new,
            _ => {}
        }
    }
    found
}

#[test]
fn what_does_not_fit_is_refused_and_the_host_never_holds_more_than_the_buffer() {
    if !supported() {
        return;
    }
    let program = compile("transmit.c");
    for (backend, wire) in WAYS {
        let outcome =
            run(&program, &["offers"], &wired(setup(backend)), wire, &mut Sender::default());
        outcome.assert_success();
        // At the last of a thousand writes, 9.99 s after the first, the buffer is filled once more.
        let carried = (9990 * MILLISECOND / (10 * SECOND).div_ceil(115_200)) as usize;
        assert_eq!(carried, 115_084);
        let held = waiting_on_the_line(&outcome.events, BAUD);
        assert_eq!(held.iter().max(), Some(&4096));
        // The first to be cut short is the 22nd: 22 * 300 > 4096 + 21 * 115.2.
        assert_eq!(outcome.printed, format!("{} {} 4096\n", carried + 4096, 1000 - 21));
    }
}

#[test]
fn the_shim_and_the_line_of_the_host_count_alike() {
    if !supported() {
        return;
    }
    let program = compile("transmit.c");
    let (backend, wire) = WAYS[0];
    let charged = Setup { call_charge: 130_000_000, ..wired(setup(backend)) };
    let outcome = run(&program, &[], &charged, wire, &mut Sender::default());
    outcome.assert_success();
    let held = waiting_on_the_line(&outcome.events, BAUD);
    // Each time that the program fills the buffer the line holds just as much.
    assert_eq!(held.iter().max(), Some(&4096), "{held:?}");
    assert!(held.iter().filter(|held| **held == 4096).count() >= 10, "{held:?}");
}

#[test]
fn the_bytes_of_two_writers_do_not_mix() {
    if !supported() {
        return;
    }
    let program = compile("transmit.c");
    let (backend, wire) = WAYS[0];
    let outcome = run(&program, &[], &wired(setup(backend)), wire, &mut Sender::default());
    let pieces: Vec<(usize, u8)> = outcome
        .events
        .iter()
        .filter_map(|(_, event)| match event {
            Output::BytesOut { bytes, .. } => Some((bytes.len(), bytes[0])),
            _ => None,
        })
        .collect();
    let other = pieces.iter().position(|piece| piece.1 == b'b').expect("the other writes");
    assert_eq!(
        pieces[other - 3..=other],
        [(4096, b'a'), (3841, b'a'), (255, b'a'), (100, b'b')],
        "{pieces:?}"
    );
}
