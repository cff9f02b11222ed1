//! What somebody did to a run while it went on, to be done again.

use std::path::Path;

use ironbird_experiment::commands::{CommandReader, TimedCommand};
use ironbird_experiment::{Problems, Source};
use ironbird_record::Recording;
use ironbird_runner::COMMAND;

use crate::commands::report::open_recording;
use crate::failure::Failure;

/// The commands in a recording, or in a file of commands, for the scenario of `reader`.
pub fn commands(path: &Path, reader: &CommandReader<'_>) -> Result<Vec<TimedCommand>, Failure> {
    if path.extension().is_some_and(|ending| ending == "mcap") {
        return recorded(&open_recording(path)?, reader);
    }
    let source = Source::read(path).map_err(Problems::from)?;
    Ok(reader.read_file(&source)?)
}

/// The commands that a recording holds.
pub fn recorded(
    recording: &Recording,
    reader: &CommandReader<'_>,
) -> Result<Vec<TimedCommand>, Failure> {
    let given = recording.events.iter().filter(|event| event.kind == COMMAND);
    let read = given.map(|event| {
        let command = reader.read(&event.text).map_err(Problems::from)?;
        Ok(TimedCommand { at: event.time, text: event.text.clone(), command })
    });
    read.collect()
}
