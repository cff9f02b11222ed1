//! An aircraft with hidden coefficients: they are found from the log of its own flight.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ironbird_compare::{Setup, identify};
use ironbird_experiment::open;
use ironbird_kernel::{Duration, Rate, Time};
use ironbird_runner::{Ending, watch};

const HIDDEN: [(&str, f64, f64); 5] = [
    ("Clda", 0.1646, 0.131),
    ("Clp", -0.4496, -0.55),
    ("Cmde", -0.8488, -1.05),
    ("Cmq", -13.5664, -18.0),
    ("Cmalpha", -0.723, -0.95),
];

const SIGNALS: [(&str, &str); 20] = [
    ("n", "aircraft.north"),
    ("e", "aircraft.east"),
    ("d", "aircraft.down"),
    ("vn", "view.velocity[0]"),
    ("ve", "view.velocity[1]"),
    ("vd", "view.velocity[2]"),
    ("roll", "view.roll"),
    ("pitch", "view.pitch"),
    ("yaw", "view.yaw"),
    ("p", "aircraft.p"),
    ("q", "aircraft.q"),
    ("r", "aircraft.r"),
    ("a", "aircraft.servo_aileron"),
    ("el", "aircraft.servo_elevator"),
    ("ru", "aircraft.servo_rudder"),
    ("motor", "aircraft.motor_speed"),
    ("aileron", "autopilot.aileron"),
    ("elevator", "autopilot.elevator"),
    ("rudder", "autopilot.rudder"),
    ("throttle", "autopilot.throttle"),
];

fn study() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/fixed-wing/thor75")
}

/// Flies the square with hidden coefficients for a minute; gives columns at 50 Hz.
fn flight(registry: &ironbird::component::Registry) -> Vec<Vec<f64>> {
    let hidden: Vec<String> = HIDDEN.iter().map(|(name, _, x)| format!("{name} = {x}")).collect();
    let sets = [
        format!("aircraft.adjust=\"{}\"", hidden.join(", ")),
        "aircraft.solver.method=\"dopri5\"".into(),
        "aircraft.initial.trim_airspeed=\"17.5 m/s\"".into(),
        "aircraft.initial.position=[\"0 m\", \"0 m\", \"-308 m\"]".into(),
    ];
    let (experiment, _) = open(&study().join("autopilot.toml"), &sets, registry)
        .unwrap_or_else(|problems| panic!("{}", problems.render(false, 100)));
    let signals = SIGNALS.map(|(_, path)| experiment.signal(path).unwrap());
    let end = Time::ZERO + Duration::from_secs(60);
    let watched = watch(experiment, registry, &signals, Rate::hz(50), end).unwrap();
    assert_eq!(watched.ending, Ending::Finished);
    watched.numbers
}

#[test]
fn hidden_coefficients_of_an_aircraft_are_found_within_five_percent() {
    let registry = ironbird::registry().unwrap();
    let columns = flight(&registry);
    let (north, east) = (&columns[0], &columns[1]);
    for (n, e) in [(0.0, 150.0), (150.0, 150.0), (150.0, 0.0), (0.0, 0.0)] {
        let near = north.iter().zip(east).map(|(x, y)| libm::hypot(x - n, y - e));
        assert!(near.fold(f64::INFINITY, f64::min) < 11.0, "the way-point ({n}, {e}) is passed");
    }
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("flight.csv");
    let names: Vec<&str> = SIGNALS.iter().map(|(name, _)| *name).collect();
    let mut text = format!("time_s,{}\n", names.join(","));
    let mut random = 1u64;
    for tick in 0..columns[0].len() {
        write!(text, "{}", tick as f64 * 0.02).unwrap();
        for column in &columns {
            // Noise of a ten-thousandth, evenly spread.
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let noise = ((random >> 33) as f64 / f64::from(1u32 << 31) - 0.5) * 2e-4;
            write!(text, ",{}", column[tick] + noise).unwrap();
        }
        text.push('\n');
    }
    std::fs::write(&log, text).unwrap();
    let mut file = format!("experiment = {:?}\n", study().join("aircraft.toml"));
    file.push_str(
        r#"
set = ['aircraft.solver.method="dopri5"']
[log]
from = "5 s"
[windows]
length = "1 s"
every = "2 s"
[columns]
n = "n: m"
e = "e: m"
d = "d: m"
vn = "vn: m/s"
ve = "ve: m/s"
vd = "vd: m/s"
roll = "roll: rad"
pitch = "pitch: rad"
yaw = { column = "yaw", unit = "rad", angle = true }
p = "p: rad/s"
q = "q: rad/s"
r = "r: rad/s"
a = "a: rad"
el = "el: rad"
ru = "ru: rad"
motor = "motor: rad/s"
aileron = "aileron: rad"
elevator = "elevator: rad"
rudder = "rudder: rad"
throttle = "throttle"
[drive]
"aircraft.aileron" = "aileron"
"aircraft.elevator" = "elevator"
"aircraft.rudder" = "rudder"
"aircraft.throttle" = "throttle"
[initial]
"aircraft.initial.position" = ["n", "e", "d"]
"aircraft.initial.velocity" = ["vn", "ve", "vd"]
"aircraft.initial.attitude" = ["roll", "pitch", "yaw"]
"aircraft.initial.rates" = ["p", "q", "r"]
"aircraft.initial.deflections" = ["a", "el", "ru"]
"aircraft.initial.motor_speed" = "motor"
[[compare]]
signal = "aircraft.p"
column = "p"
[[compare]]
signal = "aircraft.q"
column = "q"
[[compare]]
signal = "view.roll"
column = "roll"
[[compare]]
signal = "view.pitch"
column = "pitch"
"#,
    );
    for (name, start, _) in HIDDEN {
        writeln!(
            file,
            "[[fit]]\nparameter = \"aircraft.adjust\"\nentry = \"{name}\"\nstart = {start}"
        )
        .unwrap();
    }
    let path = folder.path().join("fit.toml");
    std::fs::write(&path, file).unwrap();
    let setup = Setup::open(&path, &log, &registry).unwrap();
    let found = identify(&[&setup], &[], |_| {}).unwrap();
    for (parameter, (name, _, hidden)) in found.parameters.iter().zip(HIDDEN) {
        assert!((parameter.value / hidden - 1.0).abs() < 0.05, "{name}\n{}", found.text());
    }
    assert!(
        found.notes.is_empty() && found.toml.contains("adjust = \"Clda = 0.13"),
        "{}",
        found.toml
    );
}
