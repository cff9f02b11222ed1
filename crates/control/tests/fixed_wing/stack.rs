//! The aircraft under its controllers.
//!
//! ```text
//! plan ─(query)─► route ─leg─┬─► guide ─roll──► roll ─┐
//!                            └─► level ─pitch─► pitch ┼─(previous)─► plane
//!                                  └──throttle────────┤
//!                                                 yaw ┘
//! ```

use std::sync::Arc;

use ironbird_component::{Answers, Component, Registry, RegistryError};
use ironbird_kernel::{Parameter, Time};
use ironbird_kinematics::{Leg, Level, Mission, Waypoint};
use ironbird_test_rig::{Rig, Run, Setting, seconds};

use crate::point_mass::PointMass;
use crate::ultra_stick::UltraStick;

/// A mission by its number.
#[derive(Clone, Component)]
#[component(type = "test.plan", provider, provides = fn(()) -> Arc<Mission>)]
pub struct Plan {
    #[parameter(default = 0)]
    number: u32,
}

impl Answers<(), Arc<Mission>> for Plan {
    fn answer(&self, _: Time, _: &()) -> Arc<Mission> {
        let to = |north, east, level| Waypoint { north, east, level, speed: 17.0, line: 0 };
        let square = [
            to(300.0, 0.0, -50.0),
            to(300.0, 300.0, -50.0),
            to(0.0, 300.0, -50.0),
            to(0.0, 0.0, -50.0),
        ];
        let (waypoints, level) = match self.number {
            0 => (square.to_vec(), Level::Depth),
            1 => (vec![], Level::Depth),
            _ => (square.to_vec(), Level::Height),
        };
        Arc::new(Mission { waypoints, level })
    }
}

pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<UltraStick>()?;
    registry.register::<PointMass>()?;
    registry.register::<Plan>()
}

pub fn types() -> Rig {
    Rig::of(&[register, ironbird_control::register])
}

/// How speed and height are held.
pub const LEVELS: [&str; 2] = ["control.speed-and-height", "control.tecs"];

/// What the controllers see of the aircraft, by the type of the controller.
fn seen(type_name: &str) -> &'static [&'static str] {
    match type_name {
        "control.roll" | "control.pitch" => &["attitude", "angular_velocity", "airspeed"],
        "control.yaw" => &["attitude", "angular_velocity", "airspeed", "specific_force"],
        "control.l1" => &["position", "velocity"],
        "control.waypoint-sequencer" => &["position"],
        "control.speed-and-height" => &["airspeed", "position", "height", "climb"],
        _ => &["airspeed", "position", "height", "climb", "attitude", "specific_force"],
    }
}

/// Adds a controller that sees the aircraft `plane`.
pub fn controller(rig: &mut Rig, name: &str, type_name: &str, settings: &[Setting<'_>]) {
    rig.add(name, type_name, settings);
    for port in seen(type_name) {
        rig.link(&format!("plane.{port}"), &format!("{name}.{port}"));
    }
}

/// The aircraft with its inner loops; demands of roll and pitch are still to be linked.
pub fn stabilised(plane: &[Setting<'_>]) -> Rig {
    let mut rig = types();
    rig.add("plane", "test.ultra-stick", plane);
    controller(&mut rig, "roll", "control.roll", &[]);
    controller(&mut rig, "pitch", "control.pitch", &[]);
    controller(&mut rig, "yaw", "control.yaw", &[]);
    rig.link("roll.aileron", "yaw.aileron");
    rig.link_previous("roll.aileron", "plane.aileron");
    rig.link_previous("pitch.elevator", "plane.elevator");
    rig.link_previous("yaw.rudder", "plane.rudder");
    rig
}

/// The same, which holds the height and speed of legs.
pub fn levelled(plane: &[Setting<'_>], level: &str, settings: &[Setting<'_>]) -> Rig {
    let mut rig = stabilised(plane);
    controller(&mut rig, "level", level, settings);
    rig.link("level.pitch", "pitch.demand");
    rig.link_previous("level.throttle", "plane.throttle");
    rig
}

/// The same, along scripted legs.
pub fn guided(plane: &[Setting<'_>], level: (&str, &[Setting<'_>]), legs: &[(f64, Leg)]) -> Rig {
    let mut rig = levelled(plane, level.0, level.1);
    controller(&mut rig, "guide", "control.l1", &[]);
    rig.link("guide.roll", "roll.demand");
    let legs: Vec<(Time, Leg)> = legs.iter().map(|(at, leg)| (seconds(*at), *leg)).collect();
    rig.script("legs", &legs);
    rig.link("legs.out", "guide.leg");
    rig.link("legs.out", "level.leg");
    rig
}

/// The same, along a mission.
pub fn flown(plane: &[Setting<'_>], level: &str, route: &[Setting<'_>]) -> Rig {
    let mut rig = levelled(plane, level, &[]);
    rig.add("plan", "test.plan", &[("number", Parameter::Integer(0))]);
    controller(&mut rig, "route", "control.waypoint-sequencer", route);
    rig.bind("route.mission", "plan");
    controller(&mut rig, "guide", "control.l1", &[]);
    rig.link("guide.roll", "roll.demand");
    rig.link("route.leg", "guide.leg");
    rig.link("route.leg", "level.leg");
    rig
}

/// A leg to the north at 50 m.
pub fn north(speed: f64, height: f64) -> Leg {
    let (from, to) = ([0.0, 0.0, -height], [5000.0, 0.0, -height]);
    Leg { from, to, speed, number: 0, valid: true }
}

/// What an output shows at an instant.
pub fn at(run: &Run, output: &str, time: f64) -> f64 {
    let samples = run.samples::<f64>(output);
    samples.iter().rfind(|(when, _)| *when <= seconds(time)).expect("it has begun").1
}

/// What an output shows from an instant on.
pub fn after(run: &Run, output: &str, from: f64) -> Vec<f64> {
    let samples = run.samples::<f64>(output).into_iter();
    samples.filter(|(time, _)| *time >= seconds(from)).map(|(_, value)| value).collect()
}

/// Largest distance from a goal.
pub fn furthest(values: &[f64], goal: f64) -> f64 {
    assert!(!values.is_empty());
    values.iter().map(|x| (x - goal).abs()).fold(0.0, f64::max)
}

/// Lowest and highest.
pub fn range(values: &[f64]) -> [f64; 2] {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    [least, values.iter().copied().fold(f64::NEG_INFINITY, f64::max)]
}
