//! The lane of a road, from a file.

use std::path::PathBuf;
use std::sync::Arc;

use ironbird_component::scenery::{Ground, Road as DrawnRoad, Scenery};
use ironbird_component::{Answers, Component};
use ironbird_kernel::Time;

use super::file::Road;
use super::question::{RoadAnswer, RoadQuestion};

/// Distance between the points of an edge that is drawn, in m.
const DRAWN_EVERY: f64 = 4.0;

/// The lane of a road: straights, clothoids and arcs from a file.
///
/// It lies in the plane down = 0. Before its start and beyond its end it goes on straight.
#[derive(Clone, Component)]
#[component(
    type = "road.lane",
    provider,
    provides = fn(RoadQuestion) -> RoadAnswer,
    check = Self::check,
    changed = Self::prepare,
    scenery = Self::scenery
)]
pub struct RoadLane {
    /// The road file.
    #[parameter(fixed)]
    file: PathBuf,
    /// What was read; replicas share it.
    #[skip]
    road: Option<Arc<Road>>,
}

impl RoadLane {
    fn check(&self) -> Result<(), String> {
        if self.road.is_some() {
            return Ok(());
        }
        Road::read(&self.file).map(|_| ()).map_err(|problem| problem.to_string())
    }

    fn scenery(&self) -> Option<Scenery> {
        let road = self.road.as_ref()?;
        let edge = |offset: f64| road.line.beside(offset, DRAWN_EVERY);
        let (left, right) = (edge(-0.5 * road.width), edge(0.5 * road.width));
        let road = Some(DrawnRoad { left, right });
        Some(Scenery { road, ground: Ground::Plane { down: 0.0 }, ..Scenery::default() })
    }

    /// The file cannot change while running: what was read once stays. One that has vanished since it was
    /// checked leaves a road whose points are not numbers, at which `road.at` fails.
    fn prepare(&mut self) {
        if self.road.is_none() {
            self.road = Road::read(&self.file).ok().map(Arc::new);
        }
    }
}

impl Answers<RoadQuestion, RoadAnswer> for RoadLane {
    fn answer(&self, _: Time, question: &RoadQuestion) -> RoadAnswer {
        let Some(road) = &self.road else {
            return RoadAnswer { place: [f64::NAN; 2], offset: f64::NAN, ..RoadAnswer::default() };
        };
        let (point, offset) = match *question {
            RoadQuestion::Nearest { place, near } => road.line.nearest(place, near),
            RoadQuestion::Along(distance) => (road.line.at(distance), 0.0),
        };
        RoadAnswer {
            distance: point.distance,
            place: point.place,
            heading: point.heading,
            curvature: point.curvature,
            offset,
            width: road.width,
        }
    }
}
