//! Includes: where models are found, what an include changes, and how merged models fit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ironbird_sdf::{Disk, Files, Geometry, Memory, Sdf, SdfError, load, load_from};

fn files() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files")
}

fn memory(files: &[(&str, &str)], open: &str, search: &[&str]) -> Result<Sdf, SdfError> {
    let files: BTreeMap<_, _> =
        files.iter().map(|(name, text)| (PathBuf::from(name), text.as_bytes().to_vec())).collect();
    let search: Vec<PathBuf> = search.iter().map(PathBuf::from).collect();
    load_from(&Memory(files), Path::new(open), &search)
}

const LEAF: &str = "<sdf version='1.9'><model name='leaf'><link name='l'/></model></sdf>";

fn including(uri: &str) -> String {
    format!(
        "<sdf version='1.9'><world name='w'>\n<include><uri>{uri}</uri></include></world></sdf>"
    )
}

#[test]
fn a_merged_model_becomes_part_of_the_other() {
    let sdf = load(&files().join("models/quad/model.sdf"), &[]).unwrap_or_else(|e| panic!("{e}"));
    let quad = &sdf.models[0];
    let names: Vec<_> = quad.links.iter().map(|link| link.name.as_str()).collect();
    assert_eq!(names, ["base_link", "rotor_0", "gimbal::camera_link", "gimbal::base_link"]);
    // The pose of the merged model is kept.
    assert_eq!(quad.links[0].pose.translation.z, 0.2);
    assert!((quad.links[1].pose.translation.z - 0.26).abs() < 1e-12);
    // A pose in the frame of the merged model means that model.
    let mast = &quad.links[0].collisions[1];
    assert!((mast.pose.translation.z - 0.1).abs() < 1e-12);
    // The include is relative to a frame that came with it, and its pose replaces that of the file.
    let base = quad.link("gimbal::base_link").expect("it is there");
    assert!((base.pose.translation.x - 0.1).abs() < 1e-12);
    assert!((base.pose.translation.z - 0.15).abs() < 1e-12);
    assert!((base.pose.rotation.angle() - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    assert_eq!(quad.joint("gimbal_joint").expect("it is there").child, "gimbal::base_link");
    let pitch = quad.joint("gimbal::pitch_joint").expect("it is there");
    assert_eq!(
        (pitch.parent.as_str(), pitch.child.as_str()),
        ("gimbal::base_link", "gimbal::camera_link")
    );
    let axis = pitch.axis.as_ref().expect("one");
    assert_eq!((axis.upper, axis.velocity), (0.5, f64::INFINITY));
    let scopes: Vec<_> = quad.plugins.iter().map(|p| (p.class(), p.scope.as_str())).collect();
    assert_eq!(scopes, [("MulticopterMotorModel", ""), ("JointPositionController", "gimbal")]);
    assert_eq!(sdf.warnings.len(), 1, "{:?}", sdf.warnings);
}

#[test]
fn an_include_gives_name_pose_and_plugins() {
    let sdf = load(&files().join("worlds/field.sdf"), &[]).unwrap_or_else(|e| panic!("{e}"));
    let [_, one, two, _] = sdf.worlds[0].models.as_slice() else { panic!("four models") };
    assert_eq!((one.name.as_str(), one.pose.translation.z), ("one", 3.0));
    assert_eq!(one.plugins.last().expect("one").class(), "JointPositionController");
    assert!(one.plugins.iter().any(|plugin| plugin.class() == "Extra"));
    assert_eq!((two.pose.translation.x, two.pose.translation.z), (10.0, 1.0));
}

#[test]
fn a_mesh_is_loaded_as_its_collision_says() {
    let sdf = load(&files().join("worlds/field.sdf"), &[]).unwrap_or_else(|e| panic!("{e}"));
    let hull = &sdf.worlds[0].models[3].links[0];
    let part = hull.collisions.iter().find(|c| c.name == "part").expect("it is there");
    let Geometry::Mesh(file) = &part.geometry else { panic!("a mesh") };
    let mesh = file.load(&Disk).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (4, 2));
    // Centred, then doubled, then mirrored in z, so that triangles turn over.
    assert_eq!(mesh.vertices[0].coords.as_slice(), [-2.0, -2.0, 0.0]);
    assert_eq!(mesh.triangles[0], [0, 2, 1]);
}

#[test]
fn models_are_found_however_they_are_named() {
    let files = [("p/models/leaf/model.sdf", LEAF), ("p/x/other.sdf", LEAF)];
    for uri in [
        "model://leaf",
        "models://leaf",
        "package://leaf/model.sdf",
        "leaf",
        " model://leaf ",
        "../models/leaf",
        "../x/other.sdf",
        "file://../x/other.sdf",
        "model://le%61f",
    ] {
        let world = including(uri);
        let mut all = files.to_vec();
        all.push(("p/worlds/w.sdf", &world));
        let sdf = memory(&all, "p/worlds/w.sdf", &[]).unwrap_or_else(|e| panic!("{uri}: {e}"));
        assert_eq!(sdf.worlds[0].models[0].name, "leaf", "{uri}");
    }
    let world = including("file:///far/leaf/model.sdf");
    let far = [("/far/leaf/model.sdf", LEAF), ("p/w.sdf", &world)];
    assert!(memory(&far, "p/w.sdf", &[]).is_ok());
    let world = including("model://leaf");
    let elsewhere = [("/far/leaf/model.sdf", LEAF), ("p/w.sdf", &world)];
    assert!(memory(&elsewhere, "p/w.sdf", &[]).is_err());
    assert!(memory(&elsewhere, "p/w.sdf", &["/far"]).is_ok());
}

/// Files of a machine, as they are seen from a folder of it.
struct From(Memory, &'static str);

impl Files for From {
    fn is_file(&self, path: &Path) -> bool {
        self.0.is_file(&Path::new(self.1).join(path))
    }
    fn is_folder(&self, path: &Path) -> bool {
        self.0.is_folder(&Path::new(self.1).join(path))
    }
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        self.0.read(&Path::new(self.1).join(path))
    }
    fn current_folder(&self) -> Option<PathBuf> {
        Some(self.1.into())
    }
}

#[test]
fn models_are_found_from_whatever_folder_the_file_is_named() {
    let world = including("model://leaf");
    let files = [("/a/b/models/leaf/model.sdf", LEAF), ("/a/b/c/worlds/w.sdf", &world)];
    let files = files.map(|(name, text)| (PathBuf::from(name), text.as_bytes().to_vec()));
    for (here, name) in [
        ("/a/b/c/worlds", "w.sdf"),
        ("/a/b/c", "worlds/w.sdf"),
        ("/a/b/models", "../c/worlds/w.sdf"),
        ("/a/b/c/worlds/deeper/still", "../../w.sdf"),
        ("/", "a/b/c/worlds/w.sdf"),
        ("/x", "/a/b/c/worlds/w.sdf"),
    ] {
        let seen = From(Memory(files.clone().into()), here);
        let sdf = load_from(&seen, Path::new(name), &[]).unwrap_or_else(|e| panic!("{here}: {e}"));
        assert_eq!(sdf.worlds[0].models[0].name, "leaf", "{here}");
    }
}

#[test]
fn the_configuration_names_the_file_of_the_highest_version() {
    let config =
        "<model><sdf version='1.9'>nine.sdf</sdf><sdf version='1.10'>ten.sdf</sdf></model>";
    let ten = LEAF.replace("leaf", "ten");
    let world = including("model://leaf");
    let files = [
        ("models/leaf/model.config", config),
        ("models/leaf/nine.sdf", LEAF),
        ("models/leaf/ten.sdf", &ten),
        ("w.sdf", &world),
    ];
    let sdf = memory(&files, "w.sdf", &[]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(sdf.worlds[0].models[0].name, "ten");
}

#[test]
fn a_missing_include_says_where_it_was_looked_for() {
    let world = including("model://none");
    let error = memory(&[("p/w.sdf", &world)], "p/w.sdf", &["/extra"]).expect_err("it is missing");
    assert_eq!(error.place.line, 2);
    let text = error.to_string();
    for expected in
        ["p/w.sdf:2: the include model://none is not found", "\n  /extra/none", "\n  p/models/none"]
    {
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_circle_of_includes_is_spelled_out() {
    let model = |uri: &str| {
        format!(
            "<sdf version='1.9'><model name='m'><include><uri>{uri}</uri></include></model></sdf>"
        )
    };
    let (a, b) = (model("b"), model("model://a"));
    let files = [("m/a/model.sdf", a.as_str()), ("m/b/model.sdf", b.as_str())];
    let error = memory(&files, "m/a/model.sdf", &[]).expect_err("it never ends");
    let circle = "m/a/model.sdf includes m/b/model.sdf includes m/a/model.sdf";
    assert!(error.what.contains(circle), "{error}");
    assert_eq!(error.place.to_string(), "m/b/model.sdf:1");
}

#[test]
fn includes_that_double_at_every_level_come_to_an_end() {
    let two = |level: usize| {
        let include =
            |name: &str| format!("<include><uri>l{}</uri><name>{name}</name></include>", level + 1);
        let both = format!("{}{}", include("a"), include("b"));
        format!("<sdf version='1.9'><model name='m'>{both}</model></sdf>")
    };
    let mut files: BTreeMap<PathBuf, Vec<u8>> = (0..30)
        .map(|level| (format!("l{level}/model.sdf").into(), two(level).into_bytes()))
        .collect();
    files.insert("l30/model.sdf".into(), LEAF.into());
    let error = load_from(&Memory(files), Path::new("l0/model.sdf"), &[]).expect_err("too much");
    assert!(error.what.contains("more than 10000 includes"), "{error}");
}

#[test]
fn a_model_on_another_machine_is_missed_but_not_its_place() {
    let world = "<sdf version='1.9'><world name='w'>
        <include><uri> https://fuel.gazebosim.org/1.0/OpenRobotics/models/Coast Water </uri><name>park</name>
          <pose>0 0 5 0 0 0</pose></include>
        <include><uri>leaf</uri><pose relative_to='park'>1 0 0 0 0 0 <relative_to>x</relative_to></pose></include>
        </world></sdf>";
    let sdf = memory(&[("leaf/model.sdf", LEAF), ("w.sdf", world)], "w.sdf", &[]);
    let sdf = sdf.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(sdf.worlds[0].models.len(), 1);
    assert_eq!(sdf.worlds[0].models[0].pose.translation.vector.as_slice(), [1.0, 0.0, 5.0]);
    let lines: Vec<_> = sdf.warnings.iter().map(|warning| warning.line).collect();
    assert_eq!(lines, [4, 2], "{:?}", sdf.warnings);
}

const FUEL: &str = "<sdf version='1.9'>\n<include><pose>0 0 0 0 0 0</pose>\n\
    <uri>https://fuel.gazebosim.org/1.0/somebody/models/flyer</uri></include></sdf>";

#[test]
fn a_file_that_is_all_on_another_machine_says_so_and_what_to_do() {
    let error = memory(&[("flyer/model.sdf", FUEL)], "flyer/model.sdf", &[]).expect_err("nothing");
    assert_eq!(error.place.to_string(), "flyer/model.sdf:2");
    let text = error.to_string();
    for expected in [
        "all that the file has is https://fuel.gazebosim.org/1.0/somebody/models/flyer, which is not on this machine",
        "download the model into a folder flyer",
        "<uri>model://flyer</uri>",
    ] {
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn an_include_of_a_file_that_is_all_on_another_machine_is_left_out() {
    let world = including("model://flyer");
    let files = [("flyer/model.sdf", FUEL), ("w.sdf", &world)];
    let sdf = memory(&files, "w.sdf", &[]).unwrap_or_else(|e| panic!("{e}"));
    assert!(sdf.worlds[0].models.is_empty());
    let [warning] = sdf.warnings.as_slice() else { panic!("{:?}", sdf.warnings) };
    assert_eq!(warning.line, 2, "{warning}");
    assert!(warning.to_string().starts_with("flyer/model.sdf:2: https://fuel"), "{warning}");
    // A file with nothing in it is still an error.
    let files = [("flyer/model.sdf", "<sdf version='1.9'/>"), ("w.sdf", &world)];
    let error = memory(&files, "w.sdf", &[]).expect_err("nothing").to_string();
    assert!(error.contains("flyer/model.sdf has no model in it"), "{error}");
}

#[test]
fn a_model_is_merged_twice_and_by_a_frame_of_its_own() {
    let leg = |side: &str| {
        format!(
            "<sdf version='1.9'><model name='leg'>
               <link name='{side}_foot'><pose>0 0 -1 0 0 0</pose></link>
               <joint name='{side}_hip' type='revolute'><parent>body</parent><child>{side}_foot</child>
                 <pose relative_to='__model__'/><axis><xyz expressed_in='__model__'>0 1 0</xyz></axis></joint>
               <frame name='{side}_sole'><pose>0 0 -1.5 0 0 0</pose></frame>
             </model></sdf>"
        )
    };
    let body = "<sdf version='1.9'><model name='m'><link name='body'/>\
        <include merge='true'><uri>left</uri><pose degrees='1'>0 1 0 0 0 90</pose></include>\
        <include merge='true'><uri>right</uri><pose>0 -1 0 0 0 0</pose><placement_frame>right_sole</placement_frame></include>\
        </model></sdf>";
    let (left, right) = (leg("left"), leg("right"));
    let files = [("left/model.sdf", left.as_str()), ("right/model.sdf", &right), ("m.sdf", body)];
    let sdf = memory(&files, "m.sdf", &[]).unwrap_or_else(|e| panic!("{e}"));
    let m = &sdf.models[0];
    let at = |name: &str| m.link(name).expect(name).pose.translation.vector;
    assert_eq!(at("left_foot").as_slice(), [0.0, 1.0, -1.0]);
    // Its sole is where the include says, half a metre below its foot.
    assert_eq!(at("right_foot").as_slice(), [0.0, -1.0, 0.5]);
    let hip = m.joint("left_hip").expect("it is there");
    assert_eq!(hip.pose.translation.z, 0.0);
    let axis = hip.pose.rotation * hip.axis.as_ref().expect("one").xyz;
    assert!((axis - nalgebra::Vector3::new(-1.0, 0.0, 0.0)).norm() < 1e-12, "{axis}");
}
