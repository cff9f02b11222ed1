//! Navigation: its algorithms on a motion that is known exactly, and the component around them.

mod component;
mod ideal;
mod measurements;
mod noise;
mod realistic;
mod truth;
