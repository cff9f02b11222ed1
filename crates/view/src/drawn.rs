//! The scene, as a client has it: parts of components put together, outputs as numbers of signals.

use std::collections::BTreeMap;

use ironbird_component::scenery::{Body, Grid, Ground, Motion, Reading};
use ironbird_record::{ScenePart, body_names};
use serde_json::{Value, json};

use crate::protocol::{BodyShown, SceneShown, SignalShown};

/// What is drawn, and where the numbers in it come from.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// For the client.
    pub scene: SceneShown,
    /// The heights of the ground, if it has any.
    pub ground: Option<Grid>,
    /// How each body moves: component and outputs of it.
    pub motions: Vec<(String, Motion)>,
    /// Signals that the scene needs.
    pub needed: Vec<u32>,
    /// Sensors with beams: component and port.
    pub beams: Vec<(String, String)>,
}

/// Puts the parts of a scene together.
pub fn drawn(parts: &[ScenePart], signals: &[SignalShown]) -> Drawn {
    let mut drawn = Drawn::default();
    drawn.scene.ground = json!({ "kind": "none" });
    let mut finder = Finder::of(signals);
    let names = body_names(parts);
    let mut number = 0;
    for part in parts {
        surroundings(part, &mut drawn);
        let first = drawn.scene.bodies.len();
        for body in &part.scenery.bodies {
            let id = number as u16;
            let path = names.get(number).cloned().unwrap_or_default();
            number += 1;
            drawn.motions.push((part.component.clone(), body.motion.clone()));
            for beams in &body.sensors {
                drawn.scene.sensors.push(json!({
                    "body": id, "name": beams.name, "kind": "beams", "position": beams.position,
                    "directions": beams.directions, "most": beams.most
                }));
                drawn.beams.push((part.component.clone(), beams.distances.clone()));
            }
            let mut owners = drawn.scene.bodies[first..].iter_mut();
            match owners.find(|owner| !body.part_of.is_empty() && owner.name == body.part_of) {
                Some(owner) => owner.links.push(json!({
                    "name": body.name, "shapes": body.shapes, "body": id
                })),
                None => drawn.scene.bodies.push(body_shown(body, id, path, &mut finder)),
            }
        }
    }
    drawn.needed = finder.needed;
    drawn
}

/// What does not move.
fn surroundings(part: &ScenePart, drawn: &mut Drawn) {
    let (scenery, scene) = (&part.scenery, &mut drawn.scene);
    if let (Some([latitude, longitude, height]), None) = (scenery.origin, &scene.origin) {
        scene.origin =
            Some(json!({ "latitude": latitude, "longitude": longitude, "height": height }));
    }
    match &scenery.ground {
        Ground::None | Ground::Surface(_) => {}
        Ground::Plane { down } => scene.ground = json!({ "kind": "plane", "down": down }),
        Ground::Grid(grid) => {
            scene.ground = json!({ "kind": "grid" });
            drawn.ground = Some(grid.clone());
        }
    }
    scene.sea = scene.sea.or(scenery.sea);
    scene.fixed.extend(scenery.fixed.iter().cloned());
    scene.paths.extend(scenery.paths.iter().map(|path| {
        let name = if path.name.is_empty() { &part.component } else { &path.name };
        json!({ "name": name, "body": null, "points": path.points, "radius": path.radius })
    }));
    scene.cells.extend(scenery.cells.iter().cloned());
    if let (Some(road), None) = (&scenery.road, &scene.road) {
        scene.road = Some(road.clone());
    }
}

/// Finds signals, and keeps in mind which were needed.
struct Finder<'a> {
    numbers: BTreeMap<(&'a str, &'a str, &'a str), u32>,
    needed: Vec<u32>,
}

impl<'a> Finder<'a> {
    fn of(signals: &'a [SignalShown]) -> Self {
        let key = |signal: &'a SignalShown| {
            (signal.component.as_str(), signal.port.as_str(), signal.leaf.as_str())
        };
        let numbers = signals.iter().map(|signal| (key(signal), signal.id)).collect();
        Finder { numbers, needed: Vec::new() }
    }

    fn need(&mut self, reading: &Reading) -> Option<u32> {
        // Who knows the system has said where everything is read that can be.
        let Reading::At { component, port, leaf } = reading else { return None };
        let found = self.numbers.get(&(component.as_str(), port.as_str(), leaf.as_str())).copied();
        self.needed.extend(found);
        found
    }
}

fn body_shown(body: &Body, id: u16, path: String, finder: &mut Finder<'_>) -> BodyShown {
    let rotors: Vec<Value> = body
        .rotors
        .iter()
        .map(|rotor| {
            let signal = rotor.speed.as_ref().and_then(|speed| finder.need(speed));
            json!({ "position": rotor.position, "radius": rotor.radius, "turns": rotor.turns, "signal": signal })
        })
        .collect();
    let surfaces = body.surfaces.iter().filter_map(|surface| {
        Some(json!({ "name": surface.name, "signal": finder.need(&surface.deflection)? }))
    });
    let surfaces = surfaces.collect();
    let wheels = body.wheels.iter().map(|wheel| {
        let steer = wheel.steer.as_ref().and_then(|steer| finder.need(steer));
        json!({ "position": wheel.position, "radius": wheel.radius, "steer": steer })
    });
    let wheels = wheels.collect();
    let wind = body.wind.as_ref().and_then(|wind| {
        let [north, east, down] = wind.each_ref().map(|part| finder.need(part));
        Some([north?, east?, down?])
    });
    BodyShown {
        id,
        name: if body.name.is_empty() { path.clone() } else { body.name.clone() },
        path,
        kind: body.kind,
        size: body.size,
        shapes: body.shapes.clone(),
        surfaces,
        rotors,
        wheels,
        wind,
        links: Vec::new(),
    }
}
