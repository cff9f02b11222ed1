//! `foreign.python`: a class in a Python file.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use ironbird_component::{
    ComponentType, Description, Given, Instance, InstantiateError, Kind, ParameterDescription,
    ParameterKind, Place, Settings,
};
use ironbird_kernel::Parameter;
use serde_json::Value as Json;

use crate::component::{self, ForeignComponent, Lead};
use crate::parameters;
use crate::ports::Declaration;
use crate::process::Process;

/// What the process begins with.
const BOOTSTRAP: &str = include_str!("python/bootstrap.py");

const DOC: &str = "\
A class in a Python file, in a Python of its own.

The class declares its ports, `inputs = {\"angle\": \"rad\"}` and `outputs = {\"force\": \"N\"}`, and has a \
function `step(self, t, inputs)` that returns a dict of the outputs; t is in seconds. Vectors are \"rad/s [3]\", \
with a frame \"rad/s [3] body\"; truth values are \"bool\", attitudes (w, x, y, z) \"attitude\". With `save(self)`, which returns what JSON can hold, and \
`load(self, state)`, it can be saved in checkpoints. What it prints goes to the standard error.

The interpreter is `interpreter`, or what the environment variable IRONBIRD_PYTHON names, or python3.";

/// The type `foreign.python`.
pub struct PythonType {
    description: Description,
}

const FILE: usize = 0;
const CLASS: usize = 1;
const PARAMETERS: usize = 2;
const INTERPRETER: usize = 3;
const PATIENCE: usize = 4;

impl PythonType {
    /// The type, for a registry.
    pub fn new() -> Self {
        let text = |path: &str, doc: &str| {
            ParameterDescription::required(path, ParameterKind::Text, doc).fixed()
        };
        let mut description = Description::new("foreign.python", Kind::Periodic, DOC);
        description.rate = Some(component::rate());
        description.foreign = true;
        description.parameters = vec![
            ParameterDescription::required("file", ParameterKind::File, "The Python file.").fixed(),
            text("class", "The name of the class."),
            component::parameters(
                "What the class is made with, as keyword arguments: \"gain = 0.8, limit = 20\".",
            ),
            text("interpreter", "The Python; a path with a / is relative to the experiment.")
                .or([Parameter::Text(String::new())]),
            component::patience(),
        ];
        PythonType { description }
    }
}

impl Default for PythonType {
    fn default() -> Self {
        PythonType::new()
    }
}

impl ComponentType for PythonType {
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
        let class: String = given.read(&known[CLASS])?;
        let text: String = given.read(&known[PARAMETERS])?;
        let interpreter: String = given.read(&known[INTERPRETER])?;
        let patience = Duration::from_secs_f64(given.read(&known[PATIENCE])?);
        let wanted =
            parameters::read(&text).map_err(|why| InstantiateError::of("parameters", why))?;
        let file = std::path::absolute(&file).unwrap_or(file);
        let python = interpreter_of(&interpreter, place.folder);
        let mut command = Command::new(&python);
        command.args(["-B", "-c", BOOTSTRAP]).arg(&file).arg(class);
        command.arg(Json::Object(wanted).to_string());
        // The order of sets of texts would differ from run to run.
        command.env("PYTHONHASHSEED", "0");
        let mut process = Process::start(command, "Python", patience).map_err(|error| {
            let python = python.display();
            let why = format!(
                "\"{python}\" does not start ({error}): name a Python by \"interpreter\" or by the \
                 environment variable IRONBIRD_PYTHON"
            );
            InstantiateError::of("interpreter", why)
        })?;
        let ready = process.ready().and_then(|text| Declaration::read(&text));
        let declaration = ready.map_err(|why| process.refusal(why))?;
        Ok(ForeignComponent::instance(process, declaration, Lead::Time, Some(component::rate())))
    }
}

/// The program of a name, seen from the folder of the experiment.
fn interpreter_of(name: &str, folder: &Path) -> PathBuf {
    match name {
        "" => std::env::var_os("IRONBIRD_PYTHON")
            .filter(|name| !name.is_empty())
            .map_or_else(|| "python3".into(), PathBuf::from),
        path if path.contains('/') => folder.join(path),
        name => name.into(),
    }
}
