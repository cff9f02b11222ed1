//! Where the pixels of a GeoTIFF lie: its geographic keys and the line from pixels to coordinates.
//!
//! Raster space has its origin at the outer corner of the first pixel (PixelIsArea), whose centre is at
//! (½, ½), or at the centre of the first pixel (PixelIsPoint). A tie point and a scale, or a matrix,
//! lead from raster space to coordinates of the model (GeoTIFF 1.1, requirements class 7.1 and annex
//! B.6).

use ironbird_kinematics::{Geodetic, Utm, UtmError};
use nalgebra::{Matrix2, Vector2};
use tiff::tags::Tag;

use super::tags::Tags;

/// Keys of the key directory, and codes of their values.
const MODEL_TYPE: u16 = 1024;
const RASTER_TYPE: u16 = 1025;
const GEODETIC_CRS: u16 = 2048;
const ANGULAR_UNITS: u16 = 2054;
const PROJECTED_CRS: u16 = 3072;
const LINEAR_UNITS: u16 = 3076;
const VERTICAL_UNITS: u16 = 4099;
const DEGREE: u16 = 9102;
const METRE: u16 = 9001;

/// In what the coordinates of a raster are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Projection {
    /// Longitude and latitude in degrees.
    Geographic,
    /// Easting and northing in metres.
    Utm(Utm),
}

/// Where the pixels lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::sea) struct Georeference {
    projection: Projection,
    /// Coordinates of the centre of the first pixel: x (east), y (north).
    first: Vector2<f64>,
    /// What a column and what a row adds to them.
    steps: Matrix2<f64>,
    /// Columns and rows per coordinate.
    inverse: Matrix2<f64>,
}

/// A place in the raster: columns and rows from the centre of the first pixel, and how they change per
/// metre northwards and eastwards on the ellipsoid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::sea) struct RasterPlace {
    pub at: Vector2<f64>,
    pub northwards: Vector2<f64>,
    pub eastwards: Vector2<f64>,
}

impl Georeference {
    pub(super) fn read(tags: &mut Tags<'_>) -> Result<Self, String> {
        let keys = Keys::read(tags)?;
        let projection = projection(&keys)?;
        let is_point = match keys.get(RASTER_TYPE) {
            None | Some(1) => false,
            Some(2) => true,
            Some(other) => return Err(format!("its raster type is {other}, not area or point")),
        };
        let (corner, steps) = line(tags)?;
        let first = if is_point { corner } else { corner + steps * Vector2::new(0.5, 0.5) };
        if !first.iter().all(|x| x.is_finite()) {
            return Err(format!("its first pixel is at ({}, {})", first.x, first.y));
        }
        let inverse = steps.try_inverse().filter(|inverse| inverse.iter().all(|x| x.is_finite()));
        let inverse = inverse.ok_or_else(|| {
            let [column, row] = [0, 1].map(|i| format!("({}, {})", steps[(0, i)], steps[(1, i)]));
            format!("its pixels have no size: a column is {column}, a row {row}")
        })?;
        Ok(Georeference { projection, first, steps, inverse })
    }

    /// Height and width of a pixel; in metres, or in degrees that are taken for equally long.
    pub fn pixel_size(&self) -> [f64; 2] {
        [self.steps.column(1).norm(), self.steps.column(0).norm()]
    }

    /// Where a place is in the raster, with `radii` the metres on the ellipsoid per radian of latitude
    /// and of longitude.
    pub fn place(
        &self,
        place: Geodetic,
        radii: [f64; 2],
        middle: Vector2<f64>,
    ) -> Result<RasterPlace, UtmError> {
        let (coordinates, northwards, eastwards) = match self.projection {
            Projection::Geographic => {
                let (latitude, longitude) =
                    (place.latitude.to_degrees(), place.longitude.to_degrees());
                // A longitude is known up to turns: the one nearest to the middle of the raster counts.
                let centre = (self.first + self.steps * middle).x;
                let turns = ((longitude - centre) / 360.0).round();
                (
                    Vector2::new(longitude - 360.0 * turns, latitude),
                    Vector2::new(0.0, (1.0 / radii[0]).to_degrees()),
                    Vector2::new((1.0 / radii[1]).to_degrees(), 0.0),
                )
            }
            Projection::Utm(utm) => {
                let map = utm.map(place)?;
                (map.coordinates.into(), map.northwards.into(), map.eastwards().into())
            }
        };
        Ok(RasterPlace {
            at: self.inverse * (coordinates - self.first),
            northwards: self.inverse * northwards,
            eastwards: self.inverse * eastwards,
        })
    }
}

/// Coordinates of the origin of raster space, and what a column and a row adds.
fn line(tags: &mut Tags<'_>) -> Result<(Vector2<f64>, Matrix2<f64>), String> {
    if let Some(matrix) = tags.reals(Tag::ModelTransformationTag)? {
        let [a, b, _, d, e, f, _, h, ..] = matrix[..] else {
            return Err(format!("its ModelTransformation has {} numbers, not 16", matrix.len()));
        };
        return Ok((Vector2::new(d, h), Matrix2::new(a, b, e, f)));
    }
    let scale = tags.reals(Tag::ModelPixelScaleTag)?;
    let ties = tags.reals(Tag::ModelTiepointTag)?;
    let (Some(scale), Some(ties)) = (scale, ties) else {
        return Err("it does not say where it lies: it has neither ModelTransformation nor \
                    ModelPixelScale with ModelTiepoint"
            .into());
    };
    let ([width, height, ..], [i, j, _, x, y, _]) = (&scale[..], &ties[..]) else {
        return Err(format!(
            "it has {} numbers of scale and {} of tie points, and a scale with one tie point (6) is \
             read",
            scale.len(),
            ties.len()
        ));
    };
    // Rows go south.
    let steps = Matrix2::new(*width, 0.0, 0.0, -*height);
    Ok((Vector2::new(*x, *y) - steps * Vector2::new(*i, *j), steps))
}

fn projection(keys: &Keys) -> Result<Projection, String> {
    const READ: &str = "read are geographic coordinates (EPSG:4326, 4269, 4258) and UTM \
                        (EPSG:326zz, 327zz, 269zz, 258zz)";
    let unit = |key: u16, expected: u16, what: &str| match keys.get(key) {
        Some(unit) if unit != expected => {
            Err(format!("its {what} are in EPSG unit {unit}, and not in {expected}"))
        }
        _ => Ok(()),
    };
    unit(VERTICAL_UNITS, METRE, "depths")?;
    match keys.get(MODEL_TYPE) {
        Some(1) => {
            unit(LINEAR_UNITS, METRE, "coordinates")?;
            let code = keys.get(PROJECTED_CRS).ok_or("it names no projection")?;
            let utm = Utm::from_epsg(code.into());
            let utm = utm.ok_or_else(|| format!("its projection is EPSG:{code}; {READ}"))?;
            Ok(Projection::Utm(utm))
        }
        Some(2) => {
            unit(ANGULAR_UNITS, DEGREE, "coordinates")?;
            match keys.get(GEODETIC_CRS) {
                Some(4326 | 4269 | 4258) => Ok(Projection::Geographic),
                Some(code) => Err(format!("its coordinates are EPSG:{code}; {READ}")),
                None => Err(format!("it names no datum; {READ}")),
            }
        }
        Some(other) => Err(format!("its model type is {other}; {READ}")),
        None => Err(format!("it has no GTModelType, so it is no GeoTIFF; {READ}")),
    }
}

/// The keys that hold a short number.
struct Keys(Vec<(u16, u16)>);

impl Keys {
    fn read(tags: &mut Tags<'_>) -> Result<Self, String> {
        let directory = tags.counts(Tag::GeoKeyDirectoryTag)?;
        let directory = directory.ok_or("it has no GeoKeyDirectory, so it is no GeoTIFF")?;
        let [1, _, _, count, entries @ ..] = &directory[..] else {
            return Err("its GeoKeyDirectory does not begin with version 1".into());
        };
        if entries.len() as u64 / 4 < *count {
            return Err(format!(
                "its GeoKeyDirectory has fewer than the {count} keys it announces"
            ));
        }
        // Those with a location hold texts and real numbers elsewhere.
        let short = entries.chunks_exact(4).filter(|entry| entry[1] == 0);
        Ok(Keys(short.map(|entry| (entry[0] as u16, entry[3] as u16)).collect()))
    }

    fn get(&self, key: u16) -> Option<u16> {
        self.0.iter().find(|(other, _)| *other == key).map(|(_, value)| *value)
    }
}
