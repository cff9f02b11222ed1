//! A REMUS 100 in a closed loop with its autopilot, which sees the truth.
//!
//! ```text
//! remus ─► truth ─► (guidance) ─► autopilot ─► rudder, stern, motor ─(previous)─► remus
//! ```

use std::sync::Arc;

use ironbird_component::{Answers, Component, Registry, RegistryError};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step, Time};
use ironbird_kinematics::{Attitude, Level, Mission, Motion, ScalarSample, VectorSample, Waypoint};
use ironbird_test_rig::{Rig, Setting, real, seconds, text};

/// Perfect navigation, over a sea bed that slopes down to the north from 20 m by 1 in 50.
#[derive(Component)]
#[component(type = "test.truth", periodic, rate = "100 Hz")]
pub struct Truth {
    #[input(
        unit = "position: m, velocity: m/s, acceleration: m/s^2, attitude: 1, angular_velocity: rad/s, distance: m",
        frame = "ned"
    )]
    motion: SignalIn<Motion>,
    #[output(unit = "m", frame = "ned", initial = [0.0; 3])]
    position: SignalOut<[f64; 3]>,
    #[output(initial = Attitude::default())]
    attitude: SignalOut<Attitude>,
    #[output(unit = "value: rad/s", frame = "body", initial = VectorSample::default())]
    angular_velocity: SignalOut<VectorSample>,
    #[output(unit = "value: m", initial = ScalarSample::default())]
    height: SignalOut<ScalarSample>,
}

impl Periodic for Truth {
    fn step(&mut self, step: &mut Step<'_>) {
        let (motion, taken) = (*step.signal(self.motion), step.now());
        let gyroscope = VectorSample { value: motion.angular_velocity, taken, valid: true };
        step.write(self.position, motion.position);
        step.write(self.attitude, motion.attitude);
        step.write(self.angular_velocity, gyroscope);
        let value = height(motion.position);
        step.write(self.height, ScalarSample { value, taken, valid: true });
    }
}

/// The height above that bed.
pub fn height(position: [f64; 3]) -> f64 {
    20.0 + position[0] / 50.0 - position[2]
}

/// A mission by its number.
#[derive(Clone, Component)]
#[component(type = "test.mission", provider, provides = fn(()) -> Arc<Mission>)]
pub struct Plan {
    #[parameter(default = 0)]
    number: u32,
}

impl Answers<(), Arc<Mission>> for Plan {
    fn answer(&self, _: Time, _: &()) -> Arc<Mission> {
        Arc::new(mission(self.number))
    }
}

/// The missions by number.
pub fn mission(number: u32) -> Mission {
    let to = |north, east, level| Waypoint { north, east, level, speed: 1.54, line: 0 };
    let waypoints = match number {
        // North for 600 m at 5 m.
        0 => vec![to(0.0, 0.0, 5.0), to(600.0, 0.0, 5.0)],
        // To and fro, and down on the way.
        1 => {
            vec![to(0.0, 0.0, 5.0), to(250.0, 0.0, 10.0), to(250.0, 60.0, 10.0), to(0.0, 60.0, 5.0)]
        }
        // 6 m above the bed.
        2 => vec![to(300.0, 0.0, 6.0)],
        3 => vec![],
        4 => vec![to(10.0, 0.0, 5.0), Waypoint { speed: 0.0, ..to(20.0, 0.0, 5.0) }],
        _ => vec![to(f64::NAN, 0.0, 5.0)],
    };
    let level = if number == 2 { Level::Height } else { Level::Depth };
    Mission { waypoints, level }
}

pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<Truth>()?;
    registry.register::<Plan>()
}

pub fn types() -> Rig {
    Rig::of(&[register, ironbird_control::register, ironbird_plant::register])
}

/// The vehicle at this depth at cruise speed, heading north, in this current, under its autopilot.
pub fn vehicle(depth: f64, current: [f64; 3], settings: &[Setting<'_>]) -> Rig {
    ballasted(306.0, depth, current, settings)
}

/// The same with another buoyancy.
pub fn ballasted(buoyancy: f64, depth: f64, current: [f64; 3], settings: &[Setting<'_>]) -> Rig {
    let mut rig = types();
    let hull = [
        ("buoyancy", real(buoyancy)),
        ("initial.position[2]", real(depth)),
        ("initial.speed", real(1.5)),
    ];
    rig.add("remus", "drone.remus-100", &hull);
    rig.add("truth", "test.truth", &[]);
    rig.add("autopilot", "autopilot.auv", settings);
    rig.add("rudder", "actuator.fin", &[]);
    rig.add("stern", "actuator.fin", &[]);
    rig.add("motor", "actuator.propeller", &[("initial", real(1525.0))]);
    rig.script("current", &[(Time::ZERO, current)]);
    rig.link("current.out", "remus.current");
    rig.link("remus.motion", "truth.motion");
    for port in ["position", "attitude", "angular_velocity", "height"] {
        rig.link(&format!("truth.{port}"), &format!("autopilot.{port}"));
    }
    rig.link("autopilot.rudder", "rudder.command");
    rig.link("autopilot.stern", "stern.command");
    rig.link("autopilot.propeller", "motor.command");
    rig.link_previous("rudder.deflection", "remus.rudder");
    rig.link_previous("stern.deflection", "remus.stern");
    rig.link_previous("motor.revolutions", "remus.propeller");
    rig
}

/// The same, guided along a mission.
pub fn guided(number: i64, current: [f64; 3], guidance: &[Setting<'_>]) -> Rig {
    let mut rig = vehicle(5.0, current, &[("guidance", text("mission"))]);
    rig.add("plan", "test.mission", &[("number", ironbird_kernel::Parameter::Integer(number))]);
    rig.add("guidance", "guidance.line-of-sight", guidance);
    rig.bind("guidance.mission", "plan");
    rig.link("truth.position", "guidance.position");
    rig.link("guidance.set_points", "autopilot.set_points");
    rig
}

/// How the vehicle moves, every 10 ms.
pub fn motions(rig: Rig, until: f64) -> Vec<Motion> {
    let run = rig.run(seconds(until), &["remus.motion"]);
    let samples = run.samples::<Motion>("remus.motion");
    let reached = samples.last().expect("it moves").0;
    assert_eq!(reached, seconds(until), "{:?}", run.outcome);
    samples.into_iter().map(|(_, motion)| motion).collect()
}

/// When a value has last been further than `band` from `goal`, in s; values are 10 ms apart.
pub fn settled(values: &[f64], goal: f64, band: f64) -> f64 {
    let outside = values.iter().rposition(|x| (x - goal).abs() > band);
    outside.map_or(0.0, |last| 0.01 * last as f64)
}

/// Largest value.
pub fn highest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}
