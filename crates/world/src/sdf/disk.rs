//! How large the disk of a rotor is: what the shapes of its link sweep as it turns.
//!
//! Motors of SDF have no radius. The farthest point of a shape from the axis of rotation (z of the link) is found from
//! ellipsoids and points:
//!
//! ```text
//! max |P (c + A u)| ≤ |P c| + σ(P A)          |u| ≤ 1;  P: across the axis,  σ: the largest singular value
//! ```
//!
//! with equality for what is centred on the axis or round about a line along it. An end of a cylinder is an ellipsoid
//! of height zero.

use ironbird_sdf::{Disk, Geometry, Link};
use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

use super::notes::Notes;

/// The radius of the disk of a rotor on a link, in m, from its collisions, and where these have no size, from its
/// visuals; zero where there are neither.
pub(super) fn swept_radius(link: &Link, notes: &mut Notes) -> f64 {
    let touching: Vec<_> = link.collisions.iter().map(|c| (&c.pose, &c.geometry)).collect();
    let seen: Vec<_> = link.visuals.iter().map(|v| (&v.pose, &v.geometry)).collect();
    let mut widest = |shapes: Vec<(&Isometry3<f64>, &Geometry)>| {
        let reaches = shapes.into_iter().map(|(pose, shape)| reach(pose, shape, link, notes));
        reaches.fold(0.0, f64::max)
    };
    let radius = widest(touching);
    if radius > 0.0 { radius } else { widest(seen) }
}

/// How far a shape reaches from the axis; not at all where it has no end, or encloses nothing.
fn reach(pose: &Isometry3<f64>, shape: &Geometry, link: &Link, notes: &mut Notes) -> f64 {
    let round = |x: f64, y: f64, z: f64, radii: Vector3<f64>| {
        let centre = pose * Point3::new(x, y, z);
        let mut across = pose.rotation.to_rotation_matrix() * Matrix3::from_diagonal(&radii);
        across.row_mut(2).fill(0.0);
        centre.coords.xy().norm() + across.singular_values().max()
    };
    let ball = |z: f64, radius: f64| round(0.0, 0.0, z, Vector3::repeat(radius));
    let plate = |z: f64, radius: f64| round(0.0, 0.0, z, Vector3::new(radius, radius, 0.0));
    match shape {
        Geometry::Box(size) => {
            let corners = (0..8).map(|corner| {
                let side = |axis: usize| if corner >> axis & 1 == 0 { 0.5 } else { -0.5 };
                let at = Point3::new(side(0) * size.x, side(1) * size.y, side(2) * size.z);
                (pose * at).coords.xy().norm()
            });
            corners.fold(0.0, f64::max)
        }
        Geometry::Cylinder { radius, length } => {
            plate(0.5 * length, *radius).max(plate(-0.5 * length, *radius))
        }
        Geometry::Capsule { radius, length } => {
            ball(0.5 * length, *radius).max(ball(-0.5 * length, *radius))
        }
        Geometry::Cone { radius, length } => {
            plate(-0.5 * length, *radius).max(plate(0.5 * length, 0.0))
        }
        Geometry::Ellipsoid(radii) => round(0.0, 0.0, 0.0, *radii),
        Geometry::Sphere(radius) => ball(0.0, *radius),
        Geometry::Mesh(file) => match file.load(&Disk) {
            Ok(mesh) => {
                mesh.vertices.iter().map(|v| (pose * v).coords.xy().norm()).fold(0.0, f64::max)
            }
            Err(error) => {
                let text = format!("the rotor {} has no ground effect: {error}", link.name);
                notes.add(&link.place, text);
                0.0
            }
        },
        Geometry::Empty
        | Geometry::Plane { .. }
        | Geometry::Heightmap(_)
        | Geometry::Polylines(_) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn radius(shapes: &str) -> (f64, usize) {
        let text = format!(
            "<sdf version='1.9'><model name='m'><link name='rotor'>{shapes}</link></model></sdf>"
        );
        let sdf = ironbird_sdf::parse(&text, "rotor.sdf").unwrap();
        let mut notes = Notes::default();
        (swept_radius(&sdf.models[0].links[0], &mut notes), notes.warnings.len())
    }

    fn shape(kind: &str, pose: &str, geometry: &str) -> String {
        let geometry = format!("<geometry>{geometry}</geometry>");
        format!("<{kind} name='{kind}'><pose>{pose}</pose>{geometry}</{kind}>")
    }

    #[test]
    fn a_rotor_is_as_large_as_what_it_sweeps() {
        let quarter = "0 0 0 1.5707963267948966 0 0";
        for (pose, geometry, expected) in [
            ("0 0 0 0 0 0", "<cylinder><radius>0.1</radius><length>0.005</length></cylinder>", 0.1),
            // A blade: its corners count.
            ("0 0 0 0 0 0", "<box><size>0.24 0.1 0.001</size></box>", 0.13),
            // A rod across the axis, with its thickness.
            (quarter, "<cylinder><radius>0.005</radius><length>0.24</length></cylinder>", 0.125),
            (quarter, "<capsule><radius>0.01</radius><length>0.24</length></capsule>", 0.13),
            ("0.02 0 0 0 0 0", "<sphere><radius>0.1</radius></sphere>", 0.12),
            (quarter, "<ellipsoid><radii>0.1 0.01 0.2</radii></ellipsoid>", 0.2),
            ("0 0 0 0 0 0", "<cone><radius>0.1</radius><length>0.05</length></cone>", 0.1),
        ] {
            for kind in ["collision", "visual"] {
                let (found, warnings) = radius(&shape(kind, pose, geometry));
                assert!((found - expected).abs() < 1e-9, "{geometry}: {found}");
                assert_eq!(warnings, 0);
            }
        }
    }

    #[test]
    fn what_touches_comes_before_what_is_seen() {
        let ball = |r: &str| format!("<sphere><radius>{r}</radius></sphere>");
        let blade = shape("collision", "0 0 0 0 0 0", &ball("0.1"));
        let seen = shape("visual", "0 0 0 0 0 0", &ball("0.3"));
        assert_eq!(radius(&(blade + &seen)).0, 0.1);
        assert_eq!(radius(&seen).0, 0.3);
        assert_eq!(radius("").0, 0.0);
        let plane = shape("visual", "0 0 0 0 0 0", "<plane/>");
        assert_eq!(radius(&plane).0, 0.0, "without an end");
    }

    #[test]
    fn a_mesh_that_is_not_there_is_told() {
        let mesh = "<mesh><uri>model://nowhere/blade.stl</uri></mesh>";
        assert_eq!(radius(&shape("visual", "0 0 0 0 0 0", mesh)), (0.0, 1));
    }
}
