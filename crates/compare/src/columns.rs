//! Columns of a log as a comparison file names them: in base units, scaled, computed, smoothed, followed.

use std::collections::{BTreeMap, BTreeSet};

use ironbird_formula::{Expression, Names, NoSuchSignal, SignalInfo, SignalKind};
use ironbird_kernel::{Duration, Time, path::nearest};
use ironbird_logs::{Log, LogStart, TimeColumn};
use ironbird_units::{Dimension, Quantity, Unit};

use crate::error::CompareError;
use crate::file::{ColumnPart, LongColumn};
use crate::parameters::{duration, in_base, is_angle};

/// A column: numbers in base units over the time of the log.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub dimension: Dimension,
    pub samples: Vec<(Time, f64)>,
    /// Differences are taken the short way round. Its samples are without jumps.
    pub angle: bool,
}

impl Column {
    /// The number at an instant, on the straight line between samples; the nearest outside of them.
    pub fn at(&self, time: Time) -> f64 {
        let after = self.samples.partition_point(|(other, _)| *other <= time);
        let before = after.checked_sub(1).map(|place| self.samples[place]);
        match (before, self.samples.get(after)) {
            (Some((start, from)), Some(&(end, to))) => {
                let part = time.since(start).as_secs_f64() / end.since(start).as_secs_f64();
                from + (to - from) * part
            }
            (Some((_, number)), None) | (None, Some(&(_, number))) => number,
            (None, None) => f64::NAN,
        }
    }

    /// The first and the last instant.
    pub fn span(&self) -> Option<(Time, Time)> {
        Some((self.samples.first()?.0, self.samples.last()?.0))
    }
}

/// All columns of a comparison file.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    file: String,
    by_name: BTreeMap<String, Column>,
}

impl Columns {
    /// Reads the columns of a log that a file names.
    pub fn read(
        file: &str,
        parts: &BTreeMap<String, ColumnPart>,
        log: &Log,
        time: &TimeColumn,
        start: LogStart,
    ) -> Result<Columns, CompareError> {
        let wrong =
            |name: &str, what: String| CompareError::file(file, format!("columns.{name}: {what}"));
        let mut wanted: BTreeMap<&str, LongColumn> = BTreeMap::new();
        for (name, part) in parts {
            let part = long(part).map_err(|what| wrong(name, what))?;
            if part.column.is_some() == part.expression.is_some() {
                let what = "it has either a `column` of the log or an `expression`";
                return Err(wrong(name, what.into()));
            }
            wanted.insert(name, part);
        }
        // One pass over the log for all its columns.
        let names: BTreeSet<&str> = wanted.values().filter_map(|p| p.column.as_deref()).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let series = log.series(&names, Some(time), start)?;
        let mut columns = Columns { file: file.into(), by_name: BTreeMap::new() };
        for (name, part) in wanted.iter().filter(|(_, part)| part.column.is_some()) {
            let source = part.column.as_deref().unwrap_or_default();
            let place = names.iter().position(|other| *other == source).unwrap_or_default();
            let column = plain(part, &series[place].samples, log.unit(source));
            let column = column.map_err(|what| {
                let shown = log.file().display();
                wrong(name, format!("{shown}, column {source:?}: {what}"))
            })?;
            columns.by_name.insert((*name).to_owned(), column);
        }
        // What is computed may be computed from what is computed.
        let mut left: Vec<_> = wanted.iter().filter(|(_, p)| p.expression.is_some()).collect();
        while !left.is_empty() {
            let before = left.len();
            let mut refused = None;
            left.retain(|(name, part)| match computed(part, &columns) {
                Ok(column) => {
                    columns.by_name.insert((**name).to_owned(), column);
                    false
                }
                Err(what) => {
                    refused.get_or_insert_with(|| wrong(name, what));
                    true
                }
            });
            if left.len() == before {
                return Err(refused.unwrap_or_else(|| wrong("", "it cannot be computed".into())));
            }
        }
        Ok(columns)
    }

    /// A column; `user` says who wants it.
    pub fn get(&self, name: &str, user: &str) -> Result<&Column, CompareError> {
        self.by_name.get(name).ok_or_else(|| {
            let near = nearest(name, self.by_name.keys().map(String::as_str));
            let near = near.map(|near| format!("; did you mean \"{near}\"?")).unwrap_or_default();
            let what = format!("{user}: there is no column \"{name}\" under [columns]{near}");
            CompareError::file(&self.file, what)
        })
    }

    /// The columns that a formula may speak of, numbered in their order.
    pub fn list(&self) -> Vec<(&str, &Column)> {
        self.by_name.iter().map(|(name, column)| (name.as_str(), column)).collect()
    }
}

impl Names for Columns {
    fn signal(&self, path: &str) -> Result<SignalInfo, NoSuchSignal> {
        let found = self.by_name.iter().enumerate().find(|(_, (name, _))| *name == path);
        let Some((id, (_, column))) = found else {
            let near = nearest(path, self.by_name.keys().map(String::as_str));
            return Err(NoSuchSignal { nearest: near.map(str::to_owned) });
        };
        let unit = Unit::base(column.dimension);
        Ok(SignalInfo { id: id as u32, unit, leaves: 1, kind: SignalKind::Number })
    }
}

fn long(part: &ColumnPart) -> Result<LongColumn, String> {
    match part {
        ColumnPart::Long(part) => Ok(part.clone()),
        ColumnPart::Short(text) => {
            // The last colon parts the unit off.
            let (column, unit) = match text.rsplit_once(':') {
                Some((column, unit)) => (column.trim(), Some(unit.trim().to_owned())),
                None => (text.trim(), None),
            };
            Ok(LongColumn { column: Some(column.into()), unit, ..LongColumn::default() })
        }
    }
}

/// A column as it stands in the log; `declared` is the unit that the log names.
fn plain(part: &LongColumn, samples: &[(Time, f64)], declared: &str) -> Result<Column, String> {
    let declared = match declared {
        "degheading" | "deglatitude" | "deglongitude" => "deg",
        other => other,
    };
    let text = part.unit.as_deref().unwrap_or(declared);
    let unit: Unit = text.parse().map_err(|error| format!("the unit \"{text}\": {error}"))?;
    let mut numbers = Vec::with_capacity(samples.len());
    for &(time, number) in samples {
        if number.is_finite() {
            numbers.push((time, unit.to_base(number)));
        } else if !part.skip_nan {
            return Err(format!(
                "it is {number} at {} s of the log; `skip_nan = true` leaves such numbers out",
                time.as_secs_f64()
            ));
        }
    }
    finish(part, Column { dimension: unit.dimension(), samples: numbers, angle: part.angle })
}

/// A column that is computed at the instants of the first column in its expression.
fn computed(part: &LongColumn, columns: &Columns) -> Result<Column, String> {
    let text = part.expression.as_deref().unwrap_or_default();
    let expression = Expression::parse(text, columns).map_err(|error| {
        let help = error.help().map(|help| format!("; {help}")).unwrap_or_default();
        format!("\"{text}\": {error}{help}")
    })?;
    if let Some(unit) = &part.unit {
        let wanted: Unit = unit.parse().map_err(|error| format!("the unit \"{unit}\": {error}"))?;
        if wanted.dimension() != expression.unit().dimension() {
            return Err(format!("\"{text}\" is in {}, not in {unit}", expression.unit()));
        }
    }
    let list = columns.list();
    let needed: Vec<&Column> =
        expression.signals().iter().map(|signal| list[signal.id as usize].1).collect();
    let Some(first) = needed.first() else {
        return Err(format!("\"{text}\" speaks of no column"));
    };
    let mut values = expression.values();
    let mut samples = Vec::with_capacity(first.samples.len());
    for &(time, _) in &first.samples {
        values.set_time(time);
        for (signal, column) in expression.signals().iter().zip(&needed) {
            values.set(signal.id, &[column.at(time)]).map_err(|error| error.to_string())?;
        }
        let number = expression.value(&values);
        if !number.is_finite() && !part.skip_nan {
            return Err(format!("\"{text}\" is {number} at {} s of the log", time.as_secs_f64()));
        }
        samples.push((time, number));
    }
    samples.retain(|(_, number)| number.is_finite());
    let dimension = expression.unit().dimension();
    finish(part, Column { dimension, samples, angle: part.angle })
}

/// Scales, shifts, joins and smooths.
fn finish(part: &LongColumn, mut column: Column) -> Result<Column, String> {
    let unit = Unit::base(column.dimension);
    if column.angle && !is_angle(column.dimension) {
        return Err(format!("`angle = true` is for angles, and it is in {unit}"));
    }
    let offset: f64 = match &part.offset {
        None => 0.0,
        Some(text) => {
            let quantity: Quantity = text.parse().map_err(|error| format!("{text}: {error}"))?;
            in_base(&quantity, column.dimension).map_err(|error| format!("offset: {error}"))?
        }
    };
    let scale = part.scale.unwrap_or(1.0);
    for (_, number) in &mut column.samples {
        *number = *number * scale + offset;
    }
    if column.samples.is_empty() {
        return Err("it has no numbers".into());
    }
    if column.angle {
        without_jumps(&mut column.samples);
    }
    if let Some(text) = &part.smooth {
        column.samples = smoothed(&column.samples, duration("smooth", text)?);
    }
    if let Some(text) = &part.lag {
        follow(&mut column.samples, duration("lag", text)?);
    }
    Ok(column)
}

/// Adds whole turns so that neighbours are less than half a turn apart.
fn without_jumps(samples: &mut [(Time, f64)]) {
    for place in 1..samples.len() {
        let step = samples[place].1 - samples[place - 1].1;
        samples[place].1 -= std::f64::consts::TAU * libm::round(step / std::f64::consts::TAU);
    }
}

/// What follows the numbers from zero on, T y' = x - y, with straight lines between them: exact over a step where the
/// number is held at the mean of its ends.
fn follow(samples: &mut [(Time, f64)], constant: Duration) {
    let constant = constant.as_secs_f64();
    let (mut follows, mut before) = (0.0, samples.first().copied());
    for sample in samples {
        if let Some((time, number)) = before {
            let left = match constant {
                0.0 => 0.0,
                _ => libm::exp(-sample.0.since(time).as_secs_f64() / constant),
            };
            let mean = 0.5 * (number + sample.1);
            follows = mean + (follows - mean) * left;
        }
        before = Some(*sample);
        sample.1 = follows;
    }
}

/// Weighted means with a Gaussian of this standard deviation, cut off at four times that.
fn smoothed(samples: &[(Time, f64)], deviation: Duration) -> Vec<(Time, f64)> {
    let sigma = deviation.as_secs_f64();
    if sigma == 0.0 {
        return samples.to_vec();
    }
    let seconds: Vec<f64> = samples.iter().map(|(time, _)| time.as_secs_f64()).collect();
    let (mut from, mut until) = (0, 0);
    let mut all = Vec::with_capacity(samples.len());
    for (place, &(time, _)) in samples.iter().enumerate() {
        while seconds[from] < seconds[place] - 4.0 * sigma {
            from += 1;
        }
        while until < samples.len() && seconds[until] <= seconds[place] + 4.0 * sigma {
            until += 1;
        }
        let (mut sum, mut weights) = (0.0, 0.0);
        for other in from..until {
            let distance = (seconds[other] - seconds[place]) / sigma;
            let weight = libm::exp(-0.5 * distance * distance);
            sum += weight * samples[other].1;
            weights += weight;
        }
        all.push((time, sum / weights));
    }
    all
}
