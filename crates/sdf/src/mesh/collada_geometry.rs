//! One geometry of a COLLADA file: its places, and its triangles, polygons, strips and fans.

use std::collections::BTreeMap;
use std::path::Path;

use super::{MAX_TRIANGLES, Mesh, too_many};
use crate::error::SdfError;
use crate::xml::Element;

/// A geometry in its own coordinates.
#[derive(Default)]
pub(super) struct Shape {
    pub(super) vertices: Vec<[f64; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
}

/// The shape of a `<geometry>`; empty where it is a spline or the like.
pub(super) fn shape(geometry: &Element, file: &Path) -> Result<Shape, SdfError> {
    let Some(mesh) = geometry.child("mesh") else { return Ok(Shape::default()) };
    let mut reader = Reader { mesh, starts: BTreeMap::new(), shape: Shape::default() };
    for primitive in &mesh.children {
        reader.primitive(primitive)?;
        if reader.shape.triangles.len() > MAX_TRIANGLES {
            return Err(too_many(file));
        }
    }
    Ok(reader.shape)
}

struct Reader<'a> {
    mesh: &'a Element,
    /// Where the places of each `<vertices>` begin and end in the shape.
    starts: BTreeMap<&'a str, (usize, usize)>,
    shape: Shape,
}

impl<'a> Reader<'a> {
    fn primitive(&mut self, primitive: &'a Element) -> Result<(), SdfError> {
        let kind = primitive.name.as_str();
        if !["triangles", "polylist", "polygons", "tristrips", "trifans"].contains(&kind) {
            return Ok(());
        }
        let mut stride = 1;
        let mut vertex = None;
        for input in primitive.children_named("input") {
            let offset = input.attribute("offset").unwrap_or("0").parse::<usize>().ok();
            let offset = offset.filter(|offset| *offset < 64).ok_or_else(|| {
                input.error("the offset of an input is not a small number", "export it anew")
            })?;
            stride = stride.max(offset + 1);
            if input.attribute("semantic") == Some("VERTEX") {
                vertex = Some((offset, input));
            }
        }
        // An exporter writes empty primitives for materials that are not used.
        let lists: Vec<&Element> = primitive
            .children
            .iter()
            .flat_map(|child| if child.name == "ph" { child.child("p") } else { Some(child) })
            .filter(|child| child.name == "p" && !child.text.is_empty())
            .collect();
        if lists.is_empty() {
            return Ok(());
        }
        let (offset, input) = vertex.ok_or_else(|| {
            primitive.error(format!("<{kind}> has no input VERTEX"), "export the mesh anew")
        })?;
        let (start, end) = self.vertices(input)?;
        let corners_of = |list: &Element| -> Result<Vec<u32>, SdfError> {
            let words = list.text.split_ascii_whitespace().skip(offset).step_by(stride);
            let corners = words.map(|word| {
                let index = word.parse::<usize>().ok()?.checked_add(start)?;
                (index < end).then(|| u32::try_from(index).ok())?
            });
            corners.collect::<Option<_>>().ok_or_else(|| {
                let what =
                    format!("<{kind}> names a vertex that is not one of the {}", end - start);
                list.error(what, "export the mesh anew")
            })
        };
        let mut polygons = Mesh::default();
        for list in lists {
            let corners = corners_of(list)?;
            match kind {
                "triangles" => {
                    for corner in corners.chunks_exact(3) {
                        polygons.add_polygon(corner);
                    }
                }
                "polylist" => {
                    let mut rest = corners.as_slice();
                    let counts = primitive.child("vcount").map_or("", |counts| &counts.text);
                    for count in counts.split_ascii_whitespace() {
                        let count =
                            count.parse::<usize>().ok().filter(|count| *count <= rest.len());
                        let count = count.ok_or_else(|| {
                            let what = "<vcount> announces more corners than there are";
                            primitive.error(what, "export the mesh anew")
                        })?;
                        let (polygon, behind) = rest.split_at(count);
                        polygons.add_polygon(polygon);
                        rest = behind;
                    }
                }
                "tristrips" => {
                    for (number, corner) in corners.windows(3).enumerate() {
                        let &[a, b, c] = corner else { continue };
                        // Every second one of a strip turns the other way.
                        let [b, c] = if number % 2 == 0 { [b, c] } else { [c, b] };
                        polygons.add_polygon(&[a, b, c]);
                    }
                }
                // A polygon or a fan.
                _ => polygons.add_polygon(&corners),
            }
        }
        self.shape.triangles.append(&mut polygons.triangles);
        Ok(())
    }

    /// Where the places that an input names are in the shape.
    fn vertices(&mut self, input: &'a Element) -> Result<(usize, usize), SdfError> {
        let named = input.attribute("source").unwrap_or("");
        if let Some(known) = self.starts.get(named) {
            return Ok(*known);
        }
        let vertices = self.by_id(named, "vertices", input)?;
        let position = vertices
            .children_named("input")
            .find(|input| input.attribute("semantic") == Some("POSITION"))
            .ok_or_else(|| vertices.error("<vertices> has no input POSITION", "export it anew"))?;
        let source = self.by_id(position.attribute("source").unwrap_or(""), "source", position)?;
        let array = source.child("float_array").ok_or_else(|| {
            source.error("the source of places has no <float_array>", "export the mesh anew")
        })?;
        let accessor = source.child("technique_common").and_then(|common| common.child("accessor"));
        let stride = accessor.and_then(|accessor| accessor.attribute("stride")?.parse().ok());
        let stride = stride.unwrap_or(3).max(3);
        let start = self.shape.vertices.len();
        let numbers = array.number_list()?;
        let places = numbers.chunks(stride).filter(|place| place.len() >= 3);
        self.shape.vertices.extend(places.map(|place| [place[0], place[1], place[2]]));
        let range = (start, self.shape.vertices.len());
        self.starts.insert(named, range);
        Ok(range)
    }

    fn by_id(&self, id: &str, kind: &'a str, at: &Element) -> Result<&'a Element, SdfError> {
        let id = id.trim_start_matches('#');
        let found = self.mesh.children_named(kind).find(|child| child.attribute("id") == Some(id));
        found.ok_or_else(|| at.error(format!("there is no <{kind}> {id}"), "export the mesh anew"))
    }
}
