//! What formulas mean at one instant: precedence, units, conditions with `for`, constants.

mod vehicle;

use ironbird_formula::{Formula, StateFormula, Values, evaluate_constant};
use ironbird_kernel::{Duration, Time};
use vehicle::{ID, Vehicle};

fn state(text: &str) -> (StateFormula, Values) {
    let checked = Formula::parse(text).and_then(|formula| formula.check(&Vehicle));
    let checked = checked.unwrap_or_else(|error| panic!("{text}: {error}"));
    let formula = checked.state_formula().unwrap_or_else(|| panic!("{text} is temporal"));
    let mut values = formula.values();
    values.set_time(Time::ZERO + Duration::from_secs(4));
    for signal in formula.signals() {
        let sample: &[f64] = match signal.id {
            ID::ALTITUDE => &[12.0],
            ID::SPEED => &[36.0],
            ID::TEMPERATURE => &[20.0],
            ID::RATE => &[90.0],
            ID::POSITION => &[3.0, 4.0, 12.0],
            ID::TARGET => &[3.0, 4.0, 2.0],
            ID::LANDED => &[1.0],
            10 => &[4.0],
            _ => &[0.5],
        };
        values.set(signal.id, sample).unwrap();
    }
    (formula, values)
}

fn holds(text: &str) -> bool {
    let (formula, values) = state(text);
    formula.holds(&values)
}

fn robustness(text: &str) -> f64 {
    let (formula, values) = state(text);
    formula.robustness(&values)
}

#[test]
fn units_are_converted_before_anything_is_compared() {
    for text in [
        "drone.altitude == 12 m",
        "drone.speed == 10 m/s",
        "drone.altitude <= 0.012 km",
        "drone.temperature == 20 degC",
        "drone.temperature > -20 degC",
        "drone.temperature - 18 degC == 2 K",
        "max(drone.temperature, 25 degC) == 25 degC",
        "drone.rate == 90 deg/s",
        "drone.rate * 2 s == 180 deg",
        "drone.rate * drone.altitude > 18.8 m/s",
        "drone.rate ^ 2 * drone.altitude > 29 m/s^2",
        "drone.rate / (1 deg/s) == 90",
        "drone.altitude > 0",
        "0 < drone.speed",
        "time == 4 s",
        "2 * time == 8 s",
        "load == 50 %",
        "load == 50% and true",
        "load * 100 % 8 == 2",
        "drone.position[1] == 4 m",
        "norm(drone.position) == 13 m",
        "norm(drone.position - drone.target) == 10 m",
        "norm(2 * drone.position) == 26 m",
        "norm(3 m, 4 m) == 5 m",
        "min(3 m, drone.altitude, 5 m) == 3 m",
        "sqrt(drone.altitude * 3 m) == 6 m",
        "sin(drone.rate * 1 s) == 1",
        "atan2(drone.altitude, 12 m) == 45 deg",
        "abs(-3) == 3 and sign(-2 m) == -1 and floor(2.5) == 2 and ceil(2.5) == 3",
        "exp(0) == 1 and ln(1) == 0 and cos(0) == 1 and asin(0) == 0 deg and acos(1) == 0",
        "5 1/s == 5 Hz",
        "-7 % 3 == 2",
    ] {
        assert!(holds(text), "{text}");
    }
}

#[test]
fn operators_bind_as_documented() {
    for text in [
        "1 + 2 * 3 == 7",
        "(1 + 2) * 3 == 9",
        "2 * 3 ^ 2 == 18",
        "-2 ^ 2 == -4",
        "2 ^ -1 == 0.5",
        "7 - 2 - 1 == 4",
        "8 / 2 / 2 == 2",
        "10 m / 2 == 5 m",
        "not 1 > 2",
        "!landed == false",
        "true or true and false",
        "not true or true",
        "false implies false implies false",
        "false -> false && false",
        "false || !false",
        "landed and landed == true and landed != false",
        "drone.altitude-limit == 0.5",
    ] {
        assert!(holds(text), "{text}");
    }
    let tree = |text: &str| format!("{:?}", Formula::parse(text).unwrap().ast().kind);
    assert!(tree("a > 1 for 2 s until b").starts_with("Until"));
    assert!(tree("not a for 2 s").starts_with("For"));
    assert!(tree("a and b for 2 s").starts_with("Logic(And"));
    assert!(tree("always a > 1 implies b").starts_with("Always"));
    assert_eq!(tree("time"), "Time");
    assert_eq!(tree("\"time\""), "Signal(\"time\")");
    assert_eq!(tree("\"odd name\".x[2]"), "Signal(\"odd name.x[2]\")");
    assert_eq!(tree(".imu.rate"), "Signal(\".imu.rate\")");
    assert!(tree("a until b and c").starts_with("Logic(And"));
}

#[test]
fn robustness_is_the_distance_to_the_border_of_truth() {
    assert_eq!(robustness("drone.altitude > 10 m"), 2.0);
    assert_eq!(robustness("drone.altitude < 10 m"), -2.0);
    assert_eq!(robustness("drone.altitude == 10 m"), -2.0);
    assert_eq!(robustness("drone.altitude != 10 m"), 2.0);
    assert_eq!(robustness("not drone.altitude > 10 m"), -2.0);
    assert_eq!(robustness("drone.altitude > 10 m and drone.altitude < 13 m"), 1.0);
    assert_eq!(robustness("drone.altitude > 10 m or drone.altitude < 13 m"), 2.0);
    assert_eq!(robustness("drone.altitude > 10 m implies drone.altitude < 9 m"), -2.0);
    assert_eq!(robustness("landed"), f64::INFINITY);
    assert_eq!(robustness("time > 5 s"), f64::NEG_INFINITY);
    assert!(holds("drone.altitude <= 12 m") && !holds("drone.altitude < 12 m"));
    assert!(holds("not drone.altitude < 12 m") && !holds("drone.altitude != 12 m"));
}

#[test]
fn a_comparison_with_nan_does_not_hold() {
    let (formula, mut values) = state("drone.altitude != 12 m");
    values.set(ID::ALTITUDE, &[f64::NAN]).unwrap();
    assert!(!formula.holds(&values));
    let (formula, mut values) = state("min(drone.altitude, 1 m) < 2 m");
    values.set(ID::ALTITUDE, &[f64::NAN]).unwrap();
    assert!(!formula.holds(&values));
}

#[test]
fn a_condition_with_for_is_split_into_timers() {
    let text = "landed or (drone.altitude > 10 m for 10 s) and (not landed for 500 ms)";
    let checked = Formula::parse(text).and_then(|formula| formula.check(&Vehicle)).unwrap();
    assert!(!checked.is_state_formula() && checked.state_formula().is_none());
    let condition = checked.split_for().unwrap();
    let durations: Vec<Duration> = condition.timers.iter().map(|timer| timer.duration).collect();
    assert_eq!(durations, [Duration::from_secs(10), Duration::from_ms(500)]);
    let mut values = condition.values();
    values.set(ID::LANDED, &[0.0]).unwrap();
    values.set(ID::ALTITUDE, &[10.5]).unwrap();
    assert!(condition.timers[0].condition.holds(&values));
    assert!(condition.timers[1].condition.holds(&values));
    assert!(!condition.outer.holds_with(&values, &[false, true]));
    assert!(condition.outer.holds_with(&values, &[true, true]));
    values.set(ID::LANDED, &[1.0]).unwrap();
    assert!(!condition.timers[1].condition.holds(&values));
    assert!(condition.outer.holds_with(&values, &[false, false]));
}

#[test]
fn the_needed_signals_are_listed_once() {
    let text = "always norm(drone.position) > 1 m and drone.altitude > norm(drone.position)";
    let checked = Formula::parse(text).and_then(|formula| formula.check(&Vehicle)).unwrap();
    let needed: Vec<_> =
        checked.signals().iter().map(|s| (s.path.as_str(), s.id, s.leaves)).collect();
    assert_eq!(needed, [("drone.position", ID::POSITION, 3), ("drone.altitude", ID::ALTITUDE, 1)]);
}

#[test]
fn constants_of_templates_are_computed_with_units() {
    let value = |text: &str| evaluate_constant(text, &[("i", 11.0)]).unwrap();
    let metre = "m".parse().unwrap();
    assert_eq!(value("10 m * (i % 8)").to(&metre), Ok(30.0));
    assert_eq!(value("0.5 km + i * 1 m").to(&metre), Ok(511.0));
    assert_eq!(value("20 degC").to(&"degC".parse().unwrap()), Ok(20.0));
    assert_eq!(value("floor(i / 8)").number(), 1.0);
    assert!(value("i + 1").unit().is_none());
}
