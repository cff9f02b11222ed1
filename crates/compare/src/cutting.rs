//! Cuts a log into windows, and those into instants.

use ironbird_kernel::{Duration, Time};

use crate::columns::Column;
use crate::error::CompareError;
use crate::parameters::duration;
use crate::setup::Setup;

/// A day at 100 Hz is less; more is a slip of the pen that would run for ever.
const MOST_SAMPLES: u128 = 10_000_000;

impl Setup {
    /// Cuts the log into windows: where all columns that matter have numbers.
    pub(crate) fn cut(&mut self, mut spans: Vec<Option<(Time, Time)>>) -> Result<(), CompareError> {
        let wrong = |what: String| CompareError::file(&self.file_name, what);
        spans.extend(self.compared.iter().map(|compared| compared.column.span()));
        spans.extend(self.initial.iter().map(|(_, column)| column.span()));
        spans.extend(self.condition.iter().flat_map(|condition| condition.spans()));
        spans.extend(self.path.iter().flat_map(|path| path.columns.iter().map(Column::span)));
        let (mut from, mut until) = (Time::ZERO, Time::NEVER);
        for (first, last) in spans.into_iter().flatten() {
            (from, until) = (from.max(first), until.min(last));
        }
        let instant = |key: &str, text: &Option<String>| match text {
            Some(text) => duration(key, text).map(|span| Some(Time::ZERO + span)),
            None => Ok(None),
        };
        let wanted = instant("log.from", &self.file.log.from).map_err(wrong)?;
        from = wanted.unwrap_or(from).max(from);
        let wanted = instant("log.until", &self.file.log.until).map_err(wrong)?;
        until = wanted.unwrap_or(until).min(until);
        let shown = |time: Time| time.as_secs_f64();
        if from >= until {
            let what =
                format!("nothing of the log lies between {} s and {} s", shown(from), shown(until));
            return Err(wrong(what));
        }
        let (length, every) = match &self.file.windows {
            None => (until.since(from), until.since(from)),
            Some(part) => {
                let length = duration("windows.length", &part.length).map_err(wrong)?;
                let every = part.every.as_deref().unwrap_or(&part.length);
                (length, duration("windows.every", every).map_err(wrong)?)
            }
        };
        if length < self.period || every == Duration::ZERO {
            return Err(wrong(
                "a window is at least one `sample` long, and `every` is above zero".into(),
            ));
        }
        let span = until.since(from);
        let Some(room) = span.as_ps().checked_sub(length.as_ps()) else {
            let (has, length) = (span.as_secs_f64(), length.as_secs_f64());
            return Err(wrong(format!(
                "a window of {length} s does not fit into {has} s of the log"
            )));
        };
        let windows = room / every.as_ps() + 1;
        let ticks = length.as_ps() / self.period.as_ps() + 1;
        if u128::from(windows) * u128::from(ticks) > MOST_SAMPLES {
            let sample = &self.file.sample;
            return Err(wrong(format!(
                "{windows} windows of {ticks} samples are more than {MOST_SAMPLES} samples in all: make \
                 `sample` (\"{sample}\") or `windows.every` longer"
            )));
        }
        let starts = (0..windows).map(|n| Time::from_ps(from.as_ps() + n * every.as_ps()));
        self.windows = starts.collect();
        self.length = length;
        if let Some(condition) = &self.condition {
            let holds = |start: &Time| self.instants(*start).all(|time| condition.holds(time));
            self.windows = self.windows.iter().copied().filter(holds).collect();
            if self.windows.is_empty() {
                return Err(wrong("windows.where holds throughout none of the windows".into()));
            }
        }
        Ok(())
    }

    /// The windows that are fitted to, and those that `fit_until` keeps back to be scored.
    pub(crate) fn split(&self) -> Result<(Setup, Option<Setup>), CompareError> {
        let Some(text) = &self.file.log.fit_until else { return Ok((self.clone(), None)) };
        let wrong = |what: String| CompareError::file(&self.file_name, what);
        let limit = self.fit_until(text).map_err(wrong)?;
        let (mut fitted, mut rest) = (self.clone(), self.clone());
        fitted.windows.retain(|start| *start + self.length <= limit);
        rest.windows.retain(|start| *start >= limit);
        if fitted.windows.is_empty() || rest.windows.is_empty() {
            return Err(wrong(format!(
                "log.fit_until = \"{text}\": no window lies on one side of it"
            )));
        }
        rest.log_name = format!("{} from {} s", self.log_name, limit.as_secs_f64());
        Ok((fitted, Some(rest)))
    }

    /// An instant of the log; `40 %` is where so much of the windows lies before.
    fn fit_until(&self, text: &str) -> Result<Time, String> {
        let Some(percent) = text.strip_suffix('%') else {
            return Ok(Time::ZERO + duration("log.fit_until", text)?);
        };
        let part: f64 = percent.trim().parse().unwrap_or(f64::NAN);
        if !(0.0..=100.0).contains(&part) {
            return Err(format!("log.fit_until = \"{text}\": a part is from 0 % to 100 %"));
        }
        let place = libm::round(0.01 * part * self.windows.len() as f64) as usize;
        let end = || self.windows.last().map_or(Time::ZERO, |start| *start + self.length);
        Ok(self.windows.get(place).copied().unwrap_or_else(end))
    }

    /// How many windows there are.
    pub fn windows(&self) -> usize {
        self.windows.len()
    }

    /// How many instants of a window are compared.
    pub(crate) fn ticks(&self) -> usize {
        (self.length.as_ps() / self.period.as_ps()) as usize + 1
    }
}
