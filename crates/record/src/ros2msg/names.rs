//! Names that ROS allows, made from names that the kernel allows.

use std::collections::BTreeSet;

/// Names that were given, so that none is given twice.
#[derive(Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// Names of which `taken` are gone already.
    pub(super) fn without(taken: &[&str]) -> Self {
        Names(taken.iter().map(|name| (*name).to_owned()).collect())
    }

    /// A field name near `wanted`: small letters, digits and single underscores.
    pub(super) fn field(&mut self, wanted: &str) -> String {
        self.unique(snake(wanted, "field"), "_")
    }

    /// The name of a constant for a variant of a field.
    pub(super) fn constant(&mut self, field: &str, variant: &str) -> String {
        let name = snake(&format!("{field}_{variant}"), "constant");
        self.unique(name.to_ascii_uppercase(), "_")
    }

    /// The name of a message near `wanted`: letters and digits, a capital first.
    pub(super) fn message(&mut self, wanted: &str) -> String {
        self.unique(camel(wanted), "")
    }

    fn unique(&mut self, name: String, joint: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}{joint}{number}"));
        let free =
            std::iter::once(name.clone()).chain(numbered).find(|name| !self.0.contains(name));
        let free = free.unwrap_or(name);
        self.0.insert(free.clone());
        free
    }
}

fn snake(wanted: &str, fallback: &str) -> String {
    let mut name = String::new();
    for c in wanted.chars() {
        match c {
            'a'..='z' | '0'..='9' => name.push(c),
            'A'..='Z' => name.push(c.to_ascii_lowercase()),
            _ if name.is_empty() || name.ends_with('_') => {}
            _ => name.push('_'),
        }
    }
    let name = name.trim_end_matches('_');
    match name.chars().next() {
        None => fallback.to_owned(),
        Some(first) if first.is_ascii_digit() => format!("{fallback}_{name}"),
        Some(_) => name.to_owned(),
    }
}

fn camel(wanted: &str) -> String {
    let plain: String = wanted.chars().filter(char::is_ascii_alphanumeric).collect();
    match plain.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => {
            format!("{}{}", first.to_ascii_uppercase(), &plain[1..])
        }
        _ => format!("Type{plain}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_become_plain_ones_that_differ() {
        let mut names = Names::without(&["time_ps"]);
        let given = ["time_ps", "größe", "gr_e", "X__y_", "3d", ""].map(|name| names.field(name));
        assert_eq!(given, ["time_ps_2", "gr_e", "gr_e_2", "x_y", "field_3d", "field"]);
        assert_eq!(names.message("my_pose"), "Mypose");
        assert_eq!(names.constant("mode", "Idle"), "MODE_IDLE");
    }
}
