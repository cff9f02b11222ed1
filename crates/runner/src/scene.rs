//! What of a system can be drawn.

use std::collections::BTreeSet;

use ironbird_component::PortDescription;
use ironbird_component::scenery::{Body, BodyKind, Ground, Motion, Reading, Scenery};
use ironbird_experiment::checked::{Act, Binding, Component, Link, PortAt, Scenario};
use ironbird_experiment::{Experiment, is_at_or_below};
use ironbird_kernel::{Parameter, PortKind, Time};
use ironbird_record::scene::Placing;
use ironbird_record::{ScenePart, body_names};

/// What a component calls the output that says how it moves, where it is a vehicle.
const MOTION: &str = "motion";

/// How far ground is drawn beyond what moves or is to be reached, as a part of that, and in m.
const AROUND: (f64, f64) = (0.2, 100.0);

/// Words in the names of types, what such a vehicle is, and how large it is drawn: length, width, height in m.
const KINDS: [(&str, BodyKind, [f64; 3]); 7] = [
    ("aircraft", BodyKind::Aircraft, [1.6, 2.0, 0.4]),
    ("multirotor", BodyKind::Multirotor, [0.5, 0.5, 0.15]),
    ("copter", BodyKind::Multirotor, [0.5, 0.5, 0.15]),
    ("drone", BodyKind::Underwater, [1.6, 0.3, 0.3]),
    ("submersible", BodyKind::Underwater, [1.6, 0.3, 0.3]),
    ("rover", BodyKind::Rover, [0.8, 0.6, 0.4]),
    ("car", BodyKind::Car, [4.5, 1.8, 1.5]),
];

/// What can be drawn of a scenario, component by component.
pub fn scene(experiment: &Experiment, scenario: usize) -> Vec<ScenePart> {
    let Some(scenario) = experiment.scenarios.get(scenario) else { return Vec::new() };
    let mut system = System { experiment, scenario, drawn: Vec::new() };
    system.drawn = system.look();
    system.resolve();
    system.follow();
    system.reach();
    system.put_ground();
    let parts = system.drawn.into_iter().map(|(number, scenery)| {
        let component = experiment.components[number].path.clone();
        ScenePart { component, scenery }
    });
    parts.collect()
}

/// What components say of themselves, on its way to what the system as a whole looks like.
struct System<'a> {
    experiment: &'a Experiment,
    scenario: &'a Scenario,
    /// Numbers of components, and what they look like.
    drawn: Vec<(usize, Scenery)>,
}

impl<'a> System<'a> {
    /// What all components say, save for those that do nothing.
    fn look(&self) -> Vec<(usize, Scenery)> {
        let components = self.experiment.components.iter().enumerate();
        let working = components.filter(|(number, _)| !self.is_idle(*number));
        let look = |component: &Component| match &component.interface.scenery {
            Some(scenery) => Some((**scenery).clone()),
            None => vehicle(component),
        };
        working.filter_map(|(number, component)| Some((number, look(component)?))).collect()
    }

    /// Whether a component is stopped at the start, or asked by nobody though it could be.
    fn is_idle(&self, number: usize) -> bool {
        let component = &self.experiment.components[number];
        let actions = self.scenario.actions.iter().filter(|timed| timed.at == Time::ZERO);
        let stopped = actions
            .flat_map(|timed| &timed.acts)
            .any(|act| matches!(act, Act::Stop(path) if is_at_or_below(&component.path, path)));
        let answers = component.interface.answers.is_some();
        stopped || (answers && !self.bindings().any(|binding| binding.provider.component == number))
    }

    /// Who asks whom: what the scenario says goes before what the system says.
    fn bindings(&self) -> impl Iterator<Item = &'a Binding> {
        let (scenario, experiment) = (self.scenario, self.experiment);
        let replaced: BTreeSet<&PortAt> = scenario.bindings.iter().map(|one| &one.asker).collect();
        let general = experiment.bindings.iter().filter(move |one| !replaced.contains(&one.asker));
        general.chain(&scenario.bindings)
    }

    fn links(&self) -> impl Iterator<Item = &'a Link> {
        self.experiment.links.iter().chain(&self.scenario.links)
    }

    /// Says of each number that changes at which output of the system it is read, as far as there is one.
    fn resolve(&mut self) {
        let mut drawn = std::mem::take(&mut self.drawn);
        for (number, scenery) in &mut drawn {
            let component = *number;
            for body in &mut scenery.bodies {
                body.readings(|reading| {
                    let (at, leaf) = match reading {
                        Reading::Output { port, leaf } => {
                            (PortAt { component, port: port.clone() }, leaf)
                        }
                        Reading::Input { port, leaf } => {
                            let to = PortAt { component, port: port.clone() };
                            let link = self.links().find(|link| link.to == to);
                            let Some(link) = link else { return };
                            (link.from.clone(), leaf)
                        }
                        Reading::At { .. } => return,
                    };
                    let component = self.experiment.components[at.component].path.clone();
                    *reading = Reading::At { component, port: at.port, leaf: std::mem::take(leaf) };
                });
            }
        }
        self.drawn = drawn;
    }

    /// Bodies that show the motion of others look like them, and stand for them.
    fn follow(&mut self) {
        let (mut leaders, mut looks) = (Vec::new(), Vec::new());
        for (follower, scenery) in &self.drawn {
            for (place, body) in scenery.bodies.iter().enumerate() {
                let Some(parameter) = &body.follows else { continue };
                let chosen = self.value_of(*follower, parameter);
                for link in self.links().filter(|link| link.to.component == *follower) {
                    let Some(leader) = self.body_that_moves(&link.from) else { continue };
                    leaders.push(link.from.component);
                    if chosen == Some(link.to.port.as_str()) {
                        looks.push((*follower, place, leader.clone()));
                    }
                }
            }
        }
        for (follower, place, look) in looks {
            let found = self.drawn.iter_mut().find(|(number, _)| *number == follower);
            if let Some(body) = found.and_then(|(_, scenery)| scenery.bodies.get_mut(place)) {
                let Body { name, motion, part_of, follows, .. } = std::mem::take(body);
                *body = Body { name, motion, part_of, follows, ..look };
            }
        }
        self.drawn.retain(|(number, _)| !leaders.contains(number));
    }

    /// The text that a parameter is at the start.
    fn value_of(&self, number: usize, parameter: &str) -> Option<&str> {
        let component = &self.experiment.components[number];
        let initial = self.scenario.initial.iter();
        let set = initial.filter(|(of, path, _)| (*of, path.as_str()) == (number, parameter));
        let known = component.description.parameters.iter().find(|known| known.path == parameter);
        let default = known.and_then(|known| known.default.as_ref()?.first());
        let given = component.settings.get(parameter);
        match set.map(|(.., value)| value).next_back().or(given).or(default)? {
            Parameter::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The body whose motion an output shows.
    fn body_that_moves(&self, output: &PortAt) -> Option<&Body> {
        let (_, scenery) = self.drawn.iter().find(|(number, _)| *number == output.component)?;
        scenery.bodies.iter().find(|body| body.motion == Motion::Whole(output.port.clone()))
    }

    /// Who follows the paths of another knows how close is close enough.
    fn reach(&mut self) {
        let reaches = self.drawn.iter().filter_map(|(asker, scenery)| {
            let binding = self.bindings().find(|binding| binding.asker.component == *asker)?;
            Some((binding.provider.component, scenery.reach?))
        });
        let reaches: Vec<(usize, f64)> = reaches.collect();
        for (provider, reach) in reaches {
            let found = self.drawn.iter_mut().filter(|(number, _)| *number == provider);
            for path in found.flat_map(|(_, scenery)| &mut scenery.paths) {
                path.radius = reach;
            }
        }
    }

    /// Ground that is known everywhere is drawn where something is to be reached.
    fn put_ground(&mut self) {
        let surfaces = self.drawn.iter().filter_map(|(_, scenery)| match &scenery.ground {
            Ground::Surface(surface) => Some(surface.clone()),
            _ => None,
        });
        let Some(surface) = surfaces.take(1).last() else { return };
        let (low, high) = self.extent();
        for (_, scenery) in &mut self.drawn {
            for path in scenery.paths.iter_mut().filter(|path| path.above_ground) {
                for [north, east, down] in &mut path.points {
                    *down += surface.down(*north, *east).unwrap_or(0.0);
                }
                path.above_ground = false;
            }
            if let Ground::Surface(known) = &scenery.ground {
                let grid = known.grid(low, high).filter(|_| *known == surface);
                scenery.ground = grid.map_or(Ground::None, Ground::Grid);
            }
        }
    }

    /// The corners of a rectangle around everything that is to be reached.
    fn extent(&self) -> ([f64; 2], [f64; 2]) {
        let (mut low, mut high) = ([0.0f64; 2], [0.0f64; 2]);
        for (_, scenery) in &self.drawn {
            let points = scenery.paths.iter().flat_map(|path| &path.points);
            let points = points.map(|[north, east, _]| [*north, *east]);
            let corners = scenery.cells.iter().flat_map(|cell| &cell.corners).copied();
            for point in points.chain(corners) {
                low = [0, 1].map(|axis| low[axis].min(point[axis]));
                high = [0, 1].map(|axis| high[axis].max(point[axis]));
            }
        }
        let widest = (high[0] - low[0]).max(high[1] - low[1]);
        let margin = AROUND.0 * widest + AROUND.1;
        (low.map(|side| side - margin), high.map(|side| side + margin))
    }
}

/// A component that is a vehicle: it shows how it moves, and its type says what it is.
fn vehicle(component: &Component) -> Option<Scenery> {
    let motion = moves(component)?;
    let named = |word: &str| component.type_name.split(['.', '-']).any(|part| part == word);
    let (_, kind, size) = KINDS.into_iter().find(|(word, ..)| named(word))?;
    let motion = Motion::Whole(motion.name.clone());
    let body = Body { kind, size, motion, ..Body::default() };
    Some(Scenery { bodies: vec![body], ..Scenery::default() })
}

fn moves(component: &Component) -> Option<&PortDescription> {
    let port = component.interface.output(MOTION)?;
    let whole = Motion::Whole(MOTION.into());
    let placing = Placing::new(&whole, |_| Some(port.value.schema()));
    placing.filter(|_| port.kind == PortKind::Signal).map(|_| port)
}

/// A body that moves.
pub struct Moving {
    /// The outputs that say how.
    pub outputs: Vec<PortAt>,
    /// What they say.
    pub placing: Placing,
    /// Its name in the scene.
    pub body: String,
}

/// The bodies of a scene whose outputs say how they move.
pub fn moving(experiment: &Experiment, scene: &[ScenePart]) -> Vec<Moving> {
    let bodies =
        scene.iter().flat_map(|part| part.scenery.bodies.iter().map(move |body| (part, body)));
    let moving = bodies.zip(body_names(scene)).filter_map(|((part, body), name)| {
        let number = experiment.components.iter().position(|c| c.path == part.component)?;
        let interface = &experiment.components[number].interface;
        let placing = Placing::new(&body.motion, |port| {
            let port = interface.output(port).filter(|port| port.kind == PortKind::Signal)?;
            Some(port.value.schema())
        });
        let outputs = body.motion.outputs().into_iter();
        let outputs =
            outputs.map(|port| PortAt { component: number, port: port.to_owned() }).collect();
        Some(Moving { outputs, placing: placing?, body: name })
    });
    moving.collect()
}
