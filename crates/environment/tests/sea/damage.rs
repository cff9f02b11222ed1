//! Damaged files: cut short at many places, and with bytes changed. Each gives a message, or something
//! that can be used; none a panic, and none takes the memory that it lies about.

use std::path::Path;

use ironbird_environment::sea::geotiff::Raster;
use ironbird_environment::sea::s111::SurfaceCurrents;

use crate::python::run;

/// Small enough that a lie about a size cannot take long.
const LIMIT: usize = 1 << 16;

/// Whether a file reads, and everything in it can be looked at.
type Reads = fn(&[u8]) -> bool;

fn forecast(bytes: &[u8]) -> bool {
    let Ok(currents) = SurfaceCurrents::read(bytes.to_vec(), LIMIT) else { return false };
    let [times, rows, columns] = currents.shape();
    for cell in 0..times * rows * columns {
        let (time, node) = (cell / (rows * columns), cell % (rows * columns));
        let flow = currents.node(time, node / columns, node % columns);
        assert!(flow.is_none_or(|flow| flow.iter().all(|x| x.is_finite())));
    }
    true
}

fn chart(bytes: &[u8]) -> bool {
    let Ok(raster) = Raster::read(bytes, 1, LIMIT) else { return false };
    let [rows, columns] = raster.shape();
    for cell in 0..rows * columns {
        let value = raster.pixel(cell / columns, cell % columns);
        assert!(value.is_none_or(f64::is_finite));
    }
    true
}

/// Cuts and changes a file in some thousand ways; returns how many of the cut ones still read.
fn damage(file: &Path, reads: Reads) -> usize {
    let bytes = std::fs::read(file).unwrap();
    assert!(reads(&bytes), "{}: it reads as it is", file.display());
    let step = (bytes.len() / 400).max(1);
    let cut = (0..bytes.len()).step_by(step).filter(|&length| reads(&bytes[..length])).count();
    // Single bytes all over the file, in ways that make numbers large, small and negative; then the
    // first and last kilobyte, where headers and directories are, byte by byte.
    let step = (bytes.len() / 1500).max(1);
    let ends = 1024.min(bytes.len());
    let places = (0..bytes.len()).step_by(step);
    let places = places.chain(0..ends).chain(bytes.len() - ends..bytes.len());
    for (number, place) in places.enumerate() {
        let mut changed = bytes.clone();
        match number % 4 {
            0 => changed[place] ^= 0x80,
            1 => changed[place] = 0xff,
            2 => changed[place] ^= 1 << (place % 7),
            _ => changed[place] = 0,
        }
        reads(&changed);
    }
    // Runs of bytes that are gone, as a bad sector leaves them.
    for start in (0..bytes.len()).step_by(step * 16) {
        let mut changed = bytes.clone();
        let end = (start + 64).min(bytes.len());
        changed[start..end].fill(0);
        reads(&changed);
    }
    cut
}

/// Panics that are caught on the way to a message need not be printed.
fn quietly(test: impl FnOnce() + std::panic::UnwindSafe) {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = std::panic::catch_unwind(test);
    std::panic::set_hook(before);
    if let Err(cause) = result {
        let text = cause.downcast_ref::<String>().map(String::as_str);
        panic!("{}", text.or(cause.downcast_ref().copied()).unwrap_or("a panic without words"));
    }
}

#[test]
fn damaged_forecasts_give_messages() {
    let folder = tempfile::tempdir().unwrap();
    run("write_forecasts", &[], folder.path());
    quietly(|| {
        for name in ["plain.h5", "new-format.h5", "shuffled.h5", "variable-texts.h5"] {
            assert_eq!(damage(&folder.path().join(name), forecast), 0, "{name}");
        }
    });
}

#[test]
fn damaged_charts_give_messages() {
    let folder = tempfile::tempdir().unwrap();
    run("write_charts", &[], folder.path());
    quietly(|| {
        for name in ["plain", "tiles", "i16-tiles", "predicted", "big", "second-band", "sparse"] {
            let file = folder.path().join(name).with_extension("tif");
            // The last bytes of a compressed strip may say no more than that it ends.
            let cut = damage(&file, chart);
            assert!(cut <= 2, "{name}: {cut}");
        }
    });
}
