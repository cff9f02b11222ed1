//! Every fault does what it says, at the instant at which it is set.

use ironbird_devices::BusReply;
use ironbird_kernel::{Parameter, Time};
use ironbird_test_rig::{Setting, real, seconds, text};

use crate::host::{inertial_unit, on_a_bus, replies};

/// Who are you, every millisecond; then all words.
const WHO: &str = "repeat 1000\n 1000 0 F500 0";
const WORDS: &str = "repeat 1000\n 1000 0 BB0000000000000000000000000000 0";

fn with_fault(mode: &str, more: &[Setting<'_>], script: &str) -> Vec<(Time, BusReply)> {
    let mut rig = inertial_unit(&[], script);
    for (name, value) in more {
        rig.set(Time::ZERO, &format!("chip.{name}"), value.clone());
    }
    rig.set(seconds(0.5), "chip.fault.mode", text(mode));
    rig.set(seconds(0.8), "chip.fault.mode", text("none"));
    rig.run(seconds(1.0), &["chip.reply"]).samples("chip.reply")
}

fn during(all: &[(Time, BusReply)]) -> Vec<&BusReply> {
    let inside = |time: &Time| (seconds(0.5005)..seconds(0.7995)).contains(time);
    all.iter().filter(|(time, _)| inside(time)).map(|(_, reply)| reply).collect()
}

fn outside(all: &[(Time, BusReply)]) -> Vec<&BusReply> {
    let inside = |time: &Time| (seconds(0.4995)..seconds(0.8005)).contains(time);
    all.iter().filter(|(time, _)| !inside(time)).map(|(_, reply)| reply).collect()
}

#[test]
fn a_dead_chip_does_not_answer() {
    let all = with_fault("dead", &[], WHO);
    assert_eq!(during(&all).len(), 0);
    assert!(outside(&all).len() > 600 && outside(&all).iter().all(|reply| reply.read[1] == 0x71));
}

#[test]
fn a_chip_answers_in_the_instant_in_which_it_is_asked() {
    let all = with_fault("none", &[], WHO);
    assert_eq!(all.len(), 1000);
    for (k, (time, reply)) in all.iter().enumerate() {
        assert_eq!(*time, Time::from_ps((k as u64 + 1) * 1_000_000_000));
        assert_eq!((reply.transfer, reply.acknowledged), (k as u32, true));
    }
}

#[test]
fn a_stuck_chip_repeats_its_words() {
    let all = with_fault("stuck", &[], WORDS);
    let stuck = during(&all);
    assert!(stuck.iter().all(|reply| *reply.read == *stuck[0].read));
    let well = outside(&all);
    assert!(well.windows(2).all(|pair| *pair[0].read != *pair[1].read));
}

#[test]
fn an_intermittent_chip_is_dead_for_its_share_of_time() {
    let more = [("fault.duty", real(0.3)), ("fault.mean_time", real(0.002))];
    let all = with_fault("intermittent", &more, "repeat 100\n 100 0 F500 0");
    let answered = during(&all).len() as f64 / 2990.0;
    assert!((answered - 0.7).abs() < 0.08, "{answered}");
    let again = with_fault("intermittent", &more, "repeat 100\n 100 0 F500 0");
    assert_eq!(all, again);
}

#[test]
fn a_chip_with_a_wrong_identity_says_that_it_is_another() {
    let all = with_fault("wrong-identity", &[], WHO);
    assert!(during(&all).len() > 290 && during(&all).iter().all(|reply| reply.read[1] != 0x71));
}

#[test]
fn bits_flip_with_their_probability() {
    let more = [("fault.probability", real(0.1))];
    let all = with_fault("bit-flips", &more, "repeat 100\n 100 0 F500 0");
    let wrong: Vec<u8> = during(&all).iter().map(|r| r.read[1]).filter(|b| *b != 0x71).collect();
    let share = wrong.len() as f64 / during(&all).len() as f64;
    assert!((share - 0.1).abs() < 0.02, "{share}");
    assert!(wrong.iter().all(|byte| (byte ^ 0x71).is_power_of_two()), "one bit of a byte");
    assert!(outside(&all).iter().all(|reply| reply.read[1] == 0x71));
}

#[test]
fn nothing_gets_into_a_frozen_fifo() {
    let script = "repeat 20000\n 100 0 1A41 0\n 200 0 23F8 0\n 300 0 6A44 0\n 20000 0 F20000 0";
    let all = with_fault("frozen-fifo", &[], script);
    let counts = |replies: Vec<&BusReply>| -> Vec<u16> {
        let asks = replies.into_iter().filter(|reply| reply.read.len() == 3);
        asks.map(|reply| u16::from_be_bytes([reply.read[1], reply.read[2]])).collect()
    };
    assert!(counts(during(&all))[1..].iter().all(|count| *count == 0));
    assert!(counts(outside(&all)).iter().filter(|count| **count > 200).count() > 25);
}

#[test]
fn noise_grows_by_its_factor() {
    let mut rig = inertial_unit(&[], WORDS);
    rig.set(Time::ZERO, "chip.fault.noise", real(30.0));
    rig.set(seconds(0.5), "chip.fault.mode", text("noise"));
    let all: Vec<(Time, BusReply)> = rig.run(seconds(1.0), &["chip.reply"]).samples("chip.reply");
    // The rate about z does not change: differences are noise.
    let z = |reply: &BusReply| f64::from(i16::from_be_bytes([reply.read[13], reply.read[14]]));
    let spread = |from: usize| {
        let steps: Vec<f64> =
            all[from..from + 400].windows(2).map(|pair| z(&pair[1].1) - z(&pair[0].1)).collect();
        (steps.iter().map(|step| step * step).sum::<f64>() / steps.len() as f64).sqrt()
    };
    let ratio = spread(550) / spread(50);
    assert!((24.0..36.0).contains(&ratio), "{ratio}");
}

#[test]
fn on_i2c_a_chip_may_refuse_to_acknowledge() {
    let settings =
        [("bus", text("i2c")), ("chip", Parameter::Integer(0x76)), ("fault.mode", text("nack"))];
    let mut rig = on_a_bus("device.ms5611", &settings, "5000 118 A2 2\n 9000 119 A2 2");
    rig.script("pressure", &[(Time::ZERO, 101_325.0)]);
    rig.link("pressure.out", "chip.pressure");
    let replies = replies(&rig.run(seconds(0.02), &["chip.reply"]));
    assert_eq!(replies.len(), 1, "nobody has the other address");
    assert_eq!((replies[0].acknowledged, &*replies[0].read), (false, &[0xFF, 0xFF][..]));
}

#[test]
fn a_barometer_with_a_wrong_identity_has_a_wrong_check_sum() {
    let prom = |mode: &str| -> [u16; 8] {
        let script: String =
            (0..8).map(|k| format!("{} 0 {:02X}0000 0\n", 5000 + k, 0xA0 + 2 * k)).collect();
        let mut rig = on_a_bus("device.ms5611", &[("fault.mode", text(mode))], &script);
        rig.script("pressure", &[(Time::ZERO, 101_325.0)]);
        rig.link("pressure.out", "chip.pressure");
        let replies = replies(&rig.run(seconds(0.02), &["chip.reply"]));
        std::array::from_fn(|k| u16::from_be_bytes([replies[k].read[1], replies[k].read[2]]))
    };
    let right = |prom: [u16; 8]| crate::driver::ms5611_check_sum(prom) == prom[7] & 0xF;
    assert!(right(prom("none")) && !right(prom("wrong-identity")));
}

#[test]
fn a_motor_stops_when_its_controller_dies_and_keeps_on_when_it_is_stuck() {
    for (mode, expected) in [("dead", 0.0), ("stuck", 1000.0)] {
        let mut rig =
            ironbird_test_rig::Rig::of(&[ironbird_devices::register, crate::host::register]);
        rig.add(
            "chip",
            "device.esc",
            &[("pulses.high", real(1001.0)), ("pulses.low", real(600.0))],
        );
        rig.add("host", "test.host", &[("script", text(&low_then_high()))]);
        rig.link("host.pulse", "chip.pulse");
        rig.set(seconds(0.7), "chip.fault.mode", text(mode));
        let run = rig.run(seconds(0.8), &["chip.speed"]);
        let speeds: Vec<(Time, f64)> = run.samples("chip.speed");
        let last = speeds.last().unwrap();
        assert_eq!(last.1.round(), expected, "{mode}");
        if mode == "dead" {
            assert_eq!(last.0, seconds(0.7), "at once");
        }
    }
}

/// Low pulses for half a second, then high ones.
fn low_then_high() -> String {
    let low = (1..200).map(|k| format!("{} 600\n", 2500 * k));
    let high = (200..400).map(|k| format!("{} 1001\n", 2500 * k));
    low.chain(high).collect()
}

#[test]
fn faults_that_a_chip_cannot_have_are_refused_with_those_that_it_can() {
    let rig = ironbird_test_rig::Rig::of(&[ironbird_devices::register]);
    let refusal = rig.refusal("device.esc", &[("fault.mode", text("bit-flips"))]);
    assert!(
        refusal.contains("\"bit-flips\"") && refusal.contains("dead, stuck, intermittent"),
        "{refusal}"
    );
    let refusal = rig.refusal("device.ms5611", &[("bus", text("i2c"))]);
    assert!(refusal.contains("118 or 119"), "{refusal}");
    let refusal = rig.refusal("device.gnss", &[("sentences", text("RMC XYZ"))]);
    assert!(refusal.contains("XYZ") && refusal.contains("GSV"), "{refusal}");
    let refusal = rig.refusal("device.mpu9250", &[("mounting.z", text("down"))]);
    assert!(refusal.contains("right-handed"), "{refusal}");
}
