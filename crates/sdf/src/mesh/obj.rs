//! Wavefront OBJ: `v x y z`, `f a b c …` with numbers from 1 on, or counted back with a minus, each perhaps with
//! `/texture/normal` behind it; `o` and `g` begin parts. Everything else only looks.

use std::path::Path;
use std::sync::Arc;

use super::{MAX_TRIANGLES, Mesh, Part, too_many};
use crate::error::{Place, SdfError};

pub(super) fn read(file: &Path, bytes: &[u8]) -> Result<Mesh, SdfError> {
    let text = String::from_utf8_lossy(bytes);
    let mut mesh = Mesh::default();
    // A line may go on behind a backslash; a blank in its place leaves the numbers of lines as they are.
    let mut pending = String::new();
    let shared: Arc<Path> = file.into();
    for (number, line) in text.lines().enumerate() {
        let place = Place { file: shared.clone(), line: number as u32 + 1 };
        pending.push_str(line.split('#').next().unwrap_or(""));
        if let Some(begun) = pending.trim_end().strip_suffix('\\') {
            pending = format!("{begun} ");
            continue;
        }
        read_line(&std::mem::take(&mut pending), &mut mesh, &place)?;
        if mesh.triangles.len() > MAX_TRIANGLES || mesh.vertices.len() > 3 * MAX_TRIANGLES {
            return Err(too_many(file));
        }
    }
    close_part(&mut mesh);
    mesh.parts.retain(|part| !part.triangles.is_empty());
    Ok(mesh)
}

fn read_line(line: &str, mesh: &mut Mesh, place: &Place) -> Result<(), SdfError> {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("v") => {
            // Behind the place there may be a weight or a colour.
            let numbers =
                words.take(3).map(|word| word.parse().ok().filter(|x: &f64| x.is_finite()));
            let numbers: Option<Vec<f64>> = numbers.collect();
            let vertex = numbers.and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
            let vertex = vertex.ok_or_else(|| {
                SdfError::new(place, "a vertex is not three numbers", "export the mesh anew")
            })?;
            mesh.vertices.push(vertex.into());
        }
        Some("f") => {
            let count = mesh.vertices.len();
            let corners = words.map(|word| corner(word, count)).collect::<Option<Vec<u32>>>();
            match corners {
                Some(corners) if corners.len() >= 3 => mesh.add_polygon(&corners),
                _ => {
                    let what = format!("a face is not three or more of the {count} vertices");
                    return Err(SdfError::new(place, what, "export the mesh anew"));
                }
            }
        }
        Some("o" | "g") => {
            close_part(mesh);
            let at = mesh.triangles.len();
            mesh.parts.push(Part { names: words.map(str::to_owned).collect(), triangles: at..at });
        }
        _ => {}
    }
    Ok(())
}

fn close_part(mesh: &mut Mesh) {
    let end = mesh.triangles.len();
    if let Some(last) = mesh.parts.last_mut() {
        last.triangles.end = end;
    }
}

fn corner(word: &str, count: usize) -> Option<u32> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    let count = i64::try_from(count).ok()?;
    let index = if number < 0 { count.checked_add(number)? } else { number - 1 };
    (0..count).contains(&index).then(|| u32::try_from(index).ok())?
}
