//! The taps that show what is drawn.

use ironbird_kernel::Time;

use super::placing::Placing;
use super::{Pose, ScanSource};

/// The taps of a run that show what is drawn: how bodies move, and what sensors see.
#[derive(Clone, Debug, Default)]
pub struct DrawnTaps {
    /// In the order of their numbers.
    taps: Vec<(u32, Shows)>,
    /// The names of bodies, and what says where they are.
    bodies: Vec<(String, Placing)>,
    sensors: Vec<(usize, ScanSource)>,
}

/// What a tap shows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shows {
    /// One of the outputs that say where a body is.
    Body {
        body: usize,
        output: usize,
    },
    Sensor(usize),
}

/// Something that is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawn {
    /// Where a body is.
    Pose(Pose),
    /// Number of the sensor in the scene, and where its beams end.
    Scan(usize, Vec<[f32; 3]>),
}

impl DrawnTaps {
    /// Adds a body; `taps` are those of the outputs that say where it is, in the order of its [`Placing`].
    pub fn add_body(&mut self, name: String, placing: Placing, taps: &[u32]) {
        let body = self.bodies.len();
        self.bodies.push((name, placing));
        for (output, tap) in taps.iter().enumerate() {
            self.add(*tap, Shows::Body { body, output });
        }
    }

    /// Adds a sensor by its number in the scene.
    pub fn add_sensor(&mut self, number: usize, source: ScanSource, tap: u32) {
        let place = self.sensors.len();
        self.sensors.push((number, source));
        self.add(tap, Shows::Sensor(place));
    }

    fn add(&mut self, tap: u32, shows: Shows) {
        let place = self.taps.partition_point(|(other, _)| *other <= tap);
        self.taps.insert(place, (tap, shows));
    }

    /// What is to be drawn by a value.
    pub fn take(&mut self, tap: u32, time: Time, bytes: &[u8]) -> Vec<Drawn> {
        let DrawnTaps { taps, bodies, sensors } = self;
        let first = taps.partition_point(|(other, _)| *other < tap);
        let of_tap = taps[first..].iter().take_while(|(other, _)| *other == tap);
        let drawn = of_tap.filter_map(|(_, shows)| match *shows {
            Shows::Body { body, output } => {
                let (name, placing) = &mut bodies[body];
                let (position, attitude) = placing.take(output, time, bytes)?;
                Some(Drawn::Pose(Pose { time, body: name.clone(), position, attitude }))
            }
            Shows::Sensor(place) => {
                let (number, source) = &sensors[place];
                Some(Drawn::Scan(*number, source.points(bytes)?))
            }
        });
        drawn.collect()
    }
}
