//! A drone on a smooth curve.

use std::sync::Arc;

use ironbird_component::Component;
use ironbird_kernel::{Periodic, QueryIn, SignalIn, SignalOut, Start, Step};
use ironbird_kinematics::{Mission, Motion};

use super::bed_follower::Following;
use super::spline_path::plan;
use super::travel::{NO_BED, Orders, TravelPorts};
use super::voyage::Voyage;

/// A drone that goes along a smooth curve through all way-points, at a given speed, whatever the current.
///
/// The curve is a cubic spline: its direction and curvature are continuous, and so are the rate of turn
/// and the acceleration of the drone.
///
/// It starts at the wanted speed, changes it by no more than `acceleration`, and stops at the end of the
/// mission. It points along its velocity through the water; a current that is too strong for that ends
/// the run. Depths are kept exactly; heights above the sea bed are followed behind by three times
/// `bed_time_constant`, and the drone stays at the surface where the water is less deep than that.
#[derive(Component)]
#[component(type = "drone.spline", periodic, rate = "1 kHz", start = Self::begin)]
pub struct Spline {
    /// Speed over ground; 0 m/s for those of the way-points.
    #[parameter(unit = "m/s", default = 0.0, min = 0)]
    speed: f64,
    /// Largest acceleration along the path.
    #[parameter(unit = "m/s^2", default = 0.2, above = 0)]
    acceleration: f64,
    /// Largest speed through the water.
    #[parameter(unit = "m/s", default = 20.0, above = 0)]
    max_water_speed: f64,
    /// Time constant with which a height above the sea bed is followed.
    #[parameter(unit = "s", default = 2.0, above = 0)]
    bed_time_constant: f64,
    /// Fastest steady climb or dive after the sea bed.
    #[parameter(unit = "m/s", default = 1.0, above = 0)]
    max_vertical_speed: f64,
    /// Where to go.
    #[query]
    mission: QueryIn<(), Arc<Mission>>,
    /// Velocity of the water around the drone.
    #[input(unit = "m/s", frame = "ned", default = [0.0; 3])]
    current: SignalIn<[f64; 3]>,
    /// How that changes with time, as the drone meets it on its way.
    #[input(unit = "m/s^2", frame = "ned", default = [0.0; 3])]
    current_acceleration: SignalIn<[f64; 3]>,
    /// Depth of the sea bed below the drone.
    #[input(unit = "m", default = NO_BED)]
    sea_bed: SignalIn<f64>,
    /// How it moves.
    #[output(
        unit = "position: m, velocity: m/s, acceleration: m/s^2, attitude: 1, angular_velocity: rad/s, distance: m",
        frame = "ned, angular_velocity: body"
    )]
    motion: SignalOut<Motion>,
    /// Whether it has stopped at the end of its mission.
    #[output]
    finished: SignalOut<bool>,
    /// Height above the sea bed; 0 m where none is linked.
    #[output(unit = "m")]
    height: SignalOut<f64>,
    voyage: Voyage,
}

impl Spline {
    fn begin(&mut self, start: &mut Start<'_>) {
        let mission = start.ask(self.mission, &());
        let (orders, ports) = (self.orders(), self.ports());
        self.voyage.begin(&mission, &orders, &ports, start, plan);
    }

    fn orders(&self) -> Orders {
        Orders {
            speed: self.speed,
            acceleration: self.acceleration,
            max_water_speed: self.max_water_speed,
            following: Following {
                time_constant: self.bed_time_constant,
                fastest: self.max_vertical_speed,
            },
        }
    }

    fn ports(&self) -> TravelPorts {
        TravelPorts {
            current: self.current,
            current_acceleration: self.current_acceleration,
            sea_bed: self.sea_bed,
            motion: self.motion,
            finished: self.finished,
            height: self.height,
        }
    }
}

impl Periodic for Spline {
    fn step(&mut self, step: &mut Step<'_>) {
        let (orders, ports) = (self.orders(), self.ports());
        self.voyage.step(self.mission, &orders, &ports, step, plan);
    }
}
