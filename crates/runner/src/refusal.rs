//! A system that cannot be built, as a problem with its place in the experiment file.

use ironbird_component::Kind;
use ironbird_experiment::checked::{Act, Component, Condition, Link, PortAt};
use ironbird_experiment::{Experiment, Place, Problem, Problems, is_at_or_below};
use ironbird_kernel::{BuildError as KernelError, Fault, GraphError};

use crate::branch::BranchError;
use crate::build::BuildError;
use crate::run::RunError;

impl RunError {
    /// As [`into_problems`](Self::into_problems), where nothing was to be run: a component that refuses to begin finds
    /// something wrong with what it was given.
    pub fn into_problems_of_check(self, experiment: &Experiment) -> Result<Problems, RunError> {
        match self {
            RunError::Build(BuildError::Kernel(KernelError::Fault(
                fault @ Fault::Failed { .. },
            ))) => Ok(named(fault.to_string(), experiment).into()),
            other => other.into_problems(experiment),
        }
    }

    /// What is wrong with the experiment; or the error itself, if the run failed for another reason.
    pub fn into_problems(self, experiment: &Experiment) -> Result<Problems, RunError> {
        match self {
            RunError::Build(BuildError::Kernel(KernelError::Fault(_))) => Err(self),
            RunError::Build(BuildError::Kernel(KernelError::Graph(
                GraphError::PeriodicCycle { cycle },
            ))) => Ok(circle(&cycle, experiment).into()),
            RunError::Build(BuildError::Kernel(KernelError::Graph(
                error @ GraphError::Unplaced { .. },
            ))) => {
                let problem = named(error.to_string(), experiment);
                Ok(problem.help("give each component a `placement`, or none").into())
            }
            RunError::Build(BuildError::Kernel(KernelError::Graph(GraphError::CutUnit {
                from,
                to,
            }))) => Ok(cut(from, to, experiment).into()),
            RunError::Build(error) => Ok(named(error.to_string(), experiment).into()),
            RunError::Branch(BranchError::Snapshot(_) | BranchError::EndsBefore { .. }) => {
                Err(self)
            }
            RunError::Branch(error) => Ok(Problem::somewhere(error.to_string()).into()),
            other => Err(other),
        }
    }
}

/// Points at the links of a circle, the last of which closes it.
fn circle(cycle: &[String], experiment: &Experiment) -> Problem {
    let path_of = |at: usize| experiment.components[at].path.as_str();
    let message = format!(
        "the periodic components {} read each other's current value in a circle",
        cycle.join(" -> ")
    );
    let links: Vec<&Link> = cycle
        .windows(2)
        .filter_map(|pair| {
            let relinked = experiment.scenarios.iter().flat_map(|scenario| &scenario.links);
            experiment.links.iter().chain(relinked).find(|link| {
                let ends = (path_of(link.from.component), path_of(link.to.component));
                ends == (&*pair[0], &*pair[1]) || ends == (&*pair[1], &*pair[0])
            })
        })
        .collect();
    let problem = match links.split_last() {
        Some((last, others)) => others
            .iter()
            .fold(Problem::new(message, &last.place, "closes the circle"), |problem, link| {
                problem.also(&link.place, "in the circle")
            }),
        None => named(message, experiment),
    };
    problem.help(
        "give one of them a `priority`, or let one link carry { from = \"...\", value = \"previous\" } or a `latency`",
    )
}

/// Points at the link that a placement separates, if it is one.
fn cut(from: String, to: String, experiment: &Experiment) -> Problem {
    let end =
        |port: &PortAt| format!("{}.{}", experiment.components[port.component].path, port.port);
    let link = experiment
        .links
        .iter()
        .find(|link| (end(&link.from), end(&link.to)) == (from.clone(), to.clone()));
    let message = GraphError::CutUnit { from, to }.to_string();
    let problem = match link {
        Some(link) => Problem::new(message, &link.place, "without latency"),
        None => match tied(experiment) {
            Some(problem) => return problem,
            None => named(message, experiment),
        },
    };
    problem.help(
        "place both together, or give the link a `latency`, or let it carry the `previous` value",
    )
}

/// The first condition that ties together what is placed apart: what it looks at and what it does is of one instant.
fn tied(experiment: &Experiment) -> Option<Problem> {
    let mut conditions = experiment.scenarios.iter().flat_map(|scenario| {
        let triggers = scenario.triggers.iter();
        let triggers = triggers.map(|one| (&one.name, &one.condition, &one.acts[..], &one.place));
        let stops = scenario.stops.iter();
        triggers.chain(stops.map(|one| (&one.name, &one.condition, &[][..], &one.place)))
    });
    conditions.find_map(|(name, condition, acts, place)| {
        tied_by(experiment, name, condition, acts, place)
    })
}

fn tied_by(
    experiment: &Experiment,
    name: &str,
    condition: &Condition,
    acts: &[Act],
    place: &Place,
) -> Option<Problem> {
    let read = |component: &Component| {
        condition
            .signals
            .iter()
            .any(|signal| experiment.components[signal.port.component].path == component.path)
    };
    let done =
        |component: &Component| acts.iter().any(|act| is_done_to(experiment, act, component));
    // Whoever only answers does so where it is asked.
    let acting = |one: &&Component| one.description.kind != Kind::Provider;
    let mut members =
        experiment.components.iter().filter(acting).filter(|one| read(one) || done(one));
    let first = members.next()?;
    let other = members.find(|one| one.placement != first.placement)?;
    let message = format!(
        "the placement separates \"{}\" and \"{}\", which \"{name}\" ties together: what a condition looks at and what it \
         does happen in one instant",
        first.path, other.path
    );
    let problem = Problem::new(message, place, "ties them");
    let problem = problem.also(&first.place, "one").also(&other.place, "the other");
    Some(problem.help("place both together"))
}

fn is_done_to(experiment: &Experiment, act: &Act, to: &Component) -> bool {
    let is = |number: usize| experiment.components[number].path == to.path;
    match act {
        Act::Set { component, .. } | Act::SetRate { component, .. } => is(*component),
        Act::Call { service, .. } => is(service.component),
        Act::Bind(binding) => is(binding.asker.component),
        Act::Stop(path) | Act::Start(path) | Act::Reset(path) => is_at_or_below(&to.path, path),
        Act::Spawn(_) | Act::Remove(_) => false,
    }
}

/// The component with the longest path that the message names is where to look.
fn named(message: String, experiment: &Experiment) -> Problem {
    let named = experiment.components.iter().filter(|component| {
        let path = &component.path;
        message.contains(&format!("\"{path}\""))
            || message.contains(&format!("{path} ->"))
            || message.contains(&format!("\"{path}."))
    });
    match named.max_by_key(|component| component.path.len()) {
        Some(component) => Problem::new(message, &component.place, "here"),
        None => Problem::somewhere(message),
    }
}
