//! Fixed-wing aircraft: steady flight and modes, conservation, another flight simulator, bad files.

mod bad_files;
mod conservation;
mod flight;
mod jsbsim;
mod modes;
mod solvers;
mod trim;
