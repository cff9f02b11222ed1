//! What the filter assumes of its sensors and of its start, as parameters and in SI units.

use ironbird_component::Parameters;
use ironbird_kinematics::STANDARD_GRAVITY;

/// Parameters of the error-state Kalman filter: what it assumes. The defaults are those of a
/// tactical-grade inertial unit with a DVL of 0.2 % and 1 mm/s.
#[derive(Clone, Debug, PartialEq, Parameters)]
pub struct KalmanParameters {
    /// The covariance goes on at least so often; between, only the estimate does.
    #[parameter(unit = "s", default = 0.01, above = 0, max = 1)]
    period: f64,
    /// A measurement is refused when it is less likely than this many standard deviations of a normal
    /// distribution, to one side.
    #[parameter(default = 4.0, min = 1, max = 30)]
    gate: f64,
    /// After so many refusals of a sensor in a row the filter gives in: it widens its covariance by
    /// the last innovation, and believes the sensor again.
    #[parameter(default = 20, min = 1)]
    patience: u32,
    #[group]
    initial: Initial,
    #[group]
    gyroscope: Gyroscope,
    #[group]
    accelerometer: Accelerometer,
    #[group]
    dvl: Dvl,
    #[group]
    barometer: Barometer,
    #[group]
    compass: Compass,
    #[group]
    gps: Gps,
}

/// Standard deviations of the alignment.
#[derive(Clone, Debug, PartialEq, Parameters)]
struct Initial {
    /// Standard deviation of north and of east at the start.
    #[parameter(unit = "m", default = 0.5, min = 0)]
    horizontal: f64,
    /// Standard deviation of down at the start.
    #[parameter(unit = "m", default = 0.1, min = 0)]
    vertical: f64,
    /// Standard deviation of each part of the velocity at the start.
    #[parameter(unit = "m/s", default = 0.02, min = 0)]
    velocity: f64,
    /// Standard deviation of the tilt about north and about east at the start.
    #[parameter(unit = "deg", default = 0.03, min = 0)]
    tilt: f64,
    /// Standard deviation of the heading at the start.
    #[parameter(unit = "deg", default = 0.1, min = 0)]
    heading: f64,
}

/// The gyroscope, each axis.
#[derive(Clone, Debug, PartialEq, Parameters)]
struct Gyroscope {
    /// White noise of the rate (angle random walk).
    #[parameter(unit = "deg/h^0.5", default = 0.1, min = 0)]
    noise: f64,
    /// Standard deviation of the bias at the start.
    #[parameter(unit = "deg/h", default = 1.0, min = 0)]
    bias: f64,
    /// Random walk of the bias.
    #[parameter(unit = "deg/h^1.5", default = 0.0, min = 0)]
    walk: f64,
}

/// The accelerometer, each axis.
#[derive(Clone, Debug, PartialEq, Parameters)]
struct Accelerometer {
    /// White noise of the specific force (velocity random walk).
    #[parameter(unit = "ugn/Hz^0.5", default = 50.0, min = 0)]
    noise: f64,
    /// Standard deviation of the bias at the start.
    #[parameter(unit = "mgn", default = 0.3, min = 0)]
    bias: f64,
    /// Random walk of the bias.
    #[parameter(unit = "mgn/h^0.5", default = 0.0, min = 0)]
    walk: f64,
}

/// The DVL.
#[derive(Clone, Debug, PartialEq, Parameters)]
struct Dvl {
    /// Standard deviation of the white noise of a sample, each axis.
    #[parameter(unit = "m/s", default = 0.001, above = 0)]
    noise: f64,
    /// Standard deviation of the scale factor, each axis.
    #[parameter(default = 0.002, min = 0)]
    scale: f64,
    /// Standard deviation of the misalignment about down; 0 deg and the filter does not look for one.
    #[parameter(unit = "deg", default = 0.0, min = 0, max = 45)]
    misalignment: f64,
}

/// The barometer.
#[derive(Clone, Debug, PartialEq, Parameters)]
struct Barometer {
    /// Standard deviation of the white noise of a sample.
    #[parameter(unit = "Pa", default = 200.0, above = 0)]
    noise: f64,
    /// Standard deviation of its constant bias.
    #[parameter(unit = "Pa", default = 500.0, min = 0)]
    bias: f64,
}

/// The compass.
#[derive(Clone, Debug, PartialEq, Parameters)]
struct Compass {
    /// Standard deviation of the white noise of a sample.
    #[parameter(unit = "deg", default = 0.5, above = 0)]
    noise: f64,
    /// Standard deviation of its slow error: declination, iron aboard.
    #[parameter(unit = "deg", default = 2.0, min = 0)]
    bias: f64,
    /// Correlation time of the slow error.
    #[parameter(unit = "s", default = 600.0, above = 0)]
    correlation: f64,
}

/// The satellite receiver.
#[derive(Clone, Debug, PartialEq, Parameters)]
struct Gps {
    /// Standard deviation of north and of east of a fix.
    #[parameter(unit = "m", default = 1.5, above = 0)]
    horizontal: f64,
    /// Standard deviation of down of a fix.
    #[parameter(unit = "m", default = 3.0, above = 0)]
    vertical: f64,
    /// Standard deviation of each part of the velocity.
    #[parameter(unit = "m/s", default = 0.05, above = 0)]
    velocity: f64,
}

/// What the filter assumes, in SI units: standard deviations, and densities of noise.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Assumptions {
    pub period: f64,
    pub gate: f64,
    pub patience: u32,
    /// Of the alignment; vertical and heading are apart from the other axes.
    pub initial_horizontal: f64,
    pub initial_vertical: f64,
    pub initial_velocity: f64,
    pub initial_tilt: f64,
    pub initial_heading: f64,
    /// rad/s^0.5, rad/s, rad/s^1.5.
    pub gyroscope_noise: f64,
    pub gyroscope_bias: f64,
    pub gyroscope_walk: f64,
    /// m/s^1.5, m/s^2, m/s^2.5.
    pub accelerometer_noise: f64,
    pub accelerometer_bias: f64,
    pub accelerometer_walk: f64,
    pub dvl_noise: f64,
    pub dvl_scale: f64,
    pub dvl_misalignment: f64,
    /// Of the depth in m.
    pub depth_noise: f64,
    pub depth_bias: f64,
    pub compass_noise: f64,
    pub compass_bias: f64,
    pub compass_correlation: f64,
    pub gps_horizontal: f64,
    pub gps_vertical: f64,
    pub gps_velocity: f64,
}

impl KalmanParameters {
    /// In SI units; `per_metre` is what a metre of water adds to the pressure, in Pa.
    pub fn assumptions(&self, per_metre: f64) -> Assumptions {
        const HOUR: f64 = 3600.0;
        let KalmanParameters {
            initial,
            gyroscope,
            accelerometer,
            dvl,
            barometer,
            compass,
            gps,
            ..
        } = self;
        Assumptions {
            period: self.period,
            gate: self.gate,
            patience: self.patience,
            initial_horizontal: initial.horizontal,
            initial_vertical: initial.vertical,
            initial_velocity: initial.velocity,
            initial_tilt: initial.tilt.to_radians(),
            initial_heading: initial.heading.to_radians(),
            gyroscope_noise: gyroscope.noise.to_radians() / HOUR.sqrt(),
            gyroscope_bias: gyroscope.bias.to_radians() / HOUR,
            gyroscope_walk: gyroscope.walk.to_radians() / (HOUR * HOUR.sqrt()),
            accelerometer_noise: accelerometer.noise * 1e-6 * STANDARD_GRAVITY,
            accelerometer_bias: accelerometer.bias * 1e-3 * STANDARD_GRAVITY,
            accelerometer_walk: accelerometer.walk * 1e-3 * STANDARD_GRAVITY / HOUR.sqrt(),
            dvl_noise: dvl.noise,
            dvl_scale: dvl.scale,
            dvl_misalignment: dvl.misalignment.to_radians(),
            depth_noise: barometer.noise / per_metre,
            depth_bias: barometer.bias / per_metre,
            compass_noise: compass.noise.to_radians(),
            compass_bias: compass.bias.to_radians(),
            compass_correlation: compass.correlation,
            gps_horizontal: gps.horizontal,
            gps_vertical: gps.vertical,
            gps_velocity: gps.velocity,
        }
    }
}
