//! What a publisher or subscription is opened with.

use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::str::FromStr;
use std::time::Duration as Wall;

use ironbird_component::{Choice, Parameters};
use rustdds::policy;
use rustdds::{QosPolicies, QosPolicyBuilder};

use crate::names::dds_topic;

/// The highest domain all of whose ports exist: 7400 + 250 · 231 + 11 + 2 · 119 is below 65536 (RTPS 2.5,
/// section 9.6.2.3).
pub(crate) const HIGHEST_DOMAIN: u16 = 231;

/// One end of a topic.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The name of the topic, as ROS 2 has it.
    pub topic: String,
    /// The DDS domain: `ROS_DOMAIN_ID`.
    pub domain: u16,
    /// Where to talk.
    pub network: Network,
    /// How messages are delivered.
    pub qos: Qos,
    /// How many peers to wait for when it is opened.
    pub peers: u32,
    /// How long to wait for them, in real time.
    pub patience: Wall,
}

impl Endpoint {
    /// From what a user has written.
    pub(crate) fn new(
        topic: &str,
        domain: u16,
        network: &str,
        qos: Qos,
        peers: u32,
        patience: f64,
    ) -> Result<Self, String> {
        dds_topic(topic)?;
        let (topic, network) = (topic.to_owned(), network.parse()?);
        let patience = Wall::try_from_secs_f64(patience).map_err(|why| why.to_string())?;
        Ok(Endpoint { topic, domain, network, qos, peers, patience })
    }
}

/// Which interfaces of the machine are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Network {
    /// 127.0.0.1.
    Loopback,
    /// The interface with this address, and the loopback.
    Address(Ipv4Addr),
    /// All that there are.
    All,
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "loopback" => Ok(Network::Loopback),
            "all" => Ok(Network::All),
            other => other.parse().map(Network::Address).map_err(|_| {
                format!(
                    "\"{other}\" is no network: write \"loopback\", \"all\", or the IPv4 address of \
                     an interface of this machine"
                )
            }),
        }
    }
}

impl Network {
    /// The addresses that are used; `None` for all.
    pub(crate) fn addresses(self) -> Option<Vec<IpAddr>> {
        match self {
            Network::All => None,
            Network::Loopback => Some(vec![Ipv4Addr::LOCALHOST.into()]),
            Network::Address(address) => Some(vec![Ipv4Addr::LOCALHOST.into(), address.into()]),
        }
    }

    /// Whether this machine has these addresses.
    pub(crate) fn check(self) -> Result<(), EndpointError> {
        for address in self.addresses().unwrap_or_default() {
            UdpSocket::bind((address, 0))
                .map_err(|why| EndpointError::NoInterface { address, why })?;
        }
        Ok(())
    }
}

/// Whether messages are repeated until they arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Reliability {
    /// They are.
    #[default]
    Reliable,
    /// They are not; what gets lost is lost.
    BestEffort,
}

/// How messages are delivered, in the words of ROS 2.
#[derive(Clone, Copy, Debug, PartialEq, Parameters)]
pub struct Qos {
    /// Whether messages are repeated until they arrive. A reliable subscription hears no best-effort
    /// publisher; all else fits.
    #[parameter(default = Reliability::Reliable, fixed)]
    pub reliability: Reliability,
    /// How many messages are kept for a peer that is behind.
    #[parameter(default = 10, min = 1, max = 8192, fixed)]
    pub depth: u32,
}

impl Default for Qos {
    fn default() -> Self {
        Qos { reliability: Reliability::Reliable, depth: 10 }
    }
}

impl Qos {
    pub(crate) fn policies(self) -> QosPolicies {
        let reliability = match self.reliability {
            // A simulation does not wait: what does not fit into the window is dropped.
            Reliability::Reliable => {
                policy::Reliability::Reliable { max_blocking_time: rustdds::Duration::ZERO }
            }
            Reliability::BestEffort => policy::Reliability::BestEffort,
        };
        let depth = i32::try_from(self.depth).unwrap_or(i32::MAX);
        QosPolicyBuilder::new()
            .reliability(reliability)
            .history(policy::History::KeepLast { depth })
            .durability(policy::Durability::Volatile)
            .build()
    }
}

/// Why an end of a topic cannot be opened.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum EndpointError {
    #[error("{0}")]
    Name(String),
    #[error(
        "this machine has no interface with the address {address} ({why}): look at its addresses, or \
         leave `network` at \"loopback\""
    )]
    NoInterface { address: IpAddr, why: std::io::Error },
    #[error("the domain {0} does not exist: they go from 0 to {HIGHEST_DOMAIN}")]
    NoDomain(u16),
    #[error(
        "the domain {domain} cannot be entered: {why}; a domain has UDP ports for 120 programs, so \
         another `domain` may be free"
    )]
    Participant { domain: u16, why: String },
    #[error("the topic {topic} cannot be opened: {why}")]
    Topic { topic: String, why: String },
    #[error(
        "{found} of {wanted} peers of {topic} were found in domain {domain} within {patience:?}: is the \
         other side running, with ROS_DOMAIN_ID={domain} and on the same network?{others}"
    )]
    NoPeers { topic: String, domain: u16, found: u32, wanted: u32, patience: Wall, others: String },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_the_loopback_all_or_an_address() {
        assert_eq!("loopback".parse(), Ok(Network::Loopback));
        assert_eq!("all".parse(), Ok(Network::All));
        assert_eq!("10.0.0.7".parse(), Ok(Network::Address(Ipv4Addr::new(10, 0, 0, 7))));
        assert!("eth0".parse::<Network>().unwrap_err().contains("\"eth0\" is no network"));
    }

    #[test]
    fn an_address_of_another_machine_is_refused() {
        // 192.0.2.0/24 is for documentation (RFC 5737): no machine has it.
        let why = Network::Address(Ipv4Addr::new(192, 0, 2, 1)).check().unwrap_err().to_string();
        assert!(why.contains("no interface with the address 192.0.2.1"), "{why}");
        Network::Loopback.check().unwrap();
    }
}
