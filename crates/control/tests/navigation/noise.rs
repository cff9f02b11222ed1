//! Sensors with errors: what the filter assumes, and draws of it.

use std::f64::consts::TAU;

use ironbird_control::navigation::{Assumptions, Estimate};
use nalgebra::Vector3;

use crate::truth::Readings;

/// Random numbers by SplitMix64 (Steele, Lea and Flood 2014), normal ones by Box and Muller.
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Noise(seed.wrapping_mul(0xD1B5_4A32_D192_ED03))
    }

    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(1.0 - self.uniform())).sqrt();
        radius * libm::cos(TAU * self.uniform())
    }

    pub fn vector(&mut self, deviation: f64) -> Vector3<f64> {
        Vector3::from_fn(|_, _| deviation * self.normal())
    }
}

/// DVL 0.2 % and 1 mm/s, gyroscope 1 deg/h and 0.1 deg/√h, accelerometer 0.3 mg and 50 µg/√Hz.
pub fn tactical() -> Assumptions {
    let hour = 3600.0_f64;
    Assumptions {
        period: 0.01,
        gate: 4.0,
        patience: 20,
        initial_horizontal: 0.5,
        initial_vertical: 0.1,
        initial_velocity: 0.02,
        initial_tilt: 0.03_f64.to_radians(),
        initial_heading: 0.1_f64.to_radians(),
        gyroscope_noise: 0.1_f64.to_radians() / hour.sqrt(),
        gyroscope_bias: 1.0_f64.to_radians() / hour,
        gyroscope_walk: 0.0,
        accelerometer_noise: 50e-6 * 9.8,
        accelerometer_bias: 0.3e-3 * 9.8,
        accelerometer_walk: 0.0,
        dvl_noise: 1e-3,
        dvl_scale: 2e-3,
        dvl_misalignment: 0.0,
        depth_noise: 0.02,
        depth_bias: 0.05,
        compass_noise: 0.5_f64.to_radians(),
        compass_bias: 2.0_f64.to_radians(),
        compass_correlation: 600.0,
        gps_horizontal: 1.5,
        gps_vertical: 3.0,
        gps_velocity: 0.05,
    }
}

/// The sensors of one run: their constant errors, drawn once.
pub struct Suite {
    pub noise: Noise,
    assumed: Assumptions,
    pub gyroscope_bias: Vector3<f64>,
    pub accelerometer_bias: Vector3<f64>,
    pub dvl_scale: Vector3<f64>,
    depth_bias: f64,
    compass_bias: f64,
}

impl Suite {
    pub fn new(seed: u64, assumed: &Assumptions) -> Self {
        let mut noise = Noise::new(seed);
        Suite {
            gyroscope_bias: noise.vector(assumed.gyroscope_bias),
            accelerometer_bias: noise.vector(assumed.accelerometer_bias),
            dvl_scale: noise.vector(assumed.dvl_scale),
            depth_bias: assumed.depth_bias * noise.normal(),
            compass_bias: assumed.compass_bias * noise.normal(),
            noise,
            assumed: assumed.clone(),
        }
    }

    /// An alignment that is wrong by as much as the filter assumes.
    pub fn alignment(&mut self, truth: &Estimate) -> Estimate {
        let (noise, assumed) = (&mut self.noise, &self.assumed);
        let (horizontal, tilt) = (assumed.initial_horizontal, assumed.initial_tilt);
        let scale = Vector3::new(horizontal, horizontal, assumed.initial_vertical);
        let position = truth.position + noise.vector(1.0).component_mul(&scale);
        let velocity = truth.velocity + noise.vector(assumed.initial_velocity);
        let scale = Vector3::new(tilt, tilt, assumed.initial_heading);
        let angle = noise.vector(1.0).component_mul(&scale);
        let turned = nalgebra::UnitQuaternion::from_scaled_axis(angle);
        let attitude = (turned * truth.attitude.quaternion()).into();
        Estimate { position, velocity, attitude }
    }

    /// Gyroscope and accelerometer, each `step` seconds.
    pub fn inertial(&mut self, ideal: &Readings, step: f64) -> [Vector3<f64>; 2] {
        let (noise, assumed, root) = (&mut self.noise, &self.assumed, step.sqrt());
        [
            ideal.gyroscope + self.gyroscope_bias + noise.vector(assumed.gyroscope_noise / root),
            ideal.accelerometer
                + self.accelerometer_bias
                + noise.vector(assumed.accelerometer_noise / root),
        ]
    }

    pub fn dvl(&mut self, ideal: &Readings) -> Vector3<f64> {
        let scaled = ideal.dvl + ideal.dvl.component_mul(&self.dvl_scale);
        scaled + self.noise.vector(self.assumed.dvl_noise)
    }

    pub fn depth(&mut self, ideal: &Readings) -> f64 {
        ideal.depth + self.depth_bias + self.assumed.depth_noise * self.noise.normal()
    }

    /// The compass each `step` seconds: its slow error is a first-order Gauss-Markov process.
    pub fn heading(&mut self, ideal: &Readings, step: f64) -> f64 {
        let assumed = &self.assumed;
        let decay = libm::exp(-step / assumed.compass_correlation);
        let push = assumed.compass_bias * (1.0 - decay * decay).sqrt();
        self.compass_bias = decay * self.compass_bias + push * self.noise.normal();
        ideal.heading + self.compass_bias + assumed.compass_noise * self.noise.normal()
    }
}
