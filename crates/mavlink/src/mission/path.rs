//! Missions as those see them who draw them.

use ironbird_component::scenery::Path;
use ironbird_kinematics::{Geodetic, TangentPlane};
use mavlink::dialects::common::{MavCmd, MavFrame};

use super::{Place, Plan, PlanItem};

/// Commands that lead somewhere.
const LEADING: [MavCmd; 4] = [
    MavCmd::MAV_CMD_NAV_TAKEOFF,
    MavCmd::MAV_CMD_NAV_WAYPOINT,
    MavCmd::MAV_CMD_NAV_SPLINE_WAYPOINT,
    MavCmd::MAV_CMD_NAV_LAND,
];

impl Plan {
    /// The places that it leads to from home, which is taken for the origin of the scene. Where they are in degrees,
    /// the first of them is taken for home.
    pub(crate) fn path(&self, name: &str) -> Path {
        let home = self.items.iter().find_map(geodetic).map(TangentPlane::at);
        let mut last = [0.0; 2];
        let points = self.items.iter().filter(|item| leads_somewhere(item)).map(|item| {
            last = match (item.place, geodetic(item), &home) {
                (Place::FromHome { north, east }, ..) => [north, east],
                (_, Some(place), Some(home)) => {
                    let place = home.from_geodetic(place);
                    [place.x, place.y]
                }
                _ => last,
            };
            [last[0], last[1], -f64::from(item.z)]
        });
        Path { name: name.into(), points: points.collect(), ..Path::default() }
    }
}

/// The place of home, which ground stations write as the first item, has a height above the sea and leads nowhere.
fn leads_somewhere(item: &PlanItem) -> bool {
    LEADING.iter().any(|command| *command as u16 == item.command)
        && item.frame != MavFrame::MAV_FRAME_GLOBAL as u8
}

/// The place of an item in degrees; both 0 are no place.
fn geodetic(item: &PlanItem) -> Option<Geodetic> {
    match item.place {
        Place::Degrees { latitude, longitude } if [latitude, longitude] != [0.0; 2] => {
            let [latitude, longitude] = [latitude, longitude].map(f64::to_radians);
            Some(Geodetic { latitude, longitude, height: 0.0 })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_leads_from_home() {
        let text = "action,north,east,altitude,time\ntake-off,,,10,\nwaypoint,20,5,12,\ndelay,,,,3\nland,,,,\n";
        let path = Plan::parse(text).unwrap().path("square");
        assert_eq!(path.name, "square");
        assert_eq!(path.points, [[0.0, 0.0, -10.0], [20.0, 5.0, -12.0], [20.0, 5.0, 0.0]]);
    }

    #[test]
    fn the_first_place_of_a_plain_text_is_home() {
        let text = "QGC WPL 110\n\
                    0 1 0 16 0 0 0 0 47.3977 8.5456 488 1\n\
                    1 0 3 22 0 0 0 0 0 0 10 1\n\
                    2 0 3 16 0 0 0 0 47.3978799 8.5456 10 1\n";
        let points = Plan::parse(text).unwrap().path("").points;
        assert_eq!((points.len(), points[0]), (2, [0.0, 0.0, -10.0]));
        let [north, east, down] = points[1];
        assert!((north - 20.0).abs() < 0.1 && east.abs() < 0.1 && down == -10.0, "{points:?}");
    }
}
