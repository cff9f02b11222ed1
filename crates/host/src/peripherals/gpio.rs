//! GPIO: lines in and out.

use serde::{Deserialize, Serialize};

/// Lines that are ports of the component.
pub const LINES: usize = 16;

const IN: u32 = 0x00;
const OUT: u32 = 0x04;
const SET: u32 = 0x08;
const CLEAR: u32 = 0x0C;
const RISING: u32 = 0x10;
const NOTED: u32 = 0x14;

/// Levels and edges.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Gpio {
    inputs: u32,
    pub outputs: u32,
    rising: u32,
    noted: u32,
}

impl Gpio {
    pub fn line(&self) -> bool {
        self.noted != 0
    }

    /// An input line has this level now.
    pub fn set_input(&mut self, line: usize, level: bool) {
        let bit = 1 << line;
        if level && self.inputs & bit == 0 {
            self.noted |= bit & self.rising;
        }
        self.inputs = if level { self.inputs | bit } else { self.inputs & !bit };
    }

    /// All is as after reset, but what others drive.
    pub fn reset(&mut self) {
        *self = Gpio { inputs: self.inputs, ..Gpio::default() };
    }

    pub fn load(&self, offset: u32) -> u32 {
        match offset {
            IN => self.inputs,
            OUT => self.outputs,
            RISING => self.rising,
            NOTED => self.noted,
            _ => 0,
        }
    }

    pub fn store(&mut self, offset: u32, value: u32) {
        match offset {
            OUT => self.outputs = value,
            SET => self.outputs |= value,
            CLEAR => self.outputs &= !value,
            RISING => self.rising = value,
            NOTED => self.noted &= !value,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rising_edge_is_noted_where_that_is_wanted() {
        let mut gpio = Gpio::default();
        gpio.store(RISING, 0b10);
        gpio.set_input(0, true);
        assert!(!gpio.line());
        gpio.set_input(1, true);
        gpio.set_input(1, false);
        assert_eq!((gpio.load(NOTED), gpio.load(IN)), (0b10, 0b01));
        gpio.store(NOTED, 0b10);
        assert!(!gpio.line());
    }
}
