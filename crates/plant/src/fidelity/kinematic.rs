//! A vehicle that goes where it is told.
//!
//! ```text
//! v' = (v_w - v) / T                      v_w: the wanted velocity
//! r' = (r_w - r) / T_r                    about the axis down of the body
//! (p, q)' = tilt / T_r² - 2 (p, q) / T_r      back to level, critically damped
//! ```
//!
//! The force is m (v' - g): weight is taken away. `tilt` is ẑ × d, with d the direction down as the body sees it,
//! which for small angles is -(roll, pitch).

use ironbird_kinematics::{Channel, RigidMotion, Wrench};
use nalgebra::Vector3;

use super::moment_for;
use crate::vehicle::{Inertia, Surroundings, Vehicle};

/// In which frame a velocity is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VelocityFrame {
    /// North, east, down.
    #[default]
    Ned,
    /// Along the heading, to starboard of it, down.
    Heading,
}

/// A vehicle whose velocity and yaw rate follow commands, each behind a lag.
#[derive(Clone, Debug)]
pub struct KinematicVehicle {
    inertia: Inertia,
    frame: VelocityFrame,
    /// 1 / T
    linear: f64,
    /// 1 / T_r
    angular: f64,
    commands: [Channel; 4],
}

impl KinematicVehicle {
    /// A vehicle with these time constants (s), largest speed (m/s) and largest yaw rate (rad/s); or what is wrong
    /// with them. Mass and inertia matter where something pushes it.
    pub fn new(
        inertia: Inertia,
        frame: VelocityFrame,
        [velocity_lag, turning_lag]: [f64; 2],
        [speed, yaw_rate]: [f64; 2],
    ) -> Result<Self, String> {
        for (name, value) in [
            ("lag of the velocity", velocity_lag),
            ("lag of the yaw rate", turning_lag),
            ("largest speed", speed),
            ("largest yaw rate", yaw_rate),
        ] {
            if !(value.is_finite() && value > 0.0) {
                return Err(format!("the {name} is {value}: it must be above zero"));
            }
        }
        let names = match frame {
            VelocityFrame::Ned => ["north", "east", "down"],
            VelocityFrame::Heading => ["forward", "starboard", "down"],
        };
        let [first, second, third] = names.map(|name| Channel {
            name: name.into(),
            unit: "m/s",
            range: (-speed, speed),
            rest: 0.0,
            doc: "part of the wanted velocity",
        });
        let turning = Channel {
            name: "yaw_rate".into(),
            unit: "rad/s",
            range: (-yaw_rate, yaw_rate),
            rest: 0.0,
            doc: "wanted yaw rate",
        };
        Ok(KinematicVehicle {
            inertia,
            frame,
            linear: 1.0 / velocity_lag,
            angular: 1.0 / turning_lag,
            commands: [first, second, third, turning],
        })
    }
}

impl Vehicle for KinematicVehicle {
    fn inertia(&self) -> &Inertia {
        &self.inertia
    }

    fn commands(&self) -> &[Channel] {
        &self.commands
    }

    fn forces(
        &self,
        motion: &RigidMotion,
        _own: &[f64],
        commands: &[f64],
        around: &Surroundings,
        _rates: &mut [f64],
    ) -> Wrench {
        let told = |n: usize| self.commands[n].limit(commands[n]);
        let mut wanted = Vector3::new(told(0), told(1), told(2));
        if self.frame == VelocityFrame::Heading {
            let ahead = motion.to_ned(&Vector3::x());
            let length = (ahead.x * ahead.x + ahead.y * ahead.y).sqrt();
            // Nose up or down it has no heading: then north.
            let (cosine, sine) = match length > 1e-9 {
                true => (ahead.x / length, ahead.y / length),
                false => (1.0, 0.0),
            };
            wanted = Vector3::new(
                cosine * wanted.x - sine * wanted.y,
                sine * wanted.x + cosine * wanted.y,
                wanted.z,
            );
        }
        let acceleration = (wanted - motion.velocity) * self.linear;
        let down = motion.to_body(&Vector3::z());
        let (k, rates) = (self.angular, &motion.rates);
        let level = |tilt: f64, rate: f64| k * (k * tilt - 2.0 * rate);
        let turning =
            Vector3::new(level(-down.y, rates.x), level(down.x, rates.y), k * (told(3) - rates.z));
        Wrench {
            force: motion.to_body(&(acceleration - around.gravity)) * self.inertia.mass,
            moment: moment_for(&self.inertia.tensor, rates, &turning),
        }
    }
}
