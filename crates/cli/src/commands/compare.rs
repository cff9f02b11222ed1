//! `ironbird compare`: a model beside the log of a flight.

use std::path::Path;

use ironbird_compare::{Setup, compare as make};
use ironbird_component::Registry;
use ironbird_logs::Log;

use crate::arguments::CompareArguments;
use crate::commands::run::claim;
use crate::failure::Failure;
use crate::output::{complain, line};

/// Compares, or lists what the log has.
pub fn compare(arguments: &CompareArguments, registry: &Registry) -> Result<u8, Failure> {
    let Some(with) = &arguments.with else { return list(&arguments.log) };
    let setup = Setup::open(with, &arguments.log, registry)?;
    let comparison = make(&setup)?;
    match arguments.json {
        true => line(format_args!("{:#}", comparison.json())),
        false => line(comparison.text().trim_end()),
    }
    if let Some(folder) = &arguments.out {
        let _held = claim(folder)?;
        let json = format!("{:#}\n", comparison.json());
        let files = [
            ("errors.csv", comparison.csv()),
            ("comparison.json", json),
            ("report.html", comparison.to_html()),
        ];
        for (name, contents) in files {
            write(&folder.join(name), &contents)?;
            if !arguments.json {
                line(format_args!("  {}", folder.join(name).display()));
            }
        }
    }
    Ok(u8::from(!comparison.holds()))
}

/// Writes a file and the folders on the way to it.
pub fn write(path: &Path, contents: &str) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, contents));
    written.map_err(|error| Failure::Run(format!("cannot write {}: {error}", path.display())))
}

/// The columns of a log, with what is known of them.
fn list(log: &Path) -> Result<u8, Failure> {
    let log = Log::open(log).map_err(|error| Failure::input(error.to_string()))?;
    let columns = log.columns().map_err(|error| Failure::input(error.to_string()))?;
    if let Some(damage) = log.damage() {
        complain(format_args!("the log is damaged: {damage}\n"));
    }
    for column in columns {
        let unit =
            if column.unit.is_empty() { String::new() } else { format!(": {}", column.unit) };
        let samples = column.samples.map(|count| format!("  ({count})")).unwrap_or_default();
        line(format_args!("{}{unit}{samples}", column.name));
    }
    Ok(0)
}
