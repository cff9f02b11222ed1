//! The equations of motion of a rigid aircraft over a flat Earth that does not turn.
//!
//! With v the velocity over ground and w the angular velocity, both in the body, R the rotation from the
//! body to north, east, down, and W the wind:
//!
//! ```text
//! va = v - R^T W,   V = |va|,   alpha = atan2(va_z, va_x),   beta = asin(va_y / V)
//! v' = F / m + R^T (0, 0, g) - w x v
//! w' = J^-1 (M - w x (J w + h))           h: angular momentum of motor and propeller
//! r' = R v                                 place: north, east, down
//! q' = 1/2 q (0, w) + (1 - |q|²) q         attitude; the last term keeps its length at one
//! ```
//!
//! B. L. Stevens, F. L. Lewis, "Aircraft Control and Simulation" (2003), 1.5 and 2.3. F and M come from the
//! air ([`Coefficient`]s of the file), the propeller and gravity.
//!
//! A coefficient may depend on alpha'. Only lift acts on alpha' (drag and side force have no part across
//! the velocity in the plane of symmetry), and it may do so in proportion only. With L' the lift for
//! each rad/s, alpha' = a + (-L' / (m Vxz)) alpha' is solved for alpha' in closed form.

use ironbird_solvers::Number;

use super::atmosphere;
use super::coefficients::{Coefficient, Variable, Variables};
use super::propulsion::{Drive, Flow, Propulsion, Shaft};
use super::vector::{Vector, add, cross, rotation, subtract, to_body, to_ned};

/// Below this speed through the air (m/s) there are no aerodynamic forces: angles have no meaning.
const STILL: f64 = 0.05;

/// Which way force coefficients point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axes {
    /// Drag against the velocity through the air, lift across it in the plane of symmetry.
    #[default]
    Wind,
    /// The same, turned by the angle of attack only; the side force is along body y.
    Stability,
    /// Along x, y and z of the body.
    Body,
}

/// Force and moment coefficients.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aerodynamics {
    /// Which way the first three point.
    pub axes: Axes,
    /// Lift, without what is proportional to alpha'; or along z.
    pub lift: Coefficient,
    /// Lift for alpha_rate_hat = 1.
    pub lift_by_alpha_rate: Coefficient,
    /// Drag, or along x.
    pub drag: Coefficient,
    /// Side force, or along y.
    pub side: Coefficient,
    /// Roll, pitch and yaw moment.
    pub moments: [Coefficient; 3],
    /// Whether a coefficient depends on the Mach number.
    pub reads_mach: bool,
    /// Whether one depends on alpha'.
    pub reads_alpha_rate: bool,
}

/// Mass and inertia. The plane x, z is one of symmetry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mass {
    /// kg.
    pub mass: f64,
    /// Jxx, Jyy, Jzz and Jxz (the integral of x z), kg m².
    inertia: [f64; 4],
    /// 1 / mass
    per_mass: f64,
    /// J^-1: xx, yy, zz and xz.
    inverse: [f64; 4],
}

impl Default for Mass {
    /// Without mass: no acceleration is a number.
    fn default() -> Self {
        Mass::new(0.0, [0.0; 4])
    }
}

/// Lengths and areas that coefficients refer to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reference {
    /// m².
    pub area: f64,
    /// m.
    pub span: f64,
    /// m.
    pub chord: f64,
    /// The point to which the moments refer, from the centre of mass: forward, starboard, down.
    pub point: Vector<f64>,
}

/// A rigid body with wings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Airframe {
    /// Mass and inertia.
    pub mass: Mass,
    /// Lengths and areas.
    pub reference: Reference,
    /// Coefficients.
    pub aerodynamics: Aerodynamics,
    /// Motor, propeller, battery.
    pub propulsion: Propulsion,
}

/// Deflections in rad.
#[derive(Clone, Copy, Debug)]
pub struct Deflections<N> {
    /// Positive rolls to starboard.
    pub aileron: N,
    /// Positive pitches the nose down.
    pub elevator: N,
    /// Positive turns the nose to port.
    pub rudder: N,
    /// Positive increases lift.
    pub flap: N,
}

/// Everything that the motion depends on.
#[derive(Clone, Copy, Debug)]
pub struct Situation<N> {
    /// Coordinate down, m.
    pub down: N,
    /// Over ground in the body, m/s.
    pub velocity: Vector<N>,
    /// w, x, y, z.
    pub attitude: [N; 4],
    /// rad/s.
    pub rates: Vector<N>,
    /// North, east, down: where the air moves to, m/s.
    pub wind: Vector<N>,
    /// Angular velocity of the air in the body, rad/s.
    pub gust: Vector<N>,
    /// Of the surfaces.
    pub deflections: Deflections<N>,
    /// Motor and battery.
    pub shaft: Shaft<N>,
    /// m/s².
    pub gravity: f64,
}

/// How a situation changes.
#[derive(Clone, Copy, Debug)]
pub struct Change<N> {
    /// North, east, down.
    pub position: Vector<N>,
    /// In the body.
    pub velocity: Vector<N>,
    /// w, x, y, z.
    pub attitude: [N; 4],
    /// In the body.
    pub rates: Vector<N>,
    /// Of the shaft.
    pub motor_speed: N,
    /// Of the battery.
    pub charge: N,
}

/// What acts on an aircraft, in the body.
#[derive(Clone, Copy, Debug)]
pub struct Loads<N> {
    /// Those of the rotation to north, east, down.
    pub rows: [Vector<N>; 3],
    /// Acceleration of a falling body, m/s².
    pub weight: Vector<N>,
    /// Force of the air, N.
    pub air: Vector<N>,
    /// Moment of the air about the centre of mass, N m.
    pub moment: Vector<N>,
    /// Motor and propeller.
    pub drive: Drive<N>,
}

impl Mass {
    /// A mass in kg and the inertia Jxx, Jyy, Jzz and Jxz in kg m².
    pub fn new(mass: f64, inertia: [f64; 4]) -> Self {
        let [xx, yy, zz, xz] = inertia;
        let scale = 1.0 / (xx * zz - xz * xz);
        let inverse = [zz * scale, 1.0 / yy, xx * scale, xz * scale];
        Mass { mass, inertia, per_mass: 1.0 / mass, inverse }
    }

    /// Jxx, Jyy, Jzz and Jxz, kg m².
    pub fn inertia(&self) -> [f64; 4] {
        self.inertia
    }

    /// J^-1 m
    #[inline]
    fn accelerate<N: Number>(&self, [l, m, n]: Vector<N>) -> Vector<N> {
        let [xx, yy, zz, xz] = self.inverse;
        [l * xx + n * xz, m * yy, l * xz + n * zz]
    }

    /// J w
    #[inline]
    fn momentum<N: Number>(&self, [p, q, r]: Vector<N>) -> Vector<N> {
        let [xx, yy, zz, xz] = self.inertia;
        [p * xx - r * xz, q * yy, r * zz - p * xz]
    }
}

impl Airframe {
    /// How a situation changes.
    pub fn change<N: Number>(&self, at: &Situation<N>) -> Change<N> {
        let Loads { rows, weight, air, moment, drive } =
            self.loads(at, atmosphere::density(-at.down));
        let acceleration = add(self.per_mass(add(air, drive.along())), weight);
        Change {
            position: to_ned(&rows, at.velocity),
            velocity: subtract(acceleration, cross(at.rates, at.velocity)),
            attitude: turned(at.attitude, at.rates),
            rates: self.angular_acceleration(at.rates, moment, &drive),
            motor_speed: drive.speed_rate,
            charge: drive.charge_rate,
        }
    }

    /// What acts in air of a density (kg/m³).
    pub fn loads<N: Number>(&self, at: &Situation<N>, density: N) -> Loads<N> {
        let rows = rotation(at.attitude);
        let air = subtract(at.velocity, to_body(&rows, at.wind));
        let turning = subtract(at.rates, at.gust);
        let weight = rows[2].map(|part| part * at.gravity);
        let shaft = at.shaft;
        let drive = self.propulsion.drive(&Flow { density, airspeed: air[0], shaft });
        let others = add(weight, self.per_mass(drive.along()));
        let (air, moment) = self.air(at, air, turning, density, others);
        Loads { rows, weight, air, moment, drive }
    }

    /// What propulsion does, for those who want to know nothing else.
    pub fn drive<N: Number>(
        &self,
        down: N,
        velocity: Vector<N>,
        attitude: [N; 4],
        wind: Vector<N>,
        shaft: Shaft<N>,
    ) -> Drive<N> {
        let air = subtract(velocity, to_body(&rotation(attitude), wind));
        let density = atmosphere::density(-down);
        self.propulsion.drive(&Flow { density, airspeed: air[0], shaft })
    }

    fn per_mass<N: Number>(&self, force: Vector<N>) -> Vector<N> {
        force.map(|part| part * self.mass.per_mass)
    }

    /// w'
    fn angular_acceleration<N: Number>(
        &self,
        rates: Vector<N>,
        moment: Vector<N>,
        drive: &Drive<N>,
    ) -> Vector<N> {
        let moment = self.driven(moment, drive);
        let mut momentum = self.mass.momentum(rates);
        momentum[0] = momentum[0] + drive.momentum;
        self.mass.accelerate(subtract(moment, cross(rates, momentum)))
    }

    /// The moment of the air with that of the propulsion, but for what turns.
    pub fn driven<N: Number>(&self, moment: Vector<N>, drive: &Drive<N>) -> Vector<N> {
        let arm = self.propulsion.position.map(N::constant);
        let mut moment = add(moment, cross(arm, drive.along()));
        moment[0] = moment[0] + drive.torque;
        moment
    }

    /// Force and moment of the air, in the body. `others` is the acceleration by everything else.
    fn air<N: Number>(
        &self,
        at: &Situation<N>,
        air: Vector<N>,
        turning: Vector<N>,
        density: N,
        others: Vector<N>,
    ) -> (Vector<N>, Vector<N>) {
        let zero = N::constant(0.0);
        let flat_square = air[0] * air[0] + air[2] * air[2];
        let speed = (flat_square + air[1] * air[1]).sqrt();
        if speed.value() < STILL || flat_square.value() < STILL * STILL {
            return ([zero; 3], [zero; 3]);
        }
        let flat = flat_square.sqrt();
        let (per_flat, per_speed) = (flat.recip(), speed.recip());
        let (sin_alpha, cos_alpha) = (air[2] * per_flat, air[0] * per_flat);
        let (sin_beta, cos_beta) = (air[1] * per_speed, flat * per_speed);
        let Reference { area, span, chord, point } = self.reference;
        let half = per_speed * 0.5;
        let mut variables: Variables<N> = [zero; super::coefficients::VARIABLES];
        let mut set = |variable: Variable, value: N| variables[variable as usize] = value;
        set(Variable::Alpha, air[2].atan2(air[0]));
        set(Variable::Beta, air[1].atan2(flat));
        set(Variable::Airspeed, speed);
        set(Variable::RollRate, turning[0] * half * span);
        set(Variable::PitchRate, turning[1] * half * chord);
        set(Variable::YawRate, turning[2] * half * span);
        set(Variable::Aileron, at.deflections.aileron);
        set(Variable::Elevator, at.deflections.elevator);
        set(Variable::Rudder, at.deflections.rudder);
        set(Variable::Flap, at.deflections.flap);
        let data = &self.aerodynamics;
        if data.reads_mach {
            set(Variable::Mach, speed / atmosphere::speed_of_sound(-at.down));
        }
        let pressure_area = density * speed * speed * (0.5 * area);
        let mut lift = data.lift.at(&variables);
        if data.reads_alpha_rate {
            let across = lift * pressure_area * -self.mass.per_mass;
            // Acceleration along and across the velocity in the plane of symmetry, and its turning.
            let normal = others[2] * cos_alpha - others[0] * sin_alpha + across;
            let steady =
                at.rates[1] * flat - air[1] * (at.rates[0] * cos_alpha + at.rates[2] * sin_alpha);
            let rate = (normal + steady) * per_flat;
            let slope = data.lift_by_alpha_rate.at(&variables) * half * chord;
            let reaction = slope * pressure_area * per_flat * self.mass.per_mass;
            let alpha_rate = rate / (reaction + 1.0);
            variables[Variable::AlphaRate as usize] = alpha_rate * half * chord;
            lift = lift + slope * alpha_rate;
        }
        variables[Variable::Lift as usize] = lift;
        let [drag, side] = [&data.drag, &data.side].map(|part| part.at(&variables));
        let coefficients = match data.axes {
            Axes::Body => [drag, side, lift],
            Axes::Stability => {
                [lift * sin_alpha - drag * cos_alpha, side, -(lift * cos_alpha + drag * sin_alpha)]
            }
            Axes::Wind => {
                // Along the shadow of the velocity on the plane of symmetry.
                let back = drag * cos_beta + side * sin_beta;
                [
                    lift * sin_alpha - back * cos_alpha,
                    side * cos_beta - drag * sin_beta,
                    -(lift * cos_alpha + back * sin_alpha),
                ]
            }
        };
        let force = coefficients.map(|part| part * pressure_area);
        let [roll, pitch, yaw] = [0, 1, 2].map(|k| data.moments[k].at(&variables) * pressure_area);
        let moment = [roll * span, pitch * chord, yaw * span];
        (force, add(moment, cross(point.map(N::constant), force)))
    }
}

/// r' = R v
#[inline]
pub fn moved<N: Number>(attitude: [N; 4], velocity: Vector<N>) -> Vector<N> {
    to_ned(&rotation(attitude), velocity)
}

/// q' = 1/2 q (0, w) + (1 - |q|²) q
#[inline]
pub fn turned<N: Number>([w, x, y, z]: [N; 4], [p, q, r]: Vector<N>) -> [N; 4] {
    let pull = -(w * w + x * x + y * y + z * z) + 1.0;
    [
        (x * p + y * q + z * r) * -0.5 + w * pull,
        (w * p + y * r - z * q) * 0.5 + x * pull,
        (w * q + z * p - x * r) * 0.5 + y * pull,
        (w * r + x * q - y * p) * 0.5 + z * pull,
    ]
}
