//! Results of runs: for people, as JSON, as JUnit.

use std::path::Path;

use ironbird_kernel::Time;
use ironbird_record::Status;
use ironbird_runner::{Analysis, ComputerReport, Ending, Outcomes, Trace, partitions_used};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::progress::{factor, span};
use crate::run_summary::{Ended, RunSummary};

/// A run shows the states of at most this many components.
const TRACES: usize = 8;
/// A profile shows at most this many components, and as many links.
const LINES: usize = 12;

/// The exit status that follows from all runs.
pub fn status(runs: &[RunSummary]) -> u8 {
    if runs.iter().any(RunSummary::is_broken) {
        return crate::FAILED;
    }
    if runs.iter().any(RunSummary::is_undecided) { 1 } else { 0 }
}

/// One run, for people.
pub fn text(run: &Outcomes, name: &str) -> String {
    let speed = (run.at.as_secs_f64() - run.begin.as_secs_f64()) / run.wall.max(1e-9);
    let span = match run.begin {
        Time::ZERO => span(run.at),
        begin => format!("{} to {}", span(begin), span(run.at)),
    };
    let mut lines = vec![format!(
        "{name}: {span} in {:.2} s, {} real time, {}",
        run.wall,
        factor(speed),
        run.ending.describe(run.at),
    )];
    let width = run.verdicts.iter().map(|v| v.name.chars().count()).max().unwrap_or(0);
    for verdict in &run.verdicts {
        let lamp = match verdict.status {
            Status::Passed => "ok  ",
            Status::Failed => "FAIL",
            Status::Undecided => "open",
        };
        let pad = " ".repeat(width - verdict.name.chars().count());
        let margin = match (verdict.status, verdict.margin.as_str()) {
            (_, "") => verdict.status.word().to_owned(),
            (Status::Failed, margin) => format!("failed by {}", margin.trim_start_matches('-')),
            (_, margin) => format!("margin {margin}"),
        };
        let violation = match verdict.first_violation.as_str() {
            "" => String::new(),
            violation if verdict.status == Status::Failed => format!(", first at {violation}"),
            why => format!(": {why}"),
        };
        lines.push(format!("  {lamp} {}{pad}  {margin}{violation}", verdict.name));
    }
    for trace in run.traces.iter().take(TRACES) {
        lines.push(format!("  states of {}: {}", trace.component, trace.text()));
    }
    if run.traces.len() > TRACES {
        let more = run.traces.len() - TRACES;
        lines.push(format!("  states of {more} more components are in the report"));
    }
    if let Some(computed) = &run.computed {
        lines.push(format!("  {}", computer(computed)));
    }
    let used = partitions_used(&run.statistics);
    let processes = match run.processes {
        1 => String::new(),
        count => format!(", in {count} processes"),
    };
    lines.push(format!(
        "  {} steps, {} events, {} values recorded, {used}{processes}",
        run.statistics.steps,
        run.statistics.internal + run.statistics.external,
        run.values
    ));
    for program in &run.failed_programs {
        let what = if program.is_joined { "warning" } else { "error" };
        lines.push(format!("  {what}: when the run was over {}", program.program));
    }
    if run.values == 0 && run.ending == Ending::Finished {
        lines.push("  nothing was recorded: [[record]] chooses signals for the report".into());
    }
    lines.push(format!("  hash {}", run.hash));
    lines.join("\n")
}

/// Where the time on the wall went.
pub fn profile(run: &Outcomes) -> String {
    Analysis::of(run).map_or_else(String::new, |analysis| analysis.text(LINES))
}

/// What the simulation computer did.
fn computer(computed: &ComputerReport) -> String {
    let ComputerReport { cores, tasks, jobs, is_paced, overruns, .. } = computed;
    if tasks.is_empty() {
        return "simulation computer: no task can run apart from the plant; see the chapter on timing".into();
    }
    let cores = if *cores == 1 { "1 core".into() } else { format!("{cores} cores") };
    let tasks = if tasks.len() == 1 { "1 task".into() } else { format!("{} tasks", tasks.len()) };
    let head = format!("simulation computer: {jobs} jobs of {tasks} on {cores}");
    let ms = |seconds: f64| format!("{:.3} ms", seconds * 1e3);
    let lag = ms(computed.longest_lag);
    match (&computed.first_overrun, is_paced) {
        (_, false) => head,
        (None, true) => format!("{head}, none too late; the plant was at most {lag} late"),
        (Some((task, job)), true) => format!(
            "{head}, {overruns} too late, by at most {}, the first of them job {job} of {task}; the plant was \
at most {lag} late",
            ms(computed.longest_overrun)
        ),
    }
}

/// All in one sentence.
pub fn verdict(runs: &[RunSummary]) -> String {
    let all: Vec<Status> = runs.iter().flat_map(|run| &run.verdicts).map(|v| v.status).collect();
    let count = |status: Status| all.iter().filter(|other| **other == status).count();
    let (failed, open) = (count(Status::Failed), count(Status::Undecided));
    if runs.iter().any(|run| run.ending == Ended::Faulted) {
        return "the run itself failed".into();
    }
    if let Some(lost) = runs.iter().find_map(|run| run.lost_program.as_ref()) {
        return format!("the program \"{lost}\" failed");
    }
    match (all.len(), failed, open) {
        (0, ..) => "nothing was required".into(),
        (1, 0, 0) => "the requirement holds".into(),
        (all, 0, 0) => format!("all {all} requirements hold"),
        (all, failed, 0) => format!("{failed} of {all} requirements failed"),
        (all, 0, open) => format!("{open} of {all} requirements stayed undecided"),
        (all, failed, open) => {
            format!("{failed} of {all} requirements failed, {open} stayed undecided")
        }
    }
}

/// All runs, for machines.
pub fn json(runs: &[RunSummary]) -> Value {
    let runs: Vec<&Value> = runs.iter().map(|run| &run.json).collect();
    json!({ "version": env!("CARGO_PKG_VERSION"), "runs": runs })
}

/// One run, for machines.
pub fn one(run: &Outcomes) -> Value {
    let ending = match &run.ending {
        Ending::Finished => "finished",
        Ending::Stopped(_) => "stopped",
        Ending::Violated(_) => "violated",
        Ending::Interrupted => "interrupted",
        Ending::Faulted(_) => "faulted",
        Ending::ProgramLost(_) => "program lost",
    };
    let verdicts = serde_json::to_value(&run.verdicts).unwrap_or_default();
    let states: Vec<Value> = run.traces.iter().map(states).collect();
    json!({
        "scenario": run.scenario,
        "repetition": run.repetition,
        "seed": run.seed,
        "ending": ending,
        "outcome": run.ending.describe(run.at),
        "end_ps": run.at.as_ps(),
        "verdicts": verdicts,
        "states": states,
        "hash": run.hash,
        "values": run.values,
        "wall_s": run.wall,
        "steps": run.statistics.steps,
        "partitions": run.statistics.placement.partitions,
        "sharing": run.statistics.sharing.as_ref().map(|sharing| json!({
            "partitions": sharing.partitions,
            "alone_s": sharing.alone.as_secs_f64(),
            "shared_s": sharing.shared.as_secs_f64(),
            "speed_percent": sharing.percent,
        })),
        "processes": run.processes,
        "failed_programs": run.failed_programs.iter().map(|one| one.program.to_string()).collect::<Vec<_>>(),
        "profile": serde_json::to_value(&run.profile).unwrap_or_default(),
        "parts": run.parts.iter().map(|part| json!({
            "components": part.components,
            "computed": part.computed(),
            "waited": part.waited.iter().map(|(other, share)| json!([other, share])).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "simulation_computer": run.computed.as_ref().map(|computed| json!({
            "cores": computed.cores,
            "tasks": computed.tasks,
            "jobs": computed.jobs,
            "by_wall_clock": computed.is_paced,
            "overruns": computed.overruns,
            "longest_overrun_s": computed.longest_overrun,
            "first_overrun": computed.first_overrun.as_ref().map(|(task, job)| {
                json!({ "task": task, "job": job })
            }),
            "longest_lag_s": computed.longest_lag,
        })),
        "recording": run.recording.as_ref().map(|path| path.display().to_string()),
        "report": run.recording.as_ref().map(|path| {
            path.with_file_name("report.html").display().to_string()
        }),
    })
}

fn states(trace: &Trace) -> Value {
    let last = trace.entered.last();
    json!({
        "component": trace.component,
        "entered": trace.entered.len() as u64 + trace.left_out,
        "trace": trace.text(),
        "last": last.map(|(_, state)| state),
        "last_ps": last.map(|(time, _)| time.as_ps()),
    })
}

/// Writes the verdicts as a JUnit file: a suite for each run, a case for each requirement.
pub fn write_junit(path: &Path, title: &str, runs: &[RunSummary]) -> Result<(), Failure> {
    use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
    let mut report = Report::new(title);
    let repeats = runs.iter().any(|run| run.repetition > 0);
    for run in runs {
        let mut suite = TestSuite::new(run.name(repeats));
        if run.ending != Ended::Well {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(run.outcome.clone());
            suite.add_test_case(TestCase::new("the run", status));
        }
        for failed in &run.failed_programs {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(failed.clone());
            suite.add_test_case(TestCase::new("a program of the run", status));
        }
        for verdict in &run.verdicts {
            let mut status = match verdict.status {
                Status::Passed => TestCaseStatus::success(),
                Status::Failed => TestCaseStatus::non_success(NonSuccessKind::Failure),
                Status::Undecided => TestCaseStatus::non_success(NonSuccessKind::Error),
            };
            if verdict.status != Status::Passed {
                let what = [verdict.status.word(), &verdict.margin, &verdict.first_violation];
                let what: Vec<&str> = what.into_iter().filter(|text| !text.is_empty()).collect();
                status.set_message(what.join(", "));
                status.set_description(verdict.formula.clone());
            }
            suite.add_test_case(TestCase::new(verdict.name.clone(), status));
        }
        report.add_test_suite(suite);
    }
    let text = report.to_string().map_err(|error| Failure::Run(error.to_string()))?;
    std::fs::write(path, text)
        .map_err(|error| Failure::Run(format!("cannot write {}: {error}", path.display())))
}
