//! The process that loads a generated model.

use std::io;
use std::path::Path;

use super::description::Description;
use super::layout::Struct;
use super::memory::{Call, Global, Loaded};
use crate::host::{Pipes, Served, end_with_the_parent};
use crate::protocol::{Answer, numbers};

/// The first argument of a host; the library, the description and the parameters follow.
pub(crate) const ARGUMENT: &str = "--ironbird-host-of-a-generated-model";

/// Loads a model and answers questions.
pub(crate) fn serve(library: &Path, description: &Path, parameters: &str) -> io::Result<()> {
    let mut pipes = Pipes::take()?;
    end_with_the_parent();
    let started = Description::read(description).map_err(|problem| problem.to_string());
    let started = started.and_then(|description| {
        let loaded = Loaded::load(library)?;
        Ok((Hosted::start(&description, &loaded, parameters)?, loaded))
    });
    match started {
        Err(why) => pipes.answer(Answer::Failed, |frame| frame.extend(why.bytes())),
        Ok((mut hosted, _library)) => {
            pipes.answer(Answer::Ready, |_| {})?;
            hosted.answer_all(&mut pipes)?;
            if let Some(terminate) = hosted.terminate {
                terminate.call();
            }
            Ok(())
        }
    }
}

/// A struct whose fields are ports.
struct Seen {
    global: Global,
    about: Struct,
    bytes: Vec<u8>,
}

impl Seen {
    fn of(about: &Option<Struct>, loaded: &Loaded) -> Result<Option<Self>, String> {
        let Some(about) = about.clone() else { return Ok(None) };
        let global = loaded.global(&about.symbol, about.size)?;
        Ok(Some(Seen { global, about, bytes: Vec::new() }))
    }
}

/// A model that answers questions.
struct Hosted {
    step: Call,
    terminate: Option<Call>,
    inputs: Option<Seen>,
    outputs: Option<Seen>,
    /// All that is saved; inputs and outputs are, too.
    saved: Vec<Global>,
    shown: Vec<f64>,
}

impl Hosted {
    fn start(description: &Description, loaded: &Loaded, parameters: &str) -> Result<Self, String> {
        let initialize = loaded.function(&description.initialize)?;
        let inputs = Seen::of(&description.inputs, loaded)?;
        let outputs = Seen::of(&description.outputs, loaded)?;
        let structs = [&description.inputs, &description.outputs, &description.parameters];
        let structs = structs.into_iter().flatten().map(|about| (&about.symbol, about.size));
        let state = description.state.iter().flatten().map(|(name, size)| (name, *size));
        let saved = structs.chain(state).map(|(name, size)| loaded.global(name, size));
        let hosted = Hosted {
            step: loaded.function(&description.step)?,
            terminate: description
                .terminate
                .as_deref()
                .map(|name| loaded.function(name))
                .transpose()?,
            inputs,
            outputs,
            saved: saved.collect::<Result<_, _>>()?,
            shown: Vec::new(),
        };
        // Initial values are made of parameters.
        if let Some(Seen { global, mut bytes, .. }) = Seen::of(&description.parameters, loaded)? {
            let given = serde_json::from_str(parameters).unwrap_or_default();
            global.read(&mut bytes);
            description.put_parameters(&given, &mut bytes)?;
            global.write(&bytes);
        }
        initialize.call();
        Ok(hosted)
    }
}

impl Served for Hosted {
    /// `content` holds the number of steps and the inputs.
    fn step(&mut self, content: &[u8]) -> Result<&[f64], String> {
        let mut given = numbers(content);
        let steps = given.next().unwrap_or_default() as u64;
        // What was given in the last step holds until now.
        for _ in 1..steps {
            self.step.call();
        }
        if let Some(Seen { global, about, bytes }) = &mut self.inputs {
            global.read(bytes);
            for field in about.fields.iter().filter(|field| !field.ports.is_empty()) {
                for index in 0..field.length {
                    let number = given.next().unwrap_or(f64::NAN);
                    let put = field.kind.put(number, &mut bytes[field.element(index)]);
                    put.map_err(|why| format!("the input \"{}\": {why}", field.name))?;
                }
            }
            global.write(bytes);
        }
        if steps > 0 {
            self.step.call();
        }
        self.shown.clear();
        if let Some(Seen { global, about, bytes }) = &mut self.outputs {
            global.read(bytes);
            for field in about.fields.iter().filter(|field| !field.ports.is_empty()) {
                let elements = (0..field.length).map(|i| field.kind.get(&bytes[field.element(i)]));
                self.shown.extend(elements);
            }
        }
        Ok(&self.shown)
    }

    fn save(&mut self) -> Result<Vec<u8>, String> {
        let (mut all, mut bytes) = (Vec::new(), Vec::new());
        for global in &self.saved {
            global.read(&mut bytes);
            all.extend_from_slice(&bytes);
        }
        Ok(all)
    }

    fn load(&mut self, mut bytes: &[u8]) -> Result<(), String> {
        let wanted: usize = self.saved.iter().map(Global::size).sum();
        if bytes.len() != wanted {
            return Err(format!("the saved state has {} bytes, not {wanted}", bytes.len()));
        }
        for global in &self.saved {
            let (own, rest) = bytes.split_at(global.size());
            global.write(own);
            bytes = rest;
        }
        Ok(())
    }
}
