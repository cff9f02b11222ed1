//! Speed and height, by two PIDs and by total energy.

use ironbird_kinematics::Leg;
use ironbird_test_rig::{Run, real, seconds};

use crate::stack::{LEVELS, after, at, furthest, guided, north, range};

const OUTPUTS: [&str; 5] =
    ["plane.height", "plane.airspeed", "level.throttle", "level.pitch", "level.height_demand"];

#[test]
fn a_new_height_is_reached_with_little_overshoot_and_loss_of_speed() {
    for level in LEVELS {
        let legs = [(0.0, north(17.0, 50.0)), (20.0, north(17.0, 60.0))];
        let run = guided(&[], (level, &[]), &legs).run(seconds(60.0), &OUTPUTS);
        let heights = after(&run, "plane.height", 20.0);
        assert!(range(&heights)[1] < 61.0, "{level}: {:?}", range(&heights));
        assert!(furthest(&after(&run, "plane.height", 30.0), 60.0) < 0.7, "{level}");
        assert!(furthest(&after(&run, "plane.airspeed", 20.0), 17.0) < 1.4, "{level}");
    }
}

#[test]
fn a_new_speed_is_reached_with_little_change_of_height() {
    for level in LEVELS {
        let legs = [(0.0, north(17.0, 50.0)), (20.0, north(20.0, 50.0))];
        let run = guided(&[], (level, &[]), &legs).run(seconds(60.0), &OUTPUTS);
        assert!(furthest(&after(&run, "plane.height", 20.0), 50.0) < 1.3, "{level}");
        let speeds = after(&run, "plane.airspeed", 40.0);
        assert!(furthest(&speeds, 20.0) < 0.3, "{level}: {:?}", range(&speeds));
        assert!(range(&after(&run, "plane.airspeed", 20.0))[1] < 20.3, "{level}");
    }
}

#[test]
fn total_energy_loses_less_speed_in_a_climb_than_two_controllers() {
    let slowest = LEVELS.map(|level| {
        let legs = [(0.0, north(17.0, 50.0)), (20.0, north(17.0, 60.0))];
        let run = guided(&[], (level, &[]), &legs).run(seconds(60.0), &OUTPUTS);
        range(&after(&run, "plane.airspeed", 20.0))[0]
    });
    assert!(slowest[1] > slowest[0] + 0.5, "{slowest:?}");
}

#[test]
fn a_leg_that_climbs_is_followed() {
    for level in LEVELS {
        let leg = Leg { to: [1000.0, 0.0, -100.0], ..north(17.0, 50.0) };
        let run = guided(&[], (level, &[]), &[(0.0, leg)]).run(seconds(50.0), &OUTPUTS);
        // 5 % over 1 km: at 50 s 42 m up, at 17 m/s.
        let error = at(&run, "plane.height", 50.0) - at(&run, "level.height_demand", 50.0);
        assert!(error.abs() < 1.0, "{level}: {error}");
        assert!((at(&run, "level.height_demand", 50.0) - 92.5).abs() < 1.5, "{level}");
        assert!(furthest(&after(&run, "plane.airspeed", 25.0), 17.0) < 0.4, "{level}");
    }
}

#[test]
fn a_climb_beyond_reach_does_not_wind_up() {
    for level in LEVELS {
        // At a minute of full climb it is asked to stay a little above where it is.
        let above = (0.0, north(17.0, 1000.0));
        let run = guided(&[], (level, &[]), &[above]).run(seconds(60.0), &OUTPUTS);
        let reached = at(&run, "plane.height", 60.0);
        assert!(reached > 150.0, "{level}: {reached}");
        let legs = [above, (60.0, north(17.0, reached + 5.0))];
        let run = guided(&[], (level, &[]), &legs).run(seconds(120.0), &OUTPUTS);
        let heights = after(&run, "plane.height", 62.0);
        assert!(range(&heights)[1] < reached + 9.0, "{level}: {reached} {:?}", range(&heights));
        assert!(furthest(&after(&run, "plane.height", 90.0), reached + 5.0) < 1.0, "{level}");
        for output in ["level.throttle", "level.pitch"] {
            let [lowest, highest] = range(&run.numbers(output));
            assert!(lowest >= -0.27 && highest <= 1.0, "{level}: {output} {lowest} {highest}");
        }
    }
}

#[test]
fn without_a_leg_height_and_cruise_speed_are_held() {
    for level in LEVELS {
        let none = [(0.0, north(19.0, 55.0)), (30.0, Leg::default())];
        let run = guided(&[], (level, &[]), &none).run(seconds(70.0), &OUTPUTS);
        let (lost, last) = (at(&run, "plane.height", 30.0), at(&run, "plane.height", 70.0));
        assert!((lost - last).abs() < 0.5, "{level}: {lost} {last}");
        assert!((at(&run, "plane.airspeed", 70.0) - 17.0).abs() < 0.3, "{level}");
    }
}

#[test]
fn the_throttle_changes_no_faster_than_its_slew_rate() {
    let legs = [(0.0, north(17.0, 50.0)), (20.0, north(22.0, 80.0))];
    let set = [("limit.throttle_slew", real(0.2))];
    let run = guided(&[], ("control.tecs", &set), &legs).run(seconds(40.0), &OUTPUTS);
    let throttles = run.numbers("level.throttle");
    let steps = throttles.windows(2).map(|pair| (pair[1] - pair[0]).abs());
    let quickest = steps.fold(0.0, f64::max);
    assert!((quickest - 0.2 * 0.02).abs() < 1e-12, "{quickest}");
}

/// An engine too weak for the climb that is asked for, and a pitch that cares for height alone.
fn too_weak(legs: &[(f64, Leg)]) -> Run {
    let weak = [
        ("limit.highest_throttle", real(0.6)),
        ("gain.trim_throttle", real(0.6)),
        ("gain.speed_weight", real(0.0)),
        ("limit.lowest_airspeed", real(15.0)),
    ];
    let outputs = [&OUTPUTS[..], &["level.underspeed"]].concat();
    guided(&[], ("control.tecs", &weak), legs).run(seconds(60.0), &outputs)
}

/// When it is first too slow, in s.
fn too_slow_at(run: &Run) -> f64 {
    let slow = run.samples::<bool>("level.underspeed");
    slow.iter().find(|(_, slow)| *slow).expect("it gets too slow").0.as_secs_f64()
}

#[test]
fn an_aircraft_that_gets_too_slow_gives_up_height_for_speed() {
    let run = too_weak(&[(0.0, north(17.0, 200.0))]);
    let slow = too_slow_at(&run);
    assert!((at(&run, "plane.airspeed", slow) - 0.9 * 15.0).abs() < 0.3);
    // Without the protection it goes on to lose speed, down to 9.6 m/s.
    let speeds = run.numbers("plane.airspeed");
    assert!(range(&speeds)[0] > 12.7, "{:?}", range(&speeds));
    let after_slow = run.samples::<bool>("level.underspeed");
    let fast_again = after_slow.iter().any(|(time, slow_)| *time > seconds(slow) && !slow_);
    assert!(fast_again, "it never gets fast again");
}

#[test]
fn an_aircraft_that_is_too_slow_keeps_the_throttle_open_even_where_it_is_too_high() {
    let climb = (0.0, north(17.0, 200.0));
    let slow = too_slow_at(&too_weak(&[climb]));
    let run = too_weak(&[climb, (slow + 0.02, Leg { to: [5000.0, 0.0, 0.0], ..north(17.0, 0.0) })]);
    let samples = run.samples::<bool>("level.underspeed");
    let until = samples.iter().find(|(time, is)| *time > seconds(slow) && !is).expect("it ends").0;
    let until = until.as_secs_f64();
    assert!(until > slow + 0.3, "{slow} {until}");
    assert_eq!(at(&run, "level.throttle", until - 0.02), 0.6);
    assert!(at(&run, "level.throttle", until + 1.0) < 0.5);
}

#[test]
fn the_weight_of_speed_chooses_what_the_pitch_holds() {
    // An engine that stands still: with height alone in mind the speed goes, with speed alone the height.
    let glide = |weight: f64| {
        let still = [
            ("limit.highest_throttle", real(0.01)),
            ("gain.trim_throttle", real(0.01)),
            ("gain.speed_weight", real(weight)),
            ("limit.lowest_airspeed", real(5.0)),
        ];
        let legs = [(0.0, north(17.0, 50.0))];
        let run = guided(&[], ("control.tecs", &still), &legs).run(seconds(8.0), &OUTPUTS);
        [at(&run, "plane.height", 8.0), at(&run, "plane.airspeed", 8.0)]
    };
    let ([high, slow], [low, fast]) = (glide(0.0), glide(2.0));
    assert!(high > low + 5.0, "{high} {low}");
    assert!(fast > slow + 3.0 && (fast - 17.0).abs() < 1.5, "{fast} {slow}");
}
