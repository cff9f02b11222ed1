//! One file for each command.

pub mod check;
pub mod export;
pub mod graph;
pub mod new;
pub mod replay;
pub mod report;
pub mod run;
pub mod types;
pub mod verify;
