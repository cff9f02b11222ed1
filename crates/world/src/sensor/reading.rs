//! What each kind of sensor measures.
//!
//! With r the place of the sensor on the body, w the angular velocity, w' its change and f the specific force of the
//! centre of mass, an accelerometer feels f + w' × r + w × (w × r).

use ironbird_environment::air::{Air, StandardAtmosphere};
use ironbird_environment::magnetic::LocalField;
use nalgebra::Vector3;

use super::{SensorKind, SensorPlan};
use crate::body::Body;
use crate::world::World;

/// What sensors need to know beside the world.
pub(crate) struct View<'a> {
    pub world: &'a World,
    pub atmosphere: &'a StandardAtmosphere,
    /// Height of the origin above sea level, in m.
    pub elevation: f64,
    /// The magnetic field.
    pub magnetic_field: &'a LocalField,
    /// Places (ned) and levels at 1 m of all that is to be heard.
    pub sounds: &'a [(Vector3<f64>, f64)],
}

/// What a sensor shows before its errors.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reading {
    Vector(Vector3<f64>),
    Scalar(f64),
    /// Nothing within its range.
    Nothing,
    /// Row by row; infinite where there is nothing.
    Scan(Vec<f64>),
}

/// Rays of a beam with an angle: its middle and two rings.
const RINGS: [(f64, u32); 3] = [(0.0, 1), (0.5, 6), (1.0, 12)];

impl View<'_> {
    /// The air where a body is.
    pub fn air(&self, body: &Body) -> Air {
        air_at(self.atmosphere, self.elevation - body.state.motion.position.z)
    }

    /// The level of all sounds at a place, in dB above 20 uPa: powers add up, and fall with the square of the distance.
    pub fn sound(&self, place: &Vector3<f64>) -> f64 {
        let power: f64 = self
            .sounds
            .iter()
            .map(|(source, level)| {
                let distance = (source - place).norm().max(0.1);
                libm::exp10(0.1 * level) / (distance * distance)
            })
            .sum();
        if power > 0.0 { 10.0 * libm::log10(power) } else { f64::NEG_INFINITY }
    }

    fn ray(&self, from: &Vector3<f64>, way: &Vector3<f64>, most: f64, own: usize) -> Option<f64> {
        self.world.cast(from, way, most, Some(own)).map(|hit| hit.distance)
    }
}

/// The air at a height above sea level; below and above what the atmosphere knows, that at its ends.
pub(crate) fn air_at(atmosphere: &StandardAtmosphere, height: f64) -> Air {
    let within = height.clamp(-4_900.0, 80_000.0);
    let sea_level =
        Air { temperature: 288.15, pressure: 101_325.0, density: 1.225, speed_of_sound: 340.294 };
    atmosphere.at_geometric(within).unwrap_or(sea_level)
}

/// What a sensor of a body measures now.
pub(crate) fn read(plan: &SensorPlan, number: usize, view: &View<'_>) -> Reading {
    let body = view.world.body(number);
    let carrier = body.seen(plan.link);
    let motion = &carrier.motion;
    let arm = plan.pose.translation.vector;
    let own = |body: Vector3<f64>| plan.pose.rotation.inverse_transform_vector(&body);
    let from = motion.position + motion.to_ned(&arm);
    match &plan.kind {
        SensorKind::Gyroscope(_) => Reading::Vector(own(motion.rates)),
        SensorKind::Accelerometer(_) => {
            let w = motion.rates;
            let turning = carrier.angular_acceleration.cross(&arm) + w.cross(&w.cross(&arm));
            Reading::Vector(own(carrier.specific_force + turning))
        }
        // Where nobody said what the field is, there is nothing to measure.
        SensorKind::Magnetometer(_) if view.magnetic_field.at_origin == Vector3::zeros() => {
            Reading::Nothing
        }
        SensorKind::Magnetometer(_) => {
            Reading::Vector(own(motion.to_body(&view.magnetic_field.at(&from))))
        }
        SensorKind::Position(_) => Reading::Vector(from),
        SensorKind::Velocity(_) => {
            Reading::Vector(motion.velocity + motion.to_ned(&motion.rates.cross(&arm)))
        }
        SensorKind::Barometer(_) => Reading::Scalar(view.air(body).pressure),
        SensorKind::Thermometer(_) => Reading::Scalar(view.air(body).temperature),
        SensorKind::Altimeter(_) => Reading::Scalar(-from.z),
        SensorKind::Airspeed(_) => {
            let air = motion.to_body(&(motion.velocity - body.around.wind));
            Reading::Scalar(own(air).x)
        }
        SensorKind::Range { within, beam, .. } => {
            let mut nearest: Option<f64> = None;
            for (out, rays) in RINGS {
                if out > 0.0 && *beam == 0.0 {
                    break;
                }
                let (sine, cosine) = libm::sincos(0.5 * beam * out);
                for ray in 0..rays {
                    let (s, c) =
                        libm::sincos(std::f64::consts::TAU * f64::from(ray) / f64::from(rays));
                    let way = plan.pose.rotation * Vector3::new(cosine, sine * c, sine * s);
                    let hit = view.ray(&from, &motion.to_ned(&way), within.1, number);
                    nearest = match (nearest, hit) {
                        (Some(a), Some(b)) => Some(a.min(b)),
                        (a, b) => a.or(b),
                    };
                }
            }
            nearest.map_or(Reading::Nothing, |distance| Reading::Scalar(distance.max(within.0)))
        }
        SensorKind::Lidar { columns, rows, within, .. } => {
            let mut distances = Vec::with_capacity(columns.count as usize * rows.count as usize);
            for row in 0..rows.count {
                let (up, level) = libm::sincos(rows.angle(row));
                for column in 0..columns.count {
                    let (sine, cosine) = libm::sincos(columns.angle(column));
                    let way = plan.pose.rotation * Vector3::new(level * cosine, level * sine, -up);
                    let hit = view.ray(&from, &motion.to_ned(&way), within.1, number);
                    distances.push(hit.filter(|d| *d >= within.0).unwrap_or(f64::INFINITY));
                }
            }
            Reading::Scan(distances)
        }
        SensorKind::Contact => Reading::Vector(body.state.reaction.force),
        SensorKind::Microphone(_) => Reading::Scalar(view.sound(&from)),
    }
}
