//! The models, and the log.

use std::f64::consts::TAU;

use ironbird_kernel::Parameter;
use ironbird_test_rig::{Rig, Setting, real, seconds, text};

use crate::points::Source;

#[test]
fn a_current_of_45_degrees_flows_north_east() {
    let source =
        Source::new("sea-current.sinusoidal", &[("speed", real(1.0)), ("direction", real(45.0))]);
    let half = 0.5f64.sqrt();
    for [velocity, acceleration] in source.currents(&[[3.0, 4.0, 5.0]], &[[1.0, 2.0, 0.0]]) {
        assert!((velocity[0] - half).abs() < 1e-15 && (velocity[1] - half).abs() < 1e-15);
        assert_eq!((velocity[2], acceleration), (0.0, [0.0; 3]));
    }
}

#[test]
fn the_acceleration_of_a_sinusoidal_current_is_its_derivative() {
    let source = Source::new(
        "sea-current.sinusoidal",
        &[
            ("speed", real(0.7)),
            ("direction", real(200.0)),
            ("amplitude", real(0.4)),
            ("period", real(0.5)),
            ("offset", real(-0.31)),
        ],
    );
    let places = vec![[10.0, -20.0, 3.0]; 2000];
    let seen = source.currents(&places, &[[2.0, 1.0, 0.0]]);
    let toward = [libm::cos(200f64.to_radians()), libm::sin(200f64.to_radians())];
    for index in 1..seen.len() - 1 {
        let t = index as f64 * 1e-3;
        let speed = 0.7 + 0.4 * libm::sin(TAU * (t - 0.31) / 0.5);
        for axis in 0..2 {
            assert!((seen[index][0][axis] - speed * toward[axis]).abs() < 1e-12);
            let difference = (seen[index + 1][0][axis] - seen[index - 1][0][axis]) / 2e-3;
            // The error of the difference is h²/6 of the third derivative.
            assert!((seen[index][1][axis] - difference).abs() < 2e-4, "{t} s, axis {axis}");
        }
    }
}

#[test]
fn a_current_can_be_changed_while_it_flows() {
    let mut rig = Rig::of(&[ironbird_environment::register]);
    rig.add("source", "sea-current.sinusoidal", &[("speed", real(1.0))]);
    rig.add("at", "sea-current.at", &[]);
    rig.bind("at.source", "source");
    rig.script("position", &[(seconds(0.0), [0.0; 3])]);
    rig.link("position.out", "at.position");
    rig.set(seconds(0.5), "source.direction", real(90.0));
    let run = rig.run(seconds(1.0), &["at.current"]);
    let seen = run.samples::<[f64; 3]>("at.current");
    assert_eq!(seen.first().unwrap().1, [1.0, 0.0, 0.0]);
    let last = seen.last().unwrap().1;
    assert!(last[0].abs() < 1e-15 && (last[1] - 1.0).abs() < 1e-15);
}

#[test]
fn the_slope_of_a_modelled_bed_is_its_derivative() {
    let source = Source::new(
        "sea-bed.model",
        &[
            ("depth", real(60.0)),
            ("slope_north", real(0.01)),
            ("slope_east", real(-0.02)),
            ("amplitude", real(3.0)),
            ("wavelength", real(80.0)),
            ("direction", real(30.0)),
        ],
    );
    let step = 1e-3;
    for [n, e] in [[0.0, 0.0], [12.0, -7.0], [-4321.0, 999.0]] {
        let seen = source.beds(&[
            [n, e, 20.0],
            [n + step, e, 20.0],
            [n - step, e, 20.0],
            [n, e + step, 20.0],
            [n, e - step, 20.0],
        ]);
        let waves = (n * libm::cos(30f64.to_radians()) + 0.5 * e) / 80.0;
        let expected = 60.0 + 0.01 * n - 0.02 * e + 3.0 * libm::sin(TAU * waves);
        let (depth, slope, height) = seen[0];
        assert!((depth - expected).abs() < 1e-9, "{depth} {expected}");
        assert_eq!(height, depth - 20.0);
        assert!((slope[0] - (seen[1].0 - seen[2].0) / (2.0 * step)).abs() < 1e-7);
        assert!((slope[1] - (seen[3].0 - seen[4].0) / (2.0 * step)).abs() < 1e-7);
    }
}

#[test]
fn on_the_ellipsoid_the_height_counts_from_the_depth_of_the_vehicle() {
    let mut rig = Rig::of(&[ironbird_environment::register]);
    rig.add("source", "sea-bed.model", &[("depth", real(50.0))]);
    let earth = [("earth.model", text("wgs84")), ("earth.origin.latitude", real(48.0))];
    rig.add("at", "sea-bed.at", &earth);
    rig.bind("at.source", "source");
    rig.script("position", &[(seconds(0.0), [20_000.0, 0.0, 31.4])]);
    rig.link("position.out", "at.position");
    let run = rig.run(seconds(0.0), &["at.height"]);
    // 20 km from the origin the ellipsoid lies 31.4 m below the frame.
    assert!((run.numbers("at.height")[0] - 50.0).abs() < 0.1);
}

fn log(
    lines: &str,
    settings: &[(&'static str, Parameter)],
) -> (tempfile::TempDir, Source<'static>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("current.csv");
    std::fs::write(&file, lines).unwrap();
    let mut all = vec![("file", text(&file.to_string_lossy()))];
    all.extend(settings.iter().cloned());
    (folder, Source::new("sea-current.log", &all))
}

#[test]
fn a_log_is_followed_by_straight_lines() {
    let lines = "time_s,north,east\n0,0,1\n0.004,0.4,1\n0.004,9,9\n0.008,5,1\n";
    let (_folder, source) = log(lines, &[]);
    let seen = source.currents(&[[0.0; 3]; 9], &[]);
    let north: Vec<f64> = seen.iter().map(|[velocity, _]| velocity[0]).collect();
    let expected = [0.0, 0.1, 0.2, 0.3, 9.0, 8.0, 7.0, 6.0, 5.0];
    for (seen, expected) in north.iter().zip(expected) {
        assert!((seen - expected).abs() < 1e-12, "{north:?}");
    }
    assert!((seen[1][1][0] - 100.0).abs() < 1e-9);
    assert!((seen[5][1][1] + 2000.0).abs() < 1e-9);
}

#[test]
fn a_log_may_hold_speed_and_direction_in_columns_of_any_name() {
    let settings = [
        ("time", text("t")),
        ("time_unit", text("ms")),
        ("columns", text("v, towards")),
        ("holds", text("speed-direction")),
    ];
    let (_folder, source) = log("t,towards,v\n0,350,1\n2,10,1\n", &settings);
    let seen = source.currents(&[[0.0; 3]; 3], &[]);
    // Half way between 350° and 10° the water flows north, not south.
    let [half, _] = seen[1];
    assert!((half[0] - libm::cos(10f64.to_radians())).abs() < 1e-12 && half[1].abs() < 1e-12);
}

#[test]
fn a_log_that_ends_too_early_says_so_or_is_held() {
    let (_folder, source) = log("time_s,north,east\n0,1,2\n0.002,3,4\n", &[]);
    let message = source.failure("sea-current.at", [1.0, 2.0, 3.0], seconds(0.01));
    assert!(
        message.contains(
            "the sea current is not known at north 1.000 m, east 2.000 m, down 3.000 m at 0.003 s: \
             its log covers 0 s to 0.002 s; end the run earlier, or give its source outside = \
             \"hold\""
        ),
        "{message}"
    );
    let seen = source.with("outside", text("hold")).currents(&[[0.0; 3]; 5], &[]);
    assert_eq!(seen[4], [[3.0, 4.0, 0.0], [0.0; 3]]);
}

#[test]
fn logs_that_cannot_be_read_are_problems_of_their_parameters() {
    for (lines, settings, expected) in [
        ("time_s,north\n0,1\n", &[][..], "parameter \"columns\": "),
        ("t,north,east\n0,1,1\n", &[], "parameter \"time\": "),
        ("time_s,north,east\n0,1,nan\n", &[], "there is not a number in both north and east"),
        ("time_s,north,east\n0,1,\n1,2,3\n", &[], "at 0 s there is not a number in both"),
        ("time_s,north,east\n0,1,1\n1,,3\n", &[], "at 1 s there is not a number in both"),
        ("time_s,north,east\n", &[], "it has no lines with numbers"),
        ("time_s,north,east\n0,1,1\n", &[("columns", text("a"))], "it must name two columns"),
    ] {
        let (_folder, source) = log(lines, settings);
        let message = source.refusal();
        assert!(message.contains(expected), "{lines:?}: {message}");
    }
}

#[test]
fn a_vehicle_that_goes_aground_ends_the_run_unless_that_is_ignored() {
    let rig = |settings: &[Setting<'_>]| {
        let mut rig = Rig::of(&[ironbird_environment::register]);
        rig.add("source", "sea-bed.model", &[("depth", real(10.0))]);
        rig.add("at", "sea-bed.at", settings);
        rig.bind("at.source", "source");
        rig.script("position", &[(seconds(0.0), [3.0, 4.0, 10.5])]);
        rig.link("position.out", "at.position");
        rig
    };
    let message = rig(&[]).failure(seconds(0.0));
    assert!(
        message.contains("aground: at north 3.0 m, east 4.0 m it is 0.500 m below the bed"),
        "{message}"
    );
    let run = rig(&[("aground", text("ignore"))]).run(seconds(0.0), &["at.height"]);
    assert_eq!(run.numbers("at.height"), [-0.5]);
}
