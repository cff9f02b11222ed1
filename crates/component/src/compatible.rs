//! Whether two ports may be linked.

use ironbird_kernel::PortKind;

use crate::interface::{PortDescription, ServiceDescription};
use crate::unit::LeafUnits;
use crate::value_type::ValueType;

/// Why two ports cannot be linked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Mismatch {
    #[error("\"{from}\" carries {from_kind}s and \"{to}\" takes {to_kind}s")]
    Kind { from: String, from_kind: PortKind, to: String, to_kind: PortKind },
    #[error("\"{from}\" is {from_type} and \"{to}\" takes {to_type}")]
    Type { from: String, from_type: String, to: String, to_type: String },
    #[error("\"{from}\"{} is in {from_unit} and \"{to}\" takes {to_unit}", inside(.leaf))]
    Unit { from: String, from_unit: String, to: String, to_unit: String, leaf: String },
    #[error("\"{from}\"{} is {from_dimension} and \"{to}\" takes {to_dimension}", inside(.leaf))]
    Dimension {
        from: String,
        from_dimension: String,
        to: String,
        to_dimension: String,
        leaf: String,
    },
    #[error("\"{from}\" is in the frame {from_frame} and \"{to}\" takes the frame {to_frame}")]
    Frame { from: String, from_frame: String, to: String, to_frame: String },
}

fn inside(leaf: &str) -> String {
    if leaf.is_empty() { String::new() } else { format!(" (its part {leaf})") }
}

/// Whether the output `from` may be linked to the input `to`: the same kind, type and units, and the
/// same frame where both name one.
pub fn compatible(from: &PortDescription, to: &PortDescription) -> Result<(), Mismatch> {
    let names = || (from.name.clone(), to.name.clone());
    if from.kind != to.kind {
        let (from_name, to_name) = names();
        let (from_kind, to_kind) = (from.kind, to.kind);
        return Err(Mismatch::Kind { from: from_name, from_kind, to: to_name, to_kind });
    }
    if from.value != to.value {
        let (from_name, to_name) = names();
        let (from_type, to_type) = (from.value.name(), to.value.name());
        return Err(Mismatch::Type { from: from_name, from_type, to: to_name, to_type });
    }
    same_units(from.value, (&from.name, &from.units), (&to.name, &to.units))?;
    match (&from.frame, &to.frame) {
        (Some(from_frame), Some(to_frame)) if from_frame != to_frame => {
            let (from_frame, to_frame) = (from_frame.clone(), to_frame.clone());
            let (from, to) = names();
            Err(Mismatch::Frame { from, from_frame, to, to_frame })
        }
        _ => Ok(()),
    }
}

/// Whether the service `provided` may answer the calls `required`: the same types, and the same units
/// of the argument.
pub fn bindable(
    required: &ServiceDescription,
    provided: &ServiceDescription,
) -> Result<(), Mismatch> {
    if required.service != provided.service {
        return Err(Mismatch::Type {
            from: required.name.clone(),
            from_type: required.service.to_string(),
            to: provided.name.clone(),
            to_type: provided.service.to_string(),
        });
    }
    let argument = required.service.argument();
    same_units(argument, (&required.name, &required.units), (&provided.name, &provided.units))
}

/// Compares the units of two ends that have the same type.
fn same_units(
    value: ValueType,
    (from, from_units): (&str, &LeafUnits),
    (to, to_units): (&str, &LeafUnits),
) -> Result<(), Mismatch> {
    for leaf in value.schema().leaves() {
        let (ours, theirs) = (from_units.of(&leaf.path), to_units.of(&leaf.path));
        if crate::unit::same(&ours, &theirs) {
            continue;
        }
        // The parts of a continuous signal are nothing that its user knows.
        let leaf = if value.is_continuous() { String::new() } else { leaf.path };
        let (from, to) = (from.to_owned(), to.to_owned());
        return Err(if ours.dimension() == theirs.dimension() {
            let (from_unit, to_unit) = (crate::unit::name(&ours), crate::unit::name(&theirs));
            Mismatch::Unit { from, from_unit, to, to_unit, leaf }
        } else {
            let from_dimension = ours.dimension().describe();
            let to_dimension = theirs.dimension().describe();
            Mismatch::Dimension { from, from_dimension, to, to_dimension, leaf }
        });
    }
    Ok(())
}
