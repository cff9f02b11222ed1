//! Suggestions for a link that does not fit: a part of the output, or an adapter.

use ironbird_component::{
    ComponentType, ParameterKind, Part, PortDescription, Registry, Settings, compatible,
};
use ironbird_kernel::path::edit_distance;

use crate::names::{Names, behind};
use crate::via::{INITIAL, key, line, shown_as};
use ironbird_document::Problem;

/// More lines than these are not read.
const MOST: usize = 4;

/// Where suggestions come from.
pub struct Suggestions<'a> {
    /// All components.
    pub names: &'a Names<'a>,
    /// All types.
    pub registry: &'a Registry,
    /// The output as it was written.
    pub source: &'a str,
    /// What else was written of the link.
    pub kept: Vec<String>,
}

impl Suggestions<'_> {
    /// The problem, with lines that can be written in place of a link from this part of an output to this input.
    pub fn instead(
        &self,
        problem: Problem,
        (output, part): (&PortDescription, &Part),
        input: &PortDescription,
    ) -> Problem {
        let mut lines = self.parts(output, part, input);
        lines.extend(self.adapters(&shown_as(output, part, input), self.source, input));
        if lines.is_empty() {
            lines = self.adapted_parts(output, part, input);
        }
        match lines.as_slice() {
            [] => problem,
            [_] => problem.help("this fits").lines(lines),
            _ => problem.help("one of these fits").lines(lines),
        }
    }

    /// Parts that fit as they are.
    fn parts(&self, output: &PortDescription, of: &Part, input: &PortDescription) -> Vec<String> {
        let fitting = inner_parts(output, of).into_iter().filter(|(_, part)| {
            let shown = output.showing(part, input.value);
            shown.is_some_and(|shown| compatible(&shown, input).is_ok())
        });
        let mut names: Vec<String> = fitting.map(|(name, _)| behind(self.source, &name)).collect();
        // Of many the one whose name is most like that of the input comes first.
        names.sort_by_key(|name| {
            edit_distance(name.rsplit('.').next().unwrap_or(name), &input.name)
        });
        names.truncate(MOST);
        names.into_iter().map(|name| line(&input.name, &name, &self.kept)).collect()
    }

    /// Adapters for a source.
    fn adapters(
        &self,
        shown: &[PortDescription],
        source: &str,
        input: &PortDescription,
    ) -> Vec<String> {
        let found = shown.iter().flat_map(|shown| {
            let adapters = self.registry.adapters(shown, input).into_iter();
            adapters.map(|(adapter, settings)| {
                self.by_way_of(adapter, &settings, (shown, source), input)
            })
        });
        found.collect()
    }

    /// Adapters for a part that does not fit as it is.
    fn adapted_parts(
        &self,
        output: &PortDescription,
        of: &Part,
        input: &PortDescription,
    ) -> Vec<String> {
        let parts = inner_parts(output, of).into_iter();
        let found = parts.flat_map(|(name, part)| {
            let shown = output.showing(&part, input.value).into_iter().collect::<Vec<_>>();
            self.adapters(&shown, &behind(self.source, &name), input)
        });
        found.take(MOST).collect()
    }

    fn by_way_of(
        &self,
        adapter: &dyn ComponentType,
        settings: &Settings,
        (shown, source): (&PortDescription, &str),
        input: &PortDescription,
    ) -> String {
        let description = adapter.description();
        let mut more = vec![format!("via = \"{}\"", description.name)];
        more.extend(self.kept.iter().cloned());
        for parameter in &description.parameters {
            let is_open = parameter.required && !settings.contains_key(&parameter.path);
            if parameter.path == INITIAL || is_open {
                more.push(format!("{} = {}", parameter.path, zero(&parameter.kind)));
            }
        }
        if let Some(interface) = &description.interface {
            let entry = interface.way(shown, input).map(|(entry, _)| entry.name.clone());
            // Its ports may depend on parameters that follow from these two; then what is called `in` comes in.
            let entry = entry.unwrap_or_else(|| "in".into());
            let others = interface.inputs().filter(|port| port.required && port.name != entry);
            more.extend(others.map(|port| {
                let likely = self.likely_source(port, source);
                format!("{} = \"{}\"", key(&port.name), likely.as_deref().unwrap_or("…"))
            }));
        }
        line(&input.name, source, &more)
    }

    /// The output for another input of an adapter that most likely belongs to its source: the one whose path begins
    /// most like it.
    fn likely_source(&self, wanted: &PortDescription, source: &str) -> Option<String> {
        let alike = |path: &str| {
            path.bytes().zip(source.bytes()).take_while(|(one, other)| one == other).count()
        };
        let fitting = self.names.components.iter().flat_map(|component| {
            let outputs = component.interface.outputs();
            let fitting = outputs.filter(|output| compatible(output, wanted).is_ok());
            fitting.map(|output| format!("{}.{}", component.path, output.name))
        });
        // The first of those that are equally like it.
        fitting.reduce(|best, next| if alike(&next) > alike(&best) { next } else { best })
    }
}

/// The plainest value of a parameter, as it is written; what has none is left open.
pub(crate) fn zero(kind: &ParameterKind) -> String {
    match kind {
        ParameterKind::Real { unit, .. } if !unit.to_string().is_empty() => format!("\"0 {unit}\""),
        ParameterKind::Real { .. } => "0".into(),
        ParameterKind::Integer { min, .. } => (*min).max(0).to_string(),
        ParameterKind::Array { of, .. } => zero(of),
        _ => "\"…\"".into(),
    }
}

/// Parts of a part by the names that a user would write: fields, and numbers of vectors.
pub(crate) fn inner_parts(output: &PortDescription, of: &Part) -> Vec<(String, Part)> {
    let names = output.part_names().into_iter();
    let parts = names.filter_map(|name| Some((name.clone(), output.part(&name)?)));
    let inside = |part: &Part| {
        let (start, end) = (of.first, of.first + of.leaves);
        part.path.len() > of.path.len() && part.first >= start && part.first + part.leaves <= end
    };
    let found = parts.filter(|(_, part)| inside(part));
    // They are named from where the source ends.
    found
        .map(|(name, part)| {
            let inner = name.get(of.path.len()..).unwrap_or(&name).trim_start_matches('.');
            (inner.to_owned(), part)
        })
        .collect()
}
