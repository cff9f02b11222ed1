//! `[[vehicle.sensor]]`.

use ironbird_document::{Item, Problem, Table};

use super::quantities::{number_within, pose};
use crate::sensor::{Fan, Noise, SensorKind, SensorPlan};

#[derive(Clone, Copy)]
enum Word {
    Gyroscope,
    Accelerometer,
    Magnetometer,
    Position,
    Velocity,
    Barometer,
    Thermometer,
    Altimeter,
    Airspeed,
    Range,
    Sonar,
    Lidar,
    Contact,
    Microphone,
}

const WORDS: [(&str, Word); 14] = [
    ("gyroscope", Word::Gyroscope),
    ("accelerometer", Word::Accelerometer),
    ("magnetometer", Word::Magnetometer),
    ("position", Word::Position),
    ("velocity", Word::Velocity),
    ("barometer", Word::Barometer),
    ("thermometer", Word::Thermometer),
    ("altimeter", Word::Altimeter),
    ("airspeed", Word::Airspeed),
    ("range", Word::Range),
    ("sonar", Word::Sonar),
    ("lidar", Word::Lidar),
    ("contact", Word::Contact),
    ("microphone", Word::Microphone),
];

const KEYS: [&str; 17] = [
    "name",
    "type",
    "rate",
    "place",
    "attitude",
    "offset",
    "deviation",
    "bias_deviation",
    "correlation_time",
    "precision",
    "min",
    "max",
    "beam",
    "columns",
    "field",
    "rows",
    "height",
];

/// Rays of a lidar at most.
const MOST_RAYS: u64 = 1_000_000;

/// One sensor.
pub fn read(item: &Item, table: &Table) -> Result<SensorPlan, Problem> {
    table.only(&KEYS, "a sensor")?;
    let word = table.need("type", &item.place)?.one_of("a sensor", &WORDS)?;
    let name = table.need("name", &item.place)?;
    let text = name.text()?;
    if !ironbird_kernel::path::is_valid_name(text) {
        let message = format!("\"{text}\" cannot name a sensor: use letters, digits, _ and -");
        return Err(Problem::new(message, &name.place, "here"));
    }
    if crate::component::TRUTH.contains(&text) {
        let message =
            format!("every vehicle has an output \"{text}\": call the sensor something else");
        return Err(Problem::new(message, &name.place, "here"));
    }
    let rate = match table.get("rate") {
        Some(item) => number_within(item, "Hz", 1e-3, 1e6)?,
        None => f64::INFINITY,
    };
    let noise = noise(table)?;
    let length = |key: &str, usual: f64| {
        table.get(key).map_or(Ok(usual), |item| number_within(item, "m", 0.0, 1e6))
    };
    let angle = |key: &str, usual: f64| {
        let read = |item| number_within(item, "deg", 0.0, 360.0);
        table.get(key).map_or(Ok(usual), read).map(f64::to_radians)
    };
    let count = |key: &str, usual: u64| table.get(key).map_or(Ok(usual), Item::count);
    let within = |least: f64, most: f64| -> Result<(f64, f64), Problem> {
        let (low, high) = (length("min", least)?, length("max", most)?);
        if low < high {
            return Ok((low, high));
        }
        Err(Problem::new("\"min\" must be below \"max\"", &item.place, "this sensor"))
    };
    let kind = match word {
        Word::Gyroscope => SensorKind::Gyroscope([noise; 3]),
        Word::Accelerometer => SensorKind::Accelerometer([noise; 3]),
        Word::Magnetometer => SensorKind::Magnetometer([noise; 3]),
        Word::Position => SensorKind::Position([noise; 3]),
        Word::Velocity => SensorKind::Velocity([noise; 3]),
        Word::Barometer => SensorKind::Barometer(noise),
        Word::Thermometer => SensorKind::Thermometer(noise),
        Word::Altimeter => SensorKind::Altimeter(noise),
        Word::Airspeed => SensorKind::Airspeed(noise),
        Word::Range => {
            SensorKind::Range { within: within(0.05, 40.0)?, beam: angle("beam", 0.0)?, noise }
        }
        Word::Sonar => {
            SensorKind::Range { within: within(0.2, 8.0)?, beam: angle("beam", 20.0)?, noise }
        }
        Word::Lidar => {
            let (columns, rows) = (count("columns", 360)?, count("rows", 1)?);
            if columns == 0 || rows == 0 || columns.saturating_mul(rows) > MOST_RAYS {
                let text =
                    format!("{columns} by {rows} rays are not possible: 1 to {MOST_RAYS} are");
                return Err(Problem::new(text, &item.place, "this sensor"));
            }
            let (field, height) = (angle("field", 360.0)?, angle("height", 0.0)?);
            SensorKind::Lidar {
                columns: Fan::over(columns as u32, field),
                rows: Fan::over(rows as u32, height),
                within: within(0.1, 30.0)?,
                noise,
            }
        }
        Word::Contact => SensorKind::Contact,
        Word::Microphone => SensorKind::Microphone(noise),
    };
    Ok(SensorPlan { name: text.into(), rate, link: 0, pose: pose(table)?, kind })
}

/// Errors, in the units of what is measured.
fn noise(table: &Table) -> Result<Noise, Problem> {
    let number = |key: &str| table.get(key).map_or(Ok(0.0), Item::number);
    let positive = |key: &str| match table.get(key) {
        Some(item) if item.number()? < 0.0 => {
            Err(Problem::new(format!("\"{key}\" must not be negative"), &item.place, "here"))
        }
        _ => number(key),
    };
    let correlation_time = match table.get("correlation_time") {
        Some(item) => number_within(item, "s", 0.0, 1e9)?,
        None => 0.0,
    };
    Ok(Noise {
        offset: number("offset")?,
        deviation: positive("deviation")?,
        bias_deviation: positive("bias_deviation")?,
        correlation_time,
        precision: positive("precision")?,
    })
}
