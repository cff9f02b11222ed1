//! `ironbird replay`: runs again what a recording holds, and compares.

use std::sync::Arc;

use ironbird_component::Registry;
use ironbird_experiment::commands::CommandReader;
use ironbird_experiment::{check, load_text};
use ironbird_kernel::Time;
use ironbird_runner::{How, Interrupt, Job, run};

use crate::arguments::ReplayArguments;
use crate::commands::report::open_recording;
use crate::failure::Failure;
use crate::given;
use crate::output::line;
use crate::progress::Shown;
use crate::target::program_host;

/// The experiment, seed, scenario and repetition are in the recording; so is the hash to compare.
pub fn replay(arguments: &ReplayArguments, registry: &Registry) -> Result<u8, Failure> {
    let recording = open_recording(&arguments.recording)?;
    let shown = arguments.recording.display();
    let about = recording.metadata.get("ironbird");
    let Some(about) = about else {
        return Err(Failure::input(format!("{shown} does not say which experiment it is of")));
    };
    let text = |key: &str| about.get(key).cloned().unwrap_or_default();
    let name = format!("the experiment in {shown}");
    let root = load_text(&name, &arguments.folder, &text("experiment"), &[])?;
    let (experiment, _) = check(&root, registry)?;
    let wanted = text("scenario");
    let scenario = experiment
        .scenarios
        .iter()
        .position(|scenario| scenario.name.as_deref().unwrap_or_default() == wanted);
    let Some(scenario) = scenario else {
        return Err(Failure::input(format!("its experiment has no scenario \"{wanted}\"")));
    };
    let number = |key: &str| text(key).parse::<u64>().unwrap_or(0);
    let result = recording.metadata.get("result");
    let until = result.and_then(|result| result.get("until_ps")?.parse().ok());
    let experiment = Arc::new(experiment);
    let reader = CommandReader::new(&experiment, scenario, registry);
    let how = How {
        commands: given::recorded(&recording, &reader)?,
        partitions: arguments.partitions.max(1),
        seed: Some(number("seed")),
        // What was cut short is run as far as it can be read.
        until: Some(until.map_or(recording.last, Time::from_ps)),
        programs: program_host()?,
        ..How::default()
    };
    let job = Job {
        experiment: experiment.clone(),
        registry,
        scenario,
        repetition: number("repetition"),
        how,
    };
    let mut bar = Shown::new("replay");
    let done = run(&job, &Interrupt::default(), &mut |progress| bar.report(progress));
    bar.finish();
    let done = done.map_err(|error| Failure::of_run(error, &experiment))?;
    let before = result.and_then(|result| result.get("hash"));
    match before {
        Some(before) if *before == done.hash => {
            line(format_args!("the same bits again: {}", done.hash));
            Ok(0)
        }
        Some(before) => {
            line(format_args!(
                "the run DIFFERS from its recording\n  recorded {before}\n  now      {}",
                done.hash
            ));
            line(format_args!(
                "  recorded by version {}, this is {}",
                text("version"),
                env!("CARGO_PKG_VERSION")
            ));
            Ok(3)
        }
        None => {
            line(format_args!(
                "the recording has no hash, it was cut short; this run, to {}, gives {}",
                done.at, done.hash
            ));
            Ok(1)
        }
    }
}
