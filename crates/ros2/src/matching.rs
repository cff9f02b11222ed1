//! Who is at the other ends of a topic, and whether they fit.
//!
//! `rustdds` matches by the name of a topic and by quality of service. DDS demands the same type name as
//! well (DDS 1.4, section 2.2.2.3.1), and without it eight bytes of anything would be a number: so it is
//! looked up here.

use std::collections::{BTreeMap, BTreeSet};
use std::thread::sleep;
use std::time::Duration as Wall;

use ironbird_patience::Patience;
use rustdds::GUID;

use crate::endpoint::{Endpoint, EndpointError};
use crate::message::Message;
use crate::names::dds_type;

/// Wall time between two looks for peers.
const LOOK: Wall = Wall::from_millis(2);

/// How many are at the other ends of a topic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Peers {
    /// How many there are now.
    pub matched: u32,
    /// How many came so far whose quality of service does not fit.
    pub incompatible: u32,
    /// How many there are now that have another type under the name of the topic.
    pub mistyped: u32,
}

/// What is known of all topics of other programs.
pub(crate) trait Discovered {
    /// Those at the other ends, with the names of their types.
    fn types(&self) -> Vec<(GUID, String)>;
}

/// The peers of one end of a topic.
pub(crate) struct Matching {
    type_name: String,
    matched: BTreeSet<GUID>,
    incompatible: u32,
    /// Whether the type of a peer is ours.
    fits: BTreeMap<GUID, bool>,
}

impl Matching {
    pub fn of<M: Message>() -> Self {
        Matching {
            type_name: dds_type(M::TYPE),
            matched: BTreeSet::new(),
            incompatible: 0,
            fits: BTreeMap::new(),
        }
    }

    /// A peer has come, or has gone if the number of peers has fallen.
    pub fn matched(&mut self, peer: GUID, change: i32) {
        if change > 0 {
            self.matched.insert(peer);
        } else {
            self.matched.remove(&peer);
            self.fits.remove(&peer);
        }
    }

    /// A peer has come whose quality of service does not fit.
    pub fn refused(&mut self) {
        self.incompatible = self.incompatible.saturating_add(1);
    }

    /// Whether a peer has our type. What is not of another program is of this one, and is right.
    pub fn fits(&mut self, peer: GUID, discovered: &impl Discovered) -> bool {
        let type_name = &self.type_name;
        *self.fits.entry(peer).or_insert_with(|| {
            let types = discovered.types();
            let found = types.iter().find(|(other, _)| *other == peer);
            found.is_none_or(|(_, other)| other == type_name)
        })
    }

    pub fn peers(&mut self, discovered: &impl Discovered) -> Peers {
        let mut peers = Peers { incompatible: self.incompatible, ..Peers::default() };
        for peer in self.matched.clone() {
            match self.fits(peer, discovered) {
                true => peers.matched += 1,
                false => peers.mistyped += 1,
            }
        }
        peers
    }
}

/// Waits, in real time, until as many peers are there as `endpoint` asks for.
pub(crate) fn wait_for_peers(
    endpoint: &Endpoint,
    mut peers: impl FnMut() -> Peers,
) -> Result<(), EndpointError> {
    let (wanted, mut patience) = (endpoint.peers, Patience::new(endpoint.patience));
    loop {
        let found = peers();
        if found.matched >= wanted {
            return Ok(());
        }
        if patience.is_over() {
            let (topic, domain, others) = (endpoint.topic.clone(), endpoint.domain, others(found));
            let (found, patience) = (found.matched, patience.limit());
            return Err(EndpointError::NoPeers { topic, domain, found, wanted, patience, others });
        }
        sleep(LOOK);
    }
}

/// What is wrong with those that do not fit.
fn others(Peers { incompatible, mistyped, .. }: Peers) -> String {
    let mut text = String::new();
    if incompatible > 0 {
        text.push_str(&format!(
            " The quality of service of {incompatible} does not fit: a reliable subscription hears no \
             best-effort publisher."
        ));
    }
    if mistyped > 0 {
        text.push_str(&format!(" The type of {mistyped} is another one."));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endpoint::{Network, Qos};

    #[test]
    fn the_end_of_patience_says_what_does_not_fit() {
        let endpoint = Endpoint {
            topic: "/imu".into(),
            domain: 3,
            network: Network::Loopback,
            qos: Qos::default(),
            peers: 2,
            patience: Wall::from_millis(1),
        };
        let found = Peers { matched: 1, incompatible: 1, mistyped: 2 };
        let why = wait_for_peers(&endpoint, || found).unwrap_err().to_string();
        assert!(why.contains("1 of 2 peers of /imu were found in domain 3 within 1ms"), "{why}");
        assert!(why.contains("quality of service of 1 does not fit"), "{why}");
        assert!(why.contains("type of 2 is another one"), "{why}");
        assert!(wait_for_peers(&endpoint, || Peers { matched: 2, ..found }).is_ok());
    }
}
