//! Sets of tasks of one ECU by their rank: the lowest rank goes first.

/// A set of ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ranks(Vec<u64>);

impl Ranks {
    /// An empty set for ranks below `count`.
    pub fn new(count: usize) -> Self {
        Ranks(vec![0; count.div_ceil(64)])
    }

    pub fn insert(&mut self, rank: usize) {
        self.0[rank / 64] |= 1 << (rank % 64);
    }

    pub fn remove(&mut self, rank: usize) {
        self.0[rank / 64] &= !(1 << (rank % 64));
    }

    /// Takes in all of another set.
    pub fn insert_all(&mut self, other: &Ranks) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    /// Takes out all of another set.
    pub fn remove_all(&mut self, other: &Ranks) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
    }

    /// The lowest rank.
    pub fn first(&self) -> Option<usize> {
        let (number, word) = self.0.iter().enumerate().find(|(_, word)| **word != 0)?;
        Some(number * 64 + word.trailing_zeros() as usize)
    }

    /// The lowest rank that is also in `and` and not in `but`.
    #[inline]
    pub fn first_of(&self, and: &Ranks, but: &Ranks) -> Option<usize> {
        let words = self.0.iter().zip(&and.0).zip(&but.0);
        let (number, word) = words
            .map(|((word, and), but)| word & and & !but)
            .enumerate()
            .find(|(_, word)| *word != 0)?;
        Some(number * 64 + word.trailing_zeros() as usize)
    }

    /// Becomes all of `all` that is in `of` and not in `but`.
    pub fn become_of(&mut self, all: &Ranks, of: &Ranks, but: &Ranks) {
        for (number, word) in self.0.iter_mut().enumerate() {
            *word = all.0[number] & of.0[number] & !but.0[number];
        }
    }

    /// The words of the set, for comparisons of states.
    pub fn words(&self) -> &[u64] {
        &self.0
    }
}
