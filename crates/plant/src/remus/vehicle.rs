//! The REMUS 100 as forces.
//!
//! The equations of `dynamics.rs` moved from the centre of buoyancy to the centre of mass (`added_mass.rs`): what is
//! there on the left and in C_RB is what every body in a world has. Fins and propeller are where they are commanded.
//!
//! The published buoyancy is taken for sea water of 1025 kg/m³ and goes with the density of the water; hydrodynamic
//! coefficients are as published. Out of the water altogether nothing acts, but the added mass stays.

use ironbird_component::scenery::{Body, BodyKind, ControlSurface, Reading};
use ironbird_kinematics::{Channel, RigidMotion, Wrench};
use nalgebra::{Matrix3, Vector3};

use super::coefficients::{FIN_LIMIT, GRAVITY, Z_G};
use super::dynamics::{Hull, Inputs, immersed};
use crate::added_mass::{AddedMass, join};
use crate::vehicle::{Inertia, Surroundings, Vehicle};

/// Density of the water for which the buoyancy is, in kg/m³.
const SEA_WATER: f64 = 1025.0;
/// Highest revolutions of the propeller, in rpm, forward and astern: 2.5 m/s.
const HIGHEST_REVOLUTIONS: f64 = 2500.0;

/// A REMUS 100 whose body someone else moves.
#[derive(Clone, Debug)]
pub struct RemusVehicle {
    hull: Hull,
    added: AddedMass,
    inertia: Inertia,
    commands: [Channel; 3],
}

/// The REMUS 100 as published.
impl Default for RemusVehicle {
    fn default() -> Self {
        RemusVehicle::new(Hull::default())
    }
}

impl RemusVehicle {
    /// A vehicle with this hull.
    pub fn new(hull: Hull) -> Self {
        let lever = Vector3::new(0.0, 0.0, Z_G);
        let added = AddedMass { matrix: hull.added_mass, lever };
        // Moments of inertia are about the centre of buoyancy.
        let away = Matrix3::identity() * lever.norm_squared() - lever * lever.transpose();
        let inertia = Inertia {
            mass: hull.mass,
            tensor: hull.inertia - away * hull.mass,
            added: Some(Box::new(added.about_centre_of_mass())),
        };
        let channel = |name: &str, unit, limit: f64, doc| Channel {
            name: name.into(),
            unit,
            range: (-limit, limit),
            rest: 0.0,
            doc,
        };
        let fin = FIN_LIMIT.to_radians();
        let commands = [
            channel("rudder", "rad", fin, "deflection of the rudders, positive turns to port"),
            channel("stern", "rad", fin, "deflection of the stern planes, positive dives"),
            channel(
                "propeller",
                "rpm",
                HIGHEST_REVOLUTIONS,
                "revolutions of the propeller, positive drives forward",
            ),
        ];
        RemusVehicle { hull, added, inertia, commands }
    }

    /// The centre of buoyancy as the centre of mass sees it, in the body, in m.
    pub fn centre_of_buoyancy(&self) -> Vector3<f64> {
        -self.added.lever
    }
}

/// How it is drawn: 1.6 m long, 19 cm thick, with fins that stand as they are told to.
pub(super) fn look() -> Body {
    let surface = |name: &str, input: &str| ControlSurface {
        name: name.into(),
        deflection: Reading::input(input),
    };
    Body {
        kind: BodyKind::Underwater,
        size: [1.6, 0.19, 0.19],
        surfaces: vec![surface("rudder", "rudder"), surface("elevator", "stern")],
        ..Body::default()
    }
}

impl Vehicle for RemusVehicle {
    fn inertia(&self) -> &Inertia {
        &self.inertia
    }

    fn commands(&self) -> &[Channel] {
        &self.commands
    }

    fn look(&self) -> Body {
        look()
    }

    fn forces(
        &self,
        motion: &RigidMotion,
        _own: &[f64],
        commands: &[f64],
        around: &Surroundings,
        _rates: &mut [f64],
    ) -> Wrench {
        let to_ned = motion.attitude.to_rotation_matrix().into_inner();
        let lever = &self.added.lever;
        // The third row: down, as the body sees it.
        let down = Vector3::new(to_ned.m31, to_ned.m32, to_ned.m33);
        let depth = motion.position.z - down.dot(lever) - around.water.surface;
        let part = immersed(depth, down.x);
        if part == 0.0 {
            return Wrench::default();
        }
        let omega = &motion.rates;
        let velocity =
            to_ned.tr_mul(&(motion.velocity - around.water.current)) - omega.cross(lever);
        let water = to_ned.tr_mul(&around.water.current_acceleration);
        let told = |n: usize| self.commands[n].limit(commands[n]);
        let inputs =
            Inputs { rudder: told(0), stern: told(1), propeller: told(2), ..Inputs::default() };
        let mut force = self.hull.hydrodynamics(velocity, *omega, &inputs);
        force += self.added.carried(&velocity, omega, &water);
        let displaced =
            self.hull.buoyancy / GRAVITY * part * around.water.density * (1.0 / SEA_WATER);
        let pressure = (water - to_ned.tr_mul(&around.gravity)) * displaced;
        force += join(&pressure, &Vector3::zeros());
        self.added.to_centre_of_mass(&force)
    }
}
