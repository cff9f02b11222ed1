//! Paths of the components of a partition, for messages and checkpoints.

use std::sync::Arc;

/// Paths of local nodes, found from the names in the graph.
#[derive(Default)]
pub(crate) struct PathTable {
    tree: Arc<Vec<(u32, Box<str>)>>,
    components: Vec<u32>,
}

impl PathTable {
    pub fn new(tree: Arc<Vec<(u32, Box<str>)>>, components: Vec<u32>) -> Self {
        PathTable { tree, components }
    }

    pub fn component(&self, node: u32) -> u32 {
        self.components[node as usize]
    }

    pub fn path(&self, node: u32) -> String {
        match self.components.get(node as usize) {
            Some(&component) => self.component_path(component),
            None => "the kernel".into(),
        }
    }

    /// The path of a component of the graph.
    pub fn component_path(&self, component: u32) -> String {
        let mut names = Vec::new();
        let mut at = component;
        while at != 0 {
            let (parent, name) = &self.tree[at as usize];
            names.push(&**name);
            at = *parent;
        }
        names.reverse();
        names.join(".")
    }
}
