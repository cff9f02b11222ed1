//! The straight mission of the suite `auv` as one loop, written by hand for it: no components, no
//! signals, no scenario; nothing in it can be exchanged.

use std::hint::black_box;

use ironbird_kinematics::{Attitude, Geodetic, STANDARD_GRAVITY, TangentPlane};
use nalgebra::Vector3;

use crate::measure::by_thread_cpu_time;
use crate::row::Side;

/// Runs of `seconds` at 1 kHz: simulated seconds by CPU time.
pub fn straight(seconds: u64) -> Side {
    Box::new(move || {
        let mut error = 0.0;
        let sample = by_thread_cpu_time(|| {
            error = hot_straight(black_box(seconds));
            seconds
        });
        assert!(error < 1e-3, "the loop by hand is off by {error} m");
        sample
    })
}

/// The largest error of the position in metres.
#[inline(never)]
fn hot_straight(seconds: u64) -> f64 {
    const STEP: f64 = 1e-3;
    let plane = TangentPlane::at(Geodetic::from_degrees(48.3, -4.6, 0.0));
    let velocity = Vector3::new(4.0, 3.0, 0.0);
    let start = Vector3::new(0.0, 0.0, 30.0);
    let steady = Vector3::new(0.0855, 0.2349, 0.0);
    let mut attitude: Option<Attitude> = None;
    let (mut position, mut before) = (start, velocity);
    let (mut rate_before, mut largest, mut seen) = (Vector3::zeros(), 0.0f64, 0.0);
    for tick in 0..seconds * 1000 {
        let time = tick as f64 * STEP;
        // Environment: a steady current over a level bed.
        let (current, bed) = (black_box(steady), black_box(75.0));
        let current_rate: Vector3<f64> = black_box(Vector3::zeros());
        let truth = start + velocity * time;
        // Drone: it heads along its way through the water.
        let water = velocity - current;
        let ahead = water.xy().norm();
        let yaw_rate = (water.x * -current_rate.y + water.y * current_rate.x) / (ahead * ahead);
        let half = ((1.0 + water.x / ahead) / 2.0).sqrt();
        let turned = Attitude { w: half, x: 0.0, y: 0.0, z: water.y / ahead / (2.0 * half) };
        // Sensors.
        let rate = Vector3::new(0.0, 0.0, yaw_rate);
        let force = turned.to_body(Vector3::new(0.0, 0.0, -STANDARD_GRAVITY));
        let log = turned.to_body(velocity);
        let pressure = 101_325.0 + 1025.0 * STANDARD_GRAVITY * truth.z;
        let place = plane.to_ecef(truth);
        // Navigation by velocity log and gyroscope.
        let estimate = match attitude {
            None => turned,
            Some(attitude) => attitude.turned((rate + rate_before) * (STEP / 2.0)),
        };
        let moved = estimate.to_ned(log);
        if attitude.is_some() {
            position += (moved + before) * (STEP / 2.0);
        }
        (attitude, before, rate_before) = (Some(estimate), moved, rate);
        // Analysis; what nobody uses is computed all the same.
        largest = largest.max((position - truth).norm());
        seen += bed + force.z + pressure + place.x;
    }
    black_box(seen);
    largest
}
