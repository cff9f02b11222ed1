//! How it goes lately: how fast, and who holds the others back.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ironbird_kernel::{Simulation, Time, WaitCounter};

use crate::waiting::short_list;

/// What counts as lately.
const LATELY: Duration = Duration::from_secs(1);
/// Where others wait for less than this part of the time, nobody holds them back.
const WORTH_TELLING: f64 = 0.1;

/// What was the case at a look.
struct Look {
    wall: Instant,
    now: Time,
    /// Seconds of waiting so far, by partition.
    waited: Vec<f64>,
}

/// Looks at a run now and then.
pub(crate) struct Pulse {
    looks: VecDeque<Look>,
    /// What each partition is called.
    names: Vec<String>,
}

impl Pulse {
    pub fn new(simulation: &Simulation) -> Self {
        let count = simulation.partitions();
        let names = (0..count).map(|number| short_list(&simulation.components_of(number)));
        let mut pulse = Pulse { looks: VecDeque::new(), names: names.collect() };
        pulse.look(Instant::now(), simulation.now(), &[]);
        pulse
    }

    /// Simulated seconds per second lately, and who holds the others back.
    pub fn look(
        &mut self,
        wall: Instant,
        now: Time,
        waits: &[WaitCounter],
    ) -> (f64, Option<String>) {
        let mut waited = vec![0.0; self.names.len()];
        for wait in waits {
            if let Some(sum) = waited.get_mut(wait.waiting) {
                *sum += wait.nanoseconds as f64 * 1e-9;
            }
        }
        self.looks.push_back(Look { wall, now, waited });
        // One that is older than lately stays, to compare with.
        while self.looks.get(1).is_some_and(|look| wall.duration_since(look.wall) >= LATELY) {
            self.looks.pop_front();
        }
        let (Some(before), Some(last)) = (self.looks.front(), self.looks.back()) else {
            return (0.0, None);
        };
        let seconds = last.wall.duration_since(before.wall).as_secs_f64().max(1e-9);
        let speed = last.now.since(before.now).as_secs_f64() / seconds;
        let shares = last.waited.iter().zip(&before.waited).map(|(b, a)| (b - a) / seconds);
        let shares: Vec<f64> = shares.collect();
        (speed, holder(&shares).map(|number| self.names[number].clone()))
    }
}

/// Who holds the others back, by the share of the time that each waits: the one that waits least. Those
/// that wait for it may in turn be waited for.
fn holder(waited: &[f64]) -> Option<usize> {
    let least = (0..waited.len()).min_by(|a, b| waited[*a].total_cmp(&waited[*b]))?;
    let others = waited.iter().sum::<f64>() - waited[least];
    let others = others / (waited.len() - 1).max(1) as f64;
    (others >= WORTH_TELLING && others > 2.0 * waited[least]).then_some(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_that_waits_least_holds_the_others_back() {
        assert_eq!(holder(&[0.7, 0.1, 0.9]), Some(1));
        // All wait about as long, or hardly at all.
        assert_eq!(holder(&[0.5, 0.4, 0.6]), None);
        assert_eq!(holder(&[0.02, 0.0]), None);
        assert_eq!(holder(&[0.3]), None);
        assert_eq!(holder(&[]), None);
    }

    #[test]
    fn speed_is_that_of_the_last_second() {
        let start = Instant::now();
        let names = vec!["a".to_owned(), "b, c".to_owned()];
        let mut pulse = Pulse { looks: VecDeque::new(), names };
        let mut look = |ms: u64, simulated: u64, waited_ms: u64| {
            let waits = [WaitCounter {
                waiting: 0,
                nanoseconds: waited_ms * 1_000_000,
                ..WaitCounter::default()
            }];
            let now = Time::ZERO + ironbird_kernel::Duration::from_ms(simulated);
            pulse.look(start + Duration::from_millis(ms), now, &waits)
        };
        look(0, 0, 0);
        assert_eq!(look(500, 5_000, 0), (10.0, None));
        // What happened more than a second ago does not count.
        let (speed, holder) = look(1_500, 5_500, 600);
        assert_eq!((speed, holder.as_deref()), (0.5, Some("b, c")));
    }
}
