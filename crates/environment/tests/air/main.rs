//! The air: the standard atmosphere, and wind.

mod atmosphere;
mod gusts;
mod logs;
mod spectrum;
mod steady;
mod turbulence;
