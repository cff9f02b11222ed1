//! A chip that is saved in the middle goes on as if it had not been.

use ironbird_devices::Pulse;
use ironbird_kernel::{Duration, Parameter, Time};
use ironbird_kinematics::Geodetic;
use ironbird_test_rig::{Rig, assert_goes_on_after_a_checkpoint, real, seconds, text};

use crate::host::{READS_FIFO, inertial_unit, on_a_bus, register, replies};

#[test]
fn an_inertial_unit_goes_on_with_filters_fifo_and_magnetometer() {
    // CNTL1 of the magnetometer through slave 0, then its data, beside the FIFO.
    let script = format!(
        "50 0 6A20 0
 71 0 6316 0
 72 0 250C0A81 0
 80 0 258C0387 0
{READS_FIFO}"
    );
    for middle in [0.0123, 0.1, 0.333_333] {
        let settings = [("fault.mode", text("intermittent")), ("fault.mean_time", real(0.01))];
        let graph = || inertial_unit(&settings, &script).into_graph();
        assert_goes_on_after_a_checkpoint(graph, seconds(middle), seconds(0.6));
    }
}

#[test]
fn a_barometer_goes_on_in_the_middle_of_a_conversion() {
    let graph = || {
        let script =
            "repeat 20000\n 4000 0 48 0\n 14000 0 00000000 0\n 14100 0 58 0\n 23900 0 00000000 0";
        let mut rig = on_a_bus("device.ms5611", &[], script);
        let pressures: Vec<(Time, f64)> =
            (0..500).map(|k| (seconds(1e-3 * f64::from(k)), 1e5 + f64::from(k))).collect();
        rig.script("pressure", &pressures);
        rig.link("pressure.out", "chip.pressure");
        rig.into_graph()
    };
    assert_goes_on_after_a_checkpoint(graph, seconds(0.031), seconds(0.4));
}

#[test]
fn a_receiver_goes_on_in_the_middle_of_a_sentence() {
    let graph = || {
        let mut rig = Rig::of(&[ironbird_devices::register]);
        rig.add("gnss", "device.gnss", &[("baud", Parameter::Integer(9600))]);
        rig.script("place", &[(Time::ZERO, Geodetic::from_degrees(48.0, 11.0, 500.0))]);
        rig.script("velocity", &[(Time::ZERO, [1.0, 2.0, 3.0])]);
        rig.link("place.out", "gnss.position");
        rig.link("velocity.out", "gnss.velocity");
        rig.into_graph()
    };
    assert_goes_on_after_a_checkpoint(graph, seconds(2.345), seconds(6.0));
}

#[test]
fn motors_and_servos_go_on() {
    let graph = || {
        let mut rig = Rig::of(&[ironbird_devices::register, register]);
        let script = "repeat 505000\n 2500 1000\n 500000 1500\n 502500 1800";
        rig.add("host", "test.host", &[("script", text(script))]);
        rig.add("esc", "device.esc", &[("arming_time", real(0.0)), ("timeout", real(1.0))]);
        rig.add("servo", "device.servo", &[("speed", real(1.0))]);
        rig.link("host.pulse", "esc.pulse");
        rig.link("host.pulse", "servo.pulse");
        rig.into_graph()
    };
    assert_goes_on_after_a_checkpoint(graph, seconds(0.61), seconds(2.0));
}

#[test]
fn pulses_go_on_in_the_middle_of_one() {
    // 50 Hz, 1.5 ms on channel 0.
    let script = "100 64 0010 0\n 200 64 FE79 0\n 300 64 0020 0\n 1000 64 0600003301 0";
    let graph = || on_a_bus("device.pca9685", &[], script).into_graph();
    let run = on_a_bus("device.pca9685", &[], script).run(seconds(0.1), &["chip.channel[0]"]);
    let widths: Vec<Duration> =
        run.samples::<Pulse>("chip.channel[0]").iter().map(|(_, pulse)| pulse.width()).collect();
    assert_eq!(widths, [Duration::from_ps(307 * 4_880_000); 5]);
    assert_goes_on_after_a_checkpoint(graph, seconds(0.0412), seconds(0.2));
}

/// What it would have sampled while it stood still is not made up for.
#[test]
fn a_component_that_was_stopped_goes_on_with_the_present() {
    // The temperature into the FIFO at 8 kHz, 0.5 ms before it is stopped and 2 ms afterwards.
    let script = "100 0 1A40 0\n 200 0 6A40 0\n 99500 0 2380 0\n 612000 0 F20000 0";
    let mut rig = inertial_unit(&[], script);
    rig.pause(seconds(0.1), seconds(0.61), "chip");
    let last = replies(&rig.run(seconds(0.63), &["chip.reply"])).pop().expect("an answer");
    let bytes = u16::from_be_bytes([last.read[1], last.read[2]]);
    assert!((38..=42).contains(&bytes), "{bytes}");
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let bytes = || {
        let run = inertial_unit(&[], READS_FIFO).run(seconds(0.2), &["chip.reply"]);
        replies(&run).iter().flat_map(|reply| reply.read.to_vec()).collect::<Vec<u8>>()
    };
    assert_eq!(bytes(), bytes());
}
