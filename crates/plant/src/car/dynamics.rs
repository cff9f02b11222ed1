//! The equations of motion of the single-track model.
//!
//! ```text
//!              l_r          l_f
//!        ●───────────────┼─────────● front, turned by δ to starboard
//!       rear       centre of mass
//!
//! m (v' + u r) = F_f cos δ + F_r + Y + m g sin(bank)             to starboard
//! I r'         = l_f F_f cos δ - l_r F_r + N                     about the axis downwards
//! m (u' - v r) = m a - F_f sin δ - X - c_r m g u / u_e           forward
//!
//! α_f = (u tan δ - v - l_f r) / u_e           F = C α / (1 + (C α / μ F_z)⁴)^¼
//! α_r = (l_r r - v) / u_e                     u_e = (u⁴ + u_0⁴)^¼
//! ```
//!
//! R. Rajamani, *Vehicle Dynamics and Control*, 2nd ed., Springer 2012, sections 2.3 and 2.5: bicycle model
//! with linear tyres. C is the stiffness of an axle, that of two tyres. Two things are ours, and
//! nothing at the speeds and accelerations of that chapter: u_e, which keeps slip angles finite at
//! standstill, where the tyres then hold v and r to the kinematic model (section 2.2), v = l_r r and
//! r = u tan δ / L; and the grip μ F_z, to which the forces tend (0.3 % less than linear at a third of it).
//!
//! The air, with the velocity (u_a, v_a) of the car against it, V its magnitude, A the frontal area and L the
//! wheelbase; N is about the middle between the axles at first, as wind tunnels measure it:
//!
//! ```text
//! X = ½ ρ A c_x V u_a,    Y = -½ ρ A c_y V v_a,    N = -½ ρ A L c_n V v_a + ½ (l_f - l_r) Y
//! ```

use ironbird_component::Parameters;
use ironbird_kinematics::STANDARD_GRAVITY;
use ironbird_solvers::Number;
use serde::{Deserialize, Serialize};

/// ρ of the standard atmosphere at sea level, kg/m³.
const AIR_DENSITY: f64 = 1.225;

/// Added to V² so that V has derivatives in still air at standstill, m²/s².
const LITTLE: f64 = 1e-9;

/// Mass and axles.
#[derive(Parameters, Serialize, Deserialize)]
pub(super) struct Chassis {
    /// Mass m.
    #[parameter(unit = "kg", default = 1573.0, above = 0)]
    mass: f64,
    /// Moment of inertia I about the vertical axis through the centre of mass.
    #[parameter(unit = "kg*m^2", default = 2873.0, above = 0)]
    yaw_inertia: f64,
    /// Distance l_f from the centre of mass to the front axle.
    #[parameter(unit = "m", default = 1.1, above = 0)]
    pub(super) front_axle: f64,
    /// Distance l_r from the centre of mass to the rear axle.
    #[parameter(unit = "m", default = 1.58, above = 0)]
    pub(super) rear_axle: f64,
}

/// Tyres and the road under them.
#[derive(Parameters, Serialize, Deserialize)]
pub(super) struct Tyres {
    /// Cornering stiffness of both front tyres together.
    #[parameter(unit = "N/rad", default = 160e3, above = 0)]
    front_stiffness: f64,
    /// Cornering stiffness of both rear tyres together.
    #[parameter(unit = "N/rad", default = 160e3, above = 0)]
    rear_stiffness: f64,
    /// Grip of the road: the most lateral force of an axle, as a share of its load.
    #[parameter(default = 0.9, above = 0)]
    grip: f64,
    /// Rolling resistance, as a share of the weight.
    #[parameter(default = 0.012, min = 0)]
    rolling_resistance: f64,
    /// Speed u_0 below which the car moves kinematically.
    #[parameter(unit = "m/s", default = 1.0, above = 0)]
    kinematic_below: f64,
}

/// How the air pushes it. The defaults are usual figures of saloon cars.
#[derive(Parameters, Serialize, Deserialize)]
pub(super) struct Air {
    /// Frontal area.
    #[parameter(unit = "m^2", default = 2.2, min = 0)]
    area: f64,
    /// Drag coefficient c_x.
    #[parameter(default = 0.3, min = 0)]
    drag: f64,
    /// Side force coefficient c_y per rad of sideslip.
    #[parameter(unit = "1/rad", default = 2.3, min = 0)]
    side: f64,
    /// Yaw moment coefficient c_n per rad of sideslip; positive turns the nose away from the wind.
    #[parameter(unit = "1/rad", default = 0.6)]
    yaw: f64,
}

/// How it moves, and what acts on it.
pub(super) struct Moving<N> {
    pub forward: N,
    pub lateral: N,
    pub yaw_rate: N,
    pub heading: N,
    /// δ
    pub wheel: N,
    /// North, east.
    pub wind: [N; 2],
    pub bank: N,
}

/// All that the forces depend on.
pub(super) struct Body<'a> {
    pub chassis: &'a Chassis,
    pub tyres: &'a Tyres,
    pub air: &'a Air,
}

/// X, Y and N.
struct AirForces<N> {
    drag: N,
    side: N,
    yaw: N,
}

impl Body<'_> {
    /// v'
    pub fn lateral_acceleration<N: Number>(&self, moving: &Moving<N>) -> N {
        let across = self.front(moving) * moving.wheel.cos() + self.rear(moving);
        let slope = moving.bank.sin() * STANDARD_GRAVITY;
        (across + self.air(moving).side) / self.chassis.mass + slope
            - moving.forward * moving.yaw_rate
    }

    /// r'
    pub fn yaw_acceleration<N: Number>(&self, moving: &Moving<N>) -> N {
        let front = self.front(moving) * moving.wheel.cos() * self.chassis.front_axle;
        let rear = self.rear(moving) * self.chassis.rear_axle;
        (front - rear + self.air(moving).yaw) / self.chassis.yaw_inertia
    }

    /// u' without traction.
    pub fn forward_acceleration<N: Number>(&self, moving: &Moving<N>) -> N {
        let held_back = self.front(moving) * moving.wheel.sin() + self.air(moving).drag;
        let rolling = moving.forward / self.slip_speed(moving)
            * (self.tyres.rolling_resistance * STANDARD_GRAVITY);
        moving.lateral * moving.yaw_rate - held_back / self.chassis.mass - rolling
    }

    /// u_e
    fn slip_speed<N: Number>(&self, moving: &Moving<N>) -> N {
        let square = |x: f64| x * x;
        let slow = square(square(self.tyres.kinematic_below));
        let squared = moving.forward * moving.forward;
        (squared * squared + slow).sqrt().sqrt()
    }

    /// F_f
    fn front<N: Number>(&self, moving: &Moving<N>) -> N {
        let Chassis { front_axle, rear_axle, .. } = *self.chassis;
        let wheel = moving.forward * moving.wheel.tan();
        let across = wheel - moving.lateral - moving.yaw_rate * front_axle;
        let slip = across / self.slip_speed(moving);
        self.tyre(slip * self.tyres.front_stiffness, rear_axle)
    }

    /// F_r
    fn rear<N: Number>(&self, moving: &Moving<N>) -> N {
        let Chassis { front_axle, rear_axle, .. } = *self.chassis;
        let across = moving.yaw_rate * rear_axle - moving.lateral;
        let slip = across / self.slip_speed(moving);
        self.tyre(slip * self.tyres.rear_stiffness, front_axle)
    }

    /// The force of an axle from that of linear tyres; `other` is the distance to the other axle, in whose
    /// proportion this one is loaded.
    fn tyre<N: Number>(&self, linear: N, other: f64) -> N {
        let Chassis { mass, front_axle, rear_axle, .. } = *self.chassis;
        let load = mass * STANDARD_GRAVITY * other / (front_axle + rear_axle);
        let share = linear / (self.tyres.grip * load);
        let squared = share * share;
        linear / (squared * squared + 1.0).sqrt().sqrt()
    }

    fn air<N: Number>(&self, moving: &Moving<N>) -> AirForces<N> {
        let Air { area, drag, side, yaw } = *self.air;
        let Chassis { front_axle, rear_axle, .. } = *self.chassis;
        let (sin, cos) = moving.heading.sin_cos();
        let [north, east] = moving.wind;
        let forward = moving.forward - (north * cos + east * sin);
        let across = moving.lateral - (east * cos - north * sin);
        let speed = (forward * forward + across * across + LITTLE).sqrt();
        let pressure = speed * (0.5 * AIR_DENSITY * area);
        let push = -pressure * across * side;
        let turn = -pressure * across * (yaw * (front_axle + rear_axle));
        AirForces {
            drag: pressure * forward * drag,
            side: push,
            yaw: turn + push * (0.5 * (front_axle - rear_axle)),
        }
    }
}
