//! Which component an input that is driven belongs to.
//!
//! The name of an input may have dots itself (`world.quad[3].motors` is `quad[3].motors` of `world`),
//! so the component is looked up in the experiment as it is written: the log is put into it before it
//! is checked.

use ironbird_experiment::{Item, Table};

/// Splits a path into the component and its input. Where the experiment does not tell, the last name
/// is the input: what is wrong with it is told when the experiment is checked.
pub(crate) fn split_input<'t>(root: Option<&Item>, path: &'t str) -> Option<(&'t str, &'t str)> {
    let at = root.and_then(|root| component_end(root.table().ok()?, path));
    at.map(|at| (&path[..at], &path[at + 1..])).or_else(|| path.rsplit_once('.'))
}

/// Where the path of the component ends.
fn component_end(root: &Table, path: &str) -> Option<usize> {
    let mut inside = table(root, "system")?;
    let mut start = 0;
    for (at, _) in path.match_indices('.') {
        let name = &path[start..at];
        let array = name.split('[').next().unwrap_or(name);
        let found = table(inside, name)
            .filter(|table| table.get("type").is_some())
            .or_else(|| table(inside, array))
            .or_else(|| table(inside, name))?;
        match found.get("type").and_then(|kind| kind.text().ok()) {
            Some(kind) => match kind.strip_prefix("template.") {
                Some(template) => inside = table(table(root, "template")?, template)?,
                None => return Some(at),
            },
            None => inside = found,
        }
        start = at + 1;
    }
    None
}

fn table<'a>(inside: &'a Table, name: &str) -> Option<&'a Table> {
    inside.get(name)?.table().ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const EXPERIMENT: &str = r#"
        ironbird = 1
        [template.craft.body]
        type = "t.body"
        [system.world]
        type = "t.world"
        [system.group.cart]
        type = "t.cart"
        count = 4
        [system.group."cart[2]"]
        mass = "1 kg"
        [system.craft]
        type = "template.craft"
        count = 2
    "#;

    #[test]
    fn the_component_is_the_one_that_is_written() {
        let root = ironbird_experiment::load_text("x", Path::new(""), EXPERIMENT, &[]).unwrap();
        for (path, component, input) in [
            ("world.quad[3].motors", "world", "quad[3].motors"),
            ("world.force", "world", "force"),
            ("group.cart[2].left.force", "group.cart[2]", "left.force"),
            ("group.cart[1].force", "group.cart[1]", "force"),
            ("craft[1].body.fin.angle", "craft[1].body", "fin.angle"),
            ("nowhere.to.be", "nowhere.to", "be"),
        ] {
            assert_eq!(split_input(Some(&root), path), Some((component, input)), "{path}");
        }
        assert_eq!(split_input(Some(&root), "alone"), None);
    }
}
