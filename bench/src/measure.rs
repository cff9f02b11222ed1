//! Measuring: the clocks, and the order in which the two sides of a row take turns.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::row::{Outcome, Row, Sample};

/// Runs `job`, which says how much it did, by the CPU time of the calling thread. For rows in
/// which one thread does all the work: other processes of the machine disturb it least.
pub fn by_thread_cpu_time(job: impl FnOnce() -> u64) -> Sample {
    let start = cpu_time(ClockId::ThreadCPUTime);
    let work = job();
    sample(work, cpu_time(ClockId::ThreadCPUTime) - start)
}

/// Runs `job`, which says how much it did, by the clock on the wall. For rows with several
/// threads, where waiting is part of the cost.
pub fn by_wall_time(job: impl FnOnce() -> u64) -> Sample {
    let start = Instant::now();
    let work = job();
    sample(work, start.elapsed())
}

/// Runs `job`, which says how much it did, by the CPU time of all threads of this process: what the
/// job would take on one core.
pub fn by_process_cpu_time(job: impl FnOnce() -> u64) -> Sample {
    let start = cpu_time(ClockId::ProcessCPUTime);
    let work = job();
    sample(work, cpu_time(ClockId::ProcessCPUTime) - start)
}

fn sample(work: u64, span: Duration) -> Sample {
    Sample { work: work as f64, cost: span.as_secs_f64() }
}

fn cpu_time(clock: ClockId) -> Duration {
    let now = clock_gettime(clock);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Repetitions of which a median is taken, at least.
const FEWEST_FOR_MEDIAN: usize = 7;

/// How often the two sides of a row take turns.
#[derive(Clone, Copy, Debug)]
pub enum Repeat {
    /// So often, however long it takes.
    Exactly(usize),
    /// At most so often, and only while there is time for another turn.
    Within(usize, Duration),
}

/// Measures a row: each side once to warm up, then the two sides in turn, so that a change in the
/// machine's speed meets both; we alone where the peer is missing. Exact figures need neither warm-up nor repetitions, and
/// where there is no time for more, the first turn counts. A row that panics has failed.
pub fn compare(row: Row, repeat: Repeat) -> Outcome {
    let Row { name, peer, figure, .. } = row;
    let measured = catch_unwind(AssertUnwindSafe(|| measure(row, repeat)));
    measured.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Outcome::failed(name, peer, figure, text.unwrap_or("it did not say why").to_owned())
    })
}

fn measure(mut row: Row, repeat: Repeat) -> Outcome {
    let (repetitions, limit) = match repeat {
        Repeat::Exactly(repetitions) => (repetitions, Duration::MAX),
        Repeat::Within(repetitions, limit) => (repetitions, limit),
    };
    let turns = match row.figure {
        figure if figure.is_exact() => 1,
        figure if figure.is_median() => 1 + repetitions.max(FEWEST_FOR_MEDIAN),
        _ => 1 + repetitions,
    };
    let missing = (row.missing)();
    let mut ours = Vec::with_capacity(turns);
    let mut theirs = Vec::with_capacity(turns);
    let begun = Instant::now();
    let mut longest = Duration::ZERO;
    for turn in 0..turns {
        if turn > 0 && begun.elapsed().saturating_add(longest) > limit {
            break;
        }
        let turn_begun = Instant::now();
        let our_sample = (row.ours)();
        let their_sample = missing.is_none().then(|| (row.theirs)());
        if turn == 1 {
            // The one before was to warm up.
            ours.clear();
            theirs.clear();
        }
        ours.push(our_sample);
        theirs.extend(their_sample);
        longest = longest.max(turn_begun.elapsed());
    }
    Outcome { missing, ..Outcome::new(row.name, row.peer, row.figure, &ours, &theirs) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::{Figure, always_there};
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    #[test]
    fn the_sides_take_turns_and_the_first_turn_is_not_counted() {
        let turns = Rc::new(RefCell::new(String::new()));
        let side = |letter: char, costs: [f64; 3]| {
            let turns = Rc::clone(&turns);
            let mut costs = costs.into_iter();
            let side = move || {
                turns.borrow_mut().push(letter);
                Sample { work: 1.0, cost: costs.next().expect("three turns") }
            };
            Box::new(side)
        };
        let row = Row {
            name: "job",
            peer: "peer",
            missing: always_there,
            figure: Figure::PerSecond("thing"),
            ours: side('o', [0.1, 2.0, 4.0]),
            theirs: side('t', [0.1, 9.0, 8.0]),
        };
        let outcome = compare(row, Repeat::Exactly(2));
        assert_eq!(*turns.borrow(), "ototot");
        assert_eq!(
            (outcome.ours, outcome.theirs, outcome.ratio),
            (Some(0.5), Some(0.125), Some(4.0))
        );
    }

    #[test]
    fn a_missing_peer_is_not_run_and_its_row_says_how_to_get_it() {
        let row = Row {
            name: "job",
            peer: "peer",
            missing: || Some("install it".into()),
            figure: Figure::PerSecond("thing"),
            ours: Box::new(|| Sample { work: 1.0, cost: 0.5 }),
            theirs: Box::new(|| panic!("it is not there")),
        };
        let outcome = compare(row, Repeat::Exactly(2));
        assert_eq!((outcome.ours, outcome.theirs, outcome.ratio), (Some(2.0), None, None));
        assert_eq!(outcome.missing.as_deref(), Some("install it"));
    }

    #[test]
    fn an_exact_figure_is_taken_once() {
        let turns = Rc::new(Cell::new(0));
        let counted = Rc::clone(&turns);
        let row = Row {
            name: "job",
            peer: "peer",
            missing: always_there,
            figure: Figure::BytesPer("thing"),
            ours: Box::new(|| Sample { work: 1.0, cost: 1.0 }),
            theirs: Box::new(move || {
                counted.set(counted.get() + 1);
                Sample { work: 2.0, cost: 10.0 }
            }),
        };
        assert_eq!(compare(row, Repeat::Exactly(5)).theirs, Some(5.0));
        assert_eq!(turns.get(), 1);
    }

    fn slow(millis: u64) -> Row {
        let turn = move || {
            std::thread::sleep(Duration::from_millis(millis));
            1
        };
        Row {
            name: "job",
            peer: "peer",
            missing: always_there,
            figure: Figure::PerSecondAtMedian("thing"),
            ours: Box::new(move || by_wall_time(turn)),
            theirs: Box::new(|| Sample { work: 1.0, cost: 1.0 }),
        }
    }

    #[test]
    fn a_row_ends_with_its_time_and_what_was_run_counts() {
        let begun = Instant::now();
        let short = compare(slow(50), Repeat::Within(5, Duration::from_millis(10)));
        assert_eq!((short.repetitions, short.failed), (1, None));
        let longer = compare(slow(20), Repeat::Within(1_000_000, Duration::from_millis(200)));
        assert!((1..10).contains(&longer.repetitions), "{}", longer.repetitions);
        assert!(begun.elapsed() < Duration::from_secs(10));
        assert_eq!(compare(slow(1), Repeat::Exactly(9)).repetitions, 9);
    }

    #[test]
    fn a_row_that_panics_has_failed_and_says_why() {
        let row = Row { theirs: Box::new(|| panic!("nobody is {}", "there")), ..slow(1) };
        let outcome = compare(row, Repeat::Exactly(2));
        assert_eq!((outcome.ours, outcome.ratio), (None, None));
        assert_eq!(outcome.failed.as_deref(), Some("nobody is there"));
    }

    #[test]
    fn cpu_time_does_not_count_sleep_and_wall_time_does() {
        let doze = || {
            std::thread::sleep(Duration::from_millis(20));
            1
        };
        assert!(by_thread_cpu_time(doze).cost < 0.010);
        assert!(by_wall_time(doze).cost >= 0.020);
    }
}
