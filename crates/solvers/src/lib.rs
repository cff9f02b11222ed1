//! Solvers.
mod block; mod dual; mod error; mod events; mod influence; mod method; mod next_time; mod number; mod one_step; mod qss; mod roots; mod series; mod solver; mod trajectory;
pub use block::*; pub use dual::Dual; pub use error::Error; pub use influence::Reads; pub use method::{Method, Settings}; pub use number::Number; pub use series::Series; pub use solver::{Advance, Solver, SolverState, Statistics}; pub use trajectory::Trajectory;
