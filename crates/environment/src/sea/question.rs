//! What a source of the sea is asked, and what it answers.

use std::fmt;

use ironbird_kernel::Time;

/// A point that moves through the sea.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeaPoint {
    /// Place in m: north, east, down.
    pub position: [f64; 3],
    /// Velocity over ground in m/s: north, east, down.
    pub velocity: [f64; 3],
}

/// How the sea flows where a point is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeaCurrent {
    /// Velocity of the water over ground in m/s: north, east, down.
    pub velocity: [f64; 3],
    /// How that velocity changes for the point, in m/s²: ∂c/∂t + (v·∇) c, with v the velocity of the
    /// point.
    pub acceleration: [f64; 3],
}

/// How deep the sea is where a point is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeaBed {
    /// Depth of the bed below the surface in m.
    pub depth: f64,
    /// ∂depth/∂north and ∂depth/∂east.
    pub slope: [f64; 2],
}

/// What a source of the sea current answers.
pub type CurrentAnswer = Result<SeaCurrent, Box<SeaUnknown>>;

/// What a source of the sea bed answers.
pub type BedAnswer = Result<SeaBed, Box<SeaUnknown>>;

/// Why a source does not know the sea at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct SeaUnknown {
    /// What is missing.
    pub reason: String,
    /// Latitude and longitude of the point in degrees, where the source knows them.
    pub degrees: Option<[f64; 2]>,
    /// What to do about it.
    pub advice: &'static str,
}

impl SeaUnknown {
    /// Says of `what` that it is not known at a point, and why.
    #[cold]
    pub fn report(&self, what: &str, point: &SeaPoint, now: Time) -> String {
        let [north, east, down] = point.position;
        let place = match self.degrees {
            Some(degrees) => format!(" ({})", Degrees(degrees)),
            None => String::new(),
        };
        let SeaUnknown { reason, advice, .. } = self;
        format!(
            "{what} is not known at north {north:.3} m, east {east:.3} m, down {down:.3} m{place} at \
             {now}: {reason}; {advice}"
        )
    }
}

/// Latitude and longitude as on a chart.
pub(super) struct Degrees(pub [f64; 2]);

impl fmt::Display for Degrees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Degrees([latitude, longitude]) = self;
        let (ns, ew) = (side(*latitude, ["N", "S"]), side(*longitude, ["E", "W"]));
        write!(f, "{:.6}° {ns}, {:.6}° {ew}", latitude.abs(), longitude.abs())
    }
}

fn side(angle: f64, [positive, negative]: [&'static str; 2]) -> &'static str {
    if angle < 0.0 { negative } else { positive }
}
