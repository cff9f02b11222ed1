//! Several logs at once, of vehicles that hover and differ in mass, so that the truth is known.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ironbird::component::Registry;
use ironbird_compare::{Setup, Several, compare, identify};

/// In kg; their standard deviation is 0.0283 kg.
const MASSES: [f64; 6] = [1.0, 1.02, 0.98, 1.04, 0.96, 1.0];
const DEVIATION: f64 = 0.0283;

/// The thrust of four rotors with the throttle at 0.5: 4 * 1e-5 (100 + 900 * 0.5)² N.
const THRUST: f64 = 12.1;

/// That with another throttle.
fn thrust(throttle: f64) -> f64 {
    let speed = 100.0 + 900.0 * throttle;
    4e-5 * speed * speed
}

const VEHICLE: &str = r#"
name = "small"
source = "made up"
[mass]
mass = "1.233862 kg"                    # hovers with the throttle at 0.5
ixx = "0.01 kg*m^2"
iyy = "0.01 kg*m^2"
izz = "0.02 kg*m^2"
[rotors]
count = 4
arm = "0.2 m"
first = "45 deg"
first_turns = "ccw"
thrust = "1e-5 N*s^2/rad^2"
max_speed = "1200 rad/s"
rise = "20 ms"
fall = "30 ms"
[command]
kind = "throttle"
curve = ["100 rad/s", "900 rad/s"]
[warming]
loss = 0
time_constant = "2 s"
"#;

const EXPERIMENT: &str = r#"
ironbird = 1
title = "small"
duration = "10 s"
[system.quad]
type = "plant.multirotor"
file = "small.toml"
rate = "500 Hz"
initial.motors = "settled"
"#;

const COMPARISON: &str = r#"
experiment = "hover.toml"
sample = "20 ms"
[windows]
length = "0.2 s"
[columns]
throttle = "throttle"
lift = "lift: m/s^2"
height = "height: m"
[drive]
"quad.motor_1" = "throttle"
"quad.motor_2" = "throttle"
"quad.motor_3" = "throttle"
"quad.motor_4" = "throttle"
[[compare]]
name = "lift"
signal = "quad.specific_force[2]"
column = "lift"
"#;

const MASS: &str = r#"
[[fit]]
parameter = "quad.adjust"
entry = "mass.mass"
start = 1.2
min = 0.5
max = 2
"#;

struct Study {
    folder: tempfile::TempDir,
    registry: Registry,
}

impl Study {
    fn new() -> Self {
        let study =
            Study { folder: tempfile::tempdir().unwrap(), registry: ironbird::registry().unwrap() };
        study.write("small.toml", VEHICLE);
        study.write("hover.toml", EXPERIMENT);
        study
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Four seconds of a vehicle of this mass, with a throttle over time, which hovers.
    fn log(&self, mass: f64, throttle: impl Fn(f64) -> f64) -> PathBuf {
        self.flight(mass, throttle, |_| THRUST)
    }

    /// The same with another thrust over time.
    fn flight(
        &self,
        mass: f64,
        throttle: impl Fn(f64) -> f64,
        thrust: impl Fn(f64) -> f64,
    ) -> PathBuf {
        let mut text = String::from("time_s,throttle,lift,height\n");
        for line in 0..=400u32 {
            let time = f64::from(line) * 0.01;
            let height = if (1.0..=3.0).contains(&time) { 1.0 } else { 0.0 };
            writeln!(text, "{time},{},{},{height}", throttle(time), -thrust(time) / mass).unwrap();
        }
        self.write(&format!("{mass}.csv"), &text)
    }

    fn open(&self, comparison: &str, log: &Path) -> Setup {
        Setup::open(&self.write("comparison.toml", comparison), log, &self.registry).unwrap()
    }

    fn fleet(&self, comparison: &str) -> Vec<Setup> {
        MASSES.map(|mass| self.open(comparison, &self.log(mass, |_| 0.5))).into()
    }
}

#[test]
fn the_deviation_of_a_mass_is_by_how_much_the_logs_differ() {
    let study = Study::new();
    let fleet = study.fleet(&format!("{COMPARISON}{MASS}"));
    let found = identify(&fleet.iter().collect::<Vec<_>>(), &[], |_| {}).unwrap();
    let mass = &found.parameters[0];
    assert!((mass.value - 1.0).abs() < 2e-3, "{}", found.text());
    let deviation = mass.deviation.unwrap();
    assert!((deviation / DEVIATION - 1.0).abs() < 0.05, "{deviation} kg, of {DEVIATION} kg");
    // With each instant as a sample of its own it would be far too small.
    assert!(mass.cramer_rao.unwrap() < 0.1 * DEVIATION, "{}", found.text());
    assert!(found.text().contains("those between 6 logs"), "{}", found.text());
}

#[test]
fn a_log_with_most_of_the_weight_does_not_hide_how_the_others_differ() {
    let study = Study::new();
    let file = format!("{COMPARISON}{MASS}");
    for strong in 0..MASSES.len() {
        let fleet: Vec<Setup> = (0..MASSES.len())
            .map(|number| {
                let throttle = if number == strong { 1.0 } else { 0.2 };
                let log = study.flight(MASSES[number], |_| throttle, |_| thrust(throttle));
                study.open(&file, &log)
            })
            .collect();
        let found = identify(&fleet.iter().collect::<Vec<_>>(), &[], |_| {}).unwrap();
        let deviation = found.parameters[0].deviation.unwrap();
        assert!((0.5..2.0).contains(&(deviation / DEVIATION)), "{strong}: {}", found.text());
        assert!(found.text().contains("of the weight in"), "{}", found.text());
    }
}

#[test]
fn each_log_may_have_a_mass_of_its_own() {
    let study = Study::new();
    let fleet = study.fleet(&format!("{COMPARISON}{MASS}each_log = true\n"));
    let (fitted, other) = fleet.split_at(5);
    let found = identify(&fitted.iter().collect::<Vec<_>>(), &[&other[0]], |_| {}).unwrap();
    let mass = &found.parameters[0];
    for (own, truth) in mass.each.iter().zip(MASSES) {
        assert!((own - truth).abs() < 1e-5, "{:?}", mass.each);
    }
    assert!((mass.value - 1.0).abs() < 1e-5 && (mass.deviation.unwrap() - 0.0316).abs() < 1e-3);
    // Another log is scored with their mean, which is its own here.
    let score = found.scores.iter().find(|score| !score.fitted).unwrap();
    assert!(score.after < 1e-3, "{}", found.text());
}

#[test]
fn several_logs_are_summed_up() {
    let study = Study::new();
    let set = "set = ['quad.adjust=\"mass.mass = 1\"']\n";
    let fleet = study.fleet(&format!("{set}{COMPARISON}"));
    let comparisons = fleet.iter().map(|setup| compare(setup).unwrap()).collect();
    let several = Several { comparisons };
    let errors = MASSES.map(|mass| (THRUST / mass - THRUST).abs());
    let pooled = (errors.map(|error| error * error).iter().sum::<f64>() / 6.0).sqrt();
    let lift = &several.overall()[0];
    assert!((lift.pooled.0 / pooled - 1.0).abs() < 1e-3, "{lift:?}, {pooled}");
    let mut sorted = errors;
    sorted.sort_by(f64::total_cmp);
    assert!((lift.median.0 - 0.5 * (sorted[2] + sorted[3])).abs() < 1e-3, "{lift:?}, {sorted:?}");
    assert!(lift.median.1.abs() < 1e-9 && lift.pooled.1.abs() < 1e-9, "nothing to be held");
    assert!(several.holds() && several.text().contains("6 logs"), "{}", several.text());
}

#[test]
fn windows_in_which_a_condition_does_not_hold_are_left_out() {
    let study = Study::new();
    let log = study.log(1.0, |_| 0.5);
    assert_eq!(study.open(COMPARISON, &log).windows(), 20);
    let high = "length = \"0.2 s\"\nwhere = \"height > 0.3 m\"";
    let flying = COMPARISON.replace("length = \"0.2 s\"", high);
    assert_eq!(study.open(&flying, &log).windows(), 10);
    let never = study.write("never.toml", &flying.replace("0.3 m", "3 m"));
    let error = Setup::open(&never, &log, &study.registry).err().unwrap().to_string();
    assert!(error.contains("windows.where holds throughout none"), "{error}");
}

#[test]
fn commands_beyond_their_range_are_told_with_column_share_and_times() {
    let study = Study::new();
    let mad = |time| if (1.995..2.995).contains(&time) { 30.0 } else { 0.5 };
    let log = study.log(1.0, mad);
    let setup = study.open(&format!("{COMPARISON}{MASS}"), &log);
    let told = |text: &str| {
        let line =
            text.lines().find(|line| line.contains("warning")).unwrap_or_default().to_owned();
        assert!(
            line.contains("column \"throttle\" drives quad.motor_1 beyond its 0 to 1"),
            "{text}"
        );
        assert!(line.contains("from 2.000 s to 2.990 s, as far as 30.00"), "{line}");
        let share: f64 =
            line.split(" in ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!((24.0..26.0).contains(&share), "{line}");
    };
    told(&compare(&setup).unwrap().text());
    told(&identify(&[&setup], &[], |_| {}).unwrap().text());
    let sane = compare(&study.open(COMPARISON, &study.log(1.0, |_| 0.5))).unwrap();
    assert!(!sane.text().contains("warning"), "{}", sane.text());
}

#[test]
fn half_of_a_log_is_fitted_to_and_the_other_half_scored() {
    let study = Study::new();
    let halves = COMPARISON.replace("[windows]", "[log]\nfit_until = \"50 %\"\n[windows]");
    let setup = study.open(&format!("{halves}{MASS}"), &study.log(1.04, |_| 0.5));
    let found = identify(&[&setup], &[], |_| {}).unwrap();
    assert!((found.parameters[0].value - 1.04).abs() < 1e-5, "{}", found.text());
    let [fitted, rest] = &found.scores[..] else { panic!("{}", found.text()) };
    assert!(fitted.fitted && !rest.fitted && rest.log.ends_with("from 2 s"), "{}", found.text());
}

#[test]
fn motors_grow_warm_as_a_column_that_follows_says() {
    let study = Study::new();
    let whole = COMPARISON.replace("[windows]\nlength = \"0.2 s\"\n", "");
    // The column is 1 throughout, as the heat of hovering is.
    let columns = "[columns]\none = { expression = \"2 * throttle\" }\n\
                   warmth = { expression = \"one\", lag = \"2 s\" }";
    let file = format!(
        "{}[[compare]]\nname = \"warmth\"\nsignal = \"quad.warmth\"\ncolumn = \"warmth\"\n",
        whole.replace("[columns]", columns)
    );
    let comparison = compare(&study.open(&file, &study.log(1.0, |_| 0.5))).unwrap();
    let warmth = comparison.signals.iter().find(|signal| signal.name == "warmth").unwrap();
    assert!(warmth.all.rms < 1e-4, "{}", comparison.text());
    assert!(warmth.held.rms > 0.5, "there is much to follow: {}", comparison.text());
}
