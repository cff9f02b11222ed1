//! How a sensor is fixed in a vehicle.

use ironbird_component::Parameters;
use nalgebra::{Matrix3, Rotation3};

/// How a sensor is turned against the body.
///
/// ```text
/// v_body = R_z(yaw) R_y(pitch) R_x(roll) v_sensor
/// ```
#[derive(Clone, Debug, Default, PartialEq, Parameters)]
pub struct Mounting {
    /// Turn of the sensor about its own x axis, after yaw and pitch: its starboard side down.
    #[parameter(unit = "deg", default = 0.0, min = -360, max = 360)]
    pub roll: f64,
    /// Turn of the sensor about its own y axis, after yaw: its front up.
    #[parameter(unit = "deg", default = 0.0, min = -360, max = 360)]
    pub pitch: f64,
    /// Turn of the sensor about the z axis of the body: its front to starboard.
    #[parameter(unit = "deg", default = 0.0, min = -360, max = 360)]
    pub yaw: f64,
}

impl Mounting {
    /// The matrix that takes vectors of the sensor to the body.
    pub fn to_body(&self) -> Matrix3<f64> {
        let [roll, pitch, yaw] = [self.roll, self.pitch, self.yaw].map(f64::to_radians);
        Rotation3::from_euler_angles(roll, pitch, yaw).into_inner()
    }

    /// The matrix that takes vectors of the body to the sensor.
    pub fn to_sensor(&self) -> Matrix3<f64> {
        self.to_body().transpose()
    }
}
