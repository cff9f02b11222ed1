//! A link takes its time, drops what does not fit, and loses what chance wants.

use ironbird_kernel::Parameter;
use ironbird_test_rig::{Rig, Setting, assert_goes_on_after_a_checkpoint, real, seconds};

use crate::talker::{arrivals, count, rig, talk};

fn linked(settings: &[Setting<'_>], talker: &[(&str, i32)]) -> Rig {
    let mut rig = rig();
    rig.add("link", "network.link", settings);
    talk(&mut rig, "talker", "link.a.send", talker);
    rig
}

const OUTPUTS: [&str; 7] = [
    "link.b.received",
    "link.a.received",
    "link.a.sent",
    "link.a.delivered",
    "link.a.dropped",
    "link.a.lost",
    "link.a.busy",
];

#[test]
fn frames_arrive_to_the_picosecond() {
    let settings = [("bandwidth", real(1e9)), ("latency", real(500e-9))];
    let run = linked(&settings, &[("burst", 3)]).run(seconds(0.1), &OUTPUTS);
    // 1526 bytes of 8 ns, then 12 bytes of pause; 500 ns on the way.
    let first = 1526 * 8_000 + 500_000;
    let each = 1538 * 8_000;
    let expected = [(first, 0), (first + each, 1), (first + 2 * each, 2)];
    assert_eq!(arrivals(&run, "link.b.received"), expected);
    assert!(arrivals(&run, "link.a.received").is_empty());
    assert_eq!(count(&run, "link.a.delivered"), 3);
}

#[test]
fn a_rate_that_divides_nothing_is_rounded_up_for_each_frame() {
    let settings = [("bandwidth", real(7e6)), ("latency", real(0.0))];
    let talker = [("burst", 2), ("length", 60)];
    let run = linked(&settings, &talker).run(seconds(0.1), &OUTPUTS);
    // 72 bytes: 82 285 714.28… ps; 84 bytes: 96 000 000 ps.
    let expected = [(82_285_715, 0), (96_000_000 + 82_285_715, 1)];
    assert_eq!(arrivals(&run, "link.b.received"), expected);
}

#[test]
fn without_bandwidth_only_the_latency_counts() {
    let settings = [("bandwidth", real(0.0)), ("latency", real(1e-6))];
    let run = linked(&settings, &[("burst", 2)]).run(seconds(0.1), &OUTPUTS);
    assert_eq!(arrivals(&run, "link.b.received"), [(1_000_000, 0), (1_000_000, 1)]);
}

#[test]
fn what_does_not_fit_into_the_queue_is_dropped() {
    let frames = [("queue.frames", Parameter::Integer(3))];
    let bytes = [("queue.bytes", real(3.0 * 1514.0 + 1.0))];
    for settings in [&frames, &bytes] {
        let run = linked(settings, &[("burst", 10)]).run(seconds(0.1), &OUTPUTS);
        // One is being sent, three wait.
        let numbers: Vec<u32> = arrivals(&run, "link.b.received").iter().map(|a| a.1).collect();
        assert_eq!(numbers, [0, 1, 2, 3]);
        assert_eq!((count(&run, "link.a.sent"), count(&run, "link.a.dropped")), (4, 6));
    }
}

#[test]
fn an_idle_line_needs_no_queue() {
    let settings = [("queue.frames", Parameter::Integer(0))];
    let run = linked(&settings, &[("times", 5)]).run(seconds(0.1), &OUTPUTS);
    assert_eq!(count(&run, "link.a.delivered"), 5);
}

#[test]
fn the_line_is_busy_for_the_time_of_its_frames() {
    // A frame of 123.04 µs each millisecond, and one at the end that lasts on.
    let run = linked(&[], &[("times", 11)]).run(seconds(0.010_05), &OUTPUTS);
    let busy = run.numbers("link.a.busy");
    let shown = busy.last().expect("it is written");
    assert!((shown - 0.12304).abs() < 1e-9, "{shown}");
}

/// Whether a count is within 4.5 deviations of what a binomial distribution expects.
fn is_likely(count: u64, of: u64, probability: f64) -> bool {
    let expected = of as f64 * probability;
    let deviation = libm::sqrt(expected * (1.0 - probability));
    (count as f64 - expected).abs() < 4.5 * deviation
}

#[test]
fn frames_get_lost_as_often_as_said() {
    let run = linked(&[("loss", real(0.03))], &[("times", 20_000)]).run(seconds(21.0), &OUTPUTS);
    let lost = count(&run, "link.a.lost");
    assert!(is_likely(lost, 20_000, 0.03), "{lost}");
    assert_eq!(count(&run, "link.a.delivered") + lost, 20_000);
}

#[test]
fn long_frames_have_more_wrong_bits() {
    let rate = 1e-5;
    for length in [60, 600, 1514] {
        let talker = [("times", 10_000), ("length", length)];
        let run = linked(&[("bit_error_rate", real(rate))], &talker).run(seconds(11.0), &OUTPUTS);
        let bits = 8.0 * f64::from(length + 4);
        let expected = 1.0 - libm::pow(1.0 - rate, bits);
        let lost = count(&run, "link.a.lost");
        assert!(is_likely(lost, 10_000, expected), "{length} bytes: {lost}, {expected}");
    }
}

#[test]
fn jitter_lets_frames_come_later_and_never_overtakes() {
    let settings = [("jitter", real(0.0005)), ("latency", real(0.0))];
    let talker = [("times", 2_000), ("period", 130)];
    let run = linked(&settings, &talker).run(seconds(2.0), &OUTPUTS);
    let seen = arrivals(&run, "link.b.received");
    assert!(seen.iter().map(|a| a.1).eq(0..2_000), "in the order sent");
    let late = seen.iter().map(|(at, number)| at - u64::from(*number) * 130_000_000 - 122_080_000);
    let (least, most) = late.fold((u64::MAX, 0), |(low, high), x| (low.min(x), high.max(x)));
    assert!(least < 50_000_000 && (450_000_000..=500_000_000).contains(&most), "{least} {most}");
}

#[test]
fn the_way_back_has_a_line_of_its_own() {
    let mut rig = linked(&[("loss", real(0.2))], &[("times", 500)]);
    talk(&mut rig, "other", "link.b.send", &[("times", 500)]);
    let run = rig.run(seconds(1.0), &OUTPUTS);
    let (there, back) = (arrivals(&run, "link.b.received"), arrivals(&run, "link.a.received"));
    assert!(there.len() > 300 && back.len() > 300);
    assert_ne!(there, back, "each has its own luck");
}

#[test]
fn a_pulled_cable_carries_nothing() {
    let mut rig = linked(&[], &[("times", 10)]);
    rig.pause(seconds(0.0025), seconds(0.0055), "link");
    let run = rig.run(seconds(0.1), &OUTPUTS);
    let numbers: Vec<u32> = arrivals(&run, "link.b.received").iter().map(|a| a.1).collect();
    assert_eq!(numbers, [0, 1, 2, 6, 7, 8, 9]);
}

#[test]
fn a_saved_link_goes_on_with_the_same_bits() {
    let graph = || {
        let settings =
            [("loss", real(0.1)), ("jitter", real(1e-4)), ("queue.frames", Parameter::Integer(4))];
        linked(&settings, &[("times", 50), ("burst", 7)]).into_graph()
    };
    // In the middle of a burst.
    assert_goes_on_after_a_checkpoint(graph, seconds(0.020_3), seconds(0.06));
}

#[test]
fn a_probability_is_at_most_one() {
    let said = rig().refusal("network.link", &[("loss", real(1.5))]);
    assert_eq!(said, "parameter \"loss\": 1.5 is not allowed: it must be from 0 to 1");
}
