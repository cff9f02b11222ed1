//! Ellipsoids of revolution that stand for the Earth.

/// An ellipsoid of revolution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    /// Semi-major axis in metres.
    pub semi_major: f64,
    /// Flattening f = (a - b) / a.
    pub flattening: f64,
}

impl Ellipsoid {
    /// WGS 84 (NIMA TR8350.2, table 3.1).
    pub const WGS84: Ellipsoid =
        Ellipsoid { semi_major: 6_378_137.0, flattening: 1.0 / 298.257_223_563 };

    /// The Geodetic Reference System 1980 (H. Moritz, *Bulletin Géodésique* 54 (1980) 395), of
    /// ETRS89 and NAD83.
    pub const GRS80: Ellipsoid =
        Ellipsoid { semi_major: 6_378_137.0, flattening: 1.0 / 298.257_222_101 };

    /// First eccentricity squared, e² = f (2 - f).
    pub const fn eccentricity_squared(&self) -> f64 {
        self.flattening * (2.0 - self.flattening)
    }

    /// Third flattening, n = f / (2 - f).
    pub const fn third_flattening(&self) -> f64 {
        self.flattening / (2.0 - self.flattening)
    }
}
