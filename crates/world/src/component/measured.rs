//! What sensors show at ports.

use ironbird_component::PortDescription;
use ironbird_kernel::{
    Payload, Ports, RandomIn, ScalarSample, SignalOut, Step, Time, Value, VectorSample,
};
use nalgebra::Vector3;

use super::output;
use crate::sensor::{Noise, NoiseState, Reading, SensorKind, SensorPlan, View, read};

/// What a lidar sees.
#[derive(Clone, Debug, Default, PartialEq, Value)]
pub struct Scan {
    /// Distances in m, row by row, as little-endian numbers of 32 bits; infinite where there is nothing.
    pub distances: Payload,
    /// Rows and columns.
    pub rows: u32,
    /// Columns.
    pub columns: u32,
    /// The nearest in m; 0 where no beam meets anything.
    pub nearest: f64,
    /// When.
    pub taken: Time,
    /// Whether a beam meets anything.
    pub valid: bool,
}

/// A sensor with its port.
pub(super) struct Measured {
    plan: SensorPlan,
    /// On which body.
    body: usize,
    port: Port,
    random: RandomIn,
    /// Of each number.
    pub noise: [NoiseState; 3],
    /// When it measured last.
    pub last: Option<Time>,
    /// Which of its measurements comes next.
    pub count: u64,
}

enum Port {
    Vector(SignalOut<VectorSample>),
    Scalar(SignalOut<ScalarSample>),
    Scan(SignalOut<Scan>),
}

/// Unit, frame and meaning of what a kind measures.
fn words(kind: &SensorKind) -> (&'static str, Option<&'static str>, &'static str) {
    match kind {
        SensorKind::Gyroscope(_) => ("rad/s", Some("sensor"), "Angular velocity."),
        SensorKind::Accelerometer(_) => ("m/s^2", Some("sensor"), "Specific force."),
        SensorKind::Magnetometer(_) => ("T", Some("sensor"), "The magnetic field."),
        SensorKind::Position(_) => ("m", Some("ned"), "Its place."),
        SensorKind::Velocity(_) => ("m/s", Some("ned"), "Its velocity over ground."),
        SensorKind::Barometer(_) => ("Pa", None, "The pressure of the air."),
        SensorKind::Thermometer(_) => ("K", None, "The temperature of the air."),
        SensorKind::Altimeter(_) => ("m", None, "Height above the origin."),
        SensorKind::Airspeed(_) => ("m/s", None, "Speed of the air along its axis."),
        SensorKind::Range { .. } => {
            ("m", None, "Distance; not valid where nothing is in its range.")
        }
        SensorKind::Lidar { .. } => ("nearest: m", None, "Distances along its rays."),
        SensorKind::Contact => ("N", Some("ned"), "What pushes the body."),
        SensorKind::Microphone(_) => ("1", None, "The level of all sounds in dB above 20 uPa."),
    }
}

/// The errors of each number.
fn errors(kind: &SensorKind) -> [Noise; 3] {
    match kind {
        SensorKind::Gyroscope(noise)
        | SensorKind::Accelerometer(noise)
        | SensorKind::Magnetometer(noise)
        | SensorKind::Position(noise)
        | SensorKind::Velocity(noise) => *noise,
        SensorKind::Barometer(noise)
        | SensorKind::Thermometer(noise)
        | SensorKind::Altimeter(noise)
        | SensorKind::Airspeed(noise)
        | SensorKind::Microphone(noise)
        | SensorKind::Range { noise, .. }
        | SensorKind::Lidar { noise, .. } => [*noise; 3],
        SensorKind::Contact => [Noise::default(); 3],
    }
}

impl Measured {
    /// Its port.
    pub fn describe(plan: &SensorPlan, body: &str) -> PortDescription {
        let (unit, frame, doc) = words(&plan.kind);
        let name = format!("{body}.{}", plan.name);
        match plan.kind {
            SensorKind::Lidar { columns, rows, .. } => PortDescription {
                counts: vec![("column".into(), columns.count), ("row".into(), rows.count)],
                ..output::<Scan>(&name, unit, frame, doc)
            },
            _ if is_vector(&plan.kind) => {
                output::<VectorSample>(&name, &format!("value: {unit}"), frame, doc)
            }
            _ => output::<ScalarSample>(&name, &format!("value: {unit}"), frame, doc),
        }
    }

    /// Declares it to the kernel.
    pub fn declare(plan: SensorPlan, body: usize, owner: &str, ports: &mut Ports) -> Self {
        let name = format!("{owner}.{}", plan.name);
        let port = match plan.kind {
            SensorKind::Lidar { .. } => Port::Scan(ports.signal_out(&name, Scan::default())),
            _ if is_vector(&plan.kind) => Port::Vector(ports.signal_out(&name, Default::default())),
            _ => Port::Scalar(ports.signal_out(&name, Default::default())),
        };
        let random = ports.random(&name);
        Measured { plan, body, port, random, noise: Default::default(), last: None, count: 0 }
    }

    /// Measures, if it is time to.
    pub fn measure(&mut self, view: &View<'_>, step: &mut Step<'_>, begin: Time) {
        let now = step.now();
        let since = now.since(begin).as_secs_f64();
        if self.plan.rate.is_finite() {
            // A measurement is due at n / rate; the tolerance is that of a rate that is no whole number.
            if since + 1e-9 < self.count as f64 / self.plan.rate {
                return;
            }
            self.count = libm::floor((since + 1e-9) * self.plan.rate) as u64 + 1;
        }
        let passed = self.last.map_or(0.0, |last| now.since(last).as_secs_f64());
        self.last = Some(now);
        let reading = read(&self.plan, self.body, view);
        let errors = errors(&self.plan.kind);
        let random = step.random(self.random);
        let mut number = |axis: usize, exact: f64, noise: &mut [NoiseState; 3]| {
            errors[axis].show(exact, passed, &mut noise[axis], random)
        };
        let noise = &mut self.noise;
        match (&self.port, reading) {
            (Port::Vector(port), Reading::Vector(exact)) => {
                let value = [0, 1, 2].map(|axis| number(axis, exact[axis], noise));
                step.write(*port, VectorSample { value, taken: now, valid: true });
            }
            (Port::Scalar(port), Reading::Scalar(exact)) => {
                let value = number(0, exact, noise);
                let valid = value.is_finite();
                let value = if valid { value } else { 0.0 };
                step.write(*port, ScalarSample { value, taken: now, valid });
            }
            (Port::Scan(port), Reading::Scan(distances)) => {
                let mut bytes = Vec::with_capacity(4 * distances.len());
                let mut nearest = f64::INFINITY;
                for exact in distances {
                    let shown = if exact.is_finite() { number(0, exact, noise) } else { exact };
                    nearest = nearest.min(shown);
                    bytes.extend((shown as f32).to_le_bytes());
                }
                let SensorKind::Lidar { columns, rows, .. } = self.plan.kind else { return };
                let (rows, columns) = (rows.count, columns.count);
                let distances = Payload::new(bytes);
                let valid = nearest.is_finite();
                let nearest = if valid { nearest } else { 0.0 };
                step.write(*port, Scan { distances, rows, columns, nearest, taken: now, valid });
            }
            (Port::Scalar(port), _) => {
                step.write(*port, ScalarSample { value: 0.0, taken: now, valid: false });
            }
            (Port::Vector(port), _) => {
                step.write(*port, VectorSample { value: [0.0; 3], taken: now, valid: false });
            }
            (Port::Scan(_), _) => {}
        }
    }
}

fn is_vector(kind: &SensorKind) -> bool {
    use SensorKind::*;
    matches!(
        kind,
        Gyroscope(_) | Accelerometer(_) | Magnetometer(_) | Position(_) | Velocity(_) | Contact
    )
}

/// Where sounds come from now.
pub(super) fn heard(
    sounds: &[crate::sensor::Sound],
    world: &crate::world::World,
) -> Vec<(Vector3<f64>, f64)> {
    sounds
        .iter()
        .map(|sound| {
            let on = sound.on.as_deref();
            let body = on.and_then(|name| world.bodies().find(|body| body.name() == name));
            let place = body.map_or(sound.place, |body| {
                let motion = &body.state.motion;
                motion.position + motion.to_ned(&sound.place)
            });
            (place, sound.level)
        })
        .collect()
}
