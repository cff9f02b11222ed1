//! A ground station and a vehicle that answers, and at times does not.

mod missions;
mod orders;
mod replies;
mod several;
mod study;
mod telemetry;
mod vehicle;
