//! Checks `[[fault]]`: what is broken, how, and when.

use ironbird_component::{Direction, Part, PortDescription};
use ironbird_kernel::{LeafKind, PortKind, Time};

use ironbird_units::Unit;

use crate::acts::Acting;
use crate::checked::{Fault, FaultKind, FaultTarget, SignalFault, Window};
use crate::formulas;
use crate::names::Missing;
use crate::values;
use ironbird_document::{Entry, Item, Table};
use ironbird_document::{Place, Problem};

const KINDS: [&str; 7] = ["override", "bias", "scale", "stuck", "delay", "drop", "noise"];
const KEYS: [&str; 13] = [
    "name",
    "doc",
    "signal",
    "component",
    "from",
    "until",
    "when",
    "override",
    "bias",
    "scale",
    "stuck",
    "delay",
    "drop",
];

/// What `when` says of a fault that acts on command only. No formula says that: a signal has a dot in its name.
const ON_COMMAND: &str = "command";

/// One entry of `[[fault]]`.
pub fn fault(acting: &Acting<'_>, item: &Item, table: &Table) -> Result<Fault, Problem> {
    let keys: Vec<&str> = KEYS.into_iter().chain(["noise"]).collect();
    table.only(&keys, "a fault")?;
    let name = match table.get("name") {
        Some(name) => name.text()?.to_owned(),
        None => {
            let problem = Problem::new("a fault needs a name", &item.place, "no name");
            return Err(problem.help("its random numbers are keyed by it"));
        }
    };
    let target = target(acting, item, table)?;
    let window = window(acting, table)?;
    Ok(Fault { name, target, window, place: item.place.clone() })
}

fn target(acting: &Acting<'_>, item: &Item, table: &Table) -> Result<FaultTarget, Problem> {
    match (table.entry("signal"), table.entry("component")) {
        (Some(signal), None) => {
            let path = signal.item.text()?;
            let place = &signal.item.place;
            let output = acting.names.port(path, Direction::Output);
            let input = acting.names.port(path, Direction::Input);
            match (output, input) {
                (Ok((at, port, part)), _) => {
                    Ok(FaultTarget::Output(at, signal_fault(item, table, port, &part)?))
                }
                (_, Ok((at, port, part))) => {
                    Ok(FaultTarget::Input(at, signal_fault(item, table, port, &part)?))
                }
                (Err(output), Err(input)) => Err(no_signal(acting, path, output, input).at(place)),
            }
        }
        (None, Some(component)) => {
            let path = component.item.text()?;
            acting.existing(path, &component.item.place)?;
            if let Some(kind) = table.0.iter().find(|entry| KINDS.contains(&entry.key.as_str())) {
                let message = format!("`{}` breaks a signal; a broken component stops", kind.key);
                return Err(Problem::new(message, &kind.place, "not for a component"));
            }
            Ok(FaultTarget::Component(path.into()))
        }
        (Some(_), Some(component)) => {
            let message = "a fault is on a signal or on a component, not on both";
            Err(Problem::new(message, &component.place, "and here"))
        }
        (None, None) => {
            let problem =
                Problem::new("a fault needs a signal or a component", &item.place, "of what?");
            Err(problem.help("for example signal = \"sensor.reading\""))
        }
    }
}

/// Neither an output nor an input: the better guess of the two.
fn no_signal(acting: &Acting<'_>, path: &str, output: Missing, input: Missing) -> Missing {
    match acting.names.split(path) {
        Some((component, name)) if output.message != input.message => {
            let owner = &acting.names.components[component].path;
            let nearest = output.nearest.clone().or(input.nearest);
            let message = match nearest.is_some() || output.is_consequence {
                true => format!("\"{owner}\" has no output or input \"{name}\""),
                false => output.message.clone(),
            };
            Missing { message, nearest, ..output }
        }
        _ => output,
    }
}

fn signal_fault(
    item: &Item,
    table: &Table,
    port: &PortDescription,
    part: &Part,
) -> Result<SignalFault, Problem> {
    let leaves = (part.first, part.leaves);
    let mut kinds = table.0.iter().filter(|entry| KINDS.contains(&entry.key.as_str()));
    let Some(entry) = kinds.next() else {
        let problem = Problem::new("a fault must say what it does", &item.place, "does nothing");
        return Err(problem.help(format!("one of {}", KINDS.join(", "))));
    };
    if let Some(other) = kinds.next() {
        let message = "a fault does one thing; write two faults";
        return Err(Problem::new(message, &other.place, "a second one").also(&entry.place, "first"));
    }
    if port.value.is_continuous() && ["delay", "drop", "noise"].contains(&entry.key.as_str()) {
        let message = format!("`{}` needs values one by one; this signal is continuous", entry.key);
        let problem = Problem::new(message, &entry.place, "not possible");
        return Err(problem.help("break the output of the sensor that samples it"));
    }
    let all = port.value.schema().leaves();
    let hit = || all.iter().skip(leaves.0).take(leaves.1);
    let unit = all.get(leaves.0).map(|leaf| port.units.of(&leaf.path)).unwrap_or_else(Unit::none);
    let numeric = |what: &str| {
        if hit().any(|leaf| leaf.kind == LeafKind::Bool) && what != "override" {
            let message = format!("`{what}` needs a number; this signal is a truth value");
            let problem = Problem::new(message, &entry.place, "not possible");
            return Err(problem.help("use override, stuck, delay or drop"));
        }
        let same = what == "scale" || hit().all(|leaf| port.units.of(&leaf.path) == unit);
        if same && hit().all(|leaf| leaf.kind != LeafKind::Payload) {
            return Ok(());
        }
        let message = format!("`{what}` needs numbers of one unit: name one part of the signal");
        Err(Problem::new(message, &entry.place, "several units"))
    };
    let kind = match entry.key.as_str() {
        "override" => {
            numeric("override")?;
            let boolean = hit().all(|leaf| leaf.kind == LeafKind::Bool);
            match (&entry.item.data, boolean) {
                (ironbird_document::Data::Bool(truth), true) => {
                    FaultKind::Override(f64::from(u8::from(*truth)))
                }
                (_, true) => {
                    let message = "`override` of a truth value is true or false";
                    return Err(Problem::new(message, &entry.item.place, "here"));
                }
                _ => FaultKind::Override(moderate(
                    values::real(&entry.item, &unit, "override")?,
                    entry,
                )?),
            }
        }
        "bias" => {
            numeric("bias")?;
            FaultKind::Bias(moderate(difference(&entry.item, &unit, "bias")?, entry)?)
        }
        "noise" => {
            numeric("noise")?;
            let deviation = moderate(difference(&entry.item, &unit, "noise")?, entry)?;
            within(deviation >= 0.0, "a standard deviation is not negative", &entry.item.place)?;
            FaultKind::Noise(deviation)
        }
        "scale" => {
            numeric("scale")?;
            FaultKind::Scale(moderate(values::real(&entry.item, &Unit::none(), "scale")?, entry)?)
        }
        "drop" => {
            let probability = values::real(&entry.item, &Unit::none(), "drop")?;
            let fits = (0.0..=1.0).contains(&probability);
            within(fits, "a probability is from 0 to 1", &entry.item.place)?;
            FaultKind::Drop(probability)
        }
        "delay" => FaultKind::Delay(values::duration(&entry.item, "a delay")?),
        _ => {
            within(entry.item.truth()?, "write stuck = true, or leave it out", &entry.item.place)?;
            FaultKind::Stuck
        }
    };
    if port.kind == PortKind::Event && kind == FaultKind::Stuck {
        let message = "messages come and go; only a signal can be stuck";
        return Err(Problem::new(message, &entry.place, "sends events"));
    }
    Ok(SignalFault { kind, leaves, continuous: port.value.is_continuous() })
}

/// A number that gives finite ones with any that a signal may be.
fn moderate(number: f64, entry: &Entry) -> Result<f64, Problem> {
    const LARGEST: f64 = 1e100;
    if number.abs() <= LARGEST {
        return Ok(number);
    }
    let message = format!("`{}` of {number:e} gives numbers that are not finite", entry.key);
    let problem = Problem::new(message, &entry.item.place, "too large");
    Err(problem.help(format!("write at most {LARGEST:e}")))
}

fn within(fits: bool, message: &str, place: &Place) -> Result<(), Problem> {
    if fits { Ok(()) } else { Err(Problem::new(message, place, "here")) }
}

/// A difference of temperatures is in kelvin, whatever the signal is measured in.
fn difference(item: &Item, unit: &Unit, what: &str) -> Result<f64, Problem> {
    if !unit.has_offset() {
        return values::real(item, unit, what);
    }
    let base = Unit::base(unit.dimension());
    if let ironbird_document::Data::Text(text) = &item.data
        && let Ok(quantity) = text.parse::<ironbird_units::Quantity>()
        && quantity.unit().has_offset()
    {
        let message = format!("\"{what}\" is a difference: write {} K", quantity.number());
        return Err(Problem::new(message, &item.place, "a temperature"));
    }
    Ok(values::real(item, &base, what)? / unit.scale())
}

fn window(acting: &Acting<'_>, table: &Table) -> Result<Window, Problem> {
    if let Some(when) = table.entry("when") {
        if let Some(other) = table.entry("from").or_else(|| table.entry("until")) {
            let message = "a fault acts between two times or while a condition holds, not both";
            return Err(Problem::new(message, &other.place, "and here").also(&when.place, "here"));
        }
        if when.item.text().is_ok_and(|text| text.trim() == ON_COMMAND) {
            return Ok(Window::Commanded);
        }
        return formulas::condition(acting.names, &when.item).map(Window::While);
    }
    let from = table.get("from").map(|item| values::time(item, "`from`")).transpose()?;
    let until = table.get("until").map(|item| values::time(item, "`until`")).transpose()?;
    let (from, until) = (from.unwrap_or(Time::ZERO), until.unwrap_or(Time::NEVER));
    if let Some(entry) = table.entry("until").filter(|_| until <= from) {
        let message = format!("the fault ends at {until}, before it begins at {from}");
        let message = if until == from { "the fault ends when it begins".into() } else { message };
        return Err(Problem::new(message, &entry.item.place, "not after `from`"));
    }
    Ok(Window::Times(from, until))
}
