//! What a component says of its own files is shown when an experiment is checked.

use std::path::Path;
use std::sync::Arc;

use ironbird_component::*;
use ironbird_experiment::{check, load_text};
use ironbird_kernel::{Model, Periodic, Ports, Rate, Step};

struct Nothing;

impl Model for Nothing {
    fn ports(&mut self, _: &mut Ports) {}
}

impl Periodic for Nothing {
    fn step(&mut self, _: &mut Step<'_>) {}
}

/// Does nothing, and says so.
struct Talkative(Description);

impl ComponentType for Talkative {
    fn description(&self) -> &Description {
        &self.0
    }

    fn create(&self, _: &Settings, _: &Place<'_>) -> Result<Box<dyn Instance>, InstantiateError> {
        let made = Made::periodic(Nothing, Some(Rate::hz(1)));
        let warning = "field.sdf:12: the plugin Rain is not simulated".to_owned();
        Ok(made.with_warnings(Arc::new(Interface::default()), vec![warning]))
    }
}

#[test]
fn warnings_of_a_component_are_shown_with_its_place_and_it_runs_all_the_same() {
    let mut registry = Registry::with_builtin();
    let description = Description::new("test.talkative", Kind::Periodic, "Does nothing.");
    registry.register_type(Box::new(Talkative(description))).unwrap();
    let text = "ironbird = 1\nduration = \"1 s\"\n[system.world]\ntype = \"test.talkative\"\nrate = \"1 Hz\"\n";
    let root = load_text("test.toml", Path::new(""), text, &[])
        .unwrap_or_else(|p| panic!("{}", p.render(false, 100)));
    let (_, problems) =
        check(&root, &registry).unwrap_or_else(|p| panic!("{}", p.render(false, 100)));
    let shown = problems.render(false, 100);
    assert!(shown.contains("\"world\": field.sdf:12: the plugin Rain is not simulated"), "{shown}");
    assert!(shown.contains("test.toml:3"), "{shown}");
}
