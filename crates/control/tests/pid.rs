//! The PID controller: each part alone, its limits, and the units of its ports.

use std::path::Path;

use ironbird_component::{Place, Registry};
use ironbird_kernel::{Parameter, Rate, Time};
use ironbird_test_rig::{Rig, Setting, real, seconds, text};

/// The commands of a controller that steps at 10 Hz for a second, with the set point 0.
fn commands(measured: &[(f64, f64)], settings: &[Setting<'_>]) -> Vec<f64> {
    let mut rig = Rig::of(&[ironbird_control::register]);
    let script: Vec<(Time, f64)> = measured.iter().map(|(at, x)| (seconds(*at), *x)).collect();
    rig.script("wanted", &[(seconds(0.0), 0.0)]);
    rig.script("measured", &script);
    rig.add_at("pid", "control.pid", Some(Rate::hz(10)), settings);
    rig.link("wanted.out", "pid.setpoint");
    rig.link("measured.out", "pid.measured");
    rig.run(seconds(1.0), &["pid.command"]).numbers("pid.command")
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

#[test]
fn the_proportional_part_is_the_error_times_its_gain() {
    assert_eq!(commands(&[(0.0, 2.0)], &[("kp", real(1.5))]), [-3.0; 11]);
}

#[test]
fn the_integral_part_grows_with_time() {
    let shown = commands(&[(0.0, -2.0)], &[("kp", real(0.0)), ("ki", real(3.0))]);
    assert!(shown.iter().enumerate().all(|(k, u)| close(*u, 0.6 * k as f64)), "{shown:?}");
}

#[test]
fn the_derivative_part_is_the_slope_of_the_measurement_behind_its_filter() {
    let step = [(0.0, 0.0), (0.5, 1.0)];
    let sharp = commands(&step, &[("kp", real(0.0)), ("kd", real(2.0))]);
    assert!(close(sharp[4], 0.0) && close(sharp[5], -20.0) && close(sharp[6], 0.0), "{sharp:?}");
    let settings = [("kp", real(0.0)), ("kd", real(2.0)), ("derivative_filter", real(0.1))];
    let soft = commands(&step, &settings);
    let first = -20.0 * (1.0 - libm::exp(-1.0));
    assert!(close(soft[5], first) && close(soft[6], first * libm::exp(-1.0)), "{soft:?}");
}

#[test]
fn the_integral_does_not_wind_up_at_a_limit() {
    let settings = [("kp", real(0.0)), ("ki", real(10.0)), ("highest", real(2.0))];
    let shown = commands(&[(0.0, -1.0), (0.8, 1.0)], &settings);
    assert!(close(shown[2], 2.0) && close(shown[7], 2.0), "{shown:?}");
    // It leaves the limit with the first error of the other sign.
    assert!(close(shown[8], 1.0) && close(shown[9], 0.0), "{shown:?}");
}

#[test]
fn its_ports_have_the_units_that_it_is_given() {
    let mut registry = Registry::empty();
    ironbird_control::register(&mut registry).unwrap();
    let settings: [(String, Parameter); 3] = [
        ("kp".into(), real(1.0)),
        ("input_unit".into(), text("degC")),
        ("output_unit".into(), text("W")),
    ];
    let place = Place { folder: Path::new(".") };
    let instance =
        registry.get("control.pid").unwrap().instantiate(&settings.into(), &place).unwrap();
    let unit = |name: &str| {
        let port = instance.interface().ports.iter().find(|port| port.name == name).unwrap();
        port.units.of("").to_string()
    };
    assert_eq!([unit("setpoint"), unit("measured"), unit("command")], ["degC", "degC", "W"]);
}

#[test]
fn nonsense_is_refused() {
    let rig = Rig::of(&[ironbird_control::register]);
    let refusal = |setting: Setting<'_>| rig.refusal("control.pid", &[("kp", real(1.0)), setting]);
    let refused = refusal(("lowest", real(2e9)));
    assert_eq!(refused, "\"lowest\" (2000000000) must not be above \"highest\" (1000000000)");
    let refused = refusal(("input_unit", text("degX")));
    assert!(refused.starts_with("parameter \"input_unit\": "), "{refused}");
}
