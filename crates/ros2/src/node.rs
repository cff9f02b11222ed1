//! The one participant that all components of this process share in a domain and on a network.
//!
//! A participant costs sockets, two threads and a place among the 120 of its domain, so there is one for
//! all topics; it leaves when the last of them is closed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use rustdds::{DomainParticipant, DomainParticipantBuilder, QosPolicies, Topic, TopicKind};

use crate::endpoint::{Endpoint, EndpointError, HIGHEST_DOMAIN, Network};
use crate::message::Message;
use crate::names::{dds_topic, dds_type};

/// This process in a domain.
pub(crate) struct Node {
    pub participant: DomainParticipant,
}

static NODES: Mutex<BTreeMap<(u16, Network), Weak<Node>>> = Mutex::new(BTreeMap::new());

impl Node {
    /// The node of a domain and a network, which is made if there is none.
    pub fn of(domain: u16, network: Network) -> Result<Arc<Node>, EndpointError> {
        if domain > HIGHEST_DOMAIN {
            return Err(EndpointError::NoDomain(domain));
        }
        let mut nodes = NODES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(node) = nodes.get(&(domain, network)).and_then(Weak::upgrade) {
            return Ok(node);
        }
        network.check()?;
        let mut builder = DomainParticipantBuilder::new(domain);
        if let Some(addresses) = network.addresses() {
            builder = builder.with_only_networks(addresses);
        }
        let participant = builder
            .build()
            .map_err(|why| EndpointError::Participant { domain, why: why.to_string() })?;
        let node = Arc::new(Node { participant });
        nodes.insert((domain, network), Arc::downgrade(&node));
        Ok(node)
    }

    /// A topic of messages `M`.
    pub fn topic<M: Message>(
        &self,
        endpoint: &Endpoint,
        qos: &QosPolicies,
    ) -> Result<Topic, EndpointError> {
        let name = dds_topic(&endpoint.topic).map_err(EndpointError::Name)?;
        self.participant
            .create_topic(name, dds_type(M::TYPE), qos, TopicKind::NoKey)
            .map_err(|why| not_opened(endpoint, why))
    }
}

/// Why a topic cannot be opened.
pub(crate) fn not_opened(endpoint: &Endpoint, why: impl ToString) -> EndpointError {
    EndpointError::Topic { topic: endpoint.topic.clone(), why: why.to_string() }
}
