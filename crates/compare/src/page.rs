//! The report of a comparison.

use ironbird_record::report::{
    Band, Histogram, Limit, Map, Plot, Report, Series, TextTable, Track,
};

use crate::comparison::{Comparison, PathErrors, SignalErrors};
use crate::statistics::quantile;
use crate::tables::short;

/// Bars of a histogram.
const BARS: usize = 40;

impl Comparison {
    /// The page: both paths on one map, how errors grow and how they are spread.
    pub fn to_html(&self) -> String {
        let (columns, rows) = self.table();
        let mut plots: Vec<Plot> = Vec::new();
        for signal in &self.signals {
            plots.push(match &signal.tracks {
                Some(tracks) => side_by_side(signal, tracks),
                None => growth(signal),
            });
        }
        plots.extend(self.path.iter().map(|path| self.distance(path)));
        let report = Report {
            title: self.title.clone(),
            version: env!("CARGO_PKG_VERSION").into(),
            outcome: match self.broken.len() {
                0 => format!("beside {}", self.log),
                broken => format!("beside {}; the model broke in {broken} windows", self.log),
            },
            verdicts: self.verdicts.clone(),
            facts: self.facts(),
            tables: vec![("Errors".into(), TextTable { columns, rows })],
            maps: self.path.iter().map(map).collect(),
            plots,
            histograms: self.signals.iter().map(spread).collect(),
            ..Report::default()
        };
        report.to_html()
    }

    fn facts(&self) -> Vec<(String, String)> {
        let mut facts = vec![
            ("Windows".to_owned(), self.starts.len().to_string()),
            ("Length of a window".to_owned(), format!("{} s", short(self.length))),
        ];
        if let Some(damage) = &self.damage {
            facts.push(("The log is damaged".into(), damage.clone()));
        }
        facts.extend(self.notes.iter().map(|note| ("Warning".to_owned(), note.clone())));
        facts
    }

    /// How far apart the paths are over time; turns are pointed out, and what is required.
    fn distance(&self, path: &PathErrors) -> Plot {
        let points = path.over_time.clone();
        let series = vec![Series { name: "distance".into(), points, ..Series::default() }];
        let limits = self.verdicts.iter().filter(|v| v.formula.starts_with("max of path"));
        let limits = limits.filter_map(|verdict| {
            let (_, limit) = verdict.formula.split_once("<= ")?;
            let quantity: ironbird_units::Quantity = limit.parse().ok()?;
            Some(Limit { value: quantity.value(), label: verdict.name.clone() })
        });
        let mut limits: Vec<Limit> = limits.collect();
        limits.dedup_by(|a, b| a.value == b.value);
        let bands = turns(path, &self.starts, self.length);
        let (title, unit) = (
            "Distance of the flown path to that of the model; turns are shaded".into(),
            path.unit.clone(),
        );
        Plot { title, unit, series, bands, limits, ..Plot::default() }
    }
}

/// Spans of time in which the flight turned.
fn turns(path: &PathErrors, starts: &[f64], length: f64) -> Vec<Band> {
    let (Some(&start), 1) = (starts.first(), starts.len()) else { return Vec::new() };
    let step = length / path.flown.len().saturating_sub(1).max(1) as f64;
    let mut bands: Vec<Band> = Vec::new();
    let mut before = false;
    for (place, (_, turning)) in path.flown.iter().enumerate() {
        let time = start + place as f64 * step;
        match (before, turning, bands.last_mut()) {
            (false, true, _) => bands.push(Band { from: time, until: time, label: String::new() }),
            (true, _, Some(band)) => band.until = time,
            _ => {}
        }
        before = *turning;
    }
    bands
}

/// The model and the log over time.
fn side_by_side(signal: &SignalErrors, [model, flown]: &[Vec<(f64, f64)>; 2]) -> Plot {
    let series = |name: &str, points: &[(f64, f64)]| Series {
        name: name.into(),
        points: points.to_vec(),
        ..Series::default()
    };
    // In the order, and so in the colours, of the map.
    let both = vec![series("log", flown), series("model", model)];
    Plot { title: signal.name.clone(), unit: signal.unit.clone(), series: both, ..Plot::default() }
}

/// How the error grows from the start of a window on.
fn growth(signal: &SignalErrors) -> Plot {
    let points = signal.growth.clone();
    let series = vec![Series { name: "rms over all windows".into(), points, ..Series::default() }];
    let title = format!("{}: error by time since the start of a window", signal.name);
    Plot { title, unit: signal.unit.clone(), series, has_own_time: true, ..Plot::default() }
}

/// How errors are spread. The outermost hundredths are left out, so that the rest can be seen.
fn spread(signal: &SignalErrors) -> Histogram {
    let mut sorted = signal.errors.clone();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = (quantile(&sorted, 0.005), quantile(&sorted, 0.995));
    let width = ((high - low) / BARS as f64).max(f64::MIN_POSITIVE);
    let mut bars: Vec<(f64, f64, u64)> = (0..BARS)
        .map(|bar| (low + width * bar as f64, low + width * (bar + 1) as f64, 0))
        .collect();
    for error in sorted.iter().filter(|error| (low..=high).contains(*error)) {
        let place = (((error - low) / width) as usize).min(BARS - 1);
        bars[place].2 += 1;
    }
    Histogram {
        title: format!("{}: model minus log", signal.name),
        unit: signal.unit.clone(),
        bars,
    }
}

fn map(path: &PathErrors) -> Map {
    let track =
        |name: &str, points: Vec<(f64, f64)>| Track { name: name.into(), points, is_path: true };
    let flown = path.flown.iter().map(|([north, east], _)| (*east, *north)).collect();
    let model = path.model.iter().map(|[north, east]| (*east, *north)).collect();
    Map {
        title: "Flown path and path of the model".into(),
        x_label: "east".into(),
        y_label: "north".into(),
        unit: path.unit.clone(),
        tracks: vec![track("flown", flown), track("model", model)],
    }
}
