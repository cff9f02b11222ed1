//! Regions with a wind of their own.
//!
//! ```text
//! w(d) = 3 s² - 2 s³,   s = (d + e/2) / e from 0 to 1
//! ```
//!
//! d is how deep inside a place is (negative outside), e the width of the edge: the share w of the region's wind goes
//! smoothly from 0 at e/2 outside to 1 at e/2 inside.

use nalgebra::Vector3;

/// The shape of a region: north, east, down, in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RegionShape {
    /// A box along the axes.
    Box {
        /// Its middle.
        centre: Vector3<f64>,
        /// Half of its sides.
        half: Vector3<f64>,
    },
    /// An upright cylinder.
    Cylinder {
        /// Its middle.
        centre: Vector3<f64>,
        /// Its radius.
        radius: f64,
        /// Half of its height.
        half_height: f64,
    },
}

impl RegionShape {
    /// How deep inside a place is, in m; negative outside.
    #[inline]
    pub fn depth(&self, position: &Vector3<f64>) -> f64 {
        match self {
            RegionShape::Box { centre, half } => {
                let inside = half - (position - centre).abs();
                inside.x.min(inside.y).min(inside.z)
            }
            RegionShape::Cylinder { centre, radius, half_height } => {
                let off = position - centre;
                let level = (off.x * off.x + off.y * off.y).sqrt();
                (radius - level).min(half_height - off.z.abs())
            }
        }
    }
}

/// A region with a wind of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindRegion {
    /// Where it is.
    pub shape: RegionShape,
    /// Width of its edge in m; 0 for a sharp one.
    pub edge: f64,
    /// Velocity of its air in m/s: north, east, down.
    pub wind: Vector3<f64>,
}

impl WindRegion {
    /// The share of its wind at a place, from 0 to 1.
    #[inline]
    pub fn share(&self, position: &Vector3<f64>) -> f64 {
        let depth = self.shape.depth(position);
        if self.edge <= 0.0 {
            return if depth >= 0.0 { 1.0 } else { 0.0 };
        }
        let s = (depth / self.edge + 0.5).clamp(0.0, 1.0);
        s * s * (3.0 - 2.0 * s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_share_is_smooth_and_a_half_at_the_edge() {
        let cylinder = RegionShape::Cylinder {
            centre: Vector3::new(10.0, 0.0, -50.0),
            radius: 20.0,
            half_height: 30.0,
        };
        let boxed = RegionShape::Box {
            centre: Vector3::new(10.0, 0.0, -50.0),
            half: Vector3::new(20.0, 5.0, 30.0),
        };
        for shape in [cylinder, boxed] {
            let region = WindRegion { shape, edge: 4.0, wind: Vector3::x() };
            let share = |north: f64| region.share(&Vector3::new(north, 0.0, -50.0));
            assert_eq!([share(10.0), share(28.0), share(30.0), share(32.0)], [1.0, 1.0, 0.5, 0.0]);
            assert!((share(31.0) - 0.156_25).abs() < 1e-12, "{}", share(31.0));
            assert_eq!(region.share(&Vector3::new(10.0, 0.0, -20.0)), 0.5);
        }
        let sharp = WindRegion { shape: boxed, edge: 0.0, wind: Vector3::x() };
        assert_eq!(sharp.share(&Vector3::new(10.0, 5.0, -50.0)), 1.0);
        assert_eq!(sharp.share(&Vector3::new(10.0, 5.1, -50.0)), 0.0);
    }
}
