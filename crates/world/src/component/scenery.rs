//! What a world looks like.

use ironbird_component::scenery::{
    Beams, Body, BodyKind, Grid, Ground, Motion, Placed, Reading, Scenery, Sea, Shape, Surface,
};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};

use crate::body_plan::{BodyPlan, Drive};
use crate::geometry::{Collider, Form, Heights};
use crate::scene::{Scene, VehiclePlan};
use crate::sensor::{SensorKind, SensorPlan};

/// Points of a ground that are drawn at most, along each of its sides.
const MOST_POINTS: usize = 257;
/// Beams of a sensor that are drawn at most.
const MOST_BEAMS: usize = 720;
/// Corners of a mesh that is drawn; larger ones are left out.
const MOST_CORNERS: usize = 20_000;
/// Bodies of a world that is drawn; of more, the first.
const MOST_BODIES: usize = 1000;

/// What can be drawn of a world.
pub fn scenery(scene: &Scene) -> Scenery {
    let mut drawn = Scenery {
        origin: scene.origin.map(|origin| {
            [origin.latitude.to_degrees(), origin.longitude.to_degrees(), origin.height]
        }),
        sea: Some(scene.weather.water.surface)
            .filter(|surface| surface.is_finite())
            .map(|surface| Sea { surface, bed: None }),
        ..Scenery::default()
    };
    for collider in &scene.fixed {
        match (&collider.form, &mut drawn.ground) {
            (Form::HalfSpace, ground @ Ground::None) if is_level(collider) => {
                *ground = Ground::Plane { down: collider.pose.translation.z };
            }
            (Form::HalfSpace, ground @ Ground::None) => *ground = slope(collider),
            (Form::HeightField(heights), ground @ (Ground::None | Ground::Plane { .. })) => {
                *ground = Ground::Grid(grid(heights, &collider.pose));
            }
            _ => drawn.fixed.extend(placed(collider)),
        }
    }
    if let (Some(sea), Ground::Plane { down }) = (&mut drawn.sea, &drawn.ground)
        && *down > sea.surface
    {
        sea.bed = Some(*down);
    }
    drawn.bodies = scene.vehicles.iter().take(MOST_BODIES).map(body).collect();
    drawn
}

fn is_level(collider: &Collider) -> bool {
    (collider.pose.rotation * Vector3::z()).z > 1.0 - 1e-9
}

/// A plane that is not level: n · (p - p₀) = 0, with n the direction out of it.
fn slope(collider: &Collider) -> Ground {
    let (normal, through) =
        (collider.pose.rotation * Vector3::z(), collider.pose.translation.vector);
    Ground::Surface(Surface::new(move |north, east| {
        let along = normal.x * (north - through.x) + normal.y * (east - through.y);
        Some(through.z - along / normal.z)
    }))
}

fn grid(heights: &Heights, pose: &Isometry3<f64>) -> Grid {
    let stride = |count: usize| count.div_ceil(MOST_POINTS).max(1);
    let (by_row, by_column) = (stride(heights.rows), stride(heights.columns));
    let rows: Vec<usize> = (0..heights.rows).step_by(by_row).collect();
    let columns: Vec<usize> = (0..heights.columns).step_by(by_column).collect();
    let step = |size: f64, count: usize| size / (count.max(2) - 1) as f64;
    let (north, east) =
        (step(heights.size[0], heights.rows), step(heights.size[1], heights.columns));
    let first = pose.translation.vector;
    let down = rows.iter().flat_map(|row| {
        let line = &heights.z[row * heights.columns..];
        columns.iter().map(move |column| (line[*column] + first.z) as f32)
    });
    Grid {
        rows: rows.len() as u32,
        columns: columns.len() as u32,
        first: [first.x - 0.5 * heights.size[0], first.y - 0.5 * heights.size[1]],
        step: [north * by_row as f64, east * by_column as f64],
        down: down.collect(),
    }
}

fn body(vehicle: &VehiclePlan) -> Body {
    let plan = &vehicle.body;
    let mut drawn = match &plan.drive {
        Drive::Vehicle(vehicle) => vehicle.look(),
        Drive::Inert(_) | Drive::Jointed(_) | Drive::Outside => Body::default(),
    };
    let port = |name: &str| format!("{}.{name}", plan.name);
    drawn.name.clone_from(&plan.name);
    drawn.motion = Motion::Whole(port("motion"));
    drawn.wind = Some(
        ["[0]", "[1]", "[2]"]
            .map(|leaf| Reading::Output { port: "wind".into(), leaf: leaf.into() }),
    );
    drawn.rename_ports(port);
    drawn.shapes = match drawn.kind {
        BodyKind::Object => {
            plan.colliders.iter().filter(|c| c.link == 0).filter_map(placed).collect()
        }
        // Vehicles look like vehicles, not like what they touch things with.
        _ => Vec::new(),
    };
    if drawn.size == [0.0; 3] {
        drawn.size = extent(plan);
    }
    drawn.sensors =
        vehicle.sensors.iter().filter_map(|sensor| beams(sensor, &port(&sensor.name))).collect();
    drawn
}

/// How far its shapes reach.
fn extent(plan: &BodyPlan) -> [f64; 3] {
    let mut size = [0.0f64; 3];
    for collider in plan.colliders.iter().filter(|collider| collider.link == 0) {
        for (axis, size) in size.iter_mut().enumerate() {
            let corners = collider
                .corners
                .iter()
                .map(|corner| collider.pose * nalgebra::Point3::from(*corner));
            let reach = corners.map(|corner| corner[axis].abs()).fold(0.0, f64::max);
            *size = size.max(2.0 * reach);
        }
    }
    size.map(|length| if length > 0.0 { length } else { 0.3 })
}

fn placed(collider: &Collider) -> Option<Placed> {
    let shape = match &collider.form {
        Form::Box { half } => Shape::Box { size: (2.0 * half).into() },
        Form::Sphere { radius } => Shape::Sphere { radius: *radius },
        Form::Cylinder { radius, half_length } | Form::Cone { radius, half_length } => {
            Shape::Cylinder { radius: *radius, length: 2.0 * half_length }
        }
        Form::Capsule { radius, half_length } => {
            Shape::Capsule { radius: *radius, length: 2.0 * half_length }
        }
        Form::Ellipsoid { radii } => Shape::Box { size: (2.0 * radii).into() },
        Form::Hull { points } => around(points)?,
        Form::Mesh { points, triangles } if points.len() <= MOST_CORNERS => Shape::Mesh {
            points: points.iter().map(|point| (*point).into()).collect(),
            triangles: triangles.clone(),
        },
        Form::Mesh { .. } | Form::HalfSpace | Form::HeightField(_) => return None,
    };
    let position = collider.pose.translation.vector.into();
    Some(Placed { shape, position, attitude: quaternion(&collider.pose.rotation) })
}

/// The box around points about their origin.
fn around(points: &[Vector3<f64>]) -> Option<Shape> {
    let reach =
        points.iter().fold(Vector3::zeros(), |most: Vector3<f64>, point| most.sup(&point.abs()));
    (reach.min() > 0.0).then(|| Shape::Box { size: (2.0 * reach).into() })
}

fn quaternion(q: &UnitQuaternion<f64>) -> [f64; 4] {
    [q.w, q.i, q.j, q.k]
}

fn beams(sensor: &SensorPlan, distances: &str) -> Option<Beams> {
    let (directions, most) = match &sensor.kind {
        SensorKind::Range { within, .. } => (vec![Vector3::x()], within.1),
        SensorKind::Lidar { columns, rows, within, .. } => {
            let count = columns.count as usize * rows.count as usize;
            if count > MOST_BEAMS || sensor.link != 0 {
                return None;
            }
            let all = |row| (0..columns.count).map(move |column| (row, column));
            let rays = (0..rows.count).flat_map(all);
            let rays = rays.map(|(row, column)| {
                let (up, turn) = (rows.angle(row), columns.angle(column));
                let level = libm::cos(up);
                Vector3::new(level * libm::cos(turn), level * libm::sin(turn), -libm::sin(up))
            });
            (rays.collect(), within.1)
        }
        _ => return None,
    };
    Some(Beams {
        name: sensor.name.clone(),
        position: sensor.pose.translation.vector.into(),
        directions: directions.iter().map(|ray| (sensor.pose.rotation * ray).into()).collect(),
        most,
        distances: distances.to_owned(),
    })
}
