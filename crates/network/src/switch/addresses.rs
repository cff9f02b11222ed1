//! What a switch has learned: behind which port an address is.

use std::collections::BTreeMap;

use ironbird_kernel::{Duration, Time};
use serde::{Deserialize, Serialize};

/// An Ethernet address.
pub(super) type Address = [u8; 6];

/// Whether an address is that of a group, or of all.
pub(super) fn is_group(address: Address) -> bool {
    address[0] & 1 != 0
}

/// The addresses that were heard, where and when.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Addresses {
    known: BTreeMap<Address, (u32, Time)>,
}

impl Addresses {
    /// `address` has sent from `port`. A table that is full forgets who was silent the longest.
    pub fn learn(&mut self, address: Address, port: u32, now: Time, size: usize) {
        if is_group(address) || size == 0 {
            return;
        }
        if !self.known.contains_key(&address) {
            while self.known.len() >= size {
                let silent = self.known.iter().min_by_key(|(_, (_, heard))| *heard);
                let Some(oldest) = silent.map(|(address, _)| *address) else { break };
                self.known.remove(&oldest);
            }
        }
        self.known.insert(address, (port, now));
    }

    /// The port of an address that was heard within `age`.
    pub fn find(&mut self, address: Address, now: Time, age: Duration) -> Option<u32> {
        let (port, heard) = *self.known.get(&address)?;
        if now.since(heard) > age {
            self.known.remove(&address);
            return None;
        }
        Some(port)
    }

    /// How many are known.
    pub fn len(&self) -> usize {
        self.known.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Time {
        Time::ZERO + Duration::from_secs(seconds)
    }

    #[test]
    fn an_address_that_moves_is_found_where_it_was_heard_last() {
        let mut addresses = Addresses::default();
        addresses.learn([2, 0, 0, 0, 0, 1], 0, at(0), 8);
        addresses.learn([2, 0, 0, 0, 0, 1], 3, at(1), 8);
        assert_eq!(addresses.find([2, 0, 0, 0, 0, 1], at(2), Duration::from_secs(300)), Some(3));
        assert_eq!(addresses.len(), 1);
    }

    #[test]
    fn a_full_table_forgets_who_was_silent_the_longest() {
        let mut addresses = Addresses::default();
        for (last, second) in [(1, 0), (2, 1), (1, 2), (3, 3)] {
            addresses.learn([2, 0, 0, 0, 0, last], u32::from(last), at(second), 2);
        }
        let mut find = |last| addresses.find([2, 0, 0, 0, 0, last], at(3), Duration::from_secs(9));
        assert_eq!([find(1), find(2), find(3)], [Some(1), None, Some(3)]);
    }

    #[test]
    fn nobody_sends_as_a_group() {
        let mut addresses = Addresses::default();
        addresses.learn([0xff; 6], 1, at(0), 8);
        assert_eq!(addresses.len(), 0);
    }
}
