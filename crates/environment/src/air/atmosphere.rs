//! The air at the height of a vehicle.

use ironbird_component::{Choice, Component};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step};

use super::standard::{Air, SEA_LEVEL_PRESSURE, StandardAtmosphere};

/// Temperature, pressure, density and speed of sound at a height: the US Standard Atmosphere 1976, which
/// up to 32 km is that of the ICAO.
///
/// It knows -5 km to 84.852 km of geopotential height; beyond, the run ends. A day that is warmer or
/// colder has its temperature offset at all heights, and the pressures that keep its air in balance.
#[derive(Component)]
#[component(
    type = "environment.atmosphere",
    periodic,
    rate = "50 Hz",
    start = Self::begin,
    check = Self::fits,
    changed = Self::prepare
)]
pub struct Atmosphere {
    /// How much warmer than the standard it is.
    #[parameter(unit = "K", default = 0.0)]
    temperature_offset: f64,
    /// Pressure at sea level.
    #[parameter(unit = "Pa", default = SEA_LEVEL_PRESSURE, above = 0)]
    sea_level_pressure: f64,
    /// Height of the place that `height` counts from, above sea level.
    #[parameter(unit = "m", default = 0.0)]
    elevation: f64,
    /// What the height is: `geometric`, as a ruler measures it, or `geopotential`, as the standard's
    /// tables count.
    #[parameter(default = HeightKind::Geometric)]
    heights: HeightKind,
    /// Height.
    #[input(unit = "m", default = 0.0)]
    height: SignalIn<f64>,
    /// Temperature.
    #[output(unit = "K", initial = 288.15)]
    temperature: SignalOut<f64>,
    /// Pressure.
    #[output(unit = "Pa", initial = SEA_LEVEL_PRESSURE)]
    pressure: SignalOut<f64>,
    /// Density.
    #[output(unit = "kg/m^3", initial = 1.225)]
    density: SignalOut<f64>,
    /// Speed of sound.
    #[output(unit = "m/s", initial = 340.294)]
    speed_of_sound: SignalOut<f64>,
    #[skip]
    atmosphere: StandardAtmosphere,
}

/// What a height is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum HeightKind {
    /// As a ruler measures it.
    #[default]
    Geometric,
    /// The height in a constant gravity at which the potential is the same.
    Geopotential,
}

impl Atmosphere {
    fn fits(&self) -> Result<(), String> {
        let coldest =
            StandardAtmosphere::new(self.temperature_offset, self.sea_level_pressure).coldest();
        if coldest > 0.0 {
            return Ok(());
        }
        Err(format!(
            "temperature_offset = {} K makes air of {coldest:.2} K: it must stay above 0 K",
            self.temperature_offset
        ))
    }

    fn prepare(&mut self) {
        self.atmosphere = StandardAtmosphere::new(self.temperature_offset, self.sea_level_pressure);
    }

    fn air(&self, height: f64) -> Result<Air, String> {
        let height = self.elevation + height;
        let air = match self.heights {
            HeightKind::Geometric => self.atmosphere.at_geometric(height),
            HeightKind::Geopotential => self.atmosphere.at_geopotential(height),
        };
        air.ok_or_else(|| {
            format!(
                "at a height of {height} m above sea level there is no standard atmosphere: keep \
                 between -5 km and 84.852 km of geopotential height"
            )
        })
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        match self.air(*start.signal(self.height)) {
            Ok(air) => {
                start.write(self.temperature, air.temperature);
                start.write(self.pressure, air.pressure);
                start.write(self.density, air.density);
                start.write(self.speed_of_sound, air.speed_of_sound);
            }
            Err(reason) => start.fail(reason),
        }
    }
}

impl Periodic for Atmosphere {
    fn step(&mut self, step: &mut Step<'_>) {
        match self.air(*step.signal(self.height)) {
            Ok(air) => {
                step.write(self.temperature, air.temperature);
                step.write(self.pressure, air.pressure);
                step.write(self.density, air.density);
                step.write(self.speed_of_sound, air.speed_of_sound);
            }
            Err(reason) => step.fail(reason),
        }
    }
}
