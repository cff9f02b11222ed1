//! What the tests put around a drone: files, water that moves, and an auditor.

use std::path::Path;

use ironbird_component::{Component, Registry, RegistryError};
use ironbird_kernel::{Options, Parameter, Periodic, SignalIn, SignalOut, Simulation, Step};
use ironbird_kinematics::{Attitude, Motion};
use ironbird_test_rig::{Rig, Setting, text};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// A file that vanishes with the test.
pub struct Written {
    folder: tempfile::TempDir,
}

pub fn write(content: &str) -> Written {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("file.csv"), content).expect("a file");
    Written { folder }
}

impl Written {
    fn path(&self) -> String {
        Path::join(self.folder.path(), "file.csv").display().to_string()
    }

    /// The parameter `file`.
    pub fn file(&self) -> Setting<'static> {
        ("file", text(&self.path()))
    }

    /// A message without the folder of this test.
    pub fn plain(&self, message: &str) -> String {
        message.replace(&self.path(), "file.csv")
    }
}

/// A rig with the types of this crate and of these tests.
pub fn rig() -> Rig {
    Rig::of(&[ironbird_plant::register, register])
}

/// A rig with a mission and a drone that follows it.
pub fn drone(type_name: &str, mission: &Written, settings: &[Setting<'_>]) -> Rig {
    let mut rig = rig();
    rig.add("mission", "mission.waypoints", &[mission.file()]);
    rig.add("drone", type_name, settings);
    rig.bind("drone.mission", "mission");
    rig
}

/// Why a system does not start.
pub fn refused_start(rig: Rig) -> String {
    let refused = Simulation::new(rig.into_graph(), Options::default()).err();
    refused.expect("it does not start").to_string()
}

/// Adds a current to a drone: steady plus a swing of this period.
pub fn add_current(rig: &mut Rig, mean: [f64; 3], swing: [f64; 3], period: f64) {
    let component = |name: &'static str, values: [f64; 3]| {
        let paths = match name {
            "mean" => ["mean[0]", "mean[1]", "mean[2]"],
            _ => ["swing[0]", "swing[1]", "swing[2]"],
        };
        paths.into_iter().zip(values).map(|(path, value)| (path, Parameter::Real(value)))
    };
    let mut settings: Vec<Setting<'_>> = component("mean", mean).collect();
    settings.extend(component("swing", swing));
    settings.push(("period", Parameter::Real(period)));
    rig.add("water", "test.current", &settings);
    rig.link("water.current", "drone.current");
    rig.link("water.acceleration", "drone.current_acceleration");
}

fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<Current>()?;
    registry.register::<Bed>()?;
    registry.register::<Auditor>()
}

/// c = mean + swing sin(2π t/period).
#[derive(Component)]
#[component(type = "test.current", periodic, rate = "1 kHz")]
struct Current {
    #[parameter]
    mean: [f64; 3],
    #[parameter]
    swing: [f64; 3],
    #[parameter]
    period: f64,
    #[output(unit = "m/s", frame = "ned")]
    current: SignalOut<[f64; 3]>,
    #[output(unit = "m/s^2", frame = "ned")]
    acceleration: SignalOut<[f64; 3]>,
}

impl Periodic for Current {
    fn step(&mut self, step: &mut Step<'_>) {
        let omega = std::f64::consts::TAU / self.period;
        let (sin, cos) = libm::sincos(omega * step.now().as_secs_f64());
        let (mean, swing) = (Vector3::from(self.mean), Vector3::from(self.swing));
        step.write(self.current, (mean + swing * sin).into());
        step.write(self.acceleration, (swing * (omega * cos)).into());
    }
}

/// A bed of 50 m + 3 m sin(2π s/500 m) below a drone.
#[derive(Component)]
#[component(type = "test.bed", periodic, rate = "1 kHz")]
struct Bed {
    #[input]
    motion: SignalIn<Motion>,
    #[output(unit = "m", initial = 50.0)]
    depth: SignalOut<f64>,
}

impl Periodic for Bed {
    fn step(&mut self, step: &mut Step<'_>) {
        let s = step.signal(self.motion).distance;
        step.write(self.depth, 50.0 + 3.0 * libm::sin(std::f64::consts::TAU * s / 500.0));
    }
}

/// Integrates what a drone says of its derivatives, and shows every second how far it is off:
///
/// ```text
/// Δp = (v₀ + v₁) h/2 + (a₀ - a₁) h²/12,  Δv = (a₀ + a₁) h/2,
/// turn = (ω₀ + ω₁) h/2 + ω₀ × ω₁ h²/12
/// ```
#[derive(Component)]
#[component(type = "test.auditor", periodic, rate = "1 kHz")]
struct Auditor {
    #[input]
    motion: SignalIn<Motion>,
    #[output(unit = "m")]
    position_error: SignalOut<f64>,
    #[output(unit = "m/s")]
    velocity_error: SignalOut<f64>,
    #[output(unit = "rad")]
    attitude_error: SignalOut<f64>,
    #[output(unit = "m")]
    distance_error: SignalOut<f64>,
    #[skip]
    before: Option<Motion>,
    position: Sum,
    velocity: Sum,
    attitude: Attitude,
    distance: f64,
}

/// A sum that keeps what rounding takes from it (Kahan): millions of steps add up to more otherwise.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Sum {
    total: [f64; 3],
    lost: [f64; 3],
}

impl Sum {
    fn add(&mut self, more: Vector3<f64>) -> Vector3<f64> {
        let total = Vector3::from(self.total);
        let more = more - Vector3::from(self.lost);
        let next = total + more;
        (self.total, self.lost) = (next.into(), ((next - total) - more).into());
        next
    }
}

impl Periodic for Auditor {
    fn step(&mut self, step: &mut Step<'_>) {
        let motion = *step.signal(self.motion);
        let Some(before) = self.before.replace(motion) else {
            (self.position.total, self.velocity.total) = (motion.position, motion.velocity);
            self.attitude = motion.attitude;
            return;
        };
        let h = 1e-3;
        let [v0, v1] = [before, motion].map(|m| Vector3::from(m.velocity));
        let [a0, a1] = [before, motion].map(|m| Vector3::from(m.acceleration));
        let [w0, w1] = [before, motion].map(|m| Vector3::from(m.angular_velocity));
        let position = self.position.add((v0 + v1) * (h / 2.0) + (a0 - a1) * (h * h / 12.0));
        let velocity = self.velocity.add((a0 + a1) * (h / 2.0));
        self.attitude =
            self.attitude.turned((w0 + w1) * (h / 2.0) + w0.cross(&w1) * (h * h / 12.0));
        self.distance += (v0.xy().norm() + v1.xy().norm()) * h / 2.0;
        if step.tick().is_multiple_of(1000) {
            let off = (position - Vector3::from(motion.position)).norm();
            step.write(self.position_error, off);
            step.write(self.velocity_error, (velocity - v1).norm());
            let angle = self.attitude.quaternion().angle_to(&motion.attitude.quaternion());
            step.write(self.attitude_error, angle);
            step.write(self.distance_error, (self.distance - motion.distance).abs());
        }
    }
}
