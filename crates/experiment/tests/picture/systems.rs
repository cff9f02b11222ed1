//! Systems that are drawn in the tests, and the component types they are made of.

use std::path::Path;

use ironbird_component::{Answers, Component, Registry};
use ironbird_experiment::{Experiment, check, load_text};
use ironbird_kernel::{
    Atomic, CallIn, CallOut, Context, Duration, Inputs, Outputs, Periodic, QueryIn, SignalIn,
    SignalOut, Step, Time,
};

/// Two inputs, two outputs; what it does with them does not matter in a picture.
#[derive(Component)]
#[component(type = "test.stage", periodic, rate = "10 Hz")]
struct Stage {
    #[input(default = 0.0)]
    a: SignalIn<f64>,
    #[input(default = 0.0)]
    b: SignalIn<f64>,
    #[output]
    out: SignalOut<f64>,
    #[output]
    status: SignalOut<f64>,
}

impl Periodic for Stage {
    fn step(&mut self, step: &mut Step<'_>) {
        let sum = step.signal(self.a) + step.signal(self.b);
        step.write(self.out, sum);
        step.write(self.status, sum);
    }
}

/// Asks <how> deep & calls "land".
#[derive(Component)]
#[component(type = "test.pilot", event_driven)]
struct Pilot {
    #[input(default = 0.0)]
    a: SignalIn<f64>,
    #[query]
    depth: QueryIn<u32, f64>,
    #[requires]
    land: CallOut<f64, bool>,
    #[service]
    abort: CallIn<f64, bool>,
    #[output]
    out: SignalOut<f64>,
}

impl Atomic for Pilot {
    fn time_advance(&self) -> Duration {
        Duration::FOREVER
    }
    fn output(&mut self, _: &mut Outputs<'_>) {}
    fn internal(&mut self, _: &mut Context<'_>) {}
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {
        let _ = (self.a, self.depth, self.land, self.abort, self.out);
    }
}

/// The depth of the sea.
#[derive(Clone, Component)]
#[component(type = "test.sea", provider, provides = fn(u32) -> f64)]
struct Sea {
    #[parameter(default = 1.0)]
    slope: f64,
}

impl Answers<u32, f64> for Sea {
    fn answer(&self, _: Time, x: &u32) -> f64 {
        self.slope * f64::from(*x)
    }
}

/// A checked experiment, which must be right.
pub fn experiment(text: &str) -> Experiment {
    let mut registry = Registry::with_builtin();
    registry.register::<Stage>().unwrap();
    registry.register::<Pilot>().unwrap();
    registry.register::<Sea>().unwrap();
    let text = format!("ironbird = 1\nduration = \"1 s\"\n{text}");
    let root = load_text("test.toml", Path::new("."), &text, &[]);
    let checked = root.and_then(|root| check(&root, &registry));
    checked.unwrap_or_else(|problems| panic!("{problems:#?}")).0
}

fn stage(path: &str, rest: &str) -> String {
    format!("[system.{path}]\ntype = \"test.stage\"\n{rest}\n")
}

/// reference → controller → motor → plant → sensor → controller
pub fn control_loop() -> Experiment {
    let text = [
        "title = \"Speed control of a \\\"DC\\\" motor\"\n".to_owned(),
        stage("reference", ""),
        stage(
            "controller",
            "in.a = \"reference.out\"\nin.b = { from = \"sensor.out\", value = \"previous\" }",
        ),
        stage("motor", "in.a = { from = \"controller.out\", latency = \"2 ms\" }"),
        stage("plant", "in.a = \"motor.out\""),
        stage("sensor", "in.a = \"plant.out\""),
        "[[fault]]\nname = \"frozen\"\nsignal = \"sensor.out\"\nstuck = true\nfrom = \"0.5 s\"\n"
            .into(),
    ];
    experiment(&text.concat())
}

/// A vehicle with nested composites, a query, calls and something that comes later.
pub fn vehicle() -> Experiment {
    let pilot =
        |path: &str, rest: &str| format!("[system.{path}]\ntype = \"test.pilot\"\n{rest}\n");
    let text = [
        "title = \"Underwater vehicle\"\n".to_owned(),
        stage("mission", "in.a = { from = \"drone.estimate.fusion.out\", value = \"previous\" }"),
        stage("drone.sensors.imu", "in.a = \"drone.body.motion.out\""),
        stage(
            "drone.sensors.dvl",
            "in.a = \"drone.body.motion.out\"\nin.b = \"drone.body.motion.status\"",
        ),
        stage("drone.sensors.depth", "in.a = \"drone.body.motion.out\""),
        stage(
            "drone.estimate.filter",
            "in.a = \"drone.sensors.imu.out\"\nin.b = \"drone.sensors.dvl.out\"",
        ),
        stage(
            "drone.estimate.fusion",
            "in.a = \"drone.estimate.filter.out\"\nin.b = \"drone.sensors.depth.out\"",
        ),
        pilot(
            "drone.autopilot",
            "in.a = \"drone.estimate.fusion.out\"\nbind.depth = \"sea\"\nbind.land = { to = \"drone.reserve.abort\", latency = \"5 ms\" }",
        ),
        pilot(
            "drone.reserve",
            "enabled = false\nbind.depth = \"sea\"\nbind.land = \"drone.autopilot.abort\"",
        ),
        stage("drone.body.thrusters", "in.a = \"drone.autopilot.out\"\nin.b = \"mission.out\""),
        stage("drone.body.motion", "in.a = \"drone.body.thrusters.out\""),
        "[system.sea]\ntype = \"test.sea\"\n".into(),
        stage("log", "in.a = \"drone.estimate.fusion.out\"\nin.b = \"drone.body.motion.status\""),
        "[[fault]]\nname = \"dvl is biased\"\nsignal = \"drone.sensors.dvl.out\"\nbias = 0.5\n"
            .into(),
        "[[fault]]\nname = \"imu fails\"\ncomponent = \"drone.sensors.imu\"\nfrom = \"0.2 s\"\n"
            .into(),
    ];
    experiment(&text.concat())
}

/// 64 vehicles of one template; the fourth has another type of sensor.
pub fn swarm() -> Experiment {
    let element =
        |name: &str, rest: &str| format!("[template.quad.{name}]\ntype = \"test.stage\"\n{rest}\n");
    let text = [
        "title = \"Swarm\"\n".to_owned(),
        stage("wind", ""),
        element("sensor", "in.a = \".body.out\""),
        element("control", "in.a = { from = \".sensor.out\", value = \"previous\" }"),
        element("body", "in.a = \".control.out\"\nin.b = \"wind.out\""),
        "[system.quad]\ntype = \"template.quad\"\ncount = 64\n".into(),
        "[system.\"quad[3]\".sensor]\nin.b = \"quad[3].body.status\"\n".into(),
        stage("watch", "in.a = \"quad[0].body.out\"\nin.b = \"quad[63].body.status\""),
        "[system.beacon]\ntype = \"test.stage\"\ncount = 12\nin.a = \"wind.status\"\n".into(),
    ];
    experiment(&text.concat())
}

/// A system of random size, nesting and links; everything may be linked to everything, itself included.
pub fn tangle(seed: u64) -> Experiment {
    let mut state = seed;
    // Knuth's MMIX generator; its high bits are good enough here.
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let count = 3 + draw(20);
    let paths: Vec<String> = (0..count)
        .map(|number| match draw(4) {
            0 => format!("c{number}"),
            1 => format!("g{}.c{number}", draw(2)),
            2 => format!("g{}.h{}.c{number}", draw(2), draw(2)),
            _ => format!("a_rather_long_group_name.c{number}"),
        })
        .collect();
    let mut text = String::new();
    for path in &paths {
        let mut rest = String::new();
        for port in ["a", "b"] {
            let source = &paths[draw(count) as usize];
            let output = ["out", "status"][draw(2) as usize];
            rest += &match draw(4) {
                0 => String::new(),
                1 => format!(
                    "in.{port} = {{ from = \"{source}.{output}\", value = \"previous\" }}\n"
                ),
                2 => {
                    format!("in.{port} = {{ from = \"{source}.{output}\", latency = \"1 ms\" }}\n")
                }
                _ => format!("in.{port} = \"{source}.{output}\"\n"),
            };
        }
        text += &stage(path, &rest);
    }
    experiment(&text)
}
