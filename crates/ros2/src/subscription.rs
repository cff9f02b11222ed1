//! A topic that this process subscribes.

use std::sync::Arc;

use rustdds::no_key::SimpleDataReader;
use rustdds::{CDRDeserializerAdapter, DataReaderStatus, GUID, StatusEvented};

use crate::endpoint::{Endpoint, EndpointError};
use crate::matching::{Discovered, Matching, Peers, wait_for_peers};
use crate::message::Message;
use crate::node::{Node, not_opened};
use crate::topic::Open;

/// Hears messages `M`.
pub struct Subscription<M: Message> {
    reader: SimpleDataReader<M, CDRDeserializerAdapter<M>>,
    matching: Matching,
    // Dropped after the reader, which says farewell through it.
    node: Arc<Node>,
}

impl<M: Message> Subscription<M> {
    /// Opens a topic, and waits for as many publishers as `endpoint` asks for.
    pub fn open(endpoint: &Endpoint) -> Result<Self, EndpointError> {
        let node = Node::of(endpoint.domain, endpoint.network)?;
        let qos = endpoint.qos.policies();
        let topic = node.topic::<M>(endpoint, &qos)?;
        let reader = node
            .participant
            .create_subscriber(&qos)
            .and_then(|subscriber| subscriber.create_simple_datareader_no_key(&topic, Some(qos)))
            .map_err(|why| not_opened(endpoint, why))?;
        let mut subscription = Subscription { reader, matching: Matching::of::<M>(), node };
        wait_for_peers(endpoint, || subscription.peers())?;
        Ok(subscription)
    }

    /// The next message that has arrived, if any, without waiting; `Err` if it was none of this type.
    pub fn take(&mut self) -> Option<Result<M, String>> {
        self.reader.drain_read_notifications();
        match self.reader.try_take_one() {
            Ok(None) => None,
            Ok(Some(sample)) => {
                match self.matching.fits(sample.writer_guid(), &Writers(&self.node)) {
                    true => Some(Ok(sample.into_value())),
                    false => Some(Err(format!("its publisher does not call it {}", M::TYPE))),
                }
            }
            Err(why) => Some(Err(why.to_string())),
        }
    }

    /// The publishers so far.
    pub fn peers(&mut self) -> Peers {
        while let Some(status) = self.reader.try_recv_status() {
            match status {
                DataReaderStatus::SubscriptionMatched { writer, current, .. } => {
                    self.matching.matched(writer, current.count_change());
                }
                DataReaderStatus::RequestedIncompatibleQos { .. } => self.matching.refused(),
                _ => {}
            }
        }
        self.matching.peers(&Writers(&self.node))
    }
}

/// The publishers of other programs.
struct Writers<'a>(&'a Node);

impl Discovered for Writers<'_> {
    fn types(&self) -> Vec<(GUID, String)> {
        let found = self.0.participant.discovered_writers().into_iter();
        found.map(|w| (w.publication_topic_data.key, w.publication_topic_data.type_name)).collect()
    }
}

impl<M: Message> Open for Subscription<M> {
    fn open(endpoint: &Endpoint) -> Result<Self, EndpointError> {
        Subscription::open(endpoint)
    }
}
