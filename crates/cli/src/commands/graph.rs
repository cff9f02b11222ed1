//! `ironbird graph`: draws the system of an experiment.

use ironbird_component::Registry;
use ironbird_experiment::picture;

use crate::arguments::{Drawing, GraphArguments};
use crate::failure::Failure;
use crate::output::{line, print};
use crate::target::Target;

/// Draws it as a picture or as Mermaid text.
pub fn graph(arguments: &GraphArguments, registry: &Registry) -> Result<u8, Failure> {
    let target = Target::open(&arguments.experiment, registry)?;
    let drawn = match arguments.format {
        Drawing::Svg => picture::svg(&target.experiment),
        Drawing::Mermaid => picture::mermaid(&target.experiment),
    };
    match &arguments.out {
        None => print(format_args!("{drawn}")),
        Some(path) => {
            let shown = path.display();
            std::fs::write(path, drawn)
                .map_err(|error| Failure::Run(format!("cannot write {shown}: {error}")))?;
            line(format_args!("{shown}"));
        }
    }
    Ok(0)
}
