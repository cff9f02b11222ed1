//! What sticks ask of vehicles.

use std::f64::consts::PI;

use ironbird_component::{Bound, ParameterKind, Registry};
use ironbird_kernel::Parameter;
use ironbird_test_rig::{Rig, Setting, assert_goes_on_after_a_checkpoint, real, seconds};

use crate::{assert_near, rig};

/// What an output shows in the end of a second, with sticks like this.
fn shown(settings: &[Setting<'_>], output: &str) -> f64 {
    last(held(settings), 1.0, output)
}

fn held(settings: &[Setting<'_>]) -> Rig {
    let mut rig = rig();
    rig.add("sticks", "person.sticks", settings);
    rig
}

fn last(rig: Rig, until: f64, output: &str) -> f64 {
    let output = format!("sticks.{output}");
    *rig.run(seconds(until), &[&output]).numbers(&output).last().unwrap()
}

#[test]
fn the_four_sticks_are_all_that_a_page_can_move() {
    let mut registry = Registry::empty();
    ironbird_control::register(&mut registry).unwrap();
    let sticks = registry.get("person.sticks").unwrap().description();
    // The rule of the page: a number that can be changed, with a least and a most.
    let axes = sticks.parameters.iter().filter_map(|parameter| match &parameter.kind {
        ParameterKind::Real { range, .. } if parameter.changeable => {
            match (range.low, range.high) {
                (Bound::Inclusive(least), Bound::Inclusive(most)) => {
                    Some((parameter.path.as_str(), least, most, parameter.default.clone()))
                }
                _ => None,
            }
        }
        _ => None,
    });
    let rest = Some(vec![Parameter::Real(0.0)]);
    let expected = ["roll", "pitch", "yaw", "throttle"].map(|name| (name, -1.0, 1.0, rest.clone()));
    assert_eq!(axes.collect::<Vec<_>>(), expected);
}

#[test]
fn sticks_at_rest_ask_for_nothing() {
    for output in ["roll", "pitch_angle", "velocity_north", "velocity_down", "speed", "steering"] {
        assert_eq!(shown(&[], output), 0.0, "{output}");
    }
    assert_eq!(shown(&[], "thrust"), 1.0);
    assert_eq!(shown(&[], "opening"), 0.5);
}

#[test]
fn full_sticks_ask_for_the_most() {
    let roll = [("roll", real(1.0)), ("most_tilt", real(20.0))];
    assert_near(shown(&roll, "roll_angle"), 20.0 * PI / 180.0, 1e-15);
    // Forward is the nose down.
    let pitch = [("pitch", real(1.0)), ("most_tilt", real(20.0))];
    assert_near(shown(&pitch, "pitch_angle"), -20.0 * PI / 180.0, 1e-15);
    let up = [
        ("throttle", real(1.0)),
        ("most_thrust", real(1.4)),
        ("most_climb", real(3.0)),
        ("most_speed", real(7.0)),
        ("most_acceleration", real(2.5)),
    ];
    let asked = [
        ("thrust", 1.4),
        ("opening", 1.0),
        ("velocity_down", -3.0),
        ("speed", 7.0),
        ("acceleration", 2.5),
    ];
    for (output, expected) in asked {
        assert_near(shown(&up, output), expected, 1e-12);
    }
    let down = [("throttle", real(-1.0)), ("most_thrust", real(1.4))];
    assert_near(shown(&down, "thrust"), 0.6, 1e-12);
    assert_eq!(shown(&down, "opening"), 0.0);
    let right = [("yaw", real(1.0)), ("most_steering", real(40.0))];
    assert_near(shown(&right, "steering"), 40.0 * PI / 180.0, 1e-15);
}

#[test]
fn pitch_goes_where_the_nose_points_and_roll_to_its_right() {
    let velocity = |stick: &str| {
        let settings =
            [(stick, real(1.0)), ("initial_heading", real(90.0)), ("most_speed", real(5.0))];
        ["velocity_north", "velocity_east"].map(|output| shown(&settings, output))
    };
    let ([north, east], [right_north, right_east]) = (velocity("pitch"), velocity("roll"));
    assert_near(north, 0.0, 1e-12);
    assert_near(east, 5.0, 1e-12);
    assert_near(right_north, -5.0, 1e-12);
    assert_near(right_east, 0.0, 1e-12);
}

#[test]
fn the_heading_turns_while_yaw_is_held_and_counts_between_two_half_turns() {
    let sticks = || held(&[("yaw", real(0.5)), ("most_turn", real(60.0))]);
    assert_near(last(sticks(), 3.0, "heading"), PI / 2.0, 1e-9);
    assert_near(last(sticks(), 7.0, "heading"), -PI * 5.0 / 6.0, 1e-9);
}

#[test]
fn sticks_that_are_cut_off_do_not_turn() {
    let mut sticks = held(&[("yaw", real(1.0)), ("most_turn", real(90.0))]);
    sticks.pause(seconds(0.51), seconds(1.51), "sticks");
    // Half a second before, half a second less a step after: the one in which it goes on counts from then.
    let turned = last(sticks, 2.0, "heading");
    assert_near(turned, (0.5 + 0.48) * PI / 2.0, 1e-9);
}

#[test]
fn the_depth_goes_with_pitch_and_ends_at_the_surface() {
    let mut sticks =
        held(&[("pitch", real(1.0)), ("most_climb", real(0.5)), ("initial_depth", real(2.0))]);
    sticks.set(seconds(2.0), "sticks.pitch", real(-1.0));
    let depths = sticks.run(seconds(12.0), &["sticks.depth"]).numbers("sticks.depth");
    assert_near(depths[0], 2.0, 0.0);
    assert_near(depths.iter().fold(0.0, |a: f64, b| a.max(*b)), 3.0, 1e-9);
    assert_eq!(*depths.last().unwrap(), 0.0);
}

#[test]
fn a_dead_band_and_expo_make_the_middle_gentle_and_keep_the_ends() {
    let stick =
        |x: f64| shown(&[("roll", real(x)), ("dead_band", real(0.2)), ("expo", real(0.5))], "roll");
    assert_eq!(stick(0.2), 0.0);
    assert_eq!(stick(-0.15), 0.0);
    // Half-way beyond the band: 0.5 (0.5) + 0.5 (0.125).
    assert_near(stick(0.6), 0.3125, 1e-12);
    assert_near(stick(-0.6), -0.3125, 1e-12);
    assert_near(stick(1.0), 1.0, 1e-12);
}

#[test]
fn two_hands_move_one_stick_as_far_as_it_goes() {
    let together = |own: f64, other: f64| {
        let mut rig = held(&[("throttle", real(own)), ("most_climb", real(1.0))]);
        rig.script("other", &[(seconds(0.0), other)]);
        rig.link("other.out", "sticks.hand.throttle");
        last(rig, 0.1, "velocity_down")
    };
    assert_near(together(0.25, 0.5), -0.75, 1e-12);
    assert_near(together(0.5, -0.5), 0.0, 1e-12);
    assert_near(together(0.8, 0.9), -1.0, 1e-12);
}

#[test]
fn sticks_go_on_after_a_checkpoint() {
    let graph = || held(&[("yaw", real(0.3)), ("pitch", real(0.7))]).into_graph();
    assert_goes_on_after_a_checkpoint(graph, seconds(1.23), seconds(3.0));
}

#[test]
fn nonsense_is_refused() {
    for (name, value) in [("roll", 1.5), ("expo", 2.0), ("dead_band", 1.0), ("most_tilt", 90.0)] {
        let refused = rig().refusal("person.sticks", &[(name, real(value))]);
        assert!(refused.contains(&format!("\"{name}\"")), "{refused}");
    }
}
