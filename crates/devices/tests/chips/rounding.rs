//! A chip that is linked to a world reads what it would read with a SimBricks link in between.

use ironbird_devices::{
    Ak8963, BusReply, Device, DeviceParameters, Gnss, Mpu9250, Ms5611, Quantity,
};
use ironbird_kernel::{Parameter, Time};
use ironbird_kinematics::Geodetic;
use ironbird_simbricks::physical::Metric;
use ironbird_simbricks::physical::fixed_point::{from_wire, to_wire};
use ironbird_test_rig::{Rig, real, seconds, text};
use proptest::prelude::*;

use crate::bench::parameters;
use crate::host::{on_a_bus, replies};

/// What `simbricks.physical-device` shows of a value.
fn over_the_link(value: f64, factor: u32) -> f64 {
    from_wire(to_wire(value, factor).number, factor)
}

fn vector_over_the_link(value: [f64; 3], metric: Metric) -> [f64; 3] {
    value.map(|part| over_the_link(part, metric.factor()))
}

/// All words of an inertial unit, then magnetic data.
fn inertial(rate: [f64; 3], force: [f64; 3], field: [f64; 3], kelvin: f64) -> Vec<BusReply> {
    let script = "10 0 6A20 0\n 20 0 6316 0\n 30 0 250C0A81 0\n 3000 0 258C0387 0\n 30000 0 \
                  BB00000000000000000000000000000000000000000000 0";
    let mut rig = on_a_bus("device.mpu9250", &[], script);
    rig.script("rate", &[(Time::ZERO, rate)]);
    rig.script("force", &[(Time::ZERO, force)]);
    rig.script("field", &[(Time::ZERO, field)]);
    rig.script("kelvin", &[(Time::ZERO, kelvin)]);
    rig.link("rate.out", "chip.angular_velocity");
    rig.link("force.out", "chip.specific_force");
    rig.link("field.out", "chip.magnetic_field");
    rig.link("kelvin.out", "chip.temperature");
    replies(&rig.run(seconds(0.04), &["chip.reply"]))
}

fn barometer(pascal: f64, kelvin: f64) -> Vec<BusReply> {
    let script = "3000 0 48 0\n 13000 0 00000000 0\n 13100 0 58 0\n 23000 0 00000000 0";
    let mut rig = on_a_bus("device.ms5611", &[], script);
    rig.script("pascal", &[(Time::ZERO, pascal)]);
    rig.script("kelvin", &[(Time::ZERO, kelvin)]);
    rig.link("pascal.out", "chip.pressure");
    rig.link("kelvin.out", "chip.temperature");
    replies(&rig.run(seconds(0.03), &["chip.reply"]))
}

fn receiver(place: Geodetic) -> Vec<u8> {
    let mut rig = Rig::of(&[ironbird_devices::register]);
    let settings = [
        ("time_to_first_fix", real(0.0)),
        ("error.horizontal", real(0.0)),
        ("sentences", text("GGA")),
        ("factor.height", Parameter::Integer(10_000_000)),
    ];
    rig.add("gnss", "device.gnss", &settings);
    rig.script("place", &[(Time::ZERO, place)]);
    rig.script("velocity", &[(Time::ZERO, [1.0, 2.0, 3.0])]);
    rig.link("place.out", "gnss.position");
    rig.link("velocity.out", "gnss.velocity");
    let run = rig.run(seconds(0.39), &["gnss.sent"]);
    let sent: Vec<(Time, ironbird_devices::SerialByte)> = run.samples("gnss.sent");
    sent.into_iter().map(|(_, byte)| byte.byte).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn registers_are_the_same_with_and_without_a_link(
        rate in prop::array::uniform3(-4.0..4.0f64),
        force in prop::array::uniform3(-19.0..19.0f64),
        field in prop::array::uniform3(-6e-5..6e-5f64),
        pascal in 50_000.0..105_000.0f64,
        kelvin in 250.0..320.0f64,
    ) {
        let cold = over_the_link(kelvin, Metric::Temperature.factor());
        prop_assert_eq!(
            inertial(rate, force, field, kelvin),
            inertial(
                vector_over_the_link(rate, Metric::AngularVelocity),
                vector_over_the_link(force, Metric::Acceleration),
                vector_over_the_link(field, Metric::MagneticField),
                cold,
            )
        );
        prop_assert_eq!(
            barometer(pascal, kelvin),
            barometer(over_the_link(pascal, Metric::Pressure.factor()), cold)
        );
    }

    #[test]
    fn sentences_are_the_same_with_and_without_a_link(
        latitude in -80.0..80.0f64,
        longitude in -180.0..180.0f64,
        height in 0.0..200.0f64,
    ) {
        let factor = 10_000_000;
        let direct = receiver(Geodetic::from_degrees(latitude, longitude, height));
        let [latitude, longitude, height] =
            [latitude, longitude, height].map(|part| over_the_link(part, factor));
        let linked = receiver(Geodetic::from_degrees(latitude, longitude, height));
        prop_assert!(!direct.is_empty());
        prop_assert_eq!(direct, linked);
    }
}

/// Table 1 of the thesis; a position has a factor of its own, and its height that of an altitude.
#[test]
fn factors_are_those_of_the_physical_interface() {
    fn usual<D: Device>() {
        let parameters: D::Parameters = parameters(&[]);
        for quantity in D::MEASURES.iter().filter(|quantity| **quantity != Quantity::Position) {
            assert_eq!(parameters.factor(*quantity, 0), quantity.metric().factor(), "{quantity:?}");
        }
    }
    usual::<Ms5611>();
    usual::<Mpu9250>();
    usual::<Ak8963>();
    usual::<Gnss>();
    let gnss: <Gnss as Device>::Parameters = parameters(&[]);
    let position = [0, 1, 2].map(|part| gnss.factor(Quantity::Position, part));
    assert_eq!(position, [10_000_000, 10_000_000, Metric::Altitude.factor()]);
}

/// The rounding is there: what differs by less than half a step reads the same, more does not.
#[test]
fn a_factor_of_zero_rounds_nothing() {
    let words = |factor: i64, force: f64| {
        let settings = [
            ("factor.specific_force", Parameter::Integer(factor)),
            ("accelerometer.noise_density", real(0.0)),
        ];
        let mut rig = on_a_bus("device.mpu9250", &settings, "30000 0 BB0000 0");
        for (name, port) in [("rate", "chip.angular_velocity"), ("field", "chip.magnetic_field")] {
            rig.script(name, &[(Time::ZERO, [0.0; 3])]);
            rig.link(&format!("{name}.out"), port);
        }
        rig.script("force", &[(Time::ZERO, [0.0, force, 0.0])]);
        rig.link("force.out", "chip.specific_force");
        let replies = replies(&rig.run(seconds(0.04), &["chip.reply"]));
        i16::from_be_bytes([replies[0].read[1], replies[0].read[2]])
    };
    assert_eq!(words(1, 5.4), words(1, 5.0));
    assert_ne!(words(0, 5.4), words(0, 5.0));
    assert_eq!(words(0, 5.4), words(1_000_000, 5.4));
}
