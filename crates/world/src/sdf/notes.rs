//! What a file asks for and is not done, with its place; and names that our ports may have.

use ironbird_sdf::{Element, Place, SdfError, Warning};
use nalgebra::Vector3;

/// Warnings, in the order in which they were found.
#[derive(Default)]
pub(super) struct Notes {
    pub warnings: Vec<Warning>,
}

impl Notes {
    /// Something has no effect, or another one.
    pub fn add(&mut self, place: &Place, message: impl Into<String>) {
        let warning = Warning::new(place, message);
        // A model that is included ten times says it once.
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}

/// A name of SDF as one of ours: `a::b` becomes `a-b`, and what is no letter or digit becomes `_`.
pub(super) fn plain(name: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
    let plain: String = name.replace("::", "-").chars().map(kept).collect();
    if plain.is_empty() { "_".into() } else { plain }
}

/// A name that is not taken yet: itself, or with a number behind.
pub(super) fn free(name: String, taken: impl Fn(&str) -> bool) -> String {
    if !taken(&name) {
        return name;
    }
    let mut number = 2_u64;
    loop {
        let other = format!("{name}-{number}");
        if !taken(&other) {
            return other;
        }
        number += 1;
    }
}

/// The contents of a plugin, of which some were asked for.
pub(super) struct Contents<'a> {
    pub element: &'a Element,
    asked: Vec<bool>,
}

impl<'a> Contents<'a> {
    pub fn new(element: &'a Element) -> Self {
        Contents { element, asked: vec![false; element.children.len()] }
    }

    /// All children of a name.
    pub fn all(&mut self, name: &str) -> Vec<&'a Element> {
        let mut found = Vec::new();
        for (child, asked) in self.element.children.iter().zip(&mut self.asked) {
            if child.name == name {
                *asked = true;
                found.push(child);
            }
        }
        found
    }

    /// The first child of a name that is not empty.
    pub fn one(&mut self, name: &str) -> Option<&'a Element> {
        self.all(name)
            .into_iter()
            .find(|child| !child.text.is_empty() || !child.children.is_empty())
    }

    pub fn text(&mut self, name: &str) -> Option<&'a str> {
        self.one(name).map(|child| child.text.as_str())
    }

    pub fn number(&mut self, name: &str, usual: f64) -> Result<f64, SdfError> {
        Ok(self.one(name).map_or(Ok(None), Element::as_number)?.unwrap_or(usual))
    }

    pub fn flag(&mut self, name: &str, usual: bool) -> Result<bool, SdfError> {
        Ok(self.one(name).map_or(Ok(None), Element::as_flag)?.unwrap_or(usual))
    }

    pub fn vector(&mut self, name: &str, usual: Vector3<f64>) -> Result<Vector3<f64>, SdfError> {
        Ok(self.one(name).map_or(Ok(None), Element::as_vector)?.unwrap_or(usual))
    }

    /// Children that change nothing here.
    pub fn ignore(&mut self, names: &[&str]) {
        for (child, asked) in self.element.children.iter().zip(&mut self.asked) {
            *asked |= names.contains(&child.name.as_str());
        }
    }

    /// Warns of what was not asked for.
    pub fn finish(self, what: &str, notes: &mut Notes) {
        for (child, asked) in self.element.children.iter().zip(self.asked) {
            if !asked {
                let message = format!("<{}> of {what} is not simulated", child.name);
                notes.add(&child.place, message);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_mapped_and_stay_different() {
        assert_eq!(plain("iris::rotor 0/imu.x"), "iris-rotor_0_imu_x");
        assert_eq!(plain(""), "_");
        assert_eq!(free("a".into(), |name| name == "a" || name == "a-2"), "a-3");
    }
}
