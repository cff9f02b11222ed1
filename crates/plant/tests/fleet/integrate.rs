//! The classical Runge-Kutta method of order 4 for one vehicle.

use ironbird_kinematics::RigidMotion;
use ironbird_plant::vehicle::{Surroundings, Vehicle};
use nalgebra::{Matrix3, Matrix6, Quaternion, UnitQuaternion, Vector3, Vector6};

/// A vehicle and how it moves.
pub struct Flight<'a> {
    pub vehicle: &'a dyn Vehicle,
    pub motion: RigidMotion,
    pub own: Vec<f64>,
    /// (M + added)⁻¹
    inverse: Matrix6<f64>,
}

/// How a vehicle's motion changes: north, east, down, and in the body.
pub struct Rate {
    velocity: Vector3<f64>,
    pub acceleration: Vector3<f64>,
    turning: Quaternion<f64>,
    pub angular: Vector3<f64>,
    own: Vec<f64>,
}

impl<'a> Flight<'a> {
    pub fn new(vehicle: &'a dyn Vehicle, motion: RigidMotion) -> Self {
        let mut own = vec![0.0; vehicle.states().len()];
        vehicle.start(&mut own);
        let inertia = vehicle.inertia();
        let mut mass = Matrix6::zeros();
        let linear = Matrix3::identity() * inertia.mass;
        mass.fixed_view_mut::<3, 3>(0, 0).copy_from(&linear);
        mass.fixed_view_mut::<3, 3>(3, 3).copy_from(&inertia.tensor);
        if let Some(added) = &inertia.added {
            mass += **added;
        }
        Flight { vehicle, motion, own, inverse: mass.try_inverse().unwrap() }
    }

    /// How motion and own numbers change.
    pub fn rate(
        &self,
        motion: &RigidMotion,
        own: &[f64],
        commands: &[f64],
        around: &Surroundings,
    ) -> Rate {
        let mut rates = vec![f64::NAN; own.len()];
        let wrench = self.vehicle.forces(motion, own, commands, around, &mut rates);
        let inertia = self.vehicle.inertia();
        let force = wrench.force + motion.to_body(&around.gravity) * inertia.mass;
        let momentum = inertia.tensor * motion.rates;
        let moment = wrench.moment - motion.rates.cross(&momentum);
        let all = Vector6::new(force.x, force.y, force.z, moment.x, moment.y, moment.z);
        let change = self.inverse * all;
        let linear = Vector3::new(change[0], change[1], change[2]);
        Rate {
            velocity: motion.velocity,
            acceleration: motion.to_ned(&linear),
            turning: *motion.attitude * Quaternion::from_imag(motion.rates) * 0.5,
            angular: Vector3::new(change[3], change[4], change[5]),
            own: rates,
        }
    }

    fn moved(&self, rate: &Rate, h: f64) -> (RigidMotion, Vec<f64>) {
        let motion = RigidMotion {
            position: self.motion.position + rate.velocity * h,
            velocity: self.motion.velocity + rate.acceleration * h,
            attitude: UnitQuaternion::new_unchecked(*self.motion.attitude + rate.turning * h),
            rates: self.motion.rates + rate.angular * h,
        };
        let own = self.own.iter().zip(&rate.own).map(|(own, rate)| own + rate * h).collect();
        (motion, own)
    }

    /// One step of `h` seconds; `around` says what surrounds a motion.
    pub fn step(
        &mut self,
        h: f64,
        commands: &[f64],
        around: impl Fn(&RigidMotion) -> Surroundings,
    ) {
        let at = |(motion, own): (RigidMotion, Vec<f64>)| {
            self.rate(&motion, &own, commands, &around(&motion))
        };
        let k1 = at((self.motion, self.own.clone()));
        let k2 = at(self.moved(&k1, 0.5 * h));
        let k3 = at(self.moved(&k2, 0.5 * h));
        let k4 = at(self.moved(&k3, h));
        let own = (0..self.own.len())
            .map(|n| (k1.own[n] + 2.0 * (k2.own[n] + k3.own[n]) + k4.own[n]) / 6.0)
            .collect();
        let mean = Rate {
            velocity: (k1.velocity + (k2.velocity + k3.velocity) * 2.0 + k4.velocity) / 6.0,
            acceleration: (k1.acceleration
                + (k2.acceleration + k3.acceleration) * 2.0
                + k4.acceleration)
                / 6.0,
            turning: (k1.turning + (k2.turning + k3.turning) * 2.0 + k4.turning) / 6.0,
            angular: (k1.angular + (k2.angular + k3.angular) * 2.0 + k4.angular) / 6.0,
            own,
        };
        (self.motion, self.own) = self.moved(&mean, h);
        self.motion.attitude.renormalize();
    }
}
