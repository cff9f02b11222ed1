//! The process that loads a C library.

use std::io;
use std::path::Path;

use super::functions::{Component, Functions};
use crate::host::{Pipes, Served, end_with_the_parent};
use crate::ports::Declaration;
use crate::protocol::{Answer, numbers};

/// The first argument of a host; the library and its parameters follow.
pub(crate) const ARGUMENT: &str = "--ironbird-host-of-a-c-library";

/// The first line of what a library describes.
const VERSION: &str = "ironbird 1";

/// Numbers behind the outputs, in which a library that writes too many is found out.
const SPARE: usize = 64;
const UNTOUCHED: u64 = 0x7ff8_1234_5678_9abc;

/// Loads a library and answers questions.
pub(crate) fn serve(file: &Path, parameters: &str) -> io::Result<()> {
    let mut pipes = Pipes::take()?;
    end_with_the_parent();
    let parameters: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(parameters).unwrap_or_default();
    let number = |value: serde_json::Value| value.as_f64().unwrap_or(f64::NAN);
    let parameters: Vec<_> = parameters.into_iter().map(|(name, x)| (name, number(x))).collect();
    let made = Functions::load(file).and_then(|functions| {
        let (text, declaration) = declared(&functions)?;
        Ok((functions, text, declaration))
    });
    let (functions, text, declaration) = match made {
        Ok(made) => made,
        Err(why) => return pipes.answer(Answer::Failed, |frame| frame.extend(why.bytes())),
    };
    match functions.create(&parameters) {
        Err(why) => pipes.answer(Answer::Failed, |frame| frame.extend(why.bytes())),
        Ok(component) => {
            pipes.answer(Answer::Ready, |frame| frame.extend(text.bytes()))?;
            Hosted::new(component, &declaration).answer_all(&mut pipes)
        }
    }
}

/// The ports of a library, as text and read.
fn declared(functions: &Functions) -> Result<(String, Declaration), String> {
    let described = functions.describe()?;
    let (version, ports) = described.split_once('\n').unwrap_or((&described, ""));
    if version.trim() != VERSION {
        return Err(format!(
            "ironbird_describe must begin with a line \"{VERSION}\", not \"{}\"",
            version.trim()
        ));
    }
    let wrong = |why: String| format!("ironbird_describe: {why}");
    let declaration = Declaration::read(ports).map_err(wrong)?;
    if declaration.saves {
        return Err(wrong("whether it saves is seen from ironbird_save and ironbird_load".into()));
    }
    let saves = if functions.saves() { "\nsaves" } else { "" };
    Ok((format!("{ports}{saves}"), declaration))
}

/// A component that answers questions.
struct Hosted<'a> {
    component: Component<'a>,
    declaration: &'a Declaration,
    input: Vec<f64>,
    output: Vec<f64>,
}

impl<'a> Hosted<'a> {
    fn new(component: Component<'a>, declaration: &'a Declaration) -> Self {
        let (input, output) = (declaration.input_width(), declaration.output_width());
        let (input, output) = (vec![0.0; input], vec![0.0; output + SPARE]);
        Hosted { component, declaration, input, output }
    }

    /// The name of the output to which a number belongs.
    fn name(&self, place: usize) -> &str {
        let mut end = 0;
        let mut outputs = self.declaration.outputs.iter();
        let found = outputs.find(|port| {
            end += port.kind.width();
            place < end
        });
        found.map_or("", |port| port.name.as_str())
    }
}

impl Served for Hosted<'_> {
    /// The outputs of a step whose time and inputs are in `content`.
    fn step(&mut self, content: &[u8]) -> Result<&[f64], String> {
        let mut given = numbers(content);
        let t = given.next().unwrap_or(f64::NAN);
        self.input.iter_mut().zip(given).for_each(|(place, x)| *place = x);
        self.output.fill(f64::from_bits(UNTOUCHED));
        self.component.step(t, &self.input, &mut self.output)?;
        let (output, spare) = self.output.split_at(self.declaration.output_width());
        if spare.iter().any(|x| x.to_bits() != UNTOUCHED) {
            return Err(format!("ironbird_step wrote more than its {} outputs", output.len()));
        }
        if let Some(place) = output.iter().position(|x| x.to_bits() == UNTOUCHED) {
            return Err(format!("ironbird_step did not write the output \"{}\"", self.name(place)));
        }
        Ok(output)
    }

    fn save(&mut self) -> Result<Vec<u8>, String> {
        self.component.save()
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.component.load(bytes)
    }
}
