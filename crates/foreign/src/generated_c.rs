//! `foreign.generated-c`: a model as Simulink (Embedded Coder) generates it, with functions without arguments and
//! global structs for inputs, outputs and parameters, behind a description file.
//!
//! Only the style with globals is supported, not the one in which functions take a pointer to the model
//! (`quad_step(RT_MODEL *const m)`): each component has a process of its own, so that globals are not shared.

mod c_type;
mod description;
mod host;
mod layout;
mod memory;
mod own_steps;

use std::path::PathBuf;
use std::time::Duration;

use ironbird_component::{
    ComponentType, Description as TypeDescription, Given, Instance, InstantiateError, Kind,
    ParameterDescription, ParameterKind, Place, Settings,
};
use serde_json::Value as Json;

use crate::component::{self, ForeignComponent, Lead};
use crate::parameters;
use crate::process::Process;
use description::Description;
pub(crate) use host::{ARGUMENT, serve};
pub(crate) use own_steps::OwnSteps;

const DOC: &str = "\
A model that was generated as C code, as Simulink with Embedded Coder does, in a process of its own.

The shared library has functions without arguments (initialize, step, perhaps terminate) and global structs of \
plain numbers: inputs, outputs, parameters. The description says what they are called and what their fields are. The model \
steps at a rate of its own, a multiple of that of the component. With `state`, the structs that hold its state, it can be \
saved in checkpoints. What it prints goes to the standard error. A crash is a fault of the component.";

/// The type `foreign.generated-c`.
pub struct GeneratedType {
    description: TypeDescription,
    /// The program that loads libraries, if it is not this one.
    host: Option<PathBuf>,
}

const FILE: usize = 0;
const DESCRIPTION: usize = 1;
const PARAMETERS: usize = 2;
const PATIENCE: usize = 3;

impl GeneratedType {
    /// The type, for a registry. Without a host, this program loads libraries, started again.
    pub fn new(host: Option<PathBuf>) -> Self {
        let mut description = TypeDescription::new("foreign.generated-c", Kind::Periodic, DOC);
        description.foreign = true;
        let file = |name: &str, doc: &str| {
            ParameterDescription::required(name, ParameterKind::File, doc).fixed()
        };
        description.parameters = vec![
            file("file", "The shared library."),
            file("description", "What its functions and structs are, as TOML."),
            component::parameters(
                "Fields of the struct of parameters that shall be others than in the library: \
                 \"mass = 1.2, inertia = [0.02, 0.02, 0.04]\". They are set before it is initialized.",
            ),
            component::patience(),
        ];
        GeneratedType { description, host }
    }
}

impl ComponentType for GeneratedType {
    fn description(&self) -> &TypeDescription {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let (given, known) = (Given::new(settings, place), &self.description.parameters);
        let file: PathBuf = given.read(&known[FILE])?;
        let described: PathBuf = given.read(&known[DESCRIPTION])?;
        let text: String = given.read(&known[PARAMETERS])?;
        let patience = Duration::from_secs_f64(given.read(&known[PATIENCE])?);
        let model = Description::read(&described)
            .map_err(|problem| InstantiateError::of("description", problem))?;
        let wanted = parameters::read(&text).and_then(|wanted| {
            let size = model.parameters.as_ref().map_or(0, |parameters| parameters.size);
            model.put_parameters(&wanted, &mut vec![0; size])?;
            Ok(wanted)
        });
        let wanted = wanted.map_err(|why| InstantiateError::of("parameters", why))?;
        // A name without a folder would be looked for among the libraries of the system.
        let file = std::path::absolute(&file).unwrap_or(file);
        let command = crate::host::command(self.host.as_deref(), ARGUMENT);
        let mut command = command.map_err(InstantiateError::general)?;
        command.arg(&file).arg(&described).arg(Json::Object(wanted).to_string());
        let mut process = Process::start(command, "the generated model", patience)
            .map_err(|error| InstantiateError::general(format!("no host starts: {error}")))?;
        let ready = process.ready();
        ready.map_err(|why| process.refusal(why))?;
        let lead = Lead::Steps(OwnSteps::new(model.rate));
        Ok(ForeignComponent::instance(process, model.declaration(), lead, None))
    }
}
