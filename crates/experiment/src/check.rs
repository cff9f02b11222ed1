//! From a merged tree to a checked experiment.

use ironbird_component::Registry;
use ironbird_kernel::path::compare_paths;

use crate::acts::Acting;
use crate::answering;
use crate::bindings::bindings;
use crate::checked::{Component, Experiment, Link};
use crate::expand::expand;
use crate::lifetimes;
use crate::links::links;
use crate::load::ROOT_KEYS;
use crate::names::Names;
use crate::programs::programs;
use crate::repetition::once_each;
use crate::resolved::resolved;
use crate::scenario::scenarios;
use crate::style;
use crate::switches;
use crate::system::components;
use crate::timing::{Computers, check_links, timing};
use crate::via::add_adapters;
use ironbird_document::{Data, Item};
use ironbird_document::{Problem, Problems};

/// The version of the file format.
const VERSION: i64 = 1;

/// An experiment that cannot be run: what is wrong with it, and what of its system stands all the same.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// What is wrong.
    pub problems: Problems,
    /// The components whose types are known.
    pub components: Vec<Component>,
    /// The links that are right.
    pub links: Vec<Link>,
}

impl From<Problem> for Box<Draft> {
    fn from(problem: Problem) -> Self {
        Box::new(Draft { problems: problem.into(), ..Draft::default() })
    }
}

/// Checks everything that can be known before a run. Warnings come with the experiment; anything worse
/// comes instead of it.
pub fn check(root: &Item, registry: &Registry) -> Result<(Experiment, Problems), Problems> {
    check_or_draft(root, registry).map_err(|draft| draft.problems)
}

/// The same; an experiment with mistakes in it comes as far as it can be understood.
pub fn check_or_draft(
    root: &Item,
    registry: &Registry,
) -> Result<(Experiment, Problems), Box<Draft>> {
    let mut problems = Problems::default();
    let table = root.table()?;
    // What is missing is missing at the top of the file.
    let start = root.place.part(0..0);
    problems.take(table.only(&ROOT_KEYS, "an experiment"));
    match table.get("ironbird") {
        Some(Item { data: Data::Integer(VERSION), .. }) => {}
        Some(item) => {
            let message = format!("this version of Ironbird reads files of version {VERSION}");
            let problem = Problem::new(message, &item.place, "another version");
            problems
                .push(problem.help(format!("write ironbird = {VERSION}, or use a newer Ironbird")));
        }
        None => problems.push(
            Problem::new("the file does not say which version of the format it uses", &start, "")
                .help(format!("write ironbird = {VERSION} in its first line")),
        ),
    }
    let text = |key: &str, problems: &mut Problems| {
        let item = table.get(key)?;
        problems.take(item.text()).map(str::to_owned)
    };
    let title = text("title", &mut problems).unwrap_or_default();
    let doc = text("doc", &mut problems).unwrap_or_default();
    let mut expanded = expand(table, &start, &mut problems);
    // In the order of paths, so that the order of the file decides nothing: neither what patterns find first, nor what
    // follows from the number of a component.
    expanded.components.sort_by(|a, b| compare_paths(&a.path, &b.path));
    let composites = expanded.composites.clone();
    let timing = timing(table, &mut problems);
    let computers = match (&timing, table.get("timing")) {
        (Some(timing), _) => Computers::Known(timing),
        (None, Some(_)) => Computers::Broken,
        (None, None) => Computers::None,
    };
    let mut components = components(expanded, registry, computers, &mut problems);
    let adapted = add_adapters(&mut components, registry, computers, &mut problems);
    let names = Names::new(&components.list, &components.failed);
    let (links, unlinked) = links(&components, &names, &adapted, registry, &mut problems);
    if let Some(timing) = &timing {
        check_links(timing, &components.list, &links, &mut problems);
    }
    let programs = programs(table, &components.list, &mut problems);
    let (bindings, unbound) = bindings(&components, &names, &mut problems);
    let followers = &components.followers;
    let acting = Acting { names: &names, composites: &composites, followers, registry };
    let scenarios = scenarios(&acting, table, &start, &mut problems);
    // What the system leaves open, every scenario must bind.
    for (input, problem) in unlinked {
        if !scenarios.iter().all(|s| s.links.iter().any(|link| link.to == input)) {
            problems.push(problem);
        }
    }
    for (asker, problem) in unbound {
        if !scenarios.iter().all(|s| s.bindings.iter().any(|b| b.asker == asker)) {
            problems.push(problem);
        }
    }
    let system =
        lifetimes::System { components: &components.list, links: &links, bindings: &bindings };
    for scenario in &scenarios {
        lifetimes::check(&system, scenario, &mut problems);
    }
    if problems.is_fatal() {
        let (problems, components) = (once_each(problems), components.list);
        return Err(Box::new(Draft { problems, components, links }));
    }
    let resolved = resolved(root, table, &components, &composites);
    let experiment = Experiment {
        title,
        doc,
        links,
        bindings,
        scenarios,
        timing,
        programs,
        resolved,
        composites,
        followers: components.followers.clone(),
        components: components.list,
    };
    for scenario in &experiment.scenarios {
        answering::check(&experiment, scenario, &mut problems);
        switches::check(&experiment, scenario, &mut problems);
    }
    if let Some(style) = table.get("style") {
        style::check(style, &experiment, &mut problems);
    }
    let problems = once_each(problems);
    if problems.is_fatal() {
        let Experiment { components, links, .. } = experiment;
        return Err(Box::new(Draft { problems, components, links }));
    }
    Ok((experiment, problems))
}
