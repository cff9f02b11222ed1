//! `plant.multirotor` in a system.

use ironbird_kernel::Time;
use ironbird_kinematics::Motion;
use ironbird_test_rig::{Rig, Setting, assert_goes_on_after_a_checkpoint, real, seconds, text};

use crate::{example, project};

fn file(name: &str) -> ironbird_kernel::Parameter {
    text(project().join("examples").join(name).to_str().unwrap())
}

/// An X500 with the same speed commanded to all motors.
fn rig(speed: f64, settings: &[Setting<'_>]) -> Rig {
    let mut rig = Rig::of(&[ironbird_plant::register]);
    let all: Vec<Setting<'_>> = [("file", file("multirotor/x500.toml"))]
        .into_iter()
        .chain(settings.iter().cloned())
        .collect();
    rig.add("quad", "plant.multirotor", &all);
    rig.script("speed", &[(Time::ZERO, speed)]);
    for motor in 1..=4 {
        rig.link("speed.out", &format!("quad.motor_{motor}"));
    }
    rig
}

fn hover_speed() -> f64 {
    let craft = example("multirotor/x500.toml");
    let parts = craft.parts();
    (parts.inertia.mass * 9.80665 / (4.0 * parts.rotors[0].thrust)).sqrt()
}

#[test]
fn at_the_speed_of_hovering_it_stays() {
    let settled = [("initial.motors", text("settled"))];
    let run =
        rig(hover_speed(), &settled).run(seconds(10.0), &["quad.motion", "quad.specific_force"]);
    let (_, last) = *run.samples::<Motion>("quad.motion").last().unwrap();
    assert!(last.position.iter().chain(&last.velocity).all(|x| x.abs() < 1e-9), "{last:?}");
    let (_, force) = *run.samples::<[f64; 3]>("quad.specific_force").last().unwrap();
    assert!((force[2] + 9.80665).abs() < 1e-9);
}

#[test]
fn without_thrust_it_falls_and_feels_nothing() {
    let run = rig(0.0, &[("initial.velocity[2]", real(-5.0))])
        .run(seconds(1.0), &["quad.motion", "quad.specific_force", "quad.speed_1"]);
    let (_, last) = *run.samples::<Motion>("quad.motion").last().unwrap();
    assert!((last.position[2] - (-5.0 + 0.5 * 9.80665)).abs() < 1e-9);
    assert_eq!(run.samples::<[f64; 3]>("quad.specific_force").last().unwrap().1, [0.0; 3]);
    assert_eq!(run.samples::<f64>("quad.speed_1").last().unwrap().1, 0.0);
}

#[test]
fn it_begins_as_it_is_told() {
    let settings = [
        ("initial.position[2]", real(-3.0)),
        ("initial.velocity[0]", real(1.0)),
        ("initial.attitude[0]", real(0.1)),
        ("initial.attitude[2]", real(0.3)),
        ("initial.rates[1]", real(0.2)),
    ];
    let outputs = ["quad.motion", "quad.roll", "quad.yaw"];
    let run = rig(0.0, &settings).run(Time::ZERO, &outputs);
    let (_, first) = run.samples::<Motion>("quad.motion")[0];
    assert_eq!((first.position[2], first.velocity[0], first.angular_velocity[1]), (-3.0, 1.0, 0.2));
    assert!((run.numbers("quad.roll")[0] - 0.1).abs() < 1e-12);
    assert!((run.numbers("quad.yaw")[0] - 0.3).abs() < 1e-12);
}

#[test]
fn wind_carries_it_along_and_the_ground_lifts_it() {
    let settled = ("initial.motors", text("settled"));
    let mut blown = rig(hover_speed(), std::slice::from_ref(&settled));
    blown.script("air", &[(Time::ZERO, [5.0, 0.0, 0.0])]);
    blown.link("air.out", "quad.wind");
    let run = blown.run(seconds(1.0), &["quad.motion"]);
    let (_, last) = *run.samples::<Motion>("quad.motion").last().unwrap();
    assert!(last.velocity[0] > 0.1, "{last:?}");
    let low = [
        settled,
        ("ground_effect", ironbird_kernel::Parameter::Bool(true)),
        ("initial.position[2]", real(-0.1)),
    ];
    let run = rig(hover_speed(), &low).run(seconds(1.0), &["quad.motion"]);
    let (_, last) = *run.samples::<Motion>("quad.motion").last().unwrap();
    assert!(last.position[2] < -0.15, "{last:?}");
}

#[test]
fn it_goes_on_after_a_checkpoint() {
    let graph = || rig(700.0, &[("initial.rates[0]", real(0.5))]).into_graph();
    assert_goes_on_after_a_checkpoint(graph, seconds(0.5), seconds(1.0));
}

#[test]
fn what_is_no_number_is_refused_with_its_name() {
    let mut broken = Rig::of(&[ironbird_plant::register]);
    broken.add("quad", "plant.multirotor", &[("file", file("multirotor/x500.toml"))]);
    broken.script("speed", &[(Time::ZERO, f64::NAN)]);
    broken.link("speed.out", "quad.motor_3");
    let failure = broken.failure(seconds(1.0));
    assert!(failure.contains("the input \"motor_3\" is NaN"), "{failure}");
    let rig = Rig::of(&[ironbird_plant::register]);
    let refusal = rig.refusal(
        "plant.multirotor",
        &[("file", file("multirotor/x500.toml")), ("adjust", text("mass.mas = 2"))],
    );
    assert!(refusal.contains("the file has no number at \"mass.mas\""), "{refusal}");
}
