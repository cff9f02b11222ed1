//! Checks that a switch has the source that it is set to, and that nobody stops it for good.

use std::collections::BTreeSet;

use ironbird_component::{Kind, ParameterKind};
use ironbird_kernel::{Parameter, Time};

use crate::checked::{Act, Component, Experiment, Link, PortAt, Scenario, Timed};
use crate::names::is_at_or_below;
use ironbird_document::{Problem, Problems};

/// Looks at every component whose type says that a parameter names the input that it reads.
pub fn check(experiment: &Experiment, scenario: &Scenario, problems: &mut Problems) {
    for (number, component) in experiment.components.iter().enumerate() {
        if let Some(parameter) = &component.description.switch {
            let switch = Switch { experiment, scenario, number, parameter };
            problems.take(switch.has_sources());
            problems.take(switch.is_not_left_alone());
        }
    }
}

struct Switch<'a> {
    experiment: &'a Experiment,
    scenario: &'a Scenario,
    /// Number of the component.
    number: usize,
    /// The parameter that names the input.
    parameter: &'a str,
}

impl<'a> Switch<'a> {
    fn component(&self) -> &'a Component {
        &self.experiment.components[self.number]
    }

    /// The input that is read at the start.
    fn first(&self) -> Option<&'a str> {
        let set = |(number, name, _): &&(usize, String, Parameter)| {
            *number == self.number && name == self.parameter
        };
        let component = self.component();
        let given = self.scenario.initial.iter().rfind(set).map(|(.., value)| value);
        let given = given.or_else(|| component.settings.get(self.parameter));
        let own = || {
            let parameters = &component.description.parameters;
            parameters.iter().find(|one| one.path == self.parameter)?.default.as_ref()?.first()
        };
        match given.or_else(own) {
            Some(Parameter::Text(name)) => Some(name),
            _ => None,
        }
    }

    /// The input that an act sets the switch to.
    fn set_by(&self, act: &'a Act) -> Option<&'a str> {
        match act {
            Act::Set { component, parameter, value: Parameter::Text(name) }
                if *component == self.number && parameter == self.parameter =>
            {
                Some(name)
            }
            _ => None,
        }
    }

    fn link(&self, input: &str) -> Option<&'a Link> {
        let is_read = |link: &&Link| link.to.component == self.number && link.to.port == input;
        self.experiment.links_in(self.scenario).find(is_read)
    }

    fn reads(&self, input: &str) -> String {
        let to = PortAt { component: self.number, port: input.into() };
        let (path, parameter) = (&self.component().path, self.parameter);
        format!(
            "\"{path}\" reads \"{}\" ({parameter} = \"{input}\")",
            self.experiment.port_name(&to)
        )
    }

    /// Whatever it is set to, at the start or later, is linked.
    fn has_sources(&self) -> Result<(), Problem> {
        let timed = self.scenario.actions.iter().map(|timed| (&timed.acts, &timed.place));
        let triggered = self.scenario.triggers.iter().map(|one| (&one.acts, &one.place));
        let later = timed.chain(triggered).flat_map(|(acts, place)| {
            acts.iter().filter_map(move |act| Some((self.set_by(act)?, place)))
        });
        let first = self.first().map(|input| (input, &self.component().place));
        let mut all = first.into_iter().chain(later);
        let Some((input, place)) = all.find(|(input, _)| self.link(input).is_none()) else {
            return Ok(());
        };
        let message = format!("{}, to which nothing is linked", self.reads(input));
        let problem = Problem::new(message, place, "needs this source");
        Err(problem
            .help(format!("link it, or set \"{}\" to an input that is linked", self.parameter)))
    }

    /// What it reads does not stand still until the end, unless a condition may change that.
    fn is_not_left_alone(&self) -> Result<(), Problem> {
        let path = self.component().path.as_str();
        let mut input = self.first();
        let mut stopped: BTreeSet<&str> = BTreeSet::new();
        let mut standing: Option<(&Timed, &str, &Link)> = None;
        let mut actions: Vec<&Timed> = self.scenario.actions.iter().collect();
        actions.sort_by_key(|timed| timed.at);
        let end = Time::ZERO + self.scenario.duration;
        for instant in actions.chunk_by(|a, b| a.at == b.at).take_while(|all| all[0].at < end) {
            for act in instant.iter().flat_map(|timed| &timed.acts) {
                match act {
                    Act::Stop(whole) => stopped.extend(self.within(whole)),
                    Act::Start(whole) => stopped.retain(|one| !is_at_or_below(one, whole)),
                    _ => input = self.set_by(act).or(input),
                }
            }
            let link = input
                .and_then(|input| self.link(input))
                .filter(|link| stopped.contains(self.path_of(link)) && !stopped.contains(path));
            standing = match (standing, link, input) {
                (Some(before), Some(link), _) if std::ptr::eq(before.2, link) => Some(before),
                (_, Some(link), Some(input)) => {
                    let stops = |timed: &&&Timed| self.stops(timed, self.path_of(link));
                    let by = instant.iter().find(stops).unwrap_or(&instant[0]);
                    Some((*by, input, link))
                }
                _ => None,
            };
        }
        let Some((stop, input, link)) = standing else { return Ok(()) };
        let source = self.path_of(link);
        if self.may_change(source) {
            return Ok(());
        }
        let reads = self.reads(input);
        let message = format!("{reads}, but \"{source}\" stands still from {} on", stop.at);
        let problem = Problem::new(message, &stop.place, "stopped here");
        let problem = problem.also(&link.place, "linked here");
        Err(problem.help(format!(
            "let \"{source}\" run, or set \"{path}.{}\" to {}",
            self.parameter,
            self.running(&stopped)
        )))
    }

    fn path_of(&self, link: &Link) -> &'a str {
        &self.experiment.components[link.from.component].path
    }

    /// The components that stop with a path.
    fn within(&self, whole: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
        let components = self.experiment.components.iter();
        let acting = components.filter(|one| one.description.kind != Kind::Provider);
        acting.map(|one| one.path.as_str()).filter(move |path| is_at_or_below(path, whole))
    }

    fn stops(&self, timed: &Timed, path: &str) -> bool {
        timed.acts.iter().any(|act| matches!(act, Act::Stop(whole) if is_at_or_below(path, whole)))
    }

    /// Whether a condition may start the source, stop the switch, or set it to another source.
    fn may_change(&self, source: &str) -> bool {
        let mut acts = self.scenario.triggers.iter().flat_map(|trigger| &trigger.acts);
        acts.any(|act| match act {
            Act::Start(whole) => is_at_or_below(source, whole),
            Act::Stop(whole) => is_at_or_below(&self.component().path, whole),
            act => self.set_by(act).is_some(),
        })
    }

    /// The inputs whose sources run, in words.
    fn running(&self, stopped: &BTreeSet<&str>) -> String {
        let parameters = &self.component().description.parameters;
        let parameter = parameters.iter().find(|one| one.path == self.parameter);
        let Some(ParameterKind::Choice { variants }) = parameter.map(|one| &one.kind) else {
            return "another source".into();
        };
        let runs = |input: &&String| {
            self.link(input).is_some_and(|link| !stopped.contains(self.path_of(link)))
        };
        let running: Vec<String> =
            variants.iter().filter(runs).map(|input| format!("\"{input}\"")).collect();
        if running.is_empty() { "another source".into() } else { running.join(" or ") }
    }
}
