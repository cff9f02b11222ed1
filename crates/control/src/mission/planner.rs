//! `mission.path-planner`: from a cell to the legs that lead there.

use std::path::PathBuf;

use ironbird_component::{Choice, Component};
use ironbird_kernel::{
    Atomic, Context, Duration, EventIn, EventOut, Inputs, Outputs, SignalIn, SignalOut,
};
use ironbird_kinematics::Leg;
use serde::{Deserialize, Serialize};

use super::area::{self, Cell, Polygon};
use super::dubins::Pose;
use super::plan::{Arrival, Plan, Rules};
use crate::fixed_wing::{Passing, Route, RoutePoint};

/// How cells are reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum ArrivalMode {
    /// Along the heading of the grid, or against it, whichever way is shorter.
    #[default]
    Parallel,
    /// By whichever course makes the shortest way.
    MinimumDistance,
}

/// What is flown after `abort`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum AbortMode {
    /// A circle that begins here.
    #[default]
    Circle,
    /// Straight on.
    HoldCourse,
}

/// Plans the way to a cell and shows it leg by leg.
///
/// The way is the shortest of Dubins' paths from the present place and course over ground, with turns of
/// `turn_radius`, cut into way-points that are at most `spacing` apart. It is planned when the next
/// position comes. A way-point is passed within `acceptance` of it, or abeam of it. After the last one the
/// vehicle circles there until something new is wanted. Between here and there the height changes evenly.
///
/// No way leads through a no-fly zone: other paths of Dubins, other courses of arrival where they are free,
/// and ways past the corners of zones are tried. Where none is found, `blocked` says so and the vehicle
/// circles where it is.
///
/// `rtl` leads home, where it circles, and `abort` leaves the plan; after both, `go` begins anew.
#[derive(Component)]
#[component(
    type = "mission.path-planner",
    event_driven,
    check = Self::check,
    changed = Self::prepare
)]
pub struct PathPlanner {
    /// Radius of turns and circles.
    #[parameter(unit = "m", default = 65.0, above = 0)]
    turn_radius: f64,
    /// Longest distance from way-point to way-point.
    #[parameter(unit = "m", default = 20.0, min = 1)]
    spacing: f64,
    /// How far a parallel arrival is straight, where that takes no loop.
    #[parameter(unit = "m", default = 30.0, min = 0)]
    run_in: f64,
    /// A way-point is passed within this horizontal distance.
    #[parameter(unit = "m", default = 5.0, min = 0)]
    acceptance: f64,
    /// How cells are reached.
    #[parameter(default = ArrivalMode::Parallel)]
    arrival: ArrivalMode,
    /// Direction of the rows of cells, clockwise from north.
    #[parameter(unit = "deg", default = 0.0, min = -360, max = 360)]
    heading: f64,
    /// Speed on all legs.
    #[parameter(unit = "m/s", default = 17.0, above = 0)]
    speed: f64,
    /// North and east of home.
    #[parameter(unit = "m", default = [0.0, 0.0])]
    home: [f64; 2],
    /// Height at which it goes home.
    #[parameter(unit = "m", default = 100.0)]
    home_height: f64,
    /// What is flown after `abort`.
    #[parameter(default = AbortMode::Circle)]
    on_abort: AbortMode,
    /// File of the corners of zones: `zone` (a number), `north`, `east`.
    #[parameter(default = PathBuf::new())]
    no_fly_zones: PathBuf,
    /// The cell to go to.
    #[input(unit = "north: m, east: m, height: m")]
    go: EventIn<Cell>,
    /// Return to launch.
    #[input]
    rtl: EventIn<u32>,
    /// Leave the plan.
    #[input]
    abort: EventIn<u32>,
    /// Position.
    #[input(unit = "m", frame = "ned", waking)]
    position: SignalIn<[f64; 3]>,
    /// Velocity over ground.
    #[input(unit = "m/s", frame = "ned")]
    velocity: SignalIn<[f64; 3]>,
    /// The leg to follow.
    #[output(unit = "from: m, to: m, speed: m/s", frame = "ned", initial = Leg::default())]
    leg: SignalOut<Leg>,
    /// North of where it goes.
    #[output(unit = "m", initial = 0.0)]
    target_north: SignalOut<f64>,
    /// East of where it goes.
    #[output(unit = "m", initial = 0.0)]
    target_east: SignalOut<f64>,
    /// How many targets there were; 0 while there is none, and after `abort`.
    #[output(initial = 0.0)]
    target: SignalOut<f64>,
    /// Length of the way that was planned last.
    #[output(unit = "m", initial = 0.0)]
    planned: SignalOut<f64>,
    /// No way was found that leaves the no-fly zones out; how often this was so.
    #[output]
    blocked: EventOut<u32>,
    #[skip]
    zones: Vec<Polygon>,
    wanted: Option<Wanted>,
    route: Route,
    /// What follows the route, for ever.
    circle: Vec<RoutePoint>,
    is_circling: bool,
    goal: Option<[f64; 2]>,
    targets: u32,
    length: f64,
    times_blocked: u32,
    is_blocked: bool,
    has_news: bool,
}

/// What was commanded and not planned yet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Wanted {
    Go { place: [f64; 2], height: f64 },
    Home,
    Abort,
}

/// Far enough that nobody flies there.
const FAR: f64 = 1e6;

impl PathPlanner {
    fn check(&self) -> Result<(), String> {
        self.read().map(drop)
    }

    /// A file that has vanished since it was checked is found missing by `check`.
    fn prepare(&mut self) {
        self.zones = self.read().unwrap_or_default();
    }

    fn read(&self) -> Result<Vec<Polygon>, String> {
        let file = &self.no_fly_zones;
        match file.as_os_str().is_empty() {
            true => Ok(Vec::new()),
            false => area::read_zones(file).map_err(|error| error.in_file(file)),
        }
    }

    fn rules(&self) -> Rules<'_> {
        let Self { turn_radius, spacing, run_in, zones, .. } = self;
        Rules { turn_radius: *turn_radius, spacing: *spacing, run_in: *run_in, zones }
    }

    /// Plans what is wanted from here.
    fn plan(
        &mut self,
        wanted: Wanted,
        position: [f64; 3],
        course: Option<f64>,
    ) -> Result<(), String> {
        let [north, east, down] = position;
        let place = [north, east];
        let towards = |goal: [f64; 2]| libm::atan2(goal[1] - east, goal[0] - north);
        let (goal, height, arrival) = match wanted {
            Wanted::Go { place: goal, height } => {
                let arrival = match self.arrival {
                    ArrivalMode::Parallel => Arrival::Parallel(self.heading.to_radians()),
                    ArrivalMode::MinimumDistance => Arrival::Any,
                };
                (goal, height, arrival)
            }
            Wanted::Home => (self.home, self.home_height, Arrival::Any),
            Wanted::Abort => {
                return self.leave(Pose { place, course: course.unwrap_or(0.0) }, down);
            }
        };
        // What stands still looks where it is to go.
        let from = Pose { place, course: course.unwrap_or_else(|| towards(goal)) };
        let Some(plan) = self.rules().plan(from, goal, arrival) else {
            self.is_blocked = true;
            self.times_blocked = self.times_blocked.saturating_add(1);
            return self.leave(from, down);
        };
        self.goal = Some(goal);
        self.targets = self.targets.saturating_add(1);
        self.follow(&plan, position, -height)
    }

    /// Leaves the plan at this height.
    fn leave(&mut self, from: Pose, down: f64) -> Result<(), String> {
        let position = [from.place[0], from.place[1], down];
        self.goal = None;
        let way = match self.on_abort {
            AbortMode::HoldCourse if !self.is_blocked => {
                let (sine, cosine) = libm::sincos(from.course);
                vec![[from.place[0] + FAR * cosine, from.place[1] + FAR * sine]]
            }
            _ => self.rules().circle(from),
        };
        let plan = Plan { circle: way.clone(), way, length: 0.0 };
        self.follow(&plan, position, down)
    }

    /// Begins the way of a plan, from the present height to that of its end.
    fn follow(&mut self, plan: &Plan, position: [f64; 3], down: f64) -> Result<(), String> {
        let speed = self.speed;
        let count = plan.way.len() as f64;
        let points = plan.way.iter().enumerate().map(|(number, [north, east])| {
            let part = (number + 1) as f64 / count;
            RoutePoint { place: [*north, *east, position[2] + part * (down - position[2])], speed }
        });
        let circle = plan.circle.iter();
        self.circle = circle
            .map(|[north, east]| RoutePoint { place: [*north, *east, down], speed })
            .collect();
        self.is_circling = false;
        self.length = plan.length;
        self.route.begin(points.collect(), position)
    }

    /// Passes way-points; whether the leg is another one.
    fn advance(&mut self, position: [f64; 3]) -> Result<bool, String> {
        if !self.route.has_begun() {
            return Ok(false);
        }
        let passing = Passing { acceptance: self.acceptance, repeat: self.is_circling };
        let passed = self.route.advance(position, &passing) > 0;
        if self.route.is_finished() && !self.is_circling {
            self.is_circling = true;
            let circle = std::mem::take(&mut self.circle);
            self.route.begin(circle, position)?;
        }
        Ok(passed)
    }

    fn take_position(&mut self, inputs: &Inputs<'_>) -> Result<(), String> {
        let (position, velocity) = (*inputs.signal(self.position), *inputs.signal(self.velocity));
        for (name, value) in [("position", position), ("velocity", velocity)] {
            if !value.iter().all(|x| x.is_finite()) {
                return Err(format!("the input \"{name}\" is {value:?}: it must be numbers"));
            }
        }
        self.has_news |= self.advance(position)?;
        if let Some(wanted) = self.wanted.take() {
            let moves = velocity[0] != 0.0 || velocity[1] != 0.0;
            let course = moves.then(|| libm::atan2(velocity[1], velocity[0]));
            self.plan(wanted, position, course)?;
            self.has_news = true;
        }
        Ok(())
    }
}

impl Atomic for PathPlanner {
    fn time_advance(&self) -> Duration {
        if self.has_news { Duration::ZERO } else { Duration::FOREVER }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        out.write(self.leg, self.route.leg());
        if let Some([north, east]) = self.goal {
            out.write(self.target_north, north);
            out.write(self.target_east, east);
        }
        out.write(self.target, if self.goal.is_some() { f64::from(self.targets) } else { 0.0 });
        out.write(self.planned, self.length);
        if self.is_blocked {
            out.send(self.blocked, self.times_blocked);
        }
    }

    fn internal(&mut self, _: &mut Context<'_>) {
        (self.has_news, self.is_blocked) = (false, false);
    }

    /// Of what comes at once, `abort` counts more than `rtl`, and that more than `go`.
    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        if let Some(cell) = inputs.events(self.go).last() {
            if !(cell.north.is_finite() && cell.east.is_finite() && cell.height.is_finite()) {
                return context
                    .fail(format!("the cell to go to is {cell:?}: it must be at numbers"));
            }
            self.wanted = Some(Wanted::Go { place: cell.place(), height: cell.height });
        }
        if inputs.events(self.rtl).next().is_some() {
            self.wanted = Some(Wanted::Home);
        }
        if inputs.events(self.abort).next().is_some() {
            self.wanted = Some(Wanted::Abort);
        }
        if inputs.is_written(self.position)
            && let Err(wrong) = self.take_position(inputs)
        {
            context.fail(wrong);
        }
    }
}
