//! `ironbird types`: lists component types, explains one, or prints the schema for editors.

use ironbird_component::{Registry, help_text, json_schema};

use crate::arguments::TypesArguments;
use crate::failure::Failure;
use crate::output::{line, print};

/// Prints what was asked for.
pub fn types(arguments: &TypesArguments, registry: &Registry) -> Result<u8, Failure> {
    if arguments.schema {
        line(format_args!("{:#}", json_schema(registry)));
        return Ok(0);
    }
    let Some(name) = &arguments.name else {
        list(registry, "");
        return Ok(0);
    };
    match registry.get(name) {
        Ok(found) => print(format_args!("{}", help_text(found.description()))),
        Err(error) => {
            let inside = format!("{name}.");
            let known = registry.iter().any(|t| t.description().name.starts_with(&inside));
            if !known {
                return Err(Failure::input(error.to_string()));
            }
            list(registry, &inside);
        }
    }
    Ok(0)
}

fn list(registry: &Registry, prefix: &str) {
    let types = || registry.iter().map(|t| t.description()).filter(|d| d.name.starts_with(prefix));
    let width = types().map(|description| description.name.len()).max().unwrap_or(0);
    for description in types() {
        line(format_args!("{:width$}  {}", description.name, description.summary()));
    }
}
