//! Choices that a comparison file makes by a word.

use ironbird_logs::{LogStart, TimeUnit};
use ironbird_record::replay::Between;

/// One of several words.
pub(crate) fn choose<T: Copy>(key: &str, text: &str, choices: &[(&str, T)]) -> Result<T, String> {
    let found = choices.iter().find(|(name, _)| *name == text).map(|(_, choice)| *choice);
    found.ok_or_else(|| {
        let known: Vec<String> = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        format!("{key} = \"{text}\": it is one of {}", known.join(", "))
    })
}

pub(crate) fn between(text: Option<&str>) -> Result<Between, String> {
    choose("between", text.unwrap_or("hold"), &[("hold", Between::Hold), ("line", Between::Line)])
}

pub(crate) fn log_start(text: Option<&str>) -> Result<LogStart, String> {
    let choices = [("zero", LogStart::Zero), ("first-line", LogStart::FirstLine)];
    choose("log.start", text.unwrap_or("zero"), &choices)
}

pub(crate) fn time_unit(text: Option<&str>) -> Result<TimeUnit, String> {
    choose("log.time_unit", text.unwrap_or("s"), &TimeUnit::NAMES)
}

/// A number that sums errors up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Rms,
    Median,
    Most,
    Max,
}

impl Measure {
    pub fn read(text: &str) -> Result<Self, String> {
        let choices = [
            ("rms", Measure::Rms),
            ("median", Measure::Median),
            ("95 %", Measure::Most),
            ("max", Measure::Max),
        ];
        choose("measure", text, &choices)
    }
}
