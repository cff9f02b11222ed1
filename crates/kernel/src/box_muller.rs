//! Box and Muller's sqrt(-2 ln u) cos(2 pi v) of several pairs at a time: the operations of libm's `log` and `cos` (FreeBSD's
//! e_log.c, s_cos.c, e_rem_pio2.c, k_cos.c and k_sin.c) in the same order, on numbers side by side. So the bits are libm's.

use std::f64::consts::PI;

use wide::f64x4;

/// sqrt(-2 ln u) cos(2 pi v) for u in (0, 1] and v in [0, 1).
pub fn box_muller(u: [f64; 4], v: [f64; 4]) -> [f64; 4] {
    let radius = (f64x4::splat(-2.0) * log(u)).sqrt();
    (radius * cos(f64x4::splat(2.0 * PI) * f64x4::from(v))).to_array()
}

/// The natural logarithm of normal numbers above 0.
fn log(x: [f64; 4]) -> f64x4 {
    const LN2_HI: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
    const LN2_LO: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
    const LG1: f64 = f64::from_bits(0x3fe5_5555_5555_5593);
    const LG2: f64 = f64::from_bits(0x3fd9_9999_9997_fa04);
    const LG3: f64 = f64::from_bits(0x3fd2_4924_9422_9359);
    const LG4: f64 = f64::from_bits(0x3fcc_71c5_1d8e_78af);
    const LG5: f64 = f64::from_bits(0x3fc7_4664_96cb_03de);
    const LG6: f64 = f64::from_bits(0x3fc3_9a09_d078_c69f);
    const LG7: f64 = f64::from_bits(0x3fc2_f112_df3e_5244);
    // x = 2^k (1 + f) with 1 + f from sqrt(1/2) to sqrt(2).
    const FROM: u64 = 0x3fe6_a09e_0000_0000;
    const ONE: u64 = 0x3ff0_0000_0000_0000;
    let shifted = x.map(|x| x.to_bits() + (ONE - FROM));
    let k = f64x4::from(shifted.map(|bits| (bits >> 52) as f64)) - 1023.0;
    let x = f64x4::from(shifted.map(|bits| f64::from_bits((bits & (u64::MAX >> 12)) + FROM)));
    let f = x - 1.0;
    let half = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let t1 = w * (LG2 + w * (LG4 + w * LG6));
    let t2 = z * (LG1 + w * (LG3 + w * (LG5 + w * LG7)));
    let r = t2 + t1;
    s * (half + r) + k * LN2_LO - half + f + k * LN2_HI
}

/// The cosine of angles from 0 to 2 pi.
fn cos(x: f64x4) -> f64x4 {
    const C1: f64 = f64::from_bits(0x3fa5_5555_5555_554c);
    const C2: f64 = f64::from_bits(0xbf56_c16c_16c1_5177);
    const C3: f64 = f64::from_bits(0x3efa_01a0_19cb_1590);
    const C4: f64 = f64::from_bits(0xbe92_7e4f_809c_52ad);
    const C5: f64 = f64::from_bits(0x3e21_ee9e_bdb4_b1c4);
    const C6: f64 = f64::from_bits(0xbda8_fae9_be88_38d4);
    const S1: f64 = f64::from_bits(0xbfc5_5555_5555_5549);
    const S2: f64 = f64::from_bits(0x3f81_1111_1110_f8a6);
    const S3: f64 = f64::from_bits(0xbf2a_01a0_19c1_61d5);
    const S4: f64 = f64::from_bits(0x3ec7_1de3_57b1_fe7d);
    const S5: f64 = f64::from_bits(0xbe5a_e5e6_8a2b_9ceb);
    const S6: f64 = f64::from_bits(0x3de5_d93a_5acf_d57c);
    /// The first 33 bits of pi/2, and the rest.
    const PIO2_1: f64 = f64::from_bits(0x3ff9_21fb_5440_0000);
    const PIO2_1T: f64 = f64::from_bits(0x3dd0_b461_1a62_6331);
    // x = n pi/2 + y, by the upper words of the angles.
    let is_beyond = |upper: u64| x.simd_ge(f64x4::splat(f64::from_bits((upper + 1) << 32)));
    let (beyond_1, beyond_3) = (is_beyond(0x3fe9_21fb), is_beyond(0x4002_d97c));
    let (beyond_5, beyond_7) = (is_beyond(0x400f_6a7a), is_beyond(0x4015_fdbc));
    let one = f64x4::splat(1.0);
    let n = (beyond_1 & one) + (beyond_3 & one) + (beyond_5 & one) + (beyond_7 & one);
    let z = x - n * PIO2_1;
    let rest = n * PIO2_1T;
    let y0 = z - rest;
    let y1 = (z - y0) - rest;
    let z = y0 * y0;
    let w = z * z;
    let cosine = {
        let r = z * (C1 + z * (C2 + z * C3)) + w * w * (C4 + z * (C5 + z * C6));
        let half = 0.5 * z;
        let w = 1.0 - half;
        w + (((1.0 - w) - half) + (z * r - y0 * y1))
    };
    let sine = {
        let r = S2 + z * (S3 + z * S4) + z * w * (S5 + z * S6);
        let v = z * y0;
        y0 - ((z * (0.5 * y1 - v * r) - y1) - v * S1)
    };
    // cos, -sin, -cos, sin, cos.
    let is_sine = (beyond_1 ^ beyond_3) | (beyond_5 ^ beyond_7);
    let is_negative = (beyond_1 ^ beyond_5) & f64x4::splat(-0.0);
    let chosen = is_sine.bitselect(sine, cosine) ^ is_negative;
    // Where nearly nothing is left beside a multiple of pi/2, libm takes more bits of that.
    let is_close = y0.abs().simd_le(f64x4::splat(1.0 / f64::from(1 << 17)));
    match is_close.any() {
        false => chosen,
        true => f64x4::from(x.to_array().map(libm::cos)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RandomStream;

    /// The same of one pair, by libm.
    fn by_libm(u: f64, v: f64) -> f64 {
        libm::sqrt(-2.0 * libm::log(u)) * libm::cos(2.0 * PI * v)
    }

    fn assert_same_bits(u: [f64; 4], v: [f64; 4]) {
        let all = box_muller(u, v);
        for ((u, v), normal) in u.into_iter().zip(v).zip(all) {
            assert_eq!(normal.to_bits(), by_libm(u, v).to_bits(), "{u:?}, {v:?}");
        }
    }

    #[test]
    fn the_bits_are_those_of_libm() {
        let mut random = RandomStream::from_key(7);
        for _ in 0..500_000 {
            let u = [(); 4].map(|()| 1.0 - random.uniform());
            assert_same_bits(u, [(); 4].map(|()| random.uniform()));
        }
    }

    #[test]
    fn the_bits_are_those_of_libm_where_its_branches_meet() {
        // About multiples of pi/4, at distances of all sizes.
        for eighth in 0..=8 {
            for exponent in 1..=53 {
                let distance = 1.0 / (1u64 << exponent) as f64;
                let all =
                    [1.0, -1.0, 1.5, -1.5].map(|sign| f64::from(eighth) / 8.0 + sign * distance);
                let v = all.map(|v| if (0.0..1.0).contains(&v) { v } else { 0.0 });
                assert_same_bits(v.map(|v| 1.0 - v), v);
                assert_same_bits([distance, 1.0 - distance, 1.0, 0.5], v);
            }
        }
        // About sqrt(1/2) as well, where the logarithm changes its power of two.
        let root = f64::from_bits(0x3fe6_a09e_0000_0000);
        let steps =
            [-1, 0, 1, 2].map(|step| f64::from_bits(root.to_bits().wrapping_add_signed(step)));
        assert_same_bits(steps, [0.3; 4]);
    }
}
