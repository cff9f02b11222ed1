//! Limits, dead zones, relays, switches.

use ironbird_kernel::Rate;
use ironbird_test_rig::{real, seconds};

use crate::{assert_close, at_each_step, rig, shown};

#[test]
fn a_saturation_holds_its_limits() {
    let settings = [("lowest", real(-1.0)), ("highest", real(2.0))];
    let out = shown("block.saturation", &settings, &at_each_step(&[-5.0, 0.5, 5.0]));
    assert_eq!(out[..3], [-1.0, 0.5, 2.0]);
}

#[test]
fn a_rate_limiter_follows_no_faster_than_its_limits() {
    let settings = [("rising", real(10.0)), ("falling", real(5.0))];
    let input = at_each_step(&[3.0, 5.0, 5.0, 5.0, 0.0, 4.25]);
    assert_close(&shown("block.rate-limiter", &settings, &input), &[3.0, 4.0, 5.0, 5.0, 4.5, 4.25]);
}

#[test]
fn a_dead_zone_passes_what_lies_beyond_it() {
    let settings = [("low", real(-1.0)), ("high", real(2.0))];
    let input = at_each_step(&[-3.0, -1.0, 0.5, 2.0, 2.5]);
    assert_eq!(shown("block.dead-zone", &settings, &input)[..5], [-2.0, 0.0, 0.0, 0.0, 0.5]);
}

#[test]
fn a_relay_stays_as_it_is_between_its_thresholds() {
    let settings = [
        ("on_at", real(2.0)),
        ("off_at", real(1.0)),
        ("on_value", real(8.0)),
        ("off_value", real(-8.0)),
    ];
    let input = at_each_step(&[1.5, 2.0, 1.5, 1.0, 1.5, 3.0]);
    let out = shown("block.hysteresis", &settings, &input);
    assert_eq!(out[..6], [-8.0, 8.0, 8.0, -8.0, -8.0, 8.0]);
}

#[test]
fn a_switch_shows_what_a_relay_chooses() {
    let mut rig = rig();
    let rate = Some(Rate::hz(10));
    rig.add_at("ramp", "block.ramp", rate, &[("slope", real(10.0))]);
    rig.add_at("relay", "block.hysteresis", rate, &[("on_at", real(2.0)), ("off_at", real(2.0))]);
    rig.add_at("hundred", "block.constant", rate, &[("value", real(100.0))]);
    rig.add_at("switch", "block.switch", rate, &[]);
    rig.link("ramp.out", "relay.in");
    rig.link("hundred.out", "switch.a");
    rig.link("ramp.out", "switch.b");
    rig.link("relay.on", "switch.choose_a");
    let out = rig.run(seconds(0.3), &["switch.out"]).numbers("switch.out");
    assert_eq!(out, [0.0, 1.0, 100.0, 100.0]);
}

#[test]
fn limits_in_the_wrong_order_are_refused() {
    let rig = rig();
    let refused = rig.refusal("block.saturation", &[("lowest", real(2.0)), ("highest", real(1.0))]);
    assert_eq!(refused, "\"lowest\" (2) must not be above \"highest\" (1)");
    let refused = rig.refusal("block.dead-zone", &[("low", real(2.0)), ("high", real(1.0))]);
    assert_eq!(refused, "\"low\" (2) must not be above \"high\" (1)");
    let refused = rig.refusal("block.hysteresis", &[("on_at", real(1.0)), ("off_at", real(2.0))]);
    assert_eq!(refused, "\"off_at\" (2) must not be above \"on_at\" (1)");
}
