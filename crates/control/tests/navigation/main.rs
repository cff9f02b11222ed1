//! Navigation: its algorithms on a motion that is known exactly, and the component around them.

mod ideal;
mod noise;
mod realistic;
mod truth;
