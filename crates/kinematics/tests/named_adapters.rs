//! The adapter that would join two ports is named, and every type explains itself.

use ironbird_component::{ComponentType, PortDescription, Registry, ValueType, help_text};
use ironbird_kernel::{PortKind, Value};
use ironbird_kinematics::{Attitude, GEODETIC_UNITS, Geodetic, VectorSample};

fn registry() -> Registry {
    let mut registry = Registry::with_builtin();
    ironbird_kinematics::register(&mut registry).expect("names of their own");
    registry
}

fn port<T: Value>(is_output: bool, units: &str, frame: &str) -> PortDescription {
    let make = if is_output { PortDescription::output } else { PortDescription::input };
    let port = make("port", PortKind::Signal, ValueType::of::<T>());
    let port = port.units(units.parse().expect("units"));
    if frame.is_empty() { port } else { port.frame(frame) }
}

/// The types that would join a source of an `A` and a reader of a `B`, each with units and frame.
fn named<A: Value, B: Value>(from: (&str, &str), to: (&str, &str)) -> Vec<String> {
    let (from, to) = (port::<A>(true, from.0, from.1), port::<B>(false, to.0, to.1));
    let (registry, name) =
        (registry(), |known: &dyn ComponentType| known.description().name.clone());
    registry.adapters(&from, &to).into_iter().map(|(known, _)| name(known)).collect()
}

type Vector = [f64; 3];

#[test]
fn vectors_of_any_unit_are_turned_between_frames() {
    for unit in ["m/s", "rad/s", "N", "uT"] {
        let turned = |from, to| named::<Vector, Vector>((unit, from), (unit, to));
        assert_eq!(turned("ned", "body"), ["adapter.ned-to-body"]);
        assert_eq!(turned("body", "ned"), ["adapter.body-to-ned"]);
        assert_eq!(turned("body", "sensor"), ["adapter.body-to-sensor"]);
    }
    assert_eq!(
        named::<VectorSample, VectorSample>(("value: m/s", "sensor"), ("value: m/s", "body")),
        ["adapter.sensor-to-body"]
    );
}

#[test]
fn places_and_velocities_are_turned_each_into_itself() {
    let vector = named::<Vector, Vector>;
    assert_eq!(vector(("m", "ned"), ("m", "ecef")), ["adapter.ned-to-ecef"]);
    assert_eq!(vector(("m/s", "ecef"), ("m/s", "ned")), ["adapter.ecef-to-ned"]);
    let place = (GEODETIC_UNITS, "geodetic");
    assert_eq!(named::<Vector, Geodetic>(("m", "ned"), place), ["adapter.ned-to-geodetic"]);
    assert_eq!(named::<Vector, Geodetic>(("m", "ecef"), place), ["adapter.ecef-to-geodetic"]);
    assert_eq!(named::<Geodetic, Vector>(place, ("m", "ned")), ["adapter.geodetic-to-ned"]);
    assert_eq!(named::<Geodetic, Vector>(place, ("m", "ecef")), ["adapter.geodetic-to-ecef"]);
}

#[test]
fn whoever_links_an_acceleration_to_an_accelerometer_hears_of_gravity() {
    assert_eq!(
        named::<Vector, Vector>(("m/s^2", "ned"), ("m/s^2", "body")),
        ["adapter.inertial", "adapter.ned-to-body"]
    );
}

#[test]
fn what_no_adapter_can_join_names_none() {
    let none: [&str; 0] = [];
    // A place is no velocity, in whatever frame.
    assert_eq!(named::<Vector, Vector>(("m", "ned"), ("m/s", "ecef")), none);
    assert_eq!(named::<Vector, Vector>(("m", "ned"), ("m/s", "body")), none);
    assert_eq!(named::<Vector, Vector>(("m", "ned"), ("m/s^2", "body")), none);
    // An attitude is what they need, not what they turn.
    assert_eq!(named::<Attitude, Vector>(("", ""), ("m/s", "body")), none);
    assert_eq!(named::<Attitude, Vector>(("", ""), ("m/s^2", "body")), none);
}

#[test]
fn every_type_explains_itself_its_parameters_and_its_ports() {
    let registry = registry();
    let mut count = 0;
    for known in registry.iter() {
        let description = known.description();
        let name = &description.name;
        if ["adapter.unit", "adapter.sample"].contains(&name.as_str()) {
            continue;
        }
        count += 1;
        assert!(description.adapter && description.saves_state, "{name}");
        assert!(!description.doc.is_empty(), "{name}");
        for parameter in &description.parameters {
            assert!(!parameter.doc.is_empty(), "{name}: {}", parameter.path);
        }
        for port in &description.interface.as_ref().expect("an interface").ports {
            assert!(!port.doc.is_empty(), "{name}: {}", port.name);
        }
    }
    assert_eq!(count, 14);
    let help = help_text(registry.get("adapter.body-to-sensor").expect("a type").description());
    assert!(
        help.starts_with("adapter.body-to-sensor: periodic, 1000 Hz if no rate is given"),
        "{help}"
    );
    assert!(
        help.contains(
            "mounting.yaw    a number in deg, from -360 deg to 360 deg; 0 deg if not given"
        ),
        "{help}"
    );
}
