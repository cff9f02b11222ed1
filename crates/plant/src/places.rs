//! Places in tables: in the local level frame, or by latitude and longitude.

use std::f64::consts::FRAC_PI_2;

use ironbird_kinematics::{Geodetic, TangentPlane};
use ironbird_tables::TableError;
use ironbird_tables::table::Table;
use nalgebra::Vector3;

/// Whether the places of a table are latitudes and longitudes; `whole` is what has one of the two.
pub(crate) fn is_geodetic(table: &Table, whole: &str) -> Result<bool, TableError> {
    let has = |names: [&str; 2]| names.iter().any(|name| table.get(name).is_some());
    let (geodetic, local) = (has(["latitude", "longitude"]), has(["north", "east"]));
    if geodetic && local {
        return Err(table.wrong_header(format!(
            "there are columns of \"north\", \"east\" and of \"latitude\", \"longitude\"; {whole} has one \
             of the two"
        )));
    }
    Ok(geodetic)
}

/// The place of a row in the local level frame.
pub(crate) fn from_geodetic(
    table: &Table,
    row: usize,
    place: Geodetic,
    plane: &TangentPlane,
) -> Result<Vector3<f64>, TableError> {
    if place.latitude.abs() > FRAC_PI_2 {
        let degrees = place.latitude.to_degrees();
        let what = format!("a latitude of {degrees} deg; expected -90 to 90");
        return Err(table.wrong_cell(row, "latitude", what));
    }
    Ok(plane.from_geodetic(place))
}
