//! The equations of motion of a torpedo-shaped vehicle, as a function of state and inputs.
//!
//! ```text
//! ν = (u v w p q r): velocity over ground and angular velocity, in the body, of the centre of buoyancy
//! ν_r = ν - ν_c: the same relative to the water, ν_c = (Rᵀ current, 0)
//!
//! (M_RB + M_A) ν̇ = H(ν_r) - C_RB(ν) ν + M_A ν̇_c + m_w (Rᵀ a_c, 0) + hydrostatics + fins + propeller
//!
//! C_RB(ν) ν = ( m (ω × v + ω × (ω × r_g)),  ω × I ω + m r_g × (ω × v) )
//! hydrostatics = ( (W - f B) Rᵀ down,  r_g × W Rᵀ down )
//! ṗ = R v,   q̇ = ½ q ω,   ṡ = |v|
//! ```
//!
//! H is Prestero's sum of drag, lift and the Coriolis forces of added mass, without the terms of the
//! rigid body; fin forces go with u_r² and the deflection.
//!
//! **Current.** The water moves as a whole, without rotation (T. I. Fossen, *Handbook of Marine Craft
//! Hydrodynamics and Motion Control*, 2011, on irrotational currents): hydrodynamics depend on ν_r, inertia
//! of the body on ν, and ν̇_c = (-ω × Rᵀ current + Rᵀ a_c, 0), where a_c is the acceleration of the
//! water. Where water accelerates it has a pressure gradient, which pushes the vehicle with the force
//! m_w a_c on the displaced water, m_w = f B / g: a vehicle as heavy as that water goes with it.
//!
//! **Propeller.** Thrust and torque are those of cruise times (n / n_cruise) |n / n_cruise|, whatever the
//! speed of advance: with drag in u |u| the speed is then proportional to the revolutions.
//!
//! **Surface.** The part f of the hull under water goes linearly from 0 to 1 while the centre goes from
//! h/2 above the surface to h/2 below it, with h = d + (l - d) |sin θ| the height that the hull takes
//! up at pitch θ. The centre of buoyancy stays where it is, and hydrodynamics are those under water: a
//! vehicle that breaks the surface falls back, but the details of the splash are not to be believed.
//!
//! **Earth.** Weight acts along `down`. The rotation of the Earth is left out: water that rests on the
//! Earth has the pressure gradient that balances it.

use nalgebra::{Matrix3, Matrix6, Quaternion, SVector, UnitQuaternion, Vector3, Vector4, Vector6};

use super::coefficients::{
    CRUISE_REVOLUTIONS, CRUISE_THRUST, CRUISE_TORQUE, Coefficients, DIAMETER, GRAVITY, INERTIA,
    LENGTH, REMUS_100, Z_G,
};

/// Position (ned, m), attitude (quaternion w x y z, body to ned), ν (m/s, rad/s), distance (m).
pub type State = SVector<f64, 14>;

/// First of the three numbers of the position.
pub const POSITION: usize = 0;
/// First of the four numbers of the attitude.
pub const ATTITUDE: usize = 3;
/// First of the six numbers of ν.
pub const VELOCITY: usize = 7;
/// The distance.
pub const DISTANCE: usize = 13;

/// What acts on the vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inputs {
    /// Deflection of the rudders in rad; positive turns to port.
    pub rudder: f64,
    /// Deflection of the stern planes in rad; positive dives.
    pub stern: f64,
    /// Revolutions of the propeller in rpm; positive drives forward.
    pub propeller: f64,
    /// Velocity of the water in m/s: north, east, down.
    pub current: Vector3<f64>,
    /// Acceleration of the water in m/s²: north, east, down.
    pub current_acceleration: Vector3<f64>,
    /// The direction of gravity in north, east, down; length one.
    pub down: Vector3<f64>,
    /// The depth at a position is its part along `down` plus this, in m.
    pub depth_of_origin: f64,
}

/// At rest in still water on a flat Earth.
impl Default for Inputs {
    fn default() -> Self {
        Inputs {
            rudder: 0.0,
            stern: 0.0,
            propeller: 0.0,
            current: Vector3::zeros(),
            current_acceleration: Vector3::zeros(),
            down: Vector3::z(),
            depth_of_origin: 0.0,
        }
    }
}

/// A vehicle: its masses and coefficients, with the mass matrix solved.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    coefficients: Coefficients,
    weight: f64,
    pub(super) buoyancy: f64,
    pub(super) mass: f64,
    pub(super) inertia: Matrix3<f64>,
    pub(super) added_mass: Matrix6<f64>,
    /// (M_RB + M_A)⁻¹
    inverse: Matrix6<f64>,
}

/// The REMUS 100 as published.
impl Default for Hull {
    fn default() -> Self {
        use super::coefficients::{BUOYANCY, WEIGHT};
        Hull::new(REMUS_100, WEIGHT, BUOYANCY)
    }
}

impl Hull {
    /// A hull of the size of the REMUS 100 with these coefficients, weight and buoyancy (N).
    ///
    /// A mass matrix that cannot be solved, as only absurd coefficients make it, leaves accelerations
    /// that are no numbers.
    pub fn new(coefficients: Coefficients, weight: f64, buoyancy: f64) -> Self {
        let mass = weight / GRAVITY;
        let inertia = Matrix3::from_diagonal(&Vector3::from(INERTIA));
        let lever = Vector3::new(0.0, 0.0, Z_G).cross_matrix() * mass;
        let mut rigid = Matrix6::zeros();
        rigid.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix3::identity() * mass));
        rigid.fixed_view_mut::<3, 3>(0, 3).copy_from(&-lever);
        rigid.fixed_view_mut::<3, 3>(3, 0).copy_from(&lever);
        rigid.fixed_view_mut::<3, 3>(3, 3).copy_from(&inertia);
        let added_mass = added_mass(&coefficients);
        let inverse = (rigid + added_mass).try_inverse();
        let inverse = inverse.unwrap_or_else(|| Matrix6::from_element(f64::NAN));
        Hull { coefficients, weight, buoyancy, mass, inertia, added_mass, inverse }
    }

    /// How the state changes per second.
    pub fn rate(&self, state: &State, inputs: &Inputs) -> State {
        let q = attitude(state);
        let to_ned = UnitQuaternion::new_unchecked(q).to_rotation_matrix().into_inner();
        let velocity: Vector3<f64> = state.fixed_rows::<3>(VELOCITY).into();
        let omega: Vector3<f64> = state.fixed_rows::<3>(VELOCITY + 3).into();
        let down = to_ned.tr_mul(&inputs.down);
        let acceleration_of_water = to_ned.tr_mul(&inputs.current_acceleration);
        let current = to_ned.tr_mul(&inputs.current);
        let position: Vector3<f64> = state.fixed_rows::<3>(POSITION).into();
        let depth = inputs.down.dot(&position) + inputs.depth_of_origin;
        let buoyancy = self.buoyancy * immersed(depth, down.x);

        let mut force = self.hydrodynamics(velocity - current, omega, inputs);
        // The rigid body, its weight, buoyancy, and the pressure gradient of accelerated water.
        let lever = Vector3::new(0.0, 0.0, Z_G);
        let spin = omega.cross(&velocity);
        let linear = (spin + omega.cross(&omega.cross(&lever))) * -self.mass
            + down * (self.weight - buoyancy)
            + acceleration_of_water * (buoyancy / GRAVITY);
        let angular = lever.cross(&(down * self.weight - spin * self.mass))
            - omega.cross(&(self.inertia * omega));
        // Added mass feels the acceleration of the water as the body sees it.
        let water = acceleration_of_water - omega.cross(&current);
        force += join(linear, angular) + self.added_mass * join(water, Vector3::zeros());

        let turning = q * Quaternion::from_imag(omega) * 0.5;
        let mut rate = State::zeros();
        rate.fixed_rows_mut::<3>(POSITION).copy_from(&(to_ned * velocity));
        let turning = Vector4::new(turning.w, turning.i, turning.j, turning.k);
        rate.fixed_rows_mut::<4>(ATTITUDE).copy_from(&turning);
        rate.fixed_rows_mut::<6>(VELOCITY).copy_from(&(self.inverse * force));
        rate[DISTANCE] = velocity.norm();
        rate
    }

    /// Forces and moments of the water, but for those of its own motion: drag, lift, the Coriolis
    /// forces of added mass, fins, propeller.
    pub(super) fn hydrodynamics(
        &self,
        velocity: Vector3<f64>,
        omega: Vector3<f64>,
        inputs: &Inputs,
    ) -> Vector6<f64> {
        let c = &self.coefficients;
        let (u, v, w) = (velocity.x, velocity.y, velocity.z);
        let (p, q, r) = (omega.x, omega.y, omega.z);
        let (uu, vv, ww) = (u * u.abs(), v * v.abs(), w * w.abs());
        let (pp, qq, rr) = (p * p.abs(), q * q.abs(), r * r.abs());
        let dynamic = u * u;
        let turns = inputs.propeller / CRUISE_REVOLUTIONS;
        let drive = turns * turns.abs();
        Vector6::new(
            c.Xuu * uu
                + c.Xwq * w * q
                + c.Xqq * q * q
                + c.Xvr * v * r
                + c.Xrr * r * r
                + CRUISE_THRUST * drive,
            c.Yvv * vv
                + c.Yrr * rr
                + c.Yuv * u * v
                + c.Ywp * w * p
                + c.Yur * u * r
                + c.Ypq * p * q
                + c.Yuudr * dynamic * inputs.rudder,
            c.Zww * ww
                + c.Zqq * qq
                + c.Zuw * u * w
                + c.Zuq * u * q
                + c.Zvp * v * p
                + c.Zrp * r * p
                + c.Zuuds * dynamic * inputs.stern,
            c.Kpp * pp + CRUISE_TORQUE * drive,
            c.Mww * ww
                + c.Mqq * qq
                + c.Mrp * r * p
                + c.Muq * u * q
                + c.Muw * u * w
                + c.Mvp * v * p
                + c.Muuds * dynamic * inputs.stern,
            c.Nvv * vv
                + c.Nrr * rr
                + c.Nuv * u * v
                + c.Npq * p * q
                + c.Nwp * w * p
                + c.Nur * u * r
                + c.Nuudr * dynamic * inputs.rudder,
        )
    }
}

/// The attitude of a state.
pub fn attitude(state: &State) -> Quaternion<f64> {
    let at = |n: usize| state[ATTITUDE + n];
    Quaternion::new(at(0), at(1), at(2), at(3))
}

/// The part of the hull that is under water. `nose_down` is the sine of the angle by which it points
/// down.
pub(super) fn immersed(depth: f64, nose_down: f64) -> f64 {
    let height = DIAMETER + (LENGTH - DIAMETER) * nose_down.abs();
    (0.5 + depth / height).clamp(0.0, 1.0)
}

fn join(linear: Vector3<f64>, angular: Vector3<f64>) -> Vector6<f64> {
    Vector6::new(linear.x, linear.y, linear.z, angular.x, angular.y, angular.z)
}

/// M_A: minus the coefficients of accelerations.
#[rustfmt::skip]
fn added_mass(c: &Coefficients) -> Matrix6<f64> {
    -Matrix6::new(
        c.Xud, 0.0,   0.0,   0.0,   0.0,   0.0,
        0.0,   c.Yvd, 0.0,   0.0,   0.0,   c.Yrd,
        0.0,   0.0,   c.Zwd, 0.0,   c.Zqd, 0.0,
        0.0,   0.0,   0.0,   c.Kpd, 0.0,   0.0,
        0.0,   0.0,   c.Mwd, 0.0,   c.Mqd, 0.0,
        0.0,   c.Nvd, 0.0,   0.0,   0.0,   c.Nrd,
    )
}
