//! The registers of an AK8963 and what they do (data sheet of Asahi Kasei, MS1356-E-02, chapters 6 and 8).
//!
//! ```text
//! number = field / (0.15 µT or 0.6 µT) / ((ASA - 128)/256 + 1)      HXL … HZH
//! ```
//!
//! A measurement that is being read, from the first byte of data to ST2, is not replaced by a newer one.

use ironbird_kernel::{Duration, RandomStream, Time};
use serde::{Deserialize, Serialize};

/// µT per step with 16 and with 14 bits.
const FINE: f64 = 0.15;
const COARSE: f64 = 0.6;

/// The sum of the amounts of all three axes at which it overflows, in µT.
const OVERFLOW: f64 = 4912.0;

/// How long a measurement takes.
const MEASUREMENT: Duration = Duration::from_us(7200);

/// What the coil of the self-test adds, in µT: in the middle of what the data sheet allows for Z (-3200 … -800 steps
/// of 0.15 µT).
const SELF_TEST: [f64; 3] = [0.0, 0.0, -300.0];

const WHO: u8 = 0x48;
const ST1: u8 = 0x02;
const DATA: u8 = 0x03;
const ST2: u8 = 0x09;
const CNTL1: u8 = 0x0A;
const CNTL2: u8 = 0x0B;
const ASTC: u8 = 0x0C;
const I2CDIS: u8 = 0x0F;
const ASAX: u8 = 0x10;

/// What a magnetometer does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Mode {
    #[default]
    PowerDown,
    Single,
    /// Every so often.
    Continuous(Duration),
    ExternalTrigger,
    SelfTest,
    FuseRom,
}

impl Mode {
    /// That of the lower bits of CNTL1; others are not allowed and do nothing.
    fn of(bits: u8) -> Self {
        match bits & 0x0F {
            0b0001 => Mode::Single,
            0b0010 => Mode::Continuous(Duration::from_ms(125)),
            0b0110 => Mode::Continuous(Duration::from_ms(10)),
            0b0100 => Mode::ExternalTrigger,
            0b1000 => Mode::SelfTest,
            0b1111 => Mode::FuseRom,
            _ => Mode::PowerDown,
        }
    }
}

/// How well a magnetometer measures, and what is wrong with it.
#[derive(Clone, Copy, Debug)]
pub struct Quality {
    /// Sensitivity adjustment of the axes, ASAX … ASAZ.
    pub adjustment: [u8; 3],
    /// Field that it reads too much, in T, along its own axes.
    pub offset: [f64; 3],
    /// Standard deviation of its noise in T.
    pub noise: f64,
    /// It says that it is another chip.
    pub has_wrong_identity: bool,
    /// Its data do not change.
    pub is_stuck: bool,
}

/// An AK8963 without its bus.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Magnetometer {
    /// In T, along its own axes.
    field: [f64; 3],
    control: u8,
    self_test: u8,
    mode: Mode,
    /// When the measurement that is under way ends.
    ends: Option<Time>,
    data: [i16; 3],
    overflow: bool,
    data_ready: bool,
    overrun: bool,
    is_being_read: bool,
    is_cut_off: bool,
}

impl Magnetometer {
    /// There is another field, in T, along its own axes.
    pub fn set_field(&mut self, field: [f64; 3]) {
        self.field = field;
    }

    /// Whether it has left the bus, by I2CDIS.
    pub fn is_cut_off(&self) -> bool {
        self.is_cut_off
    }

    /// When a measurement ends.
    pub fn next_event(&self) -> Time {
        self.ends.unwrap_or(Time::NEVER)
    }

    /// A measurement is over.
    pub fn measure(&mut self, now: Time, quality: &Quality, random: &mut RandomStream) {
        // The numbers of later measurements do not depend on which are kept.
        let noise = [(); 3].map(|()| quality.noise * random.normal());
        self.ends = match self.mode {
            Mode::Continuous(period) => Some(now + period),
            _ => None,
        };
        let tests = self.mode == Mode::SelfTest && self.self_test & 0x40 != 0;
        if !matches!(self.mode, Mode::Continuous(_)) {
            self.mode = Mode::PowerDown;
            self.control &= 0xF0;
        }
        if self.is_being_read {
            self.overrun = true;
            return;
        }
        self.overrun |= self.data_ready;
        self.data_ready = true;
        if quality.is_stuck {
            return;
        }
        let field: [f64; 3] = std::array::from_fn(|axis| {
            let added = if tests { SELF_TEST[axis] } else { 0.0 };
            1e6 * (self.field[axis] + quality.offset[axis] + noise[axis]) + added
        });
        self.overflow = field.iter().map(|part| part.abs()).sum::<f64>() >= OVERFLOW;
        let (step, most) = if self.is_fine() { (FINE, 32_760.0) } else { (COARSE, 8_190.0) };
        self.data = std::array::from_fn(|axis| {
            let gain = (f64::from(quality.adjustment[axis]) - 128.0) / 256.0 + 1.0;
            (field[axis] / step / gain).round_ties_even().clamp(-most, most) as i16
        });
    }

    fn is_fine(&self) -> bool {
        self.control & 0x10 != 0
    }

    /// Reads a register, with all that reading does.
    pub fn read(&mut self, register: u8, quality: &Quality) -> u8 {
        if (DATA..=ST2).contains(&register) && !self.is_being_read {
            self.is_being_read = true;
            (self.data_ready, self.overrun) = (false, false);
        }
        match register {
            0x00 if quality.has_wrong_identity => !WHO,
            0x00 => WHO,
            0x01 => 0x9A,
            ST1 => u8::from(self.data_ready) | u8::from(self.overrun) << 1,
            0x03..=0x08 => {
                let at = register - DATA;
                self.data[usize::from(at / 2)].to_le_bytes()[usize::from(at % 2)]
            }
            ST2 => {
                self.is_being_read = false;
                u8::from(self.overflow) << 3 | (self.control & 0x10)
            }
            CNTL1 => self.control,
            ASTC => self.self_test,
            0x10..=0x12 if self.mode == Mode::FuseRom => {
                quality.adjustment[usize::from(register - ASAX)]
            }
            _ => 0,
        }
    }

    /// Writes a register.
    pub fn write(&mut self, now: Time, register: u8, value: u8) {
        match register {
            CNTL1 => {
                self.control = value & 0x1F;
                self.mode = Mode::of(value);
                self.ends = match self.mode {
                    Mode::Single | Mode::SelfTest | Mode::Continuous(_) => Some(now + MEASUREMENT),
                    Mode::PowerDown | Mode::ExternalTrigger | Mode::FuseRom => None,
                };
            }
            CNTL2 if value & 1 != 0 => {
                *self = Magnetometer { field: self.field, ..Magnetometer::default() };
            }
            ASTC => self.self_test = value & 0x40,
            I2CDIS if value == 0x1B => self.is_cut_off = true,
            _ => {}
        }
    }

    /// The register after this one, when several are read at once: data and
    /// control go round, and so do the adjustments.
    pub fn after(register: u8) -> u8 {
        match register {
            ASTC => 0x00,
            0x12 => ASAX,
            other => other.wrapping_add(1),
        }
    }
}
