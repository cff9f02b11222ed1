//! Steady winds and their profiles, and the sum of several.

use ironbird_test_rig::{Rig, Setting, real, seconds, text};

/// What a wind shows at a height: north, east, down.
fn wind_at(height: f64, settings: &[Setting<'_>]) -> [f64; 3] {
    let mut rig = Rig::of(&[ironbird_environment::register]);
    rig.add("wind", "wind.steady", settings);
    rig.script("height", &[(seconds(0.0), height)]);
    rig.link("height.out", "wind.height");
    let outputs = ["wind.north", "wind.east", "wind.down"];
    let run = rig.run(seconds(0.1), &outputs);
    outputs.map(|output| *run.numbers(output).last().unwrap())
}

#[test]
fn a_wind_from_the_west_moves_the_air_east() {
    let [north, east, down] =
        wind_at(3.0, &[("speed", real(10.0)), ("direction", real(270.0)), ("rise", real(0.5))]);
    assert!(north.abs() < 1e-14 && (east - 10.0).abs() < 1e-14, "{north} {east}");
    assert_eq!(down, -0.5);
}

#[test]
fn profiles_grow_with_the_height_by_their_law() {
    let speed = |height: f64, profile: &str| {
        let settings = [
            ("speed", real(6.0)),
            ("profile", text(profile)),
            ("reference_height", real(10.0)),
            ("exponent", real(0.2)),
            ("roughness", real(0.1)),
        ];
        -wind_at(height, &settings)[0]
    };
    for profile in ["power", "log"] {
        assert!((speed(10.0, profile) - 6.0).abs() < 1e-14, "{profile}");
        assert_eq!(speed(0.0, profile), 0.0);
        assert_eq!(speed(-3.0, profile), 0.0);
    }
    assert!((speed(320.0, "power") - 12.0).abs() < 1e-12);
    assert!((speed(1000.0, "log") - 12.0).abs() < 1e-12);
    assert_eq!(speed(0.1, "log"), 0.0);
    assert_eq!(speed(-3.0, "uniform"), 6.0);
}

#[test]
fn a_wind_can_be_changed_while_it_blows() {
    let mut rig = Rig::of(&[ironbird_environment::register]);
    rig.add("wind", "wind.steady", &[("speed", real(4.0))]);
    rig.set(seconds(1.0), "wind.direction", real(180.0));
    let run = rig.run(seconds(2.0), &["wind.north"]);
    let north = run.numbers("wind.north");
    assert_eq!((north[0], *north.last().unwrap()), (-4.0, 4.0));
}

#[test]
fn a_profile_that_makes_no_sense_is_refused() {
    let rig = Rig::of(&[ironbird_environment::register]);
    let settings = [("profile", text("log")), ("roughness", real(10.0))];
    let refusal = rig.refusal("wind.steady", &settings);
    assert!(
        refusal.contains("roughness = 10 m must be below reference_height = 10 m"),
        "{refusal}"
    );
    for (name, value) in [("speed", -1.0), ("exponent", 1.5), ("reference_height", 0.0)] {
        let refusal = rig.refusal("wind.steady", &[(name, real(value))]);
        assert!(refusal.contains(name), "{refusal}");
    }
}

#[test]
fn a_height_that_is_no_number_ends_the_run() {
    let mut rig = Rig::of(&[ironbird_environment::register]);
    rig.add("wind", "wind.steady", &[]);
    rig.script("height", &[(seconds(0.0), 1.0), (seconds(0.5), f64::NAN)]);
    rig.link("height.out", "wind.height");
    assert!(rig.failure(seconds(1.0)).contains("the input \"height\" is NaN"));
}

#[test]
fn winds_add_up() {
    let mut rig = Rig::of(&[ironbird_environment::register]);
    rig.add("sum", "wind.sum", &[]);
    for (number, speed) in [(1, 1.0), (2, 20.0), (4, 300.0)] {
        let (name, settings) =
            (format!("wind-{number}"), [("speed", real(speed)), ("rise", real(speed))]);
        rig.add(&name, "wind.steady", &settings);
        for axis in ["north", "east", "down"] {
            rig.link(&format!("{name}.{axis}"), &format!("sum.{axis}_{number}"));
        }
    }
    let outputs = ["sum.north", "sum.east", "sum.down"];
    let run = rig.run(seconds(0.1), &outputs);
    let sums = outputs.map(|output| *run.numbers(output).last().unwrap());
    assert_eq!(sums, [-321.0, 0.0, -321.0]);
}
