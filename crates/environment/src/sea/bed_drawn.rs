//! What a sea looks like whose bed somebody knows.

use ironbird_component::Answers;
use ironbird_component::scenery::{Ground, Scenery, Sea, Surface};
use ironbird_kernel::Time;

use super::question::{BedAnswer, SeaPoint};

/// The sea above a bed. Its surface is drawn level, at the height of the origin.
pub(super) fn sea_above(bed: impl Answers<SeaPoint, BedAnswer> + Send + Sync + 'static) -> Scenery {
    let down = move |north: f64, east: f64| {
        let point = SeaPoint { position: [north, east, 0.0], ..SeaPoint::default() };
        bed.answer(Time::ZERO, &point).ok().map(|bed| bed.depth)
    };
    Scenery {
        ground: Ground::Surface(Surface::new(down)),
        sea: Some(Sea { surface: 0.0, bed: None }),
        ..Scenery::default()
    }
}
