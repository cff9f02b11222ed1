//! Which program's process holds the runs of a command, and why no other does.

use std::sync::Arc;

use ironbird_component::Holder;
use ironbird_experiment::Experiment;
use serde_json::{Value, json};

use crate::failure::Failure;

/// The program that holds a run.
#[derive(Clone)]
pub struct Host {
    /// Its component.
    pub component: String,
    /// The program.
    pub holder: Arc<dyn Holder>,
    /// Whether it is asked for, so that nothing else will do.
    pub is_demanded: bool,
}

/// Where the programs are that leave it to the run.
pub struct Seating {
    /// The one that holds the run.
    pub host: Option<Host>,
    /// The components of the others, and why they do not.
    others: Vec<(String, String)>,
}

impl Seating {
    /// Chooses: who is asked for comes first, then who is first by path. `against` is what speaks against any of them.
    ///
    /// # Errors
    /// If what is asked for cannot be.
    pub fn of(experiment: &Experiment, against: Option<&str>) -> Result<Self, Failure> {
        let able = experiment.components.iter().filter_map(|component| {
            component.interface.holding.as_ref().map(|holding| (&component.path, holding))
        });
        let mut able: Vec<_> = able.collect();
        able.sort_by_key(|(_, holding)| !holding.is_demanded);
        let mut seating = Seating { host: None, others: Vec::new() };
        for (path, holding) in able {
            let taken =
                seating.host.as_ref().map(|host| format!("{} holds the run", host.component));
            let holder = match (against, taken, &holding.holder) {
                (Some(why), ..) => Err(why.to_owned()),
                (None, Some(taken), _) => Err(taken),
                (None, None, holder) => holder.clone(),
            };
            match holder {
                Ok(holder) => {
                    let (component, is_demanded) = (path.clone(), holding.is_demanded);
                    seating.host = Some(Host { component, holder, is_demanded });
                }
                Err(why) if holding.is_demanded => {
                    return Err(Failure::input(format!(
                        "{path}: `transport = \"in-process\"` cannot be: {why}; take \"auto\", which gives the same bits"
                    )));
                }
                Err(why) => seating.others.push((path.clone(), why)),
            }
        }
        Ok(seating)
    }

    /// The host could not hold the run.
    ///
    /// # Errors
    /// If it is asked for.
    pub fn give_up(&mut self, why: String) -> Result<(), Failure> {
        match self.host.take() {
            Some(Host { component, is_demanded: true, .. }) => Err(Failure::Run(format!(
                "{component}: {why}; the transport \"auto\" takes shared memory then, which gives the same bits"
            ))),
            Some(Host { component, .. }) => {
                self.others.insert(0, (component, why));
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// For people, a line for each program.
    pub fn lines(&self) -> Vec<String> {
        let host = self.host.iter().map(|host| format!("transport: {} in process", host.component));
        let other = |(path, why): &(String, String)| {
            format!("transport: {path} by shared memory, since {why}")
        };
        host.chain(self.others.iter().map(other)).collect()
    }

    /// The same for machines.
    pub fn json(&self) -> Value {
        let host = self.host.iter();
        let host =
            host.map(|host| json!({ "component": host.component, "transport": "in-process" }));
        let other = |(path, why): &(String, String)| json!({ "component": path, "transport": "memory", "why": why });
        host.chain(self.others.iter().map(other)).collect()
    }
}
