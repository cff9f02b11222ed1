//! A sea bed from a GeoTIFF.

use std::path::PathBuf;
use std::sync::Arc;

use ironbird_component::scenery::Scenery;
use ironbird_component::{Answers, Choice, InstantiateError, Parameters};
use ironbird_kernel::Time;
use ironbird_kinematics::{Origin, TangentPlane};
use nalgebra::Vector2;

use super::bed_drawn::sea_above;
use super::chart_place::ChartPlace;
use super::from_file::{FromFile, HOLD, Outside, Replica, blame_file, read_bytes};
use super::geotiff::{Found, MOST_PIXELS, Raster};
use super::question::{BedAnswer, SeaBed, SeaPoint, SeaUnknown};

/// Which way a raster counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Positive {
    /// Upwards: elevations, negative below the surface.
    #[default]
    Up,
    /// Downwards: depths.
    Down,
}

/// What a raster is between the centres of its pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Interpolation {
    /// Catmull-Rom: a continuous slope.
    #[default]
    Bicubic,
    /// Slopes that jump at every pixel.
    Bilinear,
}

/// The parameters of `sea-bed.geotiff`.
#[derive(Clone, Debug, Parameters)]
pub struct GeotiffBedParameters {
    /// The GeoTIFF.
    #[parameter]
    pub file: PathBuf,
    /// The band that holds elevations or depths in metres, counted from 1.
    #[parameter(default = 1, min = 1, fixed)]
    pub band: u32,
    #[group]
    #[allow(missing_docs)]
    pub origin: Origin,
    /// Which way its values count: `up` for elevations, which are negative below the surface, `down` for
    /// depths.
    #[parameter(default = Positive::Up, fixed)]
    pub positive: Positive,
    /// What the bed is between the centres of the pixels: `bicubic` has a continuous slope, `bilinear`
    /// one that jumps at every pixel.
    #[parameter(default = Interpolation::Bicubic, fixed)]
    pub interpolation: Interpolation,
    /// What happens outside of the raster and where it has no data: `fail` ends the run, `hold` takes
    /// what the nearest pixel has.
    #[parameter(default = Outside::Fail, fixed)]
    pub outside: Outside,
}

/// A raster seen from the local level frame of an origin.
pub(super) struct GeotiffBed {
    raster: Raster,
    plane: TangentPlane,
    /// Depth per value.
    sign: f64,
    smooth: bool,
    hold: bool,
}

impl FromFile for GeotiffBedParameters {
    const TYPE: &'static str = "sea-bed.geotiff";
    const DOC: &'static str = "\
A sea bed from a GeoTIFF.

The raster is in longitude and latitude (EPSG:4326, 4269, 4258) or in UTM (EPSG:326zz, 327zz, 269zz, \
258zz); the datums NAD 83 and ETRS 89, which differ from WGS 84 by less than 2 m, are taken for it. \
Values are in metres from the surface of the sea. The origin is where the local level frame of the \
experiment touches the Earth.";
    type Answer = BedAnswer;
    type Source = GeotiffBed;

    fn open(&self) -> Result<GeotiffBed, InstantiateError> {
        let blame = |cause: String| blame_file(&self.file, cause);
        let bytes = read_bytes(&self.file).map_err(blame)?;
        let mut raster = Raster::read(&bytes, self.band, MOST_PIXELS).map_err(blame)?;
        let hold = self.outside == Outside::Hold;
        if hold {
            raster.hold_nearest().map_err(blame)?;
        }
        Ok(GeotiffBed {
            raster,
            plane: self.origin.plane(),
            sign: if self.positive == Positive::Up { -1.0 } else { 1.0 },
            smooth: self.interpolation == Interpolation::Bicubic,
            hold,
        })
    }

    fn scenery(bed: &Arc<GeotiffBed>) -> Option<Scenery> {
        Some(sea_above(Replica(bed.clone())))
    }
}

impl Answers<SeaPoint, BedAnswer> for GeotiffBed {
    fn answer(&self, _: Time, point: &SeaPoint) -> BedAnswer {
        let unknown = |reason: String, degrees: Option<[f64; 2]>| {
            Err(Box::new(SeaUnknown { reason, degrees, advice: HOLD }))
        };
        let Some(place) = ChartPlace::of(&self.plane, point.position) else {
            return unknown("there is no latitude and longitude there".into(), None);
        };
        let [rows, columns] = self.raster.shape();
        let middle = Vector2::new(0.5 * columns as f64, 0.5 * rows as f64);
        let reference = self.raster.georeference();
        let found = match reference.place(place.geodetic, place.surface_radii(), middle) {
            Ok(found) => found,
            Err(error) => return unknown(error.to_string(), None),
        };
        match self.raster.surface(found.at.x, found.at.y, self.smooth, self.hold) {
            Found::Patch(patch) => {
                let gradient = Vector2::new(patch.by_column, patch.by_row) * self.sign;
                let [north, east] = place.surface_gradients();
                let slope =
                    north * gradient.dot(&found.northwards) + east * gradient.dot(&found.eastwards);
                Ok(SeaBed { depth: self.sign * patch.value, slope: [slope.x, slope.y] })
            }
            Found::Outside => {
                let (x, y) = (found.at.x, found.at.y);
                let reason = format!(
                    "it is column {x:.1} and row {y:.1} of a raster of {columns} columns and {rows} \
                     rows, counted from 0 at the centres of the pixels"
                );
                unknown(reason, Some(place.degrees()))
            }
            Found::NoData(row, column) => {
                let reason = format!(
                    "the pixels around it, rows {row} and {} and columns {column} and {}, do not all \
                     have data",
                    row + 1,
                    column + 1
                );
                unknown(reason, Some(place.degrees()))
            }
        }
    }
}
