//! `ironbird trim`.

use crate::program::{Place, example};

const ULTRA_STICK: &str = "fixed-wing/aircraft/ultra-stick-25e.toml";

/// The number after a name at the beginning of a line.
fn number(out: &str, name: &str) -> f64 {
    let line = out.lines().find(|line| line.trim_start().starts_with(name));
    let rest = &line.unwrap_or_else(|| panic!("{name}: {out}")).trim_start()[name.len()..];
    rest.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number")
}

#[test]
fn trim_prints_steady_flight_and_its_modes() {
    let done = Place::new().run(&["trim", &example(ULTRA_STICK), "--airspeed", "17 m/s"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let first = "Ultra Stick 25e: steady flight at 17 m/s, 100 m above the sea, path 0.00 deg";
    assert_eq!(done.out.lines().next(), Some(first));
    for (name, low, high) in [
        ("angle of attack", 2.0, 5.0),
        ("elevator", -6.0, -2.0),
        ("throttle", 0.5, 0.7),
        ("thrust", 2.0, 5.0),
        ("propeller", 4500.0, 6500.0),
        ("endurance", 10.0, 60.0),
        ("short period", -12.0, -6.0),
        ("roll", -30.0, -5.0),
    ] {
        let found = number(&done.out, name);
        assert!((low..high).contains(&found), "{name}: {found}\n{}", done.out);
    }
    // Power at the shaft is less than what the battery gives, and more than thrust times speed.
    let [shaft, battery] = ["shaft", "battery"].map(|name| number(&done.out, name));
    let useful = 17.0 * number(&done.out, "thrust");
    assert!(useful < shaft && shaft < battery, "{useful} {shaft} {battery}");
}

#[test]
fn units_heights_and_paths_are_read() {
    let run = |options: &[&str]| {
        let file = example(ULTRA_STICK);
        let mut all = vec!["trim", file.as_str()];
        all.extend(options);
        Place::new().run(&all)
    };
    let one = run(&["--airspeed", "61.2 km/h", "--path", "-2 deg", "--height", "0.5 km"]);
    assert_eq!(one.status, 0, "{}", one.err);
    assert!(one.out.contains("500 m above the sea, path -2.00 deg"), "{}", one.out);
    let level = run(&["--airspeed", "17 m/s", "--height", "500 m"]);
    assert!(number(&one.out, "throttle") < number(&level.out, "throttle"));
    let adjusted = run(&["--airspeed", "17 m/s", "--adjust", "CLalpha = 4"]);
    assert!(number(&adjusted.out, "angle of attack") > number(&level.out, "angle of attack"));
}

#[test]
fn flight_that_cannot_be_is_refused_with_the_reason() {
    let run = |file: &str, airspeed: &str| {
        let done = Place::new().run(&["trim", file, "--airspeed", airspeed]);
        assert_eq!((done.status, done.out.as_str()), (2, ""), "{}", done.err);
        done.err
    };
    let file = example(ULTRA_STICK);
    assert!(run(&file, "3 m/s").contains("too slow"), "{}", run(&file, "3 m/s"));
    assert!(run(&file, "17 kg").contains("--airspeed: "), "{}", run(&file, "17 kg"));
    assert!(run(&file, "0 m/s").contains("above zero"));
    assert!(run("no-such.toml", "17 m/s").contains("no-such.toml"));
}
