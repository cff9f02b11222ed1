//! Depths of the sea bed as hydrographic offices publish them: one band of a GeoTIFF (OGC 19-008r4,
//! GeoTIFF 1.1; TIFF 6.0).
//!
//! Strips and tiles, uncompressed, LZW or deflate, with a predictor or without; whole and real numbers;
//! BigTIFF. What is missing (tiles that were never written, the value of the tag GDAL_NODATA, what is
//! not a finite number) is no data.

mod georeference;
mod pixels;
mod surface;
mod tags;

use georeference::Georeference;
pub(super) use surface::Found;
use tags::Tags;

use super::from_file::caught;
use super::nearest::nearest_known;

/// More pixels are refused: they would take 512 MB.
pub const MOST_PIXELS: usize = 1 << 26;

/// One band of a raster, and where it lies.
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    rows: usize,
    columns: usize,
    /// Row by row; not a number where there is no data.
    values: Vec<f64>,
    georeference: Georeference,
}

impl Raster {
    /// Reads a band, counted from 1, of a file of no more than this many pixels. The error says what is
    /// wrong with it.
    pub fn read(bytes: &[u8], band: u32, most_pixels: usize) -> Result<Self, String> {
        caught("GeoTIFF", || {
            let mut tags = Tags::open(bytes, most_pixels)?;
            let georeference = Georeference::read(&mut tags)?;
            let (rows, columns, values) = pixels::read(&mut tags, band, most_pixels)?;
            Ok(Raster { rows, columns, values, georeference })
        })
    }

    /// How many rows and columns there are.
    pub fn shape(&self) -> [usize; 2] {
        [self.rows, self.columns]
    }

    /// The value of a pixel; `None` where there is none.
    pub fn pixel(&self, row: usize, column: usize) -> Option<f64> {
        let in_row = (column < self.columns).then_some(row * self.columns + column)?;
        self.values.get(in_row).copied().filter(|value| !value.is_nan())
    }

    pub(super) fn georeference(&self) -> &Georeference {
        &self.georeference
    }

    /// Gives every pixel without data that of the nearest pixel with data.
    pub(super) fn hold_nearest(&mut self) -> Result<(), String> {
        let known: Vec<bool> = self.values.iter().map(|value| !value.is_nan()).collect();
        let size = self.georeference.pixel_size();
        let nearest = nearest_known(&known, self.columns, size)
            .ok_or("none of its pixels has data, so there is nothing to hold")?;
        self.values = nearest.iter().map(|&cell| self.values[cell as usize]).collect();
        Ok(())
    }
}
