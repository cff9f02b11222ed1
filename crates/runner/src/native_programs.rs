//! What native programs did, for the report of a run: from the counters that they show and that were recorded.

use ironbird_kernel::Time;
use ironbird_record::report::TextTable;
use ironbird_record::{RecordError, Recording};

/// The outputs of a native computer: their names, what the report calls them, and how they are written.
const SHOWN: [(&str, &str, Figure); 9] = [
    ("program", "program", Figure::Identity),
    ("charge.clock_read", "a clock read takes", Figure::Span),
    ("charge.call", "another call takes", Figure::Span),
    ("clock_reads", "clock reads per s", Figure::Rate),
    ("calls", "other calls per s", Figure::Rate),
    ("transfers", "bus transfers per s", Figure::Rate),
    ("switches", "thread switches per s", Figure::Rate),
    ("lookahead", "mean lookahead", Figure::Span),
    ("faults", "faults", Figure::Number),
];

#[derive(Clone, Copy)]
enum Figure {
    /// A number that stands for a file.
    Identity,
    /// Seconds.
    Span,
    /// A count, by the simulated time in which it was reached.
    Rate,
    Number,
}

impl Figure {
    fn text(self, last: f64, seconds: f64) -> String {
        match self {
            Figure::Identity => format!("{:013x}", last as u64),
            Figure::Span if last >= 1e-3 => format!("{:.3} ms", last * 1e3),
            Figure::Span if last >= 1e-6 => format!("{:.3} us", last * 1e6),
            Figure::Span => format!("{:.0} ns", last * 1e9),
            Figure::Rate => format!("{:.0}", last / seconds),
            Figure::Number => format!("{last:.0}"),
        }
    }
}

/// A table with a row for each native computer whose identity was recorded; none if there is none. What was not recorded
/// is left blank.
pub(crate) fn native_programs(
    recording: &Recording,
    slowdown: Option<f64>,
) -> Result<Option<TextTable>, RecordError> {
    let has = |name: &str| recording.channels.iter().any(|channel| channel.name == name);
    let mut rows = Vec::new();
    for channel in &recording.channels {
        let Some(owner) = channel.name.strip_suffix(".program") else { continue };
        let names = SHOWN.map(|(name, ..)| format!("{owner}.{name}"));
        if !has(&format!("{owner}.calls")) {
            continue;
        }
        let there: Vec<&str> = names.iter().map(String::as_str).filter(|name| has(name)).collect();
        let samples = recording.samples_of(&there)?;
        let cells = names.iter().zip(SHOWN).map(|(name, (_, _, figure))| {
            let place = there.iter().position(|other| other == name)?;
            let (time, numbers) = samples[place].last()?;
            let seconds = time.since(Time::ZERO).as_secs_f64();
            Some(figure.text(*numbers.first()?, seconds))
        });
        let mut row = vec![owner.to_owned()];
        row.extend(cells.map(Option::unwrap_or_default));
        row.push(slowdown.map_or_else(String::new, |slowdown| format!("{slowdown:.4}")));
        rows.push(row);
    }
    let mut columns = vec!["component".to_owned()];
    columns.extend(SHOWN.map(|(_, title, _)| title.to_owned()));
    columns.push("slowdown of the run".into());
    Ok((!rows.is_empty()).then_some(TextTable { columns, rows }))
}
