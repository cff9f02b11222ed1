//! The US Standard Atmosphere 1976, which up to 32 km is that of the ICAO.
//!
//! Layers of a constant temperature gradient over the geopotential height H, in hydrostatic balance:
//!
//! ```text
//! H = r z / (r + z)                                   z: geometric height, r = 6 356 766 m
//! T = T_b + L (H - H_b)
//! p = p_b (T_b / T)^(g M / (R L))                     L ≠ 0
//! p = p_b exp(-g M (H - H_b) / (R T_b))               L = 0
//! ρ = p M / (R T),   a = √(1.4 R T / M)
//! ```
//!
//! *U.S. Standard Atmosphere, 1976*, NOAA-S/T 76-1562: constants of table 2, layers of table 4. R is its
//! 8314.32 N m/(kmol K), which is not today's. A temperature offset is added at all heights, a pressure at
//! sea level other than 1013.25 hPa scales all pressures; the balance stays.

/// Radius of the Earth that turns geometric into geopotential height, in m.
const RADIUS: f64 = 6_356_766.0;
/// g M / R in K/m.
const HYDROSTATIC: f64 = 9.80665 * 28.9644 / 8314.32;
/// R / M in J/(kg K).
const GAS: f64 = 8314.32 / 28.9644;
/// Ratio of the specific heats.
const ADIABATIC: f64 = 1.4;
/// Pressure at sea level, in Pa.
pub const SEA_LEVEL_PRESSURE: f64 = 101_325.0;
/// The geopotential heights that it knows, in m. The first layer goes on below sea level.
const LOWEST: f64 = -5_000.0;
const HIGHEST: f64 = 84_852.0;

/// Where a layer begins (m), the temperature there (K), and its gradient (K/m).
const LAYERS: [(f64, f64, f64); 7] = [
    (0.0, 288.15, -0.0065),
    (11_000.0, 216.65, 0.0),
    (20_000.0, 216.65, 0.001),
    (32_000.0, 228.65, 0.0028),
    (47_000.0, 270.65, 0.0),
    (51_000.0, 270.65, -0.0028),
    (71_000.0, 214.65, -0.002),
];

/// The air at a height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Air {
    /// Temperature in K.
    pub temperature: f64,
    /// Pressure in Pa.
    pub pressure: f64,
    /// Density in kg/m^3.
    pub density: f64,
    /// Speed of sound in m/s.
    pub speed_of_sound: f64,
}

/// The standard atmosphere, or one that is warmer or colder by the same at all heights.
#[derive(Clone, Debug)]
pub struct StandardAtmosphere {
    offset: f64,
    /// Pressures at the bottoms of the layers.
    bases: [f64; LAYERS.len()],
}

impl Default for StandardAtmosphere {
    fn default() -> Self {
        StandardAtmosphere::new(0.0, SEA_LEVEL_PRESSURE)
    }
}

impl StandardAtmosphere {
    /// An atmosphere with a temperature offset (K) and a pressure at sea level (Pa).
    pub fn new(temperature_offset: f64, sea_level_pressure: f64) -> Self {
        let mut atmosphere = StandardAtmosphere {
            offset: temperature_offset,
            bases: [sea_level_pressure; LAYERS.len()],
        };
        for (layer, (bottom, ..)) in LAYERS.into_iter().enumerate().skip(1) {
            atmosphere.bases[layer] = atmosphere.pressure(layer - 1, bottom);
        }
        atmosphere
    }

    /// The air at a geopotential height (m); `None` below -5 km and above 84.852 km.
    pub fn at_geopotential(&self, height: f64) -> Option<Air> {
        if !(LOWEST..=HIGHEST).contains(&height) {
            return None;
        }
        let layer = LAYERS.partition_point(|(bottom, ..)| *bottom <= height).max(1) - 1;
        let (pressure, temperature) =
            (self.pressure(layer, height), self.temperature(layer, height));
        Some(Air {
            temperature,
            pressure,
            density: pressure / (GAS * temperature),
            speed_of_sound: (ADIABATIC * GAS * temperature).sqrt(),
        })
    }

    /// The air at a geometric height (m).
    pub fn at_geometric(&self, height: f64) -> Option<Air> {
        self.at_geopotential(RADIUS * height / (RADIUS + height))
    }

    /// The lowest temperature of any layer, in K.
    pub fn coldest(&self) -> f64 {
        let top = LAYERS.len() - 1;
        let bottoms = (0..=top).map(|layer| self.temperature(layer, LAYERS[layer].0));
        bottoms.fold(self.temperature(top, HIGHEST), f64::min)
    }

    fn temperature(&self, layer: usize, height: f64) -> f64 {
        let (bottom, temperature, gradient) = LAYERS[layer];
        temperature + self.offset + gradient * (height - bottom)
    }

    fn pressure(&self, layer: usize, height: f64) -> f64 {
        let (bottom, _, gradient) = LAYERS[layer];
        let (base, warm) = (self.bases[layer], self.temperature(layer, bottom));
        if gradient == 0.0 {
            return base * libm::exp(-HYDROSTATIC * (height - bottom) / warm);
        }
        base * libm::pow(warm / self.temperature(layer, height), HYDROSTATIC / gradient)
    }
}
