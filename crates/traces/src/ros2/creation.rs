//! Events that tell what a system is made of. Objects are known by their addresses, which mean something
//! within a process only; names and owners may become known after the object, so all is put together at
//! the end.

use std::collections::BTreeMap;

use super::{Callback, Executor, Group, Node, Observed, Publisher, Trigger};
use crate::ctf::Event;

/// A process and an address in it.
pub(super) type Handle = (i64, u64);

/// Timers, subscriptions and services by their handles.
struct Entity {
    node: Option<Handle>,
    trigger: Trigger,
    group: Option<usize>,
}

#[derive(Default)]
pub(super) struct Created {
    nodes: BTreeMap<Handle, usize>,
    pub callbacks: BTreeMap<Handle, usize>,
    pub publishers: BTreeMap<Handle, usize>,
    entities: BTreeMap<Handle, Entity>,
    /// The subscription object of rclcpp, and the handle of rcl behind it.
    subscriptions: BTreeMap<Handle, Handle>,
    symbols: BTreeMap<Handle, String>,
    executors: BTreeMap<Handle, usize>,
    groups: BTreeMap<Handle, usize>,
    /// What every callback belongs to: a handle, or a subscription object.
    owners: BTreeMap<usize, Handle>,
    publisher_nodes: Vec<Option<Handle>>,
}

pub(super) fn process(event: &Event) -> i64 {
    event.context.signed("vpid").or(event.context.signed("pid")).unwrap_or(0)
}

impl Created {
    /// Takes an event that tells of something new; nothing if it is of another kind or lacks fields.
    pub(super) fn event(
        &mut self,
        name: &str,
        event: &Event,
        observed: &mut Observed,
    ) -> Option<()> {
        let process = process(event);
        let handle = |field: &str| event.fields.unsigned(field).map(|address| (process, address));
        let text = |field: &str| event.fields.text(field).map(str::to_owned);
        match name {
            "rcl_node_init" => {
                let name = qualified(&text("namespace")?, &text("node_name")?);
                self.nodes.insert(handle("node_handle")?, observed.nodes.len());
                observed.nodes.push(Node { name, process });
            }
            "rcl_publisher_init" => {
                let (topic, queue_depth) =
                    (text("topic_name")?, event.fields.unsigned("queue_depth"));
                self.publishers.insert(handle("publisher_handle")?, observed.publishers.len());
                self.publisher_nodes.push(handle("node_handle"));
                observed.publishers.push(Publisher { node: None, topic, queue_depth });
            }
            "rcl_subscription_init" => {
                let queue_depth = event.fields.unsigned("queue_depth");
                let trigger = Trigger::Subscription { topic: text("topic_name"), queue_depth };
                self.entity(handle("subscription_handle")?, trigger, handle("node_handle"));
            }
            "rcl_service_init" => {
                let trigger = Trigger::Service { name: text("service_name") };
                self.entity(handle("service_handle")?, trigger, handle("node_handle"));
            }
            "rcl_timer_init" => {
                let period_ns = event.fields.signed("period");
                let trigger = Trigger::Timer { period_ns, created_ns: Some(event.time_ns) };
                self.entity(handle("timer_handle")?, trigger, None);
            }
            "rclcpp_timer_link_node" => {
                let timer = handle("timer_handle")?;
                let unknown = Trigger::Timer { period_ns: None, created_ns: None };
                let unknown = Entity { node: None, trigger: unknown, group: None };
                self.entities.entry(timer).or_insert(unknown).node = handle("node_handle");
            }
            "rclcpp_subscription_init" => {
                self.subscriptions.insert(handle("subscription")?, handle("subscription_handle")?);
            }
            "rclcpp_subscription_callback_added" => {
                let trigger = Trigger::Subscription { topic: None, queue_depth: None };
                self.callback(handle("callback")?, handle("subscription")?, trigger, observed);
            }
            "rclcpp_timer_callback_added" => {
                let trigger = Trigger::Timer { period_ns: None, created_ns: None };
                self.callback(handle("callback")?, handle("timer_handle")?, trigger, observed);
            }
            "rclcpp_service_callback_added" => {
                let trigger = Trigger::Service { name: None };
                self.callback(handle("callback")?, handle("service_handle")?, trigger, observed);
            }
            "rclcpp_callback_register" => {
                self.symbols.insert(handle("callback")?, text("symbol")?);
            }
            "construct_executor" | "construct_static_executor" => {
                let index = observed.executors.len();
                observed.executors.push(Executor { kind: text("executor_type_name")? });
                self.executors.insert(handle("executor_addr")?, index);
                // A static executor has its groups through its collector.
                if let Some(collector) = handle("entities_collector_addr") {
                    self.executors.insert(collector, index);
                }
            }
            "add_callback_group" | "add_callback_group_static_executor" => {
                let executor = handle("executor_addr").or(handle("entities_collector_addr"))?;
                let executor = self.executors.get(&executor).copied();
                let group = self.group(handle("callback_group_addr")?, observed);
                observed.groups[group] = Group { kind: text("group_type_name")?, executor };
            }
            "callback_group_add_timer" => {
                self.join(handle("timer_handle")?, handle("callback_group_addr")?, observed)?;
            }
            "callback_group_add_subscription" => {
                self.join(
                    handle("subscription_handle")?,
                    handle("callback_group_addr")?,
                    observed,
                )?;
            }
            "callback_group_add_service" => {
                self.join(handle("service_handle")?, handle("callback_group_addr")?, observed)?;
            }
            _ => return None,
        }
        Some(())
    }

    fn entity(&mut self, handle: Handle, trigger: Trigger, node: Option<Handle>) {
        self.entities.insert(handle, Entity { node, trigger, group: None });
    }

    /// Groups may get their members before an executor gets them.
    fn group(&mut self, address: Handle, observed: &mut Observed) -> usize {
        *self.groups.entry(address).or_insert_with(|| {
            observed.groups.push(Group { kind: "unknown".into(), executor: None });
            observed.groups.len() - 1
        })
    }

    fn join(&mut self, member: Handle, group: Handle, observed: &mut Observed) -> Option<()> {
        let group = self.group(group, observed);
        self.entities.get_mut(&member)?.group = Some(group);
        Some(())
    }

    /// A callback; one that is added again before it ran is the same (intra-process subscriptions).
    pub(super) fn callback(
        &mut self,
        address: Handle,
        owner: Handle,
        trigger: Trigger,
        observed: &mut Observed,
    ) -> usize {
        if let Some(index) = self.callbacks.get(&address)
            && observed.callbacks[*index].executions.is_empty()
        {
            self.owners.insert(*index, owner);
            return *index;
        }
        let index = observed.callbacks.len();
        observed.callbacks.push(Callback {
            node: None,
            trigger,
            symbol: None,
            group: None,
            process: address.0,
            executions: Vec::new(),
        });
        self.owners.insert(index, owner);
        self.callbacks.insert(address, index);
        index
    }

    /// Gives callbacks and publishers their names and nodes.
    pub(super) fn resolve(&self, observed: &mut Observed) {
        for (index, owner) in &self.owners {
            let callback = &mut observed.callbacks[*index];
            let handle = self.subscriptions.get(owner).unwrap_or(owner);
            if let Some(entity) = self.entities.get(handle) {
                callback.trigger = entity.trigger.clone();
                callback.group = entity.group;
                callback.node = entity.node.and_then(|node| self.nodes.get(&node).copied());
            }
        }
        for (address, index) in &self.callbacks {
            observed.callbacks[*index].symbol = self.symbols.get(address).cloned();
        }
        for (publisher, node) in observed.publishers.iter_mut().zip(&self.publisher_nodes) {
            publisher.node = node.and_then(|node| self.nodes.get(&node).copied());
        }
    }
}

/// `/` and `a` are `/a`; `/n` and `a` are `/n/a`.
fn qualified(namespace: &str, name: &str) -> String {
    format!("{}/{name}", namespace.trim_end_matches('/'))
}
