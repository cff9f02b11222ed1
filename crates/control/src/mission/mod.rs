//! Missions of three layers: what to do, how to get there, and when it has happened.
//!
//! ```text
//!              events                     cell                    leg
//!  controller ────────► iterator ───────────────► path-planner ────────► guidance, vehicle
//!   ▲   ▲     ◄────────  has_next? yes_next …       │  ▲   position ◄───────┘ │ trajectories
//!   │   │                                    target │  └── rtl, abort         ▼
//!   │   └───────────────────── arrived ─────────── arrival ◄──────────── north, east
//!   └──────── low, critical ─── battery-monitor ◄──────────────── charge, north, east
//! ```
//!
//! After E. Pecker-Marcosig, S. Zudaire, M. Garrett, S. Uchitel, R. Castro, "Unified DEVS-based platform
//! for modeling and simulation of hybrid control systems", 2020, sections 6 and 7, whose discrete layer
//! comes from S. Zudaire, M. Garrett, S. Uchitel, "Iterator-based temporal logic task planning", ICRA 2020.

mod area;
mod arrival;
mod battery_monitor;
mod controller;
mod detector;
mod dubins;
mod iterator;
mod machine;
mod plan;
mod planner;

use ironbird_component::{Registry, RegistryError};

pub use area::{Cell, Order};
pub use arrival::ArrivalWatch;
pub use battery_monitor::BatteryMonitor;
pub use controller::StateEntered;
pub use detector::Detector;
pub use iterator::CellIterator;
pub use planner::{AbortMode, ArrivalMode, PathPlanner};

/// Adds the types of missions.
pub(crate) fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register_type(Box::new(controller::ControllerType::new()))?;
    registry.register::<CellIterator>()?;
    registry.register::<PathPlanner>()?;
    registry.register::<ArrivalWatch>()?;
    registry.register::<BatteryMonitor>()?;
    registry.register::<Detector>()
}
