//! The report of a run, from its recording.

mod compared;
mod curves;
mod key_plot;
mod recorded;

use std::collections::BTreeMap;

use ironbird_kernel::Time;
use ironbird_record::report::{
    Band, Drawing, Map, Mark, Plot, Report, Series, Space, SpacePose, SpaceTrack, TextTable, Track,
};
use ironbird_record::{Event, Kind, RecordError, RecordedChannel, Recording, column_name};

use crate::native_programs::{is_constant, native_programs};
use crate::outcomes::Outcomes;
use crate::trace::folded;
use crate::waiting::partitions_used;
use crate::wall_time::wall_time;

use curves::{Shown, is_in_space, position, shown};
use key_plot::{key_plot, relative_margin};

/// More series than this in one plot cannot be told apart.
const SERIES: usize = 6;
/// More values than this are not read for a page.
const VALUES: u64 = 20_000_000;

/// Makes the report of a recording. With `names` only these channels are plotted; `outcomes` adds what
/// is not in the file, because it differs from run to run.
pub fn report(
    recording: &Recording,
    names: &[String],
    outcomes: Option<&Outcomes>,
) -> Result<Report, RecordError> {
    let about = |record: &str, key: &str| {
        let found = recording.metadata.get(record).and_then(|found| found.get(key));
        found.cloned().unwrap_or_default()
    };
    let experiment = about("ironbird", "experiment");
    let mut channels = Vec::new();
    let mut left = VALUES;
    for channel in &recording.channels {
        let wanted = match names {
            [] => !is_constant(recording, &channel.name),
            names => names.contains(&channel.name),
        };
        let size = channel.messages.saturating_mul(channel.leaves.len().max(1) as u64);
        if wanted && channel.messages > 0 && !channel.leaves.is_empty() && size <= left {
            left -= size;
            channels.push(channel);
        }
    }
    let mut shown = shown(recording, &channels)?;
    let (marks, bands) = happenings(&recording.events, recording.last);
    let end = outcomes.map_or(recording.last, |outcomes| outcomes.at);
    let mut plots = plots(&channels, &mut shown, end);
    let verdicts = recording.verdicts();
    let relative_margins: Vec<Option<f64>> = verdicts.iter().map(relative_margin).collect();
    let mut key_plot = key_plot(recording, &verdicts, &relative_margins)?;
    for plot in plots.iter_mut().chain(&mut key_plot) {
        plot.marks.clone_from(&marks);
        plot.bands.extend_from_slice(&bands);
    }
    let happened = recording.events.iter().filter(|event| event.kind != "verdict");
    let mut events: Vec<Event> = happened.cloned().collect();
    Event::sort(&mut events);
    let outcome = match &recording.damaged {
        Some(damage) => {
            format!("the recording is cut short after {}: {}", damage.after, damage.cause)
        }
        None => about("result", "outcome"),
    };
    let slowdown = outcomes.map(|outcomes| outcomes.wall / outcomes.at.as_secs_f64().max(1e-12));
    let programs = native_programs(recording, slowdown)?;
    let number = |text: String| text.parse().unwrap_or(0);
    Ok(Report {
        title: title(&experiment),
        version: about("ironbird", "version"),
        verdicts,
        relative_margins,
        key_plot,
        outcome,
        seed: number(about("ironbird", "seed")),
        scenario: about("ironbird", "scenario"),
        repetition: number(about("ironbird", "repetition")),
        hash: about("result", "hash"),
        duration: outcomes.map_or(recording.last, |o| o.at).since(Time::ZERO),
        wall_seconds: outcomes.map(|outcomes| outcomes.wall),
        placement: outcomes.map(placement).unwrap_or_default(),
        foreign: outcomes.map(|outcomes| outcomes.foreign.clone()).unwrap_or_default(),
        plots,
        space: space(recording, &channels, &shown)?,
        maps: maps(&channels, &shown),
        events: by_instants(events),
        wall_time: outcomes.and_then(wall_time).unwrap_or_default(),
        timing: outcomes.map(timing).unwrap_or_default(),
        tables: programs.map(|table| ("Native programs".into(), table)).into_iter().collect(),
        experiment,
        ..Report::default()
    })
}

/// The title in the experiment's text; the first line that sets one counts.
fn title(experiment: &str) -> String {
    let mut titles = experiment.lines().filter_map(|line| line.strip_prefix("title = "));
    titles.next().map(|text| text.trim_matches('"').to_owned()).unwrap_or_else(|| "Run".into())
}

fn placement(outcomes: &Outcomes) -> Vec<String> {
    let placement = &outcomes.statistics.placement;
    let mut lines = vec![partitions_used(&outcomes.statistics)];
    let held = placement.held_together_by.iter();
    lines.extend(held.map(|(from, to)| format!("{from} -> {to} has no latency and joins two")));
    let parts = outcomes.parts.iter().enumerate();
    lines.extend(parts.map(|(number, part)| format!("{number}: {}", part.describe())));
    lines
}

fn timing(outcomes: &Outcomes) -> TextTable {
    let statistics = &outcomes.statistics;
    let row = |what: &str, number: u64| vec![what.to_owned(), number.to_string()];
    let mut rows = vec![
        row("instants", statistics.instants),
        row("periodic steps", statistics.steps),
        row("internal transitions", statistics.internal),
        row("external transitions", statistics.external),
        row("advances of run-ahead models", statistics.advances),
        row("values recorded", outcomes.values),
    ];
    if let Some(computed) = &outcomes.computed {
        rows.push(row("jobs on the simulation computer", computed.jobs));
        if computed.is_paced {
            rows.push(row("of these, done after their real end", computed.overruns));
        }
    }
    for wait in &statistics.waits {
        let what = format!("waits of partition {} for {}", wait.waiting, wait.awaited);
        rows.push(row(&what, wait.waits));
    }
    TextTable { columns: vec!["what".into(), "how many".into()], rows }
}

/// Signals of one unit share a plot as long as they can be told apart; otherwise those of one component,
/// or those of one vehicle, where a component has ports of several: `world.quad[3].position`.
fn plots(channels: &[&RecordedChannel], shown: &mut [Shown], end: Time) -> Vec<Plot> {
    type Group = Vec<(String, Series)>;
    let mut by_unit: BTreeMap<&str, Group> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for (channel, shown) in channels.iter().zip(shown) {
        let owner = channel.name.rsplit_once('.').map_or("", |(owner, _)| owner);
        for (index, leaf) in channel.leaves.iter().enumerate() {
            let unit = channel.unit_of(leaf);
            if !order.contains(&unit) {
                order.push(unit);
            }
            let mut points = std::mem::take(&mut shown.curves[index]);
            let drawing = match channel.kind {
                Kind::Signal => Drawing::Steps,
                Kind::Event => Drawing::Points,
                Kind::Continuous => Drawing::Line,
            };
            // A signal keeps its last value to the end of the run.
            if let (Drawing::Steps, Some(&(last, number))) = (drawing, points.last())
                && last < end.as_secs_f64()
            {
                points.push((end.as_secs_f64(), number));
            }
            let series = Series { name: column_name(&channel.name, leaf), points, drawing };
            by_unit.entry(unit).or_default().push((owner.into(), series));
        }
    }
    let mut plots = Vec::new();
    for unit in order {
        let Some(group) = by_unit.remove(unit) else { continue };
        // Plain numbers have nothing in common but that they have no unit.
        if group.len() <= SERIES && !unit.is_empty() {
            plots.push(plot(unit, group.into_iter().map(|(_, series)| series).collect()));
            continue;
        }
        let mut by_owner: Vec<(String, Vec<Series>)> = Vec::new();
        for (owner, series) in group {
            match by_owner.iter_mut().find(|(o, s)| *o == owner && s.len() < SERIES) {
                Some((_, list)) => list.push(series),
                None => by_owner.push((owner, vec![series])),
            }
        }
        plots.extend(by_owner.into_iter().map(|(_, series)| plot(unit, series)));
    }
    plots
}

fn plot(unit: &str, series: Vec<Series>) -> Plot {
    // The parts of a vector have one name in the title; the legend has each.
    let whole = |name: &str| match name.strip_suffix(']').and_then(|name| name.rsplit_once('[')) {
        Some((whole, _)) => whole.to_owned(),
        None => name.to_owned(),
    };
    let mut names: Vec<String> = series.iter().map(|series| whole(&series.name)).collect();
    names.dedup();
    Plot { title: names.join(", "), unit: unit.into(), series, ..Plot::default() }
}

/// Positions in a frame, seen from above. What has a frame and begins with two lengths is a position, and
/// so is a message with lengths called `north` and `east`; places of messages are not joined.
fn maps(channels: &[&RecordedChannel], shown: &[Shown]) -> Vec<Map> {
    let mut maps: Vec<Map> = Vec::new();
    for (channel, shown) in channels.iter().zip(shown) {
        let Some((frame, right, up)) = position(channel) else { continue };
        let (x_label, y_label) = match frame {
            "ned" | "enu" => ("east", "north"),
            _ => ("x", "y"),
        };
        let at = |numbers: &[f64], index: usize| numbers.get(index).copied().unwrap_or(f64::NAN);
        let points = shown.places.iter().map(|(_, n)| (at(n, right), at(n, up))).collect();
        let is_path = channel.kind != Kind::Event;
        let track = Track { name: channel.name.clone(), points, is_path };
        let title = format!("Positions in frame {frame}");
        match maps.iter_mut().find(|map| map.title == title) {
            Some(map) => map.tracks.push(track),
            None => maps.push(Map {
                title,
                x_label: x_label.into(),
                y_label: y_label.into(),
                unit: "m".into(),
                tracks: vec![track],
            }),
        }
    }
    maps
}

/// Where bodies moved. Recordings that say nothing of bodies may have positions in three dimensions.
fn space(
    recording: &Recording,
    channels: &[&RecordedChannel],
    shown: &[Shown],
) -> Result<Option<Space>, RecordError> {
    let of_scene = Space::of_scene(&recording.scene(), &recording.poses()?);
    if of_scene.is_some() {
        return Ok(of_scene);
    }
    let mut tracks: Vec<SpaceTrack> = Vec::new();
    for (channel, shown) in channels.iter().zip(shown) {
        let to_north_east_down: fn([f64; 3]) -> [f64; 3] = match channel.frame.as_str() {
            "ned" => |place| place,
            "enu" => |[east, north, up]| [north, east, -up],
            _ => continue,
        };
        if !is_in_space(channel) {
            continue;
        }
        let poses = shown.places.iter().filter_map(|(time, numbers)| {
            let place = numbers.first_chunk().copied().map(to_north_east_down)?;
            Some(SpacePose { time: time.as_secs_f64(), position: place, attitude: None })
        });
        tracks.push(SpaceTrack { name: channel.name.clone(), poses: poses.collect() });
    }
    Ok((!tracks.is_empty()).then(|| Space { tracks, ..Space::default() }))
}

/// States that a component enters in one instant are one thing that happened.
fn by_instants(events: Vec<Event>) -> Vec<Event> {
    let together = |a: &Event, b: &Event| {
        let is_state = a.kind == "state" && b.kind == "state";
        is_state && a.time == b.time && a.name == b.name
    };
    let instants = events.chunk_by(together).map(|instant| {
        let states: Vec<String> = instant.iter().map(|event| event.text.clone()).collect();
        let text = if states.len() == 1 { states[0].clone() } else { folded(&states) };
        Event { text, ..instant[0].clone() }
    });
    instants.collect()
}

/// Faults are spans, everything else that happened is an instant.
fn happenings(events: &[Event], last: Time) -> (Vec<Mark>, Vec<Band>) {
    let (mut marks, mut bands): (Vec<Mark>, Vec<Band>) = (Vec::new(), Vec::new());
    for event in events {
        let time = event.time.as_secs_f64();
        let label = event.name.clone();
        match (event.kind.as_str(), event.text.as_str()) {
            // There may be hundreds of states: they are listed, not drawn.
            ("verdict" | "state", _) => {}
            ("fault", "ends") => {
                let open = bands.iter_mut().rfind(|b| b.label == label && b.until.is_infinite());
                if let Some(band) = open {
                    band.until = time;
                }
            }
            ("fault", _) => bands.push(Band { from: time, until: f64::INFINITY, label }),
            _ if event.time <= last => marks.push(Mark { time, label }),
            _ => {}
        }
    }
    (marks, bands)
}
