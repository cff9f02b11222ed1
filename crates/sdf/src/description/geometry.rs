//! Shapes.

use std::path::PathBuf;

use nalgebra::{Vector2, Vector3};

use super::Context;
use crate::error::{SdfError, Warning};
use crate::fields::Fields;
use crate::search::{Found, listed};
use crate::xml::Element;

/// A shape, centred on its frame unless said otherwise.
#[derive(Debug, Clone, PartialEq)]
pub enum Geometry {
    /// Nothing.
    Empty,
    /// A box with its edge lengths.
    Box(Vector3<f64>),
    /// A cylinder along z.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Length.
        length: f64,
    },
    /// A cylinder along z with half spheres at its ends.
    Capsule {
        /// Radius.
        radius: f64,
        /// Length of the cylinder alone.
        length: f64,
    },
    /// A cone along z, its tip up.
    Cone {
        /// Radius of the base.
        radius: f64,
        /// Height.
        length: f64,
    },
    /// An ellipsoid with its half axes.
    Ellipsoid(Vector3<f64>),
    /// A sphere with its radius.
    Sphere(f64),
    /// A plane: endless as a collision, a rectangle as a visual.
    Plane {
        /// Unit vector away from the solid side.
        normal: Vector3<f64>,
        /// Edge lengths of the rectangle.
        size: Vector2<f64>,
    },
    /// Triangles from a file.
    Mesh(MeshFile),
    /// A grid of heights.
    Heightmap(Heightmap),
    /// Outlines that are pulled up along z.
    Polylines(Vec<Polyline>),
}

/// A mesh, by file.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshFile {
    /// As written.
    pub uri: String,
    /// Where the file is; none where only a visual lacks it, or where it is on another machine.
    pub path: Option<PathBuf>,
    /// Factors on x, y and z; a negative one mirrors.
    pub scale: Vector3<f64>,
    /// The part of the file that is meant, where not all is.
    pub submesh: Option<String>,
    /// Whether the middle of that part is moved to the origin.
    pub centre_submesh: bool,
}

/// A height map, by file.
#[derive(Debug, Clone, PartialEq)]
pub struct Heightmap {
    /// As written.
    pub uri: String,
    /// Where the file is; none where only a visual lacks it, or where it is on another machine.
    pub path: Option<PathBuf>,
    /// Length, width and height of the whole.
    pub size: Vector3<f64>,
    /// Where its middle is.
    pub position: Vector3<f64>,
}

/// An outline.
#[derive(Debug, Clone, PartialEq)]
pub struct Polyline {
    /// Corners, in order.
    pub points: Vec<Vector2<f64>>,
    /// Height from z = 0 on.
    pub height: f64,
}

/// Whether something else than looks depends on a shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Use {
    Collision,
    Visual,
}

/// The shape in the child `geometry` of an element.
pub(super) fn geometry(
    outer: &mut Fields<'_, '_>,
    context: Context<'_>,
    used: Use,
) -> Result<Geometry, SdfError> {
    let Some(element) = outer.one("geometry") else {
        let message = format!("this {} has no geometry", outer.element.name);
        outer.warn(message);
        return Ok(Geometry::Empty);
    };
    let mut fields = Fields::new(element, outer.warnings());
    let polylines = fields.all("polyline");
    if !polylines.is_empty() {
        fields.finish();
        let outlines = polylines.into_iter().map(|line| polyline(line, outer.warnings()));
        return Ok(Geometry::Polylines(outlines.collect::<Result<_, _>>()?));
    }
    let shape = element.children.iter().find(|child| SHAPES.contains(&child.name.as_str()));
    if let Some(shape) = shape {
        fields.one(&shape.name);
    }
    fields.finish();
    let Some(shape) = shape else { return Ok(Geometry::Empty) };
    let mut fields = Fields::new(shape, outer.warnings());
    let shape = match shape.name.as_str() {
        "box" => Geometry::Box(sizes(&mut fields, "size", Vector3::repeat(1.0))?),
        "cylinder" => Geometry::Cylinder {
            radius: fields.size("radius", 1.0)?,
            length: fields.size("length", 1.0)?,
        },
        "capsule" => Geometry::Capsule {
            radius: fields.size("radius", 0.5)?,
            length: fields.size("length", 1.0)?,
        },
        "cone" => Geometry::Cone {
            radius: fields.size("radius", 0.5)?,
            length: fields.size("length", 1.0)?,
        },
        "ellipsoid" => Geometry::Ellipsoid(sizes(&mut fields, "radii", Vector3::repeat(1.0))?),
        "sphere" => Geometry::Sphere(fields.size("radius", 1.0)?),
        "plane" => {
            let size = fields.one("size").map_or(Ok(None), Element::as_numbers::<2>)?;
            let size = Vector2::from(size.unwrap_or([1.0, 1.0]));
            if size.min() < 0.0 {
                return Err(
                    shape.error("the plane has a negative size", "write numbers above zero")
                );
            }
            Geometry::Plane { normal: fields.direction("normal", Vector3::z())?, size }
        }
        "mesh" => Geometry::Mesh(mesh(&mut fields, context, used)?),
        "heightmap" => Geometry::Heightmap(heightmap(&mut fields, context, used)?),
        _ => Geometry::Empty,
    };
    let flat = match &shape {
        Geometry::Box(size) | Geometry::Ellipsoid(size) => size.min() == 0.0,
        Geometry::Cylinder { radius, length } | Geometry::Cone { radius, length } => {
            *radius == 0.0 || *length == 0.0
        }
        Geometry::Sphere(radius) | Geometry::Capsule { radius, .. } => *radius == 0.0,
        _ => false,
    };
    if flat {
        fields.warn("the shape has no volume");
    }
    fields.finish();
    Ok(shape)
}

const SHAPES: [&str; 10] = [
    "empty",
    "box",
    "cylinder",
    "capsule",
    "cone",
    "ellipsoid",
    "sphere",
    "plane",
    "mesh",
    "heightmap",
];

/// Three numbers of which none is negative.
fn sizes(
    fields: &mut Fields<'_, '_>,
    name: &str,
    default: Vector3<f64>,
) -> Result<Vector3<f64>, SdfError> {
    let sizes = fields.vector(name, default)?;
    if sizes.min() < 0.0 {
        let what = format!("<{name}> has a negative number: {}", sizes.min());
        return Err(fields.element.error(what, "write numbers above zero"));
    }
    Ok(sizes)
}

fn mesh(
    fields: &mut Fields<'_, '_>,
    context: Context<'_>,
    used: Use,
) -> Result<MeshFile, SdfError> {
    // Gazebo can make a mesh convex for contacts; the file is the same.
    fields.ignore(&["convex_decomposition"]);
    let (uri, path) = file(fields, context, used)?;
    let scale = fields.vector("scale", Vector3::repeat(1.0))?;
    if scale.iter().any(|factor| *factor == 0.0) {
        fields.warn("the scale of the mesh makes it flat");
    }
    let submesh = fields.one("submesh");
    let (mut name, mut centre_submesh) = (None, false);
    if let Some(element) = submesh {
        let mut fields = Fields::new(element, fields.warnings());
        name = fields.text("name").map(str::to_owned);
        centre_submesh = fields.flag("center", false)?;
        fields.finish();
    }
    Ok(MeshFile { uri, path, scale, submesh: name, centre_submesh })
}

fn heightmap(
    fields: &mut Fields<'_, '_>,
    context: Context<'_>,
    used: Use,
) -> Result<Heightmap, SdfError> {
    fields.ignore(&["texture", "blend", "use_terrain_paging", "sampling"]);
    let (uri, path) = file(fields, context, used)?;
    let size = sizes(fields, "size", Vector3::repeat(1.0))?;
    Ok(Heightmap { uri, path, size, position: fields.vector("pos", Vector3::zeros())? })
}

/// The URI and the file that it names.
fn file(
    fields: &mut Fields<'_, '_>,
    context: Context<'_>,
    used: Use,
) -> Result<(String, Option<PathBuf>), SdfError> {
    let element = fields.one("uri").filter(|uri| !uri.text.is_empty());
    let element = element.ok_or_else(|| {
        let what = format!("the {} names no file", fields.element.name);
        fields.element.error(what, "write <uri>model://…</uri> in it")
    })?;
    let uri = element.text.clone();
    let found = match context.search.find(&uri, &element.place.file) {
        Found::At(folder) if !context.search.files.is_file(&folder) => Found::Nowhere(vec![folder]),
        found => found,
    };
    let path = match found {
        Found::At(path) => Some(path),
        Found::Remote => {
            let message = format!("{uri} is not on this machine, so it has no effect");
            fields.warn_at(element, message);
            None
        }
        Found::Nowhere(places) if used == Use::Collision => {
            let what = format!("the file {uri} of a collision is not found");
            let help = format!("name its folder; it was looked for at{}", listed(&places));
            return Err(element.error(what, help));
        }
        Found::Nowhere(_) => {
            fields.warn_at(element, format!("{uri} is not found, so it is not shown"));
            None
        }
    };
    Ok((uri, path))
}

fn polyline(element: &Element, warnings: &mut Vec<Warning>) -> Result<Polyline, SdfError> {
    let mut fields = Fields::new(element, warnings);
    let points = fields.all("point").into_iter().map(|point| {
        let numbers = point.as_numbers::<2>()?;
        Ok(Vector2::from(numbers.unwrap_or([0.0, 0.0])))
    });
    let points = points.collect::<Result<Vec<_>, SdfError>>()?;
    if points.len() < 3 {
        return Err(element.error("a polyline has fewer than three points", "add points"));
    }
    let height = fields.size("height", 1.0)?;
    fields.finish();
    Ok(Polyline { points, height })
}
