//! A set of nodes that is visited in node order: by a sweep over bits where most are members, by
//! sorting a short list where few are.

#[derive(Default)]
pub(crate) struct ActiveSet {
    bits: Vec<u64>,
    list: Vec<u32>,
}

impl ActiveSet {
    pub fn resize(&mut self, nodes: usize) {
        self.bits = vec![0; nodes.div_ceil(64)];
        self.list.clear();
    }

    #[inline]
    pub fn insert(&mut self, node: u32) {
        let word = &mut self.bits[(node / 64) as usize];
        let bit = 1u64 << (node % 64);
        if *word & bit == 0 {
            *word |= bit;
            self.list.push(node);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn clear(&mut self) {
        for &node in &self.list {
            self.bits[(node / 64) as usize] = 0;
        }
        self.list.clear();
    }

    /// Moves the members, in node order, to `into`, which is cleared first.
    pub fn drain_sorted(&mut self, into: &mut Vec<u32>) {
        into.clear();
        // A sweep costs a word for every 64 nodes; sorting n costs some n log n.
        if self.list.len() * 4 < self.bits.len() {
            std::mem::swap(&mut self.list, into);
            into.sort_unstable();
            for &node in into.iter() {
                self.bits[(node / 64) as usize] = 0;
            }
            return;
        }
        into.reserve(self.list.len());
        self.list.clear();
        for (index, word) in self.bits.iter_mut().enumerate() {
            let mut left = std::mem::take(word);
            while left != 0 {
                into.push(index as u32 * 64 + left.trailing_zeros());
                left &= left - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_in_order_from_short_lists_and_from_sweeps() {
        let mut set = ActiveSet::default();
        set.resize(10_000);
        let mut out = Vec::new();
        for step in [3_331, 7] {
            let mut expected: Vec<u32> = (0..10_000).step_by(step).collect();
            for &node in expected.iter().rev().chain(&expected) {
                set.insert(node);
            }
            set.drain_sorted(&mut out);
            expected.sort_unstable();
            assert_eq!(out, expected);
            assert!(set.is_empty());
        }
    }
}
