//! What the typed description asks of the frames.

use nalgebra::{Isometry3, Vector3};

use super::{Frames, Kind, NodeId, ScopeId, WORLD, relative_to};
use crate::error::SdfError;
use crate::xml::Element;

impl Frames {
    /// The frame of a link, joint, frame or model in a scope.
    pub(crate) fn node(&self, scope: ScopeId, element: &Element) -> NodeId {
        let key = (element.name.clone(), element.attribute("name").unwrap_or("").to_owned());
        // All have been declared.
        self.scopes[scope].elements.get(&key).copied().unwrap_or(WORLD)
    }

    /// The scope inside of a model.
    pub(crate) fn inside(&self, model: NodeId) -> ScopeId {
        match self.nodes[model].kind {
            Kind::Model(scope) => scope,
            _ => self.nodes[model].scope,
        }
    }

    /// The pose in the world.
    pub(crate) fn in_world(&self, node: NodeId) -> Isometry3<f64> {
        self.in_world[node]
    }

    /// The pose in the outermost model that it is in.
    pub(crate) fn in_model(&self, node: NodeId) -> Isometry3<f64> {
        self.in_model[node]
    }

    /// The name with those of the models around it but the outermost: `a::b`.
    pub(crate) fn scoped_name(&self, node: NodeId) -> String {
        self.scoped(node)
    }

    /// What stands before the names of a scope.
    pub(crate) fn prefix(&self, scope: ScopeId) -> &str {
        &self.scopes[scope].prefix
    }

    /// The link that a frame moves with; `world` for what stands still, none in a model without links.
    pub(crate) fn link(&self, node: NodeId) -> Option<String> {
        let link = self.link[node];
        match self.nodes[link].kind {
            Kind::World => Some("world".into()),
            Kind::Link => Some(self.scoped(link)),
            Kind::Joint | Kind::Frame | Kind::Model(_) => None,
        }
    }

    /// The link of a name, or that a frame of that name moves with.
    pub(crate) fn link_named(&self, scope: ScopeId, name: &str) -> Option<String> {
        self.link(self.look_up(scope, name)?)
    }

    /// The link that the parent or child of a joint is, or moves with. For a joint of the world its name begins
    /// with that of the outermost model.
    pub(crate) fn joined_link(&self, scope: ScopeId, at: &Element) -> Result<String, SdfError> {
        let node = match self.look_up(scope, &at.text) {
            Some(node) => node,
            None if at.text == "world" => WORLD,
            None => return Err(self.unknown(scope, &at.text, at)),
        };
        let link = self
            .link(node)
            .ok_or_else(|| at.error(format!("{} has no link to join", at.text), "name a link"))?;
        let model = self.outermost(self.link[node]);
        Ok(if scope == 0 && model != WORLD {
            format!("{}::{link}", self.nodes[model].name)
        } else {
            link
        })
    }

    fn outermost(&self, mut node: NodeId) -> NodeId {
        while self.nodes[node].scope != 0 {
            node = self.scopes[self.nodes[node].scope].root;
        }
        node
    }

    /// The pose in `pose`, as one in the frame of `base`.
    pub(crate) fn pose(
        &self,
        scope: ScopeId,
        pose: Option<&Element>,
        base: NodeId,
    ) -> Result<Isometry3<f64>, SdfError> {
        let Some(element) = pose else { return Ok(Isometry3::identity()) };
        let pose = element.as_pose()?.unwrap_or_default();
        match relative_to(element) {
            None => Ok(pose),
            Some(name) => Ok(self.between(base, self.find(scope, name, element)?) * pose),
        }
    }

    /// A direction in the frame of that name, as one in the frame of `base`.
    pub(crate) fn direction(
        &self,
        scope: ScopeId,
        frame: &str,
        direction: Vector3<f64>,
        base: NodeId,
        at: &Element,
    ) -> Result<Vector3<f64>, SdfError> {
        Ok(self.between(base, self.find(scope, frame, at)?) * direction)
    }

    /// The pose of one frame in another, both of one model or of the world.
    fn between(&self, base: NodeId, frame: NodeId) -> Isometry3<f64> {
        if base == frame {
            return Isometry3::identity();
        }
        let poses = if self.nodes[base].scope == 0 { &self.in_world } else { &self.in_model };
        poses[base].inv_mul(&poses[frame])
    }
}
