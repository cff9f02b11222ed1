//! Articulated bodies in reduced coordinates: links on joints as a tree, with a base that is fixed or floats.
//!
//! ```text
//! TreePlan ── build ──► Tree          links, joints, masses; does not change
//!   links as files                     │
//!   describe them           TreeState  │  base, joint positions and velocities; numbers to save
//!                               │      ▼
//!                               └─► Dynamics ── step, or kick and drift ──► TreeState
//!                                      │  LinkForces: wrenches on links, torques in joints
//!                                      ├─► LinkMotions    place, velocity, acceleration of links and their points
//!                                      └─► MassMatrix     rows and responses for contact
//! ```
//!
//! Mathematics only: this part knows no shapes, no files and no weather. Distances are in m, north, east, down.
//!
//! ```
//! use ironbird_world::joints::{Base, Dynamics, Joint, JointKind, LinkInertia, NoForces, TreePlan, TreeState};
//! use nalgebra::{Isometry3, Vector3};
//!
//! // A pendulum of 1 m that hangs from a fixed point and swings about the east axis.
//! let mut plan = TreePlan::new(Base::Fixed, "ceiling", LinkInertia::massless());
//! let bob = LinkInertia::point(2.0, Vector3::new(0.0, 0.0, 1.0));
//! plan.add(0, "bob", Isometry3::identity(), Joint::new(JointKind::Revolute(Vector3::y())), bob);
//! let tree = plan.build()?;
//!
//! let mut state = TreeState::at_rest(&tree);
//! state.positions[0] = 0.1;
//! let mut dynamics = Dynamics::new(tree);
//! for _ in 0..1000 {
//!     dynamics.step(&mut state, &Vector3::new(0.0, 0.0, 9.81), 1e-3, &mut NoForces);
//! }
//! // One second later, about half a period, it is on the other side.
//! assert!((state.positions[0] + 0.1).abs() < 1e-3);
//! # Ok::<(), ironbird_world::joints::TreeError>(())
//! ```

mod articulated;
mod drive;
mod dynamics;
mod inertia;
mod law;
mod mass_matrix;
mod motion;
mod plan;
mod response;
mod spatial;
mod state;
mod stops;
mod totals;
mod tree;

pub use drive::{SpeedLag, SpeedPid};
pub use dynamics::{Dynamics, LinkForces, NoForces};
pub use inertia::LinkInertia;
pub use law::JointLaw;
pub use mass_matrix::MassMatrix;
pub use motion::{LinkMotion, LinkMotions};
pub use plan::{Joint, JointKind, TreeError, TreePlan};
pub use spatial::SpatialVector;
pub use state::{BASE_NUMBERS, TreeState};
pub use totals::Momentum;
pub use tree::{Attachment, Base, Tree};
