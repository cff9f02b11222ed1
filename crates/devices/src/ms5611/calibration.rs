//! What the factory wrote into the chip, and what follows from it: the numbers that its converter gives.
//!
//! A driver calculates (data sheet, figures 2 and 3), with whole numbers, temperatures in 0.01 °C, pressures in
//! 0.01 mbar:
//!
//! ```text
//! dT = D2 - C5·2⁸                 TEMP = 2000 + dT·C6/2²³
//! OFF = C2·2¹⁶ + C4·dT/2⁷         SENS = C1·2¹⁵ + C3·dT/2⁸
//! below 20 °C:   T2 = dT²/2³¹     OFF2 = 5 (TEMP - 2000)²/2     SENS2 = OFF2/2
//! below -15 °C:  OFF2 += 7 (TEMP + 1500)²     SENS2 += 11 (TEMP + 1500)²/2
//! P = (D1·(SENS - SENS2)/2²¹ - (OFF - OFF2))/2¹⁵        T = TEMP - T2
//! ```
//!
//! The chip goes the other way: which D2 makes a driver find T, and which D1 then P.

/// The largest number that the converter gives.
const FULL: f64 = 16_777_215.0;

/// C1 … C6.
#[derive(Clone, Copy, Debug)]
pub struct Calibration(pub [u16; 6]);

impl Calibration {
    /// The eight words of the PROM: the factory's word, C1 … C6, serial number and check sum.
    pub fn prom(&self, serial: u16) -> [u16; 8] {
        let Calibration([c1, c2, c3, c4, c5, c6]) = *self;
        let mut words = [0, c1, c2, c3, c4, c5, c6, serial << 4];
        words[7] |= check_sum(words);
        words
    }

    /// D2 of a temperature in 0.01 °C.
    pub fn temperature_number(&self, temperature: f64) -> u32 {
        let Calibration([.., c5, c6]) = *self;
        // TEMP = 2000 + slope·dT, less dT²·square below 20 °C.
        let (slope, square) = (f64::from(c6) / 8_388_608.0, 1.0 / 2_147_483_648.0);
        let above = temperature - 2000.0;
        let difference = if above < 0.0 {
            (slope - (slope * slope - 4.0 * square * above).sqrt()) / (2.0 * square)
        } else {
            above / slope
        };
        (difference + f64::from(c5) * 256.0).round_ties_even().clamp(0.0, FULL) as u32
    }

    /// D1 of a pressure in 0.01 mbar, where the temperature has this number D2.
    pub fn pressure_number(&self, pressure: f64, temperature_number: u32) -> u32 {
        let Calibration(c) = *self;
        let [c1, c2, c3, c4, c5, c6] = c.map(f64::from);
        let difference = f64::from(temperature_number) - c5 * 256.0;
        let temperature = 2000.0 + difference * c6 / 8_388_608.0;
        let mut offset = c2 * 65_536.0 + c4 * difference / 128.0;
        let mut sensitivity = c1 * 32_768.0 + c3 * difference / 256.0;
        if temperature < 2000.0 {
            let cold = (temperature - 2000.0) * (temperature - 2000.0);
            let very_cold = (temperature + 1500.0).min(0.0);
            let very_cold = very_cold * very_cold;
            offset -= 2.5 * cold + 7.0 * very_cold;
            sensitivity -= 1.25 * cold + 5.5 * very_cold;
        }
        let number = (pressure * 32_768.0 + offset) * 2_097_152.0 / sensitivity;
        number.round_ties_even().clamp(0.0, FULL) as u32
    }
}

/// The check sum of four bits over all words, its own nibble and the one above it left out (application note AN520):
/// the remainder of a division by the polynomial 0x3000.
fn check_sum(mut words: [u16; 8]) -> u16 {
    words[7] &= 0xFF00;
    let mut remainder = 0u16;
    for word in words {
        for byte in word.to_be_bytes() {
            remainder ^= u16::from(byte);
            for _ in 0..8 {
                let carry = remainder & 0x8000 != 0;
                remainder <<= 1;
                if carry {
                    remainder ^= 0x3000;
                }
            }
        }
    }
    remainder >> 12
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: Calibration = Calibration([40127, 36924, 23317, 23282, 33464, 28312]);

    #[test]
    fn the_example_of_the_data_sheet_comes_out() {
        let d2 = EXAMPLE.temperature_number(2007.0);
        // A step of 0.01 °C is 296 steps of D2.
        assert!(d2.abs_diff(8_569_150) < 300, "{d2}");
        assert!(EXAMPLE.pressure_number(100_009.0, 8_569_150).abs_diff(9_085_466) < 60);
    }

    /// The words and the sum that the application note shows.
    #[test]
    fn the_check_sum_is_that_of_the_application_note() {
        let words = [0x3132, 0x3334, 0x3536, 0x3738, 0x3940, 0x4142, 0x4344, 0x4500];
        assert_eq!(check_sum(words), 0xB);
    }
}
