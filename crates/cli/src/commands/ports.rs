//! `ironbird ports`: lists the ports of the components of an experiment, as they are and as they are linked.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use clap::Args;
use ironbird_component::Registry;
use ironbird_experiment::checked::Component;
use ironbird_experiment::ports::OtherEnds;
use ironbird_experiment::{Problem, Problems, check_or_draft, is_at_or_below, load};
use ironbird_kernel::PortValues;
use ironbird_kernel::path::{matches, nearest};
use ironbird_runner::{How, Job, values_at_start};
use serde_json::Value;

use crate::arguments::ExperimentArguments;
use crate::failure::{Failure, print_problems};
use crate::output::{line, print};
use crate::port_list::PortList;
use crate::target::chosen;

/// More names than these are not read.
const MOST: usize = 24;

/// `ironbird ports`
#[derive(Args)]
pub struct PortsArguments {
    /// Which experiment.
    #[command(flatten)]
    pub experiment: ExperimentArguments,
    /// Only this component, those in this composite, those that a pattern fits (`quad[*]`), or only these ports of one
    /// (`world.quad`).
    pub component: Option<String>,
    /// Print them as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Prints the ports. Where the experiment has mistakes, what stands all the same is listed before they are told.
pub fn ports(arguments: &PortsArguments, registry: &Registry) -> Result<u8, Failure> {
    let root = load(&arguments.experiment.experiment, &arguments.experiment.sets)?;
    match check_or_draft(&root, registry) {
        Ok((experiment, warnings)) => {
            if !warnings.0.is_empty() {
                print_problems(&warnings);
            }
            let scenario = chosen(&experiment, &arguments.experiment.scenario)?[0];
            let experiment = Arc::new(experiment);
            let how = How::default();
            let job =
                Job { experiment: experiment.clone(), registry, scenario, repetition: 0, how };
            let started = values_at_start(&job);
            let links = experiment.links_in(&experiment.scenarios[scenario]);
            let ends = OtherEnds::new(&experiment.components, links);
            let nothing = BTreeMap::new();
            let values = started.as_ref().unwrap_or(&nothing);
            list(arguments, &experiment.components, &ends, values)?;
            started.map_err(|error| Failure::of_run(error, &experiment)).map(|_| 0)
        }
        Err(draft) => {
            if !draft.components.is_empty() {
                let ends = OtherEnds::new(&draft.components, draft.links.iter());
                list(arguments, &draft.components, &ends, &BTreeMap::new())?;
            }
            Err(Failure::Input(draft.problems))
        }
    }
}

fn list(
    arguments: &PortsArguments,
    components: &[Component],
    ends: &OtherEnds,
    values: &BTreeMap<String, PortValues>,
) -> Result<(), Failure> {
    let wanted = arguments.component.as_deref().unwrap_or("*");
    let is_wanted = |path: &str| is_at_or_below(path, wanted) || matches(wanted, path);
    let list_of = |number: usize| {
        let component: &Component = &components[number];
        PortList::new(component, number, ends, values.get(&component.path))
    };
    let mut numbers: Vec<usize> = (0..components.len()).collect();
    numbers.sort_by_key(|&number| components[number].written);
    let chosen = numbers.iter().filter(|number| is_wanted(&components[**number].path));
    let mut lists: Vec<PortList<'_>> = chosen.map(|number| list_of(*number)).collect();
    if lists.is_empty() {
        // Ports of one component: those of a vehicle in a world.
        let inside = numbers.iter().filter_map(|&number| {
            let port = wanted.strip_prefix(&components[number].path)?.strip_prefix('.')?;
            list_of(number).below(port)
        });
        lists = inside.collect();
    }
    if lists.is_empty() {
        return Err(missing(wanted, components).into());
    }
    if arguments.json {
        let all: Vec<Value> = lists.iter().map(PortList::json).collect();
        line(format_args!("{:#}", Value::Array(all)));
        return Ok(());
    }
    let texts: Vec<String> = lists.iter().map(PortList::text).collect();
    print(texts.join("\n"));
    Ok(())
}

fn missing(wanted: &str, components: &[Component]) -> Problems {
    let owners = components.iter().filter(|component| is_at_or_below(wanted, &component.path));
    if let Some(owner) = owners.max_by_key(|component| component.path.len()) {
        return missing_port(wanted, owner).into();
    }
    let problem = Problem::somewhere(format!("there is no component \"{wanted}\""));
    let near = nearest(wanted, components.iter().map(|component| component.path.as_str()));
    match near {
        Some(near) => problem.did_you_mean(Some(near)).into(),
        None => problem.help("`ironbird ports FILE` lists all components").into(),
    }
}

/// A component has no such ports: what may have been meant, or what there is as far as the name leads.
fn missing_port(wanted: &str, owner: &Component) -> Problem {
    let path = &owner.path;
    let name = wanted[path.len()..].trim_start_matches('.');
    let problem = Problem::somewhere(format!("\"{path}\" has no port \"{name}\""));
    // Names, and what names begin with: a vehicle, one of its sensors.
    let ports = owner.interface.ports.iter().map(|port| port.name.as_str());
    let known: BTreeSet<&str> = ports
        .flat_map(|port| {
            let dots = port.match_indices('.').map(|(at, _)| at);
            dots.chain([port.len()]).map(|end| &port[..end])
        })
        .collect();
    if let Some(near) = nearest(name, known.iter().copied()) {
        return problem.did_you_mean(Some(&format!("{path}.{near}")));
    }
    let folders = name.match_indices('.').map(|(at, _)| &name[..at]);
    let folder = folders.rev().find(|folder| known.contains(folder));
    let is_next = |name: &str| match folder {
        Some(folder) => name.rsplit_once('.').is_some_and(|(before, _)| before == folder),
        None => !name.contains('.'),
    };
    let there: Vec<&str> = known.into_iter().filter(|name| is_next(name)).take(MOST).collect();
    match there.is_empty() {
        true => problem,
        false => problem.help(format!("there are {}", there.join(", "))),
    }
}
