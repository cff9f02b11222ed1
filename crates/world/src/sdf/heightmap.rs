//! Height maps from pictures.
//!
//! The picture lies over the rectangle of its size with its top to the north (+y of the file) and its left to the west
//! (-x). Black is at the lowest height, the brightest of its points `size.z` above that, as in Gazebo. PNG pictures are
//! read, of 8 or 16 bits a channel; of several channels the first counts. A height map of another format is level, and
//! says so.

use std::io::Cursor;
use std::path::Path;

use ironbird_sdf::{Heightmap, Place, SdfError};
use nalgebra::{Isometry3, Vector3};
use png::{BitDepth, ColorType, Decoder, Transformations};

use super::notes::Notes;
use crate::geometry::{Form, Heights};

/// A picture as numbers from 0 on, row by row from its top.
struct Picture {
    width: usize,
    height: usize,
    values: Vec<u16>,
}

/// The ground that a height map stands for, and its place in the axes of the file.
pub(super) fn read(
    map: &Heightmap,
    place: &Place,
    notes: &mut Notes,
) -> Result<Option<(Form, Isometry3<f64>)>, SdfError> {
    if map.size.x <= 0.0 || map.size.y <= 0.0 {
        notes.add(place, format!("the height map {} has no area; it touches nothing", map.uri));
        return Ok(None);
    }
    let ending = map.path.as_deref().and_then(Path::extension).and_then(|ending| ending.to_str());
    let picture = match (&map.path, ending.map(str::to_ascii_lowercase).as_deref()) {
        (Some(path), Some("png")) => decode(path)?,
        _ => {
            let text =
                format!("the heights of {} are not read, only those of PNG; it is level", map.uri);
            notes.add(place, text);
            Picture { width: 2, height: 2, values: vec![0; 4] }
        }
    };
    let Picture { width, height, values } = &picture;
    let brightest = values.iter().copied().max().unwrap_or(0).max(1);
    let scale = map.size.z / f64::from(brightest);
    // Ours goes along x, then from north to south, with z down: turned by a half turn about x.
    let down = |column: usize, row: usize| -scale * f64::from(values[row * width + column]);
    let z = (0..*width).flat_map(|column| (0..*height).map(move |row| down(column, row)));
    let heights =
        Heights { rows: *width, columns: *height, size: [map.size.x, map.size.y], z: z.collect() };
    let turn = Isometry3::rotation(Vector3::x() * std::f64::consts::PI);
    let middle = Isometry3::from_parts(map.position.into(), turn.rotation);
    Ok(Some((Form::HeightField(heights), middle)))
}

fn decode(path: &Path) -> Result<Picture, SdfError> {
    let wrong = |error: &dyn std::fmt::Display| {
        let what = format!("the picture cannot be read: {error}");
        SdfError::of_file(path, what, "save it as a PNG picture of 8 or 16 bits")
    };
    let bytes =
        ironbird_files::read(path, ironbird_files::LARGEST_DATA).map_err(|error| wrong(&error))?;
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(|error| wrong(&error))?;
    let size = reader.output_buffer_size().ok_or_else(|| wrong(&"it is too large"))?;
    let mut buffer = vec![0; size];
    let frame = reader.next_frame(&mut buffer).map_err(|error| wrong(&error))?;
    let channels = match frame.color_type {
        ColorType::Grayscale | ColorType::Indexed => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb => 3,
        ColorType::Rgba => 4,
    };
    let (width, height) = (frame.width as usize, frame.height as usize);
    if width < 2 || height < 2 {
        return Err(wrong(&"it has fewer than two points a side"));
    }
    let bytes = &buffer[..frame.buffer_size()];
    let values: Vec<u16> = match frame.bit_depth {
        BitDepth::Sixteen => bytes
            .chunks_exact(2 * channels)
            .map(|point| u16::from_be_bytes([point[0], point[1]]))
            .collect(),
        _ => bytes.chunks_exact(channels).map(|point| u16::from(point[0])).collect(),
    };
    if values.len() != width * height {
        return Err(wrong(&"it has not as many points as it says"));
    }
    Ok(Picture { width, height, values })
}
