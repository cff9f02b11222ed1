//! `ironbird compare`: a model beside the log of a flight.

use std::path::{Path, PathBuf};

use ironbird_compare::{Comparison, Setup, Several, compare as make};
use ironbird_component::Registry;
use ironbird_logs::Log;

use crate::arguments::CompareArguments;
use crate::commands::run::claim;
use crate::failure::Failure;
use crate::output::{complain, line};

/// Compares, or lists what the log has.
pub fn compare(arguments: &CompareArguments, registry: &Registry) -> Result<u8, Failure> {
    let Some(with) = &arguments.with else {
        let [log] = &arguments.logs[..] else {
            let text =
                "the columns of one log are listed: name one, or a comparison file with --with";
            return Err(Failure::input(text));
        };
        return list(log);
    };
    let made = arguments.logs.iter().map(|log| Ok(make(&Setup::open(with, log, registry)?)?));
    let several = Several { comparisons: made.collect::<Result<Vec<_>, Failure>>()? };
    match (&several.comparisons[..], arguments.json) {
        ([one], true) => line(format_args!("{:#}", one.json())),
        ([one], false) => line(one.text().trim_end()),
        (_, true) => line(format_args!("{:#}", several.json())),
        (_, false) => line(several.text().trim_end()),
    }
    if let Some(folder) = &arguments.out {
        let _held = claim(folder)?;
        for (folder, comparison) in folders(folder, &several.comparisons) {
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
    }
    Ok(u8::from(!several.holds()))
}

/// Where each comparison is written: in the folder itself, or in one of its own named after the log, with a number where
/// two logs have one name.
fn folders<'c>(folder: &Path, all: &'c [Comparison]) -> Vec<(PathBuf, &'c Comparison)> {
    if let [one] = all {
        return vec![(folder.to_owned(), one)];
    }
    let mut taken: Vec<(PathBuf, &Comparison)> = Vec::new();
    for comparison in all {
        let name = Path::new(&comparison.log).file_name().unwrap_or_default().to_string_lossy();
        let name = name.split('.').next().filter(|name| !name.is_empty()).unwrap_or("log");
        let free = |path: &PathBuf| !taken.iter().any(|(other, _)| other == path);
        let mut numbered = (2..).map(|number| folder.join(format!("{name}-{number}")));
        let plain = Some(folder.join(name)).filter(|path| free(path));
        if let Some(path) = plain.or_else(|| numbered.find(|path| free(path))) {
            taken.push((path, comparison));
        }
    }
    taken
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
