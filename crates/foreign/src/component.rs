//! User code as a periodic component.

use std::cell::RefCell;
use std::sync::Arc;

use ironbird_component::{Bound, Instance, Made, ParameterDescription, ParameterKind, Range, Unit};
use ironbird_kernel::{
    LoadError, Model, Parameter, Periodic, Ports, Rate, SaveError, SignalIn, SignalOut,
    StateReader, StateWriter, Step,
};
use ironbird_kinematics::Attitude;

use crate::generated_c::OwnSteps;
use crate::ports::{Declaration, Kind, Port};
use crate::process::Process;
use crate::protocol::{Question, numbers, put};

/// The rate of a component where none is given.
pub(crate) fn rate() -> Rate {
    Rate::hz(100)
}

/// The parameter by which users give parameters to their code.
pub(crate) fn parameters(doc: &str) -> ParameterDescription {
    ParameterDescription::required("parameters", ParameterKind::Text, doc)
        .or([Parameter::Text(String::new())])
        .fixed()
}

/// The parameter that says how long user code may take.
pub(crate) fn patience() -> ParameterDescription {
    let range = Range { low: Bound::Exclusive(0.0), high: Bound::Inclusive(1e6) };
    let unit: Unit = "s".parse().unwrap_or_else(|_| Unit::none());
    let doc = "How long it may take to start, and then to answer, in real time, before it counts as \
               hanging. It never changes a result.";
    ParameterDescription::required("patience", ParameterKind::Real { unit, range }, doc)
        .or([Parameter::Real(30.0)])
        .fixed()
}

/// How much the length of an attitude may differ from 1: more is no rounding of single precision.
const TURNED: f64 = 1e-3;

/// What a step begins with, before its inputs.
pub(crate) enum Lead {
    /// The time in seconds.
    Time,
    /// How many steps of its own the code makes.
    Steps(OwnSteps),
}

/// Asks a process at every step.
pub(crate) struct ForeignComponent {
    declaration: Declaration,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    lead: Lead,
    /// Saving asks it, too.
    process: RefCell<Process>,
}

enum Input {
    Number(SignalIn<f64>),
    Vector(SignalIn<[f64; 3]>),
    Truth(SignalIn<bool>),
    Attitude(SignalIn<Attitude>),
}

enum Output {
    Number(SignalOut<f64>),
    Vector(SignalOut<[f64; 3]>),
    Truth(SignalOut<bool>),
    Attitude(SignalOut<Attitude>),
}

impl ForeignComponent {
    /// Of a process that is ready and has declared its ports.
    pub fn instance(
        process: Process,
        declaration: Declaration,
        lead: Lead,
        rate: Option<Rate>,
    ) -> Box<dyn Instance> {
        let interface = Arc::new(declaration.interface());
        let component = ForeignComponent {
            declaration,
            inputs: Vec::new(),
            outputs: Vec::new(),
            lead,
            process: RefCell::new(process),
        };
        Made::periodic(component, rate).with_interface(interface)
    }
}

impl Model for ForeignComponent {
    fn ports(&mut self, ports: &mut Ports) {
        for Port { name, kind, .. } in &self.declaration.inputs {
            self.inputs.push(match kind {
                Kind::Number => Input::Number(ports.signal_in(name)),
                Kind::Vector => Input::Vector(ports.signal_in(name)),
                Kind::Truth => Input::Truth(ports.signal_in(name)),
                Kind::Attitude => Input::Attitude(ports.signal_in(name)),
            });
        }
        for Port { name, kind, .. } in &self.declaration.outputs {
            self.outputs.push(match kind {
                Kind::Number => Output::Number(ports.signal_out(name, 0.0)),
                Kind::Vector => Output::Vector(ports.signal_out(name, [0.0; 3])),
                Kind::Truth => Output::Truth(ports.signal_out(name, false)),
                Kind::Attitude => Output::Attitude(ports.signal_out(name, Attitude::default())),
            });
        }
    }

    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        if !self.declaration.saves {
            return Err(SaveError::Unsupported);
        }
        let mut process = self.process.borrow_mut();
        let saved = process.ask(Question::Save, |_| {}).map_err(SaveError::Failed)?;
        state.put(saved)?;
        match &self.lead {
            Lead::Time => Ok(()),
            Lead::Steps(own) => own.save(state),
        }
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        if !self.declaration.saves {
            return Err(LoadError::Unsupported);
        }
        let saved: Vec<u8> = state.get()?;
        let process = self.process.get_mut();
        process.ask(Question::Load, |frame| frame.extend(saved)).map_err(LoadError::Failed)?;
        match &mut self.lead {
            Lead::Time => Ok(()),
            Lead::Steps(own) => own.load(state),
        }
    }
}

impl Periodic for ForeignComponent {
    fn step(&mut self, step: &mut Step<'_>) {
        let lead = match &mut self.lead {
            Lead::Time => step.now().as_secs_f64(),
            Lead::Steps(own) => match own.due(step.now(), step.tick()) {
                Ok(steps) => steps as f64,
                Err(why) => return step.fail(why),
            },
        };
        let process = self.process.get_mut();
        let asked = process.ask(Question::Step, |frame| {
            put(frame, &[lead]);
            for input in &self.inputs {
                match input {
                    Input::Number(port) => put(frame, &[*step.signal(*port)]),
                    Input::Vector(port) => put(frame, &step.signal(*port)[..]),
                    Input::Truth(port) => put(frame, &[f64::from(u8::from(*step.signal(*port)))]),
                    Input::Attitude(port) => {
                        let Attitude { w, x, y, z } = *step.signal(*port);
                        put(frame, &[w, x, y, z]);
                    }
                }
            }
        });
        let answer = match asked {
            Ok(answer) => answer,
            Err(why) => return step.fail(why),
        };
        let (found, expected) = (answer.len() / 8, self.declaration.output_width());
        if answer.len() != 8 * expected {
            return step.fail(format!("it answered with {found} numbers instead of {expected}"));
        }
        let mut answer = numbers(answer);
        for (output, port) in self.outputs.iter().zip(&self.declaration.outputs) {
            let mut values = [0.0; 4];
            values
                .iter_mut()
                .zip(answer.by_ref().take(port.kind.width()))
                .for_each(|(v, x)| *v = x);
            if let Some(wrong) = values.iter().find(|value| !value.is_finite()) {
                let name = &port.name;
                return step.fail(format!("the output \"{name}\" must be finite, not {wrong}"));
            }
            match output {
                Output::Number(port) => step.write(*port, values[0]),
                Output::Vector(port) => step.write(*port, [values[0], values[1], values[2]]),
                Output::Truth(port) => step.write(*port, values[0] != 0.0),
                Output::Attitude(out) => {
                    let [w, x, y, z] = values;
                    let length = (w * w + x * x + y * y + z * z).sqrt();
                    if (length - 1.0).abs() > TURNED {
                        let name = &port.name;
                        let why =
                            format!("the attitude \"{name}\" must have length 1, not {length}");
                        return step.fail(why);
                    }
                    step.write(*out, Attitude { w, x, y, z });
                }
            }
        }
    }
}
