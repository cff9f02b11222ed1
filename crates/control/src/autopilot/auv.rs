//! The component that holds depth, heading and speed of a torpedo-shaped vehicle by the laws of `auv_law.rs`.

use ironbird_component::{Choice, Component, Parameters};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step, Time};
use ironbird_kinematics::{Attitude, Earth, EarthParameters, ScalarSample, VectorSample};
use nalgebra::Vector3;

use super::auv_law::AuvLaw;
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

    fn law(&self) -> AuvLaw {
        let (gain, limit) = (&self.gain, &self.limit);
        AuvLaw {
            depth: gain.depth,
            depth_integral: gain.depth_integral,
            pitch: gain.pitch,
            pitch_integral: gain.pitch_integral,
            pitch_rate: gain.pitch_rate,
            heading: gain.heading,
            yaw_rate: gain.yaw_rate,
            yaw_integral: gain.yaw_integral,
            revolutions: gain.revolutions,
            fin_limit: limit.fin.to_radians(),
            pitch_limit: limit.pitch.to_radians(),
            yaw_rate_limit: limit.yaw_rate.to_radians(),
            revolution_limits: [limit.lowest_revolutions, limit.highest_revolutions],
        }
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
        let law = self.law();
        let stern = law.stern_planes(
            [&mut self.depth_integral, &mut self.pitch_integral],
            deeper,
            [pitch, pitch_rate],
            elapsed,
        );
        let rudder = law.rudders(&mut self.yaw_integral, starboard, yaw_rate, elapsed);
        let propeller = law.propeller(wanted.speed);
        step.write(self.stern, stern);
        step.write(self.rudder, rudder);
        step.write(self.propeller, propeller);
    }
}
