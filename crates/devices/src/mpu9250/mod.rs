//! MPU-9250: gyroscope, accelerometer and thermometer, with an AK8963 behind its auxiliary bus (data sheet
//! PS-MPU-9250A-01 and register map RM-MPU-9250A-00 of InvenSense).
//!
//! ```text
//!            ┌─ sensing ──► data registers ──► FIFO ──┐
//!   truth ───┤                                        ├──► SPI, I2C
//!            └─ AK8963 ◄──► auxiliary bus ──► EXT_SENS_DATA
//! ```

mod auxiliary;
mod fifo;
mod filter;
mod parameters;
mod register_map;
mod sensing;

use ironbird_kernel::{Duration, Time};
use serde::{Deserialize, Serialize};

pub use parameters::{
    AccelerometerParameters, GyroscopeParameters, Mpu9250Factors, Mpu9250Parameters,
};

use crate::SerialByte;
use crate::ak8963::{self, Magnetometer, Quality};
use crate::device::{Answer, BusKind, Device, FaultMode, Line, Moment, Quantity, Shown, Transfer};
use auxiliary::{Auxiliary, MAGNETOMETER};
use fifo::Fifo;
use register_map::*;
use sensing::{Flaws, Sensing};

/// How long the interrupt pin is active where it is not latched.
const PULSE: Duration = Duration::from_us(50);

/// An inertial unit.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Mpu9250 {
    registers: Vec<u8>,
    sensing: Sensing,
    fifo: Fifo,
    auxiliary: Auxiliary,
    magnetometer: Magnetometer,
    /// Where the next reading over I2C begins.
    selected: u8,
    /// Until when the interrupt pin is active: for ever where it is latched.
    pin_until: Option<Time>,
    /// Whether the interrupt pin is connected.
    has_pin: bool,
}

impl Mpu9250 {
    fn at(&self, register: u8) -> u8 {
        self.registers[usize::from(register)]
    }

    fn at_mut(&mut self, register: u8) -> &mut u8 {
        &mut self.registers[usize::from(register)]
    }

    /// All registers as they are after a reset; the sensors begin anew.
    fn reset(&mut self, now: Time) {
        self.registers = after_reset();
        for (axis, trim) in self.sensing.trim.into_iter().enumerate() {
            let place = usize::from(XA_OFFSET_H) + 3 * axis;
            self.registers[place..place + 2].copy_from_slice(&trim.to_be_bytes());
        }
        self.fifo.clear();
        self.auxiliary.reset();
        self.pin_until = None;
        self.sensing.configure(now, &self.registers);
        self.sensing.restart(now);
    }

    fn is_asleep(&self) -> bool {
        self.at(PWR_MGMT_1) & SLEEP != 0
    }

    fn write(&mut self, now: Time, register: u8, value: u8) {
        if is_read_only(register) {
            return;
        }
        let was_asleep = self.is_asleep();
        match register {
            PWR_MGMT_1 if value & DEVICE_RESET != 0 => return self.reset(now),
            FIFO_R_W => {
                self.write_fifo(now, &[value]);
                return;
            }
            _ => *self.at_mut(register) = value,
        }
        match register {
            SMPLRT_DIV | CONFIG | GYRO_CONFIG | ACCEL_CONFIG2 => {
                self.sensing.configure(now, &self.registers);
            }
            PWR_MGMT_1 if was_asleep && !self.is_asleep() => self.sensing.restart(now),
            SIGNAL_PATH_RESET => {
                self.sensing.clear_filters();
                *self.at_mut(SIGNAL_PATH_RESET) = 0;
            }
            USER_CTRL => self.control(value),
            _ => {}
        }
    }

    /// USER_CTRL: its lowest bits reset something, and clear themselves.
    fn control(&mut self, value: u8) {
        if value & FIFO_RESET != 0 {
            self.fifo.clear();
        }
        if value & MASTER_RESET != 0 {
            self.auxiliary.reset();
        }
        if value & SIGNAL_RESET != 0 {
            self.sensing.clear_filters();
            let data = usize::from(ACCEL_XOUT_H)..=usize::from(EXT_SENS_DATA_23);
            self.registers[data].fill(0);
        }
        *self.at_mut(USER_CTRL) &= !(FIFO_RESET | MASTER_RESET | SIGNAL_RESET);
    }

    fn read(&mut self, register: u8, fault: FaultMode) -> u8 {
        let value = match register {
            FIFO_COUNTH => {
                self.fifo.count();
                self.fifo.counted().to_be_bytes()[0]
            }
            FIFO_COUNTL => self.fifo.counted().to_be_bytes()[1],
            WHO_AM_I if fault == FaultMode::WrongIdentity => !IDENTITY,
            I2C_MST_STATUS => std::mem::take(self.at_mut(I2C_MST_STATUS)),
            INT_STATUS => {
                self.pin_until = None;
                std::mem::take(self.at_mut(INT_STATUS))
            }
            other => self.at(other),
        };
        self.acknowledge_by_reading();
        value
    }

    /// Reading anything ends an interrupt, where the host wants that.
    fn acknowledge_by_reading(&mut self) {
        if self.at(INT_PIN_CFG) & ANY_READ_CLEARS != 0 {
            *self.at_mut(INT_STATUS) = 0;
            self.pin_until = None;
        }
    }

    /// Reads registers one after the other; from the FIFO on, all of it is from the FIFO. Returns the register after
    /// the last one.
    fn read_burst(&mut self, first: u8, count: usize, fault: FaultMode, read: &mut Vec<u8>) -> u8 {
        let mut register = first;
        for done in 0..count {
            if register == FIFO_R_W {
                self.fifo.read(count - done, read);
                self.acknowledge_by_reading();
                break;
            }
            read.push(self.read(register, fault));
            register = after(register);
        }
        register
    }

    /// Something happened that may be an interrupt.
    fn interrupt(&mut self, now: Time, status: u8) {
        *self.at_mut(INT_STATUS) |= status;
        if self.has_pin && self.at(INT_ENABLE) & status != 0 {
            let is_latched = self.at(INT_PIN_CFG) & PIN_LATCHED != 0;
            self.pin_until = Some(if is_latched { Time::NEVER } else { now + PULSE });
        }
    }

    fn write_fifo(&mut self, now: Time, bytes: &[u8]) {
        let stops = self.at(CONFIG) & FIFO_STOPS_WHEN_FULL != 0;
        if self.fifo.write(bytes, stops) {
            self.interrupt(now, FIFO_OVERFLOW);
        }
    }

    /// A sample goes into the registers and the FIFO.
    fn show_sample(&mut self, moment: &Moment<'_, Mpu9250Parameters>) {
        if !moment.has(FaultMode::Stuck) {
            self.sensing.show(&mut self.registers);
        }
        if self.at(USER_CTRL) & MASTER_ENABLED != 0 && self.sensing.is_turn_of_auxiliary_bus() {
            let quality = quality(moment, 1.0);
            let Mpu9250 { auxiliary, registers, magnetometer, .. } = self;
            auxiliary.turn(moment.now, registers, magnetometer, &quality);
        }
        if self.at(USER_CTRL) & FIFO_ENABLED != 0 && !moment.has(FaultMode::FrozenFifo) {
            self.fill_fifo(moment.now);
        }
        self.interrupt(moment.now, DATA_READY);
    }

    /// What FIFO_EN asks for, in the order of the registers: accelerometer, temperature, gyroscope, slaves 0 to 3.
    fn fill_fifo(&mut self, now: Time) {
        let wanted = self.at(FIFO_EN);
        // 14 bytes of its own, 24 of others.
        let mut frame = [0u8; 38];
        let mut length = 0;
        let mut append = |bytes: &[u8]| {
            frame[length..length + bytes.len()].copy_from_slice(bytes);
            length += bytes.len();
        };
        let first = usize::from(ACCEL_XOUT_H);
        let word = |number: usize| &self.registers[first + 2 * number..first + 2 * number + 2];
        if wanted & 0x08 != 0 {
            (0..3).for_each(|number| append(word(number)));
        }
        for (bit, number) in [(0x80, 3), (0x40, 4), (0x20, 5), (0x10, 6)] {
            if wanted & bit != 0 {
                append(word(number));
            }
        }
        let third = self.at(I2C_MST_CTRL) >> 2 & 0x08;
        for slave in 0..4 {
            if (wanted & 0x07 | third) >> slave & 1 != 0 {
                append(self.auxiliary.bytes_of(slave, &self.registers));
            }
        }
        if length > 0 {
            self.write_fifo(now, &frame[..length]);
        }
    }

    /// A burst on SPI: the first byte is the register, its highest bit says that it is read.
    fn spi(&mut self, now: Time, fault: FaultMode, written: &[u8], read: &mut Vec<u8>) {
        let Some((first, values)) = written.split_first() else { return };
        read.push(0xFF);
        let mut register = first & 0x7F;
        if first & 0x80 != 0 {
            self.read_burst(register, values.len(), fault, read);
            return;
        }
        for value in values {
            self.write(now, register, *value);
            read.push(0xFF);
            register = after(register);
        }
    }

    fn i2c(&mut self, now: Time, fault: FaultMode, transfer: &Transfer<'_>, read: &mut Vec<u8>) {
        if let Some((first, values)) = transfer.written.split_first() {
            self.selected = first & 0x7F;
            for value in values {
                self.write(now, self.selected, *value);
                self.selected = after(self.selected);
            }
        }
        self.selected = self.read_burst(self.selected, transfer.read, fault, read);
    }

    /// Whether a host on I2C reaches the auxiliary bus directly.
    fn is_bypassed(&self) -> bool {
        self.at(INT_PIN_CFG) & BYPASS != 0 && self.at(USER_CTRL) & MASTER_ENABLED == 0
    }
}

/// The register after this one in a burst; the FIFO is read again and again.
fn after(register: u8) -> u8 {
    if register == FIFO_R_W { register } else { (register + 1) & 0x7F }
}

/// How the magnetometer measures. It is another chip: that it is what it says is not in doubt.
fn quality(moment: &Moment<'_, Mpu9250Parameters>, noise_factor: f64) -> Quality {
    let fault = match moment.fault {
        FaultMode::WrongIdentity => FaultMode::None,
        fault => fault,
    };
    moment.parameters.magnetometer.quality(fault, noise_factor)
}

impl Device for Mpu9250 {
    type Parameters = Mpu9250Parameters;

    const TYPE: &'static str = "device.mpu9250";
    const DOC: &'static str = "\
The inertial unit MPU-9250 on SPI or I2C: gyroscope, accelerometer, thermometer, and the magnetometer AK8963.

All of its registers can be written and read back. It samples at 1 kHz, divided by SMPLRT_DIV, or at 4, 8 and 32 kHz, \
through the filters of the data sheet with their delays; fills its FIFO, raises its interrupt pin, and reads the \
magnetometer over its auxiliary I2C bus, or lets a host on I2C reach it directly. Noise is that of the data sheet.";
    const LINE: Line = Line::Bus;
    const MEASURES: &'static [Quantity] = &[
        Quantity::AngularVelocity,
        Quantity::SpecificForce,
        Quantity::MagneticField,
        Quantity::Temperature,
    ];
    const SHOWS: &'static [Shown] =
        &[Shown { name: "interrupt", unit: None, doc: "The level of its interrupt pin." }];
    const FAULTS: &'static [FaultMode] = &[
        FaultMode::Dead,
        FaultMode::Stuck,
        FaultMode::Intermittent,
        FaultMode::WrongIdentity,
        FaultMode::Nack,
        FaultMode::BitFlips,
        FaultMode::FrozenFifo,
        FaultMode::Noise,
    ];

    fn start(&mut self, moment: &mut Moment<'_, Mpu9250Parameters>) {
        let Mpu9250Parameters { gyroscope, accelerometer, .. } = moment.parameters;
        *self = Mpu9250 { has_pin: moment.parameters.interrupt_pin, ..Mpu9250::default() };
        self.sensing.rate_offset =
            [(); 3].map(|()| gyroscope.offset_spread * moment.random.normal());
        self.sensing.force_offset =
            [(); 3].map(|()| accelerometer.offset_spread * moment.random.normal());
        self.sensing.trim = accelerometer.trim;
        self.reset(moment.now);
    }

    fn reading(
        &mut self,
        moment: &mut Moment<'_, Mpu9250Parameters>,
        quantity: Quantity,
        values: [f64; 3],
    ) {
        let parameters = moment.parameters;
        let along_axes = parameters.mounting.to_chip(values);
        let truth = &mut self.sensing.truth;
        match quantity {
            Quantity::AngularVelocity => truth.rate = along_axes,
            Quantity::SpecificForce => truth.force = along_axes,
            Quantity::MagneticField => {
                // The magnetometer's axes in the package (data sheet, section 9.1).
                let [x, y, z] = along_axes;
                self.magnetometer.set_field([y, x, -z]);
            }
            _ => truth.temperature = values[0],
        }
    }

    fn transfer(
        &mut self,
        moment: &mut Moment<'_, Mpu9250Parameters>,
        transfer: &Transfer<'_>,
        read: &mut Vec<u8>,
    ) -> Answer {
        let is_meant = transfer.chip == moment.parameters.chip;
        match transfer.bus {
            BusKind::Spi if is_meant => self.spi(moment.now, moment.fault, transfer.written, read),
            BusKind::I2c if is_meant && self.at(USER_CTRL) & I2C_DISABLED == 0 => {
                self.i2c(moment.now, moment.fault, transfer, read);
            }
            BusKind::I2c
                if transfer.chip == MAGNETOMETER
                    && self.is_bypassed()
                    && !self.magnetometer.is_cut_off() =>
            {
                let (quality, now) = (quality(moment, 1.0), moment.now);
                let register = self.auxiliary.register();
                ak8963::serve(&mut self.magnetometer, register, now, transfer, &quality, read);
            }
            _ => return Answer::NotMeant,
        }
        Answer::Taken
    }

    fn next_event(&self) -> Time {
        let sample = if self.is_asleep() { Time::NEVER } else { self.sensing.next_step() };
        let pin = self.pin_until.unwrap_or(Time::NEVER);
        sample.min(pin).min(self.magnetometer.next_event())
    }

    fn next_visible_event(&self) -> Time {
        if self.has_pin { self.next_event() } else { Time::NEVER }
    }

    fn act(&mut self, moment: &mut Moment<'_, Mpu9250Parameters>) -> Option<SerialByte> {
        let now = moment.now;
        if self.pin_until.is_some_and(|until| until <= now) {
            self.pin_until = None;
        }
        if self.magnetometer.next_event() <= now {
            let quality = quality(moment, moment.noise_factor());
            self.magnetometer.measure(now, &quality, moment.random);
        }
        if !self.is_asleep() && self.sensing.next_step() <= now {
            let Mpu9250Parameters { gyroscope, accelerometer, .. } = moment.parameters;
            let factor = moment.noise_factor();
            let of_gyroscope =
                Flaws { offset: gyroscope.offset, density: gyroscope.noise_density * factor };
            let of_accelerometer = Flaws {
                offset: accelerometer.offset,
                density: accelerometer.noise_density * factor,
            };
            if self.sensing.step(now, of_gyroscope, of_accelerometer, moment.random) {
                self.show_sample(moment);
            }
        }
        None
    }

    fn show(&self, _: &Mpu9250Parameters, _: FaultMode, _: usize) -> f64 {
        let is_active = self.pin_until.is_some();
        let is_high = self.has_pin && is_active != (self.at(INT_PIN_CFG) & PIN_ACTIVE_LOW != 0);
        f64::from(u8::from(is_high))
    }
}
