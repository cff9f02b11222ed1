//! What each type of sensor has of its own.

use nalgebra::Isometry3;

use super::sensor::{Noise, noise};
use crate::error::SdfError;
use crate::fields::Fields;

/// Noises of an inertial measurement unit, for x, y and z.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Imu {
    /// Of the rates of turn, rad/s.
    pub angular_velocity: [Noise; 3],
    /// Of the specific force, m/s^2.
    pub linear_acceleration: [Noise; 3],
    /// The frame that its attitude is given in: `CUSTOM`, `NED`, `ENU`, `NWU`, `GRAV_UP`, `GRAV_DOWN`.
    pub localization: Option<String>,
    /// Whether it gives an attitude.
    pub enable_orientation: bool,
}

/// Noises of a receiver of navigation satellites.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NavSat {
    /// Of the horizontal position, m.
    pub position_horizontal: Noise,
    /// Of the height, m.
    pub position_vertical: Noise,
    /// Of the horizontal velocity, m/s.
    pub velocity_horizontal: Noise,
    /// Of the vertical velocity, m/s.
    pub velocity_vertical: Noise,
}

/// A barometer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AirPressure {
    /// Height of the origin above the sea, m.
    pub reference_altitude: f64,
    /// Of the pressure, Pa.
    pub noise: Noise,
}

/// Noises of a height sensor.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Altimeter {
    /// Of the height, m.
    pub vertical_position: Noise,
    /// Of its rate, m/s.
    pub vertical_velocity: Noise,
}

/// A camera.
#[derive(Debug, Clone, PartialEq)]
pub struct Camera {
    /// In the sensor.
    pub pose: Isometry3<f64>,
    /// rad.
    pub horizontal_fov: f64,
    /// Pixels.
    pub width: u64,
    /// Pixels.
    pub height: u64,
    /// Format of pixels, as written.
    pub format: String,
    /// Nearest distance, m.
    pub near: f64,
    /// Farthest distance, m.
    pub far: f64,
    /// On each pixel.
    pub noise: Noise,
}

/// Rays over an angle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scan {
    /// Rays.
    pub samples: u64,
    /// Values per ray.
    pub resolution: f64,
    /// rad.
    pub min_angle: f64,
    /// rad.
    pub max_angle: f64,
}

/// What distances are seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// m.
    pub min: f64,
    /// m; may be infinite.
    pub max: f64,
    /// m.
    pub resolution: f64,
}

/// A lidar.
#[derive(Debug, Clone, PartialEq)]
pub struct Lidar {
    /// To the sides.
    pub horizontal: Scan,
    /// Up and down.
    pub vertical: Scan,
    /// Distances.
    pub range: Range,
    /// On each distance, m.
    pub noise: Noise,
}

/// A range within a cone or ball.
#[derive(Debug, Clone, PartialEq)]
pub struct Sonar {
    /// `cone` or `sphere`.
    pub geometry: String,
    /// m.
    pub min: f64,
    /// m.
    pub max: f64,
    /// At the far end, m.
    pub radius: f64,
}

/// Touch.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Contact {
    /// The collisions of the link that feel.
    pub collisions: Vec<String>,
    /// Where Gazebo publishes it.
    pub topic: Option<String>,
}

/// Force and torque in a joint.
#[derive(Debug, Clone, PartialEq)]
pub struct ForceTorque {
    /// `child`, `parent` or `sensor`.
    pub frame: String,
    /// `child_to_parent` or `parent_to_child`.
    pub measure_direction: String,
    /// Of the force, N.
    pub force: [Noise; 3],
    /// Of the torque, N m.
    pub torque: [Noise; 3],
}

type Read<T> = Result<T, SdfError>;

/// The noise of a child.
fn noise_in(outer: &mut Fields<'_, '_>, name: &str) -> Read<Noise> {
    let Some(element) = outer.one(name) else { return Ok(Noise::default()) };
    let mut fields = Fields::new(element, outer.warnings());
    let noise = noise(&mut fields)?;
    fields.finish();
    Ok(noise)
}

/// The noises of the children `x`, `y` and `z`.
fn axes(fields: &mut Fields<'_, '_>) -> Read<[Noise; 3]> {
    Ok([noise_in(fields, "x")?, noise_in(fields, "y")?, noise_in(fields, "z")?])
}

/// The same in a child.
fn axes_in(outer: &mut Fields<'_, '_>, name: &str) -> Read<[Noise; 3]> {
    let Some(element) = outer.one(name) else { return Ok(Default::default()) };
    let mut fields = Fields::new(element, outer.warnings());
    let noises = axes(&mut fields)?;
    fields.finish();
    Ok(noises)
}

pub(super) fn imu(sensor: &mut Fields<'_, '_>) -> Read<Imu> {
    let mut imu = Imu { enable_orientation: true, ..Imu::default() };
    let Some(element) = sensor.one("imu") else { return Ok(imu) };
    let mut fields = Fields::new(element, sensor.warnings());
    imu.angular_velocity = axes_in(&mut fields, "angular_velocity")?;
    imu.linear_acceleration = axes_in(&mut fields, "linear_acceleration")?;
    imu.enable_orientation = fields.flag("enable_orientation", true)?;
    if let Some(frame) = fields.one("orientation_reference_frame") {
        let mut fields = Fields::new(frame, fields.warnings());
        imu.localization = fields.text("localization").map(str::to_owned);
        fields.ignore(&["custom_rpy", "grav_dir_x"]);
        fields.finish();
    }
    // Up to SDF 1.5 there was one noise for all rates and one for all accelerations.
    if let Some(old) = fields.one("noise") {
        let kind = old.text_of("type").or(old.attribute("type")).unwrap_or("none");
        for (name, noises) in
            [("rate", &mut imu.angular_velocity), ("accel", &mut imu.linear_acceleration)]
        {
            let Some(values) = old.child(name) else { continue };
            let mut values = values.clone();
            values.name = "noise".into();
            values.set_attribute("type", kind);
            let mut outer = old.clone();
            outer.children = vec![values];
            *noises = [noise(&mut Fields::new(&outer, fields.warnings()))?; 3];
        }
    }
    fields.ignore(&["topic"]);
    fields.finish();
    Ok(imu)
}

pub(super) fn navsat(sensor: &mut Fields<'_, '_>) -> Read<NavSat> {
    let mut navsat = NavSat::default();
    for name in ["gps", "navsat"] {
        let Some(element) = sensor.one(name) else { continue };
        let mut fields = Fields::new(element, sensor.warnings());
        if let Some(position) = fields.one("position_sensing") {
            let mut fields = Fields::new(position, fields.warnings());
            navsat.position_horizontal = noise_in(&mut fields, "horizontal")?;
            navsat.position_vertical = noise_in(&mut fields, "vertical")?;
            fields.finish();
        }
        if let Some(velocity) = fields.one("velocity_sensing") {
            let mut fields = Fields::new(velocity, fields.warnings());
            navsat.velocity_horizontal = noise_in(&mut fields, "horizontal")?;
            navsat.velocity_vertical = noise_in(&mut fields, "vertical")?;
            fields.finish();
        }
        fields.finish();
    }
    Ok(navsat)
}

pub(super) fn magnetometer(sensor: &mut Fields<'_, '_>) -> Read<[Noise; 3]> {
    axes_in(sensor, "magnetometer")
}

pub(super) fn air_pressure(sensor: &mut Fields<'_, '_>) -> Read<AirPressure> {
    let Some(element) = sensor.one("air_pressure") else { return Ok(AirPressure::default()) };
    let mut fields = Fields::new(element, sensor.warnings());
    let reference_altitude = fields.number("reference_altitude", 0.0)?;
    let noise = noise_in(&mut fields, "pressure")?;
    fields.finish();
    Ok(AirPressure { reference_altitude, noise })
}

pub(super) fn air_speed(sensor: &mut Fields<'_, '_>) -> Read<Noise> {
    let Some(element) = sensor.one("air_speed") else { return Ok(Noise::default()) };
    let mut fields = Fields::new(element, sensor.warnings());
    let noise = noise_in(&mut fields, "pressure")?;
    fields.finish();
    Ok(noise)
}

pub(super) fn altimeter(sensor: &mut Fields<'_, '_>) -> Read<Altimeter> {
    let Some(element) = sensor.one("altimeter") else { return Ok(Altimeter::default()) };
    let mut fields = Fields::new(element, sensor.warnings());
    let vertical_position = noise_in(&mut fields, "vertical_position")?;
    let vertical_velocity = noise_in(&mut fields, "vertical_velocity")?;
    fields.finish();
    Ok(Altimeter { vertical_position, vertical_velocity })
}

pub(super) fn camera(sensor: &mut Fields<'_, '_>) -> Read<Camera> {
    let mut camera = Camera {
        pose: Isometry3::identity(),
        horizontal_fov: 1.047,
        width: 320,
        height: 240,
        format: "R8G8B8".into(),
        near: 0.1,
        far: 100.0,
        noise: Noise::default(),
    };
    let cameras = sensor.all("camera");
    if cameras.len() > 1 {
        sensor.warn("only the first <camera> of this sensor counts");
    }
    let Some(element) = cameras.first() else { return Ok(camera) };
    let mut fields = Fields::new(element, sensor.warnings());
    fields.ignore(&LOOKS_OF_CAMERAS);
    camera.pose = fields.one("pose").map_or(Ok(None), |pose| pose.as_pose())?.unwrap_or_default();
    camera.horizontal_fov = fields.size("horizontal_fov", camera.horizontal_fov)?;
    camera.noise = noise(&mut fields)?;
    if let Some(image) = fields.one("image") {
        let mut fields = Fields::new(image, fields.warnings());
        camera.width = fields.count("width", camera.width)?;
        camera.height = fields.count("height", camera.height)?;
        camera.format = fields.text("format").unwrap_or(&camera.format).to_owned();
        fields.ignore(&["anti_aliasing"]);
        fields.finish();
    }
    if let Some(clip) = fields.one("clip") {
        let mut fields = Fields::new(clip, fields.warnings());
        camera.near = fields.size("near", camera.near)?;
        camera.far = fields.limit("far", camera.far)?;
        fields.finish();
    }
    fields.finish();
    Ok(camera)
}

/// Elements of cameras that only change pictures.
const LOOKS_OF_CAMERAS: [&str; 16] = [
    "save",
    "depth_camera",
    "distortion",
    "lens",
    "visibility_mask",
    "trigger_topic",
    "triggered",
    "camera_info_topic",
    "optical_frame_id",
    "segmentation_type",
    "segmentation_dataset_type",
    "box_type",
    "boundingbox_type",
    "bounding_box_type",
    "topic",
    "point_cloud_topic",
];

fn scan(outer: &mut Fields<'_, '_>, name: &str) -> Read<Scan> {
    let samples = if name == "horizontal" { 640 } else { 1 };
    let mut scan = Scan { samples, resolution: 1.0, min_angle: 0.0, max_angle: 0.0 };
    let Some(element) = outer.one(name) else { return Ok(scan) };
    let mut fields = Fields::new(element, outer.warnings());
    scan.samples = fields.count("samples", scan.samples)?;
    scan.resolution = fields.size("resolution", 1.0)?;
    scan.min_angle = fields.number("min_angle", 0.0)?;
    scan.max_angle = fields.number("max_angle", 0.0)?;
    if scan.max_angle < scan.min_angle {
        fields.warn("max_angle is below min_angle, so the rays go the other way round");
    }
    fields.finish();
    Ok(scan)
}

pub(super) fn lidar(sensor: &mut Fields<'_, '_>) -> Read<Lidar> {
    let (ray, lidar) = (sensor.one("ray"), sensor.one("lidar"));
    let Some(element) = lidar.or(ray) else {
        let what = "the lidar has no <lidar> in it, which says where its rays go";
        return Err(sensor.element.error(what, "add <lidar> with <scan> and <range>"));
    };
    let mut fields = Fields::new(element, sensor.warnings());
    fields.ignore(&["visibility_mask"]);
    let noise = noise(&mut fields)?;
    let mut range = Range { min: 0.0, max: f64::INFINITY, resolution: 0.0 };
    if let Some(element) = fields.one("range") {
        let mut fields = Fields::new(element, fields.warnings());
        range.min = fields.size("min", 0.0)?;
        range.max = fields.limit("max", f64::INFINITY)?;
        range.resolution = fields.size("resolution", 0.0)?;
        if range.max < range.min {
            fields.warn("the range ends before it begins, so nothing is seen");
        }
        fields.finish();
    }
    let single = Scan { samples: 1, resolution: 1.0, min_angle: 0.0, max_angle: 0.0 };
    let (mut horizontal, mut vertical) = (single, single);
    if let Some(element) = fields.one("scan") {
        let mut fields = Fields::new(element, fields.warnings());
        horizontal = scan(&mut fields, "horizontal")?;
        vertical = scan(&mut fields, "vertical")?;
        fields.finish();
    }
    fields.finish();
    Ok(Lidar { horizontal, vertical, range, noise })
}

pub(super) fn sonar(sensor: &mut Fields<'_, '_>) -> Read<Sonar> {
    let mut sonar = Sonar { geometry: "cone".into(), min: 0.0, max: 1.0, radius: 0.5 };
    let Some(element) = sensor.one("sonar") else { return Ok(sonar) };
    let mut fields = Fields::new(element, sensor.warnings());
    sonar.geometry = fields.text("geometry").unwrap_or("cone").to_owned();
    sonar.min = fields.size("min", sonar.min)?;
    sonar.max = fields.size("max", sonar.max)?;
    sonar.radius = fields.size("radius", sonar.radius)?;
    fields.finish();
    Ok(sonar)
}

pub(super) fn contact(sensor: &mut Fields<'_, '_>) -> Read<Contact> {
    let Some(element) = sensor.one("contact") else { return Ok(Contact::default()) };
    let mut fields = Fields::new(element, sensor.warnings());
    let collisions = fields.all("collision").into_iter().map(|child| child.text.clone()).collect();
    let topic = fields.text("topic").map(str::to_owned);
    fields.finish();
    Ok(Contact { collisions, topic })
}

pub(super) fn force_torque(sensor: &mut Fields<'_, '_>) -> Read<ForceTorque> {
    let mut measured = ForceTorque {
        frame: "child".into(),
        measure_direction: "child_to_parent".into(),
        force: Default::default(),
        torque: Default::default(),
    };
    let Some(element) = sensor.one("force_torque") else { return Ok(measured) };
    let mut fields = Fields::new(element, sensor.warnings());
    measured.frame = fields.text("frame").unwrap_or("child").to_owned();
    let direction = fields.text("measure_direction");
    measured.measure_direction = direction.unwrap_or("child_to_parent").to_owned();
    measured.force = axes_in(&mut fields, "force")?;
    measured.torque = axes_in(&mut fields, "torque")?;
    fields.finish();
    Ok(measured)
}

pub(super) fn anemometer(sensor: &mut Fields<'_, '_>) -> Read<Noise> {
    for name in ["gz:anemometer", "ignition:anemometer", "anemometer"] {
        if sensor.element.child(name).is_some() {
            return noise_in(sensor, name);
        }
    }
    Ok(Noise::default())
}
