//! The plot that explains the verdict: what the requirement that matters most compares, and the instant that decided.

use std::cmp::Ordering;

use ironbird_formula::{Expression, Formula};
use ironbird_kernel::Time;
use ironbird_record::report::{Band, Limit, Mark, Plot, Series, Thinned};
use ironbird_record::{RecordError, Recording, Status, Verdict};
use ironbird_units::{Quantity, Unit, exact::duration_ps};

use super::compared::{Compared, Looked, comparisons, looked, signals};
use super::recorded::Recorded;

/// The margin of a verdict as a share of the limit that it was compared with; none where there is no such number.
pub fn relative_margin(verdict: &Verdict) -> Option<f64> {
    let margin: Quantity = verdict.margin.parse().ok()?;
    let found = comparisons(&verdict.formula);
    let limits =
        in_order(&found, verdict).into_iter().filter_map(|compared| compared.limit.as_ref());
    let fitting = limits.filter(|limit| limit.unit().dimension() == margin.unit().dimension());
    // 17 degC is 17 K above what is usual to count from, not 290 K.
    let mut sizes = fitting.map(|limit| limit.number().abs() * limit.unit().scale());
    let size = sizes.find(|size| *size > 0.0)?;
    let share = margin.number() * margin.unit().scale() / size;
    share.is_finite().then_some(share)
}

/// The plot of the requirement that matters most: the first that failed, or was left undecided, or else the one with
/// the smallest margin. None if nothing that it speaks of was recorded.
pub fn key_plot(
    recording: &Recording,
    verdicts: &[Verdict],
    margins: &[Option<f64>],
) -> Result<Option<Plot>, RecordError> {
    let mut order: Vec<usize> = (0..verdicts.len()).collect();
    let rank = |number: &usize| match verdicts[*number].status {
        Status::Failed => 0,
        Status::Undecided => 1,
        Status::Passed => 2,
    };
    let margin = |number: &usize| margins.get(*number).copied().flatten().unwrap_or(f64::INFINITY);
    order.sort_by(|a, b| match (rank(a).cmp(&rank(b)), rank(a)) {
        (Ordering::Equal, 2) => margin(a).total_cmp(&margin(b)),
        (by_rank, _) => by_rank,
    });
    for number in order {
        if let Some(plot) = plot(recording, &verdicts[number])? {
            return Ok(Some(plot));
        }
    }
    Ok(None)
}

fn plot(recording: &Recording, verdict: &Verdict) -> Result<Option<Plot>, RecordError> {
    let recorded = Recorded(recording);
    let looked = looked(&verdict.formula);
    let decisive = match verdict.status {
        Status::Failed => violation(verdict).map(|time| (time, "first violated")),
        Status::Passed => looked.as_ref().map(|l| nearest(&recorded, l)).transpose()?.flatten(),
        Status::Undecided => None,
    };
    let found = comparisons(&verdict.formula);
    let mut drawn = None;
    for compared in in_order(&found, verdict) {
        let Some(sides) = sides(&recorded, compared)? else { continue };
        let distance = decisive.map_or(0.0, |(time, _)| sides.distance(compared, time));
        // Of several comparisons, that which decides is the one with the least margin then.
        if drawn.as_ref().is_none_or(|(least, _, _)| distance < *least) {
            drawn = Some((distance, compared, sides));
        }
        if verdict.status == Status::Failed {
            break;
        }
    }
    let (about, unit, series, limits) = match drawn {
        Some((_, compared, sides)) => {
            let limits = limits(&found, compared, &sides.unit);
            (compared.left.clone(), sides.unit, sides.series, limits)
        }
        None => match plain(&recorded, &verdict.formula)? {
            Some((path, unit, series)) => (path, unit, vec![series], Vec::new()),
            None => return Ok(None),
        },
    };
    let title = format!("{}: {about}", verdict.name);
    let highlight = decisive.map(|(time, label)| Mark { time, label: label.into() });
    let bands = looked.and_then(|looked| looked.window).map(|window| Band {
        from: Time::from_ps(window.from).as_secs_f64(),
        until: Time::from_ps(window.to).as_secs_f64(),
        label: "required here".into(),
    });
    let bands = bands.into_iter().collect();
    let unit = unit.name().to_owned();
    Ok(Some(Plot { title, unit, series, limits, bands, highlight, ..Plot::default() }))
}

/// The comparisons of a formula, first the one that was violated.
fn in_order<'a>(found: &'a [Compared], verdict: &Verdict) -> Vec<&'a Compared> {
    let is_to_blame = |compared: &&Compared| {
        verdict.status == Status::Failed && verdict.first_violation.contains(&compared.text)
    };
    let (blamed, others): (Vec<_>, Vec<_>) = found.iter().partition(is_to_blame);
    blamed.into_iter().chain(others).collect()
}

/// When a requirement was first violated: what stands before the colon.
fn violation(verdict: &Verdict) -> Option<f64> {
    let (time, _) = verdict.first_violation.split_once(": ")?;
    Some(Time::from_ps(duration_ps(time).ok()?).as_secs_f64())
}

/// When the condition came nearest to being violated, or, where it must hold just once, held best.
fn nearest(
    recorded: &Recorded,
    looked: &Looked,
) -> Result<Option<(f64, &'static str)>, RecordError> {
    let checked = Formula::parse(&looked.condition).and_then(|formula| formula.check(recorded));
    let Some(condition) = checked.ok().and_then(|checked| checked.state_formula()) else {
        return Ok(None);
    };
    let mut best: Option<(f64, Time)> = None;
    recorded.replay(condition.signals(), condition.values(), |time, values| {
        let is_looked_at = looked.window.is_none_or(|w| (w.from..=w.to).contains(&time.as_ps()));
        let margin = condition.robustness(values);
        let margin = if looked.always { margin } else { -margin };
        let is_less = best.is_none_or(|(least, _)| margin < least);
        if is_looked_at && margin.is_finite() && is_less {
            best = Some((margin, time));
        }
    })?;
    let label = if looked.always { "smallest margin" } else { "largest margin" };
    Ok(best.map(|(_, time)| (time.as_secs_f64(), label)))
}

/// Both sides of a comparison over time.
struct Sides {
    unit: Unit,
    /// The left side, and the right one if it changes.
    series: Vec<Series>,
    /// The right side if it does not change, in the unit.
    limit: f64,
}

impl Sides {
    /// The size of the margin at an instant.
    fn distance(&self, compared: &Compared, time: f64) -> f64 {
        let at = |series: &Series| {
            let before = series.points.partition_point(|point| point.0 <= time);
            before.checked_sub(1).map_or(f64::NAN, |place| series.points[place].1)
        };
        let right = self.series.get(1).map_or(self.limit, at);
        let margin = self.series.first().map_or(f64::NAN, |left| compared.margin(at(left), right));
        if margin.is_nan() { f64::INFINITY } else { margin.abs() }
    }
}

/// None if a side reads what was not recorded.
fn sides(recorded: &Recorded, compared: &Compared) -> Result<Option<Sides>, RecordError> {
    let Ok(left) = Expression::parse(&compared.left, recorded) else { return Ok(None) };
    let written = compared.limit.as_ref().map(|limit| limit.unit().clone());
    let fits = |unit: &Unit| unit.dimension() == left.unit().dimension();
    let unit = written.filter(fits).or_else(|| recorded.unit(&compared.left).filter(fits));
    let unit = unit.unwrap_or_else(|| left.unit().clone());
    let mut all = vec![series(recorded, &compared.left, &left, &unit)?];
    if compared.limit.is_none() {
        let Ok(right) = Expression::parse(&compared.right, recorded) else { return Ok(None) };
        all.push(series(recorded, &compared.right, &right, &unit)?);
    }
    let limit = compared.limit.as_ref().and_then(|limit| limit.to(&unit).ok()).unwrap_or(0.0);
    let is_there = all.iter().all(|series| !series.points.is_empty());
    Ok(is_there.then_some(Sides { unit, series: all, limit }))
}

fn series(
    recorded: &Recorded,
    name: &str,
    expression: &Expression,
    unit: &Unit,
) -> Result<Series, RecordError> {
    let mut curve = Thinned::default();
    recorded.replay(expression.signals(), expression.values(), |time, values| {
        curve.push(time.as_secs_f64(), unit.from_base(expression.value(values)));
    })?;
    let points = curve.into_points();
    Ok(Series { name: name.into(), points, drawing: recorded.drawing(expression) })
}

/// The limits of all comparisons of the same quantity.
fn limits(found: &[Compared], shown: &Compared, unit: &Unit) -> Vec<Limit> {
    let of_the_same = found.iter().filter(|compared| compared.left == shown.left);
    let limits = of_the_same.filter_map(|compared| {
        // A bare zero fits every unit.
        let limit = compared.limit.as_ref()?;
        let value = limit.to(unit).ok().or((limit.number() == 0.0).then_some(0.0))?;
        Some(Limit { value, label: compared.asks() })
    });
    limits.collect()
}

/// The first recorded signal of a formula that compares nothing, such as one that is true or false.
fn plain(
    recorded: &Recorded,
    formula: &str,
) -> Result<Option<(String, Unit, Series)>, RecordError> {
    for path in signals(formula) {
        let Ok(expression) = Expression::parse(&path, recorded) else { continue };
        let Some(unit) = recorded.unit(&path) else { continue };
        let series = series(recorded, &path, &expression, &unit)?;
        if !series.points.is_empty() {
            return Ok(Some((path, unit, series)));
        }
    }
    Ok(None)
}
