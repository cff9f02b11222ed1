//! Monitors: conditions on settled signals that end the run or act on the system.

use crate::action::Action;
use crate::error::GraphError;
use crate::flatten::Flat;
use crate::graph::{ComponentRef, Graph, QueryBinding};
use crate::store::Stores;
use crate::time::Time;
use crate::value::{Scalar, Value};

/// A signal that a monitor looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// Path of the component.
    pub component: String,
    /// Name of its signal output.
    pub port: String,
}

/// What happens when a condition becomes true.
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    /// The run ends at this instant.
    Stop,
    /// These actions happen in a new round of the same instant.
    Act(Vec<Action>),
}

/// The settled values of the watched signals, in the order in which they were named.
pub struct Readings<'a> {
    pub(crate) now: Time,
    pub(crate) stores: &'a Stores,
    /// Store and number of each value.
    pub(crate) places: &'a [(u16, u32)],
}

impl Readings<'_> {
    /// The present instant.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Watched signal number `index`; `None` if there is no such signal or it is of another type.
    pub fn signal<T: Value>(&self, index: usize) -> Option<&T> {
        let &(store, value) = self.places.get(index)?;
        self.stores.typed::<T>(store)?.values.get(value as usize)
    }

    /// A leaf of watched signal number `index`.
    pub fn leaf(&self, index: usize, leaf: usize) -> Option<Scalar> {
        let &(store, value) = self.places.get(index)?;
        let mut found = None;
        self.stores.get(store).visit_value(value, &mut |v| found = v.leaf_at(leaf));
        found
    }
}

/// A condition as a function of the watched signals.
pub type Condition = Box<dyn FnMut(&Readings<'_>) -> bool + Send>;

/// A condition on signals, looked at in phase 4 of every instant in which one of them was written.
/// It responds on its rising edge. The watched components and those it acts on stay in one
/// partition.
pub struct Monitor {
    pub(crate) name: String,
    pub(crate) watched: Vec<Watched>,
    pub(crate) condition: Option<Condition>,
    pub(crate) response: Response,
    /// Whether the condition held when it was last looked at.
    pub(crate) held: bool,
}

impl Monitor {
    /// A monitor that does nothing but end the run.
    pub fn stop_when(
        name: &str,
        watched: Vec<Watched>,
        condition: impl FnMut(&Readings<'_>) -> bool + Send + 'static,
    ) -> Self {
        Monitor::new(name, watched, condition, Response::Stop)
    }

    /// A monitor with any response.
    pub fn new(
        name: &str,
        watched: Vec<Watched>,
        condition: impl FnMut(&Readings<'_>) -> bool + Send + 'static,
        response: Response,
    ) -> Self {
        Monitor {
            name: name.into(),
            watched,
            condition: Some(Box::new(condition)),
            response,
            held: false,
        }
    }

    /// The nodes that must be in one partition with each other.
    pub(crate) fn nodes(&self, graph: &Graph, flat: &Flat) -> Result<Vec<u32>, GraphError> {
        let mut nodes = Vec::new();
        for watched in &self.watched {
            let (component, _) = graph.output_of(&watched.component, &watched.port)?;
            nodes.push(flat.node_of[component as usize]);
        }
        if let Response::Act(actions) = &self.response {
            for action in actions {
                nodes.extend(targets(graph, flat, action)?);
                // A provider answers in every partition: who asks it must see the change at once.
                let asks = |binding: &&QueryBinding| {
                    let path = graph.path(ComponentRef(binding.provider));
                    path == action.target()
                };
                let askers = graph.bindings.iter().filter(asks);
                nodes.extend(askers.map(|binding| flat.node_of[binding.component as usize]));
            }
        }
        Ok(nodes)
    }
}

/// The nodes that an action reaches: a model, the models inside a composite, or the source of a
/// link. Providers are replicated and belong to no node.
pub(crate) fn targets(graph: &Graph, flat: &Flat, action: &Action) -> Result<Vec<u32>, GraphError> {
    if let Action::SetLinkParameter { link, .. } = action {
        let on_link = |attributes: &u32| {
            let interposer = &graph.attributes[*attributes as usize].interposer;
            interposer.as_ref().is_some_and(|(name, _)| name == link)
        };
        let nodes: Vec<u32> = flat
            .links
            .iter()
            .filter(|l| flat.chains[l.chain as usize].iter().any(on_link))
            .map(|l| l.from)
            .collect();
        if nodes.is_empty() && !graph.link_names().any(|name| name == link) {
            let near = crate::path::nearest(link, graph.link_names().map(String::as_str));
            let near = near.map(Into::into);
            return Err(GraphError::NoSuchLink { name: link.clone(), nearest: near });
        }
        return Ok(nodes);
    }
    let root = graph.find(action.target())?;
    let inside = |component: u32| {
        let mut at = component;
        while at != root.0 && at != 0 {
            at = graph.parent(at);
        }
        at == root.0
    };
    Ok((0..flat.nodes.len() as u32).filter(|&n| inside(flat.nodes[n as usize])).collect())
}
