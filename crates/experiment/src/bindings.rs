//! Checks who answers whose queries and calls.

use ironbird_component::ServiceDescription;
use ironbird_kernel::Duration;
use ironbird_kernel::path::nearest;

use crate::checked::{Binding, Component, PortAt};
use crate::expand::{absolute, join};
use crate::names::{Ending, Names};
use crate::system::Components;
use crate::values;
use ironbird_document::{Data, Item};
use ironbird_document::{Place, Problem, Problems};

/// What nobody answers, and the problem with that: unless every scenario binds it.
pub type Unbound = Vec<(PortAt, Problem)>;

/// Checks the bindings of all components.
pub fn bindings(
    components: &Components,
    names: &Names<'_>,
    problems: &mut Problems,
) -> (Vec<Binding>, Unbound) {
    let mut bindings = Vec::new();
    let mut unbound = Unbound::new();
    for (number, written) in components.written.iter().enumerate() {
        let component = &components.list[number];
        let mut bound: Vec<&str> = Vec::new();
        if let Some(item) = written.table.get("bind") {
            let table = item.table().map_err(|problem| {
                problem.help("write bind.<query or service> = \"<who answers>\"")
            });
            let Some(table) = problems.take(table) else { continue };
            for entry in &table.0 {
                let asker = PortAt { component: number, port: entry.key.clone() };
                bound.push(&entry.key);
                bound.extend(nearest(&entry.key, names_of(component)));
                let made = binding(names, asker, &written.scope, &entry.place, &entry.item);
                bindings.extend(problems.take(made));
            }
        }
        let requires = component.interface.requires.iter().filter(|r| !r.optional);
        let needed = requires
            .map(|r| r.name.as_str())
            .chain(component.interface.queries.iter().map(|q| q.name.as_str()));
        for name in needed.filter(|name| !bound.contains(name)) {
            let message = format!("\"{}\" requires \"{name}\", which is not bound", component.path);
            let problem = Problem::new(message, &component.place, "nobody answers it");
            let asker = PortAt { component: number, port: name.into() };
            unbound.push((asker, problem.help(who_answers(names, component, name))));
        }
    }
    (bindings, unbound)
}

/// What a component requires and asks.
fn names_of(component: &Component) -> impl Iterator<Item = &str> {
    let requires = component.interface.requires.iter().map(|r| r.name.as_str());
    requires.chain(component.interface.queries.iter().map(|q| q.name.as_str()))
}

/// Names somebody who could answer.
fn who_answers(names: &Names<'_>, component: &Component, name: &str) -> String {
    let mut others = names.components.iter();
    let found = match (component.interface.query(name), component.interface.requirement(name)) {
        (Some(query), _) => others
            .find(|other| other.interface.answers.as_ref() == Some(&query.signature))
            .map(|other| other.path.clone()),
        (_, Some(required)) => others.find_map(|other| {
            let mut services = other.interface.services.iter();
            let fits = services.find(|service| service.service == required.service)?;
            Some(join(&other.path, &fits.name))
        }),
        _ => None,
    };
    match found {
        Some(found) => format!("for example bind.{name} = \"{found}\""),
        None => format!("write bind.{name} = \"<who answers>\"; no component here could"),
    }
}

/// One binding: of a query to a provider, or of a required service to a service.
pub(crate) fn binding(
    names: &Names<'_>,
    asker: PortAt,
    scope: &str,
    key: &Place,
    item: &Item,
) -> Result<Binding, Problem> {
    let (source, latency) = match &item.data {
        Data::Table(table) => {
            table.only(&["to", "latency"], "a binding")?;
            let Some(to) = table.get("to") else {
                return Err(Problem::new("a binding needs `to`", &item.place, "nobody named"));
            };
            let latency = table.get("latency").map(|item| values::duration(item, "a latency"));
            (to, latency.transpose()?.unwrap_or(Duration::ZERO))
        }
        _ => (item, Duration::ZERO),
    };
    let place = source.place.clone();
    let path = absolute(source.text()?, scope);
    let component = &names.components[asker.component];
    if let Some(query) = component.interface.query(&asker.port) {
        let Some(provider) = names.component(&path) else {
            return Err(names.missing_component(&path).at(&place));
        };
        let answers = names.components[provider].interface.answers;
        if answers.as_ref() != Some(&query.signature) {
            let found = answers.map_or("nothing".into(), |signature| signature.to_string());
            let message = format!(
                "\"{path}\" cannot answer \"{}.{}\": it answers {found}, asked is {}",
                component.path, asker.port, query.signature
            );
            return Err(Problem::new(message, &place, "cannot answer"));
        }
        if latency != Duration::ZERO {
            let problem = Problem::new("a query is answered at once", &place, "has a latency");
            return Err(problem.help("only calls take time"));
        }
        let provider = PortAt { component: provider, port: String::new() };
        return Ok(Binding { asker, provider, latency, place });
    }
    let Some(required) = component.interface.requirement(&asker.port) else {
        let near = nearest(&asker.port, names_of(component));
        let message = format!("\"{}\" requires nothing called \"{}\"", component.path, asker.port);
        let failed = names.has_failed(&component.path);
        let problem = Problem::new(message, key, "not required").consequence(failed);
        return Err(problem.did_you_mean(near));
    };
    let (provider, name, service) = service(names, &path, &place)?;
    if service.service != required.service {
        let message = format!("\"{path}\" does not fit \"{}.{}\"", component.path, asker.port);
        let problem = Problem::new(message, &place, "another service");
        return Err(problem.help(format!(
            "it takes {} and answers {}; required are {} and {}",
            service.service.argument(),
            service.service.reply(),
            required.service.argument(),
            required.service.reply()
        )));
    }
    Ok(Binding { asker, provider: PortAt { component: provider, port: name }, latency, place })
}

/// A provided service by `component.service`.
pub(crate) fn service<'a>(
    names: &Names<'a>,
    path: &str,
    place: &Place,
) -> Result<(usize, String, &'a ServiceDescription), Problem> {
    let (number, name) = names.owner(path, Ending::Service).map_err(|missing| missing.at(place))?;
    let component = &names.components[number];
    match component.interface.service(name) {
        Some(service) => Ok((number, name.into(), service)),
        None => {
            let configurations = component.description.configurations.iter();
            let services = component.interface.services.iter().map(|s| s.name.as_str());
            let services: Vec<&str> =
                services.chain(configurations.map(|c| c.name.as_str())).collect();
            let message = format!("\"{}\" provides no service \"{name}\"", component.path);
            let failed = names.has_failed(&component.path);
            let problem = Problem::new(message, place, "not provided").consequence(failed);
            Err(match nearest(name, services.iter().copied()) {
                Some(near) => problem.did_you_mean(Some(&join(&component.path, near))),
                None if services.is_empty() => problem.help("it provides none"),
                None => problem.help(format!("it provides {}", services.join(", "))),
            })
        }
    }
}
