//! Which height and speed a leg asks for.

use ironbird_component::Choice;
use ironbird_kinematics::Leg;
use serde::{Deserialize, Serialize};

use super::seen::not_a_number;
use crate::track::Track;

/// How the height goes from that of a leg's start to that of its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Choice)]
pub(super) enum HeightProfile {
    /// Evenly along the leg.
    #[default]
    Along,
    /// At once to that of the end.
    End,
}

/// What is to be held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LevelDemand {
    /// Height in m above the origin.
    pub height: f64,
    /// Climb over way.
    pub slope: f64,
    /// Airspeed in m/s.
    pub speed: f64,
}

/// The height that is held while there is no leg: where it was lost.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct HeldHeight(Option<f64>);

impl HeldHeight {
    /// What a leg asks for; without one, the height where it was lost and the speed `cruise`.
    pub fn demand(
        &mut self,
        leg: &Leg,
        (position, height): ([f64; 3], f64),
        profile: HeightProfile,
        cruise: f64,
    ) -> LevelDemand {
        if !leg.valid {
            let height = *self.0.get_or_insert(height);
            return LevelDemand { height, slope: 0.0, speed: cruise };
        }
        self.0 = None;
        let (start, end) = (-leg.from[2], -leg.to[2]);
        let track = Track::new([leg.from[0], leg.from[1]], [leg.to[0], leg.to[1]], position);
        let (height, slope) = match track.filter(|_| profile == HeightProfile::Along) {
            None => (end, 0.0),
            Some(track) => {
                let on_the_way = (0.0..track.length).contains(&track.along);
                let slope = if on_the_way { (end - start) / track.length } else { 0.0 };
                (start + track.part() * (end - start), slope)
            }
        };
        LevelDemand { height, slope, speed: leg.speed }
    }
}

/// What of a leg is not a number.
pub(super) fn not_a_leg(leg: &Leg) -> Option<String> {
    let wrong = || not_a_number(&[("leg", &leg.from), ("leg", &leg.to), ("leg", &[leg.speed])]);
    leg.valid.then(wrong).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn climb() -> Leg {
        let (from, to) = ([0.0, 0.0, -50.0], [200.0, 0.0, -70.0]);
        Leg { from, to, speed: 17.0, number: 0, valid: true }
    }

    fn at(north: f64, profile: HeightProfile) -> LevelDemand {
        HeldHeight::default().demand(&climb(), ([north, 3.0, 0.0], 0.0), profile, 15.0)
    }

    #[test]
    fn the_height_changes_evenly_along_a_leg() {
        let LevelDemand { height, slope, speed } = at(50.0, HeightProfile::Along);
        assert_eq!((height, slope, speed), (55.0, 0.1, 17.0));
        assert_eq!(at(-10.0, HeightProfile::Along).height, 50.0);
        let LevelDemand { height, slope, .. } = at(210.0, HeightProfile::Along);
        assert_eq!((height, slope), (70.0, 0.0));
    }

    #[test]
    fn or_it_is_that_of_the_end_at_once() {
        let LevelDemand { height, slope, .. } = at(50.0, HeightProfile::End);
        assert_eq!((height, slope), (70.0, 0.0));
    }

    #[test]
    fn without_a_leg_the_height_stays_where_it_was_lost() {
        let mut held = HeldHeight::default();
        for height in [60.0, 61.0] {
            let place = ([0.0; 3], height);
            let kept = held.demand(&Leg::default(), place, HeightProfile::Along, 15.0);
            assert_eq!(kept, LevelDemand { height: 60.0, slope: 0.0, speed: 15.0 });
        }
    }
}
