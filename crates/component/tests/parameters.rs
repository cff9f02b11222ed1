//! Parameters are checked where they are given and where they are changed.

use std::path::{Path, PathBuf};

use ironbird_component::*;
use ironbird_kernel::{
    Action, Duration, Graph, Options, Outcome, Parameter, Periodic, SignalOut, Simulation, Step,
    Time,
};

/// Shows its parameters.
#[derive(Component)]
#[component(type = "test.heater", periodic, rate = "1 Hz", check = Self::fits)]
struct Heater {
    #[parameter(unit = "W", default = 100.0, min = 0, max = 2000)]
    power: f64,
    #[parameter(unit = "degC", above = -273.15, default = 20.0)]
    target: f64,
    #[parameter(default = Mode::Slow)]
    mode: Mode,
    #[parameter(default = [1, 2], min = 0)]
    weights: [u8; 2],
    #[parameter(default = "none", fixed)]
    label: String,
    #[parameter(default = "Cargo.toml")]
    table: PathBuf,
    #[group]
    limits: Limits,
    #[output]
    shown: SignalOut<[f64; 5]>,
}

#[derive(Clone, Copy, Choice)]
enum Mode {
    Fast,
    Slow,
}

#[derive(Parameters)]
struct Limits {
    #[parameter(unit = "degC", default = 90.0)]
    high: f64,
}

impl Heater {
    fn fits(&self) -> Result<(), String> {
        match self.target <= self.limits.high {
            true => Ok(()),
            false => Err("the target lies above limits.high".into()),
        }
    }
}

impl Periodic for Heater {
    fn step(&mut self, step: &mut Step<'_>) {
        let [first, second] = self.weights.map(f64::from);
        let fast = f64::from(u8::from(matches!(self.mode, Mode::Fast)));
        let _ = (&self.label, &self.table);
        step.write(self.shown, [self.power, self.target, fast, first, second]);
    }
}

fn make(settings: &[(&str, Parameter)]) -> Result<Box<dyn Instance>, InstantiateError> {
    let mut registry = Registry::empty();
    registry.register::<Heater>().unwrap();
    let settings = settings.iter().map(|(path, value)| ((*path).into(), value.clone())).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    registry.get("test.heater").unwrap().instantiate(&settings, &Place { folder })
}

fn refused(path: &str, value: Parameter) -> String {
    match make(&[(path, value)]) {
        Ok(_) => "nothing is wrong".into(),
        Err(error) => error.to_string(),
    }
}

fn text(text: &str) -> Parameter {
    Parameter::Text(text.into())
}

#[test]
fn a_wrong_parameter_is_refused_with_what_would_be_right() {
    for (path, value, message) in [
        (
            "power",
            Parameter::Real(-5.0),
            "parameter \"power\": -5 W is not allowed: it must be from 0 W to 2000 W",
        ),
        (
            "target",
            Parameter::Real(-273.15),
            "parameter \"target\": -273.15 degC is not allowed: it must be above -273.15 degC",
        ),
        (
            "power",
            Parameter::Real(f64::NAN),
            "parameter \"power\": the number must be finite, not NaN",
        ),
        (
            "power",
            text("much"),
            "parameter \"power\": expected a number in W, from 0 W to 2000 W, got \"much\"",
        ),
        (
            "mode",
            text("fats"),
            "parameter \"mode\": there is no \"fats\"; choose one of \"fast\", \"slow\"; did you mean \"fast\"?",
        ),
        (
            "weights[1]",
            Parameter::Integer(256),
            "parameter \"weights[1]\": 256 is not allowed: it must be from 0 to 255",
        ),
        (
            "weights[0]",
            Parameter::Real(0.5),
            "parameter \"weights[0]\": expected a whole number, from 0 to 255, got 0.5",
        ),
        (
            "weights[2]",
            Parameter::Integer(1),
            "parameter \"weights[2]\": test.heater has no such parameter; did you mean \"weights[0]\"?",
        ),
        ("limits.high", Parameter::Real(10.0), "the target lies above limits.high"),
        (
            "limits.hihg",
            Parameter::Real(10.0),
            "parameter \"limits.hihg\": test.heater has no such parameter; did you mean \"limits.high\"?",
        ),
    ] {
        assert_eq!(refused(path, value), message);
    }
}

#[test]
fn a_file_must_exist() {
    let error = refused("table", text("nowhere.csv"));
    assert!(error.starts_with("parameter \"table\": the file \""), "{error}");
    assert!(error.ends_with("nowhere.csv\" does not exist"), "{error}");
    let error = refused("table", text("src"));
    assert!(error.ends_with("src\" is a folder"), "{error}");
}

/// Runs for three seconds with one change at 1.5 s.
fn run(name: &str, value: Parameter) -> (Outcome, Vec<[f64; 5]>) {
    let mut graph = Graph::new();
    let root = graph.root();
    make(&[]).unwrap().add_to(&mut graph, root, "heater", None).unwrap();
    let mut simulation = Simulation::new(graph, Options::default()).unwrap();
    simulation.record("heater", "shown").unwrap();
    let action = Action::SetParameter { component: "heater".into(), name: name.into(), value };
    simulation.schedule(Time::ZERO + Duration::from_ms(1_500), action).unwrap();
    let outcome = simulation.run_until(Time::ZERO + Duration::from_secs(3)).unwrap();
    let shown = simulation.samples("heater", "shown").unwrap();
    (outcome, shown.into_iter().map(|(_, value)| value).collect())
}

#[test]
fn a_changed_parameter_is_seen_by_the_next_step() {
    let before = [100.0, 20.0, 0.0, 1.0, 2.0];
    let (_, shown) = run("power", Parameter::Integer(250));
    assert_eq!(shown, [before, before, [250.0, 20.0, 0.0, 1.0, 2.0]]);
    let (_, shown) = run("mode", text("fast"));
    assert_eq!(shown, [before, before, [100.0, 20.0, 1.0, 1.0, 2.0]]);
    let (_, shown) = run("weights[1]", Parameter::Integer(9));
    assert_eq!(shown, [before, before, [100.0, 20.0, 0.0, 1.0, 9.0]]);
}

#[test]
fn a_change_out_of_range_ends_the_run_with_the_reason() {
    for (name, value, reason) in [
        (
            "power",
            Parameter::Real(3e3),
            "parameter \"power\" cannot be 3000: 3000 W is not allowed: it must be from 0 W to 2000 W",
        ),
        (
            "label",
            text("new"),
            "parameter \"label\" cannot be \"new\": it cannot be changed while the system runs",
        ),
        (
            "limits.high",
            Parameter::Real(0.0),
            "parameter \"limits.high\" cannot be 0: the target lies above limits.high",
        ),
        (
            "limits.low",
            Parameter::Real(0.0),
            "it has no parameter \"limits.low\" that can be changed",
        ),
    ] {
        let (outcome, _) = run(name, value);
        let Outcome::Faulted(fault) = outcome else { panic!("{name}: {outcome:?}") };
        assert!(fault.to_string().contains(reason), "{fault}");
    }
}
