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
    pub fn insert(&mut self, entry: T) {
        let place = self.descending.partition_point(|other| *other > entry);
        self.descending.insert(place, entry);
    }

    pub fn remove(&mut self, entry: T) {
        let place = self.descending.partition_point(|other| *other > entry);
        if self.descending.get(place) == Some(&entry) {
            self.descending.remove(place);
        }
    }

    pub fn first(&self) -> Option<&T> {
        self.descending.last()
    }

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
