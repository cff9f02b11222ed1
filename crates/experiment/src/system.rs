//! Checks the components of `[system]`: types and parameters.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use ironbird_component::{Kind, ParameterDescription, Place as TypePlace, Registry};
use ironbird_kernel::Duration;
use ironbird_kernel::path::nearest;

use crate::checked::{Component, Follower, Placement, PortAt};
use crate::expand::{Expanded, Written, absolute, join};
use crate::names::{Ending, Names};
use crate::timing::{self, Computers};
use crate::values;
use ironbird_document::{Data, Table};
use ironbird_document::{Place, Problem, Problems};

/// A parameter that was written as `{ from = … }`.
struct Following {
    component: usize,
    parameter: String,
    from: String,
    previous: bool,
    place: Place,
}

/// The components of a system.
pub struct Components {
    /// In the order of their paths.
    pub list: Vec<Component>,
    /// Which parameters follow which.
    pub followers: Vec<Follower>,
    /// The tables they came from, by number.
    pub(crate) written: Vec<Written>,
    /// Paths of what is wrong: what others say of it cannot be judged.
    pub(crate) failed: BTreeSet<String>,
}

/// Finds the types of all components and checks their parameters.
pub fn components(
    expanded: Expanded,
    registry: &Registry,
    timing: Computers<'_>,
    problems: &mut Problems,
) -> Components {
    let mut list = Vec::new();
    let mut written = Vec::new();
    let mut following = Vec::new();
    let mut failed = expanded.failed;
    let mut is_whole = Vec::new();
    for one in expanded.components {
        let number = list.len();
        let before = problems.0.len();
        let Some((component, shared)) = component(&one, registry, timing, problems) else {
            failed.insert(one.path);
            continue;
        };
        is_whole.push(problems.0.len() == before);
        following.extend(shared.into_iter().map(|(parameter, from, previous, place)| Following {
            component: number,
            parameter,
            from,
            previous,
            place,
        }));
        list.push(component);
        written.push(one);
    }
    refuse_threads_beside_processes(&list, &written, problems);
    let before = problems.0.len();
    let followers = follow(&mut list, following, &failed, problems);
    let all_follow = problems.0.len() == before;
    for (number, component) in list.iter_mut().enumerate() {
        // What is missing because it was refused is not missing once more.
        let made = is_whole[number]
            && all_follow
            && instantiate(component, &written[number].table, registry, problems);
        if !made && component.description.interface.is_none() {
            failed.insert(component.path.clone());
        }
    }
    Components { list, followers, written, failed }
}

/// Components are placed on threads, or in processes.
fn refuse_threads_beside_processes(
    list: &[Component],
    written: &[Written],
    problems: &mut Problems,
) {
    let first = |wanted: fn(&Placement) -> bool| {
        let found =
            list.iter().position(|component| component.placement.as_ref().is_some_and(wanted));
        found.and_then(|number| written[number].table.entry("placement"))
    };
    let thread = first(|placement| matches!(placement, Placement::Partition(_)));
    let process = first(|placement| matches!(placement, Placement::Process(_)));
    if let (Some(thread), Some(process)) = (thread, process) {
        let message =
            "components are placed on threads, by number, or in processes, by name: not both";
        let problem = Problem::new(message, &process.place, "a process");
        problems.push(problem.also(&thread.place, "a thread"));
    }
}

pub(crate) type Sharing = Vec<(String, String, bool, Place)>;

/// A component as it was written, and the parameters that follow others; its ports are those of its type.
pub(crate) fn component(
    written: &Written,
    registry: &Registry,
    timing: Computers<'_>,
    problems: &mut Problems,
) -> Option<(Component, Sharing)> {
    let table = &written.table;
    let kind = table.get("type")?;
    let type_name = problems.take(kind.text())?;
    let found = match registry.get(type_name) {
        Ok(found) => found,
        Err(ironbird_component::RegistryError::Unknown { nearest, .. }) => {
            let message = format!("there is no component type \"{type_name}\"");
            let problem = Problem::new(message, &kind.place, "not known");
            problems.push(match nearest {
                Some(near) => problem.did_you_mean(Some(&near)),
                None => problem.help("`ironbird types` lists them"),
            });
            return None;
        }
        Err(error) => {
            problems.push(Problem::new(error.to_string(), &kind.place, "here"));
            return None;
        }
    };
    let description = Arc::new(found.description().clone());
    let (settings, shared) = values::settings(table, &description, &written.path, problems);
    let shared = shared
        .into_iter()
        .map(|s| (s.parameter, absolute(s.from, &written.scope), s.previous, s.place.clone()))
        .collect();
    let rate = table.get("rate").and_then(|item| {
        let rate = problems.take(values::rate(item))?;
        if description.kind != Kind::Periodic {
            let message = format!("\"{}\" is {} and has no rate", written.path, description.kind);
            problems.push(Problem::new(message, &item.place, "not allowed"));
            return None;
        }
        Some(rate)
    });
    let task = problems.take(timing::task_of(written, &description, rate, timing)).flatten();
    let (task, rate) = match task {
        Some((task, rate_of_task)) => (Some(task), rate_of_task.or(rate)),
        None => (None, rate),
    };
    if description.kind == Kind::Periodic
        && table.get("rate").is_none()
        && table.get("timing").is_none()
        && description.rate.is_none()
    {
        let message = format!("\"{}\" is periodic and needs a rate", written.path);
        let problem = Problem::new(message, &written.place, "no rate");
        problems.push(problem.help("for example rate = \"100 Hz\""));
    }
    let delay = table.get("delay").map(|item| values::duration(item, "`delay`"));
    let delay = delay.and_then(|delay| problems.take(delay)).unwrap_or(Duration::ZERO);
    let priority = table.get("priority").and_then(|item| match item.data {
        Data::Integer(number) if i32::try_from(number).is_ok() => i32::try_from(number).ok(),
        _ => {
            let message = "`priority` is a whole number; the lowest goes first";
            problems.push(Problem::new(message, &item.place, "here"));
            None
        }
    });
    let placement = table.get("placement").and_then(|item| match &item.data {
        Data::Text(name) if !name.is_empty() => Some(Placement::Process(name.clone())),
        Data::Integer(_) => {
            let number = problems.take(item.count())?;
            usize::try_from(number).ok().map(Placement::Partition)
        }
        _ => {
            let message = "`placement` is the number of a thread or the name of a process";
            problems.push(Problem::new(message, &item.place, "here"));
            None
        }
    });
    let component = Component {
        path: written.path.clone(),
        written: written.number,
        type_name: type_name.into(),
        interface: description.interface.clone().unwrap_or_default(),
        description,
        settings,
        folder: Path::new("").into(),
        rate,
        delay,
        priority,
        task,
        placement,
        dormant: written.dormant.clone(),
        place: written.place.clone(),
    };
    Some((component, shared))
}

/// Gives followers the values of their leaders.
fn follow(
    list: &mut [Component],
    following: Vec<Following>,
    failed: &BTreeSet<String>,
    problems: &mut Problems,
) -> Vec<Follower> {
    let mut followers = Vec::new();
    let names = Names::new(list, failed);
    let following_ones: BTreeSet<(usize, String)> =
        following.iter().map(|one| (one.component, one.parameter.clone())).collect();
    for one in following {
        let found = {
            let leader = names.owner(&one.from, Ending::Parameter);
            leader.map_err(|missing| missing.at(&one.place)).and_then(|(leader, parameter)| {
                let theirs = parameter_of(&list[leader], parameter, &one.place)?;
                let mine = parameter_of(&list[one.component], &one.parameter, &one.place)?;
                if theirs.kind != mine.kind {
                    let message = format!(
                        "\"{}\" and \"{}\" are not the same kind of parameter",
                        one.from,
                        join(&list[one.component].path, &one.parameter)
                    );
                    let problem = Problem::new(message, &one.place, "shared here");
                    return Err(problem.help("kind, unit and range must be equal"));
                }
                Ok((leader, parameter.to_owned()))
            })
        };
        let Some((leader, parameter)) = problems.take(found) else { continue };
        let follower = PortAt { component: one.component, port: one.parameter };
        let leader = PortAt { component: leader, port: parameter };
        if following_ones.contains(&(leader.component, leader.port.clone())) {
            let message = match leader == follower {
                true => "a parameter cannot follow itself",
                false => "a parameter that follows another one cannot lead",
            };
            let problem = Problem::new(message, &one.place, "follows it");
            problems.push(match leader == follower {
                true => problem,
                false => problem.help("let both follow the same parameter"),
            });
            continue;
        }
        followers.push(Follower { leader, follower, previous: one.previous });
    }
    for Follower { leader, follower, .. } in &followers {
        let theirs = &list[leader.component];
        let leaves = leaf_paths(theirs, &leader.port);
        let values: Vec<_> = leaves
            .into_iter()
            .filter_map(|(leaf, default)| {
                let value = theirs.settings.get(&leaf).cloned().or(default)?;
                Some((format!("{}{}", follower.port, &leaf[leader.port.len()..]), value))
            })
            .collect();
        list[follower.component].settings.extend(values);
    }
    followers
}

/// The leaves of a parameter and their defaults.
pub(crate) fn leaf_paths(
    component: &Component,
    parameter: &str,
) -> Vec<(String, Option<ironbird_kernel::Parameter>)> {
    let mut parameters = component.description.parameters.iter();
    let Some(found) = parameters.find(|p| p.path == parameter) else { return Vec::new() };
    found.leaves().into_iter().map(|(leaf, _, default)| (leaf, default.cloned())).collect()
}

/// The parameter of a component.
pub(crate) fn parameter_of<'a>(
    component: &'a Component,
    parameter: &str,
    place: &Place,
) -> Result<&'a ParameterDescription, Problem> {
    let parameters = &component.description.parameters;
    parameters.iter().find(|p| p.path == parameter).ok_or_else(|| {
        let (path, type_name) = (&component.path, &component.type_name);
        let message =
            format!("\"{path}\" has no parameter \"{parameter}\": its type is {type_name}");
        let near = nearest(parameter, parameters.iter().map(|p| p.path.as_str()));
        Problem::new(message, place, "not a parameter")
            .help(format!("`ironbird types {type_name}` lists its parameters"))
            .did_you_mean(near.map(|near| join(path, near)).as_deref())
    })
}

/// Makes the component once, to know its ports.
pub(crate) fn instantiate(
    component: &mut Component,
    table: &Table,
    registry: &Registry,
    problems: &mut Problems,
) -> bool {
    let Ok(found) = registry.get(&component.type_name) else { return false };
    let place = TypePlace { folder: &component.folder };
    match found.instantiate(&component.settings, &place) {
        Ok(instance) => {
            component.interface = Arc::new(instance.interface().clone());
            for warning in instance.warnings() {
                let message = format!("\"{}\": {warning}", component.path);
                problems
                    .push(Problem::new(message, &component.place, "of this component").warning());
            }
            true
        }
        Err(error) => {
            let place = error.parameter.as_deref().and_then(|p| value_place(table, p));
            let label = if place.is_some() { "here" } else { "in this component" };
            let message = format!("\"{}\": {error}", component.path);
            let place = place.unwrap_or(&component.place);
            problems.push(Problem::new(message, place, label).failure(error.is_failure));
            false
        }
    }
}

/// Where the value of a parameter was written.
fn value_place<'a>(table: &'a Table, parameter: &str) -> Option<&'a Place> {
    let mut at = table;
    let mut place = None;
    for name in parameter.split(['.', '[']) {
        let Some(item) = at.get(name) else { break };
        place = Some(&item.place);
        match &item.data {
            Data::Table(inner) => at = inner,
            _ => break,
        }
    }
    place
}
