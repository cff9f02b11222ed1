//! System: what the computer is, why it began, and how to begin anew.

use serde::{Deserialize, Serialize};

const ID: u32 = 0x00;
const CLOCK: u32 = 0x04;
const FLASH_SIZE: u32 = 0x08;
const RAM_SIZE: u32 = 0x0C;
const UNIQUE: u32 = 0x10;
const RESET_CAUSE: u32 = 0x14;
const RESET: u32 = 0x18;
const ENTROPY: u32 = 0x1C;

const IDENTITY: u32 = 0x4942_3031;
const RESET_KEY: u32 = 0x5245_5345;

/// Why the computer began to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResetCause {
    /// It was switched on.
    #[default]
    PowerOn = 1,
    /// The watchdog was not fed.
    Watchdog = 2,
    /// Software asked for it.
    Software = 3,
}

/// The system's registers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct System {
    pub clock: u32,
    pub flash_size: u32,
    pub ram_size: u32,
    pub unique: u32,
    pub reset_cause: ResetCause,
    /// Software has asked for a reset.
    pub reset_wanted: bool,
    /// State of the generator behind `ENTROPY`.
    pub entropy: u64,
}

impl System {
    pub fn load(&mut self, offset: u32) -> u32 {
        match offset {
            ID => IDENTITY,
            CLOCK => self.clock,
            FLASH_SIZE => self.flash_size,
            RAM_SIZE => self.ram_size,
            UNIQUE => self.unique,
            RESET_CAUSE => self.reset_cause as u32,
            ENTROPY => self.random(),
            _ => 0,
        }
    }

    pub fn store(&mut self, offset: u32, value: u32) {
        if offset == RESET && value == RESET_KEY {
            self.reset_wanted = true;
        }
    }

    /// SplitMix64 (Steele, Lea, Flood 2014), its upper half.
    fn random(&mut self) -> u32 {
        self.entropy = self.entropy.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.entropy;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) >> 32) as u32
    }
}
