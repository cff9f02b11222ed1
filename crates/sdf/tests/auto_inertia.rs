//! Inertia worked out from shapes.

use ironbird_sdf::{Inertial, parse};
use nalgebra::Vector3;

fn inertial(attributes: &str, inside: &str, collisions: &[(&str, &str)]) -> (Inertial, usize) {
    let collisions: String = collisions
        .iter()
        .enumerate()
        .map(|(n, (pose, shape))| {
            format!(
                "<collision name='{n}'><pose>{pose}</pose><geometry>{shape}</geometry></collision>"
            )
        })
        .collect();
    let text = format!(
        "<sdf version='1.11'><model name='m'><link name='l'>\
         <inertial {attributes}>{inside}</inertial>{collisions}</link></model></sdf>"
    );
    let mut sdf = parse(&text, "auto.sdf").unwrap_or_else(|error| panic!("{error}"));
    (sdf.models[0].links.remove(0).inertial, sdf.warnings.len())
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-9 * b.abs().max(1e-6), "{a} is not {b}");
}

#[test]
fn a_box_of_water_weighs_what_it_should() {
    let shape = "<box><size>.1 .2 .3</size></box>";
    let (found, warnings) = inertial("auto='true'", "", &[("1 2 3 0 0 0", shape)]);
    close(found.mass, 6.0);
    assert_eq!(found.pose.translation.vector, Vector3::new(1.0, 2.0, 3.0));
    close(found.moments[(0, 0)], 6.0 * (0.04 + 0.09) / 12.0);
    assert_eq!(warnings, 0);
    // Not asked for, the defaults hold.
    assert_eq!(inertial("", "", &[("1 2 3 0 0 0", shape)]).0, Inertial::default());
    // A mass that is said is kept, and the moments fit it.
    let heavy = inertial("auto='true'", "<mass>12</mass>", &[("1 2 3 0 0 0", shape)]).0;
    close(heavy.mass, 12.0);
    close(heavy.moments[(0, 0)], 2.0 * found.moments[(0, 0)]);
}

#[test]
fn two_halves_are_a_whole() {
    let density = "<density>500</density>";
    let whole =
        inertial("auto='1'", density, &[("0 0 0 0 0 0", "<box><size>2 1 1</size></box>")]).0;
    let half = "<box><size>1 1 1</size></box>";
    let halves = inertial(
        "auto='1'",
        density,
        &[("-.5 0 0 0 0 0", half), (".5 0 0 0 0 1.5707963267948966", half)],
    )
    .0;
    close(halves.mass, whole.mass);
    assert!((halves.moments - whole.moments).norm() < 1e-9);
}

#[test]
fn round_shapes_fit_together() {
    let of = |shape: &str| inertial("auto='1'", "", &[("0 0 0 0 0 0", shape)]).0;
    let sphere = of("<sphere><radius>.5</radius></sphere>");
    close(sphere.moments[(0, 0)], 0.4 * sphere.mass * 0.25);
    // A capsule without a tube is a sphere, and one with a long tube is nearly a cylinder.
    let short = of("<capsule><radius>.5</radius><length>0</length></capsule>");
    assert!((short.moments - sphere.moments).norm() < 1e-9);
    let long = of("<capsule><radius>.01</radius><length>10</length></capsule>");
    let cylinder = of("<cylinder><radius>.01</radius><length>10</length></cylinder>");
    assert!((long.moments[(0, 0)] / cylinder.moments[(0, 0)] - 1.0).abs() < 0.005);
    // A capsule is the sum of its slices, here of discs.
    let capsule = of("<capsule><radius>.5</radius><length>1</length></capsule>");
    let (mut mass, mut across) = (0.0, 0.0);
    for slice in 0..20_000 {
        let z = (slice as f64 + 0.5) / 10_000.0 - 1.0;
        let beyond = (z.abs() - 0.5).max(0.0);
        let r2 = 0.25 - beyond * beyond;
        let disc = 1000.0 * std::f64::consts::PI * r2 / 10_000.0;
        mass += disc;
        across += disc * (r2 / 4.0 + z * z);
    }
    assert!((capsule.mass / mass - 1.0).abs() < 1e-6);
    assert!((capsule.moments[(0, 0)] / across - 1.0).abs() < 1e-6);
    let cone = of("<cone><radius>.5</radius><length>1</length></cone>");
    assert_eq!(cone.pose.translation.z, -0.25);
    close(cone.moments[(2, 2)], 0.3 * cone.mass * 0.25);
}

#[test]
fn what_is_left_out_is_said() {
    let plane = [("0 0 0 0 0 0", "<plane/>")];
    assert_eq!(inertial("auto='1'", "", &plane), (Inertial::default(), 1));
}
