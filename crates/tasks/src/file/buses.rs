//! `[[bus]]`: what carries messages between ECUs.

use ironbird_document::{Data, Item, Problem, Problems, Table};

use super::numbers::{from_zero, named, positive};
use crate::bus::{Bus, Carrier, FrameTime};
use crate::system::{Ecu, EcuId, TimeUnit};

#[derive(Clone, Copy)]
enum Kind {
    Constant,
    CanTdma,
    CanPriority,
    Dds,
}

/// Reads all.
pub fn read(
    item: &Item,
    ecus: &[Ecu],
    unit: TimeUnit,
    problems: &mut Problems,
) -> Result<Vec<Bus>, Problem> {
    let mut buses: Vec<Bus> = Vec::new();
    for (item, table) in item.tables()? {
        match bus(item, table, ecus, unit) {
            Ok(bus) => buses.push(bus),
            Err(problem) => problems.push(problem),
        }
    }
    Ok(buses)
}

fn names(item: &Item, ecus: &[Ecu]) -> Result<Vec<EcuId>, Problem> {
    let names = ecus.iter().map(|ecu| ecu.name.as_str());
    item.items()?.iter().map(|item| named(item, "ECU", names.clone())).collect()
}

fn bus(item: &Item, table: &Table, ecus: &[Ecu], unit: TimeUnit) -> Result<Bus, Problem> {
    let kinds = [
        ("constant", Kind::Constant),
        ("can-tdma", Kind::CanTdma),
        ("can-priority", Kind::CanPriority),
        ("dds", Kind::Dds),
    ];
    let kind = table.need("kind", &item.place)?.one_of("a kind of bus", &kinds)?;
    let own: &[&str] = match kind {
        Kind::Constant => &["latency"],
        Kind::CanTdma => &["slot", "slots", "frame_time", "bit_rate"],
        Kind::CanPriority => &["frame_time", "bit_rate"],
        Kind::Dds => &["latency"],
    };
    table.only(&[&["name", "kind", "ecus"], own].concat(), "a bus of this kind")?;
    let name = table.get("name").map(Item::text).transpose()?.unwrap_or("bus").to_owned();
    let ecu_ids = names(table.need("ecus", &item.place)?, ecus)?;
    let carrier = match kind {
        Kind::Constant => {
            Carrier::Constant { latency: from_zero(table.need("latency", &item.place)?)? }
        }
        Kind::Dds => {
            let latency = table.need("latency", &item.place)?;
            let mut latencies = match &latency.data {
                Data::Array(items) => items.iter().map(from_zero).collect::<Result<Vec<_>, _>>()?,
                _ => vec![from_zero(latency)?],
            };
            if latencies.is_empty() {
                return Err(Problem::new("there is no latency", &latency.place, "empty"));
            }
            latencies.sort_unstable();
            Carrier::Dds { latencies }
        }
        Kind::CanTdma => {
            let slots = table.need("slots", &item.place)?;
            let owners = names(slots, ecus)?;
            if let Some(missing) = ecu_ids.iter().find(|ecu| !owners.contains(ecu)) {
                let message =
                    format!("\"{}\" has no slot and could never send", ecus[*missing].name);
                return Err(Problem::new(message, &slots.place, "here"));
            }
            let slot = positive(table.need("slot", &item.place)?)?;
            let frame = frame_time(item, table, unit)?;
            if let FrameTime::Constant(time) = frame
                && time > slot
            {
                let message = format!("a frame of {time} does not fit into a slot of {slot}");
                return Err(Problem::new(message, &item.place, "this bus"));
            }
            Carrier::CanTdma { slot, owners, frame }
        }
        Kind::CanPriority => Carrier::CanPriority { frame: frame_time(item, table, unit)? },
    };
    Ok(Bus { name, ecus: ecu_ids, carrier })
}

/// `frame_time = 250`, or `bit_rate = 500000` and the bytes of each message.
fn frame_time(item: &Item, table: &Table, unit: TimeUnit) -> Result<FrameTime, Problem> {
    match (table.get("frame_time"), table.get("bit_rate")) {
        (Some(time), None) => Ok(FrameTime::Constant(positive(time)?)),
        (None, Some(rate)) => {
            let bit = 1_000_000_000_000 / positive(rate)?;
            if bit == 0 {
                return Err(Problem::new("no bus is that fast", &rate.place, "bits per second"));
            }
            Ok(FrameTime::Bits { bit, tick: unit.picoseconds() })
        }
        _ => Err(Problem::new("a CAN bus needs `frame_time` or `bit_rate`", &item.place, "here")
            .help("frame_time: ticks of every frame; bit_rate: bits per second, with the bytes of each task")),
    }
}
