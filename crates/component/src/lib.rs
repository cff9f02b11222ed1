//! Component types: what a system can be made of, described well enough to be checked, explained and
//! completed by an editor.

extern crate self as ironbird_component;

pub mod block;
mod builtin;
mod compatible;
mod component;
mod component_type;
#[doc(hidden)]
pub mod derive;
mod description;
mod handles;
mod help;
mod interface;
mod json_schema;
mod parameter;
mod parameter_value;
mod parts;
mod registry;
mod service_type;
mod unit;
mod value_type;

pub use block::{Announced, Followed, Held, Shown};
pub use compatible::{Mismatch, compatible};
pub use component::{Answers, Component, Made, refuse_unknown};
pub use component_type::{AddError, ComponentType, Instance, InstantiateError, Place};
pub use description::{Description, Kind};
pub use help::help_text;
pub use interface::{
    ArgumentDescription, Direction, Interface, PortDescription, QueryDescription, QuerySignature,
    ServiceDescription,
};
pub use ironbird_component_macros::{Choice, Component, Parameters};
pub use ironbird_units::Unit;
pub use json_schema::json_schema;
pub use parameter::{
    Bound, ParameterDescription, ParameterKind, Range, Refused, Settings, find_leaf,
};
pub use parameter_value::{Choice, Given, ParameterValue, Parameters};
pub use registry::{COMPONENT_KEYS, Registry, RegistryError};
pub use service_type::ServiceType;
pub use unit::{LeafUnits, LeafUnitsError};
pub use value_type::{PartError, ValueType};
