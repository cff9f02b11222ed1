//! Random workloads, as the thesis' program makes them and as its text describes them.

use ironbird_kernel::{RandomStream, Seed};

use super::ratios::Rounding;
use crate::system::{EcuId, Ticks};

/// The hyper-period of the periods of [`Generator::AsPublished`], in microseconds.
pub const HYPER_PERIOD: Ticks = 100_000;

/// Periods of [`Generator::AsPublished`], in microseconds.
const PERIODS: [Ticks; 4] = [10_000, 25_000, 50_000, 100_000];

/// How random workloads are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    /// As the program does by which the figures were made: periods are dealt in turn from 10, 25, 50 and
    /// 100 ms; there are 1 to 5 times as many tasks as ECUs, spread evenly; shares are rounded up; and a
    /// workload counts only if its real schedule is feasible, else another one is drawn. One hyper-period of
    /// 100 ms.
    AsPublished,
    /// As the text has it: periods uniform from 10 to 100 ms, 1 to 5 tasks on each ECU, no filter. Shares are
    /// rounded down: "if the number of transactions is one, the write ratio is meaningless". Its hyper-period
    /// is beyond all bounds, so the horizon is a parameter of the study.
    AsWritten,
}

impl Generator {
    /// All of them.
    pub const ALL: [Generator; 2] = [Generator::AsPublished, Generator::AsWritten];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Generator::AsPublished => "as-published",
            Generator::AsWritten => "as-written",
        }
    }

    /// What it does, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Generator::AsPublished => {
                "periods dealt in turn from 10, 25, 50, 100 ms; tasks = ECUs x U[1, 5], spread evenly; \
shares rounded up; only feasible real schedules"
            }
            Generator::AsWritten => {
                "periods U[10, 100] ms; U[1, 5] tasks on each ECU; shares rounded down; no filter on the \
real schedule"
            }
        }
    }
}

/// What is drawn: chains of tasks on ECUs, not yet marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub ecus: usize,
    /// Period of each chain and the ECUs of its tasks.
    pub chains: Vec<(Ticks, Vec<EcuId>)>,
    /// Chains in the order in which they get to write, and to read.
    pub writers: Vec<usize>,
    pub readers: Vec<usize>,
}

impl Generator {
    /// Attempt number `attempt` at the workload of a number.
    pub(super) fn draw(self, seed: u64, workload: u64, attempt: u64, transaction: u32) -> Shape {
        let seed = Seed { seed, repetition: workload };
        let stream = |name| {
            let mut stream = RandomStream::new(seed, "study", name);
            stream.seek(attempt);
            stream
        };
        let mut sizes = stream("sizes");
        let ecus = 3 + sizes.below(8) as usize;
        let mut places: Vec<EcuId> = match self {
            Generator::AsPublished => {
                let tasks = ecus * (1 + sizes.below(5) as usize);
                (0..tasks).map(|task| task % ecus).collect()
            }
            Generator::AsWritten => (0..ecus)
                .flat_map(|ecu| std::iter::repeat_n(ecu, 1 + sizes.below(5) as usize))
                .collect(),
        };
        shuffle(&mut places, &mut stream("places"));
        let count = self.rounding().share(transaction, places.len()).max(1);
        let mut periods = stream("periods");
        let mut chains: Vec<(Ticks, Vec<EcuId>)> = places[..count]
            .iter()
            .enumerate()
            .map(|(number, ecu)| (self.period(number, &mut periods), vec![*ecu]))
            .collect();
        for (number, ecu) in places[count..].iter().enumerate() {
            chains[number % count].1.push(*ecu);
        }
        let order = |name| {
            let mut order: Vec<usize> = (0..count).collect();
            shuffle(&mut order, &mut stream(name));
            order
        };
        Shape { ecus, writers: order("writers"), readers: order("readers"), chains }
    }

    pub(super) fn rounding(self) -> Rounding {
        match self {
            Generator::AsPublished => Rounding::Up,
            Generator::AsWritten => Rounding::Down,
        }
    }

    /// The period of a chain: a multiple of 5 us, so that a fifth of it is whole.
    fn period(self, chain: usize, stream: &mut RandomStream) -> Ticks {
        match self {
            Generator::AsPublished => PERIODS[chain % PERIODS.len()],
            Generator::AsWritten => 10_000 + 5 * stream.below(18_001),
        }
    }
}

/// Any order is as likely as any other (Fisher, Yates).
fn shuffle<T>(items: &mut [T], stream: &mut RandomStream) {
    for left in (1..items.len()).rev() {
        items.swap(left, stream.below(left as u64 + 1) as usize);
    }
}
