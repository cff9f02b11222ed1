//! AK8963, a magnetometer: alone on I2C here, behind an MPU-9250 there.

mod registers;

use ironbird_component::Parameters;
use ironbird_kernel::Time;
use serde::{Deserialize, Serialize};

pub use registers::{Magnetometer, Quality};

use crate::SerialByte;
use crate::device::{
    Answer, BusKind, Device, DeviceParameters, Fault, FaultMode, Line, Moment, Quantity, Shown,
    Transfer,
};
use crate::mounting::MagneticMounting;

/// What can be set of the measuring part of an AK8963.
#[derive(Clone, Debug, Parameters)]
pub struct MagnetometerParameters {
    /// The factory's sensitivity adjustment of x, y and z.
    #[parameter(default = [176, 177, 165], fixed)]
    adjustment: [u8; 3],
    /// Field that it reads too much, along its own axes.
    #[parameter(unit = "T", default = [0.0; 3])]
    offset: [f64; 3],
    /// Standard deviation of its noise.
    #[parameter(unit = "T", default = 3e-7, min = 0)]
    noise: f64,
}

impl MagnetometerParameters {
    /// How it measures with this fault.
    pub fn quality(&self, fault: FaultMode, noise_factor: f64) -> Quality {
        Quality {
            adjustment: self.adjustment,
            offset: self.offset,
            noise: self.noise * noise_factor,
            has_wrong_identity: fault == FaultMode::WrongIdentity,
            is_stuck: fault == FaultMode::Stuck,
        }
    }
}

/// What can be set of an AK8963.
#[derive(Clone, Debug, Parameters)]
pub struct Ak8963Parameters {
    /// Its address: 12 (0x0C), 13, 14 or 15.
    #[parameter(default = 12, min = 12, max = 15, fixed)]
    chip: u8,
    #[group]
    mounting: MagneticMounting,
    #[group]
    magnetometer: MagnetometerParameters,
    #[group]
    factor: Ak8963Factors,
    #[group]
    fault: Fault,
}

/// What values are multiplied by before they are rounded to whole numbers.
#[derive(Clone, Debug, Parameters)]
pub struct Ak8963Factors {
    /// Of the magnetic field in T; 0: not rounded.
    #[parameter(default = 1_000_000_000, fixed)]
    magnetic_field: u32,
}

impl DeviceParameters for Ak8963Parameters {
    fn fault(&self) -> &Fault {
        &self.fault
    }

    fn factor(&self, _: Quantity, _: usize) -> u32 {
        self.factor.magnetic_field
    }

    fn bus(&self) -> BusKind {
        BusKind::I2c
    }

    fn check(&self) -> Result<(), String> {
        self.mounting.check()
    }
}

/// A magnetometer on I2C.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Ak8963 {
    core: Magnetometer,
    /// Where the next reading begins.
    register: u8,
}

impl Device for Ak8963 {
    type Parameters = Ak8963Parameters;

    const TYPE: &'static str = "device.ak8963";
    const DOC: &'static str = "\
The magnetometer AK8963 on I2C.

It measures once, or at 8 or 100 Hz, with 14 or 16 bits, and tests itself; its sensitivity adjustment is read in \
fuse ROM mode. A measurement that is being read stays until ST2 is read.";
    const LINE: Line = Line::Bus;
    const MEASURES: &'static [Quantity] = &[Quantity::MagneticField];
    const SHOWS: &'static [Shown] = &[];
    const FAULTS: &'static [FaultMode] = &[
        FaultMode::Dead,
        FaultMode::Stuck,
        FaultMode::Intermittent,
        FaultMode::WrongIdentity,
        FaultMode::Nack,
        FaultMode::BitFlips,
        FaultMode::Noise,
    ];

    fn start(&mut self, _: &mut Moment<'_, Ak8963Parameters>) {}

    fn reading(
        &mut self,
        moment: &mut Moment<'_, Ak8963Parameters>,
        _: Quantity,
        values: [f64; 3],
    ) {
        self.core.set_field(moment.parameters.mounting.to_chip(values));
    }

    fn transfer(
        &mut self,
        moment: &mut Moment<'_, Ak8963Parameters>,
        transfer: &Transfer<'_>,
        read: &mut Vec<u8>,
    ) -> Answer {
        if transfer.chip != moment.parameters.chip || self.core.is_cut_off() {
            return Answer::NotMeant;
        }
        let quality = moment.parameters.magnetometer.quality(moment.fault, 1.0);
        serve(&mut self.core, &mut self.register, moment.now, transfer, &quality, read);
        Answer::Taken
    }

    fn next_event(&self) -> Time {
        self.core.next_event()
    }

    fn act(&mut self, moment: &mut Moment<'_, Ak8963Parameters>) -> Option<SerialByte> {
        let noise_factor = moment.noise_factor();
        let quality = moment.parameters.magnetometer.quality(moment.fault, noise_factor);
        self.core.measure(moment.now, &quality, moment.random);
        None
    }
}

/// A transfer on I2C: the first byte that is written says where, the others what; then it is read from there on.
pub fn serve(
    core: &mut Magnetometer,
    register: &mut u8,
    now: Time,
    transfer: &Transfer<'_>,
    quality: &Quality,
    read: &mut Vec<u8>,
) {
    if let [first, values @ ..] = transfer.written {
        *register = *first;
        for value in values {
            core.write(now, *register, *value);
            *register = Magnetometer::after(*register);
        }
    }
    for _ in 0..transfer.read {
        read.push(core.read(*register, quality));
        *register = Magnetometer::after(*register);
    }
}
