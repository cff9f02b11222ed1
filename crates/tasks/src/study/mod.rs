//! How many random workloads can be simulated: the studies of the thesis' Figures 10 to 12.
//!
//! A study draws workloads, varies one of three ratios from 0 to 100 %, and counts for each policy how many
//! workloads it simulates without a late write (Park 2021, section 4). A workload is the same at every ratio
//! of a study as far as the ratio leaves it: the marked chains of a smaller ratio are among those of a
//! greater one. What is drawn depends on the seed and the number of the workload alone, so the result does
//! not depend on the number of threads.

mod generator;
mod plot;
mod ratios;
mod result;
mod workload;

use std::thread;

pub use generator::{Generator, HYPER_PERIOD};
pub use ratios::{Ratios, Vary};
pub use result::{Point, StudyResult};

use crate::fraction::Fraction;
use crate::guider::NoCommonScale;
use crate::policy::{Policy, Reading};
use crate::scheduler::TooManyJobs;
use crate::system::Ticks;

/// Workloads that are drawn at most until one is accepted.
pub const MOST_DRAWS: u64 = 100_000;

/// What is studied. Times are in microseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// The ratio that is varied.
    pub vary: Vary,
    /// How workloads are made.
    pub generator: Generator,
    /// How many at each point.
    pub workloads: u64,
    /// What they are drawn from.
    pub seed: u64,
    /// Values of the varied ratio, in per cent.
    pub points: Vec<u32>,
    /// All ratios; the varied one is replaced at each point.
    pub ratios: Ratios,
    /// How many times as fast as an ECU the simulation computer is.
    pub speed: Fraction,
    /// Its cores: at least one.
    pub cores: usize,
    /// The policies that are compared.
    pub policies: Vec<Policy>,
    /// Jobs that start before are looked at, where the generator does not say it itself: see
    /// [`Study::horizon`].
    pub longest: Ticks,
    /// Threads that do the work, at most 256; 0 for as many as there are cores.
    pub threads: usize,
}

/// Why a study has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StudyError {
    /// Nothing that is drawn is accepted.
    #[error(
        "{MOST_DRAWS} workloads were drawn at a transaction ratio of {transaction} % and the real schedule of \
none was feasible (try another ratio, or the generator `as-written`, which has no such filter)"
    )]
    NothingFeasible {
        /// The transaction ratio in per cent.
        transaction: u32,
    },
    /// Too many jobs.
    #[error("{0}: choose a shorter horizon")]
    TooManyJobs(#[from] TooManyJobs),
    /// A speed that cannot be counted with.
    #[error(transparent)]
    Speed(#[from] NoCommonScale),
    /// A ratio beyond 100 %.
    #[error("a ratio of {0} %: ratios are from 0 to 100 %")]
    Ratio(u32),
}

impl Study {
    /// The study of a ratio as in the thesis: 1000 workloads, 0 to 100 % in 11 points, ratios of 50, 30 and
    /// 30 %, a computer 3.3 times as fast as an ECU, three policies.
    pub fn new(vary: Vary, generator: Generator) -> Self {
        Study {
            vary,
            generator,
            workloads: 1000,
            seed: 1,
            points: (0..=10).map(|tenth| 10 * tenth).collect(),
            ratios: Ratios { transaction: 50, write: 30, read: 30 },
            speed: Fraction::new(33, 10).unwrap_or(Fraction::ONE),
            cores: 1,
            policies: vec![Policy::Ours, Policy::AllSync, Policy::TrueTime(Reading::Published)],
            longest: 1_000_000,
            threads: 0,
        }
    }

    /// Jobs that start before are looked at: one hyper-period where there is a short one.
    pub fn horizon(&self) -> Ticks {
        match self.generator {
            Generator::AsPublished => HYPER_PERIOD,
            Generator::AsWritten => self.longest,
        }
    }

    /// Draws and simulates all workloads.
    pub fn run(&self) -> Result<StudyResult, StudyError> {
        let beyond = self.points.iter().copied().find(|ratio| *ratio > 100);
        if let Some(beyond) = beyond.or(self.ratios.beyond_all()) {
            return Err(StudyError::Ratio(beyond));
        }
        let threads = match self.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads.min(256),
        };
        let part = |from: usize| {
            let mut points = self.empty_points();
            for number in (from as u64..self.workloads).step_by(threads) {
                self.add_workload(number, &mut points)?;
            }
            Ok(points)
        };
        let parts: Vec<Result<Vec<Point>, StudyError>> = thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|from| scope.spawn(move || part(from))).collect();
            let first = part(0);
            let joined = others.into_iter().map(|handle| match handle.join() {
                Ok(points) => points,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            [first].into_iter().chain(joined).collect()
        });
        let mut points = self.empty_points();
        for part in parts {
            points.iter_mut().zip(part?).for_each(|(point, part)| point.add(&part));
        }
        Ok(StudyResult { study: self.clone(), points })
    }

    fn empty_points(&self) -> Vec<Point> {
        let point = |ratio: &u32| Point::new(*ratio, self.policies.len());
        self.points.iter().map(point).collect()
    }
}
