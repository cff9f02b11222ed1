//! Fixed-wing aircraft: steady flight and modes, conservation, another flight simulator, bad files.

mod bad_files;
mod conservation;
mod example_files;
mod faults;
mod flight;
mod jsbsim;
mod modes;
mod reference;
mod solvers;
mod trim;
