//! Numbers as by chance, the same in every run.

use nalgebra::{UnitQuaternion, Vector3};

/// A generator (xorshift64*).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// One of some.
    pub fn one_of<T: Copy>(&mut self, some: &[T]) -> T {
        some[(self.next() >> 33) as usize % some.len()]
    }

    /// A vector in a cube around zero.
    pub fn vector(&mut self, most: f64) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.between(-most, most))
    }

    /// Any attitude.
    pub fn attitude(&mut self) -> UnitQuaternion<f64> {
        UnitQuaternion::from_scaled_axis(self.vector(3.0))
    }
}
