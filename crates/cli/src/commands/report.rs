//! `ironbird report`: the page of a recording.

use std::path::Path;

use ironbird_kernel::path::matches;
use ironbird_record::Recording;
use ironbird_runner::{Outcomes, report as make};

use crate::arguments::ReportArguments;
use crate::failure::Failure;
use crate::output::{complain, line};

/// Writes the report of a recording anew.
pub fn report(arguments: &ReportArguments) -> Result<u8, Failure> {
    let beside = arguments.recording.with_file_name("report.html");
    let page = arguments.out.as_deref().unwrap_or(&beside);
    write_report(&arguments.recording, page, &arguments.signal, None)?;
    line(format_args!("{}", page.display()));
    Ok(0)
}

/// Writes the report of a recording, whole or cut short.
pub fn write_report(
    recording: &Path,
    page: &Path,
    patterns: &[String],
    outcomes: Option<&Outcomes>,
) -> Result<(), Failure> {
    let recording = open_recording(recording)?;
    let names = match patterns {
        [] => Vec::new(),
        patterns => chosen(&recording, patterns)?,
    };
    let html = make(&recording, &names, outcomes)?.to_html();
    std::fs::write(page, html)
        .map_err(|error| Failure::Run(format!("cannot write {}: {error}", page.display())))
}

/// The channels that fit any of the patterns; all if there are none.
pub fn chosen(recording: &Recording, patterns: &[String]) -> Result<Vec<String>, Failure> {
    let names = recording.channels.iter().map(|channel| channel.name.clone());
    if patterns.is_empty() {
        return Ok(names.collect());
    }
    let mut found: Vec<String> = Vec::new();
    for pattern in patterns {
        let before = found.len();
        for name in recording.channels.iter().map(|channel| &channel.name) {
            if matches(pattern, name) && !found.contains(name) {
                found.push(name.clone());
            }
        }
        let known = recording.channels.iter().any(|channel| matches(pattern, &channel.name));
        if found.len() == before && !known {
            // The error of a plain name suggests the nearest.
            recording.channel(pattern)?;
        }
    }
    Ok(found)
}

/// Opens a recording. Says where one that was cut short ends, and refuses one of which nothing is left.
pub fn open_recording(path: &Path) -> Result<Recording, Failure> {
    let recording = Recording::open(path)?;
    if let Some(damage) = &recording.damaged {
        if recording.channels.is_empty() && recording.metadata.is_empty() {
            let (shown, cause) = (path.display(), &damage.cause);
            return Err(Failure::input(format!("nothing in {shown} can be read: {cause}")));
        }
        complain(format_args!(
            "the recording is cut short after {}: {}\n",
            damage.after, damage.cause
        ));
    }
    Ok(recording)
}
