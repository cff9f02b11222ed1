//! What each type of sensor has of its own.

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
