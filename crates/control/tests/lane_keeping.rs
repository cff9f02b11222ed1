//! The programs of the lane-keeping system, each on its own.

use ironbird_control::lane_keeping::{LanePlan, LaneSeen};
use ironbird_kernel::Rate;
use ironbird_kinematics::LaneMarks;
use ironbird_test_rig::{Rig, Setting, real, seconds};

const SPEED: f64 = 25.0;

fn rig() -> Rig {
    Rig::of(&[ironbird_control::register])
}

/// What the planner makes of lanes that it sees from these times on, without turning.
fn planned(settings: &[Setting<'_>], lanes: &[(f64, LaneSeen)], until: f64) -> Vec<LanePlan> {
    let mut rig = rig();
    let lanes: Vec<_> = lanes.iter().map(|(at, lane)| (seconds(*at), *lane)).collect();
    rig.script("lane", &lanes);
    rig.script("speed", &[(seconds(0.0), SPEED)]);
    rig.script("yaw", &[(seconds(0.0), 0.0)]);
    rig.add_at("planner", "lane.planner", Some(Rate::hz(50)), settings);
    rig.link("lane.out", "planner.lane");
    rig.link("speed.out", "planner.speed");
    rig.link("yaw.out", "planner.yaw_rate");
    let run = rig.run(seconds(until), &["planner.plan"]);
    run.samples("planner.plan").into_iter().map(|(_, plan)| plan).collect()
}

/// The steering angles that are wanted for a plan, at 50 Hz.
fn wanted(settings: &[Setting<'_>], plans: &[(f64, LanePlan)], until: f64) -> Vec<f64> {
    let mut rig = rig();
    let plans: Vec<_> = plans.iter().map(|(at, plan)| (seconds(*at), *plan)).collect();
    rig.script("plan", &plans);
    rig.script("speed", &[(seconds(0.0), SPEED)]);
    rig.add_at("controller", "lane.controller", Some(Rate::hz(50)), settings);
    rig.link("plan.out", "controller.plan");
    rig.link("speed.out", "controller.speed");
    rig.run(seconds(until), &["controller.wanted"]).numbers("controller.wanted")
}

#[test]
fn noise_of_the_points_has_the_deviation_that_was_set() {
    let mut marks = LaneMarks { valid: true, ..LaneMarks::default() };
    for k in 0..LaneMarks::POINTS {
        marks.ahead[k] = 5.0 + 5.0 * k as f64;
    }
    let offsets = |noise: f64| -> Vec<f64> {
        let mut rig = rig();
        rig.script("camera", &[(seconds(0.0), marks)]);
        rig.add_at("detector", "lane.detector", Some(Rate::hz(50)), &[("noise", real(noise))]);
        rig.link("camera.out", "detector.marks");
        let run = rig.run(seconds(100.0), &["detector.lane"]);
        let lanes = run.samples::<LaneSeen>("detector.lane").into_iter();
        lanes.map(|(_, lane)| lane.offset).collect()
    };
    assert!(offsets(0.0).iter().all(|offset| offset.abs() < 1e-12));
    let noisy = offsets(0.01);
    let variance = noisy.iter().map(|x| x * x).sum::<f64>() / noisy.len() as f64;
    // The fit of a cubic through eight points from 5 m to 40 m, at 0 m: 2.464 times that of a point,
    // the square root of the first element of the inverse of the normal matrix.
    let ratio = variance.sqrt() / 0.01;
    assert!((2.38..2.55).contains(&ratio), "{ratio}");
}

#[test]
fn the_filter_does_not_lag_behind_a_car_that_crosses_its_lane() {
    // 0.02 rad at 25 m/s: 0.5 m/s to starboard, seen every 20 ms.
    let lane = |k: u32| LaneSeen {
        offset: 0.01 * f64::from(k),
        heading: 0.02,
        valid: true,
        ..LaneSeen::default()
    };
    let lanes: Vec<(f64, LaneSeen)> = (0..50).map(|k| (0.02 * f64::from(k), lane(k))).collect();
    let plans = planned(&[("filter", real(0.2))], &lanes, 0.98);
    for (k, plan) in plans.iter().enumerate() {
        assert!((plan.offset - 0.01 * k as f64).abs() < 1e-12, "{plan:?} at step {k}");
    }
}

#[test]
fn the_plan_is_relative_to_the_target_and_looks_ahead_for_the_curvature() {
    let lane =
        LaneSeen { curvature: 0.002, curvature_growth: 1e-4, valid: true, ..LaneSeen::default() };
    let settings = [("target", real(0.5)), ("preview", real(0.1))];
    let plan = planned(&settings, &[(0.0, lane)], 0.0)[0];
    assert_eq!(plan.offset, -0.5);
    assert!((plan.curvature - (0.002 + 1e-4 * SPEED * 0.1)).abs() < 1e-15);
}

#[test]
fn without_a_lane_the_plan_lasts_as_long_as_its_patience() {
    let lane = LaneSeen { offset: 0.1, valid: true, ..LaneSeen::default() };
    let lanes = [(0.0, lane), (1.0, LaneSeen::default())];
    let plans = planned(&[("patience", real(0.5))], &lanes, 2.0);
    let valid: Vec<bool> = plans.iter().map(|plan| plan.valid).collect();
    let until = valid.iter().position(|valid| !valid).expect("it ends");
    // Seen last at 0.98 s.
    assert_eq!(until, 75, "the plan ends at {} s", 0.02 * until as f64);
    assert!(valid[until..].iter().all(|valid| !valid));
}

#[test]
fn the_controller_steers_back_and_into_the_curve() {
    let plain = [("integral_gain", real(0.0))];
    let plan = LanePlan { valid: true, ..LanePlan::default() };
    let angle = |plan: LanePlan| wanted(&plain, &[(0.0, plan)], 0.0)[0];
    assert_eq!(angle(plan), 0.0);
    assert!((angle(LanePlan { offset: 0.1, ..plan }) + 0.007).abs() < 1e-15);
    assert!((angle(LanePlan { heading: 0.01, ..plan }) + 0.07 * 12.0 * 0.01).abs() < 1e-15);
    // What the car needs in a steady curve, at the heading error that it then has.
    let slips = (0.004_035 * SPEED * SPEED - 1.58) / 300.0;
    let curve = LanePlan { curvature: 1.0 / 300.0, heading: slips, ..plan };
    assert!((angle(curve) - (2.68 + 0.001_761 * SPEED * SPEED) / 300.0).abs() < 1e-12);
    assert_eq!(angle(LanePlan { offset: 0.1, ..LanePlan::default() }), 0.0);
}

#[test]
fn the_integral_does_not_wind_up_at_the_limit() {
    let settings = [("limit", real(0.01)), ("integral_gain", real(0.1))];
    let off = LanePlan { offset: 1.0, valid: true, ..LanePlan::default() };
    let back = LanePlan { offset: -0.01, valid: true, ..LanePlan::default() };
    let angles = wanted(&settings, &[(0.0, off), (10.0, back)], 10.0);
    assert!(angles[..500].iter().all(|angle| *angle == -0.01));
    assert!(angles[500] > 0.0, "{} rad", angles[500]);
}

#[test]
fn the_car_is_told_no_more_and_no_faster_than_is_allowed() {
    let mut rig = rig();
    rig.script("controller", &[(seconds(0.0), 1.0)]);
    rig.add_at("actuation", "lane.actuation", Some(Rate::hz(50)), &[("rate_limit", real(0.5))]);
    rig.link("controller.out", "actuation.wanted");
    let angles = rig.run(seconds(1.0), &["actuation.steering"]).numbers("actuation.steering");
    for pair in angles.windows(2) {
        assert!((0.0..=0.010_000_1).contains(&(pair[1] - pair[0])), "{pair:?}");
    }
    assert_eq!(angles.last(), Some(&0.15));
}

#[test]
fn a_steering_angle_that_is_not_a_number_ends_the_run() {
    let mut rig = rig();
    rig.script("controller", &[(seconds(0.0), f64::NAN)]);
    rig.add("actuation", "lane.actuation", &[]);
    rig.link("controller.out", "actuation.wanted");
    assert!(rig.failure(seconds(1.0)).contains("is not a number"));
}
