//! Places between the local level frame and latitude, longitude, height.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step};

use super::no_place;
use crate::earth::Origin;
use crate::geodetic::Geodetic;
use crate::tangent_plane::TangentPlane;

/// Shows a place that is given as north, east, down as latitude, longitude and height (WGS 84).
#[derive(Component)]
#[component(
    type = "adapter.ned-to-geodetic", periodic, rate = "1 kHz", adapter,
    start = Self::begin, changed = Self::prepare
)]
pub(crate) struct NedToGeodetic {
    #[group]
    origin: Origin,
    /// Place: north, east, down of the origin.
    #[input(name = "position", unit = "m", frame = "ned")]
    position_ned: SignalIn<[f64; 3]>,
    /// Place as latitude, longitude and height above the ellipsoid.
    #[output(
        name = "position",
        unit = "latitude: rad, longitude: rad, height: m",
        frame = "geodetic"
    )]
    position: SignalOut<Geodetic>,
    #[skip]
    plane: TangentPlane,
}

impl NedToGeodetic {
    fn prepare(&mut self) {
        self.plane = self.origin.plane();
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        let place = self.plane.to_geodetic((*start.signal(self.position_ned)).into());
        start.write(self.position, place);
    }
}

impl Periodic for NedToGeodetic {
    fn step(&mut self, step: &mut Step<'_>) {
        let place = self.plane.to_geodetic((*step.signal(self.position_ned)).into());
        step.write(self.position, place);
    }
}

/// Shows a place that is given as latitude, longitude and height (WGS 84) as north, east, down.
#[derive(Component)]
#[component(
    type = "adapter.geodetic-to-ned", periodic, rate = "1 kHz", adapter,
    start = Self::begin, changed = Self::prepare
)]
pub(crate) struct GeodeticToNed {
    #[group]
    origin: Origin,
    /// Place as latitude, longitude and height above the ellipsoid.
    #[input(
        name = "position",
        unit = "latitude: rad, longitude: rad, height: m",
        frame = "geodetic"
    )]
    position: SignalIn<Geodetic>,
    /// Place: north, east, down of the origin.
    #[output(name = "position", unit = "m", frame = "ned")]
    position_ned: SignalOut<[f64; 3]>,
    #[skip]
    plane: TangentPlane,
}

impl GeodeticToNed {
    fn prepare(&mut self) {
        self.plane = self.origin.plane();
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        let place = self.plane.from_geodetic(*start.signal(self.position));
        start.write(self.position_ned, place.into());
    }
}

impl Periodic for GeodeticToNed {
    fn step(&mut self, step: &mut Step<'_>) {
        let place = *step.signal(self.position);
        if !place.is_on_earth() {
            return step.fail(no_place(&place));
        }
        step.write(self.position_ned, self.plane.from_geodetic(place).into());
    }
}
