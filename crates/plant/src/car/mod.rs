//! A car.
//!
//! ```text
//!   steering ──► rack: lag, rate, limit ──► tyres ──► rigid body on a plane ──► states
//!   acceleration, wind, bank ─────────────────▲
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `dynamics.rs` | the equations of motion, and the properties of car, tyres and body |
//! | `look.rs` | how it is drawn |
//! | `view.rs` | what others see of it |

mod dynamics;
mod look;
mod view;

use ironbird_component::scenery::Scenery;
use ironbird_component::{Choice, Component, Held, Parameters, Shown};
use ironbird_solvers::{Block, Number, Point};
use serde::{Deserialize, Serialize};

use crate::limited_lag::limited_rate;
use dynamics::{Air, Body, Chassis, Moving, Tyres};
pub use view::CarView;

const NORTH: usize = 0;
const EAST: usize = 1;
const HEADING: usize = 2;
const LATERAL: usize = 3;
const YAW_RATE: usize = 4;
const WHEEL: usize = 5;
const FORWARD: usize = 6;

const STEERING: usize = 0;
const ACCELERATION: usize = 1;
const WIND_NORTH: usize = 2;
const WIND_EAST: usize = 3;
const BANK: usize = 4;

/// How fast the cruise control brings the speed back, 1/s.
const CRUISE_RATE: f64 = 1.0;

/// What happens to the speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice, Serialize, Deserialize)]
pub enum SpeedMode {
    /// A cruise control keeps that of the start, as long as its traction suffices.
    #[default]
    Held,
    /// It follows from traction and resistances.
    Free,
}

/// A car on a plane: the dynamic single-track model, in which both wheels of an axle are one.
///
/// Forward is the direction of the heading, angles count from north to east, everything sideways is
/// positive to starboard, and so is steering. Tyres are linear up to the grip of the road; towards
/// standstill the model becomes the kinematic one.
///
/// Mass, axles and tyres are those of the mid-size car in R. Rajamani, *Vehicle Dynamics and Control*.
#[derive(Component, Serialize, Deserialize)]
#[component(type = "plant.car", continuous, scenery = Self::scenery)]
pub struct Car {
    #[group]
    chassis: Chassis,
    #[group]
    tyres: Tyres,
    #[group]
    air: Air,
    #[group]
    rack: Rack,
    /// What happens to the speed: `held` keeps that of the start, as a cruise control does that knows all
    /// forces; `free` lets it follow from `acceleration` and the resistances.
    #[parameter(default = SpeedMode::Held, fixed)]
    speed_mode: SpeedMode,
    /// The most that motor or brakes can do, per mass.
    #[parameter(unit = "m/s^2", default = 3.0, above = 0)]
    traction: f64,
    #[group]
    initial: Initial,
    /// Steering angle of the front wheels that is wanted.
    #[input(index = STEERING, unit = "rad", default = 0.0)]
    steering: Held,
    /// Traction of the motor, negative for the brakes, per mass; with `speed_mode = "free"`.
    #[input(index = ACCELERATION, unit = "m/s^2", default = 0.0)]
    acceleration: Held,
    /// Wind to the north.
    #[input(index = WIND_NORTH, unit = "m/s", default = 0.0)]
    wind_north: Held,
    /// Wind to the east.
    #[input(index = WIND_EAST, unit = "m/s", default = 0.0)]
    wind_east: Held,
    /// Bank of the road; positive where its starboard side is low.
    #[input(index = BANK, unit = "rad", default = 0.0)]
    bank: Held,
    /// Place of the centre of mass to the north.
    #[output(state = NORTH, unit = "m")]
    north: Shown,
    /// Place of the centre of mass to the east.
    #[output(state = EAST, unit = "m")]
    east: Shown,
    /// Where the car points, from north to east; it goes on counting beyond a full turn.
    #[output(state = HEADING, unit = "rad")]
    heading: Shown,
    /// Velocity of the centre of mass to starboard.
    #[output(state = LATERAL, unit = "m/s")]
    lateral_velocity: Shown,
    /// Angular velocity, positive to starboard.
    #[output(state = YAW_RATE, unit = "rad/s")]
    yaw_rate: Shown,
    /// Steering angle of the front wheels.
    #[output(state = WHEEL, unit = "rad")]
    wheel_angle: Shown,
    /// Velocity forward.
    #[output(state = FORWARD, unit = "m/s")]
    speed: Shown,
}

/// What turns the front wheels: electric power steering that is told an angle.
///
/// Its defaults are figures that are usual: 500 deg/s at the steering wheel, and a ratio of 16.
#[derive(Parameters, Serialize, Deserialize)]
struct Rack {
    /// Time constant with which the wheels follow their command.
    #[parameter(unit = "s", default = 0.05, above = 0)]
    time_constant: f64,
    /// Highest angular velocity of the wheels.
    #[parameter(unit = "rad/s", default = 0.55, above = 0)]
    rate_limit: f64,
    /// Largest steering angle.
    #[parameter(unit = "rad", default = 0.6, above = 0, below = 1.5)]
    limit: f64,
}

/// Where and how it starts.
#[derive(Parameters, Serialize, Deserialize)]
struct Initial {
    /// Place to the north.
    #[parameter(unit = "m", default = 0.0, fixed)]
    north: f64,
    /// Place to the east.
    #[parameter(unit = "m", default = 0.0, fixed)]
    east: f64,
    /// Where it points, from north to east.
    #[parameter(unit = "rad", default = 0.0, fixed)]
    heading: f64,
    /// Velocity forward.
    #[parameter(unit = "m/s", default = 25.0, fixed)]
    speed: f64,
}

impl Car {
    fn moving<N: Number>(at: &impl Point<N>) -> Moving<N> {
        Moving {
            forward: at.x(FORWARD),
            lateral: at.x(LATERAL),
            yaw_rate: at.x(YAW_RATE),
            heading: at.x(HEADING),
            wheel: at.x(WHEEL),
            wind: [at.u(WIND_NORTH), at.u(WIND_EAST)],
            bank: at.u(BANK),
        }
    }

    /// u' with the traction that is wanted or, where the speed is held, needed.
    fn forward_acceleration<N: Number>(&self, moving: &Moving<N>, wanted: N) -> N {
        let alone = self.body().forward_acceleration(moving);
        let most = self.traction;
        match self.speed_mode {
            SpeedMode::Free => alone + wanted.clamp(-most, most),
            SpeedMode::Held => {
                // Comes back within seconds after the traction did not suffice.
                let back = (-moving.forward + self.initial.speed) * CRUISE_RATE;
                let needed = back - alone;
                // The sum would not be exactly zero where nothing changes.
                if needed.value().abs() <= most { back } else { alone + needed.clamp(-most, most) }
            }
        }
    }

    fn body(&self) -> Body<'_> {
        Body { chassis: &self.chassis, tyres: &self.tyres, air: &self.air }
    }
}

impl Car {
    fn scenery(&self) -> Option<Scenery> {
        let Chassis { front_axle, rear_axle, .. } = self.chassis;
        Some(Scenery { bodies: vec![look::body(front_axle, rear_axle)], ..Scenery::default() })
    }
}

impl Block for Car {
    fn states(&self) -> usize {
        7
    }

    fn inputs(&self) -> usize {
        5
    }

    fn initial(&self, state: usize) -> f64 {
        match state {
            NORTH => self.initial.north,
            EAST => self.initial.east,
            HEADING => self.initial.heading,
            FORWARD => self.initial.speed,
            _ => 0.0,
        }
    }

    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        let moving = Self::moving(at);
        let (sin, cos) = moving.heading.sin_cos();
        match state {
            NORTH => moving.forward * cos - moving.lateral * sin,
            EAST => moving.forward * sin + moving.lateral * cos,
            HEADING => moving.yaw_rate,
            LATERAL => self.body().lateral_acceleration(&moving),
            YAW_RATE => self.body().yaw_acceleration(&moving),
            WHEEL => {
                let Rack { time_constant, rate_limit, limit } = self.rack;
                let command = at.u(STEERING).clamp(-limit, limit);
                limited_rate(command, moving.wheel, time_constant, rate_limit)
            }
            _ => self.forward_acceleration(&moving, at.u(ACCELERATION)),
        }
    }
}
