//! What was recorded, over time.

use crate::protocol::FramePose;

/// Where a body was.
#[derive(Default)]
pub struct Track {
    times: Vec<f64>,
    poses: Vec<([f64; 3], [f64; 4])>,
}

/// A signal over time.
#[derive(Default)]
pub struct Column {
    pub times: Vec<f64>,
    pub values: Vec<f64>,
}

impl Column {
    /// The value that holds at a time.
    pub fn at(&self, time: f64) -> Option<f64> {
        let behind = self.times.partition_point(|known| *known <= time);
        self.values.get(behind.checked_sub(1)?).copied()
    }
}

impl Track {
    /// Adds where it was later.
    pub fn add(&mut self, time: f64, position: [f64; 3], attitude: [f64; 4]) {
        self.times.push(time);
        self.poses.push((position, attitude));
    }

    /// Where the body is at a time: straight between two places that are known.
    pub fn at(&self, body: u16, time: f64) -> Option<FramePose> {
        let behind = self.times.partition_point(|known| *known <= time);
        let before = behind.saturating_sub(1);
        let (start, attitude) = *self.poses.get(before)?;
        let (mut position, mut turned) = (start, attitude);
        if let Some((end, last)) = self.poses.get(behind).filter(|_| behind > 0) {
            let part = (time - self.times[before]) / (self.times[behind] - self.times[before]);
            position = [0, 1, 2].map(|axis| start[axis] + part * (end[axis] - start[axis]));
            // The short way round, straight, then of length 1: close enough over a thirtieth of a second.
            let dot: f64 = attitude.iter().zip(last).map(|(a, b)| a * b).sum();
            let sign = if dot < 0.0 { -part } else { part };
            turned = [0, 1, 2, 3].map(|axis| (1.0 - part) * attitude[axis] + sign * last[axis]);
            let length = turned.iter().map(|number| number * number).sum::<f64>().sqrt();
            turned = turned.map(|number| number / length.max(1e-12));
        }
        Some(FramePose { body, position, attitude: turned, absent: false })
    }
}
