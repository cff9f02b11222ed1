//! Meshes of STL, Wavefront OBJ and COLLADA files as vertices and triangles.
//!
//! Only shape is read: normals, textures and materials are not. A file's own readers look at bytes alone, with
//! bounds on what they make of them.

mod collada;
mod collada_geometry;
mod obj;
mod stl;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use nalgebra::{Point3, Vector3};

use crate::description::MeshFile;
use crate::error::SdfError;
use crate::files::Files;

/// Most triangles of one file.
pub const MAX_TRIANGLES: usize = 10_000_000;

/// Triangles over shared vertices.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// Places, m.
    pub vertices: Vec<Point3<f64>>,
    /// Indices of vertices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Parts that have names.
    pub parts: Vec<Part>,
}

/// A part of a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What it is called: the node of a scene, its geometry, or an object.
    pub names: Vec<String>,
    /// Its triangles.
    pub triangles: Range<usize>,
}

/// The mesh of a file's bytes; the ending of its name says the format.
pub fn read(file: &Path, bytes: &[u8]) -> Result<Mesh, SdfError> {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or("");
    let mesh = match ending.to_ascii_lowercase().as_str() {
        "stl" | "stlb" | "stla" => stl::read(file, bytes)?,
        "obj" => obj::read(file, bytes)?,
        "dae" => collada::read(file, bytes)?,
        other => {
            let what = format!("meshes of the format `{other}` are not read");
            return Err(SdfError::of_file(file, what, "convert it to .stl, .obj or .dae"));
        }
    };
    if mesh.triangles.is_empty() {
        return Err(SdfError::of_file(file, "the mesh has no triangles", "export it anew"));
    }
    Ok(mesh)
}

impl MeshFile {
    /// The triangles that this describes: the file, or its part, centred and scaled.
    pub fn load(&self, files: &dyn Files) -> Result<Mesh, SdfError> {
        let Some(path) = &self.path else {
            let what = format!("the mesh {} is not on this machine", self.uri);
            return Err(SdfError::of_file(Path::new(&self.uri), what, "download it"));
        };
        let bytes = files.read(path).map_err(|error| {
            let what = format!("the mesh cannot be read: {error}");
            SdfError::of_file(path, what, "check that it may be read")
        })?;
        let mut mesh = read(path, &bytes)?;
        if let Some(name) = &self.submesh {
            mesh = mesh.part(name).ok_or_else(|| {
                let names: Vec<&str> = mesh
                    .parts
                    .iter()
                    .filter_map(|part| Some(part.names.first()?.as_str()))
                    .collect();
                let what = format!("the mesh has no part {name}");
                SdfError::of_file(path, what, format!("its parts are: {}", names.join(", ")))
            })?;
            if self.centre_submesh {
                mesh.centre();
            }
        }
        mesh.scale(self.scale);
        Ok(mesh)
    }
}

impl Mesh {
    /// The parts of a name as a mesh of their own.
    pub fn part(&self, name: &str) -> Option<Mesh> {
        let mut found = Mesh::default();
        let mut renumbered = BTreeMap::new();
        let parts = self.parts.iter().filter(|part| part.names.iter().any(|own| own == name));
        for part in parts {
            for triangle in &self.triangles[part.triangles.clone()] {
                let triangle = triangle.map(|old| {
                    *renumbered.entry(old).or_insert_with(|| {
                        found.vertices.push(self.vertices[old as usize]);
                        found.vertices.len() as u32 - 1
                    })
                });
                found.triangles.push(triangle);
            }
        }
        (!found.triangles.is_empty()).then_some(found)
    }

    /// Moves the middle of its bounding box to the origin.
    fn centre(&mut self) {
        let Some(first) = self.vertices.first().copied() else { return };
        let corners = self.vertices.iter().fold((first, first), |(low, high), vertex| {
            (low.coords.inf(&vertex.coords).into(), high.coords.sup(&vertex.coords).into())
        });
        let middle = (corners.0.coords + corners.1.coords) * 0.5;
        self.vertices.iter_mut().for_each(|vertex| *vertex -= middle);
    }

    /// Scales; where it mirrors, the triangles are turned over so that outside stays outside.
    fn scale(&mut self, scale: Vector3<f64>) {
        self.vertices.iter_mut().for_each(|vertex| vertex.coords.component_mul_assign(&scale));
        if scale.product() < 0.0 {
            self.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
    }

    /// Adds a polygon as a fan of triangles.
    fn add_polygon(&mut self, corners: &[u32]) {
        let [first, rest @ ..] = corners else { return };
        for edge in rest.windows(2) {
            self.triangles.push([*first, edge[0], edge[1]]);
        }
    }
}

/// Vertices by their bits, so that those at the same place are one.
#[derive(Default)]
struct Welded {
    numbers: BTreeMap<[u64; 3], u32>,
}

impl Welded {
    fn add(&mut self, mesh: &mut Mesh, vertex: [f64; 3]) -> u32 {
        // Minus zero is the same place as zero.
        let key = vertex.map(|x| (x + 0.0).to_bits());
        *self.numbers.entry(key).or_insert_with(|| {
            mesh.vertices.push(vertex.into());
            mesh.vertices.len() as u32 - 1
        })
    }
}

fn too_many(file: &Path) -> SdfError {
    let what = format!("the mesh has more than {MAX_TRIANGLES} triangles");
    SdfError::of_file(file, what, "make it coarser")
}
