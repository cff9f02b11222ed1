//! What can be set of an MPU-9250.

use ironbird_component::Parameters;

use crate::ak8963::MagnetometerParameters;
use crate::device::{BusKind, DeviceParameters, Fault, Quantity};
use crate::mounting::InertialMounting;

/// What can be set of an MPU-9250.
#[derive(Clone, Debug, Parameters)]
pub struct Mpu9250Parameters {
    /// The bus that it is on.
    #[parameter(default = BusKind::Spi, fixed)]
    pub(super) bus: BusKind,
    /// Number of its select line (SPI), or its address: 104 (0x68) or 105 (0x69).
    #[parameter(default = 0, max = 127, fixed)]
    pub(super) chip: u8,
    /// Whether its interrupt pin is connected to anything. Where it is not, the output `interrupt` stays low, and samples are
    /// made when somebody reads them, which is less work: at 8 kHz the pin changes 16,000 times a second.
    #[parameter(default = true, fixed)]
    pub(super) interrupt_pin: bool,
    #[group]
    pub(super) mounting: InertialMounting,
    #[group]
    pub(super) gyroscope: GyroscopeParameters,
    #[group]
    pub(super) accelerometer: AccelerometerParameters,
    #[group]
    pub(super) magnetometer: MagnetometerParameters,
    #[group]
    pub(super) factor: Mpu9250Factors,
    #[group]
    pub(super) fault: Fault,
}

/// Errors of the gyroscope, along its own axes.
#[derive(Clone, Debug, Parameters)]
pub struct GyroscopeParameters {
    /// What it reads too much.
    #[parameter(unit = "rad/s", default = [0.0; 3])]
    pub offset: [f64; 3],
    /// Standard deviation of what it reads too much since power was switched on; the data sheet allows 5 deg/s.
    #[parameter(unit = "rad/s", default = 0.01, min = 0, fixed)]
    pub offset_spread: f64,
    /// Density of its noise: that of the data sheet, 0.01 deg/s/Hz^0.5.
    #[parameter(unit = "rad/s/Hz^0.5", default = 1.745_329_25e-4, min = 0)]
    pub noise_density: f64,
}

/// Errors of the accelerometer, along its own axes.
#[derive(Clone, Debug, Parameters)]
pub struct AccelerometerParameters {
    /// What it reads too much.
    #[parameter(unit = "m/s^2", default = [0.0; 3])]
    pub offset: [f64; 3],
    /// Standard deviation of what it reads too much since power was switched on; the data sheet allows 0.6 m/s^2 in x
    /// and y and 0.8 m/s^2 in z before a calibration.
    #[parameter(unit = "m/s^2", default = 0.05, min = 0, fixed)]
    pub offset_spread: f64,
    /// Density of its noise: that of the data sheet, 300 ug/Hz^0.5.
    #[parameter(unit = "m/s^2/Hz^0.5", default = 2.941_995e-3, min = 0)]
    pub noise_density: f64,
    /// What the factory wrote into its offset registers.
    #[parameter(default = [-3176, 1850, 5624], fixed)]
    pub trim: [i16; 3],
}

/// What values are multiplied by before they are rounded to whole numbers.
#[derive(Clone, Debug, Parameters)]
pub struct Mpu9250Factors {
    /// Of the angular velocity in rad/s; 0: not rounded.
    #[parameter(default = 1_000_000, fixed)]
    angular_velocity: u32,
    /// Of the specific force in m/s^2; 0: not rounded.
    #[parameter(default = 1_000_000, fixed)]
    specific_force: u32,
    /// Of the magnetic field in T; 0: not rounded.
    #[parameter(default = 1_000_000_000, fixed)]
    magnetic_field: u32,
    /// Of the temperature in K; 0: not rounded.
    #[parameter(default = 1_000_000, fixed)]
    temperature: u32,
}

impl DeviceParameters for Mpu9250Parameters {
    fn fault(&self) -> &Fault {
        &self.fault
    }

    fn factor(&self, quantity: Quantity, _: usize) -> u32 {
        match quantity {
            Quantity::AngularVelocity => self.factor.angular_velocity,
            Quantity::SpecificForce => self.factor.specific_force,
            Quantity::MagneticField => self.factor.magnetic_field,
            _ => self.factor.temperature,
        }
    }

    fn bus(&self) -> BusKind {
        self.bus
    }

    fn check(&self) -> Result<(), String> {
        self.mounting.check()?;
        match (self.bus, self.chip) {
            (BusKind::I2c, 0x68 | 0x69) | (BusKind::Spi, _) => Ok(()),
            (BusKind::I2c, chip) => {
                Err(format!("on I2C an MPU-9250 has the address 104 or 105: `chip` is {chip}"))
            }
        }
    }
}
