//! `[[ground]]` and `[[vehicle.shape]]`: shapes with a place and a surface.

use std::path::Path;

use ironbird_document::{Item, Problem, Table};
use nalgebra::Vector3;

use super::quantities::{number_within, plain_within, pose, vector};
use crate::geometry::{Collider, Form, Heights, Surface};

#[derive(Clone, Copy)]
enum Word {
    Plane,
    Box,
    Sphere,
    Cylinder,
    Capsule,
    Mesh,
    Heights,
}

const WORDS: [(&str, Word); 7] = [
    ("plane", Word::Plane),
    ("box", Word::Box),
    ("sphere", Word::Sphere),
    ("cylinder", Word::Cylinder),
    ("capsule", Word::Capsule),
    ("mesh", Word::Mesh),
    ("heights", Word::Heights),
];

const KEYS: [&str; 11] = [
    "shape",
    "place",
    "attitude",
    "friction",
    "restitution",
    "size",
    "radius",
    "length",
    "file",
    "scale",
    "name",
];

/// One shape.
pub fn read(item: &Item, table: &Table, folder: &Path) -> Result<Collider, Problem> {
    table.only(&KEYS, "a shape")?;
    let word = table.need("shape", &item.place)?.one_of("a shape", &WORDS)?;
    let size = |key: &str| number_within(table.need(key, &item.place)?, "m", 1e-6, 1e6);
    let form = match word {
        Word::Plane => Form::HalfSpace,
        Word::Box => Form::Box { half: 0.5 * vector(table.need("size", &item.place)?, "m")? },
        Word::Sphere => Form::Sphere { radius: size("radius")? },
        Word::Cylinder => {
            Form::Cylinder { radius: size("radius")?, half_length: 0.5 * size("length")? }
        }
        Word::Capsule => {
            Form::Capsule { radius: size("radius")?, half_length: 0.5 * size("length")? }
        }
        Word::Mesh => mesh(item, table, folder)?,
        Word::Heights => heights(item, table, folder)?,
    };
    let surface = surface(table, Surface::default())?;
    Collider::new(form, pose(table)?, surface)
        .map_err(|error| Problem::new(error.to_string(), &item.place, "this shape"))
}

/// `friction` and `restitution`.
pub fn surface(table: &Table, usual: Surface) -> Result<Surface, Problem> {
    let read = |key: &str, usual: f64, high: f64| {
        table.get(key).map_or(Ok(usual), |item| plain_within(item, 0.0, high))
    };
    Ok(Surface {
        friction: read("friction", usual.friction, 1e6)?,
        restitution: read("restitution", usual.restitution, 1.0)?,
    })
}

/// A mesh file; its y points to port and its z up, as such files have it.
fn mesh(item: &Item, table: &Table, folder: &Path) -> Result<Form, Problem> {
    let named = table.need("file", &item.place)?;
    let path = folder.join(named.text()?);
    let scale = table.get("scale").map_or(Ok(1.0), |item| plain_within(item, 1e-9, 1e9))?;
    let bytes = ironbird_files::read(&path, ironbird_files::LARGEST_DATA).map_err(|error| {
        let text = format!("\"{}\" cannot be read: {error}", path.display());
        Problem::new(text, &named.place, "this file")
    })?;
    let mesh = ironbird_sdf::mesh::read(&path, &bytes)
        .map_err(|error| Problem::new(error.to_string(), &named.place, "this file"))?;
    let points = mesh.vertices.iter().map(|p| Vector3::new(p.x, -p.y, -p.z) * scale).collect();
    Ok(Form::Mesh { points, triangles: mesh.triangles })
}

/// A CSV file of heights in m: a line goes from west to east, the first line is the northernmost.
fn heights(item: &Item, table: &Table, folder: &Path) -> Result<Form, Problem> {
    let named = table.need("file", &item.place)?;
    let wrong = |why: String| Problem::new(why, &named.place, "this file");
    let path = folder.join(named.text()?);
    let text = ironbird_files::read_text(&path, ironbird_files::LARGEST_DATA)
        .map_err(|error| wrong(format!("\"{}\" cannot be read: {error}", path.display())))?;
    let size = vector_of_two(table.need("size", &item.place)?)?;
    let mut lines: Vec<Vec<f64>> = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let cells = line.split(',').map(|cell| {
            let cell = cell.trim();
            cell.parse::<f64>()
                .ok()
                .filter(|height| height.is_finite())
                .ok_or_else(|| wrong(format!("line {}: \"{cell}\" is no height in m", number + 1)))
        });
        let cells = cells.collect::<Result<Vec<f64>, Problem>>()?;
        if lines.first().is_some_and(|first| first.len() != cells.len()) {
            let (found, first) = (cells.len(), lines[0].len());
            return Err(wrong(format!("line {}: {found} heights instead of {first}", number + 1)));
        }
        lines.push(cells);
    }
    let (rows, columns) = (lines.len(), lines.first().map_or(0, Vec::len));
    // Rows go along x, from south to north; z points down.
    let z = lines.iter().rev().flatten().map(|height| -height).collect();
    Ok(Form::HeightField(Heights { rows, columns, size, z }))
}

fn vector_of_two(item: &Item) -> Result<[f64; 2], Problem> {
    let [north, east] = item.items()? else {
        let text = "the size of a height field is [north, east]";
        return Err(Problem::new(text, &item.place, "two lengths"));
    };
    Ok([north.quantity("m")?, east.quantity("m")?])
}
