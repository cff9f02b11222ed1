//! The description of a system: components in a tree, ports, links. Checked as it is written.
//!
//! ```text
//! clock ──tick──► counter ──count──► display
//! ```

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use crate::error::GraphError;
use crate::model::{AnyModel, Atomic, Model, Periodic, RunAhead};
use crate::monitor::Monitor;
use crate::path::{ComponentId, is_valid_name, is_valid_port_name, nearest};
use crate::port::{Layout, PortKind, PortSpec, Ports, port_type};
use crate::query::{Provider, Signature, erase};
pub(crate) use crate::spec::{
    ComponentKind, End, Fresh, GraphLink, ModelRest, ModelSpec, PeriodicSpec, ProviderSpec,
    QueryBinding,
};
pub use crate::spec::{ComponentRef, Link, PortRef};
use crate::time::{Duration, Rate};
use crate::value::Value;

/// A system under construction, and its shape while it runs.
pub struct Graph {
    /// Parent and name of each component; a parent always has the lower number.
    pub(crate) tree: Arc<Vec<(u32, Box<str>)>>,
    pub(crate) components: Vec<ComponentKind>,
    pub(crate) layouts: Vec<Layout>,
    pub(crate) links: Vec<GraphLink>,
    /// Numbers of the attributes of links that are not plain, by number of the link.
    special: BTreeMap<u32, u32>,
    /// Attributes of links; those of a plain one come first.
    pub(crate) attributes: Vec<Link>,
    pub(crate) bindings: Vec<QueryBinding>,
    /// Queries that were bound since the system was last built: that counts more than what actions did.
    pub(crate) bound_anew: Vec<(u32, u16)>,
    /// Providers that may be bound while the system runs.
    pub(crate) offers: Vec<QueryBinding>,
    pub(crate) monitors: Vec<Monitor>,
    /// Components by identity, made when it is first needed.
    index: OnceLock<HashMap<ComponentId, u32>>,
}

impl Default for Graph {
    fn default() -> Self {
        Graph::new()
    }
}

const ROOT: u32 = 0;

impl Graph {
    /// An empty system.
    pub fn new() -> Self {
        Graph {
            tree: Arc::new(vec![(ROOT, "".into())]),
            components: vec![ComponentKind::Composite(Box::default())],
            layouts: Vec::new(),
            links: Vec::new(),
            special: BTreeMap::new(),
            attributes: vec![Link::direct()],
            bindings: Vec::new(),
            bound_anew: Vec::new(),
            offers: Vec::new(),
            monitors: Vec::new(),
            index: OnceLock::new(),
        }
    }

    /// The composite that holds everything.
    pub fn root(&self) -> ComponentRef {
        ComponentRef(ROOT)
    }

    /// Adds an event-driven model.
    pub fn add(
        &mut self,
        parent: ComponentRef,
        name: &str,
        mut model: impl Atomic,
    ) -> Result<ComponentRef, GraphError> {
        let ports = declare(&mut model);
        self.insert_model(parent, name, AnyModel::Atomic(Box::new(model)), ports, None)
    }

    /// Adds a periodic model.
    pub fn add_periodic(
        &mut self,
        parent: ComponentRef,
        name: &str,
        mut model: impl Periodic,
        rate: Rate,
    ) -> Result<ComponentRef, GraphError> {
        let ports = declare(&mut model);
        let model = AnyModel::Periodic(Box::new(model));
        self.insert_model(
            parent,
            name,
            model,
            ports,
            Some(PeriodicSpec { rate, priority: None, agenda: None }),
        )
    }

    /// Adds a run-ahead model.
    pub fn add_run_ahead(
        &mut self,
        parent: ComponentRef,
        name: &str,
        mut model: impl RunAhead,
    ) -> Result<ComponentRef, GraphError> {
        let ports = declare(&mut model);
        self.insert_model(parent, name, AnyModel::RunAhead(Box::new(model)), ports, None)
    }

    /// Adds a composite: a place for other components, with ports of its own if it needs any.
    pub fn composite(
        &mut self,
        parent: ComponentRef,
        name: &str,
    ) -> Result<ComponentRef, GraphError> {
        self.insert(parent, name, ComponentKind::Composite(Box::default()))
    }

    /// Gives a composite an input port.
    pub fn input<T: Value>(
        &mut self,
        composite: ComponentRef,
        name: &str,
        kind: PortKind,
    ) -> Result<(), GraphError> {
        self.composite_port::<T>(composite, name, kind, true)
    }

    /// Gives a composite an output port.
    pub fn output<T: Value>(
        &mut self,
        composite: ComponentRef,
        name: &str,
        kind: PortKind,
    ) -> Result<(), GraphError> {
        self.composite_port::<T>(composite, name, kind, false)
    }

    /// Adds a component that answers queries; see [`Provider`].
    pub fn provide<A: 'static, R: 'static>(
        &mut self,
        parent: ComponentRef,
        name: &str,
        provider: impl Provider<A, R>,
    ) -> Result<ComponentRef, GraphError> {
        let spec = ProviderSpec { signature: Signature::of::<A, R>(), provider: erase(provider) };
        self.insert(parent, name, ComponentKind::Provider(Box::new(spec)))
    }

    /// Lets `provider` answer a query of a model.
    pub fn bind_query(
        &mut self,
        asker: PortRef<'_>,
        provider: ComponentRef,
    ) -> Result<(), GraphError> {
        let binding = self.query_binding(asker, provider)?;
        self.bindings.retain(|b| (b.component, b.query) != (binding.component, binding.query));
        self.bound_anew.push((binding.component, binding.query));
        self.bindings.push(binding);
        Ok(())
    }

    /// Lets an action bind `provider` to a query of a model while the system runs.
    pub fn offer_query(
        &mut self,
        asker: PortRef<'_>,
        provider: ComponentRef,
    ) -> Result<(), GraphError> {
        let binding = self.query_binding(asker, provider)?;
        self.offers.push(binding);
        Ok(())
    }

    /// The number of a query of a model.
    pub(crate) fn query_of(&self, asker: PortRef<'_>) -> Result<u16, GraphError> {
        let queries = match self.model(asker.component) {
            Some(model) => &self.layouts[model.layout as usize].queries[..],
            None => &[],
        };
        let found = queries.iter().position(|query| query.name == asker.port);
        found.map(|number| number as u16).ok_or_else(|| {
            let near = nearest(asker.port, queries.iter().map(|q| q.name.as_str()));
            GraphError::NoSuchPort {
                path: self.path(asker.component),
                direction: "query",
                port: asker.port.into(),
                nearest: near.map(Into::into),
            }
        })
    }

    fn query_binding(
        &self,
        asker: PortRef<'_>,
        provider: ComponentRef,
    ) -> Result<QueryBinding, GraphError> {
        let ComponentKind::Provider(spec) = &self.components[provider.0 as usize] else {
            return Err(GraphError::NotProvider { path: self.path(provider) });
        };
        let query = self.query_of(asker)?;
        let asked = self.layout_of(asker.component.0).queries[usize::from(query)].signature;
        if asked != spec.signature {
            return Err(GraphError::QueryMismatch {
                asker: format!("{}.{}", self.path(asker.component), asker.port),
                asked: asked.to_string(),
                provider: self.path(provider),
                answered: spec.signature.to_string(),
            });
        }
        Ok(QueryBinding { component: asker.component.0, query, provider: provider.0 })
    }

    /// Links an output to an input: two components of any level, or a composite's own ports.
    pub fn link(
        &mut self,
        from: PortRef<'_>,
        to: PortRef<'_>,
        link: Link,
    ) -> Result<(), GraphError> {
        let (source, source_spec) = self.end(from, true)?;
        let (target, target_spec) = self.end(to, false)?;
        let names = || (self.port_name(from), self.port_name(to));
        if source_spec.kind != target_spec.kind {
            let (from, to) = names();
            return Err(GraphError::KindMismatch {
                from,
                from_kind: source_spec.kind.to_string(),
                to,
                to_kind: target_spec.kind.to_string(),
            });
        }
        let fits = match &link.selection {
            None => source_spec.value.id() == target_spec.value.id(),
            Some(selection) => {
                selection.id() == target_spec.value.id()
                    && selection.fits(&source_spec.value.schema())
            }
        };
        if !fits {
            let (from, to) = names();
            return Err(GraphError::TypeMismatch {
                from,
                from_type: source_spec.value.schema().to_string(),
                to,
                to_type: target_spec.value.schema().to_string(),
            });
        }
        if link.previous && source_spec.kind == PortKind::Event {
            let (from, to) = names();
            return Err(GraphError::PreviousOfEvent { from, to });
        }
        if let Some((name, _)) = &link.interposer
            && self.link_names().any(|other| other == name)
        {
            return Err(GraphError::DuplicateLink { name: name.clone() });
        }
        let plain = link.latency == Duration::ZERO
            && !link.previous
            && link.selection.is_none()
            && link.interposer.is_none();
        if !plain {
            self.special.insert(self.links.len() as u32, self.attributes.len() as u32);
            self.attributes.push(link);
        }
        self.links.push(GraphLink { from: source, to: target });
        Ok(())
    }

    /// Lets a periodic component go first where periodic components read each other in a circle;
    /// the lowest number goes first.
    pub fn set_priority(
        &mut self,
        component: ComponentRef,
        priority: i32,
    ) -> Result<(), GraphError> {
        self.periodic_mut(component)?.priority = Some(priority);
        Ok(())
    }

    pub(crate) fn periodic_mut(
        &mut self,
        component: ComponentRef,
    ) -> Result<&mut PeriodicSpec, GraphError> {
        let path = self.path(component);
        match &mut self.components[component.0 as usize] {
            ComponentKind::Model(ModelSpec { rest: Some(rest), .. }) => {
                rest.periodic.as_mut().ok_or(GraphError::NotPeriodic { path })
            }
            _ => Err(GraphError::NotPeriodic { path }),
        }
    }

    /// Adds a monitor: a condition on signals that ends the run or acts on the system.
    pub fn monitor(&mut self, monitor: Monitor) -> Result<(), GraphError> {
        if self.monitors.iter().any(|other| other.name == monitor.name) {
            return Err(GraphError::DuplicateMonitor { name: monitor.name });
        }
        for watched in &monitor.watched {
            self.output_of(&watched.component, &watched.port)?;
        }
        self.monitors.push(monitor);
        Ok(())
    }

    /// Removes a component, everything inside it, and their links.
    pub fn remove(&mut self, component: ComponentRef) -> Result<(), GraphError> {
        if component.0 == ROOT {
            return Err(GraphError::NoSuchComponent { path: String::new(), nearest: None });
        }
        let mut doomed = vec![false; self.components.len()];
        doomed[component.0 as usize] = true;
        for number in component.0 as usize + 1..self.components.len() {
            doomed[number] = doomed[self.tree[number].0 as usize];
        }
        self.index.take();
        for (component, _) in self.components.iter_mut().zip(&doomed).filter(|(_, doomed)| **doomed)
        {
            *component = ComponentKind::Removed;
        }
        let stays = |component: u32| !doomed[component as usize];
        self.retain_links(|link| stays(link.from.component) && stays(link.to.component));
        self.bindings.retain(|b| stays(b.component) && stays(b.provider));
        self.offers.retain(|b| stays(b.component) && stays(b.provider));
        Ok(())
    }

    pub(crate) fn retain_links(&mut self, stays: impl Fn(&GraphLink) -> bool) {
        let (old, special) = (std::mem::take(&mut self.links), std::mem::take(&mut self.special));
        for (number, link) in old.into_iter().enumerate() {
            let attributes = special.get(&(number as u32)).copied();
            if stays(&link) {
                if let Some(attributes) = attributes {
                    self.special.insert(self.links.len() as u32, attributes);
                }
                self.links.push(link);
            } else if let Some(attributes) = attributes {
                // The name of the link is free again.
                self.attributes[attributes as usize].interposer = None;
            }
        }
    }

    /// The component at `path`, if there is one.
    pub fn get(&self, path: &str) -> Option<ComponentRef> {
        self.index().get(&ComponentId::of(path)).map(|&number| ComponentRef(number))
    }

    /// The component at `path`; the error names the nearest.
    pub fn find(&self, path: &str) -> Result<ComponentRef, GraphError> {
        self.get(path).ok_or_else(|| {
            let paths: Vec<_> = self.existing().map(|c| self.path(c)).collect();
            let near = nearest(path, paths.iter().map(String::as_str)).map(Into::into);
            GraphError::NoSuchComponent { path: path.into(), nearest: near }
        })
    }

    /// The path of a component: `a.b[3].c`.
    pub fn path(&self, component: ComponentRef) -> String {
        let mut names = Vec::new();
        let mut at = component.0;
        while at != ROOT {
            let (parent, name) = &self.tree[at as usize];
            names.push(&**name);
            at = *parent;
        }
        names.reverse();
        names.join(".")
    }

    /// The names of all components, of each level by itself.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tree.iter().map(|(_, name)| &**name)
    }

    /// The identity of a component, the same in every placement.
    pub fn id(&self, component: ComponentRef) -> ComponentId {
        if component.0 == ROOT {
            return ComponentId::ROOT;
        }
        let (parent, name) = &self.tree[component.0 as usize];
        self.id(ComponentRef(*parent)).child(name)
    }

    fn index(&self) -> &HashMap<ComponentId, u32> {
        self.index.get_or_init(|| self.existing().map(|c| (self.id(c), c.0)).collect())
    }

    /// Gives back memory that only finding components needs.
    pub(crate) fn forget_index(&mut self) {
        self.index.take();
    }

    /// Gives back memory that only building needs.
    pub(crate) fn compact(&mut self) {
        self.forget_index();
        Arc::make_mut(&mut self.tree).shrink_to_fit();
        self.components.shrink_to_fit();
        self.links.shrink_to_fit();
    }

    /// What makes link number `link` special.
    pub(crate) fn attributes_of(&self, link: u32) -> (u32, &Link) {
        let number = self.special.get(&link).copied().unwrap_or(0);
        (number, &self.attributes[number as usize])
    }

    pub(crate) fn existing(&self) -> impl Iterator<Item = ComponentRef> {
        let alive = |c: &ComponentKind| !matches!(c, ComponentKind::Removed);
        (1..self.components.len() as u32)
            .filter(move |&n| alive(&self.components[n as usize]))
            .map(ComponentRef)
    }

    pub(crate) fn model(&self, component: ComponentRef) -> Option<&ModelSpec> {
        match &self.components[component.0 as usize] {
            ComponentKind::Model(model) => Some(model),
            _ => None,
        }
    }

    pub(crate) fn parent(&self, component: u32) -> u32 {
        self.tree[component as usize].0
    }

    pub(crate) fn model_mut(&mut self, component: u32) -> Option<&mut ModelSpec> {
        match &mut self.components[component as usize] {
            ComponentKind::Model(model) => Some(model),
            _ => None,
        }
    }

    pub(crate) fn layout_of(&self, component: u32) -> &Layout {
        let model = self.model(ComponentRef(component)).expect("only models have a layout");
        &self.layouts[model.layout as usize]
    }

    pub(crate) fn link_names(&self) -> impl Iterator<Item = &String> {
        self.attributes.iter().filter_map(|a| a.interposer.as_ref().map(|(name, _)| name))
    }

    /// The number of the output `port` of the model at `path`.
    pub(crate) fn output_of(&self, path: &str, port: &str) -> Result<(u32, u16), GraphError> {
        let component = self.find(path)?;
        let (end, _) = self.end(component.port(port), true)?;
        match self.model(component) {
            Some(_) => Ok((end.component, end.port)),
            None => Err(GraphError::NoSuchPort {
                path: path.into(),
                direction: "model output",
                port: port.into(),
                nearest: None,
            }),
        }
    }

    /// `a.b.port` of one end.
    pub(crate) fn end_name(&self, end: End) -> String {
        let port = match &self.components[end.component as usize] {
            ComponentKind::Model(model) => {
                let layout = &self.layouts[model.layout as usize];
                if end.input { &layout.inputs } else { &layout.outputs }
            }
            ComponentKind::Composite(ports) if end.input => &ports.inputs,
            ComponentKind::Composite(ports) => &ports.outputs,
            _ => return self.path(ComponentRef(end.component)),
        };
        let component = ComponentRef(end.component);
        self.port_name(component.port(&port[end.port as usize].name))
    }

    fn port_name(&self, port: PortRef<'_>) -> String {
        let path = self.path(port.component);
        if path.is_empty() { port.port.into() } else { format!("{path}.{}", port.port) }
    }

    /// Finds the port that sends (`source`) or takes the values of a link.
    pub(crate) fn end(
        &self,
        port: PortRef<'_>,
        source: bool,
    ) -> Result<(End, &PortSpec), GraphError> {
        let component = port.component.0;
        let lists: [(&[PortSpec], bool); 2] = match &self.components[component as usize] {
            ComponentKind::Model(model) => {
                let layout = &self.layouts[model.layout as usize];
                if source {
                    [(&layout.outputs, false), (&[], false)]
                } else {
                    [(&layout.inputs, true), (&[], true)]
                }
            }
            ComponentKind::Composite(ports) => [(&ports.inputs, true), (&ports.outputs, false)],
            ComponentKind::Removed | ComponentKind::Provider(_) => [(&[], false), (&[], false)],
        };
        for (list, input) in lists {
            if let Some(number) = list.iter().position(|spec| spec.name == port.port) {
                return Ok((End { component, port: number as u16, input }, &list[number]));
            }
        }
        let names = lists.iter().flat_map(|(list, _)| list.iter().map(|spec| spec.name.as_str()));
        Err(GraphError::NoSuchPort {
            path: self.path(port.component),
            direction: if source { "output" } else { "input" },
            port: port.port.into(),
            nearest: nearest(port.port, names).map(Into::into),
        })
    }

    fn composite_port<T: Value>(
        &mut self,
        composite: ComponentRef,
        name: &str,
        kind: PortKind,
        input: bool,
    ) -> Result<(), GraphError> {
        let path = self.path(composite);
        if !is_valid_port_name(name) {
            return Err(GraphError::BadName { name: name.into() });
        }
        let ComponentKind::Composite(ports) = &mut self.components[composite.0 as usize] else {
            return Err(GraphError::NotComposite { path });
        };
        if ports.inputs.iter().chain(&ports.outputs).any(|p| p.name == name) {
            return Err(GraphError::DuplicatePort { path, name: name.into() });
        }
        let list = if input { &mut ports.inputs } else { &mut ports.outputs };
        let value = port_type::<T>();
        list.push(PortSpec { name: name.into(), kind, value, wakes: false, optional: true });
        Ok(())
    }

    fn insert_model(
        &mut self,
        parent: ComponentRef,
        name: &str,
        model: AnyModel,
        ports: Ports,
        periodic: Option<PeriodicSpec>,
    ) -> Result<ComponentRef, GraphError> {
        let Ports { layout, initials, duplicate } = ports;
        let path = || join(&self.path(parent), name);
        if let Some(name) = duplicate {
            return Err(GraphError::DuplicatePort { path: path(), name });
        }
        let longest = layout.inputs.len().max(layout.outputs.len());
        if longest.max(layout.streams.len()).max(layout.queries.len()) >= usize::from(u16::MAX) {
            return Err(GraphError::TooManyPorts { path: path() });
        }
        let mut names = layout.inputs.iter().chain(&layout.outputs);
        if let Some(bad) = names.find(|spec| !is_valid_port_name(&spec.name)) {
            return Err(GraphError::BadName { name: bad.name.clone() });
        }
        // The last layouts are looked at first: equal models tend to be added in a row.
        let known = self.layouts.iter().rposition(|other| *other == layout);
        let layout = known.unwrap_or_else(|| {
            self.layouts.push(layout);
            self.layouts.len() - 1
        }) as u32;
        let run_ahead = matches!(model, AnyModel::RunAhead(_));
        let fresh = Some(Fresh { model, initials: initials.outputs });
        let rest = ModelRest { periodic, defaults: initials.inputs, fresh };
        let spec = ModelSpec { layout, run_ahead, rest: Some(Box::new(rest)) };
        self.insert(parent, name, ComponentKind::Model(spec))
    }

    fn insert(
        &mut self,
        parent: ComponentRef,
        name: &str,
        kind: ComponentKind,
    ) -> Result<ComponentRef, GraphError> {
        if !is_valid_name(name) {
            return Err(GraphError::BadName { name: name.into() });
        }
        if !matches!(self.components[parent.0 as usize], ComponentKind::Composite(_)) {
            return Err(GraphError::NotComposite { path: self.path(parent) });
        }
        let number = self.components.len() as u32;
        let id = self.id(parent).child(name);
        if self.index().contains_key(&id) {
            return Err(GraphError::DuplicateComponent { path: join(&self.path(parent), name) });
        }
        if let Some(index) = self.index.get_mut() {
            index.insert(id, number);
        }
        Arc::make_mut(&mut self.tree).push((parent.0, name.into()));
        self.components.push(kind);
        Ok(ComponentRef(number))
    }
}

fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.into() } else { format!("{parent}.{name}") }
}

fn declare(model: &mut impl Model) -> Ports {
    let mut ports = Ports::default();
    model.ports(&mut ports);
    ports
}
