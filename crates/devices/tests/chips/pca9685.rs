//! The PCA9685 as a driver on Linux sees it.

use ironbird_devices::{BusKind, Device, Pca9685, Pulse};
use ironbird_kernel::Duration;

use crate::bench::Bench;

const ADDRESS: u8 = 0x40;

fn chip() -> Bench<Pca9685> {
    Bench::new(BusKind::I2c, ADDRESS, &[])
}

/// What ArduPilot's driver writes before its first pulses: all off, asleep, a rate, its own clock, awake again.
fn start(bench: &mut Bench<Pca9685>, pre_scale: u8, restart: u8) {
    bench.i2c(&[0xFA, 0], 0);
    bench.i2c(&[0xFD, 0x10], 0);
    bench.i2c(&[0x00, 0x10], 0);
    bench.i2c(&[0xFE, pre_scale], 0);
    bench.i2c(&[0x00, restart], 0);
    bench.wait_us(500);
}

/// Pulses that end within a time, each at its own instant.
fn pulses(bench: &mut Bench<Pca9685>, span: Duration) -> Vec<(usize, Pulse)> {
    let until = bench.now + span;
    let mut found = Vec::new();
    while bench.device.next_event() <= until {
        bench.wait(bench.device.next_event().since(bench.now));
        found.extend(bench.device.take_pulses());
    }
    bench.wait(until.since(bench.now));
    found
}

#[test]
fn registers_have_the_values_of_the_data_sheet_after_power_on() {
    let mut bench = chip();
    for (register, value) in
        [(0x00, 0x11), (0x01, 0x04), (0x02, 0xE2), (0x05, 0xE0), (0x09, 0x10), (0xFE, 0x1E)]
    {
        assert_eq!(bench.i2c(&[register], 1), [value], "register {register:#x}");
    }
    assert_eq!(bench.transfer(0x41, &[0], 1), None, "that is another chip");
    assert!(bench.transfer(0x70, &[0], 1).is_some(), "the address of all is 0xE0 >> 1");
}

#[test]
fn registers_follow_each_other_if_software_wants_that() {
    let mut bench = chip();
    bench.i2c(&[0x06, 1, 2, 3, 4], 0);
    assert_eq!(bench.i2c(&[0x06], 2), [4, 4], "it stays at one register");
    bench.i2c(&[0x00, 0x31], 0);
    bench.i2c(&[0x06, 1, 2, 3, 4, 5], 0);
    assert_eq!(bench.i2c(&[0x06], 5), [1, 2, 3, 4, 5]);
    assert_eq!(bench.i2c(&[0x45], 2), [0x10, 0x31], "MODE1 follows the last channel");
    assert_eq!(bench.i2c(&[0xFA], 1), [0], "what is for all channels reads as 0");
}

#[test]
fn the_rate_is_that_of_the_oscillator_divided() {
    let mut bench = chip();
    start(&mut bench, 121, 0x20);
    // 25 MHz / (4096 * 122) = 50.03 Hz.
    assert!((bench.show(0) - 50.03).abs() < 0.01, "{}", bench.show(0));
    bench.i2c(&[0xFE, 30], 0);
    assert_eq!(bench.i2c(&[0xFE], 1), [121], "it cannot be written while it is awake");
    bench.i2c(&[0x00, 0x30], 0);
    assert_eq!(bench.show(0), 0.0);
    bench.i2c(&[0xFE, 1], 0);
    assert_eq!(bench.i2c(&[0xFE], 1), [3], "3 is the least");
}

#[test]
fn a_channel_gives_a_pulse_each_period() {
    let mut bench = chip();
    start(&mut bench, 121, 0x20);
    // 1500 us are 307 counts of 4.88 us.
    let begin = bench.now;
    bench.i2c(&[0x06 + 4 * 3, 0, 0, (307 & 0xFF) as u8, (307 >> 8) as u8], 0);
    let found = pulses(&mut bench, Duration::from_ms(100));
    assert_eq!(found.len(), 5);
    for (number, (channel, pulse)) in found.iter().enumerate() {
        assert_eq!(*channel, 3);
        assert_eq!(pulse.width(), Duration::from_ps(307 * 4_880_000));
        let period = 4096 * 4_880_000;
        assert_eq!(pulse.began.since(begin).as_ps(), number as u64 * period);
    }
}

#[test]
fn a_pulse_may_reach_into_the_next_period() {
    let mut bench = chip();
    start(&mut bench, 121, 0x20);
    // ON at 4000, OFF at 100: 196 counts.
    bench.i2c(&[0x06, (4000 & 0xFF) as u8, (4000_u16 >> 8) as u8, 100, 0], 0);
    let found = pulses(&mut bench, Duration::from_ms(45));
    let widths: Vec<_> = found.iter().map(|(_, pulse)| pulse.width()).collect();
    assert_eq!(widths, [Duration::from_ps(196 * 4_880_000); 2]);
}

#[test]
fn the_external_clock_is_taken_in_sleep_and_stays() {
    let mut bench = chip();
    bench.i2c(&[0x00, 0x10], 0);
    bench.i2c(&[0xFE, 0x0C], 0);
    bench.i2c(&[0x00, 0x50], 0);
    bench.i2c(&[0x00, 0xA0], 0);
    bench.wait_us(500);
    // 24.576 MHz / (4096 * 13) = 461.5 Hz, as ArduPilot's driver has it.
    assert!((bench.show(0) - 461.54).abs() < 0.01, "{}", bench.show(0));
    assert_eq!(bench.i2c(&[0x00], 1), [0x60]);
}

#[test]
fn pulses_that_sleep_interrupts_begin_again_by_a_restart() {
    let mut bench = chip();
    start(&mut bench, 121, 0x20);
    bench.i2c(&[0x06, 0, 0, 200, 0], 0);
    assert_eq!(pulses(&mut bench, Duration::from_ms(41)).len(), 3);
    bench.i2c(&[0x00, 0x30], 0);
    assert_eq!(pulses(&mut bench, Duration::from_ms(41)).len(), 0);
    bench.i2c(&[0x00, 0x20], 0);
    assert_eq!(bench.i2c(&[0x00], 1), [0xA0], "it remembers that there were pulses");
    assert_eq!(pulses(&mut bench, Duration::from_ms(41)).len(), 0);
    bench.i2c(&[0x00, 0xA0], 0);
    assert_eq!(bench.i2c(&[0x00], 1), [0x20]);
    assert_eq!(pulses(&mut bench, Duration::from_ms(41)).len(), 3);
}

#[test]
fn full_off_wins_over_full_on() {
    let mut bench = chip();
    start(&mut bench, 121, 0x20);
    bench.i2c(&[0x06, 0, 0x10, 200, 0], 0);
    assert_eq!(pulses(&mut bench, Duration::from_ms(41)).len(), 0, "always on: it never ends");
    bench.i2c(&[0x06, 0, 0, 200, 0x10], 0);
    assert_eq!(pulses(&mut bench, Duration::from_ms(41)).len(), 0);
    bench.i2c(&[0x06, 0, 0, 200, 0], 0);
    assert_eq!(pulses(&mut bench, Duration::from_ms(41)).len(), 2);
}
