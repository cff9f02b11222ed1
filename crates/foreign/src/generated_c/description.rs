//! The description of a generated model: which functions and structs its library has.
//!
//! ```toml
//! rate = "1 kHz"                         # of its step
//! initialize = "quad_initialize"
//! step = "quad_step"
//! terminate = "quad_terminate"           # may be left out
//!
//! [inputs]
//! struct = "quad_U"
//! fields = [{ name = "motors", type = "real_T[4]", unit = "rad/s" }]
//!
//! [outputs]
//! struct = "quad_Y"
//! size = 32                              # may be left out
//! fields = [{ name = "q", type = "real_T[4]", as = "attitude", port = "attitude" }]
//!
//! [parameters]
//! struct = "quad_P"
//! fields = [{ name = "mass", type = "real_T" }]
//!
//! [[state]]                              # for checkpoints
//! struct = "quad_DW"
//! size = 184
//! ```

use std::path::Path;

use ironbird_document::{Item, Problem, Source, parse};
use ironbird_kernel::Rate;
use ironbird_units::exact;
use serde_json::{Map, Value as Json};

use super::layout::{Field, Struct, size, symbol};
use crate::ports::Declaration;

/// A model as its description says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Description {
    pub initialize: String,
    pub step: String,
    pub terminate: Option<String>,
    pub rate: Rate,
    pub inputs: Option<Struct>,
    pub outputs: Option<Struct>,
    pub parameters: Option<Struct>,
    /// Names and sizes of what else holds state; not known where it cannot be saved.
    pub state: Option<Vec<(String, usize)>>,
}

impl Description {
    /// Reads a file.
    pub fn read(file: &Path) -> Result<Self, Problem> {
        let document = parse(&Source::read(file)?)?;
        let whole = document.table()?;
        let known = [
            "doc",
            "rate",
            "initialize",
            "step",
            "terminate",
            "inputs",
            "outputs",
            "parameters",
            "state",
        ];
        whole.only(&known, "a generated model")?;
        let need = |key: &str| whole.need(key, &document.place);
        let part = |key: &str, ports| whole.get(key).map(|i| Struct::read(i, ports)).transpose();
        let read = Description {
            initialize: symbol(need("initialize")?)?,
            step: symbol(need("step")?)?,
            terminate: whole.get("terminate").map(symbol).transpose()?,
            rate: rate(need("rate")?)?,
            inputs: part("inputs", true)?,
            outputs: part("outputs", true)?,
            parameters: part("parameters", false)?,
            state: whole.get("state").map(state).transpose()?,
        };
        let seen =
            |part: &Option<Struct>| part.as_ref().is_some_and(|p| p.ports().next().is_some());
        if !seen(&read.inputs) && !seen(&read.outputs) {
            let problem = Problem::new("the model has no ports", &document.place, "");
            return Err(problem.help("describe its [inputs] and [outputs]"));
        }
        Ok(read)
    }

    /// What others can link to.
    pub fn declaration(&self) -> Declaration {
        let ports = |of: &Option<Struct>| of.iter().flat_map(Struct::ports).cloned().collect();
        Declaration {
            inputs: ports(&self.inputs),
            outputs: ports(&self.outputs),
            saves: self.state.is_some(),
        }
    }

    /// Writes what a user gave into the bytes of the parameters.
    pub fn put_parameters(
        &self,
        given: &Map<String, Json>,
        bytes: &mut [u8],
    ) -> Result<(), String> {
        for (name, value) in given {
            let Some(parameters) = &self.parameters else {
                return Err(format!(
                    "\"{name}\" cannot be set: the description has no [parameters]"
                ));
            };
            let field = parameters.find(name)?;
            let values = match value {
                Json::Array(values) => values.as_slice(),
                one => std::slice::from_ref(one),
            };
            if values.len() != field.length {
                let (takes, found) = (field.length, values.len());
                return Err(format!("\"{name}\" takes {takes} numbers, not {found}"));
            }
            for (index, value) in values.iter().enumerate() {
                put_parameter(field, index, value, bytes)?;
            }
        }
        Ok(())
    }
}

fn put_parameter(
    field: &Field,
    index: usize,
    value: &Json,
    bytes: &mut [u8],
) -> Result<(), String> {
    let name = &field.name;
    let number = match value {
        Json::Bool(truth) => f64::from(u8::from(*truth)),
        Json::Number(number) => number.as_f64().unwrap_or(f64::NAN),
        other => return Err(format!("\"{name}\" must be a number, not {other}")),
    };
    let bytes = &mut bytes[field.element(index)];
    field.kind.put(number, bytes).map_err(|why| format!("\"{name}\": {why}"))
}

fn rate(item: &Item) -> Result<Rate, Problem> {
    let wrong = |why: String| {
        let problem = Problem::new(format!("rate: {why}"), &item.place, "not a rate");
        problem.help("for example \"1 kHz\"")
    };
    let found = exact::rate(item.text()?).map_err(|error| wrong(error.to_string()))?;
    Rate::new(found.0, found.1).map_err(|error| wrong(error.to_string()))
}

fn state(item: &Item) -> Result<Vec<(String, usize)>, Problem> {
    let one = |(item, table): (&Item, &ironbird_document::Table)| {
        table.only(&["struct", "size"], "a struct of the state")?;
        let name = symbol(table.need("struct", &item.place)?)?;
        Ok((name, size(table.need("size", &item.place)?)?))
    };
    item.tables()?.into_iter().map(one).collect()
}
