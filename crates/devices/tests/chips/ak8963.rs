//! The magnetometer alone on I2C.

use ironbird_devices::{Ak8963, BusKind, Quantity};
use ironbird_kernel::Parameter;
use ironbird_test_rig::real;
use proptest::prelude::*;

use crate::bench::Bench;
use crate::driver;

const ASA: [u8; 3] = [176, 177, 165];

fn quiet(field: [f64; 3]) -> Bench<Ak8963> {
    let settings: [(&str, Parameter); 1] = [("magnetometer.noise", real(0.0))];
    let mut chip = Bench::<Ak8963>::new(BusKind::I2c, 0x0C, &settings);
    chip.reading(Quantity::MagneticField, field);
    chip
}

#[test]
fn it_says_who_it_is_and_shows_its_fuses_in_their_mode_only() {
    let mut chip = quiet([0.0; 3]);
    assert_eq!(chip.i2c(&[0x00], 1), [0x48]);
    assert_eq!(chip.i2c(&[0x10], 3), [0; 3]);
    chip.i2c(&[0x0A, 0x1F], 0);
    assert_eq!(chip.i2c(&[0x10], 3), ASA);
    assert_eq!(chip.i2c(&[0x12], 2), [ASA[2], ASA[0]], "the fuses go round");
    chip.i2c(&[0x0B, 0x01], 0);
    assert_eq!(chip.i2c(&[0x0A], 1), [0], "a reset");
}

#[test]
fn a_single_measurement_takes_its_time_and_ends_in_power_down() {
    let mut chip = quiet([2e-5, 0.0, 0.0]);
    chip.i2c(&[0x0A, 0x11], 0);
    chip.wait_us(7100);
    assert_eq!(chip.i2c(&[0x02], 1), [0]);
    chip.wait_us(200);
    assert_eq!(chip.i2c(&[0x02], 1), [1]);
    assert_eq!(chip.i2c(&[0x0A], 1), [0x10]);
    chip.i2c(&[0x03], 7);
    assert_eq!(chip.i2c(&[0x02], 1), [0], "it has been read");
}

#[test]
fn it_measures_8_or_100_times_a_second_and_tells_an_overrun() {
    for (mode, period) in [(0x12, 125_000), (0x16, 10_000)] {
        let mut chip = quiet([2e-5, 0.0, 0.0]);
        chip.i2c(&[0x0A, mode], 0);
        chip.wait_us(7_300);
        for _ in 0..20 {
            assert_eq!(chip.i2c(&[0x02], 8)[0], 1);
            assert_eq!(chip.i2c(&[0x02], 1), [0]);
            chip.wait_us(period);
        }
        chip.wait_us(period);
        assert_eq!(chip.i2c(&[0x02], 1), [3], "one was not read");
    }
}

#[test]
fn what_is_being_read_stays_until_st2_is_read() {
    let mut chip = quiet([2e-5, 0.0, 0.0]);
    chip.i2c(&[0x0A, 0x16], 0);
    chip.wait_us(7_300);
    let first = chip.i2c(&[0x03], 6);
    chip.reading(Quantity::MagneticField, [-2e-5, 0.0, 0.0]);
    chip.wait_us(30_000);
    assert_eq!(chip.i2c(&[0x03], 6), first);
    chip.i2c(&[0x09], 1);
    chip.wait_us(10_000);
    let second = chip.i2c(&[0x03], 6);
    assert!((driver::ak8963(&first, ASA)[0] - 20.0).abs() < 0.2);
    assert!((driver::ak8963(&second, ASA)[0] + 20.0).abs() < 0.2);
}

#[test]
fn a_field_that_is_too_strong_sets_the_overflow_flag() {
    for (field, flag) in [([4.0e-3, 0.5e-3, 0.4e-3], 0x00), ([4.0e-3, 0.5e-3, -0.5e-3], 0x08)] {
        let mut chip = quiet(field);
        chip.i2c(&[0x0A, 0x01], 0);
        chip.wait_us(8000);
        assert_eq!(chip.i2c(&[0x09], 1), [flag]);
    }
}

#[test]
fn the_self_test_is_within_the_limits_of_the_data_sheet() {
    let mut chip = quiet([0.0; 3]);
    chip.i2c(&[0x0C, 0x40], 0);
    chip.i2c(&[0x0A, 0x18], 0);
    chip.wait_us(8000);
    let data = chip.i2c(&[0x03], 7);
    let [x, y, z] = driver::ak8963(&data, ASA).map(|field| field / 0.15);
    assert!(x.abs() <= 200.0 && y.abs() <= 200.0 && (-3200.0..=-800.0).contains(&z));
}

proptest! {
    #[test]
    fn drivers_find_the_field_within_one_step(
        field in prop::array::uniform3(-1.6e-3..1.6e-3f64),
        is_fine in any::<bool>(),
    ) {
        let mut chip = quiet(field);
        chip.i2c(&[0x0A, if is_fine { 0x11 } else { 0x01 }], 0);
        chip.wait_us(8000);
        let data = chip.i2c(&[0x03], 7);
        let factor = if is_fine { 1.0 } else { 4.0 };
        prop_assert_eq!(data[6], if is_fine { 0x10 } else { 0 });
        for (found, truth) in driver::ak8963(&data, ASA).into_iter().zip(field) {
            // A step with the factory's adjustment is at most 1.2 of 0.15 µT.
            prop_assert!((found * factor - truth * 1e6).abs() <= 0.15 * factor * 1.2);
        }
    }
}
