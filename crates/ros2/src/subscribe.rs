//! Components that subscribe a topic: the last message is held as signals.
//!
//! At every step a component takes what has arrived since the last one, without waiting, at most as many
//! messages as its queue is deep. If there are several, the last one is shown. A message with a number
//! that is not finite, or that is none of its type, is refused and counted.

mod float64;
mod twist;

use ironbird_component::{Registry, RegistryError};

use crate::matching::Peers;
use crate::message::Message;
use crate::subscription::Subscription;

pub(crate) fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    twist::register(registry)?;
    float64::register(registry)
}

/// What has arrived since the last step.
struct Arrived<M> {
    /// The messages, in order.
    messages: Vec<M>,
    /// How many were refused.
    refused: u32,
    /// Who is there.
    peers: Peers,
}

/// Takes what has arrived, at most `depth` messages, of which those that are not `usable` are refused.
fn take<M: Message>(
    subscription: &mut Subscription<M>,
    depth: u32,
    usable: impl Fn(&M) -> bool,
) -> Arrived<M> {
    let (mut messages, mut refused) = (Vec::new(), 0);
    for _ in 0..depth {
        match subscription.take() {
            None => break,
            Some(Ok(message)) if usable(&message) => messages.push(message),
            Some(_) => refused += 1,
        }
    }
    Arrived { messages, refused, peers: subscription.peers() }
}

/// A component that hears messages: those that its function `usable` accepts are shown by its function
/// `hear`.
macro_rules! subscriber {
    (
        $(#[$doc:meta])*
        $name:ident = $type:tt hears $message:ty, [$($flag:tt)*] { $($fields:tt)* }
    ) => {
        $crate::topic::topic_component! {
            $(#[$doc])*
            $name = $type [foreign, $($flag)*] topic[], end $crate::subscription::Subscription<$message> {
                $($fields)*
                /// The number of each message as it arrives, from 1.
                #[output]
                received: ironbird_kernel::EventOut<u64>,
                /// How many messages have been refused: not of this type, or with a number that is not
                /// finite.
                #[output]
                refused: ironbird_kernel::SignalOut<u32>,
                /// How many publishers there are.
                #[output]
                publishers: ironbird_kernel::SignalOut<u32>,
                /// How many publishers have come whose quality of service or type does not fit.
                #[output]
                incompatible: ironbird_kernel::SignalOut<u32>,
                messages: u64,
                refusals: u32,
            }
        }

        impl ironbird_kernel::Periodic for $name {
            fn step(&mut self, step: &mut ironbird_kernel::Step<'_>) {
                if let Err(why) = self.open() {
                    return step.fail(why);
                }
                let Some(subscription) = self.end.get() else { return };
                let arrived = super::take(subscription, self.qos.depth, Self::usable);
                for message in &arrived.messages {
                    self.messages += 1;
                    step.send(self.received, self.messages);
                    self.hear(step, message);
                }
                self.refusals = self.refusals.saturating_add(arrived.refused);
                let $crate::Peers { matched, incompatible, mistyped } = arrived.peers;
                step.write(self.refused, self.refusals);
                step.write(self.publishers, matched);
                step.write(self.incompatible, incompatible.saturating_add(mistyped));
            }
        }
    };
}

use subscriber;
