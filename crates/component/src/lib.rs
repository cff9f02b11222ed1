//! Component types: what a system can be made of, described well enough to be checked, explained and
//! completed by an editor.

mod builtin;
mod compatible;
mod component;
mod component_type;
mod description;
mod interface;
mod parameter;
mod parameter_value;
mod parts;
mod registry;
mod service_type;
mod unit;
mod value_type;

pub use compatible::{Mismatch, compatible};
pub use component::{Component, Made, refuse_unknown};
pub use component_type::{AddError, ComponentType, Instance, InstantiateError, Place};
pub use description::{Description, Kind};
pub use interface::{
    ArgumentDescription, Direction, Interface, PortDescription, QueryDescription, QuerySignature,
    ServiceDescription,
};
pub use parameter::{
    Bound, ParameterDescription, ParameterKind, Range, Refused, Settings, find_leaf,
};
pub use parameter_value::{Choice, Given, ParameterValue, Parameters};
pub use registry::{Registry, RegistryError};
pub use service_type::ServiceType;
pub use unit::{LeafUnits, LeafUnitsError};
pub use value_type::{PartError, ValueType};
