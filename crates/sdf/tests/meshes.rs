//! Meshes: each format with its ways of saying the same, and files that are broken.

use std::path::Path;

use ironbird_sdf::mesh::{Mesh, read};

fn mesh(name: &str, text: &str) -> Mesh {
    read(Path::new(name), text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

fn fails(name: &str, bytes: &[u8], what: &str) {
    let error = read(Path::new(name), bytes).expect_err(what).to_string();
    assert!(error.contains(what), "{error}\nlacks\n{what}");
    assert!(error.starts_with(name), "{error}");
}

/// Six times the volume that the triangles enclose; negative where they face inwards.
fn six_volumes(mesh: &Mesh) -> f64 {
    let corner = |index: u32| mesh.vertices[index as usize].coords;
    mesh.triangles.iter().map(|&[a, b, c]| corner(a).dot(&corner(b).cross(&corner(c)))).sum()
}

const TETRAHEDRON: &str = include_str!("files/models/frame_quad/meshes/tetrahedron.stl");

/// The tetrahedron in binary.
fn binary() -> Vec<u8> {
    let text = mesh("t.stl", TETRAHEDRON);
    let mut bytes = b"solid, in spite of its being binary".to_vec();
    bytes.resize(80, 0);
    bytes.extend((text.triangles.len() as u32).to_le_bytes());
    for triangle in &text.triangles {
        bytes.extend([0; 12]);
        for corner in triangle {
            for x in text.vertices[*corner as usize].iter() {
                bytes.extend((*x as f32).to_le_bytes());
            }
        }
        bytes.extend([0; 2]);
    }
    bytes
}

#[test]
fn stl_is_read_as_text_and_in_binary() {
    let text = mesh("t.stl", TETRAHEDRON);
    assert_eq!((text.vertices.len(), text.triangles.len()), (4, 4));
    assert_eq!(six_volumes(&text), 1.0);
    assert_eq!(text.parts[0].names, ["tetrahedron"]);
    let binary = read(Path::new("T.STL"), &binary()).expect("it is whole");
    assert_eq!((binary.vertices, binary.triangles), (text.vertices, text.triangles));
}

#[test]
fn broken_stl_is_refused() {
    let whole = binary();
    let mut cut = whole[..whole.len() - 1].to_vec();
    cut[..5].copy_from_slice(b"Solid");
    fails("t.stl", &cut, "the file has 283 bytes, but 284 are announced");
    fails("t.stl", b"", "this is not an STL file");
    fails("t.stl", b"solid\nendsolid", "the mesh has no triangles");
    fails("t.stl", b"solid\nvertex 0 0 x", "t.stl:2: a vertex is not three numbers");
    fails("t.stl", b"solid\nvertex 0 0 0", "the file ends within a facet");
    fails("t.stl", b"solid\nvertex 0 0 0\nendloop", "t.stl:3: a facet has 1 corners");
    let mut nan = whole.clone();
    nan[96..100].copy_from_slice(&f32::NAN.to_le_bytes());
    fails("t.stl", &nan, "triangle 0 has a corner that is not a number");
    fails("t.fbx", b"", "meshes of the format `fbx` are not read; convert it");
}

#[test]
fn obj_has_polygons_parts_and_numbers_from_the_end() {
    let squares = mesh("p.obj", include_str!("files/models/frame_quad/meshes/parts.obj"));
    assert_eq!((squares.vertices.len(), squares.triangles.len()), (8, 4));
    assert_eq!(squares.triangles, [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]);
    assert_eq!(squares.part("upper").expect("it is there").vertices[1].x, 2.0);
    assert_eq!(squares.part("middle"), None);
}

#[test]
fn broken_obj_is_refused() {
    fails("p.obj", b"v 0 0 0\nf 1 2 3", "p.obj:2: a face is not three or more of the 1 vertices");
    fails("p.obj", b"v 0 0", "p.obj:1: a vertex is not three numbers");
    fails("p.obj", b"v 0 0 0\nf 0 1 1", "a face is not");
    fails("p.obj", b"v 0 0 0\nf -9223372036854775808 1 1", "a face is not");
    fails("p.obj", b"v 0 0 nan", "a vertex is not three numbers");
}

/// A COLLADA file with four corners, these primitives, and this scene.
fn collada(asset: &str, primitives: &str, scene: &str) -> String {
    format!(
        "<?xml version='1.0'?>
         <COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>
         <asset>{asset}</asset>
         <library_geometries><geometry id='g' name='corner'><mesh>
           <source id='places'><float_array id='f' count='12'>0 0 0 1 0 0 0 1 0 0 0 1</float_array>
             <technique_common><accessor source='#f' count='4' stride='3'/></technique_common></source>
           <vertices id='v'><input semantic='POSITION' source='#places'/></vertices>
           {primitives}
         </mesh></geometry></library_geometries>{scene}</COLLADA>"
    )
}

const Z_UP: &str = "<unit name='meter' meter='1'/><up_axis>Z_UP</up_axis>";
const INPUTS: &str = "<input semantic='VERTEX' source='#v' offset='0'/>
    <input semantic='NORMAL' source='#n' offset='1'/>";

fn triangles() -> String {
    format!(
        "<triangles count='4'>{INPUTS}<p>0 0 2 0 1 0  0 1 1 1 3 1  0 2 3 2 2 2  1 3 2 3 3 3</p></triangles>"
    )
}

fn scene(nodes: &str) -> String {
    format!(
        "<library_visual_scenes><visual_scene id='s'>{nodes}</visual_scene></library_visual_scenes>
         <scene><instance_visual_scene url='#s'/></scene>"
    )
}

const INSTANCE: &str = "<instance_geometry url='#g'/>";

#[test]
fn collada_says_triangles_in_several_ways() {
    let polylist = format!(
        "<polylist count='2'>{INPUTS}<vcount>3 3</vcount><p>0 0 2 0 1 0  0 1 1 1 3 1</p></polylist>
         <polygons>{INPUTS}<p>0 2 3 2 2 2</p><p>1 3 2 3 3 3</p></polygons><polylist count='0'>{INPUTS}</polylist>"
    );
    let fans = format!(
        "<trifans>{INPUTS}<p>0 0 2 0 1 0</p><p>0 0 1 0 3 0 2 0</p></trifans>
         <tristrips>{INPUTS}<p>1 0 2 0 3 0</p></tristrips>"
    );
    for primitives in [triangles(), polylist, fans] {
        let read = mesh("a.dae", &collada(Z_UP, &primitives, ""));
        assert_eq!((read.vertices.len(), read.triangles.len()), (4, 4));
        assert_eq!(six_volumes(&read), 1.0, "{primitives}");
    }
}

#[test]
fn collada_places_geometries_by_nodes() {
    let nodes = format!(
        "<node id='n1' name='big'><translate>10 0 0</translate><rotate>0 0 1 90</rotate><scale>2 2 2</scale>{INSTANCE}
           <node name='inner'><matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix>{INSTANCE}</node></node>
         <node name='mirrored'><scale>1 1 -1</scale>{INSTANCE}</node>"
    );
    let read = mesh("a.dae", &collada(Z_UP, &triangles(), &scene(&nodes)));
    assert_eq!(read.triangles.len(), 12);
    let big = read.part("big").expect("it is there");
    // The corner (1, 0, 0), doubled, turned to y, moved.
    assert!(
        big.vertices
            .iter()
            .any(|v| (v.coords - nalgebra::Vector3::new(10.0, 2.0, 0.0)).norm() < 1e-12)
    );
    assert!((six_volumes(&big) - 8.0).abs() < 1e-9);
    let inner = read.part("inner").expect("it is there");
    assert!(
        inner
            .vertices
            .iter()
            .any(|v| (v.coords - nalgebra::Vector3::new(10.0, 10.0, 0.0)).norm() < 1e-12)
    );
    // A mirrored part still faces outwards.
    assert_eq!(six_volumes(&read.part("mirrored").expect("it is there")), 1.0);
    assert_eq!(read.part("corner").expect("by the geometry").triangles.len(), 12);
}

#[test]
fn collada_is_in_metres_with_z_up() {
    let top = |asset: &str| {
        let read = mesh(
            "a.dae",
            &collada(asset, &triangles(), &scene(&format!("<node>{INSTANCE}</node>"))),
        );
        read.vertices.iter().map(|vertex| vertex.coords).collect::<Vec<_>>()
    };
    // The corners are the origin and one step along each axis.
    assert_eq!(top("<unit meter='.01'/><up_axis>Z_UP</up_axis>")[3].as_slice(), [0.0, 0.0, 0.01]);
    assert_eq!(top("<up_axis>Y_UP</up_axis>")[2].as_slice(), [0.0, 0.0, 1.0]);
    assert_eq!(top("<up_axis>X_UP</up_axis>")[1].as_slice(), [0.0, 0.0, 1.0]);
}

#[test]
fn broken_collada_is_refused() {
    let with =
        |primitives: &str, nodes: &str| collada(Z_UP, primitives, &scene(nodes)).into_bytes();
    let node = format!("<node>{INSTANCE}</node>");
    fails("a.dae", b"<sdf/>", "the outermost element is <sdf>");
    fails(
        "a.dae",
        &with(&triangles(), "<node><instance_geometry url='#h'/></node>"),
        "there is no geometry h",
    );
    let far = format!("<triangles>{INPUTS}<p>0 0 1 0 4 0</p></triangles>");
    fails("a.dae", &with(&far, &node), "names a vertex that is not one of the 4");
    let short = format!("<polylist>{INPUTS}<vcount>4</vcount><p>0 0 1 0 2 0</p></polylist>");
    fails("a.dae", &with(&short, &node), "announces more corners than there are");
    fails("a.dae", &with("<triangles><p>0 1 2</p></triangles>", &node), "has no input VERTEX");
    fails(
        "a.dae",
        &with(&triangles(), "<node id='n'><instance_node url='#n'/></node>"),
        "without end",
    );
    fails("a.dae", &with("", &node), "the mesh has no triangles");
    fails(
        "a.dae",
        &with(
            &triangles(),
            &format!("<node><scale>1e308 1e308 1</scale><scale>9 9 1e308</scale>{INSTANCE}</node>"),
        ),
        "beyond all numbers",
    );
    let negative = collada("<unit meter='-1'/>", &triangles(), "");
    fails("a.dae", negative.as_bytes(), "the unit of the file is -1 m");
}
