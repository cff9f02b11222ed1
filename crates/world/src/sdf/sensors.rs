//! Sensors of links.
//!
//! | SDF | ours |
//! |---|---|
//! | imu | `NAME_gyroscope`, `NAME_accelerometer`; axes forward, starboard, down of the sensor |
//! | navsat | `NAME_position`, `NAME_velocity` |
//! | magnetometer, air_pressure, altimeter, air_speed, contact, sonar | `NAME` |
//! | lidar, gpu_lidar, ray | `NAME`: columns from starboard to port, as in the file |

use ironbird_sdf::{Lidar, Noise as SdfNoise, NoiseKind, Scan, Sensor, SensorKind as Sdf};
use nalgebra::Isometry3;

use super::notes::{Notes, plain};
use crate::sensor::{Fan, Noise, SensorKind, SensorPlan};

/// The farthest that rays go, in m.
const FARTHEST: f64 = 1e5;
/// Rays of a lidar at most.
const MOST_RAYS: u64 = 1_000_000;

/// The sensors that a sensor of SDF is, on a link at a pose.
pub(super) fn plans(
    sensor: &Sensor,
    link: usize,
    pose: Isometry3<f64>,
    notes: &mut Notes,
) -> Vec<SensorPlan> {
    let place = &sensor.place;
    for plugin in &sensor.plugins {
        notes.add(plugin.place(), format!("the plugin {} of a sensor is not run", plugin.class()));
    }
    let mut noise = |sdf: &SdfNoise| errors(sdf, sensor, notes);
    let mut all = |three: &[SdfNoise; 3]| [0, 1, 2].map(|axis| noise(&three[axis]));
    let kinds = match &sensor.kind {
        Sdf::Imu(imu) => vec![
            ("_gyroscope", SensorKind::Gyroscope(all(&imu.angular_velocity))),
            ("_accelerometer", SensorKind::Accelerometer(all(&imu.linear_acceleration))),
        ],
        Sdf::NavSat(sat) => {
            let [ph, pv] = [noise(&sat.position_horizontal), noise(&sat.position_vertical)];
            let [vh, vv] = [noise(&sat.velocity_horizontal), noise(&sat.velocity_vertical)];
            vec![
                ("_position", SensorKind::Position([ph, ph, pv])),
                ("_velocity", SensorKind::Velocity([vh, vh, vv])),
            ]
        }
        Sdf::Magnetometer(three) => vec![("", SensorKind::Magnetometer(all(three)))],
        Sdf::AirPressure(air) => {
            let kind = SensorKind::Barometer(noise(&air.noise));
            if air.reference_altitude != 0.0 {
                let text = "the reference_altitude is not used; the height of the origin is";
                notes.add(place, text);
            }
            vec![("", kind)]
        }
        Sdf::Altimeter(height) => {
            vec![("", SensorKind::Altimeter(noise(&height.vertical_position)))]
        }
        Sdf::AirSpeed(pressure) => {
            if pressure.kind != NoiseKind::None {
                notes.add(
                    place,
                    "the noise of this airspeed sensor is one of pressure; it is left out",
                );
            }
            vec![("", SensorKind::Airspeed(Noise::default()))]
        }
        Sdf::Lidar(lidar) => match rays(lidar) {
            Some((columns, rows)) => {
                let within = (lidar.range.min, lidar.range.max.min(FARTHEST));
                let mut noise = noise(&lidar.noise);
                noise.precision = noise.precision.max(lidar.range.resolution);
                vec![("", SensorKind::Lidar { columns, rows, within, noise })]
            }
            None => {
                let text =
                    format!("this lidar has no rays, or more than {MOST_RAYS}: it sees nothing");
                notes.add(place, text);
                vec![]
            }
        },
        Sdf::Sonar(sonar) => {
            if sonar.geometry != "cone" {
                notes.add(place, format!("this sonar sees a cone, not a {}", sonar.geometry));
            }
            let beam = 2.0 * libm::atan2(sonar.radius, sonar.max);
            let within = (sonar.min, sonar.max.min(FARTHEST));
            vec![("", SensorKind::Range { within, beam, noise: Noise::default() })]
        }
        Sdf::Contact(_) => {
            notes.add(place, "this contact sensor feels all shapes of its body");
            vec![("", SensorKind::Contact)]
        }
        Sdf::Camera(_) | Sdf::ForceTorque(_) | Sdf::Anemometer(_) => {
            let text = format!("a sensor of type {} is not simulated yet", sensor.type_name);
            notes.add(place, text);
            vec![]
        }
        // The reader of files has told of it.
        Sdf::Other(_) => vec![],
    };
    let rate = if sensor.update_rate > 0.0 { sensor.update_rate } else { f64::INFINITY };
    let name = plain(&sensor.name);
    let plan =
        |(ending, kind)| SensorPlan { name: format!("{name}{ending}"), rate, link, pose, kind };
    kinds.into_iter().map(plan).collect()
}

/// Columns and rows, from one angle of the file to the other: as in Gazebo, the ends of a whole circle are two beams.
fn rays(lidar: &Lidar) -> Option<(Fan, Fan)> {
    let count = |scan: &Scan| {
        let rays = libm::round(scan.samples as f64 * scan.resolution);
        (1.0..=MOST_RAYS as f64).contains(&rays).then_some(rays as u32)
    };
    let (columns, rows) = (count(&lidar.horizontal)?, count(&lidar.vertical)?);
    if u64::from(columns) * u64::from(rows) > MOST_RAYS {
        return None;
    }
    // Angles to port are positive in the file.
    let Scan { min_angle, max_angle, .. } = lidar.horizontal;
    let columns = Fan { count: columns, first: -min_angle, last: -max_angle };
    let Scan { min_angle, max_angle, .. } = lidar.vertical;
    Some((columns, Fan { count: rows, first: min_angle, last: max_angle }))
}

fn errors(sdf: &SdfNoise, sensor: &Sensor, notes: &mut Notes) -> Noise {
    if sdf.kind == NoiseKind::None {
        return Noise::default();
    }
    let wanders = sdf.dynamic_bias_stddev > 0.0 && sdf.dynamic_bias_correlation_time > 0.0;
    if wanders && sdf.bias_stddev > 0.0 {
        notes.add(&sensor.place, "of two biases of one noise only that which drifts is drawn");
    }
    let (bias_deviation, correlation_time) = if wanders {
        (sdf.dynamic_bias_stddev, sdf.dynamic_bias_correlation_time)
    } else {
        (sdf.bias_stddev, 0.0)
    };
    let quantized = sdf.kind == NoiseKind::GaussianQuantized;
    Noise {
        offset: sdf.mean + sdf.bias_mean,
        deviation: sdf.stddev,
        bias_deviation,
        correlation_time,
        precision: if quantized { sdf.precision } else { 0.0 },
    }
}
