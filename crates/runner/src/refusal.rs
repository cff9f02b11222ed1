//! A system that cannot be built, as a problem with its place in the experiment file.

use ironbird_experiment::checked::{Link, PortAt};
use ironbird_experiment::{Experiment, Problem, Problems};
use ironbird_kernel::{BuildError as KernelError, GraphError};

use crate::branch::BranchError;
use crate::build::BuildError;
use crate::run::RunError;

impl RunError {
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
        None => named(message, experiment),
    };
    problem.help(
        "place both together, or give the link a `latency`, or let it carry the `previous` value",
    )
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
