//! How things look, as a message of Foxglove's schema `foxglove.SceneUpdate`, in JSON.

use ironbird_component::scenery::{Body, BodyKind, Ground, Placed, Scenery, Shape};
use serde_json::{Value, json};

use super::frames::{swap, turn};
use super::{ROOT, ScenePart, body_name};

/// How far a level ground without an end is drawn, in m.
const GROUND: f64 = 1000.0;
/// How lines are joined, by the numbers of `foxglove.LineType`.
const LINE_STRIP: u8 = 0;
const LINE_LOOP: u8 = 1;

/// The message that shows how everything looks.
pub fn entities(parts: &[ScenePart]) -> String {
    let mut entities = Vec::new();
    for part in parts {
        let scenery = &part.scenery;
        let mut fixed = Primitives { in_world: true, ..Primitives::default() };
        fixed.ground(&scenery.ground);
        if let Some(sea) = scenery.sea {
            fixed.plane(sea.surface, [0.2, 0.5, 0.7, 0.4]);
        }
        for placed in &scenery.fixed {
            fixed.placed(placed, [0.55, 0.55, 0.55, 1.0]);
        }
        fixed.mission(scenery);
        entities.push(fixed.entity(ROOT, &format!("{}, fixed", part.component)));
        for body in &scenery.bodies {
            let name = body_name(&part.component, &body.name);
            let mut shapes = Primitives::default();
            shapes.body(body);
            entities.push(shapes.entity(&name, &name));
        }
    }
    json!({ "deletions": [], "entities": entities }).to_string()
}

#[derive(Default)]
struct Primitives {
    /// Places are north, east, down; otherwise those of a body.
    in_world: bool,
    cubes: Vec<Value>,
    spheres: Vec<Value>,
    cylinders: Vec<Value>,
    lines: Vec<Value>,
    triangles: Vec<Value>,
}

impl Primitives {
    fn entity(self, frame: &str, id: &str) -> Value {
        json!({
            "timestamp": { "sec": 0, "nsec": 0 }, "frame_id": frame, "id": id,
            "lifetime": { "sec": 0, "nsec": 0 }, "frame_locked": true, "metadata": [],
            "arrows": [], "cubes": self.cubes, "spheres": self.spheres, "cylinders": self.cylinders,
            "lines": self.lines, "triangles": self.triangles, "texts": [], "models": []
        })
    }

    fn ground(&mut self, ground: &Ground) {
        match ground {
            Ground::None | Ground::Surface(_) => {}
            Ground::Plane { down } => self.plane(*down, [0.45, 0.55, 0.4, 1.0]),
            Ground::Grid(grid) => {
                let (rows, columns) = (grid.rows as usize, grid.columns as usize);
                let mut points = Vec::new();
                for row in 0..rows {
                    for column in 0..columns {
                        let north = grid.first[0] + grid.step[0] * row as f64;
                        let east = grid.first[1] + grid.step[1] * column as f64;
                        let down = grid.down.get(row * columns + column).copied().unwrap_or(0.0);
                        points.push([north, east, f64::from(down)]);
                    }
                }
                let mut triangles = Vec::new();
                for row in 1..rows {
                    for column in 1..columns {
                        let [a, b] = [row - 1, row].map(|row| (row * columns + column - 1) as u32);
                        triangles.push([a, a + 1, b]);
                        triangles.push([b, a + 1, b + 1]);
                    }
                }
                let place = Placed {
                    shape: Shape::Mesh { points, triangles },
                    position: [0.0; 3],
                    attitude: [1.0, 0.0, 0.0, 0.0],
                };
                self.placed(&place, [0.45, 0.55, 0.4, 1.0]);
            }
        }
    }

    /// A level plane: a flat box whose upper side is there.
    fn plane(&mut self, down: f64, colour: [f64; 4]) {
        let shape = Shape::Box { size: [GROUND, GROUND, 0.02] };
        let (position, attitude) = ([0.0, 0.0, down + 0.01], [1.0, 0.0, 0.0, 0.0]);
        self.placed(&Placed { shape, position, attitude }, colour);
    }

    /// What is to be reached, and the areas of a mission.
    fn mission(&mut self, scenery: &Scenery) {
        for path in &scenery.paths {
            self.line(LINE_STRIP, &path.points, [0.8, 0.47, 0.65, 1.0]);
        }
        for cell in &scenery.cells {
            let corners: Vec<[f64; 3]> = cell.corners.iter().map(|[n, e]| [*n, *e, 0.0]).collect();
            self.line(LINE_LOOP, &corners, [0.94, 0.89, 0.26, 1.0]);
        }
    }

    /// A line through places of the world, two pixels wide.
    fn line(&mut self, joined: u8, places: &[[f64; 3]], colour: [f64; 4]) {
        let points: Vec<Value> = places.iter().map(|place| vector(swap(*place))).collect();
        self.lines.push(json!({
            "type": joined, "pose": pose([0.0; 3], [1.0, 0.0, 0.0, 0.0]), "thickness": 2.0, "scale_invariant": true,
            "points": points, "color": color(colour), "colors": [], "indices": []
        }));
    }

    fn body(&mut self, body: &Body) {
        let colour = match body.kind {
            BodyKind::Multirotor | BodyKind::Aircraft => [0.0, 0.45, 0.7, 1.0],
            BodyKind::Underwater => [0.9, 0.62, 0.0, 1.0],
            BodyKind::Rover | BodyKind::Car | BodyKind::CartPole => [0.84, 0.37, 0.0, 1.0],
            BodyKind::Object => [0.6, 0.6, 0.6, 1.0],
        };
        for placed in &body.shapes {
            self.placed(placed, colour);
        }
        let shape = Shape::Box { size: body.size.map(|length| length.max(0.01)) };
        if body.shapes.is_empty() {
            let (position, attitude) = ([0.0; 3], [1.0, 0.0, 0.0, 0.0]);
            self.placed(&Placed { shape, position, attitude }, colour);
        }
        for rotor in body.rotors.iter().filter(|rotor| rotor.radius > 0.0) {
            let shape = Shape::Cylinder { radius: rotor.radius, length: 0.01 };
            let (position, attitude) = (rotor.position, [1.0, 0.0, 0.0, 0.0]);
            self.placed(&Placed { shape, position, attitude }, [0.2, 0.2, 0.2, 0.5]);
        }
    }

    /// A shape of the world, or of a body, which has y to port and z up here. So have the shapes themselves.
    fn placed(&mut self, placed: &Placed, colour: [f64; 4]) {
        let (position, attitude) = match self.in_world {
            true => (swap(placed.position), turn(placed.attitude)),
            false => {
                let ([x, y, z], [w, i, j, k]) = (placed.position, placed.attitude);
                ([x, -y, -z], [w, i, -j, -k])
            }
        };
        self.shape(&placed.shape, pose(position, attitude), color(colour));
    }

    fn shape(&mut self, shape: &Shape, pose: Value, color: Value) {
        match shape {
            Shape::Box { size } => {
                self.cubes.push(json!({ "pose": pose, "size": vector(*size), "color": color }));
            }
            Shape::Sphere { radius } => {
                let size = vector([2.0 * radius; 3]);
                self.spheres.push(json!({ "pose": pose, "size": size, "color": color }));
            }
            Shape::Cylinder { radius, length } | Shape::Capsule { radius, length } => {
                let size = vector([2.0 * radius, 2.0 * radius, *length]);
                self.cylinders.push(json!({ "pose": pose, "size": size, "color": color,
                    "bottom_scale": 1.0, "top_scale": 1.0 }));
            }
            Shape::Mesh { points, triangles } => {
                let points: Vec<Value> =
                    points.iter().map(|[x, y, z]| vector([*x, -y, -z])).collect();
                let indices: Vec<u32> = triangles.iter().flatten().copied().collect();
                self.triangles.push(json!({ "pose": pose, "points": points, "color": color,
                    "colors": [], "indices": indices }));
            }
        }
    }
}

fn vector([x, y, z]: [f64; 3]) -> Value {
    json!({ "x": x, "y": y, "z": z })
}

fn pose(position: [f64; 3], [w, x, y, z]: [f64; 4]) -> Value {
    json!({ "position": vector(position), "orientation": { "x": x, "y": y, "z": z, "w": w } })
}

fn color([r, g, b, a]: [f64; 4]) -> Value {
    json!({ "r": r, "g": g, "b": b, "a": a })
}
