//! Where a point in north, east, down is on the chart, and how that changes as it moves.
//!
//! With the unit vectors ê_n, ê_e of local north and east, the radii of curvature M (along the
//! meridian) and N (across), and the height h above the ellipsoid:
//!
//! ```text
//! ∇φ = ê_n / (M + h),  ∇λ = ê_e / ((N + h) cos φ)
//! M = a (1 - e²) / (1 - e² sin²φ)^(3/2),  N = a / (1 - e² sin²φ)^(1/2)
//! ∂ê_n/∂φ = -û,  ∂ê_n/∂λ = -sin φ ê_e,  ∂ê_e/∂φ = 0,  ∂ê_e/∂λ = sin φ ê_n - cos φ û
//! ```
//!
//! (û is up; all vectors in the local level frame of the origin).

use ironbird_kinematics::{ECCENTRICITY_SQUARED, Geodetic, SEMI_MAJOR, TangentPlane};
use nalgebra::Vector3;

/// A place on the chart.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChartPlace {
    pub geodetic: Geodetic,
    pub north: Vector3<f64>,
    pub east: Vector3<f64>,
    up: Vector3<f64>,
    sin_phi: f64,
    cos_phi: f64,
    /// M + h and N + h.
    radii: [f64; 2],
}

impl ChartPlace {
    /// Where `ned` is; `None` at the poles, where there is no east, and nowhere.
    pub fn of(plane: &TangentPlane, ned: [f64; 3]) -> Option<Self> {
        let geodetic = plane.to_geodetic(Vector3::from(ned));
        let (sin_phi, cos_phi) = libm::sincos(geodetic.latitude);
        let (sin_lambda, cos_lambda) = libm::sincos(geodetic.longitude);
        let root = (1.0 - ECCENTRICITY_SQUARED * sin_phi * sin_phi).sqrt();
        let across = SEMI_MAJOR / root;
        let along = across * (1.0 - ECCENTRICITY_SQUARED) / (root * root);
        let radii = [along + geodetic.height, across + geodetic.height];
        // Also refuses what is not a number.
        if !(cos_phi > 1e-9 && radii[0] > 0.0 && geodetic.longitude.is_finite()) {
            return None;
        }
        let turned = |x, y, z| plane.direction_from_ecef(Vector3::new(x, y, z));
        Some(ChartPlace {
            geodetic,
            north: turned(-sin_phi * cos_lambda, -sin_phi * sin_lambda, cos_phi),
            east: turned(-sin_lambda, cos_lambda, 0.0),
            up: turned(cos_phi * cos_lambda, cos_phi * sin_lambda, sin_phi),
            sin_phi,
            cos_phi,
            radii,
        })
    }

    /// Latitude and longitude in degrees.
    pub fn degrees(&self) -> [f64; 2] {
        [self.geodetic.latitude.to_degrees(), self.geodetic.longitude.to_degrees()]
    }

    /// How latitude and longitude change with the place, in rad/m.
    pub fn gradients(&self) -> [Vector3<f64>; 2] {
        [self.north / self.radii[0], self.east / (self.radii[1] * self.cos_phi)]
    }

    /// Metres on the ellipsoid per radian of latitude and of longitude.
    pub fn surface_radii(&self) -> [f64; 2] {
        let [along, across] = self.radii.map(|radius| radius - self.geodetic.height);
        [along, across * self.cos_phi]
    }

    /// Metres on the ellipsoid northwards and eastwards per metre of way: how a step in north, east,
    /// down moves the point on a chart of the surface.
    pub fn surface_gradients(&self) -> [Vector3<f64>; 2] {
        let [along, across] = self.radii;
        let height = self.geodetic.height;
        [self.north * ((along - height) / along), self.east * ((across - height) / across)]
    }

    /// A horizontal vector (north, east at this place) in the local level frame, and its rate of change
    /// where its components change at `rates` and the point moves with `velocity`.
    pub fn horizontal(
        &self,
        [n, e]: [f64; 2],
        rates: [f64; 2],
        velocity: Vector3<f64>,
    ) -> [Vector3<f64>; 2] {
        let [grad_phi, grad_lambda] = self.gradients();
        let (phi_rate, lambda_rate) = (velocity.dot(&grad_phi), velocity.dot(&grad_lambda));
        let north_rate = -self.up * phi_rate - self.east * (self.sin_phi * lambda_rate);
        let east_rate = (self.north * self.sin_phi - self.up * self.cos_phi) * lambda_rate;
        let value = self.north * n + self.east * e;
        let moved = self.north * rates[0] + self.east * rates[1];
        [value, moved + north_rate * n + east_rate * e]
    }
}
