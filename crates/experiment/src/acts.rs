//! What a scenario does: set, call, bind, stop, start, reset, spawn, remove.

use ironbird_component::{Configuration, Registry};
use ironbird_kernel::Scalar;
use ironbird_kernel::path::nearest;

use crate::bindings::{binding, service};
use crate::checked::{Act, Follower, PortAt};
use crate::names::{Ending, Names, is_at_or_below};
use crate::system::parameter_of;
use crate::values;
use ironbird_document::{Data, Item, Table};
use ironbird_document::{Place, Problem};

/// Keys of an entry that say what is done.
pub const ACT_KEYS: [&str; 8] =
    ["set", "call", "bind", "stop", "start", "reset", "spawn", "remove"];

/// What acts may be about.
pub struct Acting<'a> {
    /// All components.
    pub names: &'a Names<'a>,
    /// Composites by path.
    pub composites: &'a std::collections::BTreeMap<String, Place>,
    /// Parameters that follow others.
    pub followers: &'a [Follower],
    /// The types of the components.
    pub registry: &'a Registry,
}

impl Acting<'_> {
    /// All that an entry does, in the order in which it is written.
    pub fn acts(&self, table: &Table) -> Result<Vec<Act>, Problem> {
        let mut acts = Vec::new();
        for entry in &table.0 {
            let item = &entry.item;
            match entry.key.as_str() {
                "set" => self.set(item, &mut acts)?,
                "call" => match &item.data {
                    Data::Array(items) => {
                        for item in items {
                            self.call(item, &mut acts)?;
                        }
                    }
                    _ => self.call(item, &mut acts)?,
                },
                "bind" => self.bind(item, &mut acts)?,
                "stop" => self.paths(item, &mut acts, Act::Stop)?,
                "start" => self.paths(item, &mut acts, Act::Start)?,
                "reset" => self.paths(item, &mut acts, Act::Reset)?,
                "spawn" => self.spawn(item, &mut acts)?,
                "remove" => self.paths(item, &mut acts, Act::Remove)?,
                _ => {}
            }
        }
        Ok(acts)
    }

    fn set(&self, item: &Item, acts: &mut Vec<Act>) -> Result<(), Problem> {
        for (path, place, value) in flatten(item)? {
            let (component, parameter) = self.setting(&path, &place)?;
            if parameter == "rate" {
                let rate = values::rate(value)?;
                if self.names.components[component].description.kind
                    != ironbird_component::Kind::Periodic
                {
                    let message = format!("\"{path}\": only a periodic component has a rate");
                    return Err(Problem::new(message, &place, "no rate"));
                }
                if self.names.components[component].task.is_some() {
                    let message = format!("\"{path}\": it runs when its ECU lets it");
                    let problem = Problem::new(message, &place, "a task of an ECU");
                    return Err(problem.help("change the period in the file of tasks"));
                }
                acts.push(Act::SetRate { component, rate });
                continue;
            }
            for (parameter, value) in self.setting_values(component, &parameter, &place, value)? {
                acts.push(Act::Set { component, parameter, value });
            }
        }
        Ok(())
    }

    /// Splits a path into component and parameter; a list element (`a.gain[1]`) counts as one.
    pub fn setting(&self, path: &str, place: &Place) -> Result<(usize, String), Problem> {
        let found = self.names.owner(path, Ending::Parameter);
        let (component, parameter) = found.map_err(|missing| missing.at(place))?;
        Ok((component, parameter.into()))
    }

    /// The leaves that are set, after checking that they may be.
    fn setting_values(
        &self,
        component: usize,
        parameter: &str,
        place: &Place,
        value: &Item,
    ) -> Result<Vec<(String, ironbird_kernel::Parameter)>, Problem> {
        let owner = &self.names.components[component];
        let whole = parameter.split('[').next().unwrap_or(parameter);
        let description = parameter_of(owner, whole, place)?;
        if !description.changeable {
            let message = format!("\"{}.{parameter}\" cannot be changed while it runs", owner.path);
            let problem = Problem::new(message, place, "fixed");
            return Err(problem.help("set it in [system] or in the `set` of a scenario"));
        }
        self.leads(component, whole, place)?;
        leaves_of(description, parameter, place, value)
    }

    /// Refuses to set a parameter that follows another one.
    pub fn leads(&self, component: usize, parameter: &str, place: &Place) -> Result<(), Problem> {
        let owner = &self.names.components[component];
        let follower = self
            .followers
            .iter()
            .find(|f| f.follower.component == component && f.follower.port == parameter);
        if let Some(follower) = follower {
            let leader = &self.names.components[follower.leader.component].path;
            let message = format!("\"{}.{parameter}\" follows another parameter", owner.path);
            let problem = Problem::new(message, place, "a follower");
            return Err(problem.help(format!("set \"{leader}.{}\"", follower.leader.port)));
        }
        Ok(())
    }

    fn call(&self, item: &Item, acts: &mut Vec<Act>) -> Result<(), Problem> {
        let empty = Table::default();
        let (path, arguments) = match &item.data {
            Data::Table(table) => {
                let Some(path) = table.get("service") else {
                    let problem = Problem::new("a call needs `service`", &item.place, "whose?");
                    return Err(problem.help("for example { service = \"autopilot.land\" }"));
                };
                (path, table)
            }
            _ => (item, &empty),
        };
        let text = path.text()?;
        if let Some((component, configuration)) = self.configuration(text) {
            return self.configure(component, configuration, arguments, item, acts);
        }
        let (component, port, service) = service(self.names, text, &path.place)?;
        let argument = service.service.argument();
        let wanted = service.arguments();
        let mut given: Vec<(usize, Scalar)> = Vec::new();
        for entry in arguments.0.iter().filter(|entry| entry.key != "service") {
            let named = |a: &&ironbird_component::ArgumentDescription| {
                a.name == entry.key || (a.name.is_empty() && entry.key == "value")
            };
            let Some(leaf) = wanted.iter().find(named) else {
                let names: Vec<&str> = wanted.iter().map(|a| a.name.as_str()).collect();
                let message = format!("\"{text}\" has no argument \"{}\"", entry.key);
                let problem = Problem::new(message, &entry.place, "not an argument");
                return Err(match nearest(&entry.key, names.iter().copied()) {
                    Some(near) => problem.did_you_mean(Some(near)),
                    None if names.is_empty() => problem.help("it takes none"),
                    None => problem.help(format!("it takes {}", names.join(", "))),
                });
            };
            let value = values::scalar(leaf.kind, &leaf.unit, &entry.key, &entry.item)?;
            if leaf.is_positive && value.as_f64() <= 0.0 {
                let message = format!("\"{text}\": \"{}\" must be above 0", entry.key);
                return Err(Problem::new(message, &entry.item.place, "not allowed"));
            }
            given.push((leaf.index, value));
        }
        let missing: Vec<&str> = wanted
            .iter()
            .filter(|leaf| !given.iter().any(|(index, _)| *index == leaf.index))
            .map(|leaf| if leaf.name.is_empty() { "value" } else { leaf.name.as_str() })
            .collect();
        if !missing.is_empty() {
            let message = format!("\"{text}\" needs {}", missing.join(", "));
            let problem = Problem::new(message, &item.place, "arguments are missing");
            let example = format!("call = {{ service = \"{text}\", {} = … }}", missing[0]);
            return Err(problem.help(example));
        }
        let wrong = |error: ironbird_component::PartError| {
            Problem::new(format!("\"{text}\": {error}"), &item.place, "not a valid argument")
        };
        let zero = argument.zero().map_err(wrong)?;
        let argument = argument.set_leaves(&zero, &given).map_err(wrong)?;
        acts.push(Act::Call { service: PortAt { component, port }, argument });
        Ok(())
    }

    /// The service of a component that sets its parameters.
    fn configuration(&self, path: &str) -> Option<(usize, &Configuration)> {
        let (component, name) = self.names.owner(path, Ending::Service).ok()?;
        let configurations = &self.names.components[component].description.configurations;
        let found = configurations.iter().find(|configuration| configuration.name == name)?;
        Some((component, found))
    }

    /// Calls a service that sets parameters: each must be given.
    fn configure(
        &self,
        component: usize,
        configuration: &Configuration,
        arguments: &Table,
        item: &Item,
        acts: &mut Vec<Act>,
    ) -> Result<(), Problem> {
        let Configuration { name, parameters, .. } = configuration;
        let text = crate::expand::join(&self.names.components[component].path, name);
        let takes = parameters.join(", ");
        for entry in arguments.0.iter().filter(|entry| entry.key != "service") {
            if !parameters.contains(&entry.key) {
                let message = format!("\"{text}\" has no argument \"{}\"", entry.key);
                let problem = Problem::new(message, &entry.place, "not an argument");
                let near = nearest(&entry.key, parameters.iter().map(String::as_str));
                return Err(problem.help(format!("it takes {takes}")).did_you_mean(near));
            }
        }
        for parameter in parameters {
            let Some(entry) = arguments.entry(parameter) else {
                let message = format!("\"{text}\" needs {parameter}");
                let problem = Problem::new(message, &item.place, "arguments are missing");
                return Err(problem.help(format!("it takes {takes}")));
            };
            let set = self.setting_values(component, parameter, &entry.place, &entry.item)?;
            acts.extend(set.into_iter().map(|(parameter, value)| Act::Set {
                component,
                parameter,
                value,
            }));
        }
        Ok(())
    }

    fn bind(&self, item: &Item, acts: &mut Vec<Act>) -> Result<(), Problem> {
        for (path, place, value) in flatten(item)? {
            let found = self.names.owner(&path, Ending::Service);
            let (component, name) = found.map_err(|missing| missing.at(&place))?;
            if self.names.components[component].interface.input(name).is_some() {
                let message = format!("\"{path}\" is an input: it is bound before the start");
                let problem = Problem::new(message, &place, "not while it runs");
                return Err(problem.help(
                    "bind it in a [scenario.<name>], or let a component with a parameter switch",
                ));
            }
            let asker = PortAt { component, port: name.into() };
            acts.push(Act::Bind(binding(self.names, asker, "", &place, value)?));
        }
        Ok(())
    }

    fn paths(
        &self,
        item: &Item,
        acts: &mut Vec<Act>,
        act: impl Fn(String) -> Act,
    ) -> Result<(), Problem> {
        for (path, place) in item.texts()? {
            self.existing(path, place)?;
            acts.push(act(path.into()));
        }
        Ok(())
    }

    /// A component or composite that there is.
    pub fn existing(&self, path: &str, place: &Place) -> Result<(), Problem> {
        if self.names.component(path).is_some() || self.composites.contains_key(path) {
            return Ok(());
        }
        let known = self.names.components.iter().map(|component| component.path.as_str());
        let near = nearest(path, known.chain(self.composites.keys().map(String::as_str)));
        let message = format!("there is no component \"{path}\"");
        let problem = Problem::new(message, place, "not found").did_you_mean(near);
        Err(problem.consequence(self.names.has_failed(path)))
    }

    fn spawn(&self, item: &Item, acts: &mut Vec<Act>) -> Result<(), Problem> {
        for (path, place) in item.texts()? {
            self.existing(path, place)?;
            let members = self.names.components.iter().filter(|c| is_at_or_below(&c.path, path));
            let mut others = members.filter(|member| member.dormant.as_deref() != Some(path));
            if let Some(member) = others.next() {
                return Err(match &member.dormant {
                    Some(whole) if is_at_or_below(path, whole) => {
                        let message = format!("\"{path}\" is spawned together with \"{whole}\"");
                        let problem = Problem::new(message, place, "a part of it");
                        problem.help(format!("write spawn = \"{whole}\""))
                    }
                    _ => {
                        let message = format!("\"{}\" is there from the start", member.path);
                        let problem = Problem::new(message, place, "nothing to spawn");
                        problem.help(format!("declare \"{path}\" with enabled = false"))
                    }
                });
            }
            acts.push(Act::Spawn(path.into()));
        }
        Ok(())
    }
}

/// The leaves of a parameter, or one of them (`gain[1]`).
pub fn leaves_of(
    description: &ironbird_component::ParameterDescription,
    parameter: &str,
    place: &Place,
    value: &Item,
) -> Result<Vec<(String, ironbird_kernel::Parameter)>, Problem> {
    if description.path == parameter {
        return values::parameter_values(description, value);
    }
    let leaves = description.leaves();
    let Some((path, kind, _)) = leaves.iter().find(|(path, ..)| path == parameter) else {
        let message = format!("\"{}\" has no element \"{parameter}\"", description.path);
        let problem = Problem::new(message, place, "not there");
        return Err(match (leaves.first(), leaves.last()) {
            (Some((first, ..)), Some((last, ..))) if leaves.len() > 1 => {
                problem.help(format!("its elements are {first} to {last}"))
            }
            _ => problem.help("it is a single value"),
        });
    };
    let single = ironbird_component::ParameterDescription {
        path: path.clone(),
        kind: (*kind).clone(),
        ..description.clone()
    };
    values::parameter_values(&single, value)
}

/// `{ a.b = 1, "c.d" = 2 }` as paths and values: tables inside are parts of the path.
pub fn flatten(item: &Item) -> Result<Vec<(String, Place, &Item)>, Problem> {
    fn walk<'a>(prefix: &str, table: &'a Table, found: &mut Vec<(String, Place, &'a Item)>) {
        for entry in &table.0 {
            let path = crate::expand::join(prefix, &entry.key);
            match &entry.item.data {
                Data::Table(inner) if inner.get("to").is_none() && inner.get("from").is_none() => {
                    walk(&path, inner, found)
                }
                _ => found.push((path, entry.place.clone(), &entry.item)),
            }
        }
    }
    let mut found = Vec::new();
    walk("", item.table()?, &mut found);
    Ok(found)
}
