//! `foreign.c`: a shared library with the functions of `include/ironbird.h`.

mod functions;
mod host;

use std::path::PathBuf;
use std::time::Duration;

use ironbird_component::{
    ComponentType, Description, Given, Instance, InstantiateError, Kind, ParameterDescription,
    ParameterKind, Place, Settings,
};
use serde_json::{Map, Value as Json};

use crate::component::{self, ForeignComponent, Lead};
use crate::parameters;
use crate::ports::Declaration;
use crate::process::Process;

pub(crate) use host::{ARGUMENT, serve};

const DOC: &str = "\
A shared library written in C, or in anything that has its calls, in a process of its own.

The library has the functions of the header file `ironbird.h` (crates/foreign/include): it describes its ports, makes a \
component and steps it. With `ironbird_save` and `ironbird_load` it can be saved in checkpoints. What it prints goes \
to the standard error. A crash is a fault of the component.";

/// The type `foreign.c`.
pub struct LibraryType {
    description: Description,
    /// The program that loads libraries, if it is not this one.
    host: Option<PathBuf>,
}

const FILE: usize = 0;
const PARAMETERS: usize = 1;
const PATIENCE: usize = 2;

impl LibraryType {
    /// The type, for a registry. Without a host, this program loads libraries, started again.
    pub fn new(host: Option<PathBuf>) -> Self {
        let mut description = Description::new("foreign.c", Kind::Periodic, DOC);
        description.rate = Some(component::rate());
        description.foreign = true;
        description.parameters = vec![
            ParameterDescription::required("file", ParameterKind::File, "The shared library.")
                .fixed(),
            component::parameters(
                "Names and numbers that the library is made with: \"gain = 0.8, limit = 20\".",
            ),
            component::patience(),
        ];
        LibraryType { description, host }
    }
}

impl ComponentType for LibraryType {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let (given, known) = (Given::new(settings, place), &self.description.parameters);
        let file: PathBuf = given.read(&known[FILE])?;
        let text: String = given.read(&known[PARAMETERS])?;
        let patience = Duration::from_secs_f64(given.read(&known[PATIENCE])?);
        let wanted = parameters::read(&text).and_then(numbers);
        let wanted = wanted.map_err(|why| InstantiateError::of("parameters", why))?;
        // A name without a folder would be looked for among the libraries of the system.
        let file = std::path::absolute(&file).unwrap_or(file);
        let command = crate::host::command(self.host.as_deref(), ARGUMENT);
        let mut command = command.map_err(InstantiateError::general)?;
        command.arg(&file).arg(Json::Object(wanted).to_string());
        let mut process = Process::start(command, "the C library", patience)
            .map_err(|error| InstantiateError::general(format!("no host starts: {error}")))?;
        let ready = process.ready().and_then(|text| Declaration::read(&text));
        let declaration = ready.map_err(|why| process.refusal(why))?;
        Ok(ForeignComponent::instance(process, declaration, Lead::Time, Some(component::rate())))
    }
}

/// Parameters of which all are numbers.
fn numbers(parameters: Map<String, Json>) -> Result<Map<String, Json>, String> {
    let one = |(name, value): (String, Json)| match value {
        Json::Bool(truth) => Ok((name, Json::from(f64::from(u8::from(truth))))),
        Json::Number(number) => Ok((name, Json::Number(number))),
        other => Err(format!("\"{name}\" must be a number for a C library, not {other}")),
    };
    parameters.into_iter().map(one).collect()
}
