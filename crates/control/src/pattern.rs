//! Patterns to fly: where to be at each moment.
//!
//! With a = 2π (t / period + phase), radius r and centre c:
//!
//! ```text
//! circle   c + r (cos a, sin a)
//! eight    c + r (sin a, sin a cos a)                  the lemniscate of Gerono: twice as long as wide
//! line     c + r (sin a, 0)
//! ```
//!
//! turned by the heading of the pattern. The yaw is the direction of flight, or that of the pattern. Until `begin` it
//! shows the first point; within `approach` seconds after it the pattern grows to its size, so that the first step is
//! not a leap.

use std::f64::consts::TAU;

use ironbird_component::scenery::{Path, Scenery};
use ironbird_component::{Choice, Component};
use ironbird_kernel::{Periodic, SignalOut, Start, Step};
use nalgebra::Vector2;

/// Straight pieces of which a pattern is drawn.
const DRAWN_POINTS: u32 = 48;

/// A pattern to fly: a circle, a figure of eight or a line, again and again.
///
/// It shows where to be; an inner loop flies there.
#[derive(Component)]
#[component(
    type = "guidance.pattern",
    periodic,
    rate = "100 Hz",
    start = Self::begin,
    scenery = Self::scenery
)]
pub struct Pattern {
    /// `circle`, `eight` or `line`.
    #[parameter(default = Figure::Circle)]
    figure: Figure,
    /// Its middle: north, east, down.
    #[parameter(unit = "m", default = [0.0, 0.0, -5.0])]
    centre: [f64; 3],
    /// Half of its size.
    #[parameter(unit = "m", default = 5.0, min = 0)]
    radius: f64,
    /// How long it takes to fly it once.
    #[parameter(unit = "s", default = 20.0, above = 0)]
    period: f64,
    /// Where on it it begins, in turns.
    #[parameter(default = 0.0)]
    phase: f64,
    /// How it is turned.
    #[parameter(unit = "rad", default = 0.0)]
    heading: f64,
    /// When it begins.
    #[parameter(unit = "s", default = 0.0, min = 0)]
    wait: f64,
    /// How long it takes to grow to its size.
    #[parameter(unit = "s", default = 3.0, min = 0)]
    approach: f64,
    /// Whether the nose points where it flies.
    #[parameter(default = false)]
    follow: bool,
    /// Where to be.
    #[output(unit = "m", initial = 0.0)]
    north: SignalOut<f64>,
    /// Where to be.
    #[output(unit = "m", initial = 0.0)]
    east: SignalOut<f64>,
    /// Where to be.
    #[output(unit = "m", initial = 0.0)]
    down: SignalOut<f64>,
    /// Which way to look.
    #[output(unit = "rad", initial = 0.0)]
    yaw: SignalOut<f64>,
}

/// What is flown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Choice)]
pub enum Figure {
    /// Round and round.
    Circle,
    /// The lemniscate of Gerono.
    Eight,
    /// To and fro.
    Line,
}

impl Pattern {
    /// Where to be and which way to look after `time` seconds: north, east, down, yaw.
    fn at(&self, time: f64) -> [f64; 4] {
        let flown = (time - self.wait).max(0.0);
        let grown = if self.approach > 0.0 { (flown / self.approach).min(1.0) } else { 1.0 };
        // Smooth at both ends.
        let size = self.radius * grown * grown * (3.0 - 2.0 * grown);
        let (sine, cosine) = libm::sincos(TAU * (flown / self.period + self.phase));
        let (place, way) = match self.figure {
            Figure::Circle => (Vector2::new(cosine, sine), Vector2::new(-sine, cosine)),
            Figure::Eight => {
                let way = Vector2::new(cosine, cosine * cosine - sine * sine);
                (Vector2::new(sine, sine * cosine), way)
            }
            Figure::Line => (Vector2::new(sine, 0.0), Vector2::new(cosine, 0.0)),
        };
        let (turned_sine, turned_cosine) = libm::sincos(self.heading);
        let turn = |v: Vector2<f64>| {
            (turned_cosine * v.x - turned_sine * v.y, turned_sine * v.x + turned_cosine * v.y)
        };
        let ((north, east), (along, across)) = (turn(place * size), turn(way));
        let moves = self.follow && along * along + across * across > 1e-12;
        let yaw = if moves { libm::atan2(across, along) } else { self.heading };
        let [x, y, z] = self.centre;
        [x + north, y + east, z, yaw]
    }

    /// The whole figure, once it has grown to its size.
    fn scenery(&self) -> Option<Scenery> {
        let grown = self.wait + self.approach;
        let points = (0..=DRAWN_POINTS).map(|number| {
            let part = f64::from(number) / f64::from(DRAWN_POINTS);
            let [north, east, down, _] = self.at(grown + part * self.period);
            [north, east, down]
        });
        let path = Path { points: points.collect(), ..Path::default() };
        Some(Scenery { paths: vec![path], ..Scenery::default() })
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        let [north, east, down, yaw] = self.at(start.now().as_secs_f64());
        start.write(self.north, north);
        start.write(self.east, east);
        start.write(self.down, down);
        start.write(self.yaw, yaw);
    }
}

impl Periodic for Pattern {
    fn step(&mut self, step: &mut Step<'_>) {
        let [north, east, down, yaw] = self.at(step.now().as_secs_f64());
        step.write(self.north, north);
        step.write(self.east, east);
        step.write(self.down, down);
        step.write(self.yaw, yaw);
    }
}
