//! What ArduPilot 4.7's drivers do on the bus, in their order, as traced on a real bus, and what they must read.

use ironbird_devices::{Mpu9250, Quantity};

use crate::bench::Bench;
use crate::driver::{self, big_endian};
use crate::mpu9250::{level, read, write};

/// Steps 1 to 6 of the inertial driver: who is it, reset, SPI only, clock.
fn probe(chip: &mut Bench<Mpu9250>) {
    assert_eq!(read(chip, 0x75, 1), [0x71]);
    assert_eq!(read(chip, 0x6A, 1), [0x00]);
    write(chip, 0x6B, 0x80);
    chip.wait_us(100_000);
    write(chip, 0x6A, 0x10);
    write(chip, 0x6B, 0x03);
    chip.wait_us(5_000);
    assert_eq!(read(chip, 0x6B, 1), [0x03]);
    assert_eq!(read(chip, 0x3A, 1)[0] & 1, 1, "data are ready");
}

/// A transfer with the magnetometer through slave 0.
fn through_reading(chip: &mut Bench<Mpu9250>, register: u8, length: u8) -> Vec<u8> {
    write(chip, 0x27, 0);
    write(chip, 0x25, 0x8C);
    write(chip, 0x26, register);
    write(chip, 0x27, 0x80 | length);
    chip.wait_us(10_000);
    let bytes = read(chip, 0x49, length.into());
    write(chip, 0x27, 0);
    bytes
}

fn through_writing(chip: &mut Bench<Mpu9250>, register: u8, value: u8) {
    write(chip, 0x27, 0);
    write(chip, 0x63, value);
    write(chip, 0x25, 0x0C);
    write(chip, 0x26, register);
    write(chip, 0x27, 0x81);
    chip.wait_us(10_000);
    write(chip, 0x27, 0);
}

/// The compass driver; it comes before the inertial unit starts.
fn configure_compass(chip: &mut Bench<Mpu9250>) -> [u8; 3] {
    assert_eq!(read(chip, 0x6A, 1), [0x10]);
    write(chip, 0x6A, 0x30);
    write(chip, 0x24, 0x1D);
    write(chip, 0x34, 9);
    write(chip, 0x67, 0x0F);
    assert_eq!(through_reading(chip, 0x00, 1), [0x48]);
    through_writing(chip, 0x0A, 0x1F);
    let asa = through_reading(chip, 0x10, 3);
    through_writing(chip, 0x0A, 0x16);
    write(chip, 0x27, 0);
    write(chip, 0x25, 0x8C);
    write(chip, 0x26, 0x03);
    write(chip, 0x27, 0x87);
    asa.try_into().expect("three bytes")
}

/// start(): FIFO, filters, ranges, interrupts, factory offsets.
fn start(chip: &mut Bench<Mpu9250>) {
    write(chip, 0x6C, 0x00);
    chip.wait_us(1000);
    write(chip, 0x23, 0x00);
    for control in [0x30, 0x34, 0x70] {
        write(chip, 0x6A, control);
    }
    write(chip, 0x23, 0xF8);
    for (register, value) in [(0x34, 0x1F), (0x1A, 0x40), (0x1D, 0x08), (0x19, 0x00), (0x1B, 0x18)]
    {
        write(chip, register, value);
    }
    read(chip, 0x0C, 1);
    write(chip, 0x1C, 0x18);
    write(chip, 0x38, 0x01);
    assert_eq!(read(chip, 0x37, 1), [0x00]);
    write(chip, 0x37, 0x00);
    for register in [0x77, 0x78, 0x7A, 0x7B, 0x7D, 0x7E] {
        let value = read(chip, register, 1)[0];
        write(chip, register, value);
    }
}

fn reset_fifo(chip: &mut Bench<Mpu9250>) {
    write(chip, 0x23, 0x00);
    for control in [0x30, 0x34, 0x70] {
        write(chip, 0x6A, control);
    }
    write(chip, 0x23, 0xF8);
}

#[test]
fn the_drivers_of_ardupilot_start_and_read_frames_at_8_khz() {
    let mut chip = level();
    probe(&mut chip);
    let asa = configure_compass(&mut chip);
    start(&mut chip);
    reset_fifo(&mut chip);
    chip.reading(Quantity::AngularVelocity, [0.5, -0.25, 0.125]);
    let checked = [0x23, 0x1A, 0x1D, 0x19, 0x1B, 0x1C];
    let mut frames = Vec::new();
    for poll in 0..200usize {
        chip.wait_us(1000);
        let count = usize::from(u16::from_be_bytes(read(&mut chip, 0x72, 2).try_into().unwrap()));
        assert_eq!(count, 8 * 14, "8 frames a millisecond");
        let bytes = read(&mut chip, 0x74, count);
        frames.extend(bytes.chunks_exact(14).map(big_endian));
        if poll % 20 == 19 {
            let (register, expected) =
                (checked[poll / 20 % 6], [0xF8, 0x40, 0x08, 0x00, 0x18, 0x18][poll / 20 % 6]);
            assert_eq!(read(&mut chip, register, 1), [expected]);
        }
    }
    let last = frames.last().unwrap();
    // Accelerometer at 16 g, 20 °C, gyroscope at 2000 deg/s; ArduPilot's y is the chip's x.
    let steps = |rate: f64| (rate.to_degrees() * 16.4).round() as i16;
    assert_eq!(last[0..3], [0, 0, 2048]);
    assert_eq!(last[3], -334);
    assert_eq!(last[4..7], [steps(-0.25), steps(0.5), steps(-0.125)]);
    // The field along the axes of the body, which are the magnetometer's.
    let data = read(&mut chip, 0x49, 7);
    assert_eq!(data[6] & 0x18, 0x10, "16 bits, no overflow");
    let field = driver::ak8963(&data, asa);
    for (found, expected) in field.into_iter().zip([21.0, 1.0, 43.0]) {
        assert!((found - expected).abs() <= 0.2, "{field:?}");
    }
}

/// The accelerometer has 4 kHz: its words repeat in every second frame.
#[test]
fn accelerations_repeat_in_every_second_frame_of_the_fast_mode() {
    let mut chip = level();
    probe(&mut chip);
    start(&mut chip);
    chip.wait_us(2000);
    reset_fifo(&mut chip);
    chip.reading(Quantity::SpecificForce, [0.0, 9.0, -9.80665]);
    chip.wait_us(2000);
    let bytes = read(&mut chip, 0x74, 16 * 14);
    let x: Vec<i16> = bytes.chunks_exact(14).map(|frame| big_endian(frame)[0]).collect();
    let changes = x.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!((5..=8).contains(&changes), "{x:?}");
    assert!(x.windows(3).all(|three| three[0] == three[1] || three[1] == three[2]), "{x:?}");
}
