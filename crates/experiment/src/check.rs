//! From a merged tree to a checked experiment.

use ironbird_component::Registry;

use crate::acts::Acting;
use crate::bindings::bindings;
use crate::checked::Experiment;
use crate::expand::expand;
use crate::links::links;
use crate::load::ROOT_KEYS;
use crate::names::Names;
use crate::problem::{Problem, Problems};
use crate::resolved::resolved;
use crate::scenario::scenarios;
use crate::system::components;
use crate::tree::{Data, Item};

/// The version of the file format.
const VERSION: i64 = 1;

/// Checks everything that can be known before a run. Warnings come with the experiment; anything worse
/// comes instead of it.
pub fn check(root: &Item, registry: &Registry) -> Result<(Experiment, Problems), Problems> {
    let mut problems = Problems::default();
    let table = root.table()?;
    problems.take(table.only(&ROOT_KEYS, "an experiment"));
    match table.get("ironbird") {
        Some(Item { data: Data::Integer(VERSION), .. }) => {}
        Some(item) => {
            let message = format!("this version of Ironbird reads files of version {VERSION}");
            problems.push(Problem::new(message, &item.place, "another version"));
        }
        None => problems.push(
            Problem::somewhere("the file does not say which version of the format it uses")
                .help(format!("write ironbird = {VERSION} in its first line")),
        ),
    }
    let text = |key: &str, problems: &mut Problems| {
        let item = table.get(key)?;
        problems.take(item.text()).map(str::to_owned)
    };
    let title = text("title", &mut problems).unwrap_or_default();
    let doc = text("doc", &mut problems).unwrap_or_default();
    let expanded = expand(table, &mut problems);
    let resolved = resolved(table, &expanded);
    let composites = expanded.composites.clone();
    let before = problems.0.len();
    let components = components(expanded, registry, &mut problems);
    // Without its components a system has no ports: what else is wrong would only be noise.
    if problems.0[before..].iter().any(|problem| !problem.is_warning) && components.list.is_empty()
    {
        return Err(problems);
    }
    let links = links(&components, registry, &mut problems);
    let bindings = bindings(&components, &mut problems);
    let names = Names::new(&components.list);
    let followers = &components.followers;
    let acting = Acting { names: &names, composites: &composites, followers };
    let scenarios = scenarios(&acting, table, &mut problems);
    if problems.is_fatal() {
        return Err(problems);
    }
    let experiment = Experiment {
        title,
        doc,
        links,
        bindings,
        scenarios,
        resolved,
        composites,
        followers: components.followers.clone(),
        components: components.list,
    };
    Ok((experiment, problems))
}
