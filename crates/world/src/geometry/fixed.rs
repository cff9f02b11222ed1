//! Everything that does not move: the ground, buildings, trees.

use nalgebra::{Isometry3, Vector3};
use parry3d_f64::bounding_volume::{Aabb, BoundingVolume};
use parry3d_f64::math::Pose;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};
use parry3d_f64::query::{Ray, RayIntersection};

use super::collider::Collider;
use super::convert::{from_parry, to_parry};
use super::form::Form;

/// What is no plane is seen as ground from this height at most, in m.
pub(crate) const DEEPEST: f64 = 20.0;

/// The ground and all that stands on it.
#[derive(Default)]
pub struct Fixed {
    /// Planes, which reach everywhere.
    planes: Vec<Collider>,
    /// The same in numbers.
    levels: Vec<Level>,
    others: Vec<Collider>,
    /// Over `others`.
    tree: Bvh,
    /// A box around all of `others`.
    bounds: Option<Aabb>,
}

/// A plane in numbers.
#[derive(Clone, Copy)]
struct Level {
    /// Away from the solid: north, east, down.
    normal: Vector3<f64>,
    /// From the origin along the normal, in m.
    distance: f64,
    /// How far it is straight below a point, over how far it is along the normal.
    slant: f64,
}

/// What lies below a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// How far below, in m; infinite where nothing does.
    pub height: f64,
    /// Away from the ground: north, east, down.
    pub normal: Vector3<f64>,
}

impl Default for Ground {
    fn default() -> Self {
        Ground { height: f64::INFINITY, normal: -Vector3::z() }
    }
}

/// Where a ray ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// How far away, in m.
    pub distance: f64,
    /// Away from what was hit: north, east, down.
    pub normal: Vector3<f64>,
}

impl Fixed {
    /// The ground made of these.
    pub fn new(colliders: Vec<Collider>) -> Self {
        let (planes, others): (Vec<_>, Vec<_>) =
            colliders.into_iter().partition(|collider| collider.form == Form::HalfSpace);
        let here = Isometry3::identity();
        let boxes: Vec<Aabb> =
            others.iter().map(|part| part.shape.compute_aabb(&part.placed(&here))).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let levels = planes.iter().map(|plane| {
            let normal = -(plane.pose.rotation * Vector3::z());
            let distance = normal.dot(&plane.pose.translation.vector);
            Level { normal, distance, slant: 1.0 / -normal.z }
        });
        let bounds = boxes.iter().copied().reduce(|a, b| a.merged(&b));
        Fixed { levels: levels.collect(), planes, others, tree, bounds }
    }

    /// The planes.
    pub fn planes(&self) -> &[Collider] {
        &self.planes
    }

    /// What is no plane.
    pub fn others(&self) -> &[Collider] {
        &self.others
    }

    /// The numbers of those of [`Fixed::others`] that lie in a box, in order.
    pub(crate) fn near(&self, lower: &Vector3<f64>, upper: &Vector3<f64>, into: &mut Vec<u32>) {
        into.clear();
        let around = Aabb::new(to_parry(lower), to_parry(upper));
        // Most bodies are far from all of it.
        if !self.bounds.is_some_and(|bounds| bounds.intersects(&around)) {
            return;
        }
        into.extend(self.tree.intersect_aabb(&around));
        into.sort_unstable();
    }

    /// How far a plane is from a point along its normal, at least, over all planes.
    #[inline]
    pub(crate) fn clearance_of_planes(&self, point: &Vector3<f64>) -> f64 {
        let mut least = f64::INFINITY;
        for Level { normal, distance, .. } in &self.levels {
            least = least.min(normal.dot(point) - distance);
        }
        least
    }

    /// What lies straight below a point: planes, and those others that are named, within [`DEEPEST`].
    #[inline]
    pub(crate) fn below(&self, point: &Vector3<f64>, others: &[u32]) -> Ground {
        let mut ground = Ground::default();
        for &Level { normal, distance, slant } in &self.levels {
            // Upright walls are no ground.
            if normal.z < -0.05 {
                let height = (normal.dot(point) - distance) * slant;
                if height < ground.height {
                    ground = Ground { height, normal };
                }
            }
        }
        if others.is_empty() {
            return ground;
        }
        self.below_among(point, others, ground)
    }

    /// The same, where what is no plane may be nearer than `ground`.
    #[inline(never)]
    fn below_among(&self, point: &Vector3<f64>, others: &[u32], mut ground: Ground) -> Ground {
        for &number in others {
            let part = &self.others[number as usize];
            let pose = part.placed(&Isometry3::identity());
            let most = ground.height.min(DEEPEST);
            if let Some(hit) = meet(part, &pose, point, &Vector3::z(), most, false) {
                let normal = from_parry(hit.normal);
                let normal = if normal.z > 0.0 { -normal } else { normal };
                if hit.time_of_impact < ground.height {
                    ground = Ground { height: hit.time_of_impact, normal };
                }
            }
        }
        ground
    }

    /// Where a ray from `origin` along `way` (length one) ends, within `most` metres.
    pub fn cast(&self, origin: &Vector3<f64>, way: &Vector3<f64>, most: f64) -> Option<Hit> {
        let ray = Ray::new(to_parry(origin), to_parry(way));
        let here = Isometry3::identity();
        let mut best: Option<Hit> = None;
        for &Level { normal, distance, .. } in &self.levels {
            let (over, sinking) = (normal.dot(origin) - distance, -normal.dot(way));
            let distance = over / sinking;
            let nearest = best.map_or(most, |hit| hit.distance);
            if over >= 0.0 && sinking > 0.0 && distance <= nearest {
                best = Some(Hit { distance, normal });
            }
        }
        if !self.others.is_empty() {
            let nearest = best.map_or(most, |hit| hit.distance);
            let cast = |number: u32, within: f64| {
                let part = &self.others[number as usize];
                meet(part, &part.placed(&here), origin, way, within, true)
                    .map(|hit| hit.time_of_impact)
            };
            if let Some((number, distance)) = self.tree.cast_ray(&ray, nearest, cast) {
                let part = &self.others[number as usize];
                let found = meet(part, &part.placed(&here), origin, way, most, true);
                let normal = found.map_or(-way, |hit| from_parry(hit.normal));
                best = Some(Hit { distance, normal });
            }
        }
        best
    }
}

/// Aside by this much, in m, a ray that hit the edge between two triangles hits one of them.
const ASIDE: f64 = 1e-7;

/// Where a ray meets a shape. One that hits an edge of a height field exactly may pass between its triangles: it is cast
/// again beside it.
fn meet(
    part: &Collider,
    pose: &Pose,
    origin: &Vector3<f64>,
    way: &Vector3<f64>,
    most: f64,
    solid: bool,
) -> Option<RayIntersection> {
    let cast = |origin: &Vector3<f64>| {
        let ray = Ray::new(to_parry(origin), to_parry(way));
        part.shape.cast_ray_and_get_normal(pose, &ray, most, solid)
    };
    cast(origin).or_else(|| match part.form {
        Form::HeightField(_) => {
            let beside = Vector3::new(ASIDE, 0.7 * ASIDE, 0.3 * ASIDE);
            cast(&(origin + beside)).or_else(|| cast(&(origin - beside)))
        }
        _ => None,
    })
}
