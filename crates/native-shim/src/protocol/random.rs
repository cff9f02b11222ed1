//! Random numbers of a seed.

/// SplitMix64 (Steele, Lea, Flood 2014): a counter through a mixing function.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    counter: u64,
}

impl SplitMix64 {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self { counter: seed }
    }

    /// The next number.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.counter;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// The next bytes.
    pub fn fill(&mut self, buffer: &mut [u8]) {
        for part in buffer.chunks_mut(8) {
            part.copy_from_slice(&self.next().to_le_bytes()[..part.len()]);
        }
    }
}

/// The bytes that take the place of those that the kernel gives a program at its start (`AT_RANDOM`, getauxval(3)): libc
/// makes of them what guards its stacks and its pointers, and that lies about in memory. They are the same for every seed: a
/// program that holds the run starts before the seed is known.
pub const RANDOM_AT_START: [u8; 16] =
    *b"\x5a\xc3\x17\x9e\x42\xb8\x6d\xf1\x2b\x90\xe7\x4c\xd5\x38\xa6\x71";
