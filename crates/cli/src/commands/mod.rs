//! One file for each command.

pub mod branch;
pub mod check;
pub mod compare;
pub mod export;
pub mod graph;
pub mod identify;
pub mod new;
pub mod ports;
pub mod replay;
pub mod report;
pub mod run;
pub mod tasks;
pub mod trim;
pub mod types;
pub mod verify;
pub mod view;
