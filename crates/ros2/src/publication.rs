//! A topic that this process publishes.

use std::sync::Arc;
use std::time::Duration as Wall;

use rustdds::no_key::DataWriter;
use rustdds::{CDRSerializerAdapter, DataWriterStatus, GUID, StatusEvented};

use crate::endpoint::{Endpoint, EndpointError};
use crate::matching::{Discovered, Matching, Peers, wait_for_peers};
use crate::message::Message;
use crate::node::{Node, not_opened};
use crate::topic::Open;

/// How long the last messages may take to arrive when a topic is closed.
const FAREWELL: Wall = Wall::from_millis(500);

/// Sends messages `M`, and never waits for those that hear them.
pub struct Publication<M: Message> {
    writer: DataWriter<M, CDRSerializerAdapter<M>>,
    matching: Matching,
    // Dropped after the writer, which says farewell through it.
    node: Arc<Node>,
}

impl<M: Message> Publication<M> {
    /// Opens a topic, and waits for as many subscribers as `endpoint` asks for.
    pub fn open(endpoint: &Endpoint) -> Result<Self, EndpointError> {
        let node = Node::of(endpoint.domain, endpoint.network)?;
        let qos = endpoint.qos.policies();
        let topic = node.topic::<M>(endpoint, &qos)?;
        let writer = node
            .participant
            .create_publisher(&qos)
            .and_then(|publisher| publisher.create_datawriter_no_key_cdr(&topic, Some(qos)))
            .map_err(|why| not_opened(endpoint, why))?;
        let mut publication = Publication { writer, matching: Matching::of::<M>(), node };
        wait_for_peers(endpoint, || publication.peers())?;
        Ok(publication)
    }

    /// Sends a message to all subscribers that there are. Says whether it was taken: one that finds
    /// thousands of others before it, because a subscriber is too slow, is dropped.
    pub fn send(&self, message: M) -> bool {
        self.writer.write(message, None).is_ok()
    }

    /// The subscribers so far.
    pub fn peers(&mut self) -> Peers {
        while let Some(status) = self.writer.try_recv_status() {
            match status {
                DataWriterStatus::PublicationMatched { reader, current, .. } => {
                    self.matching.matched(reader, current.count_change());
                }
                DataWriterStatus::OfferedIncompatibleQos { .. } => self.matching.refused(),
                _ => {}
            }
        }
        self.matching.peers(&Readers(&self.node))
    }
}

impl<M: Message> Drop for Publication<M> {
    fn drop(&mut self) {
        // Whatever comes of it: the run is over.
        let _ = self.writer.wait_for_acknowledgments(FAREWELL);
    }
}

/// The subscriptions of other programs.
struct Readers<'a>(&'a Node);

impl Discovered for Readers<'_> {
    fn types(&self) -> Vec<(GUID, String)> {
        let found = self.0.participant.discovered_readers().into_iter();
        found
            .map(|reader| {
                let name = reader.subscription_topic_data.type_name().clone();
                (reader.reader_proxy.remote_reader_guid, name)
            })
            .collect()
    }
}

impl<M: Message> Open for Publication<M> {
    fn open(endpoint: &Endpoint) -> Result<Self, EndpointError> {
        Publication::open(endpoint)
    }
}
