//! Units and quantities as a user writes them.

use ironbird_units::{Dimension, Quantity, Unit, UnitError};
use proptest::prelude::*;

fn quantity(text: &str) -> Quantity {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn unit(text: &str) -> Unit {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn message<T: std::fmt::Debug>(result: Result<T, UnitError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn every_unit_has_its_size() {
    for (text, expected) in [
        ("1 km", 1000.0),
        ("1 cm", 0.01),
        ("1 mm", 0.001),
        ("1 um", 1e-6),
        ("1 \u{b5}m", 1e-6),
        ("1 nmi", 1852.0),
        ("1 ft", 0.3048),
        ("1 in", 0.0254),
        ("9 ms", 0.009),
        ("1 us", 1e-6),
        ("1 ns", 1e-9),
        ("1 ps", 1e-12),
        ("1 min", 60.0),
        ("1 h", 3600.0),
        ("1 d", 86400.0),
        ("10Hz", 10.0),
        ("1 kHz", 1e3),
        ("1 MHz", 1e6),
        ("1 GHz", 1e9),
        ("1 kg", 1.0),
        ("1 g", 0.001),
        ("1 mg", 1e-6),
        ("1 t", 1000.0),
        ("1 kN", 1e3),
        ("1 mN", 1e-3),
        ("1 kJ", 1e3),
        ("1 Wh", 3600.0),
        ("1 kWh", 3.6e6),
        ("1 mW", 1e-3),
        ("1 mV", 1e-3),
        ("1 mA", 1e-3),
        ("1 Ah", 3600.0),
        ("1 mAh", 3.6),
        ("1 Ohm", 1.0),
        ("1 uF", 1e-6),
        ("1 H", 1.0),
        ("1 uT", 1e-6),
        ("1 nT", 1e-9),
        ("1 Gauss", 1e-4),
        ("1 hPa", 100.0),
        ("1 MPa", 1e6),
        ("1 bar", 1e5),
        ("1 mbar", 100.0),
        ("20 degC", 293.15),
        ("1 mrad", 1e-3),
        ("180 deg", std::f64::consts::PI),
        ("60 arcmin", std::f64::consts::PI / 180.0),
        ("3600 arcsec", std::f64::consts::PI / 180.0),
        ("1 rev", std::f64::consts::TAU),
        ("1 rpm", std::f64::consts::TAU / 60.0),
        ("0.6 %", 0.006),
        ("1 ppm", 1e-6),
        ("3600 kn", 1852.0),
        ("1 gn", 9.80665),
        ("1 mgn", 9.80665e-3),
        ("1 kbit", 1e3),
        ("1 Mbit", 1e6),
        ("1 B", 8.0),
        ("1 kB", 8e3),
        ("1 KiB", 8192.0),
        ("1 MiB", 8_388_608.0),
        ("1 l", 1e-3),
        ("1 ml", 1e-6),
        ("36 km/h", 10.0),
        ("2 N*m", 2.0),
        ("5 1/s", 5.0),
        ("5 1", 5.0),
        ("5", 5.0),
        ("-3e-2 rad", -0.03),
        ("+2 m/s^2", 2.0),
        ("4 m^-1", 4.0),
    ] {
        assert_eq!(quantity(text).value(), expected, "{text}");
    }
    assert!((quantity("212 degF").value() - 373.15).abs() < 1e-9);
}

#[test]
fn a_whole_name_wins_over_prefix_and_unit() {
    for (text, dimension) in [
        ("min", "s"),
        ("cd", "cd"),
        ("kn", "m/s"),
        ("ft", "m"),
        ("h", "s"),
        ("d", "s"),
        ("Pa", "kg/m/s^2"),
        ("T", "kg/s^2/A"),
        ("kg*m^2", "kg*m^2"),
        ("deg/s", "rad/s"),
        ("%", "no unit"),
        ("", "no unit"),
        ("1", "no unit"),
        ("1/s", "1/s"),
        ("m/m", "no unit"),
    ] {
        assert_eq!(unit(text).dimension().to_string(), dimension, "{text}");
    }
    assert!(unit("").is_none() && unit(" ").is_none());
    assert!(!unit("%").is_none() && !unit("1").is_none());
}

#[test]
fn a_number_in_the_declared_unit_stays_as_written() {
    for text in ["0.1 deg", "7.3 ms", "20.1 degC", "1.1 kg", "3.3 rpm", "0.7 km/h"] {
        let written = quantity(text);
        assert_eq!(written.to(&written.unit().clone()), Ok(written.number()), "{text}");
    }
    assert_eq!(quantity("0.1 mbar").to(&unit("hPa")), Ok(0.1));
    assert_eq!(quantity("0.3 N*m").to(&unit("J")), Ok(0.3));
    assert_eq!(quantity("20 degC").to(&unit("K")), Ok(293.15));
    assert_eq!(quantity("1 km").to(&unit("cm")), Ok(1e5));
}

#[test]
fn errors_say_what_was_expected() {
    let to = |from: &str, into: &str| message(quantity(from).to(&unit(into)));
    assert_eq!(to("3 s", "m"), "\"3 s\" is a time (s), expected a length (m)");
    assert_eq!(to("3", "m/s"), "\"3\" is a plain number (no unit), expected a speed (m/s)");
    assert_eq!(
        to("2 Hz", "rad/s"),
        "\"2 Hz\" is a frequency (1/s), expected an angular rate (rad/s)"
    );
    assert_eq!(to("2 m*s", "m"), "\"2 m*s\" is in m*s, expected a length (m)");

    let unit_error = |text: &str| message(text.parse::<Unit>());
    for (typed, meant) in [
        ("sec", "s"),
        ("hz", "Hz"),
        ("Meters", "m"),
        ("knots", "kn"),
        ("degs", "deg"),
        ("KG", "kg"),
        ("Nn", "nN"),
        ("rads", "rad"),
        ("khz", "kHz"),
    ] {
        let expected = format!("there is no unit \"{typed}\", did you mean \"{meant}\"?");
        assert_eq!(unit_error(typed), expected);
    }
    assert_eq!(unit_error("quaternion"), "there is no unit \"quaternion\"");
    assert_eq!(
        unit_error("degC/s"),
        "\"degC\" has an offset and cannot be part of \"degC/s\": write K for a temperature difference"
    );
    assert!(matches!("1/degC".parse::<Unit>(), Err(UnitError::Offset { .. })));
    assert!(matches!("degC^2".parse::<Unit>(), Err(UnitError::Offset { .. })));
    assert_eq!(
        unit_error("m//s"),
        "\"m//s\" is not a unit: join names by * or /, like kg*m^2 or m/s"
    );
    assert_eq!(unit_error("m / s"), "\"m / s\" is not a unit: a unit has no spaces, like m/s");
    assert_eq!(
        unit_error("m^x"),
        "\"m^x\" is not a unit: an exponent is a whole or a half number, like m^2 or h^0.5"
    );
    assert_eq!(unit_error("m^99*m^99"), "\"m^99*m^99\" is not a unit: an exponent is too large");
    let many = vec!["m/m"; 40].join("*");
    assert!(unit_error(&many).ends_with("it has more than 32 factors"));

    let quantity_error = |text: &str| message(text.parse::<Quantity>());
    assert_eq!(
        quantity_error("fast"),
        "\"fast\" is not a quantity: write a number and a unit, like \"2.5 m/s\""
    );
    assert_eq!(quantity_error("1e999 m"), "\"1e999 m\" is too large");
    for text in ["", "-", "inf m", "nan", "--1 m", ". m"] {
        assert!(matches!(text.parse::<Quantity>(), Err(UnitError::NotANumber { .. })), "{text}");
    }
}

#[test]
fn densities_of_noise_have_half_exponents() {
    let to = |from: &str, into: &str| quantity(from).to(&unit(into)).unwrap();
    assert_eq!(to("1 deg/h^0.5", "deg/s^0.5"), 1.0 / 60.0);
    assert_eq!(to("60 deg/h^0.5", "deg/s/Hz^0.5"), 1.0);
    assert_eq!(to("3 m^1.5", "m*m^0.5"), 3.0);
    assert_eq!(to("2 s^-0.5*s^-0.5", "Hz"), 2.0);
    assert!((to("100 ugn/Hz^0.5", "m/s^1.5") - 9.80665e-4).abs() < 1e-18);
    assert_eq!(unit("m/s/h^0.5").dimension().to_string(), "m/s^1.5");
    assert_eq!(unit("rad/s/Hz^0.5").dimension().to_string(), "rad/s^0.5");
    let wrong = message(quantity("1 deg/s").to(&unit("deg/h^0.5")));
    assert_eq!(wrong, "\"1 deg/s\" is an angular rate (rad/s), expected in rad/s^0.5");
    for text in ["m^0.25", "m^.5", "m^1e1", "m^0.50", "m^0.5.5", "m^--0.5"] {
        let expected = format!(
            "\"{text}\" is not a unit: an exponent is a whole or a half number, like m^2 or h^0.5"
        );
        assert_eq!(message(text.parse::<Unit>()), expected);
    }
}

#[test]
fn dimensions_do_not_wrap_around() {
    let high = Dimension::LENGTH.power(127).unwrap();
    assert_eq!(high.times(Dimension::LENGTH), None);
    assert_eq!(high.power(2), None);
    assert_eq!(Dimension::LENGTH.root(), None);
    assert_eq!(Dimension::LENGTH.power(2).unwrap().root(), Some(Dimension::LENGTH));
}

const NAMES: [&str; 20] = [
    "m", "km", "s", "min", "kg", "g", "N", "kWh", "mAh", "deg", "rpm", "%", "kn", "gn", "K", "MiB",
    "mol", "cd", "hPa", "Ohm",
];

/// A product of up to three known units with small exponents, whole and half.
fn any_unit() -> impl Strategy<Value = String> {
    let factor = (0..NAMES.len(), 1..8i32, any::<bool>());
    proptest::collection::vec(factor, 1..4).prop_map(|factors| {
        let mut text = String::new();
        for (i, (name, twice, divide)) in factors.into_iter().enumerate() {
            match (i, divide) {
                (0, true) => text += "1/",
                (0, false) => {}
                (_, true) => text += "/",
                (_, false) => text += "*",
            }
            text += &format!("{}^{}", NAMES[name], f64::from(twice) / 2.0);
        }
        text
    })
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(number in -1e12..1e12f64, text in any_unit()) {
        let original = Quantity::new(number, unit(&text));
        prop_assert_eq!(&quantity(&original.to_string()), &original);
        let dimension = original.unit().dimension();
        if !dimension.is_none() {
            prop_assert_eq!(unit(&dimension.to_string()).dimension(), dimension);
        }
    }

    #[test]
    fn a_conversion_there_and_back_keeps_the_value(number in -1e12..1e12f64, text in any_unit()) {
        let original = Quantity::new(number, unit(&text));
        let base = Unit::base(original.unit().dimension());
        let there = original.to(&base).unwrap();
        let back = Quantity::new(there, base).to(original.unit()).unwrap();
        prop_assert!((back - number).abs() <= 1e-12 * number.abs(), "{number} {back}");
    }

    #[test]
    fn temperatures_go_there_and_back(number in -400.0..4000.0f64) {
        let there = Quantity::new(number, unit("degF")).to(&unit("degC")).unwrap();
        let back = Quantity::new(there, unit("degC")).to(&unit("degF")).unwrap();
        prop_assert!((back - number).abs() < 1e-9);
    }

    #[test]
    fn no_text_makes_the_readers_panic(text in "\\PC{0,40}") {
        let _ = text.parse::<Quantity>();
        let _ = text.parse::<Unit>();
        let _ = ironbird_units::exact::duration_ps(&text);
        let _ = ironbird_units::exact::rate(&text);
    }

    #[test]
    fn no_text_that_looks_like_a_quantity_makes_the_readers_panic(
        text in "-?[0-9]{0,40}\\.?[0-9]{0,40}(e-?[0-9]{1,12})? ?(s|ms|Hz|1/s|rad|%)?"
    ) {
        let _ = text.parse::<Quantity>();
        let _ = ironbird_units::exact::duration_ps(&text);
        let _ = ironbird_units::exact::rate(&text);
    }
}
