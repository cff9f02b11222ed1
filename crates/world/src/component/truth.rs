//! What is true of every body.

use ironbird_component::PortDescription;
use ironbird_environment::air::Air;
use ironbird_kernel::{Ports, SignalOut, Value};
use ironbird_kinematics::{Attitude, MOTION_FRAMES, MOTION_UNITS, Motion};
use nalgebra::Vector3;

use super::output;
use crate::body::Body;

/// The names of what every body shows.
pub const TRUTH: [&str; 17] = [
    "motion",
    "position",
    "velocity",
    "attitude",
    "angular_velocity",
    "specific_force",
    "airspeed",
    "wind",
    "height",
    "contact_force",
    "contacts",
    "magnetic_field",
    "pressure",
    "temperature",
    "sound",
    "centre_of_mass",
    "centre_of_mass_velocity",
];

/// Outputs of one body.
pub(super) struct Truth {
    motion: SignalOut<Motion>,
    position: SignalOut<[f64; 3]>,
    velocity: SignalOut<[f64; 3]>,
    attitude: SignalOut<Attitude>,
    angular_velocity: SignalOut<[f64; 3]>,
    specific_force: SignalOut<[f64; 3]>,
    airspeed: SignalOut<f64>,
    wind: SignalOut<[f64; 3]>,
    height: SignalOut<f64>,
    contact_force: SignalOut<[f64; 3]>,
    contacts: SignalOut<f64>,
    magnetic_field: SignalOut<[f64; 3]>,
    pressure: SignalOut<f64>,
    temperature: SignalOut<f64>,
    sound: SignalOut<f64>,
    /// Centre of mass of all of a body with joints, and its velocity.
    whole: Option<[SignalOut<[f64; 3]>; 2]>,
    own: Vec<SignalOut<f64>>,
    /// Way made good over ground, in m.
    pub distance: f64,
}

/// What surrounds a body, as far as it changes slowly.
pub(super) struct Around {
    pub air: Air,
    pub magnetic_field: Vector3<f64>,
    pub sound: f64,
}

/// A height that is shown where there is no ground.
const NO_GROUND: f64 = 1e9;

impl Truth {
    /// The ports of a body.
    pub fn describe(body: &Body) -> Vec<PortDescription> {
        let name = |port: &str| format!("{}.{port}", body.name());
        let doc = |text: &str| match body.root() {
            None => text.to_owned(),
            Some(link) => format!("{text} Said of its root, the link {link}."),
        };
        let mut ports = vec![
            output::<Motion>(
                &name("motion"),
                MOTION_UNITS,
                Some(MOTION_FRAMES),
                &doc("How it moves."),
            ),
            output::<[f64; 3]>(
                &name("position"),
                "m",
                Some("ned"),
                &doc("Where its centre of mass is."),
            ),
            output::<[f64; 3]>(
                &name("velocity"),
                "m/s",
                Some("ned"),
                &doc("Its velocity over ground."),
            ),
            output::<Attitude>(&name("attitude"), "1", None, &doc("Its attitude.")),
            output::<[f64; 3]>(
                &name("angular_velocity"),
                "rad/s",
                Some("body"),
                &doc("Its angular velocity."),
            ),
            output::<[f64; 3]>(
                &name("specific_force"),
                "m/s^2",
                Some("body"),
                &doc("What an accelerometer in its centre of mass feels."),
            ),
            output::<f64>(&name("airspeed"), "m/s", None, "Its speed through the air."),
            output::<[f64; 3]>(
                &name("wind"),
                "m/s",
                Some("ned"),
                "The velocity of the air where it is.",
            ),
            output::<f64>(
                &name("height"),
                "m",
                None,
                "Its height above what lies below it; 1e9 m where nothing does.",
            ),
            output::<[f64; 3]>(
                &name("contact_force"),
                "N",
                Some("ned"),
                "The force with which what it touches pushes it.",
            ),
            output::<f64>(&name("contacts"), "1", None, "In how many points it is pushed."),
            output::<[f64; 3]>(
                &name("magnetic_field"),
                "T",
                Some("body"),
                "The magnetic field, every 10 ms.",
            ),
            output::<f64>(&name("pressure"), "Pa", None, "The pressure of the air, every 10 ms."),
            output::<f64>(&name("temperature"), "K", None, "Its temperature, every 10 ms."),
            output::<f64>(
                &name("sound"),
                "1",
                None,
                "The level of all sounds in dB above 20 uPa, every 10 ms; -200 where all is silent.",
            ),
        ];
        if body.root().is_some() {
            let doc = "Where the centre of mass of all its links is.";
            ports.push(output::<[f64; 3]>(&name("centre_of_mass"), "m", Some("ned"), doc));
            let doc = "How the centre of mass of all its links moves over ground.";
            let port = name("centre_of_mass_velocity");
            ports.push(output::<[f64; 3]>(&port, "m/s", Some("ned"), doc));
        }
        for (state, _) in body.own() {
            let doc = "A number of its own.";
            ports.push(output::<f64>(&name(state), "1", None, doc));
        }
        ports
    }

    /// Declares them to the kernel.
    pub fn declare(body: &Body, ports: &mut Ports) -> Self {
        let name = |port: &str| format!("{}.{port}", body.name());
        fn plain<T: Value + Default>(ports: &mut Ports, name: &str) -> SignalOut<T> {
            ports.signal_out(name, T::default())
        }
        Truth {
            motion: plain(ports, &name("motion")),
            position: plain(ports, &name("position")),
            velocity: plain(ports, &name("velocity")),
            attitude: plain(ports, &name("attitude")),
            angular_velocity: plain(ports, &name("angular_velocity")),
            specific_force: plain(ports, &name("specific_force")),
            airspeed: plain(ports, &name("airspeed")),
            wind: plain(ports, &name("wind")),
            height: plain(ports, &name("height")),
            contact_force: plain(ports, &name("contact_force")),
            contacts: plain(ports, &name("contacts")),
            magnetic_field: plain(ports, &name("magnetic_field")),
            pressure: plain(ports, &name("pressure")),
            temperature: plain(ports, &name("temperature")),
            sound: plain(ports, &name("sound")),
            whole: body.root().map(|_| {
                ["centre_of_mass", "centre_of_mass_velocity"].map(|port| plain(ports, &name(port)))
            }),
            own: body.own().map(|(state, _)| plain(ports, &name(state))).collect(),
            distance: 0.0,
        }
    }

    /// Shows what is true now; `around` where that is due, too.
    pub fn show(&mut self, body: &Body, around: Option<&Around>, out: &mut impl Writes) {
        let state = &body.state;
        let m = &state.motion;
        let (position, velocity): ([f64; 3], [f64; 3]) = (m.position.into(), m.velocity.into());
        let (attitude, rates) = (Attitude::from(m.attitude), m.rates.into());
        let motion = Motion {
            position,
            velocity,
            acceleration: state.acceleration.into(),
            attitude,
            angular_velocity: rates,
            distance: self.distance,
        };
        out.write(self.motion, motion);
        out.write(self.position, position);
        out.write(self.velocity, velocity);
        out.write(self.attitude, attitude);
        out.write(self.angular_velocity, rates);
        out.write(self.specific_force, body.specific_force().into());
        out.write(self.airspeed, (m.velocity - body.around().wind).norm());
        out.write(self.wind, body.around().wind.into());
        out.write(self.height, body.around().height.min(NO_GROUND));
        out.write(self.contact_force, state.reaction.force.into());
        out.write(self.contacts, f64::from(state.reaction.points));
        if let Some([place, velocity]) = self.whole {
            let (centre, moves) = body.centre_of_mass();
            out.write(place, centre.into());
            out.write(velocity, moves.into());
        }
        for (port, (_, value)) in self.own.iter().zip(body.own()) {
            out.write(*port, value);
        }
        if let Some(around) = around {
            out.write(self.magnetic_field, m.to_body(&around.magnetic_field).into());
            out.write(self.pressure, around.air.pressure);
            out.write(self.temperature, around.air.temperature);
            out.write(self.sound, around.sound.max(-200.0));
        }
    }
}

/// The kernel at the start, and in a step.
pub(super) trait Writes {
    fn write<T: Value>(&mut self, port: SignalOut<T>, value: T);
}

impl Writes for ironbird_kernel::Start<'_> {
    fn write<T: Value>(&mut self, port: SignalOut<T>, value: T) {
        ironbird_kernel::Start::write(self, port, value);
    }
}

impl Writes for ironbird_kernel::Step<'_> {
    fn write<T: Value>(&mut self, port: SignalOut<T>, value: T) {
        ironbird_kernel::Step::write(self, port, value);
    }
}
