//! Shapes.

use nalgebra::{Isometry3, Vector3};
use parry3d_f64::shape::{SharedShape, TriMeshFlags};
use parry3d_f64::utils::Array2;

use super::convert::{from_parry, to_parry, y_to_z};

/// A shape about its own centre. Lengths in m; axes of cylinders, capsules and cones are z.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Form {
    Sphere {
        radius: f64,
    },
    Box {
        half: Vector3<f64>,
    },
    Cylinder {
        radius: f64,
        half_length: f64,
    },
    Capsule {
        radius: f64,
        half_length: f64,
    },
    Cone {
        radius: f64,
        half_length: f64,
    },
    Ellipsoid {
        radii: Vector3<f64>,
    },
    /// All that lies on the side of its own +z: solid ground, as z points down.
    HalfSpace,
    /// The hull around points.
    Hull {
        points: Vec<Vector3<f64>>,
    },
    /// Triangles; for what does not move.
    Mesh {
        points: Vec<Vector3<f64>>,
        triangles: Vec<[u32; 3]>,
    },
    /// Heights over a rectangle; for what does not move.
    HeightField(Heights),
}

/// Heights over a rectangle about the origin: rows go along x, columns along y.
#[derive(Clone, Debug, PartialEq)]
pub struct Heights {
    /// How many rows.
    pub rows: usize,
    /// How many columns.
    pub columns: usize,
    /// Size along x and y in m.
    pub size: [f64; 2],
    /// Coordinates z in m, row by row.
    pub z: Vec<f64>,
}

/// Why there can be no such shape.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum FormError {
    #[error("a {what} of {value} m is not possible: it must be larger than zero and finite")]
    Size { what: &'static str, value: f64 },
    #[error("{found} points do not enclose anything: four that are not in one plane are needed")]
    Flat { found: usize },
    #[error("the mesh cannot be used: {0}")]
    Mesh(String),
    #[error("a height field of {rows} by {columns} needs as many heights, not {found}")]
    Heights { rows: usize, columns: usize, found: usize },
    #[error("a coordinate is not finite")]
    NotFinite,
}

/// Directions in which an ellipsoid is sampled: its hull has these corners.
const RINGS: usize = 8;

impl Form {
    /// The shape of the collision library, and how it is turned against ours.
    pub(crate) fn build(&self) -> Result<(SharedShape, Isometry3<f64>), FormError> {
        let straight = Isometry3::identity();
        let upright = Isometry3::from_parts(Default::default(), y_to_z());
        Ok(match self {
            Form::Sphere { radius } => (SharedShape::ball(positive("radius", *radius)?), straight),
            Form::Box { half } => {
                for &length in half {
                    positive("length of an edge", 2.0 * length)?;
                }
                (SharedShape::cuboid(half.x, half.y, half.z), straight)
            }
            Form::Cylinder { radius, half_length } => {
                sizes(*radius, *half_length)?;
                (SharedShape::cylinder(*half_length, *radius), upright)
            }
            Form::Capsule { radius, half_length } => {
                positive("radius", *radius)?;
                if *half_length == 0.0 {
                    return Form::Sphere { radius: *radius }.build();
                }
                positive("length", *half_length)?;
                (SharedShape::capsule_z(*half_length, *radius), straight)
            }
            Form::Cone { radius, half_length } => {
                sizes(*radius, *half_length)?;
                (SharedShape::cone(*half_length, *radius), upright)
            }
            Form::Ellipsoid { radii } => {
                for &radius in radii {
                    positive("radius", radius)?;
                }
                (hull(&ellipsoid_corners(radii))?, straight)
            }
            Form::HalfSpace => (SharedShape::halfspace(to_parry(&-Vector3::z())), straight),
            Form::Hull { points } => (hull(points)?, straight),
            Form::Mesh { points, triangles } => {
                finite(points)?;
                let vertices = points.iter().map(to_parry).collect();
                let flags = TriMeshFlags::FIX_INTERNAL_EDGES;
                let mesh = SharedShape::trimesh_with_flags(vertices, triangles.clone(), flags)
                    .map_err(|error| FormError::Mesh(error.to_string()))?;
                (mesh, straight)
            }
            Form::HeightField(heights) => (height_field(heights)?, upright),
        })
    }

    /// Points on which it can stand: corners, as far as it has some. Empty for spheres, cylinders and capsules,
    /// which touch a plane anywhere.
    pub(crate) fn corners(&self) -> Vec<Vector3<f64>> {
        match self {
            Form::Box { half } => (0..8)
                .map(|corner: u32| {
                    let sign = |bit: u32| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
                    half.component_mul(&Vector3::new(sign(0), sign(1), sign(2)))
                })
                .collect(),
            Form::Ellipsoid { radii } => ellipsoid_corners(radii),
            Form::Hull { points } => hull_corners(points),
            Form::Cone { radius, half_length } => {
                let mut corners = vec![Vector3::new(0.0, 0.0, *half_length)];
                corners.extend((0..2 * RINGS).map(|n| {
                    let (sine, cosine) = turn(n, 2 * RINGS);
                    Vector3::new(radius * cosine, radius * sine, -half_length)
                }));
                corners
            }
            Form::Mesh { points, .. } => hull_corners(points),
            _ => Vec::new(),
        }
    }

    /// Half of its least thickness in m, or less. A mesh or a height field has none, only the shapes that meet it have.
    pub(crate) fn thin(&self, shape: &SharedShape) -> f64 {
        match self {
            Form::Sphere { radius } | Form::Capsule { radius, .. } => *radius,
            Form::Box { half } => half.min(),
            Form::Cylinder { radius, half_length } => radius.min(*half_length),
            // The ball in it.
            Form::Cone { radius, half_length } => 0.4 * radius.min(*half_length),
            Form::Ellipsoid { .. } | Form::Hull { .. } => hull_thin(shape),
            Form::HalfSpace | Form::Mesh { .. } | Form::HeightField(_) => f64::INFINITY,
        }
    }

    /// Whether it is for what does not move only.
    pub fn is_ground_only(&self) -> bool {
        matches!(self, Form::HalfSpace | Form::HeightField(_))
    }
}

fn turn(part: usize, of: usize) -> (f64, f64) {
    libm::sincos(std::f64::consts::TAU * part as f64 / of as f64)
}

fn ellipsoid_corners(radii: &Vector3<f64>) -> Vec<Vector3<f64>> {
    let mut corners = vec![Vector3::new(0.0, 0.0, radii.z), Vector3::new(0.0, 0.0, -radii.z)];
    for ring in 1..RINGS {
        let (sine, cosine) = turn(ring, 2 * RINGS);
        for n in 0..2 * RINGS {
            let (s, c) = turn(n, 2 * RINGS);
            corners.push(radii.component_mul(&Vector3::new(sine * c, sine * s, cosine)));
        }
    }
    corners
}

fn hull(points: &[Vector3<f64>]) -> Result<SharedShape, FormError> {
    finite(points)?;
    let found = points.len();
    let points: Vec<_> = points.iter().map(to_parry).collect();
    // The library panics where all points are one.
    let spread = points.iter().any(|p| (*p - points[0]).length() > 1e-9);
    let hull = if found >= 4 && spread { SharedShape::convex_hull(&points) } else { None };
    hull.ok_or(FormError::Flat { found })
}

/// The radius of the ball about the middle of a hull's corners that fits in it.
fn hull_thin(shape: &SharedShape) -> f64 {
    let Some(hull) = shape.as_convex_polyhedron() else { return 0.0 };
    let points = hull.points();
    let sum = points.iter().fold(Vector3::zeros(), |sum, point| sum + from_parry(*point));
    let middle = sum / points.len() as f64;
    let depths = hull.faces().iter().map(|face| {
        let corner = hull.vertices_adj_to_face()[face.first_vertex_or_edge as usize];
        from_parry(face.normal).dot(&(from_parry(points[corner as usize]) - middle))
    });
    depths.fold(f64::INFINITY, f64::min).max(0.0)
}

fn hull_corners(points: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
    match hull(points) {
        Ok(shape) => match shape.as_convex_polyhedron() {
            Some(polyhedron) => polyhedron.points().iter().map(|p| from_parry(*p)).collect(),
            None => points.to_vec(),
        },
        Err(_) => points.to_vec(),
    }
}

/// The library's height fields lie in x and z, with y up: rows along z, columns along x. Turned by a quarter about x,
/// its z is our -y, and its y our z.
fn height_field(heights: &Heights) -> Result<SharedShape, FormError> {
    let Heights { rows, columns, size, z } = heights;
    positive("length of a height field", size[0])?;
    positive("width of a height field", size[1])?;
    if *rows < 2 || *columns < 2 || z.len() != rows * columns {
        return Err(FormError::Heights { rows: *rows, columns: *columns, found: z.len() });
    }
    if z.iter().any(|z| !z.is_finite()) {
        return Err(FormError::NotFinite);
    }
    // Column-major: element (i, j) is at z number i, x number j; our y falls while the library's z grows.
    let data = (0..*rows)
        .flat_map(|row| (0..*columns).map(move |column| z[row * columns + (columns - 1 - column)]));
    let matrix = Array2::new(*columns, *rows, data.collect());
    let scale = Vector3::new(size[0], 1.0, size[1]);
    Ok(SharedShape::heightfield(matrix, to_parry(&scale)))
}

fn positive(what: &'static str, value: f64) -> Result<f64, FormError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(FormError::Size { what, value }) }
}

fn sizes(radius: f64, half_length: f64) -> Result<(), FormError> {
    positive("radius", radius)?;
    positive("length", half_length)?;
    Ok(())
}

fn finite(points: &[Vector3<f64>]) -> Result<(), FormError> {
    let all = points.iter().all(|point| point.iter().all(|c| c.is_finite()));
    if all { Ok(()) } else { Err(FormError::NotFinite) }
}
