//! Bodies under water with thrusters, in the form of Fossen.
//!
//! ```text
//! (M_RB + M_A) ν̇ = -C_RB(ν) ν - C_A(ν_r) ν_r - D ν_r - D_q ν_r|ν_r| + M_A ν̇_c + buoyancy + thrusters
//! ```
//!
//! T. I. Fossen, *Handbook of Marine Craft Hydrodynamics and Motion Control* (2011), section 8.1, with an irrotational
//! current; the parameters are those of Gazebo's plugins Hydrodynamics (its stability derivatives are minus the
//! matrices here) and Buoyancy. Moved from the point they refer to, to the centre of mass, by `added_mass.rs`.
//!
//! Buoyancy is ρ f V (a_c - g) at its centre, with the density ρ and the acceleration a_c of the water around. The
//! part f under water goes from 0 to 1 while the centre of buoyancy goes through the surface by the height of the
//! body; damping and thrusters go with it. Added mass stays as it is, also in the air, where it does not belong: a
//! body that is thrown falls too slowly.
//!
//! | file | holds |
//! |---|---|
//! | `thruster.rs` | thrusters: place, direction, force over command |
//! | `file.rs`, `presets/` | submersibles from files, and the BlueROV2 Heavy |

mod file;
mod thruster;

use ironbird_component::scenery::{Body, BodyKind};
use ironbird_document::Problem;
use ironbird_kinematics::{Channel, RigidMotion, Wrench};
use nalgebra::{Matrix6, Vector3, Vector6};

use crate::added_mass::{AddedMass, join};
use crate::vehicle::{Inertia, MOST_STATES, Surroundings, Vehicle};
pub use thruster::Thruster;

/// What the water does to a moving body, about one point, in the body: forward, starboard, down.
#[derive(Clone, Debug, PartialEq)]
pub struct Hydrodynamics {
    /// M_A: kg, kg m, kg m².
    pub added: Matrix6<f64>,
    /// D: force per velocity.
    pub linear: Matrix6<f64>,
    /// D_q: force per velocity times its size, column by column.
    pub quadratic: Matrix6<f64>,
    /// The point, from the centre of mass, m.
    pub origin: Vector3<f64>,
}

impl Hydrodynamics {
    /// From the derivatives of Gazebo's plugin: negative where they resist, forward, port, up.
    ///
    /// Row i and column j of `added` are of the force along i for an acceleration along j (xDotU is the first), of
    /// `linear` for a velocity (xU), of `quadratic` for a velocity times its size (xUabsU). `origin` is the origin of
    /// the link, seen from the centre of mass: forward, starboard, down.
    pub fn from_derivatives(
        added: &Matrix6<f64>,
        linear: &Matrix6<f64>,
        quadratic: &Matrix6<f64>,
        origin: Vector3<f64>,
    ) -> Self {
        let flip = Matrix6::from_diagonal(&Vector6::new(1.0, -1.0, -1.0, 1.0, -1.0, -1.0));
        let turned = |matrix: &Matrix6<f64>| -(flip * matrix * flip);
        Hydrodynamics {
            added: turned(added),
            linear: turned(linear),
            quadratic: turned(quadratic),
            origin,
        }
    }
}

/// What carries a body in water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Buoyancy {
    /// V, m³.
    pub volume: f64,
    /// Its centre, from the centre of mass: forward, starboard, down, in m.
    pub centre: Vector3<f64>,
    /// Over how much of depth the body goes through the surface, m.
    pub height: f64,
}

impl Buoyancy {
    /// The part of the body that is under water; `depth` is that of the centre of buoyancy.
    #[inline]
    pub fn immersed(&self, depth: f64) -> f64 {
        (0.5 + depth / self.height).clamp(0.0, 1.0)
    }
}

/// A body under water with thrusters.
#[derive(Clone, Debug)]
pub struct Submersible {
    inertia: Inertia,
    added: AddedMass,
    linear: Matrix6<f64>,
    quadratic: Matrix6<f64>,
    buoyancy: Buoyancy,
    thrusters: Vec<Thruster>,
    commands: Vec<Channel>,
    names: Vec<String>,
}

impl Submersible {
    /// A body with this mass and inertia (its added mass is that of the hydrodynamics), or what is wrong with it.
    pub fn new(
        inertia: Inertia,
        hydrodynamics: Hydrodynamics,
        buoyancy: Buoyancy,
        thrusters: Vec<Thruster>,
    ) -> Result<Self, String> {
        if thrusters.len() > MOST_STATES {
            return Err(format!(
                "there are {} thrusters: at most {MOST_STATES} can be",
                thrusters.len()
            ));
        }
        let added = AddedMass { matrix: hydrodynamics.added, lever: -hydrodynamics.origin };
        let about = added.about_centre_of_mass();
        let rigid = Matrix6::from_fn(|row, column| match (row, column) {
            (0..3, 0..3) if row == column => inertia.mass,
            (3.., 3..) => inertia.tensor[(row - 3, column - 3)],
            _ => 0.0,
        });
        if (rigid + about).try_inverse().is_none_or(|m| !m.iter().all(|x| x.is_finite())) {
            return Err("mass and added mass together cannot be solved for an acceleration".into());
        }
        let names = (0..thrusters.len()).map(|n| format!("thruster_{n}")).collect::<Vec<_>>();
        let channel = |name: &String| Channel {
            name: name.clone(),
            unit: "1",
            range: (-1.0, 1.0),
            rest: 0.0,
            doc: "command of a thruster",
        };
        Ok(Submersible {
            inertia: Inertia { added: Some(Box::new(about)), ..inertia },
            added,
            linear: hydrodynamics.linear,
            quadratic: hydrodynamics.quadratic,
            buoyancy,
            thrusters,
            commands: names.iter().map(channel).collect(),
            names,
        })
    }

    /// The BlueROV2 Heavy: eight thrusters, four of them level at 45 degrees, four upright.
    pub fn bluerov2_heavy() -> Result<Self, Problem> {
        file::preset("bluerov2-heavy", include_str!("presets/bluerov2-heavy.toml"))
    }

    /// Its thrusters.
    pub fn thrusters(&self) -> &[Thruster] {
        &self.thrusters
    }

    /// What carries it.
    pub fn buoyancy(&self) -> &Buoyancy {
        &self.buoyancy
    }
}

impl Vehicle for Submersible {
    fn inertia(&self) -> &Inertia {
        &self.inertia
    }

    fn commands(&self) -> &[Channel] {
        &self.commands
    }

    fn states(&self) -> &[String] {
        &self.names
    }

    fn look(&self) -> Body {
        Body { kind: BodyKind::Underwater, ..Body::default() }
    }

    fn forces(
        &self,
        motion: &RigidMotion,
        own: &[f64],
        commands: &[f64],
        around: &Surroundings,
        rates: &mut [f64],
    ) -> Wrench {
        let to_ned = motion.attitude.to_rotation_matrix().into_inner();
        let down = Vector3::new(to_ned.m31, to_ned.m32, to_ned.m33);
        let centre = &self.buoyancy.centre;
        let depth = motion.position.z + down.dot(centre) - around.water.surface;
        let part = self.buoyancy.immersed(depth);
        let omega = &motion.rates;
        let velocity = to_ned.tr_mul(&(motion.velocity - around.water.current))
            - omega.cross(&self.added.lever);
        let water = to_ned.tr_mul(&around.water.current_acceleration);
        let nu = join(&velocity, omega);
        let squares = nu.component_mul(&nu.abs());
        let resistance = self.linear * nu + self.quadratic * squares;
        let force = self.added.carried(&velocity, omega, &water)
            - self.added.coriolis(&velocity, omega)
            - resistance * part;
        let mut wrench = self.added.to_centre_of_mass(&force);
        let displaced = around.water.density * self.buoyancy.volume * part;
        wrench.push((water - to_ned.tr_mul(&around.gravity)) * displaced, centre);
        for (n, thruster) in self.thrusters.iter().enumerate() {
            let (force, rate) = thruster.at(self.commands[n].limit(commands[n]), own[n]);
            rates[n] = rate;
            wrench.push(thruster.direction * (force * part), &thruster.place);
        }
        wrench
    }
}
