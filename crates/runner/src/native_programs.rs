//! What native programs did, for the report of a run: from the counters that they show and that were recorded.

use ironbird_kernel::Time;
use ironbird_record::report::TextTable;
use ironbird_record::{RecordError, Recording};

/// The outputs of a native computer: their names, what the report calls them, and how they are written.
const SHOWN: [(&str, &str, Figure); 11] = [
    ("program", "program", Figure::Identity),
    ("charge.clock_read", "a clock read takes", Figure::Span),
    ("charge.call", "another call takes", Figure::Span),
    ("charge.timer_slack", "a sleep ends late by", Figure::Span),
    ("charge.spin_reads", "the clock jumps after reads", Figure::Number),
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

/// The native computers whose identity was recorded.
fn computers(recording: &Recording) -> impl Iterator<Item = &str> {
    let owners =
        recording.channels.iter().filter_map(|channel| channel.name.strip_suffix(".program"));
    owners.filter(|owner| has(recording, &format!("{owner}.calls")))
}

fn has(recording: &Recording, name: &str) -> bool {
    recording.channels.iter().any(|channel| channel.name == name)
}

/// Whether a channel never changes, and is told in the table.
pub(crate) fn is_constant(recording: &Recording, name: &str) -> bool {
    let of = |owner: &str| {
        let rest = name.strip_prefix(owner).and_then(|rest| rest.strip_prefix('.'));
        rest.is_some_and(|rest| rest == "program" || rest.starts_with("charge."))
    };
    computers(recording).any(of)
}

/// A table with a column for each native computer whose identity was recorded; none if there is none. What was not recorded
/// is left out.
pub(crate) fn native_programs(
    recording: &Recording,
    slowdown: Option<f64>,
) -> Result<Option<TextTable>, RecordError> {
    let name = |owner: &str, port: &str| format!("{owner}.{port}");
    let all = computers(recording).flat_map(|owner| SHOWN.map(|(port, ..)| name(owner, port)));
    let recorded: Vec<String> = all.filter(|name| has(recording, name)).collect();
    let names: Vec<&str> = recorded.iter().map(String::as_str).collect();
    let mut last = vec![None; names.len()];
    recording.contents_of(&names, |number, time, numbers, _| {
        last[number] = numbers.first().map(|first| (time, *first));
    })?;
    let text = |owner: &str, port: &str, figure: Figure| {
        let place = recorded.iter().position(|recorded| *recorded == name(owner, port))?;
        let (time, number) = last[place]?;
        Some(figure.text(number, time.since(Time::ZERO).as_secs_f64()))
    };
    let mut columns = vec![String::new()];
    let mut rows = SHOWN.map(|(_, title, _)| vec![title.to_owned()]).to_vec();
    for owner in computers(recording) {
        columns.push(owner.to_owned());
        for ((port, _, figure), row) in SHOWN.into_iter().zip(&mut rows) {
            row.push(text(owner, port, figure).unwrap_or_default());
        }
    }
    if columns.len() == 1 {
        return Ok(None);
    }
    rows.retain(|row| row[1..].iter().any(|cell| !cell.is_empty()));
    if let Some(slowdown) = slowdown {
        let mut row = vec!["slowdown of the whole run".to_owned()];
        row.resize(columns.len(), format!("{slowdown:.4}"));
        rows.push(row);
    }
    Ok(Some(TextTable { columns, rows }))
}
