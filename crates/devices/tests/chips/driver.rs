//! What drivers calculate, as the data sheets say it and written for these tests only.

/// Temperature in 0.01 °C and pressure in 0.01 mbar of an MS5611, with real numbers as in ArduPilot.
pub fn ms5611(c: [u16; 6], d1: u32, d2: u32) -> (f64, f64) {
    let [c1, c2, c3, c4, c5, c6] = c.map(f64::from);
    let dt = f64::from(d2) - c5 * 256.0;
    let mut temp = 2000.0 + dt * c6 / 8_388_608.0;
    let mut off = c2 * 65_536.0 + c4 * dt / 128.0;
    let mut sens = c1 * 32_768.0 + c3 * dt / 256.0;
    if temp < 2000.0 {
        let t2 = dt * dt / 2_147_483_648.0;
        let square = (temp - 2000.0) * (temp - 2000.0);
        let (mut off2, mut sens2) = (5.0 * square / 2.0, 5.0 * square / 4.0);
        if temp < -1500.0 {
            let square = (temp + 1500.0) * (temp + 1500.0);
            off2 += 7.0 * square;
            sens2 += 11.0 * square / 2.0;
        }
        temp -= t2;
        off -= off2;
        sens -= sens2;
    }
    (temp, (f64::from(d1) * sens / 2_097_152.0 - off) / 32_768.0)
}

/// The same above 20 °C with whole numbers, each quotient rounded down, as in the data sheet's example.
pub fn ms5611_in_whole_numbers(c: [u16; 6], d1: u32, d2: u32) -> (i64, i64) {
    let [c1, c2, c3, c4, c5, c6] = c.map(i64::from);
    let dt = i64::from(d2) - (c5 << 8);
    let off = (c2 << 16) + ((c4 * dt) >> 7);
    let sens = (c1 << 15) + ((c3 * dt) >> 8);
    (2000 + ((dt * c6) >> 23), (((i64::from(d1) * sens) >> 21) - off) >> 15)
}

/// The check sum of its PROM, as application note AN520 has it: over eight words, bytes exclusive-or'ed one by one.
pub fn ms5611_check_sum(prom: [u16; 8]) -> u16 {
    let mut words = prom;
    words[7] &= 0xFF00;
    let mut n_rem: u16 = 0;
    for count in 0..16 {
        let word = words[count >> 1];
        n_rem ^= if count % 2 == 1 { word & 0x00FF } else { word >> 8 };
        for _ in 0..8 {
            n_rem = if n_rem & 0x8000 != 0 { (n_rem << 1) ^ 0x3000 } else { n_rem << 1 };
        }
    }
    (n_rem >> 12) & 0xF
}

/// Words in the order of bytes of an MPU-9250.
pub fn big_endian(bytes: &[u8]) -> Vec<i16> {
    bytes.chunks_exact(2).map(|word| i16::from_be_bytes([word[0], word[1]])).collect()
}

/// µT of an AK8963 with 16 bits.
pub fn ak8963(data: &[u8], asa: [u8; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| {
        let raw = i16::from_le_bytes([data[2 * axis], data[2 * axis + 1]]);
        f64::from(raw) * 0.15 * ((f64::from(asa[axis]) - 128.0) * 0.5 / 128.0 + 1.0)
    })
}
