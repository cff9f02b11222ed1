//! Places between Earth-centred coordinates and latitude, longitude, height.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step};

use super::no_place;
use crate::geodetic::Geodetic;

/// Shows a place that is given in Earth-centred, Earth-fixed coordinates as latitude, longitude and
/// height (WGS 84).
#[derive(Component)]
#[component(type = "adapter.ecef-to-geodetic", periodic, rate = "1 kHz", adapter, start = Self::begin)]
pub(crate) struct EcefToGeodetic {
    /// Place, Earth-centred.
    #[input(name = "position", unit = "m", frame = "ecef")]
    position_ecef: SignalIn<[f64; 3]>,
    /// Place as latitude, longitude and height above the ellipsoid.
    #[output(
        name = "position",
        unit = "latitude: rad, longitude: rad, height: m",
        frame = "geodetic"
    )]
    position: SignalOut<Geodetic>,
}

impl EcefToGeodetic {
    fn begin(&mut self, start: &mut Start<'_>) {
        let place = Geodetic::from_ecef((*start.signal(self.position_ecef)).into());
        start.write(self.position, place);
    }
}

impl Periodic for EcefToGeodetic {
    fn step(&mut self, step: &mut Step<'_>) {
        let place = Geodetic::from_ecef((*step.signal(self.position_ecef)).into());
        step.write(self.position, place);
    }
}

/// Shows a place that is given as latitude, longitude and height (WGS 84) in Earth-centred,
/// Earth-fixed coordinates.
#[derive(Component)]
#[component(type = "adapter.geodetic-to-ecef", periodic, rate = "1 kHz", adapter, start = Self::begin)]
pub(crate) struct GeodeticToEcef {
    /// Place as latitude, longitude and height above the ellipsoid.
    #[input(
        name = "position",
        unit = "latitude: rad, longitude: rad, height: m",
        frame = "geodetic"
    )]
    position: SignalIn<Geodetic>,
    /// Place, Earth-centred.
    #[output(name = "position", unit = "m", frame = "ecef")]
    position_ecef: SignalOut<[f64; 3]>,
}

impl GeodeticToEcef {
    fn begin(&mut self, start: &mut Start<'_>) {
        let place = start.signal(self.position).to_ecef();
        start.write(self.position_ecef, place.into());
    }
}

impl Periodic for GeodeticToEcef {
    fn step(&mut self, step: &mut Step<'_>) {
        let place = *step.signal(self.position);
        if !place.is_on_earth() {
            return step.fail(no_place(&place));
        }
        step.write(self.position_ecef, place.to_ecef().into());
    }
}
