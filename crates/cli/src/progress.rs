//! How far a run has come: a bar on a terminal, plain lines on a pipe.

use std::io::{IsTerminal, stderr};
use std::time::{Duration as Wall, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use ironbird_kernel::Time;
use ironbird_runner::Progress;

use crate::output::complain;

/// Wall time between plain lines.
const LINES: Wall = Wall::from_secs(5);

/// Shows how far a run has come.
pub struct Shown {
    bar: Option<ProgressBar>,
    started: Instant,
    said: Instant,
    name: String,
}

impl Shown {
    /// For the run called `name`.
    pub fn new(name: &str) -> Self {
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(1_000_000);
            let style = ProgressStyle::with_template("{prefix} {bar:30} {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_prefix(name.to_owned());
            bar
        });
        let now = Instant::now();
        Shown { bar, started: now, said: now, name: name.into() }
    }

    /// Shows it.
    pub fn report(&mut self, progress: Progress) {
        let done = fraction(&progress);
        let text = self.text(&progress, done);
        match &self.bar {
            Some(bar) => {
                bar.set_position((done * 1e6) as u64);
                bar.set_message(text);
            }
            None if self.said.elapsed() >= LINES => {
                complain(format_args!("{}: {:.0} %, {text}\n", self.name, 100.0 * done));
                self.said = Instant::now();
            }
            None => {}
        }
    }

    fn text(&self, progress: &Progress, done: f64) -> String {
        words(progress, done, self.started.elapsed().as_secs_f64())
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// How far it has come, how fast it goes, and who holds the others back.
fn words(progress: &Progress, done: f64, wall: f64) -> String {
    let left = if done > 0.0 { wall / done - wall } else { 0.0 };
    let holder = progress.held_back_by.as_deref();
    let holder = holder.map_or_else(String::new, |who| format!(", {who} holds the others back"));
    let (now, end, speed) = (span(progress.now), span(progress.end), factor(progress.speed));
    format!("{now} of {end}, {speed} real time, {:.0} s left{holder}", left.max(0.0))
}

fn fraction(progress: &Progress) -> f64 {
    let end = progress.end.as_secs_f64();
    if end > 0.0 { (progress.now.as_secs_f64() / end).min(1.0) } else { 1.0 }
}

/// A time for people: the unit that gives the fewest digits.
pub fn span(time: Time) -> String {
    let seconds = time.as_secs_f64();
    let (number, unit) = match seconds {
        s if s >= 3600.0 => (s / 3600.0, "h"),
        s if s >= 120.0 => (s / 60.0, "min"),
        s if s >= 1.0 || s == 0.0 => (s, "s"),
        s if s >= 1e-3 => (s * 1e3, "ms"),
        s if s >= 1e-6 => (s * 1e6, "us"),
        s if s >= 1e-9 => (s * 1e9, "ns"),
        s => (s * 1e12, "ps"),
    };
    let text = format!("{number:.3}");
    format!("{} {unit}", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A speed-up for people: `12.3x`, `45 000x`.
pub fn factor(speed: f64) -> String {
    match speed {
        s if s < 0.001 => return format!("{s:.1e}x"),
        s if s < 1.0 => return format!("{s:.3}x"),
        s if s < 100.0 => return format!("{s:.1}x"),
        _ => {}
    }
    let digits = format!("{speed:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(' ');
        }
        text.push(digit);
    }
    format!("{text}x")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_fast_it_goes_and_who_holds_the_others_back() {
        let second = |n: u64| Time::from_ps(n * 1_000_000_000_000);
        let held_back_by = Some("controller, lamp".into());
        let progress = Progress { now: second(5), end: second(20), speed: 2.5, held_back_by };
        assert_eq!(
            words(&progress, fraction(&progress), 1.0),
            "5 s of 20 s, 2.5x real time, 3 s left, controller, lamp holds the others back"
        );
        let alone = Progress { held_back_by: None, ..progress };
        assert_eq!(words(&alone, 0.25, 1.0), "5 s of 20 s, 2.5x real time, 3 s left");
    }

    #[test]
    fn times_and_speeds_are_written_for_people() {
        let text = |ps| span(Time::from_ps(ps));
        assert_eq!(text(86_400_000_000_000_000), "24 h");
        assert_eq!(text(150_000_000_000_000), "2.5 min");
        assert_eq!(text(5_895_000_000_000), "5.895 s");
        assert_eq!(text(0), "0 s");
        assert_eq!(text(20_500_000), "20.5 us");
        assert_eq!(text(100), "100 ps");
        assert_eq!(factor(4.04), "4.0x");
        assert_eq!(factor(0.0266), "0.027x");
        assert_eq!(factor(0.000_026), "2.6e-5x");
        assert_eq!(factor(1_781_046.0), "1 781 046x");
    }
}
