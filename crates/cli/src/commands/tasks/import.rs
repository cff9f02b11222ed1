//! `ironbird tasks import`: a measured ROS 2 system as a file of tasks, and how well its simulation fits.

use ironbird_kernel::Seed;
use ironbird_tasks::{Drawn, Imported, Rules, Timetable, import, latencies, rules_of, write};
use ironbird_traces::Distribution;
use ironbird_traces::caret::{Architecture, Trigger};
use ironbird_traces::ctf::{Trace, read_babeltrace_text};
use ironbird_traces::measured::{Measured, MeasuredCallback};
use ironbird_traces::ros2::Observed;
use serde_json::{Value, json};

use crate::commands::compare::write as write_file;
use crate::failure::Failure;
use crate::output::{complain, line};
use crate::task_arguments::ImportArguments;

/// Reads, says what was measured, schedules it, and writes the file.
pub fn import_tasks(arguments: &ImportArguments) -> Result<u8, Failure> {
    let rules = rules_of(&arguments.rules).ok_or_else(|| {
        let known = "dashing, eloquent, foxy, galactic, humble, iron, jazzy, events";
        Failure::input(format!(
            "--rules: \"{}\" is no ROS 2 release; known: {known}",
            arguments.rules
        ))
    })?;
    if arguments.architecture.is_dir() {
        return Err(Failure::input(format!(
            "{} is a folder: the first argument is CARET's architecture file (YAML), the second the trace",
            arguments.architecture.display()
        )));
    }
    let architecture = Architecture::read(&arguments.architecture)
        .map_err(|error| Failure::input(error.to_string()))?;
    let observed = observed(arguments)?;
    let measured = Measured::new(&architecture, &observed);
    for warning in &measured.warnings {
        complain(format_args!("{warning}\n"));
    }
    let imported = import(&measured, rules)
        .map_err(|error| Failure::input(format!("{}: {error}", arguments.trace.display())))?;
    for note in &imported.notes {
        complain(format_args!("{note}\n"));
    }
    let simulated = simulated(&imported, arguments)?;
    if arguments.json {
        line(format_args!("{:#}", as_json(&measured, &simulated)));
    } else {
        show(&measured, &simulated, rules);
    }
    if let Some(out) = &arguments.out {
        write_file(out, &write(&imported.system))?;
        if !arguments.json {
            line(format_args!("\nwritten to {}", out.display()));
        }
    }
    Ok(0)
}

/// Events of a folder that LTTng wrote, or of the text that babeltrace2 made of it.
fn observed(arguments: &ImportArguments) -> Result<Observed, Failure> {
    let path = &arguments.trace;
    let name = path.display();
    if path.is_file() {
        let text = ironbird_files::read_text(path, ironbird_files::LARGEST_DATA)
            .map_err(|error| Failure::input(format!("{name} cannot be read: {error}")))?;
        let events = read_babeltrace_text(&text).map_err(|error| {
            Failure::input(format!(
                "{name}: {error} (expected the folder of a trace, or what babeltrace2 prints of it)"
            ))
        })?;
        return Ok(Observed::from_events(events));
    }
    let trace = Trace::open(path).map_err(|error| Failure::input(error.to_string()))?;
    let mut events = trace.events();
    let observed = Observed::from_events(events.by_ref());
    if events.discarded() > 0 {
        complain(format_args!("{name}: the tracer lost {} events\n", events.discarded()));
    }
    for damage in events.damage() {
        complain(format_args!("{damage}\n"));
    }
    Ok(observed)
}

/// Latencies of every path in a schedule with times as they were measured.
fn simulated(
    imported: &Imported,
    arguments: &ImportArguments,
) -> Result<Vec<Distribution>, Failure> {
    let seed = Seed { seed: arguments.seed, repetition: 0 };
    let times = Drawn::new(&imported.system, seed);
    let horizon = arguments.seconds * 1_000_000_000;
    let timetable = Timetable::until(&imported.system, times, horizon)
        .map_err(|error| Failure::input(format!("the imported system: {error}")))?;
    let of_chain = |chain: &Vec<usize>| {
        let found = latencies(&imported.system, &timetable, chain);
        found.into_iter().map(|latency| (latency.finish - latency.start) as i64).collect()
    };
    Ok(imported.chains.iter().map(of_chain).collect())
}

/// Milliseconds of a number of nanoseconds.
fn ms(ns: Option<i64>) -> String {
    ns.map_or("-".into(), |ns| format!("{:.3}", ns as f64 * 1e-6))
}

fn trigger(callback: &MeasuredCallback) -> String {
    match &callback.trigger {
        Trigger::Timer { period_ns } => format!("timer {} ms", *period_ns as f64 * 1e-6),
        Trigger::Subscription { topic } => topic.clone(),
        Trigger::Service { name } => format!("service {name}"),
    }
}

const HEAD: [&str; 7] = ["", "", "count", "least", "median", "mean", "greatest"];

fn row([name, what, cells @ ..]: [&str; 7]) {
    let cells: String = cells.map(|cell| format!("{cell:>10}")).concat();
    line(format_args!("  {name:<34} {what:<16}{cells}"));
}

fn times(name: &str, what: &str, of: &Distribution) {
    let (count, [least, median]) = (of.count().to_string(), [of.min(), of.median()].map(ms));
    let [mean, greatest] = [of.mean(), of.max()].map(ms);
    row([name, what, &count, &least, &median, &mean, &greatest]);
}

fn show(measured: &Measured, simulated: &[Distribution], rules: Rules) {
    let mut nodes: Vec<&str> = measured.callbacks.iter().map(|one| one.node.as_str()).collect();
    nodes.sort_unstable();
    nodes.dedup();
    line(format_args!("{} nodes, {} callbacks", nodes.len(), measured.callbacks.len()));
    for executor in &measured.executors {
        let (name, threads) = (&executor.name, executor.threads);
        let plural = if threads == 1 { "" } else { "s" };
        line(format_args!("executor {name}: {threads} thread{plural}, rules \"{}\"", rules.name()));
    }
    line("\nexecution times [ms]");
    row(HEAD);
    for callback in &measured.callbacks {
        times(&callback.name, &trigger(callback), &callback.execution_times);
    }
    line("\nlatencies of paths [ms], from the start of the first callback to the end of the last");
    row(HEAD);
    for (path, simulated) in measured.paths.iter().zip(simulated) {
        times(&path.name, "measured", &path.latency);
        times("", "simulated", simulated);
    }
}

fn figures(of: &Distribution) -> Value {
    json!({
        "count": of.count(),
        "least_ns": of.min(),
        "median_ns": of.median(),
        "mean_ns": of.mean(),
        "p95_ns": of.quantile(950),
        "greatest_ns": of.max(),
    })
}

fn as_json(measured: &Measured, simulated: &[Distribution]) -> Value {
    let callbacks = measured.callbacks.iter().map(|callback| {
        json!({
            "name": callback.name,
            "node": callback.node,
            "released_by": trigger(callback),
            "period_ns": callback.releases.as_ref().map(|releases| releases.period_ns),
            "execution": figures(&callback.execution_times),
        })
    });
    let paths = measured.paths.iter().zip(simulated).map(|(path, simulated)| {
        json!({
            "name": path.name,
            "measured": figures(&path.latency),
            "simulated": figures(simulated),
        })
    });
    json!({
        "callbacks": callbacks.collect::<Vec<_>>(),
        "paths": paths.collect::<Vec<_>>(),
    })
}
