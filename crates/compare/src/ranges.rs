//! Warnings about columns of a log that leave the range of the input they drive.

use ironbird_component::Direction;
use ironbird_kernel::Time;

use crate::flight_log::Driving;
use crate::setup::Setup;
use crate::tables::short;

/// A note for each input that the log drives out of its range in the windows: the model takes the nearest end.
pub(crate) fn beyond_ranges(setup: &Setup, driving: &[Driving]) -> Vec<String> {
    driving.iter().filter_map(|driving| beyond_range(setup, driving)).collect()
}

fn beyond_range(setup: &Setup, driving: &Driving) -> Option<String> {
    let (component, port) = &driving.input;
    let owner = setup.experiment.components.iter().find(|owner| owner.path == *component)?;
    let mut ports = owner.interface.ports.iter();
    let described = ports.find(|p| p.name == *port && p.direction == Direction::Input)?;
    let (low, high) = described.range?;
    let unit = described.units.of("");
    let in_a_window = |time: Time| {
        let after = setup.windows.partition_point(|start| *start <= time);
        after.checked_sub(1).is_some_and(|last| time <= setup.windows[last] + setup.length)
    };
    let samples = driving.column.samples.iter().filter(|(time, _)| in_a_window(*time));
    let (mut all, mut out, mut farthest) = (0_usize, 0_usize, (0.0, 0.0));
    let mut between: Option<(Time, Time)> = None;
    for (time, base) in samples {
        let value = unit.from_base(*base);
        let beyond = (low - value).max(value - high);
        all += 1;
        if beyond > 0.0 {
            out += 1;
            between = Some((between.map_or(*time, |(first, _)| first), *time));
            if beyond > farthest.0 {
                farthest = (beyond, value);
            }
        }
    }
    let (first, last) = between?;
    let [first, last, share, worst] =
        [first.as_secs_f64(), last.as_secs_f64(), 100.0 * out as f64 / all as f64, farthest.1]
            .map(short);
    let unit = unit.to_string();
    let unit = if unit.is_empty() || unit == "1" { String::new() } else { format!(" {unit}") };
    Some(format!(
        "column \"{}\" drives {component}.{port} beyond its {low} to {high}{unit} in {share} % of the samples, from \
         {first} s to {last} s, as far as {worst}{unit}; they count as the nearest end",
        driving.name
    ))
}
