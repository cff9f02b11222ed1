//! `mission.controller`: a finite state machine from a file that commands a mission.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use ironbird_component::{
    ComponentType, Description, Given, Instance, InstantiateError, Interface, Kind, Made,
    ParameterDescription, ParameterKind, Place, PortDescription, Settings, ValueType,
};
use ironbird_kernel::{
    Atomic, Context, Duration, EventIn, EventOut, Inputs, LoadError, Model, Outputs, Parameter,
    Payload, PortKind, Ports, SaveError, SignalOut, StateReader, StateWriter, Value,
};

use super::machine::{Machine, Reaction};

/// A state that a mission controller has entered.
#[derive(Clone, Debug, Default, PartialEq, Value)]
pub struct StateEntered {
    /// Its number, in the order of the file, from 0.
    pub number: u32,
    /// Its name in UTF-8.
    pub name: Payload,
}

/// What is done about an event that the file says cannot come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unexpected {
    Fail,
    Ignore,
}

/// A machine that is in one of its states.
struct Controller {
    machine: Machine,
    unexpected: Unexpected,
    names: Vec<Payload>,
    events: Vec<EventIn<u32>>,
    actions: Vec<EventOut<u32>>,
    state: SignalOut<u32>,
    entered: EventOut<StateEntered>,
    /// The state that it is in.
    present: u32,
    /// Whether that is still to be shown.
    is_new: bool,
    /// Events that were heard and not handled yet.
    heard: VecDeque<u32>,
    /// How often each action was taken.
    taken: Vec<u32>,
}

impl Controller {
    fn new(machine: Machine, unexpected: Unexpected) -> Self {
        Controller {
            names: machine.states.iter().map(|state| Payload::new(state.name.as_bytes())).collect(),
            events: Vec::new(),
            actions: Vec::new(),
            state: SignalOut::default(),
            entered: EventOut::default(),
            present: machine.initial,
            is_new: true,
            heard: VecDeque::new(),
            taken: vec![0; machine.actions.len()],
            machine,
            unexpected,
        }
    }

    fn action(&self) -> Option<(u32, u32)> {
        self.machine.states[self.present as usize].action
    }

    fn enter(&mut self, state: u32) {
        self.present = state;
        self.is_new = true;
    }

    fn react(&mut self, context: &mut Context<'_>, event: u32) {
        let state = &self.machine.states[self.present as usize];
        match state.reactions[event as usize] {
            Reaction::Enter(next) => self.enter(next),
            Reaction::Ignore => {}
            Reaction::Unexpected if self.unexpected == Unexpected::Ignore => {}
            Reaction::Unexpected => context.fail(format!(
                "the event \"{}\" came in state \"{}\", where the file of the machine says that it cannot; \
                 handle it there, or set unexpected = \"ignore\"",
                self.machine.events[event as usize].text, state.name
            )),
        }
    }
}

impl Model for Controller {
    fn ports(&mut self, ports: &mut Ports) {
        self.events = self.machine.events.iter().map(|event| ports.event_in(&event.port)).collect();
        self.actions = self.machine.actions.iter().map(|a| ports.event_out(&a.port)).collect();
        self.state = ports.signal_out("state", self.machine.initial);
        self.entered = ports.event_out("entered");
    }

    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        let name = &self.machine.states[self.present as usize].name;
        state.put(&(self.present, name, self.is_new, &self.heard, &self.taken))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        let (present, name, is_new, heard, taken): (u32, String, bool, VecDeque<u32>, Vec<u32>) =
            state.get()?;
        let fits = self.machine.states.get(present as usize).is_some_and(|s| s.name == name)
            && heard.iter().all(|event| (*event as usize) < self.machine.events.len())
            && taken.len() == self.machine.actions.len();
        if !fits {
            return Err(LoadError::Failed("it was saved with another state machine".into()));
        }
        (self.present, self.is_new, self.heard, self.taken) = (present, is_new, heard, taken);
        Ok(())
    }
}

impl Atomic for Controller {
    fn time_advance(&self) -> Duration {
        let acts = self.is_new || self.action().is_some() || !self.heard.is_empty();
        if acts { Duration::ZERO } else { Duration::FOREVER }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        if self.is_new {
            let name = self.names[self.present as usize].clone();
            out.write(self.state, self.present);
            out.send(self.entered, StateEntered { number: self.present, name });
        }
        if let Some((action, _)) = self.action() {
            let count = &mut self.taken[action as usize];
            *count = count.saturating_add(1);
            out.send(self.actions[action as usize], *count);
        }
    }

    fn internal(&mut self, context: &mut Context<'_>) {
        self.is_new = false;
        if let Some((_, next)) = self.action() {
            self.enter(next);
        } else if let Some(event) = self.heard.pop_front() {
            self.react(context, event);
        }
    }

    /// Events of one instant are handled one after the other, so that each state between is seen.
    fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        for (number, port) in (0..).zip(&self.events) {
            self.heard.extend(inputs.events(*port).map(|_| number));
        }
    }
}

/// The type of [`Controller`]: its ports are those of the machine in the file.
pub(super) struct ControllerType {
    description: Description,
}

const DOC: &str = "\
Commands a mission: a finite state machine from a file.

Each state either takes one action at once, or waits for events. Actions are outputs, events are inputs, each \
called like its label: `has.next?` is `has_next`, `low.bat` is `low_bat`. Messages count how often an action was \
taken; what an event carries does not matter. Events of one instant are handled in the order in which the file \
names them.

The file ends in .toml, for people; .aut, the Aldebaran format; or .fsp or .lts, the flat list of transitions \
that LTSA and MTSA print (C = Q0, Q0 = (has.next -> Q1), …). It is checked: states that are not reached, events \
without a reaction, two transitions of one label, two actions in one state, actions for ever, dead ends.

```toml
initial = \"ask\"
controllable = [\"has.next?\", \"go.next\", \"rtl\"]
uncontrollable = [\"yes.next\", \"no.next\", \"arrived\", \"low.bat\"]

[answers]                   # these events come only after an action, one each time
\"has.next?\" = [\"yes.next\", \"no.next\"]
\"go.next\" = [\"arrived\"]

[anywhere]                  # in every state that is not final and does not say otherwise
\"low.bat\" = \"return\"

[state.ask]
\"has.next?\" = \"asked\"

[state.asked]
\"yes.next\" = \"go\"
\"no.next\" = \"return\"

[state.go]
\"go.next\" = \"going\"

[state.going]
arrived = \"ask\"             # or ignore = [\"arrived\"]

[state.return]
rtl = \"home\"

[state.home]
final = true                # what it does not name it ignores
```";

impl ControllerType {
    pub fn new() -> Self {
        let mut description = Description::new("mission.controller", Kind::EventDriven, DOC);
        let choices = ["fail", "ignore"].map(String::from).to_vec();
        description.parameters = vec![
            ParameterDescription::required("machine", ParameterKind::File, "The state machine.").fixed(),
            ParameterDescription::required(
                "controllable",
                ParameterKind::Text,
                "The labels that are actions, with commas between, where the file does not tell them from \
                 events: \"has.next, go.next, rtl\".",
            )
            .or([Parameter::Text(String::new())])
            .fixed(),
            ParameterDescription::required(
                "unexpected",
                ParameterKind::Choice { variants: choices },
                "What is done about an event where the file says that it cannot come.",
            )
            .or([Parameter::Text("fail".into())])
            .fixed(),
        ];
        ControllerType { description }
    }
}

impl ComponentType for ControllerType {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let given = Given::new(settings, place);
        let [file, controllable, unexpected] = &self.description.parameters[..] else {
            return Err(InstantiateError::general("the type has three parameters"));
        };
        let file: PathBuf = given.read(file)?;
        let controllable: String = given.read(controllable)?;
        let unexpected: String = given.read(unexpected)?;
        let machine = Machine::open(&file, &controllable)
            .map_err(|message| InstantiateError::of("machine", message))?;
        let unexpected = if unexpected == "ignore" { Unexpected::Ignore } else { Unexpected::Fail };
        let interface = interface(&machine);
        Ok(Made::event_driven(Controller::new(machine, unexpected)).with_interface(interface))
    }
}

fn interface(machine: &Machine) -> Arc<Interface> {
    let (event, count) = (PortKind::Event, ValueType::of::<u32>());
    let inputs = machine.events.iter().map(|label| {
        PortDescription::input(&label.port, event, count).doc(&format!("The event {}.", label.text))
    });
    let outputs = machine.actions.iter().map(|label| {
        PortDescription::output(&label.port, event, count)
            .doc(&format!("The action {}; how often it was taken.", label.text))
    });
    let names = machine.states.iter().enumerate().map(|(n, state)| format!("{n} {}", state.name));
    let legend = names.collect::<Vec<_>>().join(", ");
    let state = PortDescription::output("state", PortKind::Signal, count)
        .doc(&format!("Number of the present state: {legend}."))
        .labels(machine.states.iter().map(|state| state.name.clone()).collect());
    let entered = PortDescription::output("entered", event, ValueType::of::<StateEntered>())
        .doc("Every state that is entered, with its name: the trace.");
    let ports = inputs.chain(outputs).chain([state, entered]).collect();
    Arc::new(Interface { ports, ..Interface::default() })
}
