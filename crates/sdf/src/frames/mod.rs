//! The frames of a world or model: every link, joint, frame and model has a pose relative to another.
//!
//! The pose of a frame in the outermost one is the product of the poses along the chain of `relative_to`:
//! X(outer, n) = X(outer, r) X(r, n). A model with a placement frame F is put so that F has the given pose:
//! X(r, M) = pose X(M, F)^-1. Which link a frame moves with follows the chain of `attached_to`; a model moves
//! with its canonical link, a joint with its child. (SDF 1.8, *Pose frame semantics*.)

use std::collections::BTreeMap;

use nalgebra::Isometry3;

mod queries;

use crate::error::{Place, SdfError};
use crate::fields::name_of;
use crate::xml::Element;

/// A frame.
pub(crate) type NodeId = usize;
/// Names that can be referred to together: those of the world, or of one model.
pub(crate) type ScopeId = usize;

/// The outermost frame: the world.
pub(crate) const WORLD: NodeId = 0;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    World,
    Link,
    Joint,
    Frame,
    /// With the scope inside.
    Model(ScopeId),
}

struct Node {
    name: String,
    kind: Kind,
    scope: ScopeId,
    place: Place,
    /// In the frame `relative`; for a model with a placement frame, that frame's.
    pose: Isometry3<f64>,
    relative: NodeId,
    attached: NodeId,
}

struct Scope {
    /// The model of this scope, or the world.
    root: NodeId,
    /// What stands before names in it, seen from the outermost model: `a::b::`.
    prefix: String,
    names: BTreeMap<String, NodeId>,
    /// By the kind of element and its name: a joint may have the name of a link.
    elements: BTreeMap<(String, String), NodeId>,
    /// The first link or model, in the order of the file.
    first_link: Option<NodeId>,
    first_model: Option<NodeId>,
}

/// All frames, with their poses.
pub(crate) struct Frames {
    nodes: Vec<Node>,
    scopes: Vec<Scope>,
    in_world: Vec<Isometry3<f64>>,
    in_model: Vec<Isometry3<f64>>,
    link: Vec<NodeId>,
}

/// What a node refers to by name, until all names are known.
struct Reference<'a> {
    node: NodeId,
    element: &'a Element,
}

impl Frames {
    /// The frames of the models, joints and frames in an element: a world, or the root of a file of models.
    pub(crate) fn of(outer: &Element) -> Result<Self, SdfError> {
        let world = Node {
            name: "world".into(),
            kind: Kind::World,
            scope: 0,
            place: outer.place.clone(),
            pose: Isometry3::identity(),
            relative: WORLD,
            attached: WORLD,
        };
        let mut frames = Self {
            nodes: vec![world],
            scopes: vec![Scope::new(WORLD, String::new())],
            in_world: Vec::new(),
            in_model: Vec::new(),
            link: Vec::new(),
        };
        let mut references = Vec::new();
        frames.declare(outer, 0, &mut references)?;
        for reference in &references {
            frames.connect(reference)?;
        }
        // As many steps as any real file takes: models within models are 40 deep at most.
        let mut steps = 50 * frames.nodes.len();
        for reference in references.iter().rev() {
            // Inner models first: their poses are in the chains of outer ones.
            frames.place(reference, &mut steps)?;
        }
        frames.resolve()?;
        Ok(frames)
    }

    fn declare<'a>(
        &mut self,
        outer: &'a Element,
        scope: ScopeId,
        references: &mut Vec<Reference<'a>>,
    ) -> Result<(), SdfError> {
        for element in &outer.children {
            let node = self.nodes.len();
            let kind = match element.name.as_str() {
                "link" if scope != 0 => Kind::Link,
                "joint" => Kind::Joint,
                "frame" => Kind::Frame,
                "model" => Kind::Model(self.scopes.len()),
                _ => continue,
            };
            let name = name_of(element)?;
            self.declare_name(name, node, element, scope)?;
            match kind {
                Kind::Link => self.scopes[scope].first_link.get_or_insert(node),
                Kind::Model(_) => self.scopes[scope].first_model.get_or_insert(node),
                _ => &mut 0,
            };
            let pose = element.child("pose").map_or(Ok(None), Element::as_pose)?;
            self.nodes.push(Node {
                name: name.into(),
                kind,
                scope,
                place: element.place.clone(),
                pose: pose.unwrap_or_default(),
                relative: self.scopes[scope].root,
                attached: node,
            });
            references.push(Reference { node, element });
            if let Kind::Model(inner) = kind {
                // The names in an outermost model are seen without its own.
                let prefix = match scope {
                    0 => String::new(),
                    _ => format!("{}{name}::", self.scopes[scope].prefix),
                };
                self.scopes.push(Scope::new(node, prefix));
                self.declare(element, inner, references)?;
            }
        }
        Ok(())
    }

    fn declare_name(
        &mut self,
        name: &str,
        node: NodeId,
        element: &Element,
        scope: ScopeId,
    ) -> Result<(), SdfError> {
        if name == "world" || name.starts_with("__") && name.ends_with("__") {
            let what = format!("the name {name} of this {} is reserved", element.name);
            return Err(element.error(what, "give it another name"));
        }
        let key = (element.name.clone(), name.to_owned());
        let twin = self.scopes[scope].elements.insert(key, node);
        if let Some(other) = twin.or_else(|| self.scopes[scope].names.get(name).copied()) {
            let other = &self.nodes[other];
            let both = [other.kind, kind_of(element)];
            // Before SDF 1.7 joints had no frames, and a joint and a link might share a name: the name is the
            // link's then.
            let tolerated = both.contains(&Kind::Joint) && twin.is_none();
            if !tolerated {
                let what = format!("there are two of the name {name}");
                let help = format!("the other is at {}: rename one", other.place);
                return Err(element.error(what, help));
            }
            if both[1] == Kind::Joint {
                return Ok(());
            }
        }
        self.scopes[scope].names.insert(name.into(), node);
        Ok(())
    }

    /// Puts nodes for names.
    fn connect(&mut self, reference: &Reference<'_>) -> Result<(), SdfError> {
        let (node, element) = (reference.node, reference.element);
        let scope = self.nodes[node].scope;
        let root = self.scopes[scope].root;
        let (attached, by_default) = match self.nodes[node].kind {
            Kind::World | Kind::Link => (node, root),
            Kind::Joint => {
                let child = element.child("child").filter(|child| !child.text.is_empty());
                let child = child.ok_or_else(|| {
                    element.error("the joint has no child", "write <child>link</child>")
                })?;
                let child = match self.look_up(scope, &child.text) {
                    None if child.text == "world" => root,
                    None => return Err(self.unknown(scope, &child.text, child)),
                    Some(child) => child,
                };
                (child, child)
            }
            Kind::Frame => match element.attribute("attached_to").filter(|to| !to.is_empty()) {
                Some(to) => {
                    let to = self.find(scope, to, element)?;
                    (to, to)
                }
                None => (root, root),
            },
            Kind::Model(inner) => {
                let canonical = element.attribute("canonical_link").filter(|link| !link.is_empty());
                let inside = &self.scopes[inner];
                let link = match canonical {
                    Some(link) => Some(self.find(inner, link, element)?),
                    None => inside.first_link.or(inside.first_model),
                };
                (link.unwrap_or(node), root)
            }
        };
        let pose = element.child("pose");
        let given = pose.and_then(relative_to);
        let relative = match (given, pose) {
            (Some(name), Some(pose)) => self.find(scope, name, pose)?,
            _ => by_default,
        };
        (self.nodes[node].attached, self.nodes[node].relative) = (attached, relative);
        Ok(())
    }

    /// Moves a model, or the frame that stands for a merged one, so that its placement frame is where its pose says.
    fn place(&mut self, reference: &Reference<'_>, steps: &mut usize) -> Result<(), SdfError> {
        let inner = match self.nodes[reference.node].kind {
            Kind::Model(inner) => inner,
            Kind::Frame => self.nodes[reference.node].scope,
            Kind::World | Kind::Link | Kind::Joint => return Ok(()),
        };
        let frame = reference.element.attribute("placement_frame").filter(|name| !name.is_empty());
        let Some(frame) = frame else { return Ok(()) };
        let mut at = self.find(inner, frame, reference.element)?;
        let mut in_model = Isometry3::identity();
        while at != reference.node {
            in_model = self.nodes[at].pose * in_model;
            at = self.nodes[at].relative;
            *steps = steps.saturating_sub(1);
            if *steps == 0 || at == WORLD {
                let what = format!(
                    "the placement frame {frame} is too far from its model, or depends on itself"
                );
                return Err(reference.element.error(what, "place the model by another frame"));
            }
        }
        let node = &mut self.nodes[reference.node];
        node.pose *= in_model.inverse();
        Ok(())
    }

    fn resolve(&mut self) -> Result<(), SdfError> {
        let relative: Vec<NodeId> = self.nodes.iter().map(|node| node.relative).collect();
        let world = |id| id == WORLD;
        let what = "poses are relative to each other";
        let order = self.in_order(&relative, &world, what, "relative_to")?;
        self.in_world = vec![Isometry3::identity(); self.nodes.len()];
        self.in_model = vec![Isometry3::identity(); self.nodes.len()];
        for id in order {
            let node = &self.nodes[id];
            self.in_world[id] = self.in_world[node.relative] * node.pose;
            if node.scope != 0 {
                self.in_model[id] = self.in_model[node.relative] * node.pose;
            }
        }
        let attached: Vec<NodeId> = self.nodes.iter().map(|node| node.attached).collect();
        let what = "frames are attached to each other";
        let moves_alone = |id: NodeId| !matches!(self.nodes[id].kind, Kind::Frame | Kind::Joint);
        let order = self.in_order(&attached, &moves_alone, what, "attached_to")?;
        self.link = vec![WORLD; self.nodes.len()];
        for id in order {
            let to = attached[id];
            self.link[id] = if to == id { id } else { self.link[to] };
        }
        Ok(())
    }

    /// All nodes, each behind the one it leads to.
    fn in_order(
        &self,
        leads_to: &[NodeId],
        may_end: &dyn Fn(NodeId) -> bool,
        what: &str,
        attribute: &str,
    ) -> Result<Vec<NodeId>, SdfError> {
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            Not,
            Now,
            Done,
        }
        let mut seen = vec![Seen::Not; leads_to.len()];
        let mut order = Vec::with_capacity(leads_to.len());
        for start in 0..leads_to.len() {
            let mut chain = Vec::new();
            let mut at = start;
            while seen[at] == Seen::Not {
                seen[at] = Seen::Now;
                chain.push(at);
                let next = leads_to[at];
                if next == at && may_end(at) {
                    seen[at] = Seen::Done;
                    break;
                }
                at = next;
            }
            if seen[at] == Seen::Now {
                let first = chain.iter().position(|id| *id == at).unwrap_or(0);
                let cycle = chain[first..].iter().chain([&at]).take(20);
                let names: Vec<_> = cycle.map(|id| self.scoped(*id)).collect();
                let what = format!("{what}: {}", names.join(" to "));
                let help = format!("change {attribute} of one of them");
                return Err(SdfError::new(&self.nodes[at].place, what, help));
            }
            chain.iter().for_each(|id| seen[*id] = Seen::Done);
            order.extend(chain.iter().rev());
        }
        Ok(order)
    }

    fn look_up(&self, scope: ScopeId, name: &str) -> Option<NodeId> {
        let names = &self.scopes[scope];
        if let Some(node) = names.names.get(name) {
            return Some(*node);
        }
        match name {
            "__model__" if scope != 0 => return Some(names.root),
            "world" if scope == 0 => return Some(WORLD),
            _ => {}
        }
        name.match_indices("::").find_map(|(at, _)| {
            let (outer, inner) = (&name[..at], &name[at + 2..]);
            match names.names.get(outer).map(|node| self.nodes[*node].kind) {
                Some(Kind::Model(nested)) => self.look_up(nested, inner),
                // Some files name things with the name of the model that they are in.
                None if scope != 0 && outer == self.nodes[names.root].name => {
                    names.names.get(inner).copied()
                }
                _ => None,
            }
        })
    }

    fn find(&self, scope: ScopeId, name: &str, at: &Element) -> Result<NodeId, SdfError> {
        self.look_up(scope, name).ok_or_else(|| self.unknown(scope, name, at))
    }

    fn unknown(&self, scope: ScopeId, name: &str, at: &Element) -> SdfError {
        let names: Vec<&str> =
            self.scopes[scope].names.keys().take(12).map(String::as_str).collect();
        let more = if self.scopes[scope].names.len() > names.len() { ", …" } else { "" };
        let what = format!("there is no frame {name} here");
        at.error(what, format!("the names here are: {}{more}", names.join(", ")))
    }

    fn scoped(&self, node: NodeId) -> String {
        format!("{}{}", self.scopes[self.nodes[node].scope].prefix, self.nodes[node].name)
    }
}

impl Scope {
    fn new(root: NodeId, prefix: String) -> Self {
        let (names, elements) = (BTreeMap::new(), BTreeMap::new());
        Self { root, prefix, names, elements, first_link: None, first_model: None }
    }
}

fn kind_of(element: &Element) -> Kind {
    match element.name.as_str() {
        "link" => Kind::Link,
        "joint" => Kind::Joint,
        "frame" => Kind::Frame,
        _ => Kind::Model(0),
    }
}

/// The frame that a pose is given in, where that is said.
fn relative_to(pose: &Element) -> Option<&str> {
    pose.attribute("relative_to").filter(|frame| !frame.is_empty())
}
