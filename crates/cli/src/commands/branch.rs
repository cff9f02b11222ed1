//! `ironbird branch`: what runs have in common is run once; each goes on from there, and they are compared.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ironbird_component::Registry;
use ironbird_experiment::commands::{CommandReader, TimedCommand};
use ironbird_record::{Status, parting};
use ironbird_runner::{Ending, How, Job, Outcomes, Trunk, run};

use crate::arguments::BranchArguments;
use crate::commands::report::{open_recording, write_report};
use crate::commands::run::{BY_NAME, RECORDING, claim};
use crate::failure::Failure;
use crate::given;
use crate::interrupt::interrupt;
use crate::output::line;
use crate::progress::Shown;
use crate::run_summary::RunSummary;
use crate::summary;
use crate::target::{Target, how, stem, time};

/// The branch to which nothing is done.
const PLAIN: &str = "as-it-is";

/// A branch: what it is called, and what is done to it.
struct Branch {
    name: String,
    commands: Vec<TimedCommand>,
}

/// Runs the trunk, then each branch.
pub fn branch(arguments: &BranchArguments, registry: &Registry) -> Result<u8, Failure> {
    let target = Target::open(&arguments.experiment, registry)?;
    let experiment = target.experiment.clone();
    let [scenario] = target.scenarios[..] else {
        return Err(Failure::input(
            "the experiment has several scenarios: choose one with --scenario",
        ));
    };
    if !experiment.processes().is_empty() {
        return Err(Failure::input(format!("{BY_NAME}: such a run cannot branch")));
    }
    let at = time("--at", &arguments.at)?;
    let branches = read(arguments, &CommandReader::new(&experiment, scenario, registry))?;
    let interrupt = interrupt()?;
    let how = how(&arguments.how)?;
    let job = |how| Job { experiment: experiment.clone(), registry, scenario, repetition: 0, how };

    let out = arguments.out.clone().unwrap_or_else(|| Path::new("out").join(&target.stem));
    // Held until all branches are over, as their folders are.
    let mut held = vec![claim(&out)?];

    let mut shown = Shown::new("trunk");
    let trunk = Trunk::grow(&job(how.clone()), at, &interrupt, &mut |far| shown.report(far));
    shown.finish();
    let trunk = Arc::new(trunk.map_err(|error| Failure::of_run(error, &experiment))?);

    let mut runs: Vec<Outcomes> = Vec::new();
    let mut recordings = Vec::new();
    for Branch { name, commands } in &branches {
        let folder = claim(&out.join(name))?;
        let recording = folder.path().join(RECORDING);
        held.push(folder);
        let job = job(How {
            commands: commands.clone(),
            recording: Some(recording.clone()),
            trunk: Some(trunk.clone()),
            ..how.clone()
        });
        let mut shown = Shown::new(name);
        let done = run(&job, &interrupt, &mut |far| shown.report(far));
        shown.finish();
        let done = done.map_err(|error| Failure::of_run(error, &experiment))?;
        let page = recording.with_file_name("report.html");
        write_report(&recording, &page, &[], Some(&done))?;
        if !arguments.json {
            line(format_args!("{}", summary::text(&done, name)));
            line(format_args!("  recording {}", recording.display()));
            line(format_args!("  report    {}", page.display()));
        }
        let interrupted = interrupt.is_requested() || done.ending == Ending::Interrupted;
        runs.push(done);
        recordings.push(recording);
        if interrupted {
            break;
        }
    }
    let summaries: Vec<RunSummary> = runs.iter().map(RunSummary::of).collect();
    if arguments.json {
        line(format_args!("{:#}", summary::json(&summaries)));
    } else {
        compare(&branches, &runs, &recordings)?;
        line(format_args!("verdict: {}", summary::verdict(&summaries)));
    }
    Ok(summary::status(&summaries))
}

/// The branches, the plain one first.
fn read(arguments: &BranchArguments, reader: &CommandReader<'_>) -> Result<Vec<Branch>, Failure> {
    let mut branches = vec![Branch { name: PLAIN.into(), commands: Vec::new() }];
    let mut known = BTreeSet::from([PLAIN.to_owned()]);
    for path in &arguments.commands {
        let name = stem(path);
        let name = name.strip_suffix(".commands").map_or(name.clone(), str::to_owned);
        if !known.insert(name.clone()) {
            return Err(Failure::input(format!(
                "two branches would be called \"{name}\": rename {}",
                path.display()
            )));
        }
        branches.push(Branch { name, commands: given::commands(path, reader)? });
    }
    Ok(branches)
}

/// Says where branches part from the plain one, and which verdicts that changes.
fn compare(branches: &[Branch], runs: &[Outcomes], recordings: &[PathBuf]) -> Result<(), Failure> {
    let (Some(plain), Some(plain_run)) = (recordings.first(), runs.first()) else { return Ok(()) };
    let first = open_recording(plain)?;
    for ((branch, run), recording) in branches.iter().zip(runs).zip(recordings).skip(1) {
        let name = &branch.name;
        match parting(&first, &open_recording(recording)?)? {
            None => line(format_args!("{name}: records the same as {PLAIN}")),
            Some(parting) => line(format_args!(
                "{name}: parts from {PLAIN} at {}, first in {}",
                parting.time, parting.channel
            )),
        }
        for (before, after) in plain_run.verdicts.iter().zip(&run.verdicts) {
            if before.status != after.status {
                line(format_args!(
                    "  {}: {} -> {}",
                    before.name,
                    word(before.status),
                    word(after.status)
                ));
            }
        }
        line(format_args!("  look ironbird view {} {}", plain.display(), recording.display()));
    }
    Ok(())
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Passed => "holds",
        Status::Failed => "fails",
        Status::Undecided => "stays open",
    }
}
