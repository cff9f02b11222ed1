//! Plugins: what a model or world does beyond its shape. Their contents are kept as they were written.

use crate::error::Place;
use crate::xml::Element;

/// A plugin.
#[derive(Debug, Clone, PartialEq)]
pub struct Plugin {
    /// Its class, such as `gz::sim::systems::LiftDrag`; empty where it has none.
    pub name: String,
    /// Its library, such as `gz-sim-lift-drag-system`.
    pub filename: String,
    /// The nested model that it is in, `a::b`, from which the names in it are seen; empty for the outermost
    /// model and for a world.
    pub scope: String,
    /// What is in it, with accessors for numbers, flags and vectors.
    pub element: Element,
}

impl Plugin {
    /// Where it is.
    pub fn place(&self) -> &Place {
        &self.element.place
    }

    /// The last part of its class: `LiftDrag` of `gz::sim::systems::LiftDrag`, whatever the version of Gazebo.
    pub fn class(&self) -> &str {
        self.name.rsplit("::").next().unwrap_or(&self.name)
    }

    /// A name in it, as seen from the outermost model: `a::b::link` for `link`.
    pub fn scoped(&self, name: &str) -> String {
        match self.scope.as_str() {
            "" => name.to_owned(),
            scope => format!("{scope}::{name}"),
        }
    }
}

/// The plugin of an element; `prefix` is that of the names around it, `a::b::`.
pub(super) fn plugin(element: &Element, prefix: &str) -> Plugin {
    let attribute = |name| element.attribute(name).unwrap_or("").to_owned();
    Plugin {
        name: attribute("name"),
        filename: attribute("filename"),
        scope: prefix.strip_suffix("::").unwrap_or(prefix).to_owned(),
        element: element.clone(),
    }
}
