//! Height maps from pictures.
//!
//! A picture has to be decoded for this, which the project has no reader for yet: a height map is a level rectangle of
//! its size at its lowest height, and says so.

use ironbird_sdf::{Heightmap, Place, SdfError};
use nalgebra::{Isometry3, Vector3};

use super::notes::Notes;
use crate::geometry::Form;

/// The ground that a height map stands for, and where its middle is.
pub(super) fn read(
    map: &Heightmap,
    place: &Place,
    notes: &mut Notes,
) -> Result<Option<(Form, Isometry3<f64>)>, SdfError> {
    let text = format!("the heights of {} are not read; it is level at its lowest height", map.uri);
    notes.add(place, text);
    if map.size.x <= 0.0 || map.size.y <= 0.0 {
        return Ok(None);
    }
    let (x, y) = (0.5 * map.size.x, 0.5 * map.size.y);
    let corner = |sx: f64, sy: f64| Vector3::new(sx * x, sy * y, 0.0);
    let points = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    // Counter-clockwise from above.
    let form = Form::Mesh { points, triangles: vec![[0, 1, 2], [0, 2, 3]] };
    Ok(Some((form, Isometry3::from_parts(map.position.into(), Default::default()))))
}
