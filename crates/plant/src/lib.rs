//! Things that are controlled: what they do follows from physics and from what drives them.
//!
//! | type | is | states |
//! |---|---|---|
//! | [`plant.room`](Room) | a heated room | temperatures of air and walls, energy |
//! | [`plant.cart-pole`](CartPole) | a pole that stands on a cart | position and angle, and their speeds |
//! | [`plant.aircraft`](aircraft::Aircraft) | a fixed-wing aircraft | place, attitude and their speeds, servos, motor, battery |
//! | [`plant.car`](car::Car) | a car on a level road | place, heading, speeds, steering angle |
//! | [`plant.multirotor`](multirotor) | a vehicle with any number of rotors, from a file | motion, specific force, angles, speeds of the motors |
//! | [`drone.remus-100`](remus::Remus100) | a torpedo-shaped underwater vehicle | place, attitude, and their speeds |
//! | [`actuator.fin`](actuator::Fin), [`actuator.propeller`](actuator::Propeller) | what moves it | deflection, revolutions |
//!
//! The first four are blocks of differential equations; `solver.method` says how they are solved. The
//! others step at their rate.
//!
//! | type | is |
//! |---|---|
//! | [`aircraft.view`](aircraft::AircraftView) | what sensors and controllers see of an aircraft |
//! | [`car.view`](car::CarView) | what sensors and controllers see of a car |
//! | [`mission.waypoints`](Waypoints) | where a drone is to go, from a file |
//! | [`drone.lines-and-arcs`](LinesAndArcs) | a drone on straight lines and arcs through a mission |
//! | [`drone.spline`](Spline) | a drone on a smooth curve through a mission |
//! | [`drone.log`](DroneLog) | a drone that moves as a log says |
//! | [`drone.adapter`](DroneAdapter) | the switch between them, and the truth of the system |
//!
//! Vehicles as forces ([`vehicle::Vehicle`]), which a world integrates:
//!
//! | vehicle | is |
//! |---|---|
//! | [`rover::Rover`] | a rover on wheels, steered by its wheel speeds or by its front wheels |
//! | [`remus::RemusVehicle`] | the REMUS 100 |
//! | [`aircraft::AircraftVehicle`] | a fixed-wing aircraft from a file |
//! | [`submersible::Submersible`] | any body under water with thrusters |
//! | [`fidelity::PointMass`], [`fidelity::KinematicVehicle`] | simpler stand-ins: thrust and drag; a velocity that follows |

pub mod actuator;
mod added_mass;
pub mod aircraft;
pub mod car;
mod cart_pole;
mod drone;
pub mod fidelity;
mod limited_lag;
mod mission;
pub mod multirotor;
mod places;
mod quantities;
pub mod rain;
pub mod remus;
mod room;
pub mod rover;
pub mod submersible;
pub mod vehicle;

use ironbird_component::{Registry, RegistryError};

pub use cart_pole::CartPole;
pub use drone::{DroneAdapter, DroneLog, LinesAndArcs, Source, Spline, Turns};
pub use mission::Waypoints;
pub use room::Room;

/// Adds the types of this crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<Room>()?;
    registry.register::<CartPole>()?;
    registry.register::<aircraft::Aircraft>()?;
    registry.register::<aircraft::AircraftView>()?;
    registry.register::<car::Car>()?;
    registry.register::<car::CarView>()?;
    registry.register::<remus::Remus100>()?;
    registry.register_type(Box::new(multirotor::MultirotorType::new()))?;
    registry.register::<actuator::Fin>()?;
    registry.register::<actuator::Propeller>()?;
    registry.register::<Waypoints>()?;
    registry.register::<LinesAndArcs>()?;
    registry.register::<Spline>()?;
    registry.register::<DroneLog>()?;
    registry.register::<DroneAdapter>()
}
