//! What process 0 keeps for all: halts, positions, who is through, where to pause, and the floor below
//! which nothing happens anywhere.
//!
//! The floor is found as Mattern's four-counter method finds that a computation has ended (F. Mattern,
//! *Algorithms for distributed termination detection*, Distributed Computing 2, 1987): two waves in
//! which every process says how many values it has sent and received. If the sums of both waves are
//! all equal, then no process has sent or received anything from its first answer to its second, and
//! nothing was under way when the second wave began. So whatever is sent after the second answers
//! is caused by an event at or after the earliest that they name.

use super::record::{Down, Up};
use crate::partition::{Halted, first_of};
use crate::time::{Duration, Time};

/// The last answer of a process.
#[derive(Clone, Copy, Debug, Default)]
struct Answer {
    known: bool,
    idle: bool,
    wave: u64,
    next: Time,
    sent: u64,
    received: u64,
}

pub(super) struct Coordinator {
    end: Time,
    floor: Time,
    positions: Vec<Time>,
    finished: Vec<bool>,
    halts: Vec<Halted>,
    /// Whether all were told to meet, and who has.
    pausing: bool,
    met: Vec<Option<Time>>,
    answers: Vec<Answer>,
    /// The wave that is under way, and what both sums of the wave before were.
    wave: u64,
    asked: Option<u64>,
}

impl Coordinator {
    pub fn new(count: usize, end: Time) -> Self {
        Coordinator {
            end,
            floor: Time::ZERO,
            positions: vec![Time::ZERO; count],
            finished: vec![false; count],
            halts: Vec::new(),
            pausing: false,
            met: vec![None; count],
            answers: vec![Answer::default(); count],
            wave: 0,
            asked: None,
        }
    }

    /// Nothing before this instant will be taken back by anybody.
    pub fn horizon(&self) -> Time {
        // One that has halted has brought the end forward before it left.
        self.positions.iter().copied().min().unwrap_or(Time::ZERO).min(self.end)
    }

    pub fn has_finished(&self, process: usize) -> bool {
        self.finished[process]
    }

    /// Takes what a process says, and adds what all are to be told.
    pub fn take(&mut self, from: usize, up: Up, down: &mut Vec<Down>) {
        if self.finished.iter().all(|finished| *finished) {
            // The verdict was the last word.
            return;
        }
        match up {
            Up::Position(position) => self.positions[from] = self.positions[from].max(position),
            Up::Halted(halted) => {
                self.bring_forward(halted.at + Duration::EPSILON, down);
                self.halts.push(halted);
            }
            Up::Finished => {
                self.finished[from] = true;
                self.positions[from] = Time::NEVER;
                self.meet(down);
                if self.finished.iter().all(|finished| *finished) {
                    down.push(Down::Verdict(first_of(std::mem::take(&mut self.halts))));
                }
            }
            Up::Quiet { wave, idle, next, sent, received } => {
                let wave = wave.unwrap_or(self.answers[from].wave);
                self.answers[from] = Answer { known: true, idle, wave, next, sent, received };
                self.find_floor(down);
            }
            Up::PleasePause => {
                if !std::mem::replace(&mut self.pausing, true) {
                    down.push(Down::Pause);
                    self.meet(down);
                }
            }
            Up::Met(position) => {
                self.met[from] = Some(position);
                self.meet(down);
            }
        }
    }

    fn bring_forward(&mut self, end: Time, down: &mut Vec<Down>) {
        if end < self.end {
            self.end = end;
            down.push(Down::End(end));
        }
    }

    /// Once all have stopped or are through, the latest position is the place to pause.
    fn meet(&mut self, down: &mut Vec<Down>) {
        let there = self.finished.iter().zip(&self.met);
        let position = |(finished, met): (&bool, &Option<Time>)| match finished {
            true => Some(self.end),
            false => *met,
        };
        let all: Option<Vec<Time>> = there.map(position).collect();
        if let (true, Some(all)) = (self.pausing, all) {
            let agreed = all.into_iter().max().unwrap_or(Time::NEVER).min(self.end);
            self.end = agreed;
            self.pausing = false;
            down.push(Down::Paused(agreed));
        }
    }

    fn sums(&self) -> (u64, u64) {
        // What foreign processes say may be anything.
        let add = |sum: u64, more: u64| sum.wrapping_add(more);
        let sent = self.answers.iter().map(|answer| answer.sent).fold(0, add);
        (sent, self.answers.iter().map(|answer| answer.received).fold(0, add))
    }

    fn find_floor(&mut self, down: &mut Vec<Down>) {
        if let Some(before) = self.asked {
            if self.answers.iter().any(|answer| answer.wave != self.wave) {
                return;
            }
            self.asked = None;
            let next = self.answers.iter().map(|answer| answer.next).min();
            let next = next.unwrap_or(Time::ZERO);
            if self.sums() == (before, before) && next > self.floor {
                self.floor = next;
                down.push(Down::Floor(next));
                return;
            }
        }
        let (sent, received) = self.sums();
        let idle = self.answers.iter().all(|answer| answer.known && answer.idle);
        let least = self.answers.iter().map(|answer| answer.next).min().unwrap_or(Time::ZERO);
        if idle && sent == received && least > self.floor {
            self.wave += 1;
            self.asked = Some(sent);
            down.push(Down::Wave(self.wave));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet(wave: Option<u64>, next: u64, sent: u64, received: u64) -> Up {
        Up::Quiet { wave, idle: true, next: Time::from_ps(next), sent, received }
    }

    /// What two processes say one after the other, and what all are told.
    fn told(said: impl IntoIterator<Item = (usize, Up)>) -> Vec<Down> {
        let mut coordinator = Coordinator::new(2, Time::NEVER);
        let mut down = Vec::new();
        for (from, up) in said {
            coordinator.take(from, up, &mut down);
        }
        down
    }

    #[test]
    fn a_floor_takes_two_waves_with_equal_sums() {
        let first = [(0, quiet(None, 50, 3, 1)), (1, quiet(None, 70, 1, 3))];
        let second = [(1, quiet(Some(1), 70, 1, 3)), (0, quiet(Some(1), 60, 3, 1))];
        assert_eq!(told(first.clone()), [Down::Wave(1)]);
        let floor = Down::Floor(Time::from_ps(60));
        assert_eq!(told(first.into_iter().chain(second)), [Down::Wave(1), floor]);
    }

    #[test]
    fn a_value_that_was_sent_between_two_waves_takes_a_third() {
        let first = [(0, quiet(None, 50, 3, 1)), (1, quiet(None, 70, 1, 3))];
        let second = [(1, quiet(Some(1), 40, 1, 4)), (0, quiet(Some(1), 60, 4, 1))];
        let third = [(0, quiet(Some(2), 60, 4, 1)), (1, quiet(Some(2), 40, 1, 4))];
        let floor = Down::Floor(Time::from_ps(40));
        let all = told(first.into_iter().chain(second).chain(third));
        assert_eq!(all, [Down::Wave(1), Down::Wave(2), floor]);
    }

    #[test]
    fn nothing_is_asked_while_something_is_under_way() {
        assert_eq!(told([(0, quiet(None, 50, 3, 1)), (1, quiet(None, 70, 1, 2))]), []);
    }

    #[test]
    fn a_pause_is_where_the_last_has_stopped() {
        let met = |ps| Up::Met(Time::from_ps(ps));
        let said = [(1, Up::PleasePause), (0, met(20)), (1, met(30))];
        assert_eq!(told(said), [Down::Pause, Down::Paused(Time::from_ps(30))]);
    }
}
