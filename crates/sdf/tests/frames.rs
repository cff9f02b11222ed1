//! Poses: relative to any frame, in degrees or quaternions, through nested and merged models.

use ironbird_sdf::{Model, Sdf, parse};
use nalgebra::{Isometry3, Point3, Vector3};

fn read(body: &str) -> Sdf {
    let text = format!("<sdf version='1.9'>{body}</sdf>");
    parse(&text, "frames.sdf").unwrap_or_else(|error| panic!("{error}"))
}

fn model(body: &str) -> Model {
    read(&format!("<model name='m'>{body}</model>")).models.remove(0)
}

fn is_at(pose: &Isometry3<f64>, [x, y, z]: [f64; 3]) {
    assert!((pose.translation.vector - Vector3::new(x, y, z)).norm() < 1e-12, "{pose}");
}

/// Where a pose takes the point (1, 0, 0).
fn tip(pose: &Isometry3<f64>) -> Point3<f64> {
    pose * Point3::new(1.0, 0.0, 0.0)
}

#[test]
fn roll_pitch_and_yaw_turn_about_fixed_axes_in_this_order() {
    // Roll leaves x alone, pitch turns it down to -z, and yaw about the fixed z leaves that alone.
    let m = model("<link name='a'><pose degrees='true'>0 0 0 90 90 90</pose></link>");
    assert!((tip(&m.links[0].pose) - Point3::new(0.0, 0.0, -1.0)).norm() < 1e-12);
    let y = m.links[0].pose * Vector3::y();
    assert!((y - Vector3::new(0.0, 1.0, 0.0)).norm() < 1e-12, "{y}");
}

#[test]
fn a_quaternion_is_a_rotation_too() {
    let m = model(
        "<link name='a'><pose rotation_format='quat_xyzw'>1 2 3 0 0 2 2</pose></link>
         <link name='b'><pose degrees='true'>1 2 3 0 0 90</pose></link>",
    );
    assert!((tip(&m.links[0].pose) - tip(&m.links[1].pose)).norm() < 1e-12);
}

#[test]
fn poses_follow_chains_of_frames() {
    let m = model(
        "<link name='a'><pose relative_to='f'>1 0 0 0 0 0</pose></link>
         <frame name='f' attached_to='b'><pose degrees='true'>0 0 1 0 0 90</pose></frame>
         <link name='b'><pose relative_to='__model__'>0 5 0 0 0 0</pose></link>
         <joint name='j' type='fixed'><parent>b</parent><child>a</child><pose>0 0 .5 0 0 0</pose></joint>
         <frame name='g'><pose relative_to='j'>0 0 .5 0 0 0</pose></frame>",
    );
    is_at(&m.links[0].pose, [0.0, 6.0, 1.0]);
    is_at(&m.joints[0].pose, [0.0, 6.0, 1.5]);
    is_at(&m.frames[1].pose, [0.0, 6.0, 2.0]);
    assert_eq!(m.frames[0].link.as_deref(), Some("b"));
    // A frame that is attached to nothing moves with the canonical link, which is the first.
    assert_eq!(m.frames[1].link.as_deref(), Some("a"));
    assert_eq!(m.canonical_link.as_deref(), Some("a"));
}

#[test]
fn what_is_on_a_link_is_seen_from_the_link() {
    let m = model(
        "<link name='a'><pose degrees='true'>1 0 0 0 0 90</pose>
           <collision name='c'><pose relative_to='__model__'>1 3 0 0 0 0</pose></collision>
           <sensor name='s' type='imu'><pose relative_to='b'/></sensor>
         </link>
         <link name='b'><pose>0 0 7 0 0 0</pose></link>",
    );
    is_at(&m.links[0].collisions[0].pose, [3.0, 0.0, 0.0]);
    is_at(&m.links[0].sensors[0].pose, [0.0, 1.0, 7.0]);
}

#[test]
fn nested_models_are_flattened_and_reached_by_scoped_names() {
    let m = model(
        "<pose>0 0 100 0 0 0</pose>
         <model name='arm'><pose>0 0 1 0 0 0</pose>
           <link name='hand'><pose>0 0 1 0 0 0</pose></link>
           <model name='tool'><static>true</static><pose relative_to='hand'>0 0 1 0 0 0</pose>
             <link name='tip'><pose>0 0 1 0 0 0</pose></link>
             <plugin name='p' filename='f'><link_name>tip</link_name></plugin>
           </model>
         </model>
         <link name='base'><pose relative_to='arm::tool::tip'>0 0 1 0 0 0</pose></link>
         <joint name='j' type='fixed'><parent>base</parent><child>arm::tool</child></joint>",
    );
    is_at(&m.pose, [0.0, 0.0, 100.0]);
    let names: Vec<_> = m.links.iter().map(|link| link.name.as_str()).collect();
    assert_eq!(names, ["base", "arm::hand", "arm::tool::tip"]);
    is_at(&m.links[2].pose, [0.0, 0.0, 4.0]);
    is_at(&m.links[0].pose, [0.0, 0.0, 5.0]);
    // A joint with a model holds the link that the model moves with; its pose is that of the model's frame.
    assert_eq!(m.joints[0].child, "arm::tool::tip");
    is_at(&m.joints[0].pose, [0.0, 0.0, 3.0]);
    assert_eq!(m.models[1].name, "arm::tool");
    assert!(m.models[1].is_static && !m.models[0].is_static && m.links[2].is_static);
    assert_eq!(m.plugins[0].scoped("tip"), "arm::tool::tip");
}

#[test]
fn a_placement_frame_is_put_where_the_pose_says() {
    let sdf = read(
        "<world name='w'>
           <model name='m' placement_frame='foot'><pose>10 0 0 0 0 0</pose>
             <link name='body'/>
             <frame name='foot'><pose degrees='true'>0 0 -1 0 0 90</pose></frame>
           </model>
           <model name='n'><pose relative_to='m::foot'>0 0 2 0 0 0</pose><link name='l'/></model>
         </world>",
    );
    let [m, n] = sdf.worlds[0].models.as_slice() else { panic!("two models") };
    is_at(&m.pose, [10.0, 0.0, 1.0]);
    assert!((m.pose * m.frames[0].pose).rotation.angle() < 1e-12);
    is_at(&n.pose, [10.0, 0.0, 2.0]);
}

#[test]
fn axes_are_turned_into_the_frame_of_their_joint() {
    let body = |axis: &str| {
        format!(
            "<link name='a'/><link name='b'><pose degrees='true'>0 0 0 0 0 90</pose></link>
             <joint name='j' type='revolute'><parent>a</parent><child>b</child><axis>{axis}</axis></joint>"
        )
    };
    let axis = |text: &str| model(&body(text)).joints[0].axis.as_ref().expect("one").xyz;
    let close = |a: Vector3<f64>, b: Vector3<f64>| assert!((a - b).norm() < 1e-12, "{a}");
    close(axis("<xyz>2 0 0</xyz>"), Vector3::x());
    close(axis("<xyz expressed_in='__model__'>1 0 0</xyz>"), -Vector3::y());
    // Before SDF 1.7 a flag said so, and before 1.5 there was no other way.
    let old = |version: &str, text: &str| {
        let text = format!("<sdf version='{version}'><model name='m'>{}</model></sdf>", body(text));
        let old = parse(&text, "old.sdf").unwrap_or_else(|error| panic!("{error}"));
        old.models[0].joints[0].axis.as_ref().expect("one").xyz
    };
    let flagged = "<xyz>1 0 0</xyz><use_parent_model_frame>1</use_parent_model_frame>";
    close(old("1.6", flagged), -Vector3::y());
    close(old("1.6", "<xyz>1 0 0</xyz>"), Vector3::x());
    close(old("1.4", "<xyz>1 0 0</xyz>"), -Vector3::y());
    close(old("1.7", flagged), Vector3::x());
}

#[test]
fn a_joint_may_share_the_name_of_a_link_and_is_anchored_to_the_world() {
    let m = model(
        "<link name='a'><pose>0 0 1 0 0 0</pose></link>
         <joint name='a' type='continuous'><parent>world</parent><child>a</child>
           <axis><limit><lower>-1</lower><upper>1</upper></limit></axis></joint>",
    );
    assert_eq!(m.joints[0].parent, "world");
    is_at(&m.joints[0].pose, [0.0, 0.0, 1.0]);
    assert_eq!(m.joints[0].axis.as_ref().expect("one").upper, f64::INFINITY);
}

#[test]
fn old_names_of_things_still_work() {
    let text = "<sdf version='1.5'><world name='w'>
           <physics type='ode'><gravity>0 0 -1.6</gravity></physics>
           <model name='m'>
             <link name='a'><pose frame='b'>0 0 1 0 0 0</pose>
               <sensor name='s' type='imu'><imu><noise><type>gaussian</type>
                 <rate><mean>0</mean><stddev>2e-4</stddev></rate>
                 <accel><mean>0</mean><stddev>1.7e-2</stddev><bias_mean>.1</bias_mean></accel></noise></imu></sensor>
             </link>
             <link name='b'><pose frame=''>0 0 1 0 0 0</pose></link>
             <joint name='s' type='screw'><parent>m::a</parent><child>b</child><thread_pitch>-2</thread_pitch></joint>
           </model>
         </world></sdf>";
    let sdf = parse(text, "old.sdf").unwrap_or_else(|error| panic!("{error}"));
    let world = &sdf.worlds[0];
    assert_eq!(world.gravity.z, -1.6);
    let m = &world.models[0];
    is_at(&m.links[0].pose, [0.0, 0.0, 2.0]);
    let ironbird_sdf::SensorKind::Imu(imu) = &m.links[0].sensors[0].kind else { panic!("an imu") };
    assert_eq!(imu.angular_velocity[2].stddev, 2e-4);
    assert_eq!(imu.linear_acceleration[1].bias_mean, 0.1);
    let ironbird_sdf::JointKind::Screw { pitch } = m.joints[0].kind else { panic!("a screw") };
    assert!((pitch - std::f64::consts::PI).abs() < 1e-12);
    assert!(sdf.warnings.iter().any(|w| w.message.contains("no axis")), "{:?}", sdf.warnings);
}
