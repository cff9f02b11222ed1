//! What each sensor tells the filter: the measurement that was expected, and how it changes with the
//! error state.
//!
//! | sensor | measures | H |
//! |---|---|---|
//! | DVL | y = (1 + S) R u, u = Cᵀ v, R turns by -μ about down | η: R Cᵀ; s: r; μ: (r_y, -r_x, 0), with r = R u |
//! | barometer | depth(p) + bias | δp: straight down; 1 |
//! | compass | heading of the body's x axis b + slow error | δθ: (-b_n b_d / r², -b_e b_d / r², 1), r² = b_n² + b_e²; 1 |
//! | GPS | p; v | δp: 1; η: 1, δθ: -[v]× |

use std::f64::consts::{PI, TAU};

use ironbird_kernel::Time;
use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use super::state::{
    ANGLE, COMPASS_BIAS, DEPTH_BIAS, DVL_MISALIGNMENT, DVL_SCALE, POSITION, VELOCITY,
};
use super::update::{Measurement, Sensor};
use super::{Assumptions, ErrorStateFilter, Planet, STATES};

impl ErrorStateFilter {
    /// Takes in a velocity in the body, in m/s.
    pub fn measure_velocity(
        &mut self,
        taken: Time,
        measured: Vector3<f64>,
        planet: &Planet,
        assumed: &Assumptions,
    ) {
        self.propagate(planet, assumed);
        let then = self.at(taken, planet);
        let to_body = then.attitude.quaternion().to_rotation_matrix().into_inner().transpose();
        let u = to_body * then.velocity;
        let (sin, cos) = libm::sincos(self.dvl_misalignment);
        let misaligned = Matrix3::new(cos, sin, 0.0, -sin, cos, 0.0, 0.0, 0.0, 1.0);
        let (seen, through) = (misaligned * u, misaligned * to_body);
        let innovation = measured - seen;
        let variance = Vector3::repeat(assumed.dvl_noise * assumed.dvl_noise);
        let mut model = SMatrix::<f64, 3, STATES>::zeros();
        model.fixed_columns_mut::<3>(VELOCITY).copy_from(&through);
        model.fixed_columns_mut::<3>(DVL_SCALE).copy_from(&Matrix3::from_diagonal(&seen));
        let across = Vector3::new(seen.y, -seen.x, 0.0);
        model.column_mut(DVL_MISALIGNMENT).copy_from(&across);
        self.update(Sensor::Dvl, &Measurement { innovation, model, variance }, assumed);
    }

    /// Takes in a depth below the surface, in m.
    pub fn measure_depth(
        &mut self,
        taken: Time,
        measured: f64,
        planet: &Planet,
        assumed: &Assumptions,
    ) {
        self.propagate(planet, assumed);
        let then = self.at(taken, planet);
        let expected = planet.earth.depth(then.position) + self.depth_bias;
        // Gravity points straight down, to parts in a million.
        let gravity = self.nominal.gravity();
        let down = gravity / gravity.norm().max(f64::MIN_POSITIVE);
        let mut model = SMatrix::<f64, 1, STATES>::zeros();
        model.fixed_columns_mut::<3>(POSITION).copy_from(&down.transpose());
        model[DEPTH_BIAS] = 1.0;
        let innovation = SVector::<f64, 1>::new(measured - expected);
        let variance = SVector::<f64, 1>::new(assumed.depth_noise * assumed.depth_noise);
        self.update(Sensor::Barometer, &Measurement { innovation, model, variance }, assumed);
    }

    /// Takes in a heading, in rad from north over east. A vehicle that points straight up or down has
    /// none.
    pub fn measure_heading(
        &mut self,
        taken: Time,
        measured: f64,
        planet: &Planet,
        assumed: &Assumptions,
    ) {
        self.propagate(planet, assumed);
        let ahead = self.at(taken, planet).attitude.to_ned(Vector3::x());
        let level = ahead.x * ahead.x + ahead.y * ahead.y;
        if level < 1e-4 {
            return;
        }
        let expected = libm::atan2(ahead.y, ahead.x) + self.compass_bias;
        let mut model = SMatrix::<f64, 1, STATES>::zeros();
        model[ANGLE] = -ahead.x * ahead.z / level;
        model[ANGLE + 1] = -ahead.y * ahead.z / level;
        model[ANGLE + 2] = 1.0;
        model[COMPASS_BIAS] = 1.0;
        let innovation = SVector::<f64, 1>::new(half_turn(measured - expected));
        let variance = SVector::<f64, 1>::new(assumed.compass_noise * assumed.compass_noise);
        self.update(Sensor::Compass, &Measurement { innovation, model, variance }, assumed);
    }

    /// Takes in a fix: place in m and velocity in m/s, north, east, down.
    pub fn measure_fix(
        &mut self,
        taken: Time,
        [position, velocity]: [Vector3<f64>; 2],
        planet: &Planet,
        assumed: &Assumptions,
    ) {
        self.propagate(planet, assumed);
        let (horizontal, vertical) = (assumed.gps_horizontal, assumed.gps_vertical);
        let deviation = Vector3::new(horizontal, horizontal, vertical);
        let innovation = position - self.at(taken, planet).position;
        let mut model = SMatrix::<f64, 3, STATES>::zeros();
        model.fixed_columns_mut::<3>(POSITION).fill_with_identity();
        let variance = deviation.component_mul(&deviation);
        self.update(Sensor::GpsPosition, &Measurement { innovation, model, variance }, assumed);

        let then = self.at(taken, planet).velocity;
        let innovation = velocity - then;
        let mut model = SMatrix::<f64, 3, STATES>::zeros();
        model.fixed_columns_mut::<3>(VELOCITY).fill_with_identity();
        model.fixed_columns_mut::<3>(ANGLE).copy_from(&-then.cross_matrix());
        let variance = Vector3::repeat(assumed.gps_velocity * assumed.gps_velocity);
        self.update(Sensor::GpsVelocity, &Measurement { innovation, model, variance }, assumed);
    }
}

/// The same angle within half a turn of zero.
fn half_turn(angle: f64) -> f64 {
    angle - TAU * ((angle + PI) / TAU).floor()
}
