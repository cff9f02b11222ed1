//! Random small systems of every kind.

use ironbird_kernel::{RandomStream, Seed};
use ironbird_tasks::{
    Bus, Carrier, Clock, Computer, Ecu, Execution, Executor, Fraction, Frame, FrameTime, Kind,
    Overrun, Rules, Scheduler, System, Task, Ticks, TimeUnit, Transaction,
};

/// The numbers of the system of this number.
pub fn numbers(of: &str, number: u64) -> RandomStream {
    RandomStream::new(Seed { seed: number, repetition: 0 }, "tests", of)
}

fn one_of<T: Clone>(numbers: &mut RandomStream, items: &[T]) -> T {
    items[numbers.below(items.len() as u64) as usize].clone()
}

fn within(numbers: &mut RandomStream, from: u64, to: u64) -> u64 {
    from + numbers.below(to - from + 1)
}

/// Whether drawn systems may have everything, or only what makes them repeat soon.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    Anything,
    LightLoad,
}

/// A system of up to three ECUs and four chains.
pub fn system(numbers: &mut RandomStream, draw: Draw) -> System {
    let ecus: Vec<Ecu> = (0..within(numbers, 1, 3)).map(|number| ecu(numbers, number)).collect();
    let speed = one_of(numbers, &[(1, 1), (2, 1), (3, 2), (4, 3)]);
    let speed = Fraction::new(speed.0, speed.1).expect("positive");
    let mut system = System {
        unit: TimeUnit::Millisecond,
        buses: Vec::new(),
        tasks: Vec::new(),
        transactions: Vec::new(),
        computer: Computer { cores: 1, speed },
        longest_hyper_period: 1_000_000,
        ecus,
    };
    if system.ecus.len() > 1 && numbers.chance(0.7) {
        let bus = bus(numbers, system.ecus.len(), draw);
        system.buses.push(bus);
    }
    for number in 0..within(numbers, 1, 4) as usize {
        transaction(numbers, number, &mut system, draw);
    }
    let count = system.tasks.len() as u64;
    let tasks: Vec<usize> = (0..system.tasks.len()).collect();
    for task in 0..system.tasks.len() {
        if numbers.chance(0.25) {
            let sampled = one_of(numbers, &tasks);
            if !system.tasks[task].after.contains(&sampled) {
                system.tasks[task].samples.push(sampled);
            }
        }
        system.tasks[task].order = (task as u64 * 7 + numbers.below(2) * 5) % (count + 3);
    }
    system
}

fn ecu(numbers: &mut RandomStream, number: u64) -> Ecu {
    let rules = one_of(numbers, &[Rules::Dashing, Rules::Eloquent, Rules::Events]);
    let threads = if rules == Rules::Events { 1 } else { within(numbers, 1, 3) as usize };
    let executor = Executor {
        rules,
        threads,
        polls_on_wake: numbers.chance(0.5),
        reentrant: if numbers.chance(0.5) { vec!["shared".into()] } else { Vec::new() },
        order_seed: 0,
    };
    Ecu {
        name: format!("ecu{number}"),
        scheduler: one_of(numbers, &[Scheduler::FixedPriority, Scheduler::Executor(executor)]),
        overrun: one_of(numbers, &[Overrun::Skip, Overrun::Queue]),
    }
}

fn bus(numbers: &mut RandomStream, ecus: usize, draw: Draw) -> Bus {
    let frame = FrameTime::Constant(within(numbers, 1, 2));
    let mut owners: Vec<usize> = (0..ecus).collect();
    if numbers.chance(0.5) {
        owners.push(0);
    }
    let mut carriers = vec![
        Carrier::Constant { latency: within(numbers, 0, 3) },
        Carrier::CanTdma { slot: within(numbers, 2, 4), owners, frame },
        Carrier::CanPriority { frame },
    ];
    if draw == Draw::Anything {
        carriers.push(Carrier::Dds { latencies: vec![0, 1, 1, 4] });
    }
    Bus { name: "bus".into(), ecus: (0..ecus).collect(), carrier: one_of(numbers, &carriers) }
}

fn transaction(numbers: &mut RandomStream, number: usize, system: &mut System, draw: Draw) {
    let first = system.tasks.len();
    let (periods, longest): (&[Ticks], u64) = match draw {
        Draw::Anything => (&[4, 5, 6, 8, 10, 12, 20], 3),
        Draw::LightLoad => (&[12, 24, 24, 48], 2),
    };
    let period = one_of(numbers, periods);
    for position in 0..within(numbers, 1, 3) as usize {
        let id = system.tasks.len();
        let name = format!("T{}.{position}", number + 1);
        let is_timer = position == 0;
        let kinds = [Kind::Subscription, Kind::Subscription, Kind::Service, Kind::Client];
        let best = within(numbers, 1, longest);
        let worst = if draw == Draw::Anything { within(numbers, best, longest) } else { best };
        system.tasks.push(Task {
            group: if numbers.chance(0.4) { "shared".into() } else { name.clone() },
            name,
            transaction: number,
            position,
            ecu: numbers.below(system.ecus.len() as u64) as usize,
            kind: if is_timer { Kind::Timer } else { one_of(numbers, &kinds) },
            clock: is_timer.then(|| Clock { period, offset: numbers.below(period) }),
            // Sometimes by a task of another chain as well.
            after: match is_timer {
                true => Vec::new(),
                false if first > 0 && numbers.chance(0.1) => vec![id - 1, 0],
                false => vec![id - 1],
            },
            samples: Vec::new(),
            execution: Execution { best, worst, measured: Vec::new() },
            order: 0,
            queue_depth: within(numbers, 1, 3) as usize,
            reads_physical: is_timer && numbers.chance(0.4),
            writes_physical: numbers.chance(0.3),
            simulated: system.computer.speed.inverse(),
            frame: Frame { identifier: numbers.below(6), bytes: 8 },
        });
    }
    let tasks = (first..system.tasks.len()).collect();
    system.transactions.push(Transaction { name: format!("T{}", number + 1), tasks });
}
