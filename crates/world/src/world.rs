//! A world: bodies, the ground, the weather, and how they go on.

use nalgebra::Vector3;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::advance::{Chunk, Job, surround};
use crate::body::Body;
use crate::body_plan::{BodyPlan, BodyProblem};
use crate::contact::Groups;
use crate::geometry::{Fixed, Hit};
use crate::island::Islands;
use crate::weather::Weather;

/// How a world steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Stepping {
    /// Length of a step in s.
    pub step: f64,
    /// Islands are formed anew after this many steps.
    pub epoch: u32,
    /// Threads that advance islands. It never shows in a result.
    pub threads: usize,
    /// All bodies are one island. It never shows in a result.
    pub one_island: bool,
    /// Whether accelerations are computed at the end of every step, as inertial sensors need them.
    pub feel: bool,
}

impl Default for Stepping {
    fn default() -> Self {
        Stepping { step: 1e-3, epoch: 10, threads: 1, one_island: false, feel: true }
    }
}

/// Why a world cannot be made or go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum WorldError {
    #[error("the body \"{name}\": {problem}")]
    Body { name: String, problem: BodyProblem },
    #[error("a step of {0} s is not possible: it must be larger than zero and at most 0.1 s")]
    Step(f64),
    #[error("an epoch must have at least one step")]
    Epoch,
    #[error("the threads of the world cannot be started: {0}")]
    Threads(String),
    #[error(
        "the body \"{name}\" left all bounds at {time} s: its place or speed is no longer a number, or grew without \
         limit; look at its forces, its mass and the step"
    )]
    Diverged { name: String, time: f64 },
}

/// What has happened, for those who want to know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Steps so far.
    pub steps: u64,
    /// Islands at present.
    pub islands: usize,
    /// How often bodies came to be in one island that were not, or the other way round.
    pub changes: u64,
    /// How often boxes were too small.
    pub repeated: u64,
}

/// Bodies in one world.
pub struct World {
    /// In the order of the islands.
    #[expect(clippy::vec_box, reason = "islands are sorted often: boxes move, bodies stay")]
    bodies: Vec<Box<Body>>,
    /// Where the body of each number stands.
    places: Vec<usize>,
    fixed: Fixed,
    /// What surrounds the bodies; it may be changed between steps.
    pub weather: Weather,
    stepping: Stepping,
    islands: Islands,
    /// Step at which islands are to be formed anew.
    until: u64,
    pool: Option<ThreadPool>,
    groups: Vec<Groups>,
    tally: Tally,
    last_pairs: usize,
}

/// More attempts than this mean that a body has left all bounds.
const MOST_ATTEMPTS: u32 = 12;

impl World {
    /// A world with these bodies, in the order of their names.
    pub fn new(
        fixed: Fixed,
        weather: Weather,
        mut plans: Vec<BodyPlan>,
        stepping: Stepping,
    ) -> Result<Self, WorldError> {
        if !(stepping.step > 0.0 && stepping.step <= 0.1) {
            return Err(WorldError::Step(stepping.step));
        }
        if stepping.epoch == 0 {
            return Err(WorldError::Epoch);
        }
        plans.sort_by(|a, b| ironbird_kernel::path::compare_paths(&a.name, &b.name));
        for pair in plans.windows(2) {
            if pair[0].name == pair[1].name {
                let (name, problem) = (pair[0].name.clone(), BodyProblem::Twice);
                return Err(WorldError::Body { name, problem });
            }
        }
        let bodies = plans.into_iter().enumerate().map(|(number, plan)| {
            let name = plan.name.clone();
            let made = Body::new(number as u32, plan);
            made.map(Box::new).map_err(|problem| WorldError::Body { name, problem })
        });
        let bodies = bodies.collect::<Result<Vec<_>, _>>()?;
        let pool = match stepping.threads {
            0 | 1 => None,
            threads => {
                let built = ThreadPoolBuilder::new().num_threads(threads).build();
                Some(built.map_err(|error| WorldError::Threads(error.to_string()))?)
            }
        };
        let places = (0..bodies.len()).collect();
        let groups = (0..stepping.threads.max(1) * 2).map(|_| Groups::default()).collect();
        let mut world = World {
            bodies,
            places,
            fixed,
            weather,
            stepping,
            islands: Islands::default(),
            until: 0,
            pool,
            groups,
            tally: Tally::default(),
            last_pairs: 0,
        };
        world.form_islands(0);
        world.feel();
        Ok(world)
    }

    /// The bodies, in the order of their names.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = &Body> {
        self.places.iter().map(|&place| &*self.bodies[place])
    }

    /// A body by its number in the order of the names.
    pub fn body(&self, number: usize) -> &Body {
        &self.bodies[self.places[number]]
    }

    /// The same, to be changed between steps. Whoever moves it says so by [`World::moved`]; commands and set points may
    /// be changed without.
    pub fn body_mut(&mut self, number: usize) -> &mut Body {
        &mut self.bodies[self.places[number]]
    }

    /// Everything that does not move.
    pub fn fixed(&self) -> &Fixed {
        &self.fixed
    }

    /// How it steps.
    pub fn stepping(&self) -> &Stepping {
        &self.stepping
    }

    /// What has happened.
    pub fn tally(&self) -> Tally {
        Tally { islands: self.islands.count(), ..self.tally }
    }

    /// Time since the start in s.
    pub fn time(&self) -> f64 {
        self.tally.steps as f64 * self.stepping.step
    }

    /// What bodies feel as they are now; after they were moved from outside.
    pub fn feel(&mut self) {
        let time = self.time();
        let World { bodies, fixed, weather, .. } = self;
        for body in bodies {
            surround(body, fixed, weather, time);
            body.feel(None);
        }
    }

    /// Goes on from another step, with the bodies as they are: a checkpoint was loaded.
    pub(crate) fn go_to(&mut self, steps: u64) {
        self.tally.steps = steps;
        self.moved();
        self.form_islands(0);
        let time = self.time();
        let World { bodies, fixed, weather, .. } = self;
        for body in bodies {
            surround(body, fixed, weather, time);
            body.refresh();
        }
    }

    /// Forgets what is known of the bodies: they were moved from outside.
    pub fn moved(&mut self) {
        self.until = self.tally.steps;
        self.bodies.iter_mut().for_each(|body| body.felt.known = false);
    }

    /// Goes on by so many steps.
    pub fn advance(&mut self, steps: u32) -> Result<(), WorldError> {
        let end = self.tally.steps + u64::from(steps);
        while self.tally.steps < end {
            if self.tally.steps >= self.until {
                self.form_islands(0);
            }
            let count = (end.min(self.until) - self.tally.steps) as u32;
            self.batch(count)?;
            self.tally.steps += u64::from(count);
        }
        Ok(())
    }

    /// Some steps in which islands stay as they are.
    fn batch(&mut self, steps: u32) -> Result<(), WorldError> {
        for attempt in 1..=MOST_ATTEMPTS {
            if self.step_islands(steps) {
                return Ok(());
            }
            // Something left its box: back to where this began, and again with larger ones.
            for body in &mut self.bodies {
                body.restore();
            }
            self.tally.repeated += 1;
            self.form_islands(attempt);
        }
        self.step_islands(steps);
        let lost = self.bodies.iter().find(|body| !body.has_stayed() || !body.is_finite());
        let name = lost.map_or_else(String::new, |body| body.name.clone());
        Err(WorldError::Diverged { name, time: self.time() })
    }

    fn form_islands(&mut self, attempt: u32) {
        let Stepping { step, epoch, one_island, .. } = self.stepping;
        // Epochs are multiples of their length, however the steps come.
        let epoch = u64::from(epoch);
        self.until = (self.tally.steps / epoch + 1) * epoch;
        let time = (self.until - self.tally.steps) as f64 * step;
        self.islands.form(&mut self.bodies, &self.fixed, time, attempt, one_island);
        for (place, body) in self.bodies.iter().enumerate() {
            self.places[body.number as usize] = place;
        }
        let pairs = self.islands.pairs.len();
        self.tally.changes += pairs.abs_diff(self.last_pairs) as u64;
        self.last_pairs = pairs;
    }

    /// All islands, some steps; whether all bodies stayed in their boxes.
    fn step_islands(&mut self, steps: u32) -> bool {
        let World { bodies, fixed, weather, stepping, islands, pool, groups, tally, .. } = self;
        let from = tally.steps;
        let job = Job { fixed, weather, stepping, islands, from, steps };
        match pool {
            Some(pool) if islands.count() > 1 => {
                let chunks = job.split(bodies, groups);
                pool.install(|| {
                    use rayon::prelude::*;
                    chunks.into_par_iter().map(Chunk::run).reduce(|| true, |a, b| a & b)
                })
            }
            _ => {
                let count = islands.count();
                Chunk { job: &job, bodies, islands: 0..count, groups: &mut groups[0] }.run()
            }
        }
    }

    /// Where a ray from `origin` along `way` (length one) ends within `most` metres: at the ground, or at a body
    /// other than `without`.
    pub fn cast(
        &self,
        origin: &Vector3<f64>,
        way: &Vector3<f64>,
        most: f64,
        without: Option<usize>,
    ) -> Option<Hit> {
        let mut best = self.fixed.cast(origin, way, most);
        for body in self.bodies() {
            if Some(body.number as usize) == without {
                continue;
            }
            let nearest = best.map_or(most, |hit| hit.distance);
            if let Some(hit) = crate::ray::cast_on_body(body, origin, way, nearest) {
                best = Some(hit);
            }
        }
        best
    }
}
