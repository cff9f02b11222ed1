//! Events of a running system: executions of callbacks, and the messages between them. What belongs to one
//! execution or one publication happens on one thread, one thing after the other.

use std::collections::BTreeMap;

use super::creation::{Created, Handle, process};
use super::{Execution, Message, Observed, Publication, Trigger};
use crate::ctf::Event;

#[derive(Default)]
pub(super) struct Running {
    threads: BTreeMap<(i64, i64), Thread>,
    /// Publications within a process by the addresses of their messages.
    intra_process: BTreeMap<Handle, usize>,
    /// Callbacks that ran before, or without, the event that tells what they are.
    strangers: BTreeMap<Handle, usize>,
}

#[derive(Default)]
struct Thread {
    /// Callbacks and executions that have not ended.
    open: Vec<(usize, usize)>,
    /// A publication that is under way, and the addresses its message has.
    publication: Option<(usize, Vec<u64>)>,
    /// A message that the next callback gets.
    message: Option<Message>,
}

pub(super) fn thread(event: &Event) -> i64 {
    event.context.signed("vtid").or(event.context.signed("tid")).unwrap_or(0)
}

impl Running {
    /// Takes an event; nothing if it is of another kind or lacks fields.
    pub(super) fn event(
        &mut self,
        name: &str,
        event: &Event,
        created: &Created,
        observed: &mut Observed,
    ) -> Option<()> {
        let (process, tid, time) = (process(event), thread(event), event.time_ns);
        let number = |field: &str| event.fields.unsigned(field);
        // A stamp of zero says that the type of the message has none.
        let header_stamp = number("message_timestamp").filter(|stamp| *stamp != 0);
        let thread = self.threads.entry((process, tid)).or_default();
        match name {
            "callback_start" => {
                let address = (process, number("callback")?);
                let callback = match created.callbacks.get(&address) {
                    Some(callback) => *callback,
                    None => *self.strangers.entry(address).or_insert_with(|| {
                        observed.callbacks.push(super::Callback::stranger(process));
                        observed.callbacks.len() - 1
                    }),
                };
                let callback_seen = &mut observed.callbacks[callback];
                let mut message = thread.message.take();
                if matches!(callback_seen.trigger, Trigger::Timer { .. }) {
                    message = None;
                }
                thread.open.push((callback, callback_seen.executions.len()));
                let run = Execution { start_ns: time, end_ns: None, thread: tid, message };
                callback_seen.executions.push(run);
            }
            "callback_end" => {
                let address = (process, number("callback")?);
                let known = created.callbacks.get(&address);
                let callback = *known.or(self.strangers.get(&address))?;
                let at = thread.open.iter().rposition(|(open, _)| *open == callback)?;
                let (_, execution) = thread.open.remove(at);
                observed.callbacks[callback].executions[execution].end_ns = Some(time);
            }
            "dispatch_subscription_callback" => {
                let source_stamp = number("source_stamp");
                thread.message =
                    Some(Message { taken_ns: time, source_stamp, header_stamp, publication: None });
            }
            "rmw_take" if number("taken") != Some(0) => {
                let source_stamp = number("source_timestamp");
                thread.message =
                    Some(Message { taken_ns: time, source_stamp, header_stamp, publication: None });
            }
            "dispatch_intra_process_subscription_callback" => {
                let publication = self.intra_process.get(&(process, number("message")?)).copied();
                let source_stamp = None;
                thread.message =
                    Some(Message { taken_ns: time, source_stamp, header_stamp, publication });
            }
            "message_construct" => {
                let publication = self.intra_process.get(&(process, number("original_message")?));
                let publication = *publication?;
                self.intra_process.insert((process, number("constructed_message")?), publication);
            }
            "rclcpp_publish" | "rcl_publish" | "rclcpp_intra_publish" => {
                let message = number("message")?;
                let publisher = number("publisher_handle")
                    .and_then(|handle| created.publishers.get(&(process, handle)).copied());
                // rclcpp publishes through rcl: the second event is of the same publication.
                let index = match &thread.publication {
                    Some((index, addresses))
                        if name == "rcl_publish" && addresses.contains(&message) =>
                    {
                        *index
                    }
                    _ => {
                        observed.publications.push(Publication {
                            publisher,
                            time_ns: time,
                            written_ns: None,
                            source_stamp: None,
                            header_stamp,
                            thread: tid,
                            within: thread.open.last().copied(),
                        });
                        observed.publications.len() - 1
                    }
                };
                let publication = &mut observed.publications[index];
                publication.publisher = publication.publisher.or(publisher);
                thread.publication = Some((index, vec![message]));
                if name == "rclcpp_intra_publish" {
                    self.intra_process.insert((process, message), index);
                }
            }
            "dds_bind_addr_to_addr" => {
                let (_, addresses) = thread.publication.as_mut()?;
                if addresses.contains(&number("addr_from")?) {
                    addresses.push(number("addr_to")?);
                }
            }
            "dds_write" | "dds_bind_addr_to_stamp" | "rmw_publish" => {
                let (index, addresses) = thread.publication.as_ref()?;
                if !addresses.contains(&number("message").or(number("addr"))?) {
                    return None;
                }
                let publication = &mut observed.publications[*index];
                let stamp = number("source_stamp").or(number("timestamp"));
                publication.source_stamp = publication.source_stamp.or(stamp);
                if name != "dds_bind_addr_to_stamp" {
                    publication.written_ns = publication.written_ns.or(Some(time));
                }
            }
            "on_data_available" => observed.arrivals.push((number("source_stamp")?, time)),
            _ => return None,
        }
        Some(())
    }
}

impl super::Callback {
    fn stranger(process: i64) -> Self {
        super::Callback {
            node: None,
            trigger: Trigger::Unknown,
            symbol: None,
            group: None,
            process,
            executions: Vec::new(),
        }
    }
}
