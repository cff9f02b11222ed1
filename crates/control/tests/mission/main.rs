//! Missions: state machines, iterators, path plans, and what watches over them.

mod broken;
mod controller;
mod iterator;
mod planner;
mod stub;
mod watchers;
mod whole;
