//! `ironbird tasks guider`: what a simulation must keep to.

use ironbird_tasks::{Timetable, picture, report};

use super::input::Input;
use super::schedule::guider as guider_of;
use crate::commands::compare::write;
use crate::failure::Failure;
use crate::output::{line, print};
use crate::task_arguments::{GuiderArguments, GuiderFormat};

/// Prints or draws the guider.
pub fn guider(arguments: &GuiderArguments) -> Result<u8, Failure> {
    let input = Input::open(&arguments.file, None)?;
    let timetable = Timetable::of(&input.system).map_err(|error| input.explain(error))?;
    let guider = guider_of(&input.system, &timetable)?;
    let name = &input.name;
    let text = match arguments.format {
        GuiderFormat::Mermaid => picture::guider_mermaid(&input.system, &timetable, &guider),
        GuiderFormat::Svg => picture::guider_svg(name, &input.system, &timetable, &guider),
        GuiderFormat::Json => {
            let mut bytes = Vec::new();
            report::guider_json(name, (&input.system, &timetable, &guider), &mut bytes)
                .map_err(|error| Failure::Run(error.to_string()))?;
            String::from_utf8_lossy(&bytes).into_owned()
        }
    };
    match &arguments.out {
        None => print(text),
        Some(file) => {
            write(file, &text)?;
            line(file.display());
        }
    }
    Ok(0)
}
