//! Messages in binary form, little-endian.

use ironbird_component::scenery::Grid;

/// What the run does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum State {
    #[default]
    Running = 0,
    Paused = 1,
    Ended = 2,
}

/// Where a body is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FramePose {
    /// Number of the body.
    pub body: u16,
    /// North, east, down.
    pub position: [f64; 3],
    /// w, x, y, z.
    pub attitude: [f64; 4],
    /// It is not in the system at present.
    pub absent: bool,
}

/// How things are at an instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// What the run does.
    pub state: State,
    /// Seconds.
    pub time: f64,
    /// Simulated seconds per second.
    pub speed: f64,
    /// Where bodies are.
    pub poses: Vec<FramePose>,
    /// Signals and their values.
    pub values: Vec<(u32, f64)>,
    /// Links on which something went.
    pub links: Vec<u32>,
    /// Requirement, state (0 open, 1 holds, 2 violated) and margin.
    pub lamps: Vec<(u16, u8, f64)>,
}

const HAS_ATTITUDE: u16 = 1;
const ABSENT: u16 = 2;

impl Frame {
    /// The message.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(32 + 44 * self.poses.len() + 12 * self.values.len());
        out.extend([1, self.state as u8]);
        out.extend((self.poses.len() as u16).to_le_bytes());
        for count in [self.values.len(), self.links.len(), self.lamps.len()] {
            out.extend((count as u32).to_le_bytes());
        }
        out.extend(self.time.to_le_bytes());
        out.extend(self.speed.to_le_bytes());
        for pose in &self.poses {
            let flags = HAS_ATTITUDE | if pose.absent { ABSENT } else { 0 };
            out.extend(pose.body.to_le_bytes());
            out.extend(flags.to_le_bytes());
            out.extend(pose.position.iter().flat_map(|number| number.to_le_bytes()));
            out.extend(pose.attitude.iter().flat_map(|number| (*number as f32).to_le_bytes()));
        }
        for (signal, value) in &self.values {
            out.extend(signal.to_le_bytes());
            out.extend(value.to_le_bytes());
        }
        out.extend(self.links.iter().flat_map(|link| link.to_le_bytes()));
        for (requirement, state, margin) in &self.lamps {
            out.extend(requirement.to_le_bytes());
            out.extend([*state, 0]);
            out.extend(margin.to_le_bytes());
        }
        out
    }
}

/// The least and the most of a signal about a time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Point {
    pub time: f64,
    pub least: f64,
    pub most: f64,
}

/// A series of a signal; it replaces what the client has, or goes on.
pub fn series(signal: u32, points: &[Point], replaces: bool, request: u32) -> Vec<u8> {
    let mut out = Vec::with_capacity(16 + 24 * points.len());
    out.extend([2, u8::from(replaces), 0, 0]);
    for word in [signal, points.len() as u32, request] {
        out.extend(word.to_le_bytes());
    }
    for point in points {
        for number in [point.time, point.least, point.most] {
            out.extend(number.to_le_bytes());
        }
    }
    out
}

/// Frames in the order of time.
pub fn window(request: u32, frames: impl ExactSizeIterator<Item = Frame>) -> Vec<u8> {
    let mut out = vec![3, 0, 0, 0];
    out.extend(request.to_le_bytes());
    out.extend((frames.len() as u32).to_le_bytes());
    for frame in frames {
        let bytes = frame.encode();
        out.extend((bytes.len() as u32).to_le_bytes());
        out.extend(bytes);
    }
    out
}

/// The heights of the ground.
pub fn ground(grid: &Grid) -> Vec<u8> {
    let mut out = vec![4, 0, 0, 0];
    out.extend(grid.rows.to_le_bytes());
    out.extend(grid.columns.to_le_bytes());
    for number in [grid.first[0], grid.first[1], grid.step[0], grid.step[1]] {
        out.extend(number.to_le_bytes());
    }
    out.extend(grid.down.iter().flat_map(|down| down.to_le_bytes()));
    out
}

/// What a sensor with beams measures.
pub fn beams(sensor: u16, distances: &[f32]) -> Vec<u8> {
    let mut out = vec![5, 0];
    out.extend(sensor.to_le_bytes());
    out.extend((distances.len() as u32).to_le_bytes());
    out.extend(distances.iter().flat_map(|distance| distance.to_le_bytes()));
    out
}

/// What a sensor with beams measured over time, in the window that was asked for: times and distances.
pub fn scans(sensor: u16, request: u32, scans: &[(f64, &[f32])]) -> Vec<u8> {
    let mut out = vec![6, 0];
    out.extend(sensor.to_le_bytes());
    out.extend(request.to_le_bytes());
    out.extend((scans.len() as u32).to_le_bytes());
    for (time, distances) in scans {
        out.extend(time.to_le_bytes());
        out.extend((distances.len() as u32).to_le_bytes());
        out.extend(distances.iter().flat_map(|distance| distance.to_le_bytes()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_has_the_layout_of_the_book() {
        let pose = FramePose {
            body: 7,
            position: [1.0, 2.0, -3.0],
            attitude: [1.0, 0.0, 0.0, 0.0],
            absent: false,
        };
        let frame = Frame {
            state: State::Paused,
            time: 1.5,
            speed: 2.0,
            poses: vec![pose],
            values: vec![(9, 0.25)],
            links: vec![4],
            lamps: vec![(1, 2, -0.5)],
        };
        let bytes = frame.encode();
        assert_eq!(bytes.len(), 32 + 44 + 12 + 4 + 12);
        assert_eq!(bytes[..4], [1, 1, 1, 0]);
        let f64_at = |at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        assert_eq!([f64_at(16), f64_at(24)], [1.5, 2.0]);
        assert_eq!(bytes[32..36], [7, 0, 1, 0]);
        assert_eq!(f64_at(52), -3.0);
        assert_eq!(f64_at(80), 0.25);
        assert_eq!(bytes[88..92], [4, 0, 0, 0]);
        assert_eq!(bytes[92..96], [1, 0, 2, 0]);
        assert_eq!(f64_at(96), -0.5);
    }

    #[test]
    fn a_series_and_a_window_say_how_long_they_are() {
        let point = Point { time: 1.0, least: 2.0, most: 3.0 };
        let bytes = series(3, &[point, point], true, 8);
        assert_eq!((bytes.len(), &bytes[..4]), (16 + 48, &[2, 1, 0, 0][..]));
        let frame = Frame::default();
        let bytes = window(8, [frame.clone(), frame].into_iter());
        assert_eq!(bytes.len(), 12 + 2 * (4 + 32));
        assert_eq!(bytes[8..16], [2, 0, 0, 0, 32, 0, 0, 0]);
        let bytes = scans(3, 8, &[(0.5, &[7.0, 8.0]), (1.5, &[9.0])]);
        assert_eq!(bytes[..12], [6, 0, 3, 0, 8, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(bytes.len(), 12 + (12 + 8) + (12 + 4));
        assert_eq!(bytes[20..24], [2, 0, 0, 0]);
    }
}
