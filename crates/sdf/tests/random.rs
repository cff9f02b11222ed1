//! Random trees of models, frames and includes: whatever refers to whatever, reading them comes back, and what is
//! read is finite and whole.

use std::path::{Path, PathBuf};

use ironbird_sdf::{Memory, Model, Sdf, load_from};
use proptest::prelude::*;

const NAMES: [&str; 6] = ["a", "b", "c", "a::b", "__model__", "world"];

/// What stands for the own name of a part until its place among the others is known.
const OWN: &str = "OWN";

/// Parts side by side, each with a name of its own.
fn side_by_side(parts: Vec<String>) -> String {
    let named = parts
        .iter()
        .enumerate()
        .map(|(number, part)| part.replace(OWN, ["b", "c", "d", "e"][number]));
    format!("<link name='a'/>{}", named.collect::<String>())
}

fn name() -> impl Strategy<Value = &'static str> {
    // Mostly names that can be right.
    prop_oneof![9 => 0..3usize, 1 => 0..NAMES.len()].prop_map(|index| NAMES[index])
}

fn pose() -> impl Strategy<Value = String> {
    let numbers = prop::array::uniform6(-3.0..3.0f64);
    prop_oneof![
        2 => Just(String::new()),
        3 => (numbers, name()).prop_map(|(x, to)| {
            let [x, y, z, r, p, w] = x;
            format!("<pose relative_to='{to}'>{x} {y} {z} {r} {p} {w}</pose>")
        }),
        1 => prop::array::uniform3(any::<f64>()).prop_map(|[x, y, z]| format!("<pose>{x} {y} {z} 0 0 0</pose>")),
    ]
}

fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => pose().prop_map(|pose| format!("<link name='{OWN}'>{pose}</link>")),
        2 => (name(), pose()).prop_map(|(to, pose)| {
            format!("<frame name='{OWN}' attached_to='{to}'>{pose}</frame>")
        }),
        2 => (name(), name(), pose()).prop_map(|(parent, child, pose)| format!(
            "<joint name='{OWN}' type='revolute'><parent>{parent}</parent><child>{child}</child>{pose}\
             <axis><xyz expressed_in='{parent}'>1 1 0</xyz></axis></joint>"
        )),
        2 => (0..4u8, any::<bool>(), pose()).prop_map(|(file, merge, pose)| {
            format!("<include merge='{merge}'><uri>f{file}</uri><name>{OWN}</name>{pose}</include>")
        }),
    ]
}

fn model() -> impl Strategy<Value = String> {
    let flat = prop::collection::vec(part(), 1..4).prop_map(side_by_side);
    flat.prop_recursive(3, 12, 3, |inner| {
        let nested = (name(), pose(), inner).prop_map(|(placed, pose, inner)| {
            format!("<model name='{OWN}' placement_frame='{placed}'>{pose}{inner}</model>")
        });
        prop::collection::vec(prop_oneof![part(), nested], 1..4).prop_map(side_by_side)
    })
}

fn is_whole(sdf: &Sdf) {
    let finite = |model: &Model| {
        let links = model.links.iter().map(|link| link.pose);
        let frames = model.frames.iter().map(|frame| frame.pose);
        let mut poses = links.chain(frames).chain([model.pose]);
        assert!(poses.all(|pose| pose.to_homogeneous().iter().all(|x| x.is_finite())));
        for joint in &model.joints {
            assert!(joint.parent == "world" || model.link(&joint.parent).is_some(), "{joint:?}");
            assert!(joint.child == "world" || model.link(&joint.child).is_some(), "{joint:?}");
            let axis = joint.axis.as_ref().expect("all have one");
            assert!((axis.xyz.norm() - 1.0).abs() < 1e-9);
        }
    };
    sdf.models.iter().for_each(finite);
    sdf.worlds.iter().flat_map(|world| &world.models).for_each(finite);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn models_that_refer_to_anything_come_back(models in prop::collection::vec(model(), 4)) {
        let file = |body: &String| format!("<sdf version='1.9'><model name='m'>{body}</model></sdf>").into_bytes();
        let files = models.iter().enumerate();
        let files = files.map(|(number, body)| (PathBuf::from(format!("f{number}/model.sdf")), file(body)));
        let files = Memory(files.collect());
        match load_from(&files, Path::new("f0/model.sdf"), &[]) {
            Ok(sdf) => is_whole(&sdf),
            Err(error) => assert!(!error.help.is_empty() && error.place.line > 0, "{error}"),
        }
    }
}

#[test]
fn many_of_the_random_models_are_right() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let right = (0..500).filter(|_| {
        let body = model().new_tree(&mut runner).expect("any").current();
        let text = format!("<sdf version='1.9'><model name='m'>{body}</model></sdf>");
        ironbird_sdf::parse(&text, "m.sdf").is_ok()
    });
    let right = right.count();
    assert!(right > 25, "only {right} of 500: the property above hardly sees a model");
}
