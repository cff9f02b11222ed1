//! Charts and forecasts of the sea. Their corpus was written with rasterio and h5py: grids of a few numbers.

use ironbird_environment::sea::geotiff::Raster;
use ironbird_environment::sea::s111::SurfaceCurrents;

/// Small enough that no input takes long.
const LIMIT: usize = 1 << 16;

/// Forecasts of currents: what reads has finite numbers at its nodes.
pub fn s111(bytes: &[u8]) {
    let Ok(currents) = SurfaceCurrents::read(bytes.to_vec(), LIMIT) else { return };
    let [times, rows, columns] = currents.shape();
    for cell in 0..times * rows * columns {
        let (time, node) = (cell / (rows * columns), cell % (rows * columns));
        let flow = currents.node(time, node / columns, node % columns);
        assert!(flow.is_none_or(|flow| flow.iter().all(|x| x.is_finite())));
    }
}

/// Charts of the sea bed: what reads has finite numbers at its pixels, in both bands.
pub fn geotiff(bytes: &[u8]) {
    for band in 1..=2 {
        let Ok(raster) = Raster::read(bytes, band, LIMIT) else { continue };
        let [rows, columns] = raster.shape();
        for cell in 0..rows * columns {
            let value = raster.pixel(cell / columns, cell % columns);
            assert!(value.is_none_or(f64::is_finite));
        }
    }
}
