//! Small systems: drawn, but always the same.

use ironbird_kernel::{RandomStream, Seed};
use ironbird_tasks::{
    Bus, Carrier, Clock, Computer, Ecu, Execution, Executor, Fraction, Frame, FrameTime, Kind,
    Load, Overrun, Rules, Scheduler, System, Task, TimeUnit, Transaction, utilisation,
};

/// What systems are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sort {
    /// Fixed priorities and clocks alone.
    Periodic,
    /// Fixed priorities with chains.
    Chains,
    /// Executors alone.
    Executors,
    /// Everything.
    Mixed,
    /// Two ECUs, messages in time slots.
    Slots,
}

pub struct Draw(RandomStream);

impl Draw {
    pub fn new(number: u64) -> Self {
        Draw(RandomStream::new(Seed { seed: number, repetition: 0 }, "system", "draw"))
    }

    pub fn below(&mut self, count: u64) -> u64 {
        self.0.below(count)
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// A system of one to three ECUs and up to nine tasks, none of them starved for ever.
pub fn drawn(sort: Sort, number: u64) -> System {
    let draw = &mut Draw::new(number);
    loop {
        let system = tried(draw, sort);
        if !utilisation(&system).iter().any(Load::is_above_one) {
            return system;
        }
    }
}

fn tried(draw: &mut Draw, sort: Sort) -> System {
    let count = if sort == Sort::Slots { 2 } else { 1 + draw.below(3) as usize };
    let ecus: Vec<Ecu> = (0..count).map(|ecu| drawn_ecu(draw, sort, ecu)).collect();
    let mut system = System {
        unit: TimeUnit::Millisecond,
        ecus,
        tasks: Vec::new(),
        transactions: Vec::new(),
        buses: Vec::new(),
        computer: Computer { cores: 1, speed: Fraction::ONE },
        longest_hyper_period: 1000,
    };
    let speed = [(1, 1), (1, 2), (1, 4), (2, 3)][draw.below(4) as usize];
    for transaction in 0..1 + draw.below(3) as usize {
        let length = match sort {
            Sort::Periodic => 1,
            _ => 1 + draw.below(3) as usize,
        };
        let first = system.tasks.len();
        for position in 0..length {
            let ecu = draw.below(count as u64) as usize;
            let id = system.tasks.len();
            let is_timer = position == 0;
            let period = [6, 8, 12, 12][draw.below(4) as usize];
            let offset = if draw.chance(30) { draw.below(4) } else { 0 };
            let best = 1 + draw.below(2);
            let worst = if draw.chance(60) { best + 1 + draw.below(2) } else { best };
            let sampled = id > 0
                && draw.chance(if matches!(sort, Sort::Periodic | Sort::Slots) { 60 } else { 30 });
            let samples = if sampled { vec![draw.below(id as u64) as usize] } else { Vec::new() };
            system.tasks.push(Task {
                name: format!("T{transaction}.{position}"),
                transaction,
                position,
                ecu,
                kind: if is_timer { Kind::Timer } else { Kind::Subscription },
                clock: is_timer.then_some(Clock { period, offset }),
                after: if is_timer { Vec::new() } else { vec![id - 1] },
                samples,
                execution: Execution { best, worst, measured: Vec::new() },
                order: 0,
                group: ["a", "b"][draw.below(2) as usize].into(),
                queue_depth: 1 + draw.below(3) as usize,
                reads_physical: draw.chance(40),
                writes_physical: draw.chance(40),
                simulated: Fraction::new(speed.0, speed.1).expect("a fraction"),
                frame: Frame { identifier: draw.below(50), bytes: 8 },
            });
        }
        let tasks = (first..system.tasks.len()).collect();
        system.transactions.push(Transaction { name: format!("T{transaction}"), tasks });
    }
    // Later tasks are sampled, too.
    if system.tasks.len() > 1 && draw.chance(30) {
        let from = 1 + draw.below(system.tasks.len() as u64 - 1) as usize;
        system.tasks[0].samples.push(from);
    }
    for id in (1..system.tasks.len()).rev() {
        let other = draw.below(id as u64 + 1);
        system.tasks[id].order = other * 100 + id as u64;
    }
    if count > 1 && sort != Sort::Executors {
        drawn_bus(draw, &mut system, sort == Sort::Slots);
    }
    system
}

fn drawn_ecu(draw: &mut Draw, sort: Sort, number: usize) -> Ecu {
    let is_fixed = match sort {
        Sort::Periodic | Sort::Chains => true,
        Sort::Executors => false,
        Sort::Mixed => draw.chance(40),
        Sort::Slots => draw.chance(70),
    };
    let executor = Executor {
        rules: Rules::ALL[draw.below(4) as usize],
        threads: 1 + usize::from(draw.chance(30)),
        polls_on_wake: draw.chance(50),
        reentrant: if draw.chance(30) { vec!["a".into()] } else { Vec::new() },
        order_seed: 1,
    };
    Ecu {
        name: format!("ecu{number}"),
        scheduler: if is_fixed { Scheduler::FixedPriority } else { Scheduler::Executor(executor) },
        overrun: if draw.chance(50) { Overrun::Skip } else { Overrun::Queue },
    }
}

fn drawn_bus(draw: &mut Draw, system: &mut System, has_slots: bool) {
    let ecus: Vec<usize> = (0..system.ecus.len()).collect();
    let carrier = match if has_slots { 1 } else { draw.below(6) } {
        0 => Carrier::Constant { latency: draw.below(3) },
        1 => Carrier::CanTdma {
            slot: 2,
            owners: ecus.clone(),
            frame: FrameTime::Constant(1 + draw.below(2)),
        },
        2 => Carrier::CanPriority { frame: FrameTime::Constant(1 + draw.below(2)) },
        3 => Carrier::Dds { latencies: vec![0, 1, 3] },
        _ => return,
    };
    system.buses.push(Bus { name: "bus".into(), ecus, carrier });
}
