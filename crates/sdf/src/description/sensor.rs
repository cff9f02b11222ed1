//! Sensors and their noise.

use nalgebra::Isometry3;

use super::camera_and_lidar::{self as views, Camera, Lidar, Sonar};
use super::sensor_contents::{
    self as contents, AirPressure, Altimeter, Contact, ForceTorque, Imu, NavSat,
};
use super::{Context, Plugin, plugin::plugin};
use crate::error::{SdfError, Warning};
use crate::fields::Fields;
use crate::xml::Element;

/// A sensor.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensor {
    /// Its name.
    pub name: String,
    /// Its type as written: `imu`, `gpu_lidar`; for a custom sensor its `gz:type`.
    pub type_name: String,
    /// What it measures.
    pub kind: SensorKind,
    /// Samples per second; 0 is one in every step.
    pub update_rate: f64,
    /// Whether it measures without being asked.
    pub always_on: bool,
    /// Where it is, in its link or joint.
    pub pose: Isometry3<f64>,
    /// Where Gazebo publishes it.
    pub topic: Option<String>,
    /// The name of the frame of its data.
    pub frame_id: Option<String>,
    /// What is attached to it.
    pub plugins: Vec<Plugin>,
    /// Its line, with its file.
    pub place: crate::Place,
}

/// What a sensor measures.
#[derive(Debug, Clone, PartialEq)]
pub enum SensorKind {
    /// Rates of turn and specific force.
    Imu(Imu),
    /// Position and velocity by satellites.
    NavSat(NavSat),
    /// The magnetic field, with a noise for each axis.
    Magnetometer([Noise; 3]),
    /// Air pressure.
    AirPressure(AirPressure),
    /// Differential pressure, with its noise.
    AirSpeed(Noise),
    /// Height.
    Altimeter(Altimeter),
    /// Any camera; which one says the type.
    Camera(Camera),
    /// Ranges by rays; how says the type.
    Lidar(Lidar),
    /// Range within a cone.
    Sonar(Sonar),
    /// Touch.
    Contact(Contact),
    /// Force and torque in a joint.
    ForceTorque(ForceTorque),
    /// Wind, with its noise (`gz:anemometer`).
    Anemometer(Noise),
    /// Something else; its contents as they were written.
    Other(Element),
}

/// How a noise is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NoiseKind {
    /// Not at all.
    #[default]
    None,
    /// Normally distributed.
    Gaussian,
    /// Normally distributed, and the sum rounded.
    GaussianQuantized,
}

/// Noise on one number.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Noise {
    /// How it is made.
    pub kind: NoiseKind,
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub stddev: f64,
    /// Mean of an offset that is drawn once.
    pub bias_mean: f64,
    /// Standard deviation of that offset.
    pub bias_stddev: f64,
    /// Standard deviation of an offset that drifts.
    pub dynamic_bias_stddev: f64,
    /// Correlation time of that drift, s.
    pub dynamic_bias_correlation_time: f64,
    /// Step of rounding.
    pub precision: f64,
}

/// The noise in an element that is or has `<noise>`.
pub(super) fn noise(outer: &mut Fields<'_, '_>) -> Result<Noise, SdfError> {
    let Some(element) = outer.one("noise") else { return Ok(Noise::default()) };
    let mut fields = Fields::new(element, outer.warnings());
    // An attribute since SDF 1.6, an element before and for lidars and cameras.
    let kind = fields.text("type").or(element.attribute("type")).unwrap_or("none");
    let kind = match kind {
        "none" | "" => NoiseKind::None,
        "gaussian" => NoiseKind::Gaussian,
        "gaussian_quantized" => NoiseKind::GaussianQuantized,
        other => {
            let what = format!("there is no noise of type {other}");
            return Err(element.error(what, "write none, gaussian or gaussian_quantized"));
        }
    };
    let noise = Noise {
        kind,
        mean: fields.number("mean", 0.0)?,
        stddev: fields.size("stddev", 0.0)?,
        bias_mean: fields.number("bias_mean", 0.0)?,
        bias_stddev: fields.size("bias_stddev", 0.0)?,
        dynamic_bias_stddev: fields.size("dynamic_bias_stddev", 0.0)?,
        dynamic_bias_correlation_time: fields.size("dynamic_bias_correlation_time", 0.0)?,
        precision: fields.size("precision", 0.0)?,
    };
    fields.finish();
    Ok(noise)
}

pub(super) fn sensor(
    element: &Element,
    name: String,
    context: Context<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Sensor, SdfError> {
    let attribute = |name| element.attribute(name).filter(|value| !value.is_empty());
    let custom = attribute("gz:type").or(attribute("ignition:type"));
    let type_name = match attribute("type") {
        Some("custom") | None => custom.or(attribute("type")).unwrap_or("none"),
        Some(name) => name,
    };
    let prefix = context.frames.prefix(context.scope);
    let mut fields = Fields::new(element, warnings);
    fields.ignore(&["visualize", "enable_metrics", "origin"]);
    let pose = context.frames.pose(context.scope, fields.one("pose"), context.base)?;
    let mut update_rate = fields.limit("update_rate", 0.0)?;
    if update_rate < 0.0 || update_rate.is_infinite() {
        fields.warn(format!("an update_rate of {update_rate} is one sample in every step"));
        update_rate = 0.0;
    }
    let always_on = fields.flag("always_on", false)?;
    let topic = fields.text("topic").map(str::to_owned);
    let frames = ["gz_frame_id", "ignition_frame_id", "frame_id"];
    let frame_id = frames.iter().filter_map(|name| fields.text(name)).next().map(str::to_owned);
    let plugins = fields.all("plugin").into_iter().map(|child| plugin(child, prefix)).collect();
    let kind = match type_name {
        "imu" => SensorKind::Imu(contents::imu(&mut fields)?),
        "navsat" | "gps" => SensorKind::NavSat(contents::navsat(&mut fields)?),
        "magnetometer" => SensorKind::Magnetometer(contents::magnetometer(&mut fields)?),
        "air_pressure" => SensorKind::AirPressure(contents::air_pressure(&mut fields)?),
        "air_speed" | "airspeed" => SensorKind::AirSpeed(contents::air_speed(&mut fields)?),
        "altimeter" => SensorKind::Altimeter(contents::altimeter(&mut fields)?),
        "camera"
        | "depth"
        | "depth_camera"
        | "rgbd"
        | "rgbd_camera"
        | "thermal"
        | "thermal_camera"
        | "segmentation"
        | "segmentation_camera"
        | "boundingbox"
        | "boundingbox_camera"
        | "wideanglecamera"
        | "wide_angle_camera"
        | "multicamera" => SensorKind::Camera(views::camera(&mut fields)?),
        "lidar" | "ray" | "gpu_lidar" | "gpu_ray" | "cpu_lidar" => {
            SensorKind::Lidar(views::lidar(&mut fields)?)
        }
        "sonar" => SensorKind::Sonar(views::sonar(&mut fields)?),
        "contact" => SensorKind::Contact(contents::contact(&mut fields)?),
        "force_torque" => SensorKind::ForceTorque(contents::force_torque(&mut fields)?),
        "anemometer" => SensorKind::Anemometer(contents::anemometer(&mut fields)?),
        other => {
            fields.warn(format!("a sensor of type {other} is not supported and measures nothing"));
            SensorKind::Other(element.clone())
        }
    };
    if !matches!(kind, SensorKind::Other(_)) {
        fields.finish();
    }
    let (type_name, place) = (type_name.to_owned(), element.place.clone());
    let sensor = Sensor {
        name,
        type_name,
        kind,
        update_rate,
        always_on,
        pose,
        topic,
        frame_id,
        plugins,
        place,
    };
    Ok(sensor)
}
