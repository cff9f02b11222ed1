//! Registers, FIFO, filters and interrupts of the inertial unit.

use ironbird_devices::{BusKind, Mpu9250, Quantity};
use ironbird_kernel::Parameter;
use ironbird_test_rig::{assert_goes_on_after_a_checkpoint, real, seconds, text};
use proptest::prelude::*;

use crate::bench::Bench;
use crate::driver::big_endian;
use crate::host::{inertial_unit, replies};

pub fn quiet() -> Vec<(&'static str, Parameter)> {
    vec![
        ("gyroscope.noise_density", real(0.0)),
        ("gyroscope.offset_spread", real(0.0)),
        ("accelerometer.noise_density", real(0.0)),
        ("accelerometer.offset_spread", real(0.0)),
        ("magnetometer.noise", real(0.0)),
    ]
}

/// On SPI, level and at rest.
pub fn level() -> Bench<Mpu9250> {
    level_with(&quiet())
}

fn level_with(settings: &[(&str, Parameter)]) -> Bench<Mpu9250> {
    let mut chip = Bench::<Mpu9250>::new(BusKind::Spi, 0, settings);
    chip.reading(Quantity::AngularVelocity, [0.0; 3]);
    chip.reading(Quantity::SpecificForce, [0.0, 0.0, -9.80665]);
    chip.reading(Quantity::MagneticField, [2.1e-5, 1e-6, 4.3e-5]);
    chip.reading(Quantity::Temperature, [293.15, 0.0, 0.0]);
    chip
}

pub fn write(chip: &mut Bench<Mpu9250>, register: u8, value: u8) {
    chip.spi(&[register, value]);
}

pub fn read(chip: &mut Bench<Mpu9250>, register: u8, count: usize) -> Vec<u8> {
    let mut frame = vec![0; count + 1];
    frame[0] = register | 0x80;
    chip.spi(&frame).split_off(1)
}

#[test]
fn registers_keep_what_is_written_and_a_reset_forgets_it() {
    let mut chip = level();
    let kept = (0x00..=0x7Fu8).filter(|register| {
        !matches!(register, 0x35 | 0x36 | 0x3A..=0x60 | 0x68 | 0x6A..=0x6B | 0x72..=0x75)
    });
    let kept: Vec<u8> = kept.collect();
    for register in &kept {
        write(&mut chip, *register, register ^ 0x55);
    }
    for register in &kept {
        assert_eq!(read(&mut chip, *register, 1), [register ^ 0x55], "{register:#x}");
    }
    write(&mut chip, 0x75, 0);
    write(&mut chip, 0x6B, 0x80);
    let factory = [0x77u8, 0x78, 0x7A, 0x7B, 0x7D, 0x7E];
    for register in kept.iter().filter(|register| !factory.contains(register)) {
        assert_eq!(read(&mut chip, *register, 1), [0], "{register:#x}");
    }
    let [x, y, z] = [0x77, 0x7A, 0x7D].map(|register| big_endian(&read(&mut chip, register, 2))[0]);
    assert_eq!([x, y, z], [-3176, 1850, 5624]);
    assert_eq!((read(&mut chip, 0x75, 1), read(&mut chip, 0x6B, 1)), (vec![0x71], vec![0x01]));
}

#[test]
fn it_samples_at_the_rates_of_the_data_sheet() {
    // CONFIG, GYRO_CONFIG, ACCEL_CONFIG 2, SMPLRT_DIV: frames in 0.1 s.
    let settings = [
        ([0x01, 0x18, 0x01, 0], 100),
        ([0x01, 0x18, 0x01, 9], 10),
        ([0x03, 0x18, 0x08, 1], 50),
        ([0x00, 0x18, 0x08, 0], 800),
        ([0x07, 0x18, 0x08, 9], 800),
        ([0x01, 0x1A, 0x08, 0], 3200),
        ([0x01, 0x19, 0x01, 4], 3200),
    ];
    for ([config, gyro, accel, divider], expected) in settings {
        let mut chip = level();
        write(&mut chip, 0x1A, config);
        write(&mut chip, 0x1B, gyro);
        write(&mut chip, 0x1D, accel);
        write(&mut chip, 0x19, divider);
        write(&mut chip, 0x23, 0x80);
        write(&mut chip, 0x6A, 0x40);
        let mut frames = 0;
        for _ in 0..1000 {
            chip.wait_us(100);
            let count = big_endian(&read(&mut chip, 0x72, 2))[0] as usize;
            read(&mut chip, 0x74, count);
            frames += count / 2;
        }
        assert_eq!(frames, expected, "{config:#x} {gyro:#x} {accel:#x} {divider}");
    }
}

#[test]
fn frames_in_the_fifo_have_the_order_of_the_registers() {
    let mut chip = level();
    chip.reading(Quantity::AngularVelocity, [0.1, -0.2, 0.3]);
    write(&mut chip, 0x1A, 0x01);
    for mask in [0xF8u8, 0x78, 0x08, 0x80, 0x50] {
        write(&mut chip, 0x23, mask);
        write(&mut chip, 0x6A, 0x44);
        chip.wait_us(1000);
        let registers = read(&mut chip, 0x3B, 14);
        let mut expected = Vec::new();
        if mask & 0x08 != 0 {
            expected.extend_from_slice(&registers[0..6]);
        }
        for (bit, at) in [(0x80, 6), (0x40, 8), (0x20, 10), (0x10, 12)] {
            if mask & bit != 0 {
                expected.extend_from_slice(&registers[at..at + 2]);
            }
        }
        assert_eq!(read(&mut chip, 0x72, 2), [0, expected.len() as u8]);
        assert_eq!(read(&mut chip, 0x74, expected.len()), expected, "{mask:#x}");
    }
}

#[test]
fn a_full_fifo_stops_or_forgets_the_oldest_and_says_so() {
    for (config, is_new) in [(0x41, false), (0x01, true)] {
        let mut chip = level();
        write(&mut chip, 0x1A, config);
        write(&mut chip, 0x23, 0x40);
        write(&mut chip, 0x6A, 0x40);
        chip.wait_us(100_000);
        read(&mut chip, 0x3A, 1);
        chip.wait_us(155_000);
        assert_eq!(read(&mut chip, 0x3A, 1)[0] & 0x10, 0);
        chip.reading(Quantity::AngularVelocity, [0.0, 1.0, 0.0]);
        chip.wait_us(100_000);
        assert_eq!(read(&mut chip, 0x3A, 1)[0] & 0x10, 0x10);
        assert_eq!(read(&mut chip, 0x72, 2), [2, 0]);
        let last = *big_endian(&read(&mut chip, 0x74, 512)).last().unwrap();
        assert_eq!(last > 1000, is_new, "{last}");
    }
}

#[test]
fn a_pin_that_is_not_connected_stays_low_and_changes_nothing_else() {
    let connected = |is: bool| {
        let mut settings = quiet();
        settings.push(("interrupt_pin", Parameter::Bool(is)));
        let mut chip = level_with(&settings);
        write(&mut chip, 0x38, 0x01);
        write(&mut chip, 0x37, 0x20);
        chip.wait_us(5_020);
        (chip.show(0), [read(&mut chip, 0x3A, 1), read(&mut chip, 0x3B, 14)])
    };
    let ((with, read_with), (without, read_without)) = (connected(true), connected(false));
    assert_eq!((with, without), (1.0, 0.0));
    assert_eq!(read_with, read_without);
}

/// Samples at 8 kHz into the FIFO, from 100 us on; read between two of them.
const READS_BETWEEN_SAMPLES: &str = "
    100 0 1A40 0
    150 0 3801 0
    200 0 23F8 0
    300 0 6A60 0
    repeat 1000
    1030 0 F20000 0
    1040 0 F4000000000000000000000000000000000000000000000000000000000000 0
    1050 0 BA000000000000000000000000000000 0
";

#[test]
fn samples_that_are_made_when_they_are_read_are_those_that_would_have_been_there() {
    let read = |connected: bool| {
        let settings = [("interrupt_pin", Parameter::Bool(connected))];
        let run = inertial_unit(&settings, READS_BETWEEN_SAMPLES)
            .run(seconds(0.3), &["chip.reply", "chip.interrupt"]);
        let changes = run.samples::<bool>("chip.interrupt").len();
        (replies(&run), changes)
    };
    let ((told, with_pin), (asked, without)) = (read(true), read(false));
    assert!(told.len() > 800 && with_pin > 3_000 && without <= 1, "{with_pin}, {without}");
    assert_eq!(told, asked);
}

#[test]
fn samples_that_nobody_has_read_yet_are_saved_too() {
    let settings = [("interrupt_pin", Parameter::Bool(false))];
    let graph = || inertial_unit(&settings, READS_BETWEEN_SAMPLES).into_graph();
    assert_goes_on_after_a_checkpoint(graph, seconds(0.100_9), seconds(0.3));
}

#[test]
fn the_interrupt_pin_pulses_or_is_latched_and_may_be_active_low() {
    let mut chip = level();
    write(&mut chip, 0x1A, 0x01);
    chip.wait_us(5_020);
    assert_eq!(chip.show(0), 0.0, "not enabled");
    assert_eq!(read(&mut chip, 0x3A, 1), [1], "but data are ready");
    write(&mut chip, 0x38, 0x01);
    chip.wait_us(1000);
    assert_eq!(chip.show(0), 1.0);
    chip.wait_us(40);
    assert_eq!(chip.show(0), 0.0, "50 us are over");
    write(&mut chip, 0x37, 0xA0);
    assert_eq!(chip.show(0), 1.0, "active low");
    chip.wait_us(1500);
    assert_eq!(chip.show(0), 0.0, "latched");
    read(&mut chip, 0x3B, 6);
    assert_eq!(chip.show(0), 0.0);
    read(&mut chip, 0x3A, 1);
    assert_eq!(chip.show(0), 1.0, "cleared by reading its status");
    write(&mut chip, 0x37, 0x30);
    chip.wait_us(1000);
    assert_eq!(chip.show(0), 1.0);
    read(&mut chip, 0x3B, 1);
    assert_eq!(chip.show(0), 0.0, "cleared by reading anything");
}

#[test]
fn asleep_it_samples_nothing() {
    let mut chip = level();
    chip.wait_us(2000);
    write(&mut chip, 0x6B, 0x40);
    let before = read(&mut chip, 0x3B, 14);
    chip.reading(Quantity::SpecificForce, [5.0, 5.0, 5.0]);
    chip.wait_us(100_000);
    assert_eq!(read(&mut chip, 0x3B, 14), before);
    write(&mut chip, 0x6B, 0x01);
    chip.wait_us(2000);
    assert_ne!(read(&mut chip, 0x3B, 14), before);
}

#[test]
fn values_beyond_the_range_are_held_at_its_ends() {
    let mut chip = level();
    chip.reading(Quantity::SpecificForce, [0.0, 0.0, -500.0]);
    chip.reading(Quantity::AngularVelocity, [100.0, 0.0, 100.0]);
    chip.wait_us(100_000);
    let words = big_endian(&read(&mut chip, 0x3B, 14));
    assert_eq!((words[2], words[5], words[6]), (i16::MAX, i16::MAX, i16::MIN));
}

/// The offset registers: 0.98 mg for the accelerometer, against the factory's; 1/32.8 deg/s for the gyroscope.
#[test]
fn offset_registers_shift_what_is_read() {
    let mut chip = level();
    write(&mut chip, 0x1B, 0x10);
    let written = (-3176i16 + 2 * 100).to_be_bytes();
    chip.spi(&[0x77, written[0], written[1]]);
    chip.spi(&[0x13, 0, 33]);
    chip.wait_us(2000);
    let words = big_endian(&read(&mut chip, 0x3B, 14));
    // 98 mg in a range of 2 g.
    assert_eq!((words[0], words[4]), ((0.098 * 16384.0f64).round() as i16, 33));
}

#[test]
fn on_i2c_it_has_an_address_and_lets_a_host_through_to_the_magnetometer() {
    let mut settings = quiet();
    settings.extend([("bus", text("i2c")), ("chip", Parameter::Integer(0x68))]);
    let mut chip = Bench::<Mpu9250>::new(BusKind::I2c, 0x68, &settings);
    assert_eq!(chip.i2c(&[0x75], 1), [0x71]);
    assert_eq!(chip.transfer(0x69, &[0x75], 1), None);
    assert_eq!(chip.transfer(0x0C, &[0x00], 1), None);
    chip.i2c(&[0x37, 0x02], 0);
    assert_eq!(chip.transfer(0x0C, &[0x00], 1), Some(vec![0x48]));
    chip.i2c(&[0x6A, 0x20], 0);
    assert_eq!(chip.transfer(0x0C, &[0x00], 1), None, "the master has the bus");
    chip.i2c(&[0x6A, 0x10], 0);
    assert_eq!(chip.transfer(0x68, &[0x75], 1), None, "I2C is disabled");
}

#[test]
fn the_master_reads_once_by_slave_4_and_says_who_did_not_acknowledge() {
    let mut chip = level();
    write(&mut chip, 0x1A, 0x01);
    write(&mut chip, 0x6A, 0x20);
    chip.spi(&[0x31, 0x8C, 0x00, 0x00, 0x80]);
    chip.wait_us(1000);
    assert_eq!((read(&mut chip, 0x35, 1), read(&mut chip, 0x36, 1)), (vec![0x48], vec![0x40]));
    assert_eq!(read(&mut chip, 0x34, 1), [0], "it is done once");
    // Slave 1 has an address at which nobody is; slave 2 reads two bytes, swapped.
    chip.spi(&[0x28, 0x8D, 0x00, 0x81]);
    chip.spi(&[0x2B, 0x8C, 0x00, 0xC2]);
    chip.wait_us(1000);
    assert_eq!(read(&mut chip, 0x36, 1), [0x02]);
    assert_eq!(read(&mut chip, 0x49, 3), [0x00, 0x9A, 0x48]);
}

/// A density of 0.01 deg/s/√Hz behind a first-order low pass of 184 Hz.
#[test]
fn noise_has_the_density_of_the_data_sheet() {
    let settings = [("gyroscope.offset_spread", real(0.0))];
    let mut chip = level_with(&settings);
    write(&mut chip, 0x1A, 0x06);
    write(&mut chip, 0x1D, 0x06);
    chip.wait_us(500_000);
    let (mut gyro, mut accel) = (Vec::new(), Vec::new());
    for _ in 0..20_000 {
        chip.wait_us(20_000);
        let words = big_endian(&read(&mut chip, 0x3B, 14));
        gyro.push(f64::from(words[4]) / 131.0);
        accel.push(f64::from(words[0]) / 16_384.0);
    }
    let rms = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
        (squares / values.len() as f64).sqrt()
    };
    // The noise bandwidth of a first-order low pass is π/2 of its bandwidth.
    let half_pi = std::f64::consts::FRAC_PI_2;
    let (g, a) = (0.01 * (half_pi * 5.0).sqrt(), 300e-6 * (half_pi * 5.05).sqrt());
    assert!((rms(&gyro) / g - 1.0).abs() < 0.05, "{} {g}", rms(&gyro));
    assert!((rms(&accel) / a - 1.0).abs() < 0.05, "{} {a}", rms(&accel));
}

proptest! {
    #[test]
    fn drivers_find_rates_and_forces_within_one_step(
        range in 0usize..4,
        rates in prop::array::uniform3(-1.0..1.0f64),
        forces in prop::array::uniform3(-1.0..1.0f64),
        celsius in -30.0..80.0f64,
    ) {
        let (degrees, g) = ([250.0, 500.0, 1000.0, 1990.0][range], [2.0, 4.0, 8.0, 15.9][range]);
        let (per_degree, per_g) =
            ([131.0, 65.5, 32.8, 16.4][range], [16384.0, 8192.0, 4096.0, 2048.0][range]);
        let rates = rates.map(|share: f64| (0.99 * share * degrees).to_radians());
        let forces = forces.map(|share| 0.99 * share * g * 9.80665);
        let mut chip = level();
        chip.reading(Quantity::AngularVelocity, rates);
        chip.reading(Quantity::SpecificForce, forces);
        chip.reading(Quantity::Temperature, [celsius + 273.15, 0.0, 0.0]);
        write(&mut chip, 0x1B, (range as u8) << 3);
        write(&mut chip, 0x1C, (range as u8) << 3);
        chip.wait_us(2000);
        let words = big_endian(&read(&mut chip, 0x3B, 14));
        // ArduPilot's axes: x is the chip's y, y its x, z opposite to its z.
        let body = |at: usize| {
            [words[at + 1], words[at], -words[at + 2]].map(f64::from)
        };
        for axis in 0..3 {
            let force = body(0)[axis] / per_g * 9.80665;
            prop_assert!((force - forces[axis]).abs() <= 9.80665 / per_g);
            let rate = (body(4)[axis] / per_degree).to_radians();
            prop_assert!((rate - rates[axis]).abs() <= (1.0 / per_degree).to_radians());
        }
        prop_assert!((f64::from(words[3]) / 333.87 + 21.0 - celsius).abs() <= 1.0 / 333.87);
    }
}
