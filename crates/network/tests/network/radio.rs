//! A radio sends in turn, and loses what is too far away.

use ironbird_kernel::Parameter;
use ironbird_test_rig::{Rig, Run, Setting, assert_goes_on_after_a_checkpoint, real, seconds};

use crate::talker::{arrivals, count, rig, talk};

/// Two stations so many metres apart; station 0 sends.
fn apart(metres: f64, settings: &[Setting<'_>], talker: &[(&str, i32)]) -> Rig {
    let mut rig = rig();
    rig.add("radio", "network.radio", settings);
    rig.script("place", &[(seconds(0.0), [0.0, metres, 0.0])]);
    rig.link("place.out", "radio.station[1].position");
    talk(&mut rig, "talker", "radio.station[0].send", talker);
    rig
}

const OUTPUTS: [&str; 5] = [
    "radio.station[1].received",
    "radio.station[1].rssi",
    "radio.station[1].lost",
    "radio.station[0].sent",
    "radio.station[0].dropped",
];

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

#[test]
fn stations_send_in_turn() {
    let settings = [("window", real(0.02)), ("bandwidth", real(1e6)), ("overhead", real(24.0))];
    let mut rig = apart(299.792_458, &settings, &[("burst", 3), ("length", 976)]);
    talk(&mut rig, "other", "radio.station[1].send", &[("length", 976)]);
    let mut outputs = OUTPUTS.to_vec();
    outputs.push("radio.station[0].received");
    let run = rig.run(seconds(0.2), &outputs);
    // 1000 bytes take 8 ms, so two fit into a window of 20 ms; light takes 1 µs.
    let (frame, light, window) = (8_000_000_000, 1_000_000, 20_000_000_000);
    let there = [(frame + light, 0), (2 * frame + light, 1), (2 * window + frame + light, 2)];
    assert_eq!(arrivals(&run, OUTPUTS[0]), there);
    assert_eq!(arrivals(&run, "radio.station[0].received"), [(window + frame + light, 0)]);
}

#[test]
fn near_stations_hear_all_and_far_ones_nothing() {
    let talker = [("times", 200), ("length", 200), ("period", 50_000)];
    let heard = |metres: f64| {
        let run = apart(metres, &[], &talker).run(seconds(12.0), &OUTPUTS);
        assert_eq!(count(&run, "radio.station[0].sent"), 200);
        let heard = arrivals(&run, OUTPUTS[0]).len() as u64;
        assert_eq!(heard + count(&run, "radio.station[1].lost"), 200);
        heard
    };
    // With 20 dBm, 2 dBi twice and an exponent of 2.3 the sensitivity of -105 dBm is reached after 33 km.
    assert_eq!(heard(500.0), 200);
    assert_eq!(heard(100_000.0), 0);
}

#[test]
fn losses_follow_the_distance() {
    let settings = [("air.fading", real(0.0)), ("air.exponent", real(2.0))];
    let talker = [("times", 4_000), ("length", 200), ("period", 10_000), ("burst", 1)];
    // 24 dBm less the path loss is the sensitivity after 154.7 km of free space: 224 bytes are right with 0.999^1792.
    let edge = 1000.0 * libm::pow(10.0, (24.0 + 105.0 - 85.176) / 20.0);
    for (metres, expected) in [(edge, 0.1665), (edge * 0.8, 0.936)] {
        let mut settings = settings.to_vec();
        settings.push(("window", real(0.0137)));
        let run = apart(metres, &settings, &talker).run(seconds(200.0), &OUTPUTS);
        let (sent, lost) = (4_000, count(&run, "radio.station[1].lost"));
        let share = 1.0 - lost as f64 / f64::from(sent);
        let deviation = libm::sqrt(expected * (1.0 - expected) / f64::from(sent));
        assert!((share - expected).abs() < 4.5 * deviation + 0.01, "{metres} m: {share}");
    }
}

#[test]
fn the_strength_is_that_of_the_link_budget_with_fading() {
    let settings = [("air.fading", real(4.0)), ("air.exponent", real(2.0))];
    let talker = [("times", 2_000), ("length", 100), ("period", 50_000)];
    let run = apart(1000.0, &settings, &talker).run(seconds(101.0), &OUTPUTS);
    let frames = arrivals(&run, OUTPUTS[0]).len();
    let mut strengths = run.numbers(OUTPUTS[1]);
    strengths.dedup();
    strengths.retain(|strength| *strength > -200.0);
    assert_eq!(strengths.len(), frames);
    let middle = mean(&strengths);
    let squares: Vec<f64> = strengths.iter().map(|s| (s - middle) * (s - middle)).collect();
    let deviation = libm::sqrt(mean(&squares));
    // Friis: 24 - 85.17 dBm.
    assert!((middle + 61.17).abs() < 0.4, "{middle}");
    assert!((deviation - 4.0).abs() < 0.3, "{deviation}");
}

#[test]
fn a_vehicle_that_flies_away_is_lost() {
    let mut rig = rig();
    rig.add("radio", "network.radio", &[]);
    let away = (0..100).map(|s| (seconds(f64::from(s)), [0.0, 0.0, -2e3 * f64::from(s)]));
    let away: Vec<_> = away.collect();
    rig.script("place", &away);
    rig.link("place.out", "radio.station[1].position");
    talk(&mut rig, "talker", "radio.station[0].send", &[("times", 1_000), ("period", 100_000)]);
    let run = rig.run(seconds(100.0), &OUTPUTS);
    let heard = arrivals(&run, OUTPUTS[0]);
    let within = |from: f64, to: f64| {
        let range = (from * 1e12) as u64..(to * 1e12) as u64;
        heard.iter().filter(|(at, _)| range.contains(at)).count()
    };
    assert_eq!(within(0.0, 5.0), 50);
    assert!((1..50).contains(&within(10.0, 15.0)), "{}", within(10.0, 15.0));
    assert_eq!(within(60.0, 100.0), 0);
}

#[test]
fn what_does_not_fit_into_the_queue_is_dropped() {
    let settings = [("queue", Parameter::Integer(4))];
    let run = apart(10.0, &settings, &[("burst", 9)]).run(seconds(1.0), &OUTPUTS);
    assert_eq!(count(&run, "radio.station[0].dropped"), 5);
    assert_eq!(count(&run, "radio.station[0].sent"), 4);
}

#[test]
fn a_window_must_hold_a_frame() {
    let said = rig().refusal("network.radio", &[("bandwidth", real(64e3))]);
    assert_eq!(
        said,
        "parameter \"window\": a frame of 1514 bytes (1538 over the air) takes 0.19225 s at this bandwidth; with the \
         guard time it must fit into the window of 0.02 s"
    );
}

fn digest(run: &Run) -> Vec<(u64, u32)> {
    arrivals(run, OUTPUTS[0])
}

#[test]
fn the_same_run_twice_is_the_same() {
    let talker = [("times", 500), ("length", 200), ("period", 50_000)];
    let run = || digest(&apart(25_000.0, &[], &talker).run(seconds(30.0), &OUTPUTS));
    let first = run();
    assert!((50..450).contains(&first.len()), "{}", first.len());
    assert_eq!(first, run());
}

#[test]
fn a_saved_radio_goes_on_with_the_same_bits() {
    let talker = [("times", 50), ("length", 800), ("period", 10_000), ("burst", 2)];
    let graph = || apart(20_000.0, &[], &talker).into_graph();
    assert_goes_on_after_a_checkpoint(graph, seconds(0.123_4), seconds(1.0));
}
