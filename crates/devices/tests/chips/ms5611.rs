//! The barometer, as ArduPilot's driver and the data sheet use it.

use ironbird_devices::{BusKind, Ms5611, Quantity};
use ironbird_kernel::Parameter;
use ironbird_test_rig::real;
use proptest::prelude::*;

use crate::bench::Bench;
use crate::driver;

const EXAMPLE: [u16; 6] = [40127, 36924, 23317, 23282, 33464, 28312];

fn quiet() -> Vec<(&'static str, Parameter)> {
    vec![("noise", real(0.0))]
}

fn at(bench: &mut Bench<Ms5611>, pascal: f64, celsius: f64) {
    bench.reading(Quantity::Pressure, [pascal, 0.0, 0.0]);
    bench.reading(Quantity::Temperature, [celsius + 273.15, 0.0, 0.0]);
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_be_bytes([0, bytes[0], bytes[1], bytes[2]])
}

/// The sequence of ArduPilot on SPI: reset, 4 ms, PROM, then D2 and D1 at OSR 1024 every 10 ms.
#[test]
fn the_driver_of_ardupilot_finds_the_chip_and_reads_it() {
    let mut chip = Bench::<Ms5611>::new(BusKind::Spi, 0, &quiet());
    at(&mut chip, 100_009.0, 20.07);
    chip.wait_us(3000);
    chip.spi(&[0x1E]);
    chip.wait_us(4000);
    let prom: [u16; 8] = std::array::from_fn(|k| {
        let answer = chip.spi(&[0xA0 + 2 * k as u8, 0, 0]);
        u16::from_be_bytes([answer[1], answer[2]])
    });
    assert_eq!(prom[1..7], EXAMPLE);
    assert_eq!(prom[7] & 0xF, driver::ms5611_check_sum(prom));
    chip.spi(&[0x54]);
    let mut numbers = Vec::new();
    for command in [0x44, 0x44, 0x44, 0x44, 0x54, 0x44] {
        chip.wait_us(10_000);
        numbers.push(number(&chip.spi(&[0, 0, 0, 0])[1..]));
        chip.spi(&[command]);
    }
    // D2 of the data sheet's example within a hundredth of a degree, D1 within a hundredth of a millibar.
    assert!(numbers[0].abs_diff(8_569_150) < 300, "{numbers:?}");
    assert!(numbers[1..5].iter().all(|d1| d1.abs_diff(9_085_466) < 120), "{numbers:?}");
    let (temperature, pressure) = driver::ms5611(EXAMPLE, numbers[1], numbers[0]);
    assert!((temperature - 2007.0).abs() < 0.01 && (pressure - 100_009.0).abs() < 0.1);
    // The drivers of these tests are right: the data sheet's numbers give its result.
    assert_eq!(driver::ms5611_in_whole_numbers(EXAMPLE, 9_085_466, 8_569_150), (2007, 100_009));
}

#[test]
fn on_i2c_commands_and_readings_are_transfers_of_their_own() {
    let settings = [("bus", Parameter::Text("i2c".into())), ("chip", Parameter::Integer(0x77))];
    let mut chip = Bench::<Ms5611>::new(BusKind::I2c, 0x77, &settings);
    assert_eq!(chip.transfer(0x77, &[0xA2], 2), None, "its PROM is not loaded yet");
    chip.wait_us(2801);
    chip.i2c(&[0xA2], 0);
    assert_eq!(chip.i2c(&[], 2), 40127u16.to_be_bytes());
    assert_eq!(chip.i2c(&[0xA4], 2), 36924u16.to_be_bytes());
    assert_eq!(chip.transfer(0x76, &[0xA2], 2), None, "another address");
}

#[test]
fn a_result_that_is_read_too_early_is_zero() {
    for (oversampling, microseconds) in [600, 1170, 2280, 4540, 9040].into_iter().enumerate() {
        let mut chip = Bench::<Ms5611>::new(BusKind::Spi, 0, &quiet());
        at(&mut chip, 101_325.0, 15.0);
        chip.wait_us(3000);
        let command = 0x40 + 2 * oversampling as u8;
        chip.spi(&[command]);
        chip.wait_us(microseconds - 1);
        assert_eq!(chip.spi(&[0, 0, 0, 0])[1..], [0, 0, 0], "{oversampling}");
        chip.wait_us(20_000);
        assert_eq!(chip.spi(&[0, 0, 0, 0])[1..], [0, 0, 0], "and the conversion is spoilt");
        chip.spi(&[command]);
        chip.wait_us(microseconds);
        assert!(number(&chip.spi(&[0, 0, 0, 0])[1..]) > 8_000_000, "{oversampling}");
        assert_eq!(chip.spi(&[0, 0, 0, 0])[1..], [0, 0, 0], "a result is read once");
    }
}

#[test]
fn noise_is_that_of_the_data_sheet() {
    for (oversampling, deviation) in [6.5, 4.2, 2.7, 1.8, 1.2].into_iter().enumerate() {
        let mut chip = Bench::<Ms5611>::new(BusKind::Spi, 0, &[]);
        at(&mut chip, 95_000.0, 20.0);
        let d2 = mean_d2(&mut chip);
        let pressures: Vec<f64> = (0..3000)
            .map(|_| {
                chip.spi(&[0x40 + 2 * oversampling as u8]);
                chip.wait_us(9100);
                let d1 = number(&chip.spi(&[0, 0, 0, 0])[1..]);
                driver::ms5611(EXAMPLE, d1, d2).1 - 95_000.0
            })
            .collect();
        let mean = pressures.iter().sum::<f64>() / 3000.0;
        let rms = (pressures.iter().map(|p| (p - mean) * (p - mean)).sum::<f64>() / 3000.0).sqrt();
        assert!((rms / deviation - 1.0).abs() < 0.06, "{oversampling}: {rms} {deviation}");
    }
}

/// D2 of 20 °C without noise: the middle of many.
fn mean_d2(chip: &mut Bench<Ms5611>) -> u32 {
    chip.wait_us(3000);
    let sum: u64 = (0..1000)
        .map(|_| {
            chip.spi(&[0x58]);
            chip.wait_us(9100);
            u64::from(number(&chip.spi(&[0, 0, 0, 0])[1..]))
        })
        .sum();
    (sum / 1000) as u32
}

proptest! {
    /// From -40 to 85 °C, with the compensation of the second order.
    #[test]
    fn drivers_find_pressure_and_temperature_within_a_tenth_of_a_step(
        pascal in 30_000.0..110_000.0f64,
        celsius in -40.0..85.0f64,
        changes in prop::array::uniform6(0.9..1.1f64),
    ) {
        let constants: [u16; 6] =
            std::array::from_fn(|k| (f64::from(EXAMPLE[k]) * changes[k]) as u16);
        let mut settings = quiet();
        let names: Vec<String> = (0..6).map(|k| format!("calibration[{k}]")).collect();
        for (name, constant) in names.iter().zip(constants) {
            settings.push((name.as_str(), Parameter::Integer(constant.into())));
        }
        let mut chip = Bench::<Ms5611>::new(BusKind::Spi, 0, &settings);
        at(&mut chip, pascal, celsius);
        chip.wait_us(3000);
        let mut convert = |command| {
            chip.spi(&[command]);
            chip.wait_us(9100);
            number(&chip.spi(&[0, 0, 0, 0])[1..])
        };
        let (d2, d1) = (convert(0x58), convert(0x48));
        prop_assume!(d1 > 0 && d1 < 0xFF_FFFF && d2 > 0 && d2 < 0xFF_FFFF);
        let (t, p) = driver::ms5611(constants, d1, d2);
        prop_assert!((t - 100.0 * celsius).abs() <= 0.1, "{} {}", t, celsius);
        prop_assert!((p - pascal).abs() <= 0.1, "{} {}", p, pascal);
        if celsius >= 20.0 {
            let (t, p) = driver::ms5611_in_whole_numbers(constants, d1, d2);
            prop_assert!((t as f64 - 100.0 * celsius).abs() <= 1.01, "{} {}", t, celsius);
            prop_assert!((p as f64 - pascal).abs() <= 1.1, "{} {}", p, pascal);
        }
    }
}
