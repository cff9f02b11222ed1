//! What drives bodies from outside.

use ironbird_component::PortDescription;
use ironbird_kernel::{Ports, SignalIn};
use ironbird_kinematics::{Attitude, Channel};
use nalgebra::Vector3;

use super::input;
use crate::body::{Body, Mechanics};

/// The parts of a wind.
pub(super) const WAYS: [&str; 3] = ["north", "east", "down"];

/// Inputs of one body.
pub(super) struct Inputs {
    /// Set points of its inner loop, or commands of its vehicle.
    channels: Vec<SignalIn<f64>>,
    wind: [SignalIn<f64>; 3],
    outside: Option<Outside>,
}

/// How somebody outside moves it.
struct Outside {
    position: SignalIn<[f64; 3]>,
    velocity: SignalIn<[f64; 3]>,
    attitude: SignalIn<Attitude>,
    angular_velocity: SignalIn<[f64; 3]>,
}

/// What goes in: set points where an inner loop steers, commands otherwise.
fn channels(body: &Body) -> &[Channel] {
    if body.set_points().is_empty() { body.commands() } else { body.set_points() }
}

fn is_outside(body: &Body) -> bool {
    matches!(body.mechanics, Mechanics::Outside)
}

/// Reads a signal, at the start or in a step.
pub(super) trait Reads {
    fn number(&self, port: SignalIn<f64>) -> f64;
    fn vector(&self, port: SignalIn<[f64; 3]>) -> Vector3<f64>;
    fn attitude(&self, port: SignalIn<Attitude>) -> Attitude;
}

macro_rules! reads {
    ($context:ty) => {
        impl Reads for $context {
            fn number(&self, port: SignalIn<f64>) -> f64 {
                *self.signal(port)
            }
            fn vector(&self, port: SignalIn<[f64; 3]>) -> Vector3<f64> {
                Vector3::from(*self.signal(port))
            }
            fn attitude(&self, port: SignalIn<Attitude>) -> Attitude {
                *self.signal(port)
            }
        }
    };
}
reads!(ironbird_kernel::Start<'_>);
reads!(ironbird_kernel::Step<'_>);

impl Inputs {
    /// The ports of a body.
    pub fn describe(body: &Body) -> Vec<PortDescription> {
        let name = |port: &str| format!("{}.{port}", body.name());
        let mut ports: Vec<PortDescription> = channels(body)
            .iter()
            .map(|channel| {
                let (low, high) = channel.range;
                let port = input::<f64>(&name(&channel.name), channel.unit, None, channel.doc);
                port.range(low, high)
            })
            .collect();
        for way in WAYS {
            let doc = "Velocity of the air where it is, added to that of the world.";
            ports.push(input::<f64>(&name(&format!("wind.{way}")), "m/s", None, doc));
        }
        if is_outside(body) {
            let (place, speed) = ("Where its centre of mass is.", "Its velocity over ground.");
            ports.push(input::<[f64; 3]>(&name("position"), "m", Some("ned"), place));
            ports.push(input::<[f64; 3]>(&name("velocity"), "m/s", Some("ned"), speed));
            ports.push(input::<Attitude>(&name("attitude"), "1", None, "Its attitude."));
            let doc = "Its angular velocity.";
            ports.push(input::<[f64; 3]>(&name("angular_velocity"), "rad/s", Some("body"), doc));
        }
        ports
    }

    /// Declares them to the kernel.
    pub fn declare(body: &Body, ports: &mut Ports) -> Self {
        let name = |port: &str| format!("{}.{port}", body.name());
        let motion = &body.state.motion;
        let outside = is_outside(body).then(|| Outside {
            position: ports.signal_in_or(&name("position"), motion.position.into()),
            velocity: ports.signal_in_or(&name("velocity"), motion.velocity.into()),
            attitude: ports.signal_in_or(&name("attitude"), Attitude::from(motion.attitude)),
            angular_velocity: ports.signal_in_or(&name("angular_velocity"), motion.rates.into()),
        });
        let steered = !body.set_points().is_empty();
        let values = if steered { &body.state.set_points } else { &body.state.commands };
        let own = channels(body).iter().zip(values);
        Inputs {
            channels: own
                .map(|(channel, value)| ports.signal_in_or(&name(&channel.name), *value))
                .collect(),
            wind: WAYS.map(|way| ports.signal_in_or(&name(&format!("wind.{way}")), 0.0)),
            outside,
        }
    }

    /// Gives a body what is at its inputs. Says what is wrong with it, if something is.
    pub fn take(&self, body: &mut Body, from: &impl Reads) -> Result<(), String> {
        let steered = !body.set_points().is_empty();
        for (number, port) in self.channels.iter().enumerate() {
            let given = from.number(*port);
            let limited = channels(body)[number].limit(given);
            let values =
                if steered { &mut body.state.set_points } else { &mut body.state.commands };
            values[number] = limited;
        }
        body.own_wind = Vector3::from(self.wind.map(|port| from.number(port)));
        if let Some(outside) = &self.outside {
            let motion = &mut body.state.motion;
            let attitude = from.attitude(outside.attitude);
            if !attitude.is_rotation() {
                return Err(format!("the attitude of \"{}\" is no rotation", body.name));
            }
            motion.position = from.vector(outside.position);
            motion.velocity = from.vector(outside.velocity);
            motion.attitude = attitude.quaternion();
            motion.rates = from.vector(outside.angular_velocity);
        }
        Ok(())
    }
}
