//! Files that are wrong in one way each: the message says where, what, and what to do.

use ironbird_sdf::{SdfError, parse};

fn error(text: &str) -> SdfError {
    parse(text, "b.sdf").expect_err(text)
}

/// The error of a model with these contents; line 2 is the first of them.
fn of_model(body: &str) -> SdfError {
    error(&format!("<sdf version='1.9'><model name='m'>\n{body}</model></sdf>"))
}

/// The error of a link with these contents.
fn of_link(body: &str) -> SdfError {
    of_model(&format!("<link name='l'>{body}</link>"))
}

fn says(error: &SdfError, line: u32, what: &str) {
    let text = error.to_string();
    assert!(text.contains(what), "{text}\nlacks\n{what}");
    assert_eq!(error.place.line, line, "{text}");
    assert!(!error.help.is_empty());
}

#[test]
fn texts_that_are_not_xml() {
    says(&error(""), 1, "the file has no element");
    says(
        &error("<sdf version='1.9'>\n<model name='m'>\n"),
        2,
        "<model> is never closed; add </model>",
    );
    says(&error("<sdf version='1.9'>\n<model name='m'>\n</sdf>"), 3, "this is not XML");
    says(&error("<sdf version='1.9' version='1.8'></sdf>"), 1, "this is not XML");
    says(&error("<sdf version='1.9'>\n<model name=m></model></sdf>"), 2, "this is not XML");
    says(&error("<sdf version='1.9'>\n</sdf>\n<sdf/>"), 3, "second element");
    says(&error("hello"), 1, "text outside");
    let deep = format!("<sdf version='1.9'>{}{}</sdf>", "<a>".repeat(200), "</a>".repeat(200));
    says(&error(&deep), 1, "nested more than 100 deep");
}

#[test]
fn bytes_that_are_not_text() {
    let files = ironbird_sdf::Memory([("b.sdf".into(), b"<sdf>\n\xff\xfe</sdf>".to_vec())].into());
    let error = ironbird_sdf::load_from(&files, "b.sdf".as_ref(), &[]).expect_err("not text");
    says(&error, 2, "the text is not UTF-8; save the file with the encoding UTF-8");
}

#[test]
fn entity_bombs() {
    let bomb = "<?xml version='1.0'?>\n<!DOCTYPE sdf [\n<!ENTITY a 'ha'>\n<!ENTITY b '&a;&a;&a;'>\n]>\n\
                <sdf version='1.9'>&b;</sdf>";
    says(&error(bomb), 2, "declares entities; write what they stand for");
    says(
        &error("<sdf version='1.9'>\n&bomb;</sdf>"),
        2,
        "the entity &bomb; is not one of XML's own",
    );
    let fine =
        "<!DOCTYPE sdf><sdf version='1.9'><model name='m&amp;&#65;'><link name='l'/></model></sdf>";
    assert_eq!(parse(fine, "fine.sdf").expect("no bomb").models[0].name, "m&A");
}

#[test]
fn files_that_are_something_else() {
    says(&error("<robot name='r'/>"), 1, "the outermost element is <robot>; this is URDF");
    says(&error("<sdf/>"), 1, "the version is ``");
    says(&error("<sdf version='1.2'/>"), 1, "version 1.2 is too old");
    says(&error("<sdf version='1.9'/>"), 1, "neither a world nor a model");
}

#[test]
fn numbers_that_are_none() {
    says(&of_link("<pose>0 0 NaN 0 0 0</pose>"), 2, "<pose> is not finite numbers: 0 0 NaN 0 0 0");
    says(&of_link("<pose>0 0 inf 0 0 0</pose>"), 2, "<pose> is not finite numbers");
    says(&of_link("<pose>0 0 0 0 0</pose>"), 2, "<pose> has 5 numbers: 0 0 0 0 0; write 6 numbers");
    says(&of_link("<pose>1e300 0 0 0 0 0</pose>"), 2, "a place within 1e12 m");
    says(
        &of_link("<pose rotation_format='quat_xyzw'>0 0 0 0 0 0 0</pose>"),
        2,
        "quaternion is zero",
    );
    says(
        &of_link("<pose rotation_format='matrix'>0</pose>"),
        2,
        "rotation_format `matrix` is not known",
    );
    says(&of_link("<gravity>maybe</gravity>"), 2, "<gravity> is not true, false, 1 or 0: maybe");
    says(&of_link("<inertial><mass>heavy</mass></inertial>"), 2, "<mass> is not a number: heavy");
    let twice = "<collision name='c'><geometry><box><size>1 1</size></box></geometry></collision>";
    says(&of_link(twice), 2, "<size> has 2 numbers");
}

#[test]
fn masses_that_no_body_has() {
    let inertial = |text: &str| of_link(&format!("<inertial>{text}</inertial>"));
    says(&inertial("<mass>-1</mass>"), 2, "the mass is -1; write a mass above zero");
    says(&inertial("<mass>0</mass>"), 2, "the mass is 0");
    says(&inertial("<mass>nan</mass>"), 2, "<mass> is not a number: nan");
    says(&inertial("<inertia><ixx>0</ixx></inertia>"), 2, "ixx is 0");
    says(&inertial("<inertia><ixy>2</ixy></inertia>"), 2, "not positive definite");
    // A static model may have no mass, but not a negative one.
    let fixed = "<sdf version='1.9'><model name='m'><static>1</static><link name='l'>\
                 <inertial><mass>-1</mass></inertial></link></model></sdf>";
    says(&error(fixed), 1, "the mass is -1");
}

#[test]
fn shapes_that_cannot_be() {
    let shape = |text: &str| {
        of_link(&format!("<collision name='c'><geometry>{text}</geometry></collision>"))
    };
    says(&shape("<box><size>1 -1 1</size></box>"), 2, "<size> has a negative number: -1");
    says(&shape("<sphere><radius>-1</radius></sphere>"), 2, "<radius> is negative: -1");
    says(&shape("<plane><normal>0 0 0</normal></plane>"), 2, "<normal> has no direction: 0 0 0");
    says(&shape("<mesh/>"), 2, "the mesh names no file");
    says(&shape("<mesh><uri>a.stl</uri></mesh>"), 2, "the file a.stl of a collision is not found");
    says(&shape("<polyline><point>0 0</point></polyline>"), 2, "fewer than three points");
}

#[test]
fn frames_that_lead_nowhere() {
    says(&of_link("<pose relative_to='x'/>"), 2, "there is no frame x here; the names here are: l");
    says(&of_link("<pose relative_to='l'/>"), 2, "poses are relative to each other: l to l");
    let circle = "<link name='a'><pose relative_to='b'/></link>\n<link name='b'><pose relative_to='a'/></link>";
    says(&of_model(circle), 2, "poses are relative to each other: a to b to a; change relative_to");
    let circle = "<link name='l'/><frame name='a' attached_to='b'><pose relative_to='l'/></frame>\n\
                  <frame name='b' attached_to='a'><pose relative_to='l'/></frame>";
    says(&of_model(circle), 2, "frames are attached to each other: a to b to a");
    let inside = "<link name='l'/>\n<model name='n' placement_frame='f'><link name='k'/><frame name='f'>\
                  <pose relative_to='f'/></frame></model>";
    says(
        &of_model(inside),
        3,
        "the placement frame f is too far from its model, or depends on itself",
    );
}

#[test]
fn names_that_are_missing_or_taken() {
    says(&of_model("<link/>"), 2, "<link> has no name; write <link name=");
    says(
        &of_model("<link name='a'/>\n<link name='a'/>"),
        3,
        "there are two of the name a; the other is at b.sdf:2",
    );
    says(&of_model("<link name='a'/>\n<frame name='a'/>"), 3, "there are two of the name a");
    says(&of_model("<link name='world'/>"), 2, "the name world of this link is reserved");
    says(&of_model("<link name='__x__'/>"), 2, "is reserved");
    let joints = "<link name='a'/><link name='b'/>\n\
                  <joint name='j' type='fixed'><parent>a</parent><child>b</child></joint>\n\
                  <joint name='j' type='fixed'><parent>a</parent><child>b</child></joint>";
    says(&of_model(joints), 4, "there are two of the name j");
}

#[test]
fn joints_that_join_nothing() {
    let joint = |text: &str| {
        of_model(&format!("<link name='a'/><link name='b'/>\n<joint name='j' {text}</joint>"))
    };
    says(&joint("type='fixed'><parent>a</parent>"), 3, "the joint has no child");
    says(&joint("type='fixed'><child>a</child>"), 3, "the joint has no parent");
    says(&joint("type='fixed'><parent>c</parent><child>a</child>"), 3, "there is no frame c here");
    says(&joint("type='fixed'><parent>a</parent><child>a</child>"), 3, "joins a with itself");
    says(&joint("type='knee'><parent>a</parent><child>b</child>"), 3, "no joint of type `knee`");
    let axis = |text: &str| {
        joint(&format!("type='revolute'><parent>a</parent><child>b</child><axis>{text}</axis>"))
    };
    says(&axis("<xyz>0 0 0</xyz>"), 3, "<xyz> has no direction");
    says(&axis("<xyz expressed_in='q'>0 0 1</xyz>"), 3, "there is no frame q");
}

#[test]
fn sensors_and_worlds_that_make_no_sense() {
    let noise = "<sensor name='s' type='magnetometer'><magnetometer><x><noise type='loud'/></x></magnetometer></sensor>";
    says(&of_link(noise), 2, "there is no noise of type loud");
    says(&of_link("<sensor name='s' type='lidar'/>"), 2, "the lidar has no <lidar> in it");
    let world =
        |text: &str| error(&format!("<sdf version='1.9'><world name='w'>\n{text}</world></sdf>"));
    says(&world("<physics><max_step_size>0</max_step_size></physics>"), 2, "the step is 0 s");
    says(&world("<atmosphere><pressure>0</pressure></atmosphere>"), 2, "air of 288.15 K and 0 Pa");
    says(&world("<include/>"), 2, "the include names nothing");
    says(&world("<light name='l' type='laser'/>"), 2, "no light of type laser");
    let pole = "<spherical_coordinates><latitude_deg>91</latitude_deg></spherical_coordinates>";
    says(&world(pole), 2, "the latitude is 91 degrees");
}

#[test]
fn oddities_of_real_files_load_with_a_warning() {
    let warned = |body: &str, what: &str| {
        let text = format!("<sdf version='1.9'><model name='m'>\n{body}</model></sdf>");
        let sdf = parse(&text, "b.sdf").unwrap_or_else(|error| panic!("{error}"));
        let found = sdf.warnings.iter().any(|w| w.line == 2 && w.message.contains(what));
        assert!(found, "{body}: {:?}", sdf.warnings);
    };
    let visual = |text: &str| format!("<link name='l'><visual name='v'>{text}</visual></link>");
    warned(
        &visual("<geometry><mesh><uri>model://a/b.dae</uri></mesh></geometry>"),
        "is not found, so it is not shown",
    );
    warned(&visual("<geometry><box><size>0 1 1</size></box></geometry>"), "no volume");
    warned(
        &visual("<geometry/><material><ambient>red</ambient></material>"),
        "<ambient> is not finite numbers",
    );
    warned(&visual(""), "this visual has no geometry");
    warned("<link name='l'><visual/></link>", "this visual has no name");
    warned("<link name='l'><wings/></link>", "<wings> in <link> is not supported");
    let restless = "<sensor name='s' type='imu'><update_rate>-1</update_rate></sensor>";
    warned(&format!("<link name='l'>{restless}</link>"), "one sample in every step");
    warned("<link name='l'/><wheels/>", "<wheels> in <model> is not supported");
    warned(
        "<link name='l'><gravity>1</gravity><gravity>0</gravity></link>",
        "only the first <gravity>",
    );
    let flat = "<inertial><inertia><ixx>1</ixx><iyy>1</iyy><izz>9</izz></inertia></inertial>";
    warned(&format!("<link name='l'>{flat}</link>"), "no body has these moments");
    let axis = |text: &str| {
        format!(
            "<link name='a'/><link name='b'/><joint name='j' type='revolute'><parent>a</parent>\
             <child>b</child><axis>{text}</axis></joint>"
        )
    };
    warned(
        &axis("<limit><lower>2</lower><upper>1</upper></limit>"),
        "lower limit 2 is above the upper 1",
    );
    warned(&axis("<dynamics><damping>-1</damping></dynamics>"), "so motion speeds up");
    warned(&axis("<use_parent_model_frame>1</use_parent_model_frame>"), "no effect since SDF 1.7");
    warned("<link name='l'><pose frame='x'/></link>", "no effect since SDF 1.7");
    let remote = "<collision name='c'><geometry><mesh><uri>https://x/y.dae</uri></mesh></geometry></collision>";
    warned(&format!("<link name='l'>{remote}</link>"), "https://x/y.dae is not on this machine");
}

#[test]
fn long_chains_of_frames_are_followed_only_so_often() {
    // Thousands of frames, each placed by the last of a chain through all of them, would take hours together.
    let mut body = String::from("<link name='l'/><frame name='f0'/>");
    for number in 1..20_000 {
        let before = number - 1;
        body += &format!(
            "<frame name='f{number}' placement_frame='f19999'><pose relative_to='f{before}'/></frame>"
        );
    }
    says(&of_model(&body), 2, "depends on itself");
}
