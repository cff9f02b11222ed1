//! A short list in order. Programs have tens of threads and deadlines, not thousands; a vector beats a tree there.

/// Kept with the smallest entry last, where it is cheap to take.
#[derive(Clone, Debug)]
pub struct Sorted<T> {
    descending: Vec<T>,
}

impl<T> Default for Sorted<T> {
    fn default() -> Self {
        Self { descending: Vec::new() }
    }
}

impl<T: Ord + Copy> Sorted<T> {
    #[inline]
    pub fn insert(&mut self, entry: T) {
        let mut place = self.descending.len();
        self.descending.push(entry);
        while place > 0 && self.descending[place - 1] < entry {
            self.descending[place] = self.descending[place - 1];
            place -= 1;
        }
        self.descending[place] = entry;
    }

    #[inline]
    pub fn remove(&mut self, entry: T) {
        if let Some(place) = self.descending.iter().rposition(|other| *other == entry) {
            self.descending.remove(place);
        }
    }

    #[inline]
    pub fn first(&self) -> Option<&T> {
        self.descending.last()
    }

    #[inline]
    pub fn pop_first(&mut self) -> Option<T> {
        self.descending.pop()
    }

    pub fn is_empty(&self) -> bool {
        self.descending.is_empty()
    }

    /// From the smallest on.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.descending.iter().rev()
    }
}
