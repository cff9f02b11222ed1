//! Depth, heading and speed of a torpedo-shaped vehicle by rudder, stern planes and propeller.
//!
//! ```text
//! depth      θ_w = -(k_z (z_w - z) + I_z),      I_z' = k_zi (z_w - z),  |θ_w| <= pitch limit
//! pitch      δ_s = k_θ (θ - θ_w) + k_q q + I_θ,  I_θ' = k_θi (θ - θ_w),  |δ_s| <= fin limit
//! heading    r_w = k_ψ (ψ_w - ψ),                                        |r_w| <= rate limit
//! yaw rate   δ_r = -(k_r (r_w - r) + I_r),       I_r' = k_ri (r_w - r),  |δ_r| <= fin limit
//! speed      n   = U_w · revolutions per speed,                          within its limits
//! ```
//!
//! Positive stern planes dive and a positive rudder turns to port, as in T. Prestero's model (thesis, MIT
//! and WHOI, 2001), whose depth controller has the same two loops: from depth to pitch, from pitch to
//! the planes. The integral of depth finds the pitch at which a buoyant vehicle keeps its depth, that of
//! pitch the deflection that holds this pitch. Integrals stand still while their command is at its limit.
//!
//! Fins lift with the square of the speed. Held down by an angle of attack alone, the hull of the REMUS
//! would be turned further by its Munk moment, so that there is a slowest speed at which the planes can
//! hold it against its buoyancy:
//!
//! ```text
//! (B - W + Z_uuds u² δ) M_uw / -Z_uw = -M_uuds u² δ + W z_g sin θ
//! ```
//!
//! With B - W = 7 N and δ = 13.6 deg that is 1.27 m/s, with 3.3 N it is 0.83 m/s. The gains are for 1.4 to
//! 2.5 m/s.

use ironbird_component::{Choice, Component, Parameters};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step, Time};
use ironbird_kinematics::{Attitude, Earth, EarthParameters, ScalarSample, VectorSample};
use nalgebra::Vector3;

use super::set_points::SetPoints;
use super::wrapped;
use crate::integral::Integral;

/// Where the set points come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Choice)]
enum Guidance {
    /// The parameters `depth` or `above_bed`, `heading` and `speed`.
    #[default]
    SetPoints,
    /// The input `set_points`.
    Mission,
}

/// What is held in the vertical.
#[derive(Clone, Copy, Debug, Default, PartialEq, Choice)]
enum Vertical {
    /// The depth.
    #[default]
    Depth,
    /// The height above the sea bed.
    Height,
}

/// An autopilot for a torpedo-shaped underwater vehicle such as the REMUS 100: holds depth or height
/// above the sea bed, heading, and speed.
///
/// Two loops steer in the vertical: the error of depth asks for a pitch, that of pitch for a deflection
/// of the stern planes. Two steer the heading: its error asks for a yaw rate, that of the rate for a
/// deflection of the rudders. Speed becomes revolutions of the propeller in proportion; it is the speed
/// through the water. Positive stern planes dive, a positive rudder turns to port.
///
/// While `guidance` is `set-points` the parameters say what to hold, `mission` takes it from the input
/// `set_points`. A height above the sea bed is held while the input `height` is valid; without it the
/// depth counts.
#[derive(Component)]
#[component(
    type = "autopilot.auv",
    periodic,
    rate = "10 Hz",
    start = Self::begin,
    check = Self::check,
    changed = Self::prepare
)]
pub struct AuvAutopilot {
    /// Where set points come from: `set-points` are the parameters here, `mission` is the input
    /// `set_points`.
    #[parameter(default = Guidance::SetPoints)]
    guidance: Guidance,
    /// What is held in the vertical while the parameters are the set points: `depth`, or `height` above
    /// the sea bed.
    #[parameter(default = Vertical::Depth)]
    vertical: Vertical,
    /// Depth to hold.
    #[parameter(unit = "m", default = 0.0)]
    depth: f64,
    /// Height above the sea bed to hold.
    #[parameter(unit = "m", default = 5.0, min = 0)]
    above_bed: f64,
    /// Heading to hold.
    #[parameter(unit = "deg", default = 0.0)]
    heading: f64,
    /// Speed through the water to hold.
    #[parameter(unit = "m/s", default = 1.54, min = 0)]
    speed: f64,
    #[group]
    gain: Gains,
    #[group]
    limit: Limits,
    #[group]
    earth: EarthParameters,
    /// Position.
    #[input(unit = "m", frame = "ned")]
    position: SignalIn<[f64; 3]>,
    /// Attitude.
    #[input]
    attitude: SignalIn<Attitude>,
    /// Angular velocity, as a gyroscope measures it; taken as zero while it is not valid.
    #[input(unit = "value: rad/s", frame = "body")]
    angular_velocity: SignalIn<VectorSample>,
    /// Height above the sea bed.
    #[input(unit = "value: m", default = ScalarSample::default())]
    height: SignalIn<ScalarSample>,
    /// What to hold while `guidance` is `mission`.
    #[input(
        unit = "heading: rad, depth: m, height: m, speed: m/s",
        default = SetPoints::default()
    )]
    set_points: SignalIn<SetPoints>,
    /// Deflection of the rudders.
    #[output(unit = "rad", initial = 0.0)]
    rudder: SignalOut<f64>,
    /// Deflection of the stern planes.
    #[output(unit = "rad", initial = 0.0)]
    stern: SignalOut<f64>,
    /// Revolutions of the propeller.
    #[output(unit = "rpm", initial = 0.0)]
    propeller: SignalOut<f64>,
    depth_integral: Integral,
    pitch_integral: Integral,
    yaw_integral: Integral,
    last: Time,
    #[skip]
    ground: Earth,
}

/// Gains. The defaults are for the REMUS 100.
#[derive(Parameters)]
struct Gains {
    /// Pitch per error of depth, k_z.
    #[parameter(unit = "rad/m", default = 0.3, min = 0)]
    depth: f64,
    /// Change of pitch per error of depth and second, k_zi.
    #[parameter(unit = "rad/m/s", default = 0.006, min = 0)]
    depth_integral: f64,
    /// Deflection of the stern planes per error of pitch, k_theta.
    #[parameter(default = 2.5, min = 0)]
    pitch: f64,
    /// Change of the deflection of the stern planes per error of pitch and second, k_theta_i.
    #[parameter(unit = "1/s", default = 0.5, min = 0)]
    pitch_integral: f64,
    /// Deflection of the stern planes per pitch rate, k_q.
    #[parameter(unit = "s", default = 2.0, min = 0)]
    pitch_rate: f64,
    /// Yaw rate per error of heading, k_psi.
    #[parameter(unit = "1/s", default = 0.4, min = 0)]
    heading: f64,
    /// Deflection of the rudders per error of the yaw rate, k_r.
    #[parameter(unit = "s", default = 3.0, min = 0)]
    yaw_rate: f64,
    /// Change of the deflection of the rudders per error of the yaw rate and second, k_ri.
    #[parameter(default = 0.3, min = 0)]
    yaw_integral: f64,
    /// Revolutions per speed.
    #[parameter(unit = "rpm*s/m", default = 1525.0 / 1.54, above = 0)]
    revolutions: f64,
}

/// Limits. The defaults are for the REMUS 100.
#[derive(Parameters)]
struct Limits {
    /// Largest deflection of rudders and stern planes.
    #[parameter(unit = "deg", default = 13.6, above = 0, max = 90)]
    fin: f64,
    /// Largest pitch to go up or down with.
    #[parameter(unit = "deg", default = 15.0, above = 0, max = 60)]
    pitch: f64,
    /// Largest yaw rate.
    #[parameter(unit = "deg/s", default = 6.0, above = 0)]
    yaw_rate: f64,
    /// Lowest revolutions of the propeller.
    #[parameter(unit = "rpm", default = 0.0)]
    lowest_revolutions: f64,
    /// Highest revolutions of the propeller.
    #[parameter(unit = "rpm", default = 2500.0)]
    highest_revolutions: f64,
}

impl AuvAutopilot {
    fn check(&self) -> Result<(), String> {
        let (lowest, highest) = (self.limit.lowest_revolutions, self.limit.highest_revolutions);
        if lowest <= highest {
            return Ok(());
        }
        Err(format!(
            "\"limit.lowest_revolutions\" ({lowest} rpm) must not be above \
             \"limit.highest_revolutions\" ({highest} rpm)"
        ))
    }

    fn prepare(&mut self) {
        self.ground = self.earth.earth();
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        self.last = start.now();
    }

    /// What to hold; `None` if guidance has none.
    fn wanted(&self, given: &SetPoints) -> Option<SetPoints> {
        match self.guidance {
            Guidance::Mission => given.valid.then_some(*given),
            Guidance::SetPoints => Some(SetPoints {
                heading: self.heading.to_radians(),
                depth: self.depth,
                height: self.above_bed,
                by_height: self.vertical == Vertical::Height,
                speed: self.speed,
                valid: true,
            }),
        }
    }

    /// The deflection of the stern planes for an error of depth, positive where it must go deeper.
    fn stern_planes(&mut self, deeper: f64, pitch: f64, pitch_rate: f64, elapsed: f64) -> f64 {
        let (gain, limit) = (&self.gain, self.limit.pitch.to_radians());
        let growth = -gain.depth_integral * deeper * elapsed;
        let wanted = self.depth_integral.command(-gain.depth * deeper, growth, -limit, limit);
        let fin = self.limit.fin.to_radians();
        let planes = gain.pitch * (pitch - wanted) + gain.pitch_rate * pitch_rate;
        let growth = gain.pitch_integral * (pitch - wanted) * elapsed;
        self.pitch_integral.command(planes, growth, -fin, fin)
    }

    /// The deflection of the rudders for an error of heading, positive where it must turn to starboard.
    fn rudders(&mut self, starboard: f64, yaw_rate: f64, elapsed: f64) -> f64 {
        let (gain, limit) = (&self.gain, self.limit.yaw_rate.to_radians());
        let wanted = (gain.heading * starboard).clamp(-limit, limit);
        let error = wanted - yaw_rate;
        let growth = -gain.yaw_integral * error * elapsed;
        let fin = self.limit.fin.to_radians();
        self.yaw_integral.command(-gain.yaw_rate * error, growth, -fin, fin)
    }
}

impl Periodic for AuvAutopilot {
    fn step(&mut self, step: &mut Step<'_>) {
        let Some(wanted) = self.wanted(step.signal(self.set_points)) else {
            return step.fail(
                "\"guidance\" is \"mission\", but the input \"set_points\" has none: link it to a \
                 guidance.line-of-sight, or set \"guidance\" to \"set-points\"",
            );
        };
        let depth = self.ground.depth(Vector3::from(*step.signal(self.position)));
        let [_, pitch, heading] = step.signal(self.attitude).to_euler();
        let gyroscope = *step.signal(self.angular_velocity);
        let [_, pitch_rate, yaw_rate] = if gyroscope.valid { gyroscope.value } else { [0.0; 3] };
        let height = *step.signal(self.height);
        let deeper = if wanted.by_height && height.valid {
            height.value - wanted.height
        } else {
            wanted.depth - depth
        };
        let elapsed = (step.now() - self.last).as_secs_f64();
        self.last = step.now();
        // An error of one of them that is no number would stay in the integrals.
        let starboard = wrapped(wanted.heading - heading);
        let seen = [deeper, pitch, pitch_rate, starboard, yaw_rate, wanted.speed];
        if !seen.iter().all(|x| x.is_finite()) {
            let names = "error of depth, pitch, pitch rate, error of heading, yaw rate, speed";
            return step.fail(format!("what it sees must be numbers; {names}: {seen:?}"));
        }
        let stern = self.stern_planes(deeper, pitch, pitch_rate, elapsed);
        let rudder = self.rudders(starboard, yaw_rate, elapsed);
        let (lowest, highest) = (self.limit.lowest_revolutions, self.limit.highest_revolutions);
        let propeller = (wanted.speed * self.gain.revolutions).clamp(lowest, highest);
        step.write(self.stern, stern);
        step.write(self.rudder, rudder);
        step.write(self.propeller, propeller);
    }
}
