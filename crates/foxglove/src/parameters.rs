//! Parameters of a run that can be changed while it goes on, as parameters of Foxglove.
//!
//! A parameter is called by its component and its name (`wind.speed`); what has a unit is a text (`"4 m/s"`), as in an
//! experiment file. `ironbird.paused` and `ironbird.speed` (simulated seconds per second, 0 for as fast as can be) change
//! how the run goes on. Everybody may read them; who may set them says the [door](crate::door).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use foxglove::websocket::{
    AnyClient, ClientId, GetParametersResponder, Parameter, ParameterHandler, ParameterType,
    ParameterValue, SetParametersResponder,
};
use ironbird_experiment::Experiment;
use ironbird_gate::Token;
use ironbird_runner::live::{Sight, Wish, Wishes, changeable};

use crate::door::ADMITTED;

const PAUSED: &str = "ironbird.paused";
const SPEED: &str = "ironbird.speed";
/// What is said to those who may change nothing.
const ONLY_WATCHES: &str = "this connection only watches: to change something, start the run with --foxglove-control and \
                            connect to the address that it prints";

/// The parameters of the run that goes on.
pub struct Parameters {
    wishes: Arc<Wishes>,
    /// What the door says of clients that may change something.
    secret: Token,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// The clients that may change something.
    admitted: Vec<ClientId>,
    values: BTreeMap<String, ParameterValue>,
    /// Those that were changed and have not been shown to all clients.
    changed: Vec<String>,
}

impl Known {
    fn set(&mut self, name: &str, value: ParameterValue) {
        if self.values.get(name) != Some(&value) {
            self.values.insert(name.to_owned(), value);
            self.changed.push(name.to_owned());
        }
    }

    /// Those of these names that there are; all, if none is named.
    fn named(&self, names: &[String]) -> Vec<Parameter> {
        let all = self.values.iter();
        let named = all.filter(|(name, _)| names.is_empty() || names.contains(name));
        named.map(|(name, value)| parameter(name, value.clone())).collect()
    }
}

impl Parameters {
    /// None yet; what is asked for goes to `wishes`, by clients of which the door tells with this secret.
    pub fn new(wishes: Arc<Wishes>, secret: Token) -> Arc<Self> {
        Arc::new(Parameters { wishes, secret, known: Mutex::default() })
    }

    /// Whether this is what the door says of a client that may change something.
    fn admits(&self, asked: &[Parameter]) -> bool {
        let [Parameter { name, value: Some(ParameterValue::String(text)), .. }] = asked else {
            return false;
        };
        name == ADMITTED && self.secret.is(text)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run begins.
    pub fn begin(&self, experiment: &Experiment) {
        let values = changeable(experiment).into_iter();
        let values = values.map(|one| (one.name(), read(&one.value))).collect();
        let mut known = self.known();
        (known.values, known.changed) = (values, Vec::new());
    }

    /// What all clients are to be told: what has changed, and how the run goes on.
    pub fn news(&self, sight: &Sight<'_>) -> Vec<Parameter> {
        let mut known = self.known();
        known.set(PAUSED, ParameterValue::Bool(sight.paused));
        known.set(SPEED, ParameterValue::Float64(sight.pace.unwrap_or(0.0)));
        let changed = std::mem::take(&mut known.changed);
        if changed.is_empty() { Vec::new() } else { known.named(&changed) }
    }

    /// What has to be asked for to set these.
    fn wishes(&self, parameters: &[Parameter]) -> Result<Vec<Wish>, String> {
        let (mut wishes, mut settings) = (Vec::new(), Vec::new());
        for Parameter { name, value, .. } in parameters {
            let value = value.as_ref().ok_or_else(|| format!("`{name}` cannot be taken away"))?;
            match (name.as_str(), value) {
                (PAUSED, ParameterValue::Bool(true)) => wishes.push(Wish::Pause),
                (PAUSED, ParameterValue::Bool(false)) => wishes.push(Wish::Go),
                (SPEED, ParameterValue::Integer(speed)) => wishes.push(pace(*speed as f64)),
                (SPEED, ParameterValue::Float64(speed)) => wishes.push(pace(*speed)),
                (PAUSED | SPEED, _) => return Err(format!("`{name}` cannot be {}", text(value)?)),
                _ => settings.push(format!("{} = {}", quoted(name), text(value)?)),
            }
        }
        if !settings.is_empty() {
            wishes.push(Wish::Command(format!("set = {{ {} }}", settings.join(", "))));
        }
        Ok(wishes)
    }
}

fn pace(speed: f64) -> Wish {
    Wish::Speed(Some(speed).filter(|speed| *speed != 0.0))
}

fn parameter(name: &str, value: ParameterValue) -> Parameter {
    let is_real = matches!(value, ParameterValue::Float64(_));
    let r#type = is_real.then_some(ParameterType::Float64);
    Parameter { name: name.to_owned(), r#type, value: Some(value) }
}

/// A value of an experiment file.
fn read(text: &str) -> ParameterValue {
    let whole = || text.parse().ok().map(ParameterValue::Integer);
    let real = || text.parse().ok().filter(|real: &f64| real.is_finite());
    match text {
        "true" | "false" => ParameterValue::Bool(text == "true"),
        _ => whole()
            .or_else(|| real().map(ParameterValue::Float64))
            .unwrap_or_else(|| ParameterValue::String(text.to_owned())),
    }
}

/// As text of an experiment file.
fn text(value: &ParameterValue) -> Result<String, String> {
    Ok(match value {
        ParameterValue::Integer(whole) => whole.to_string(),
        // A point makes it a real number, whatever it is.
        ParameterValue::Float64(real) => format!("{real:?}"),
        ParameterValue::Bool(truth) => truth.to_string(),
        ParameterValue::String(text) => quoted(text),
        ParameterValue::Array(parts) => {
            let parts = parts.iter().map(text).collect::<Result<Vec<String>, String>>()?;
            format!("[{}]", parts.join(", "))
        }
        ParameterValue::Dict(_) => return Err("a parameter cannot be a table".into()),
    })
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// What Foxglove calls.
pub struct Handler(pub Arc<Parameters>);

impl ParameterHandler for Handler {
    fn get(
        &self,
        _: AnyClient,
        names: Vec<String>,
        _: Option<String>,
        responder: GetParametersResponder,
    ) {
        responder.respond(self.0.known().named(&names));
    }

    fn set(
        &self,
        client: AnyClient,
        asked: Vec<Parameter>,
        _: Option<String>,
        responder: SetParametersResponder,
    ) {
        if self.0.admits(&asked) {
            self.0.known().admitted.push(client.id());
            return responder.respond(Vec::new());
        }
        let names: Vec<String> = asked.iter().map(|one| one.name.clone()).collect();
        if !self.0.known().admitted.contains(&client.id()) {
            client.send_error(ONLY_WATCHES);
            return responder.respond(self.0.known().named(&names));
        }
        let mut wishes = match self.0.wishes(&asked) {
            Ok(wishes) => wishes,
            Err(why) => {
                client.send_error(why);
                Vec::new()
            }
        };
        let Some(last) = wishes.pop() else { return responder.respond(Vec::new()) };
        for wish in wishes {
            let client = client.clone();
            self.0.wishes.ask(wish, move |done| done.unwrap_or_else(|why| client.send_error(why)));
        }
        let parameters = self.0.clone();
        self.0.wishes.ask(last, move |done| {
            let mut known = parameters.known();
            match done {
                Ok(()) => {
                    for Parameter { name, value, .. } in &asked {
                        value.iter().for_each(|value| known.set(name, value.clone()));
                    }
                }
                Err(why) => client.send_error(why),
            }
            responder.respond(known.named(&names));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wishes(given: &[(&str, ParameterValue)]) -> Result<Vec<Wish>, String> {
        let asked = given.iter().map(|(name, value)| parameter(name, value.clone()));
        let parameters = Parameters::new(Arc::default(), Token::new().unwrap());
        parameters.wishes(&asked.collect::<Vec<Parameter>>())
    }

    #[test]
    fn parameters_that_are_set_are_a_command_of_the_experiment() {
        let asked = [
            ("wind.speed", ParameterValue::String("4 m/s".into())),
            ("gain", ParameterValue::Float64(2.0)),
            ("on", ParameterValue::Bool(true)),
        ];
        let command = r#"set = { "wind.speed" = "4 m/s", "gain" = 2.0, "on" = true }"#;
        assert_eq!(wishes(&asked).unwrap(), [Wish::Command(command.into())]);
    }

    #[test]
    fn a_run_is_paused_and_paced_by_parameters() {
        let asked = [(PAUSED, ParameterValue::Bool(true)), (SPEED, ParameterValue::Integer(2))];
        assert_eq!(wishes(&asked).unwrap(), [Wish::Pause, Wish::Speed(Some(2.0))]);
        let fastest = [(SPEED, ParameterValue::Float64(0.0))];
        assert_eq!(wishes(&fastest).unwrap(), [Wish::Speed(None)]);
        let refused = wishes(&[(PAUSED, ParameterValue::String("no".into()))]).unwrap_err();
        assert_eq!(refused, "`ironbird.paused` cannot be \"no\"");
    }

    #[test]
    fn values_of_experiment_files_keep_their_kind() {
        assert_eq!(read("true"), ParameterValue::Bool(true));
        assert_eq!(read("3"), ParameterValue::Integer(3));
        assert_eq!(read("0.5"), ParameterValue::Float64(0.5));
        assert_eq!(read("2 K"), ParameterValue::String("2 K".into()));
    }
}
