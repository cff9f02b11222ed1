//! Controllers and navigation: from what was measured to what is done, or to where a vehicle is.
//!
//! | type | from | to |
//! |---|---|---|
//! | [`control.thermostat`](Thermostat) | a temperature | heating power, on or off |
//! | [`control.pid`](Pid) | a set point and a measurement, of any unit | a command, of any unit |
//! | [`control.state-feedback`](StateFeedback) | position, angle and their speeds | a force |
//! | [`navigation.function`](navigation::NavigationFunction) | gyroscope, accelerometer, DVL, barometer, compass, GPS | place, velocity, attitude |
//! | [`analysis.position-error`](PositionError) | a true and an estimated place | how wrong it is |
//! | [`guidance.line-of-sight`](autopilot::LineOfSight) | a position and a mission | heading, depth and speed |
//! | [`guidance.pattern`](Pattern) | the time | where to be: a circle, a figure of eight, a line |
//! | [`autopilot.auv`](autopilot::AuvAutopilot) | those, position and attitude | rudder, stern planes, propeller |
//! | [`control.roll`](fixed_wing::RollController) | a demanded roll, attitude, rates, airspeed | ailerons |
//! | [`control.pitch`](fixed_wing::PitchController) | a demanded pitch, attitude, rates, airspeed | elevator |
//! | [`control.yaw`](fixed_wing::YawController) | attitude, rates, specific force, airspeed | rudder |
//! | [`control.l1`](fixed_wing::L1Guidance) | a leg, position, velocity | a demanded roll |
//! | [`control.speed-and-height`](fixed_wing::SpeedAndHeight) | a leg, airspeed, height, climb | a demanded pitch, throttle: two PIDs |
//! | [`control.tecs`](fixed_wing::Tecs) | those, attitude and specific force | the same by total energy |
//! | [`autopilot.direct-to`](fixed_wing::DirectTo) | a leg and all of the above | all surfaces and throttle: straight to the way-point |
//! | [`control.waypoint-sequencer`](fixed_wing::WaypointSequencer) | a mission and a position | its legs |
//! | [`MultirotorPilot`](multirotor::MultirotorPilot), no component | motion, place and heading | commands of a multirotor's motors |
//! | [`lane.detector`](lane_keeping::LaneDetector) | points of a lane | where the vehicle is on it, and how it turns |
//! | [`lane.planner`](lane_keeping::LanePlanner) | those, speed and yaw rate | errors and the curvature ahead |
//! | [`lane.controller`](lane_keeping::LaneController) | those | a steering angle |
//! | [`lane.actuation`](lane_keeping::LaneActuation) | a steering angle | the same within limits of angle and rate |
//! | [`mission.controller`](mission) | events | actions, by a state machine from a file |
//! | [`mission.iterator`](mission::CellIterator) | questions | the cells of a mission, one after the other |
//! | [`mission.path-planner`](mission::PathPlanner) | a cell, position, velocity | the leg to follow |
//! | [`mission.arrival`](mission::ArrivalWatch) | where a vehicle is and where it goes | that it is there |
//! | [`mission.battery-monitor`](mission::BatteryMonitor) | charge, place, wind | that it is low, or does not reach home |
//! | [`mission.detector`](mission::Detector) | where a vehicle is | that it is near something hidden |
//! | [`person.sticks`](person::Sticks) | a person, while the run goes on | set points of vehicles |
//! | [`person.operator`](person::Operator) | what is wanted and seen, of any unit | a stick, as a person would move it |
//! | [`person.instruments`](person::Instruments) | how a vehicle moves | what a person reads of it, one number each |
//! | [`block.…`](blocks) | signals of any unit | signals: gains, sums, integrals, transfer functions, tables |
//!
//! Inner loops ([`InnerLoop`]), which a world runs beside a vehicle as forces:
//!
//! | loop | holds | by |
//! |---|---|---|
//! | [`rover::RoverLoop`] | heading and speed, or goes to a place | wheel speeds, or speed and steering |
//! | [`autopilot::AuvLoop`] | depth, heading and speed | rudder, stern planes, propeller |
//! | [`fixed_wing::FlightLoop`] | roll, pitch and throttle, or height, heading and airspeed | surfaces and throttle |
//! | [`stand_in::KinematicLoop`], [`stand_in::PointMassLoop`] | a place and a heading | velocity; thrust and tilt |
//!
//! All but missions step at their rate, so that a slower computer is a smaller `rate`.

pub mod autopilot;
pub mod blocks;
pub mod fixed_wing;
mod inner_loop;
mod integral;
mod lag;
pub mod lane_keeping;
pub mod mission;
pub mod multirotor;
pub mod navigation;
mod pattern;
pub mod person;
mod pid;
mod position_error;
pub mod rover;
pub mod stand_in;
mod state_feedback;
mod thermostat;
mod track;
mod watchdog;

use ironbird_component::{Registry, RegistryError};

use blocks::BlockType;
pub use inner_loop::{InnerLoop, MOST_LOOP_STATES};
pub use pattern::{Figure, Pattern};
pub use pid::Pid;
pub use position_error::PositionError;
pub use state_feedback::StateFeedback;
pub use thermostat::Thermostat;

/// Adds the types of this crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<Thermostat>()?;
    registry.register::<Pattern>()?;
    registry.register::<StateFeedback>()?;
    registry.register::<navigation::NavigationFunction>()?;
    registry.register::<PositionError>()?;
    registry.register::<autopilot::LineOfSight>()?;
    registry.register::<autopilot::AuvAutopilot>()?;
    registry.register::<fixed_wing::RollController>()?;
    registry.register::<fixed_wing::PitchController>()?;
    registry.register::<fixed_wing::YawController>()?;
    registry.register::<fixed_wing::L1Guidance>()?;
    registry.register::<fixed_wing::WaypointSequencer>()?;
    registry.register::<fixed_wing::SpeedAndHeight>()?;
    registry.register::<fixed_wing::Tecs>()?;
    registry.register::<fixed_wing::DirectTo>()?;
    lane_keeping::register(registry)?;
    mission::register(registry)?;
    person::register(registry)?;
    registry.register_type(Box::new(BlockType::<Pid>::new()))?;
    blocks::register(registry)
}
