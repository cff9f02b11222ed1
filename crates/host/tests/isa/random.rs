//! Random numbers for programs: the same for the same seed, everywhere.

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
pub struct Random(u64);

impl Random {
    /// A stream of numbers.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(limit)) >> 32) as u32
    }

    /// A number from `low` to `high`, both possible.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as u32) as i32
    }

    /// One of several.
    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u32) as usize]
    }

    /// One of several words.
    pub fn name(&mut self, of: &'static str) -> &'static str {
        let names: Vec<&str> = of.split_whitespace().collect();
        self.one(&names)
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    /// A word: often one at the edge of something, for integers or floats.
    pub fn word(&mut self) -> u32 {
        const EDGES: [u32; 10] = [
            0,
            1,
            2,
            31,
            0x7fff_ffff,
            0x8000_0000,
            0x8000_0001,
            0xffff_fffe,
            u32::MAX,
            0x0000_8000,
        ];
        match self.below(4) {
            0 => self.one(&EDGES),
            1 => self.below(64).wrapping_sub(32),
            2 => self.float(),
            _ => self.bits() as u32,
        }
    }

    /// The bits of a float: often special, or near to where rounding, overflow and underflow happen.
    pub fn float(&mut self) -> u32 {
        const SPECIAL: [u32; 14] = [
            0,
            0x8000_0000,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            0x7f80_0001,
            0xffc1_2345,
            0xff81_2345,
            1,
            0x8000_0001,
            0x007f_ffff,
            0x0080_0000,
            0x7f7f_ffff,
            0xff7f_ffff,
        ];
        let sign = self.below(2) << 31;
        let fraction = match self.below(3) {
            0 => self.one(&[0, 1, 2, 0x7f_ffff, 0x7f_fffe, 0x40_0000, 0x40_0001, 0x3f_ffff]),
            _ => self.below(1 << 23),
        };
        match self.below(6) {
            0 => self.one(&SPECIAL),
            1 => sign | self.below(30) << 23 | fraction,
            2 => sign | (225 + self.below(30)) << 23 | fraction,
            3 => self.bits() as u32,
            _ => sign | (112 + self.below(48)) << 23 | fraction,
        }
    }

    /// A float that has to do with another one: their sum cancels or is a tie, their product is at the edge of what can be
    /// represented, or they have nothing to do with each other.
    pub fn partner(&mut self, of: u32) -> u32 {
        let exponent = (of >> 23 & 0xff) as i32;
        let near = match self.below(5) {
            0 => return self.float(),
            1 => return of ^ self.below(2) << 31 ^ self.below(4),
            2 => exponent + self.between(-26, 26),
            3 => 127 - exponent + self.between(-26, 3),
            _ => 381 - exponent + self.between(-3, 2),
        };
        let fraction = match self.below(3) {
            0 => self.one(&[0, 1, 0x7f_ffff, 0x40_0000]),
            _ => self.below(1 << 23),
        };
        self.below(2) << 31 | (near.clamp(0, 254) as u32) << 23 | fraction
    }
}
