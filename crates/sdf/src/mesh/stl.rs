//! STL, binary (80 bytes of anything, a count, 50 bytes for each triangle: normal, three corners as f32, two bytes of
//! anything) and as text (`facet … vertex x y z …`). Normals are not used: corners say the same.

use std::path::Path;
use std::sync::Arc;

use super::{MAX_TRIANGLES, Mesh, Part, Welded, too_many};
use crate::error::{Place, SdfError};

const HEADER: usize = 84;
const TRIANGLE: usize = 50;

pub(super) fn read(file: &Path, bytes: &[u8]) -> Result<Mesh, SdfError> {
    let count =
        bytes.get(80..HEADER).and_then(|count| count.try_into().ok()).map(u32::from_le_bytes);
    let needed = count.map(|count| HEADER as u64 + TRIANGLE as u64 * u64::from(count));
    let starts_as_text = bytes.trim_ascii_start().starts_with(b"solid");
    match needed {
        // Binary files may begin with `solid`, too; their length tells.
        Some(needed) if needed == bytes.len() as u64 => binary(file, bytes),
        _ if starts_as_text => text(file, bytes),
        Some(needed) if needed < bytes.len() as u64 => binary(file, &bytes[..needed as usize]),
        Some(needed) => {
            let what = format!("the file has {} bytes, but {needed} are announced", bytes.len());
            Err(SdfError::of_file(file, what, "it was cut short: copy or export it anew"))
        }
        None => Err(SdfError::of_file(file, "this is not an STL file", "export it anew")),
    }
}

fn binary(file: &Path, bytes: &[u8]) -> Result<Mesh, SdfError> {
    let records = bytes.get(HEADER..).unwrap_or(&[]).chunks_exact(TRIANGLE);
    if records.len() > MAX_TRIANGLES {
        return Err(too_many(file));
    }
    let (mut mesh, mut welded) = (Mesh::default(), Welded::default());
    for (number, record) in records.enumerate() {
        let mut numbers = record[12..48]
            .chunks_exact(4)
            .map(|bytes| f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])));
        let mut triangle = [0; 3];
        for corner in &mut triangle {
            let vertex = [(); 3].map(|()| numbers.next().unwrap_or(0.0));
            if vertex.iter().any(|x| !x.is_finite()) {
                let what = format!("triangle {number} has a corner that is not a number");
                return Err(SdfError::of_file(file, what, "export the mesh anew"));
            }
            *corner = welded.add(&mut mesh, vertex);
        }
        mesh.triangles.push(triangle);
    }
    Ok(mesh)
}

fn text(file: &Path, bytes: &[u8]) -> Result<Mesh, SdfError> {
    let text = String::from_utf8_lossy(bytes);
    let (mut mesh, mut welded) = (Mesh::default(), Welded::default());
    let mut corners: Vec<u32> = Vec::new();
    let shared: Arc<Path> = file.into();
    let mut part = Part { names: Vec::new(), triangles: 0..0 };
    for (number, line) in text.lines().enumerate() {
        let place = Place { file: shared.clone(), line: number as u32 + 1 };
        let mut words = line.split_whitespace();
        match words.next().map(str::to_ascii_lowercase).as_deref() {
            Some("vertex") => {
                let numbers: Option<Vec<f64>> =
                    words.map(|word| word.parse().ok().filter(|x: &f64| x.is_finite())).collect();
                let vertex = numbers.and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
                let vertex = vertex.ok_or_else(|| {
                    SdfError::new(&place, "a vertex is not three numbers", "export the mesh anew")
                })?;
                corners.push(welded.add(&mut mesh, vertex));
            }
            Some("endloop") => {
                if corners.len() < 3 {
                    let what = format!("a facet has {} corners", corners.len());
                    return Err(SdfError::new(&place, what, "export the mesh anew"));
                }
                mesh.add_polygon(&corners);
                corners.clear();
                if mesh.triangles.len() > MAX_TRIANGLES {
                    return Err(too_many(file));
                }
            }
            Some("solid") => {
                part.names = words.next().into_iter().map(str::to_owned).collect();
                part.triangles = mesh.triangles.len()..mesh.triangles.len();
            }
            Some("endsolid") => {
                part.triangles.end = mesh.triangles.len();
                mesh.parts.push(part.clone());
            }
            _ => {}
        }
    }
    if !corners.is_empty() {
        let what = "the file ends within a facet";
        return Err(SdfError::of_file(file, what, "it was cut short: copy or export it anew"));
    }
    Ok(mesh)
}
