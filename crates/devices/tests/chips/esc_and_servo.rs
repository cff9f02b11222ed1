//! Pulses become speeds and angles.

use ironbird_devices::{BusKind, Esc, FaultMode, Servo};
use ironbird_kernel::{Duration, Parameter};
use ironbird_test_rig::{real, text};

use crate::bench::Bench;

const SPEED: usize = 0;
const SHARE: usize = 1;
const ARMED: usize = 2;

fn esc(settings: &[(&str, Parameter)]) -> Bench<Esc> {
    Bench::new(BusKind::Spi, 0, settings)
}

/// Pulses of this width at 400 Hz.
fn pulses<D: ironbird_devices::Device>(bench: &mut Bench<D>, width: f64, milliseconds: u64) {
    for _ in 0..milliseconds * 2 / 5 {
        bench.wait_us(2500);
        bench.pulse(Duration::from_ns((1000.0 * width) as u64));
    }
}

#[test]
fn a_motor_turns_only_after_low_pulses() {
    let mut esc = esc(&[]);
    pulses(&mut esc, 1500.0, 1000);
    assert_eq!((esc.show(SPEED), esc.show(ARMED)), (0.0, 0.0));
    pulses(&mut esc, 1000.0, 200);
    pulses(&mut esc, 1500.0, 10);
    assert_eq!(esc.show(ARMED), 0.0, "not long enough");
    pulses(&mut esc, 1000.0, 400);
    assert_eq!(esc.show(ARMED), 1.0);
    pulses(&mut esc, 1505.0, 10);
    assert_eq!((esc.show(SPEED), esc.show(SHARE)), (500.0, 0.5));
    pulses(&mut esc, 2000.0, 10);
    assert_eq!(esc.show(SPEED), 1000.0);
    pulses(&mut esc, 1009.0, 10);
    assert_eq!(esc.show(SPEED), 0.0, "within the dead band");
}

#[test]
fn without_pulses_the_motor_stops_and_must_be_armed_again() {
    let mut esc = esc(&[]);
    pulses(&mut esc, 1000.0, 500);
    pulses(&mut esc, 2000.0, 10);
    esc.wait(Duration::from_ms(249));
    assert_eq!(esc.show(SPEED), 1000.0);
    esc.wait(Duration::from_ms(2));
    assert_eq!((esc.show(SPEED), esc.show(ARMED)), (0.0, 0.0));
    pulses(&mut esc, 2000.0, 100);
    assert_eq!(esc.show(SPEED), 0.0);
}

#[test]
fn thrust_is_linear_in_the_command_if_it_shall_be() {
    let mut esc = esc(&[("curve", text("thrust")), ("dead_band", real(0.0))]);
    pulses(&mut esc, 1000.0, 500);
    pulses(&mut esc, 1250.0, 10);
    assert_eq!((esc.show(SPEED), esc.show(SHARE)), (500.0, 0.25));
}

#[test]
fn pulses_of_an_eighth_are_detected_and_others_are_noise() {
    let mut esc = esc(&[("dead_band", real(0.0))]);
    pulses(&mut esc, 125.0, 500);
    pulses(&mut esc, 187.5, 10);
    assert_eq!(esc.show(SHARE), 0.5);
    pulses(&mut esc, 20.0, 10);
    pulses(&mut esc, 700.0, 10);
    pulses(&mut esc, 2300.0, 10);
    assert_eq!(esc.show(SHARE), 0.5);
    pulses(&mut esc, 1750.0, 10);
    assert_eq!(esc.show(SHARE), 0.75);
}

#[test]
fn commands_have_steps() {
    let mut esc = esc(&[("steps", Parameter::Integer(100)), ("dead_band", real(0.0))]);
    pulses(&mut esc, 1000.0, 500);
    pulses(&mut esc, 1503.0, 10);
    assert_eq!(esc.show(SHARE), 0.5);
    pulses(&mut esc, 1507.0, 10);
    assert_eq!(esc.show(SHARE), 0.51);
}

#[test]
fn a_dead_controller_gives_nothing_and_must_be_armed_again() {
    let mut esc = esc(&[]);
    pulses(&mut esc, 1000.0, 500);
    pulses(&mut esc, 2000.0, 10);
    esc.fault = FaultMode::Dead;
    assert_eq!((esc.show(SPEED), esc.show(ARMED)), (0.0, 0.0));
    pulses(&mut esc, 2000.0, 10);
    esc.fault = FaultMode::None;
    pulses(&mut esc, 2000.0, 10);
    assert_eq!(esc.show(SPEED), 0.0);
}

fn servo(settings: &[(&str, Parameter)]) -> Bench<Servo> {
    Bench::new(BusKind::Spi, 0, settings)
}

#[test]
fn a_servo_turns_as_fast_as_it_can_and_holds_without_pulses() {
    let mut servo = servo(&[("speed", real(5.0))]);
    servo.wait_us(3000);
    servo.pulse(Duration::from_us(2000));
    servo.wait_us(50_000);
    assert!((servo.show(0) - 0.25).abs() < 1e-12, "{}", servo.show(0));
    servo.wait(Duration::from_secs(10));
    assert_eq!(servo.show(0), std::f64::consts::FRAC_PI_4);
    servo.pulse(Duration::from_us(1500));
    servo.wait(Duration::from_secs(1));
    assert_eq!(servo.show(0), 0.0);
}

#[test]
fn trim_side_and_stops_of_a_servo() {
    let settings = [
        ("trim", real(0.1)),
        ("reversed", Parameter::Bool(true)),
        ("travel", real(0.6)),
        ("lower", real(-0.4)),
    ];
    let mut servo = servo(&settings);
    assert_eq!(servo.show(0), 0.1);
    for (width, angle) in [(1750, -0.2), (1000, 0.7), (2000, -0.4)] {
        servo.wait_us(3000);
        servo.pulse(Duration::from_us(width));
        servo.wait(Duration::from_secs(1));
        assert!((servo.show(0) - angle).abs() < 1e-12, "{width}: {}", servo.show(0));
    }
}

#[test]
fn a_dead_servo_stays_where_it_is() {
    let mut servo = servo(&[]);
    servo.wait_us(3000);
    servo.pulse(Duration::from_us(2000));
    servo.wait_us(50_000);
    let angle = servo.show(0);
    servo.fault = FaultMode::Dead;
    servo.wait_us(50_000);
    assert_eq!(servo.show(0), angle);
}
