//! What a run may need to know of a formula before it is evaluated.

use crate::checked::{AtomKind, Checked, Node};

impl Checked {
    /// The `f` of `always f` without bounds, if it speaks about single instants: what can be watched
    /// while a run goes on.
    pub fn invariant(&self) -> Option<Checked> {
        // `always f` is kept as `not eventually not f`.
        let Node::Not(eventually) = *self.nodes.last()? else { return None };
        let Node::Eventually { window: None, inner, .. } = self.nodes[eventually] else {
            return None;
        };
        let mut nodes = self.nodes[..=inner].to_vec();
        if nodes.iter().any(Node::is_temporal) {
            return None;
        }
        match nodes[inner] {
            Node::Not(body) => nodes.truncate(body + 1),
            _ => nodes.push(Node::Not(inner)),
        }
        Some(Checked { nodes, ..self.clone() })
    }

    /// Whether it speaks of simulated time.
    pub fn reads_time(&self) -> bool {
        self.atoms.iter().any(|atom| match &atom.kind {
            AtomKind::Clock(..) => true,
            AtomKind::Compare(_, left, right) => left.reads_time() || right.reads_time(),
            _ => false,
        })
    }
}
