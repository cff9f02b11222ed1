//! What water does to links of an articulated body: each link by itself.
//!
//! ```text
//! buoyancy     F = -ρ f V g at the middle of a shape; f goes from 0 to 1 while the shape goes through the surface
//! resistance   (F, M) = -D ν - D_q ν|ν| about the origin of the link, ν its velocity through the water, times f
//! ```
//!
//! as `plant::submersible` has it for one rigid body. Added mass is left out: it would have to be part of the mass of
//! the link, which is the same in all directions.

use ironbird_plant::submersible::Buoyancy;
use ironbird_plant::vehicle::Surroundings;
use nalgebra::{Matrix6, Vector3, Vector6};

use super::actor::{LinkActor, Links, Loads};

/// A shape that water carries.
#[derive(Clone, Debug)]
pub struct Floating {
    /// The link.
    pub link: usize,
    /// Volume, and centre in the frame of the link.
    pub buoyancy: Buoyancy,
}

impl LinkActor for Floating {
    fn last_link(&self) -> usize {
        self.link
    }

    fn act(
        &self,
        links: &Links<'_>,
        _: &[f64],
        _: &[f64],
        around: &Surroundings,
        loads: &mut Loads<'_>,
    ) {
        let motion = &links.motions[self.link];
        let centre = &self.buoyancy.centre;
        let depth = motion.point(centre).z - around.water.surface;
        let displaced = around.water.density * self.buoyancy.volume * self.buoyancy.immersed(depth);
        loads.wrenches[self.link].push(motion.to_link(&around.gravity) * -displaced, centre);
    }
}

/// A link that water resists.
#[derive(Clone, Debug)]
pub struct Resistance {
    /// The link.
    pub link: usize,
    /// The point that the matrices are about, in the frame of the link.
    pub origin: Vector3<f64>,
    /// D.
    pub linear: Matrix6<f64>,
    /// D_q.
    pub quadratic: Matrix6<f64>,
}

impl LinkActor for Resistance {
    fn last_link(&self) -> usize {
        self.link
    }

    fn act(
        &self,
        links: &Links<'_>,
        _: &[f64],
        _: &[f64],
        around: &Surroundings,
        loads: &mut Loads<'_>,
    ) {
        let motion = &links.motions[self.link];
        if motion.point(&self.origin).z <= around.water.surface {
            return;
        }
        let velocity = motion.velocity_of(&self.origin) - motion.to_link(&around.water.current);
        let (v, w) = (&velocity, &motion.velocity.angular);
        let nu = Vector6::new(v.x, v.y, v.z, w.x, w.y, w.z);
        let resisted = -(self.linear * nu + self.quadratic * nu.component_mul(&nu.abs()));
        let load = &mut loads.wrenches[self.link];
        load.push(Vector3::new(resisted[0], resisted[1], resisted[2]), &self.origin);
        load.moment += Vector3::new(resisted[3], resisted[4], resisted[5]);
    }
}
