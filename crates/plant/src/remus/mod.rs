//! The REMUS 100 as a dynamic model.
//!
//! ```text
//!   rudder, stern, propeller ──► Hull::rate (dynamics) ──► Runge-Kutta ──► motion
//!   current ────────────────────┘    numbers: coefficients
//! ```
//!
//! [`Hull::rate`] is a plain function of state and inputs, so that another solver can use it; [`RemusVehicle`] has
//! the same forces for a world.

pub mod coefficients;
mod dynamics;
mod runge_kutta;
mod vehicle;

use ironbird_component::scenery::{Body, Motion as Moves, Scenery};
use ironbird_component::{Component, Parameters};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step, Time};
use ironbird_kinematics::{Attitude, Earth, EarthParameters, Motion};
use nalgebra::Vector3;

pub use dynamics::{ATTITUDE, DISTANCE, Hull, Inputs, POSITION, State, VELOCITY, attitude};
pub use runge_kutta::advance;
pub use vehicle::RemusVehicle;

use coefficients::REMUS_100;

/// The longest step of the Runge-Kutta method in s, also after a pause: well within its stability for
/// the fastest mode, rolling, of 5 rad/s.
const LONGEST_STEP: f64 = 0.1;

/// A REMUS 100 in six degrees of freedom: added mass, drag, lift, fins, propeller, weight and buoyancy,
/// in a current. It says how it moves as a prepared trajectory does, and takes the place of one.
///
/// Numbers: T. Prestero, Verification of a Six-Degree of Freedom Simulation Model for the REMUS
/// Autonomous Underwater Vehicle, MIT and WHOI, 2001. The propeller drives with the square of its
/// revolutions, 3.86 N at 1525 rpm, which is 1.54 m/s; fins lift in proportion to their deflection, which
/// holds up to some 15 deg. A positive rudder turns to port, positive stern planes dive. On its own it
/// does not keep its course. It is lighter than water and floats up when nothing keeps it down; above
/// the surface it falls.
///
/// At each step it moves through the time since the step before, with the inputs as they are now held
/// over it; the position of the motion is that of the centre of buoyancy. The error of a step is of
/// fifth order in its length divided by `sub_steps`: in 20 s of a hard turn, steps of 10 ms are off by
/// 10 nm, steps of 0.1 s by 30 um. In a closed loop let the links from the fins and the
/// propeller show the value of the instant before: value = "previous".
#[derive(Component)]
#[component(
    type = "drone.remus-100",
    periodic,
    rate = "100 Hz",
    start = Self::begin,
    changed = Self::prepare,
    scenery = Self::scenery
)]
pub struct Remus100 {
    /// Weight; mass is weight / 9.81 m/s^2.
    #[parameter(unit = "N", default = coefficients::WEIGHT, min = 100, max = 1000)]
    weight: f64,
    /// Buoyancy when all of it is under water.
    #[parameter(unit = "N", default = coefficients::BUOYANCY, min = 0, max = 1000)]
    buoyancy: f64,
    /// Steps of the Runge-Kutta method (order 4) in a step of this component; more where one would be
    /// longer than 0.1 s.
    #[parameter(default = 1, min = 1, max = 1000)]
    sub_steps: u32,
    #[group]
    initial: Initial,
    #[group]
    earth: EarthParameters,
    /// Deflection of the rudders; positive turns to port.
    #[input(unit = "rad", default = 0.0)]
    rudder: SignalIn<f64>,
    /// Deflection of the stern planes; positive dives.
    #[input(unit = "rad", default = 0.0)]
    stern: SignalIn<f64>,
    /// Revolutions of the propeller; positive drives forward.
    #[input(unit = "rpm", default = 0.0)]
    propeller: SignalIn<f64>,
    /// Velocity of the water.
    #[input(unit = "m/s", frame = "ned", default = [0.0; 3])]
    current: SignalIn<[f64; 3]>,
    /// Acceleration of the water.
    #[input(unit = "m/s^2", frame = "ned", default = [0.0; 3])]
    current_acceleration: SignalIn<[f64; 3]>,
    /// How it moves: the centre of buoyancy.
    #[output(
        unit = "position: m, velocity: m/s, acceleration: m/s^2, attitude: 1, angular_velocity: rad/s, distance: m",
        frame = "ned, angular_velocity: body"
    )]
    motion: SignalOut<Motion>,
    /// Speed through the water.
    #[output(unit = "m/s")]
    water_speed: SignalOut<f64>,
    state: [f64; 14],
    last: Time,
    #[skip]
    hull: Hull,
    #[skip]
    ground: Earth,
}

/// Where and how it begins.
#[derive(Parameters)]
struct Initial {
    /// Place of the centre of buoyancy at the start: north, east, down.
    #[parameter(unit = "m", default = [0.0; 3], fixed)]
    position: [f64; 3],
    /// Heading at the start.
    #[parameter(unit = "deg", default = 0.0, fixed)]
    heading: f64,
    /// Speed forward through the water at the start; with the current comes that over ground.
    #[parameter(unit = "m/s", default = 0.0, min = -3, max = 3, fixed)]
    speed: f64,
}

impl Remus100 {
    fn scenery(&self) -> Option<Scenery> {
        let body = Body { motion: Moves::Whole("motion".into()), ..vehicle::look() };
        Some(Scenery { bodies: vec![body], ..Scenery::default() })
    }

    fn prepare(&mut self) {
        self.hull = Hull::new(REMUS_100, self.weight, self.buoyancy);
        self.ground = self.earth.earth();
    }

    /// It moves through the water as `initial` says, level.
    fn begin(&mut self, start: &mut Start<'_>) {
        let attitude = Attitude::from_euler(0.0, 0.0, self.initial.heading.to_radians());
        let current = attitude.to_body(Vector3::from(*start.signal(self.current)));
        let mut state = State::zeros();
        state.fixed_rows_mut::<3>(POSITION).copy_from(&Vector3::from(self.initial.position));
        for (n, part) in [attitude.w, attitude.x, attitude.y, attitude.z].into_iter().enumerate() {
            state[ATTITUDE + n] = part;
        }
        let velocity = current + Vector3::x() * self.initial.speed;
        state.fixed_rows_mut::<3>(VELOCITY).copy_from(&velocity);
        self.state = state.into();
        self.last = start.now();
        let inputs = self.inputs(
            *start.signal(self.rudder),
            *start.signal(self.stern),
            *start.signal(self.propeller),
            *start.signal(self.current),
            *start.signal(self.current_acceleration),
        );
        let (motion, speed) = self.shown(&inputs);
        start.write(self.motion, motion);
        start.write(self.water_speed, speed);
    }

    /// What acts, with the direction of gravity and the surface as they are here.
    fn inputs(
        &self,
        rudder: f64,
        stern: f64,
        propeller: f64,
        current: [f64; 3],
        current_acceleration: [f64; 3],
    ) -> Inputs {
        let (current, current_acceleration) = (current.into(), current_acceleration.into());
        let at_origin =
            Inputs { rudder, stern, propeller, current, current_acceleration, ..Inputs::default() };
        match self.ground {
            Earth::Flat => at_origin,
            Earth::Wgs84(_) => {
                let [x, y, z, ..] = self.state;
                let position = Vector3::new(x, y, z);
                let down = self.ground.gravity(position).normalize();
                let depth_of_origin = self.ground.depth(position) - down.dot(&position);
                Inputs { down, depth_of_origin, ..at_origin }
            }
        }
    }

    /// The motion, and the speed through the water.
    fn shown(&self, inputs: &Inputs) -> (Motion, f64) {
        let state = State::from(self.state);
        let rate = self.hull.rate(&state, inputs);
        let attitude: Attitude = nalgebra::UnitQuaternion::new_unchecked(attitude(&state)).into();
        let velocity: Vector3<f64> = state.fixed_rows::<3>(VELOCITY).into();
        let omega: Vector3<f64> = state.fixed_rows::<3>(VELOCITY + 3).into();
        let velocity_rate: Vector3<f64> = rate.fixed_rows::<3>(VELOCITY).into();
        let over_ground = attitude.to_ned(velocity);
        let motion = Motion {
            position: [state[POSITION], state[POSITION + 1], state[POSITION + 2]],
            velocity: over_ground.into(),
            // In the body the velocity changes by v̇, and the body turns.
            acceleration: attitude.to_ned(velocity_rate + omega.cross(&velocity)).into(),
            attitude,
            angular_velocity: omega.into(),
            distance: state[DISTANCE],
        };
        (motion, (over_ground - inputs.current).norm())
    }
}

impl Periodic for Remus100 {
    fn step(&mut self, step: &mut Step<'_>) {
        let inputs = self.inputs(
            *step.signal(self.rudder),
            *step.signal(self.stern),
            *step.signal(self.propeller),
            *step.signal(self.current),
            *step.signal(self.current_acceleration),
        );
        let now = step.now();
        if self.last < now {
            let elapsed = (now - self.last).as_secs_f64();
            // Rarely more than `sub_steps`; `as` saturates for a pause of years.
            let steps = self.sub_steps.max((elapsed / LONGEST_STEP).ceil() as u32);
            self.state = advance(&self.hull, self.state.into(), &inputs, elapsed, steps).into();
            self.last = now;
        }
        if !self.state.iter().all(|x| x.is_finite()) {
            return step.fail(unusable(&inputs));
        }
        let (motion, speed) = self.shown(&inputs);
        step.write(self.motion, motion);
        step.write(self.water_speed, speed);
    }
}

/// Why the motion is no number any more.
fn unusable(inputs: &Inputs) -> String {
    let vectors =
        [("current", inputs.current), ("current_acceleration", inputs.current_acceleration)];
    let vectors = vectors.map(|(name, vector)| (name, vector.sum()));
    let numbers =
        [("rudder", inputs.rudder), ("stern", inputs.stern), ("propeller", inputs.propeller)];
    let mut all = numbers.into_iter().chain(vectors);
    match all.find(|(_, value)| !value.is_finite()) {
        Some((name, value)) => format!("the input \"{name}\" is {value}: it must be a number"),
        None => format!(
            "the motion has grown beyond all numbers with rudder {} rad, stern {} rad, propeller {} \
             rpm, current {:?} m/s: check these inputs, or raise \"sub_steps\"",
            inputs.rudder,
            inputs.stern,
            inputs.propeller,
            inputs.current.as_slice()
        ),
    }
}
