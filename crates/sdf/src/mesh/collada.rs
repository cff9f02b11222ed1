//! COLLADA (1.4, 1.5): geometries, placed by the nodes of the visual scene.
//!
//! A node's transforms apply in their order: p' = T1 T2 … p. The unit of the file becomes metres, and its axes are
//! turned so that z is up: from Y_UP by 90 degrees about x, from X_UP by -90 degrees about y.

use std::collections::BTreeMap;
use std::path::Path;

use nalgebra::{Matrix4, Point3, Unit, Vector3};

use super::collada_geometry::{Shape, shape};
use super::{MAX_TRIANGLES, Mesh, Part, too_many};
use crate::error::SdfError;
use crate::xml::{self, Element};

/// Deepest chain of nodes that bring other nodes.
const MAX_DEPTH: usize = 64;
/// Most nodes, counted as often as they are brought.
const MAX_NODES: usize = 100_000;

pub(super) fn read(file: &Path, bytes: &[u8]) -> Result<Mesh, SdfError> {
    let root = xml::parse(file, bytes)?;
    if root.name != "COLLADA" {
        let what = format!("the outermost element is <{}>", root.name);
        return Err(root.error(what, "a COLLADA file begins with <COLLADA>"));
    }
    let mut scene = Scene {
        file,
        ids: BTreeMap::new(),
        shapes: BTreeMap::new(),
        nodes: 0,
        mesh: Mesh::default(),
    };
    scene.collect_ids(&root);
    let to_world = to_metres_and_z_up(&root)?;
    match visual_scene(&root, &scene.ids) {
        Some(visual) => {
            for node in visual.children_named("node") {
                scene.node(node, &to_world, 0)?;
            }
        }
        None => {
            let libraries = root.children_named("library_geometries");
            for geometry in libraries.flat_map(|library| library.children_named("geometry")) {
                scene.instance(geometry, &[], &to_world)?;
            }
        }
    }
    Ok(scene.mesh)
}

struct Scene<'a> {
    file: &'a Path,
    ids: BTreeMap<&'a str, &'a Element>,
    /// Shapes that have been read, by the place of their geometry in the file.
    shapes: BTreeMap<String, Shape>,
    nodes: usize,
    mesh: Mesh,
}

impl<'a> Scene<'a> {
    fn collect_ids(&mut self, element: &'a Element) {
        if let Some(id) = element.attribute("id") {
            self.ids.entry(id).or_insert(element);
        }
        element.children.iter().for_each(|child| self.collect_ids(child));
    }

    fn node(
        &mut self,
        node: &'a Element,
        outer: &Matrix4<f64>,
        depth: usize,
    ) -> Result<(), SdfError> {
        self.nodes += 1;
        if depth > MAX_DEPTH || self.nodes > MAX_NODES {
            let what = "nodes bring each other without end";
            return Err(node.error(what, "take instance_node away"));
        }
        let mut pose = *outer;
        for child in &node.children {
            pose *= transform(child)?;
        }
        for child in &node.children {
            match child.name.as_str() {
                "node" => self.node(child, &pose, depth + 1)?,
                "instance_node" => {
                    if let Some(brought) = self.brought(child, "node")? {
                        self.node(brought, &pose, depth + 1)?;
                    }
                }
                "instance_geometry" => {
                    if let Some(geometry) = self.brought(child, "geometry")? {
                        self.instance(geometry, &names(node), &pose)?;
                    }
                }
                "instance_controller" => self.controlled(child, node, &pose)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The shape of a skin in its own pose: bones are not moved here.
    fn controlled(
        &mut self,
        instance: &Element,
        node: &Element,
        pose: &Matrix4<f64>,
    ) -> Result<(), SdfError> {
        let Some(controller) = self.brought(instance, "controller")? else { return Ok(()) };
        let Some(skin) = controller.child("skin") else { return Ok(()) };
        let source = skin.attribute("source").unwrap_or("").trim_start_matches('#');
        let Some(geometry) = self.ids.get(source).filter(|found| found.name == "geometry") else {
            return Err(skin.error(format!("there is no geometry {source}"), "export it anew"));
        };
        let bind = skin.child("bind_shape_matrix").map_or(Ok(Matrix4::identity()), matrix)?;
        self.instance(geometry, &names(node), &(pose * bind))
    }

    /// What an instance names; none where it is in another file.
    fn brought(&self, instance: &Element, kind: &str) -> Result<Option<&'a Element>, SdfError> {
        let Some(id) = instance.attribute("url").and_then(|url| url.strip_prefix('#')) else {
            return Ok(None);
        };
        let found = self.ids.get(id).copied().filter(|found| found.name == kind);
        found.map(Some).ok_or_else(|| {
            instance.error(format!("there is no {kind} {id} in the file"), "export it anew")
        })
    }

    fn instance(
        &mut self,
        geometry: &Element,
        names_of_node: &[String],
        pose: &Matrix4<f64>,
    ) -> Result<(), SdfError> {
        let key = format!("{}:{:?}", geometry.place.line, geometry.attribute("id"));
        if !self.shapes.contains_key(&key) {
            let shape = shape(geometry, self.file)?;
            self.shapes.insert(key.clone(), shape);
        }
        let Some(shape) = self.shapes.get(&key) else { return Ok(()) };
        let start = self.mesh.triangles.len();
        let vertices = self.mesh.vertices.len() + shape.vertices.len();
        if start + shape.triangles.len() > MAX_TRIANGLES || vertices > 3 * MAX_TRIANGLES {
            return Err(too_many(self.file));
        }
        let first = self.mesh.vertices.len() as u32;
        for vertex in &shape.vertices {
            let placed = pose.transform_point(&Point3::from(*vertex));
            if placed.iter().any(|x| !x.is_finite()) {
                let what = "a vertex is placed beyond all numbers";
                return Err(geometry.error(what, "check the transforms of the scene"));
            }
            self.mesh.vertices.push(placed);
        }
        let mirrored = pose.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
        self.mesh.triangles.extend(shape.triangles.iter().map(|&[a, b, c]| {
            let [b, c] = if mirrored { [c, b] } else { [b, c] };
            [a + first, b + first, c + first]
        }));
        let mut names = names_of_node.to_vec();
        names.extend(self::names(geometry));
        self.mesh.parts.push(Part { names, triangles: start..self.mesh.triangles.len() });
        Ok(())
    }
}

/// The name and the id of an element.
fn names(element: &Element) -> Vec<String> {
    ["name", "id"].iter().filter_map(|key| element.attribute(key)).map(str::to_owned).collect()
}

fn visual_scene<'a>(root: &'a Element, ids: &BTreeMap<&str, &'a Element>) -> Option<&'a Element> {
    let instance = root.child("scene").and_then(|scene| scene.child("instance_visual_scene"));
    let url = instance.and_then(|instance| instance.attribute("url"));
    let named = url.and_then(|url| ids.get(url.trim_start_matches('#')).copied());
    let first = || root.child("library_visual_scenes")?.child("visual_scene");
    named.filter(|scene| scene.name == "visual_scene").or_else(first)
}

fn to_metres_and_z_up(root: &Element) -> Result<Matrix4<f64>, SdfError> {
    let asset = root.child("asset");
    let unit = asset.and_then(|asset| asset.child("unit"));
    let metres = unit.and_then(|unit| unit.attribute("meter")).map_or(Ok(1.0), |meter| {
        let metres = meter.parse().ok().filter(|m: &f64| m.is_finite() && *m > 0.0);
        metres.ok_or_else(|| {
            root.error(format!("the unit of the file is {meter} m"), "write a number above zero")
        })
    })?;
    let up = asset.and_then(|asset| asset.text_of("up_axis")).unwrap_or("Y_UP");
    let turn = match up {
        "Z_UP" => Matrix4::identity(),
        "X_UP" => Matrix4::new(
            0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0,
        ),
        _ => Matrix4::new(
            1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0,
        ),
    };
    Ok(turn * Matrix4::new_scaling(metres))
}

/// The matrix of one transform of a node; that of nothing for other elements.
fn transform(element: &Element) -> Result<Matrix4<f64>, SdfError> {
    Ok(match element.name.as_str() {
        "matrix" => matrix(element)?,
        "translate" => Matrix4::new_translation(&element.as_vector()?.unwrap_or_default()),
        "scale" => {
            Matrix4::new_nonuniform_scaling(&element.as_vector()?.unwrap_or(Vector3::repeat(1.0)))
        }
        "rotate" => {
            let [x, y, z, degrees] = element.as_numbers::<4>()?.unwrap_or([0.0, 0.0, 1.0, 0.0]);
            let angle = degrees * std::f64::consts::PI / 180.0;
            match Unit::try_new(Vector3::new(x, y, z), 1e-12) {
                Some(axis) => nalgebra::Rotation3::from_axis_angle(&axis, angle).to_homogeneous(),
                None => Matrix4::identity(),
            }
        }
        "lookat" | "skew" => {
            let what = format!("the transform <{}> is not supported", element.name);
            return Err(element.error(what, "export the mesh with <matrix>"));
        }
        _ => Matrix4::identity(),
    })
}

fn matrix(element: &Element) -> Result<Matrix4<f64>, SdfError> {
    let numbers = element.as_numbers::<16>()?;
    Ok(numbers.map_or(Matrix4::identity(), |numbers| Matrix4::from_row_slice(&numbers)))
}
