//! The switch between the sources of a drone's motion, and the truth of the system.

use ironbird_component::scenery::{
    Body, BodyKind, Coordinate, Motion as Moves, MotionPart, Scenery,
};
use ironbird_component::{Choice, Component};
use ironbird_kernel::{Duration, Periodic, SignalIn, SignalOut, Start, Step, Time};
use ironbird_kinematics::{Attitude, Earth, EarthParameters, Motion};
use nalgebra::Vector3;

/// A source that has a velocity moves within this time.
const SILENCE: Duration = Duration::from_secs(2);

/// Where the motion comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Source {
    /// The input `lines`.
    #[default]
    Lines,
    /// The input `spline`.
    Spline,
    /// The input `log`.
    Log,
    /// The input `dynamic`.
    Dynamic,
}

/// What an input shows where nothing is linked: its attitude is no rotation.
const UNLINKED: Motion = Motion {
    position: [0.0; 3],
    velocity: [0.0; 3],
    acceleration: [0.0; 3],
    attitude: Attitude { w: 0.0, x: 0.0, y: 0.0, z: 0.0 },
    angular_velocity: [0.0; 3],
    distance: 0.0,
};

/// Picks one source of a drone's motion and shows it to all others: the truth of the system.
///
/// Sources that are not picked may be stopped or left out.
#[derive(Component)]
#[component(
    type = "drone.adapter",
    periodic,
    rate = "1 kHz",
    switch = "source",
    start = Self::begin,
    changed = Self::prepare,
    scenery = Self::scenery
)]
pub struct DroneAdapter {
    /// Which input is shown.
    #[parameter(default = Source::Lines)]
    source: Source,
    #[group]
    earth: EarthParameters,
    /// A drone on lines and arcs.
    #[input(
        unit = "position: m, velocity: m/s, acceleration: m/s^2, attitude: 1, angular_velocity: rad/s, distance: m",
        frame = "ned",
        default = UNLINKED
    )]
    lines: SignalIn<Motion>,
    /// A drone on a smooth curve.
    #[input(
        unit = "position: m, velocity: m/s, acceleration: m/s^2, attitude: 1, angular_velocity: rad/s, distance: m",
        frame = "ned",
        default = UNLINKED
    )]
    spline: SignalIn<Motion>,
    /// A drone from a log.
    #[input(
        unit = "position: m, velocity: m/s, acceleration: m/s^2, attitude: 1, angular_velocity: rad/s, distance: m",
        frame = "ned",
        default = UNLINKED
    )]
    log: SignalIn<Motion>,
    /// A drone with forces and inertia.
    #[input(
        unit = "position: m, velocity: m/s, acceleration: m/s^2, attitude: 1, angular_velocity: rad/s, distance: m",
        frame = "ned",
        default = UNLINKED
    )]
    dynamic: SignalIn<Motion>,
    /// Place.
    #[output(unit = "m", frame = "ned")]
    position: SignalOut<[f64; 3]>,
    /// Velocity over ground.
    #[output(unit = "m/s", frame = "ned")]
    velocity: SignalOut<[f64; 3]>,
    /// Acceleration.
    #[output(unit = "m/s^2", frame = "ned")]
    acceleration: SignalOut<[f64; 3]>,
    /// Attitude.
    #[output]
    attitude: SignalOut<Attitude>,
    /// Velocity over ground as the body sees it.
    #[output(unit = "m/s", frame = "body")]
    velocity_body: SignalOut<[f64; 3]>,
    /// Angular velocity against north, east, down.
    #[output(unit = "rad/s", frame = "body")]
    angular_velocity: SignalOut<[f64; 3]>,
    /// Depth below the surface of the sea.
    #[output(unit = "m")]
    depth: SignalOut<f64>,
    /// Way made good over ground since the start.
    #[output(unit = "m")]
    distance: SignalOut<f64>,
    /// The last place, and when it was another one.
    place: [f64; 3],
    moved: Time,
    #[skip]
    shape: Earth,
}

impl DroneAdapter {
    fn scenery(&self) -> Option<Scenery> {
        use Coordinate::{Down, East, North, W, X, Y, Z};
        let part = |(is, port, leaf): (Coordinate, &str, &str)| MotionPart {
            leaf: leaf.into(),
            ..MotionPart::new(is, port)
        };
        let place =
            [(North, "position", "[0]"), (East, "position", "[1]"), (Down, "position", "[2]")];
        let turn = [
            (W, "attitude", "w"),
            (X, "attitude", "x"),
            (Y, "attitude", "y"),
            (Z, "attitude", "z"),
        ];
        let parts = place.into_iter().chain(turn).map(part).collect();
        let body = Body {
            kind: BodyKind::Underwater,
            motion: Moves::Parts { parts, rest: [0.0; 3] },
            follows: Some("source".into()),
            size: [1.6, 0.3, 0.3],
            ..Body::default()
        };
        Some(Scenery { bodies: vec![body], ..Scenery::default() })
    }

    fn prepare(&mut self) {
        self.shape = self.earth.earth();
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        let motion = *start.signal(self.selected());
        if is_unlinked(&motion) {
            return start.fail(self.nothing_linked());
        }
        start.write(self.position, motion.position);
        start.write(self.velocity, motion.velocity);
        start.write(self.acceleration, motion.acceleration);
        start.write(self.attitude, motion.attitude);
        start.write(self.velocity_body, velocity_body(&motion));
        start.write(self.angular_velocity, motion.angular_velocity);
        start.write(self.depth, self.shape.depth(Vector3::from(motion.position)));
        start.write(self.distance, motion.distance);
    }

    #[inline]
    fn selected(&self) -> SignalIn<Motion> {
        match self.source {
            Source::Lines => self.lines,
            Source::Spline => self.spline,
            Source::Log => self.log,
            Source::Dynamic => self.dynamic,
        }
    }

    #[cold]
    fn stands_still(&self, motion: &Motion) -> String {
        let name = Source::NAMES[self.source.number()];
        let [north, east, down] = motion.position;
        format!(
            "the source \"{name}\" has a velocity, but stays at north {north} m, east {east} m, down {down} m: is it \
             stopped? Start it, or set \"source\" to one that runs"
        )
    }

    #[cold]
    fn nothing_linked(&self) -> String {
        let name = Source::NAMES[self.source.number()];
        format!("source is \"{name}\", but nothing is linked to the input \"{name}\"")
    }
}

#[inline]
fn is_unlinked(motion: &Motion) -> bool {
    motion.attitude == UNLINKED.attitude
}

#[inline]
fn velocity_body(motion: &Motion) -> [f64; 3] {
    motion.attitude.to_body(Vector3::from(motion.velocity)).into()
}

impl Periodic for DroneAdapter {
    fn step(&mut self, step: &mut Step<'_>) {
        let motion = *step.signal(self.selected());
        if is_unlinked(&motion) {
            return step.fail(self.nothing_linked());
        }
        if motion.position != self.place || motion.velocity == [0.0; 3] {
            (self.place, self.moved) = (motion.position, step.now());
        } else if step.now() > self.moved + SILENCE {
            return step.fail(self.stands_still(&motion));
        }
        step.write(self.position, motion.position);
        step.write(self.velocity, motion.velocity);
        step.write(self.acceleration, motion.acceleration);
        step.write(self.attitude, motion.attitude);
        step.write(self.velocity_body, velocity_body(&motion));
        step.write(self.angular_velocity, motion.angular_velocity);
        step.write(self.depth, self.shape.depth(Vector3::from(motion.position)));
        step.write(self.distance, motion.distance);
    }
}
