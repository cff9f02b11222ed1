//! MS5611-01BA03, a barometer (data sheet of TE Connectivity, 2017).

mod calibration;

use ironbird_component::Parameters;
use ironbird_kernel::{Duration, Time};
use serde::{Deserialize, Serialize};

pub use calibration::Calibration;

use crate::SerialByte;
use crate::device::{
    Answer, BusKind, Device, DeviceParameters, Fault, FaultMode, Line, Moment, Quantity, Shown,
    Transfer,
};

/// How long the PROM is loaded after a reset.
const RELOAD: Duration = Duration::from_us(2800);

/// Longest conversion for OSR 256, 512, 1024, 2048 and 4096.
const CONVERSION: [Duration; 5] = [
    Duration::from_us(600),
    Duration::from_us(1170),
    Duration::from_us(2280),
    Duration::from_us(4540),
    Duration::from_us(9040),
];

/// Resolution for these OSR ("RMS"), in 0.01 mbar and in 0.01 °C.
const PRESSURE_NOISE: [f64; 5] = [6.5, 4.2, 2.7, 1.8, 1.2];
const TEMPERATURE_NOISE: [f64; 5] = [1.2, 0.8, 0.5, 0.3, 0.2];

/// What can be set of an MS5611.
#[derive(Clone, Debug, Parameters)]
pub struct Ms5611Parameters {
    /// The bus that it is on.
    #[parameter(default = BusKind::Spi, fixed)]
    bus: BusKind,
    /// Number of its select line (SPI), or its address: 118 (0x76) or 119 (0x77).
    #[parameter(default = 0, max = 127, fixed)]
    chip: u8,
    /// What the factory measured, C1 to C6; those of the data sheet's example.
    #[parameter(default = [40127, 36924, 23317, 23282, 33464, 28312], min = 1, fixed)]
    calibration: [u16; 6],
    /// Its serial number.
    #[parameter(default = 0, max = 4095, fixed)]
    serial: u16,
    /// By how much its noise is that of the data sheet.
    #[parameter(default = 1.0, min = 0)]
    noise: f64,
    /// What it reads too much.
    #[parameter(unit = "Pa", default = 0.0)]
    offset: f64,
    #[group]
    factor: Ms5611Factors,
    #[group]
    fault: Fault,
}

/// What values are multiplied by before they are rounded to whole numbers.
#[derive(Clone, Debug, Parameters)]
pub struct Ms5611Factors {
    /// Of the pressure in Pa; 0: not rounded.
    #[parameter(default = 100, fixed)]
    pressure: u32,
    /// Of the temperature in K; 0: not rounded.
    #[parameter(default = 1_000_000, fixed)]
    temperature: u32,
}

impl DeviceParameters for Ms5611Parameters {
    fn fault(&self) -> &Fault {
        &self.fault
    }

    fn factor(&self, quantity: Quantity, _: usize) -> u32 {
        match quantity {
            Quantity::Pressure => self.factor.pressure,
            _ => self.factor.temperature,
        }
    }

    fn bus(&self) -> BusKind {
        self.bus
    }

    fn check(&self) -> Result<(), String> {
        match (self.bus, self.chip) {
            (BusKind::I2c, 0x76 | 0x77) | (BusKind::Spi, _) => Ok(()),
            (BusKind::I2c, chip) => {
                Err(format!("on I2C an MS5611 has the address 118 or 119: `chip` is {chip}"))
            }
        }
    }
}

/// A barometer that is asked for conversions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Ms5611 {
    /// In Pa and in K.
    pressure: f64,
    temperature: f64,
    /// Until when the PROM is being loaded.
    loads_until: Time,
    conversion: Option<Conversion>,
    /// What the next reading of the converter gives.
    result: u32,
    /// What a reading over I2C gives.
    selected: Selected,
    /// The last results, which a stuck chip repeats.
    last_pressure: u32,
    last_temperature: u32,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Conversion {
    of_temperature: bool,
    /// Which of the five OSR.
    oversampling: u8,
    ends: Time,
    /// The converter was read or told to convert while it converted: its result is none.
    is_spoilt: bool,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
enum Selected {
    #[default]
    Nothing,
    Converter,
    Word(u8),
}

impl Ms5611 {
    fn command(&mut self, moment: &Moment<'_, Ms5611Parameters>, command: u8) {
        self.selected = Selected::Nothing;
        match command {
            0x1E => {
                self.loads_until = moment.now + RELOAD;
                (self.conversion, self.result) = (None, 0);
            }
            0x40 | 0x42 | 0x44 | 0x46 | 0x48 | 0x50 | 0x52 | 0x54 | 0x56 | 0x58 => {
                let oversampling = (command & 0x0F) / 2;
                let is_spoilt = self.conversion.is_some();
                self.result = 0;
                self.conversion = Some(Conversion {
                    of_temperature: command & 0x10 != 0,
                    oversampling,
                    ends: moment.now + CONVERSION[usize::from(oversampling)],
                    is_spoilt,
                });
            }
            0x00 => self.selected = Selected::Converter,
            0xA0..=0xAF => self.selected = Selected::Word((command & 0x0F) / 2),
            _ => {}
        }
    }

    /// Appends what the last command selected.
    fn answer(&mut self, moment: &Moment<'_, Ms5611Parameters>, read: &mut Vec<u8>) {
        match std::mem::take(&mut self.selected) {
            Selected::Nothing => {}
            Selected::Converter => {
                let result = std::mem::take(&mut self.result);
                if let Some(conversion) = &mut self.conversion {
                    conversion.is_spoilt = true;
                }
                read.extend_from_slice(&result.to_be_bytes()[1..]);
            }
            Selected::Word(number) => {
                let parameters = moment.parameters;
                let mut words = Calibration(parameters.calibration).prom(parameters.serial);
                if moment.has(FaultMode::WrongIdentity) {
                    words[7] ^= 1;
                }
                read.extend_from_slice(&words[usize::from(number)].to_be_bytes());
            }
        }
    }

    /// The number that a conversion gives.
    fn convert(
        &mut self,
        moment: &mut Moment<'_, Ms5611Parameters>,
        conversion: &Conversion,
    ) -> u32 {
        let calibration = Calibration(moment.parameters.calibration);
        let factor = moment.parameters.noise * moment.noise_factor();
        let oversampling = usize::from(conversion.oversampling);
        let temperature = 100.0 * (self.temperature - 273.15);
        if conversion.of_temperature {
            let noise = factor * TEMPERATURE_NOISE[oversampling] * moment.random.normal();
            if !moment.has(FaultMode::Stuck) {
                self.last_temperature = calibration.temperature_number(temperature + noise);
            }
            return self.last_temperature;
        }
        let noise = factor * PRESSURE_NOISE[oversampling] * moment.random.normal();
        let pressure = self.pressure + moment.parameters.offset;
        if !moment.has(FaultMode::Stuck) {
            let number = calibration.temperature_number(temperature);
            self.last_pressure = calibration.pressure_number(pressure + noise, number);
        }
        self.last_pressure
    }
}

impl Device for Ms5611 {
    type Parameters = Ms5611Parameters;

    const TYPE: &'static str = "device.ms5611";
    const DOC: &'static str = "\
The barometer MS5611-01BA03 on SPI or I2C.

A driver resets it (0x1E), reads the factory's calibration (0xA0 ...), asks for conversions of pressure (0x40 ...) and \
temperature (0x50 ...) and reads their results (0x00), of which it calculates both. A result that is read too early is 0. \
Its noise is that of the data sheet.";
    const LINE: Line = Line::Bus;
    const MEASURES: &'static [Quantity] = &[Quantity::Pressure, Quantity::Temperature];
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

    fn start(&mut self, moment: &mut Moment<'_, Ms5611Parameters>) {
        self.loads_until = moment.now + RELOAD;
    }

    fn reading(
        &mut self,
        _: &mut Moment<'_, Ms5611Parameters>,
        quantity: Quantity,
        values: [f64; 3],
    ) {
        match quantity {
            Quantity::Pressure => self.pressure = values[0],
            _ => self.temperature = values[0],
        }
    }

    fn transfer(
        &mut self,
        moment: &mut Moment<'_, Ms5611Parameters>,
        transfer: &Transfer<'_>,
        read: &mut Vec<u8>,
    ) -> Answer {
        if transfer.chip != moment.parameters.chip {
            return Answer::NotMeant;
        }
        if moment.now < self.loads_until {
            // It does not listen; on SPI its output stays low.
            read.resize(transfer.written.len(), 0);
            return match transfer.bus {
                BusKind::Spi => Answer::Taken,
                BusKind::I2c => Answer::Refused,
            };
        }
        if let Some(command) = transfer.written.first() {
            self.command(moment, *command);
        }
        match transfer.bus {
            BusKind::Spi => {
                // While the command comes in, nothing goes out.
                read.push(0xFF);
                if transfer.written.len() > 1 {
                    self.answer(moment, read);
                    read.truncate(transfer.written.len());
                }
                read.resize(transfer.written.len(), 0);
            }
            BusKind::I2c if transfer.read > 0 => {
                self.answer(moment, read);
                read.resize(transfer.read, 0);
            }
            BusKind::I2c => {}
        }
        Answer::Taken
    }

    fn next_event(&self) -> Time {
        self.conversion.map_or(Time::NEVER, |conversion| conversion.ends)
    }

    fn act(&mut self, moment: &mut Moment<'_, Ms5611Parameters>) -> Option<SerialByte> {
        if let Some(conversion) = self.conversion.take() {
            let result = self.convert(moment, &conversion);
            self.result = if conversion.is_spoilt { 0 } else { result };
        }
        None
    }
}
