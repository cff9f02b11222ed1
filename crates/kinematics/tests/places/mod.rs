//! Places all over the Earth, special ones and random ones.

use ironbird_kinematics::{Attitude, Geodetic};

/// A generator of numbers that are the same in every run (splitmix64).
pub struct Numbers(pub u64);

impl Numbers {
    /// Evenly between two ends.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        low + (high - low) * (z >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A place with any latitude and longitude, at these heights.
    pub fn place(&mut self, [low, high]: [f64; 2]) -> Geodetic {
        let (latitude, longitude) = (self.between(-90.0, 90.0), self.between(-180.0, 180.0));
        Geodetic::from_degrees(latitude, longitude, self.between(low, high))
    }

    /// Any attitude.
    #[allow(dead_code, reason = "not every test turns bodies")]
    pub fn attitude(&mut self) -> Attitude {
        let [roll, yaw] = [(); 2].map(|()| self.between(-3.2, 3.2));
        Attitude::from_euler(roll, self.between(-1.57, 1.57), yaw)
    }
}

/// The poles, the equator, the date line, the Greenwich meridian, and places hard by them.
const LATITUDES: [f64; 13] = [
    -90.0,
    -89.999_999_999,
    -89.9,
    -45.0,
    -1e-9,
    0.0,
    1e-12,
    1e-3,
    45.0,
    60.0,
    89.99,
    89.999_999,
    90.0,
];
const LONGITUDES: [f64; 11] =
    [-180.0, -179.999_999_999, -135.0, -90.0, -1e-9, 0.0, 1e-12, 45.0, 90.0, 179.999_999, 180.0];

/// All special places at these heights, and as many random ones between the lowest and the highest.
pub fn places(heights: &[f64], random: usize) -> Vec<Geodetic> {
    let mut places = Vec::new();
    for height in heights {
        for latitude in LATITUDES {
            for longitude in LONGITUDES {
                places.push(Geodetic::from_degrees(latitude, longitude, *height));
            }
        }
    }
    let mut numbers = Numbers(4);
    let ends = [heights[0], heights[heights.len() - 1]];
    places.extend((0..random).map(|_| numbers.place(ends)));
    places
}
