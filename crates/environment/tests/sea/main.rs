//! The sea: models against their derivatives, files of others against the readers of others, damaged
//! files against nothing at all.

mod charts;
mod damage;
mod forecasts;
mod models;
mod points;
mod python;
