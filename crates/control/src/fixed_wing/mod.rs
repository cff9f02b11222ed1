//! The control of a fixed-wing aircraft, in the structure of ArduPilot's published diagrams.
//!
//! ```text
//! mission ─(query)─► control.waypoint-sequencer ─leg─┬─► control.l1 ──────────roll──► control.roll ──► aileron
//!                                                    └─► control.tecs, or ────pitch─► control.pitch ─► elevator
//!                                                        control.speed-and-height ──► throttle
//!                                                                             control.yaw ───► rudder
//! ```
//!
//! All see what an aircraft shows of itself or its sensors do: position, velocity, attitude, angular
//! velocity, specific force, airspeed, height and climb, as far as they need it. Whoever owns the route
//! hands out one leg at a time; the path planner of a mission may stand in the place of the sequencer.
//! Positive deflections: the aileron rolls to starboard, the elevator lowers the nose, the rudder
//! yaws to port.
//!
//! The default gains suit an Ultra Stick 25e (2 kg, 1.27 m span) at 17 m/s. On a rigid body with its
//! linear derivatives, servos of 33 rad/s and a delay of 20 ms (`tests/fixed_wing`):
//!
//! | step | response |
//! |---|---|
//! | roll by 34 degrees | 63 % after 0.46 s, within 5 % after 1.2 s, no overshoot beyond 2.5 % |
//! | pitch by 6 degrees | 63 % after 0.55 s, 90 % after 1.2 s, no overshoot |
//! | height by 10 m | two PIDs: overshoot 0.4 m, airspeed down to 15.7 m/s; total energy: 0.9 m, 16.8 m/s |
//! | airspeed from 17 to 20 m/s | two PIDs: within 0.3 m/s after 4.6 s, height within 0.6 m; total energy: 15 s, 1.2 m |
//! | a square of 300 m | height within 0.5 m, airspeed within 0.2 m/s, 11 m beyond the corners |

mod airspeed_filter;
mod direct_to;
mod energy;
mod flight_loop;
mod l1;
mod level_demand;
mod pitch;
mod rate_loop;
mod reference;
mod roll;
mod route;
mod seen;
mod sequencer;
mod speed_and_height;
mod speed_scaling;
mod tecs;
mod yaw;

pub use direct_to::DirectTo;
pub use flight_loop::{FlightGuidance, FlightLoop, FlightTuning};
pub use l1::L1Guidance;
pub use pitch::PitchController;
pub use roll::RollController;
pub use route::{Passing, Route, RoutePoint};
pub use sequencer::WaypointSequencer;
pub use speed_and_height::SpeedAndHeight;
pub use tecs::Tecs;
pub use yaw::YawController;
