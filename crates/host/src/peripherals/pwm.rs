//! PWM: pulses for servos and speed controllers.

use ironbird_devices::Pulse;
use ironbird_kernel::{Duration, Time};
use serde::{Deserialize, Serialize};

use crate::clock::Clock;

/// Channels.
pub const CHANNELS: usize = 8;
/// A tick of the registers: 0.1 µs.
const TICK: u64 = 100_000;

const PERIOD: u32 = 0x00;
const INTERRUPT: u32 = 0x04;
const WIDTH: u32 = 0x10;

/// All channels; their pulses begin together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pwm {
    period: u32,
    widths: [u32; CHANNELS],
    interrupts: bool,
    has_begun: bool,
    began: Time,
    /// When the next period begins.
    next_period: Time,
    /// When the pulse of each channel is over, while it is high.
    pulses: [Time; CHANNELS],
}

impl Default for Pwm {
    fn default() -> Self {
        Pwm {
            period: 0,
            widths: [0; CHANNELS],
            interrupts: false,
            has_begun: false,
            began: Time::ZERO,
            next_period: Time::NEVER,
            pulses: [Time::NEVER; CHANNELS],
        }
    }
}

impl Pwm {
    pub fn line(&self) -> bool {
        self.interrupts && self.has_begun
    }

    pub fn next(&self) -> Time {
        self.pulses.iter().fold(self.next_period, |next, pulse| next.min(*pulse))
    }

    /// What is due now: pulses end, each shown with its channel; then a period begins.
    pub fn event(&mut self, now: Time, clock: &Clock, mut show: impl FnMut(usize, Pulse)) {
        for (channel, over) in self.pulses.iter_mut().enumerate() {
            if *over <= now {
                *over = Time::NEVER;
                show(channel, Pulse { began: self.began, ended: now });
            }
        }
        if self.next_period <= now {
            self.begin(now, clock);
        }
    }

    /// A period begins with what the registers say now.
    fn begin(&mut self, now: Time, clock: &Clock) {
        if self.period == 0 {
            self.next_period = Time::NEVER;
            return;
        }
        let after = |ticks: u32| now + clock.stretch(Duration::from_ps(TICK * u64::from(ticks)));
        self.began = now;
        self.next_period = after(self.period);
        self.has_begun = true;
        for (over, width) in self.pulses.iter_mut().zip(self.widths) {
            *over = if width == 0 { Time::NEVER } else { after(width.min(self.period)) };
        }
    }

    pub fn load(&self, offset: u32) -> u32 {
        match offset {
            PERIOD => self.period,
            INTERRUPT => u32::from(self.interrupts) | u32::from(self.has_begun) << 1,
            _ => channel(offset).map_or(0, |channel| self.widths[channel]),
        }
    }

    pub fn store(&mut self, offset: u32, value: u32, now: Time, clock: &Clock) {
        match offset {
            PERIOD => {
                self.period = value;
                if self.next_period.is_never() {
                    self.begin(now, clock);
                }
            }
            INTERRUPT => {
                self.interrupts = value & 1 != 0;
                self.has_begun &= value & 2 == 0;
            }
            _ => {
                if let Some(channel) = channel(offset) {
                    self.widths[channel] = value;
                }
            }
        }
    }
}

fn channel(offset: u32) -> Option<usize> {
    let channel = offset.checked_sub(WIDTH)? as usize / 4;
    (channel < CHANNELS).then_some(channel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pulses_follow_the_registers_from_the_next_period_on() {
        let clock = Clock::new(Time::ZERO, 168_000_000).expect("a rate");
        let mut pwm = Pwm::default();
        pwm.store(WIDTH + 4, 10_000, Time::ZERO, &clock);
        pwm.store(PERIOD, 25_000, Time::ZERO, &clock);
        pwm.store(WIDTH + 4, 20_000, Time::ZERO, &clock);
        let mut seen = Vec::new();
        for _ in 0..4 {
            let now = pwm.next();
            pwm.event(now, &clock, |channel, pulse| seen.push((channel, now, pulse.width())));
        }
        let us = |us| Time::ZERO + Duration::from_us(us);
        let expected =
            [(1, us(1_000), Duration::from_us(1_000)), (1, us(4_500), Duration::from_us(2_000))];
        assert_eq!(seen, expected);
        assert_eq!(pwm.next(), us(7_000));
    }

    #[test]
    fn a_period_of_zero_ends_them() {
        let clock = Clock::new(Time::ZERO, 168_000_000).expect("a rate");
        let mut pwm = Pwm::default();
        pwm.store(PERIOD, 25_000, Time::ZERO, &clock);
        pwm.store(PERIOD, 0, Time::ZERO, &clock);
        pwm.event(pwm.next(), &clock, |_, _| panic!("there is no pulse"));
        assert_eq!(pwm.next(), Time::NEVER);
    }
}
