//! Reading the children of an element: what nobody asked for becomes a warning.

use nalgebra::Vector3;

use crate::error::{SdfError, Warning};
use crate::value::Colour;
use crate::xml::Element;

/// The children of one element, of which some were asked for.
pub(crate) struct Fields<'a, 'w> {
    pub(crate) element: &'a Element,
    asked: Vec<bool>,
    warnings: &'w mut Vec<Warning>,
}

impl<'a, 'w> Fields<'a, 'w> {
    pub(crate) fn new(element: &'a Element, warnings: &'w mut Vec<Warning>) -> Self {
        Self { element, asked: vec![false; element.children.len()], warnings }
    }

    /// All children of a name.
    pub(crate) fn all(&mut self, name: &str) -> Vec<&'a Element> {
        let mut found = Vec::new();
        for (child, asked) in self.element.children.iter().zip(&mut self.asked) {
            if child.name == name {
                *asked = true;
                found.push(child);
            }
        }
        found
    }

    /// The child of a name. Of several the first counts, and the others are warned of.
    pub(crate) fn one(&mut self, name: &str) -> Option<&'a Element> {
        let found = self.all(name);
        for second in found.iter().skip(1) {
            let message = format!("only the first <{name}> of <{}> counts", self.element.name);
            self.warnings.push(Warning::new(&second.place, message));
        }
        found.first().copied()
    }

    /// Children that are known and change nothing here.
    pub(crate) fn ignore(&mut self, names: &[&str]) {
        for (child, asked) in self.element.children.iter().zip(&mut self.asked) {
            *asked |= names.contains(&child.name.as_str());
        }
    }

    /// Warns of what was not asked for.
    pub(crate) fn finish(self) {
        for (child, asked) in self.element.children.iter().zip(self.asked) {
            if !asked {
                let (inner, outer) = (&child.name, &self.element.name);
                let message = format!("<{inner}> in <{outer}> is not supported and has no effect");
                self.warnings.push(Warning::new(&child.place, message));
            }
        }
    }

    pub(crate) fn warn(&mut self, message: impl Into<String>) {
        self.warnings.push(Warning::new(&self.element.place, message));
    }

    pub(crate) fn warn_at(&mut self, element: &Element, message: impl Into<String>) {
        self.warnings.push(Warning::new(&element.place, message));
    }

    /// The list of warnings, for the elements inside.
    pub(crate) fn warnings(&mut self) -> &mut Vec<Warning> {
        self.warnings
    }

    pub(crate) fn number(&mut self, name: &str, default: f64) -> Result<f64, SdfError> {
        Ok(self.one(name).map_or(Ok(None), Element::as_number)?.unwrap_or(default))
    }

    /// A number that must not be below zero.
    pub(crate) fn size(&mut self, name: &str, default: f64) -> Result<f64, SdfError> {
        let Some(element) = self.one(name) else { return Ok(default) };
        let size = element.as_number()?.unwrap_or(default);
        if size < 0.0 {
            let what = format!("<{name}> is negative: {size}");
            return Err(element.error(what, "write a number above zero"));
        }
        Ok(size)
    }

    pub(crate) fn limit(&mut self, name: &str, default: f64) -> Result<f64, SdfError> {
        Ok(self.one(name).map_or(Ok(None), Element::as_limit)?.unwrap_or(default))
    }

    pub(crate) fn count(&mut self, name: &str, default: u64) -> Result<u64, SdfError> {
        Ok(self.one(name).map_or(Ok(None), Element::as_count)?.unwrap_or(default))
    }

    pub(crate) fn flag(&mut self, name: &str, default: bool) -> Result<bool, SdfError> {
        Ok(self.one(name).map_or(Ok(None), Element::as_flag)?.unwrap_or(default))
    }

    pub(crate) fn text(&mut self, name: &str) -> Option<&'a str> {
        self.one(name).map(|child| child.text.as_str()).filter(|text| !text.is_empty())
    }

    pub(crate) fn vector(
        &mut self,
        name: &str,
        default: Vector3<f64>,
    ) -> Result<Vector3<f64>, SdfError> {
        Ok(self.one(name).map_or(Ok(None), Element::as_vector)?.unwrap_or(default))
    }

    pub(crate) fn direction(
        &mut self,
        name: &str,
        default: Vector3<f64>,
    ) -> Result<Vector3<f64>, SdfError> {
        Ok(self.one(name).map_or(Ok(None), Element::as_direction)?.unwrap_or(default))
    }

    /// A colour. One that cannot be read only looks wrong, so it is a warning.
    pub(crate) fn colour(&mut self, name: &str, default: Colour) -> Colour {
        match self.one(name).map_or(Ok(None), Element::as_colour) {
            Ok(colour) => colour.unwrap_or(default),
            Err(error) => {
                let message = format!("{}; the default is taken", error.what);
                self.warnings.push(Warning::new(&error.place, message));
                default
            }
        }
    }
}

/// The attribute `name`, which the element must have.
pub(crate) fn name_of(element: &Element) -> Result<&str, SdfError> {
    element.attribute("name").filter(|name| !name.is_empty()).ok_or_else(|| {
        let what = format!("<{}> has no name", element.name);
        element.error(what, format!("write <{} name=\"…\">", element.name))
    })
}
