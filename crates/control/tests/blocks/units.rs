//! The units of the ports follow from the parameters.

use std::path::Path;

use ironbird_component::{Place, Registry};
use ironbird_test_rig::{Setting, real, text};

use crate::rig;

/// The ports of a block with their units: `in rad, out rad*s`.
fn ports(block: &str, settings: &[Setting<'_>]) -> String {
    let mut registry = Registry::empty();
    ironbird_control::register(&mut registry).unwrap();
    let settings = settings.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
    let place = Place { folder: Path::new(".") };
    let instance = registry.get(block).unwrap().instantiate(&settings, &place).unwrap();
    let ports = instance.interface().ports.iter();
    let ports = ports.map(|port| format!("{} {}", port.name, port.units.of("")).trim().to_string());
    ports.collect::<Vec<_>>().join(", ")
}

#[test]
fn the_output_of_a_gain_is_the_gain_times_the_input() {
    let gain = |of: &str, input: &str| {
        let units = [("gain", real(1.0)), ("gain_unit", text(of)), ("input_unit", text(input))];
        ports("block.gain", &units)
    };
    assert_eq!(gain("N/m", "m"), "in m, out kg*m/s^2");
    assert_eq!(gain("1/s", "rad"), "in rad, out rad/s");
    assert_eq!(gain("", "deg"), "in deg, out deg");
    assert_eq!(gain("", ""), "in, out");
}

#[test]
fn integrals_and_derivatives_count_seconds() {
    let unit = [("unit", text("m/s"))];
    assert_eq!(ports("block.integrator", &unit), "in m/s, reset, out m");
    assert_eq!(ports("block.continuous-integrator", &unit), "in m/s, out m");
    assert_eq!(ports("block.derivative", &unit), "in m/s, out m/s^2");
}

#[test]
fn a_sum_has_one_unit_and_a_difference_of_temperatures_is_in_kelvin() {
    let sum = |signs: &str, unit: &str| {
        ports("block.sum", &[("signs", text(signs)), ("unit", text(unit))])
    };
    assert_eq!(sum("+--", "rad"), "a rad, b rad, c rad, out rad");
    assert_eq!(sum("+-", "degC"), "a degC, b degC, out K");
    assert_eq!(sum("+-+", "degC"), "a degC, b degC, c degC, out degC");
    let refused = rig().refusal("block.sum", &[("signs", text("++")), ("unit", text("degC"))]);
    assert_eq!(
        refused,
        "parameter \"unit\": temperatures in degC cannot be added like this: use K"
    );
}

#[test]
fn a_product_has_the_product_of_its_units() {
    let product = |operations: &str, units: &str| {
        ports("block.product", &[("operations", text(operations)), ("units", text(units))])
    };
    assert_eq!(product("**", "N, m"), "a N, b m, out kg*m^2/s^2");
    assert_eq!(product("*/", "m, m/s"), "a m, b m/s, out s");
    assert_eq!(product("/*", "s, "), "a s, b, out 1/s");
    let refused = rig().refusal("block.product", &[("units", text("m"))]);
    assert_eq!(refused, "parameter \"units\": there are 2 inputs and 1 units");
}

#[test]
fn units_that_do_not_exist_are_refused() {
    let rig = rig();
    let refused = rig.refusal("block.delay", &[("unit", text("rads"))]);
    assert!(refused.starts_with("parameter \"unit\": there is no unit \"rads\""), "{refused}");
    let settings = [("gain", real(1.0)), ("gain_unit", text("W/K")), ("input_unit", text("degC"))];
    let refused = rig.refusal("block.gain", &settings);
    assert!(refused.contains("write K for a temperature difference"), "{refused}");
}

#[test]
fn a_continuous_input_is_another_type() {
    let settings = |signal: &str| [("unit", text("m")), ("signal", text(signal))];
    let value = |signal: &str| {
        let mut registry = Registry::empty();
        ironbird_control::register(&mut registry).unwrap();
        let settings = settings(signal).map(|(name, value)| (name.to_string(), value)).into();
        let found = registry.get("block.continuous-integrator").unwrap();
        let made = found.instantiate(&settings, &Place { folder: Path::new(".") }).unwrap();
        made.interface().input("in").unwrap().value.is_continuous()
    };
    assert!(value("continuous") && !value("sampled"));
}
