//! Sensors that look: cameras, and ranges by rays or within a cone.

use nalgebra::Isometry3;

use super::sensor::{Noise, noise};
use crate::error::SdfError;
use crate::fields::Fields;

type Read<T> = Result<T, SdfError>;

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
