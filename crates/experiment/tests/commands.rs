//! Command lines: a text or a list of words, with the program seen from the file that names it.

use std::path::Path;
use std::sync::Arc;

use ironbird_component::*;
use ironbird_experiment::{check, load_text};
use ironbird_kernel::{Model, Parameter, Periodic, Ports, Rate, Step};

struct Nothing;

impl Model for Nothing {
    fn ports(&mut self, _: &mut Ports) {}
}

impl Periodic for Nothing {
    fn step(&mut self, _: &mut Step<'_>) {}
}

/// Has a command.
struct Starter(Description);

impl ComponentType for Starter {
    fn description(&self) -> &Description {
        &self.0
    }

    fn create(&self, _: &Settings, _: &Place<'_>) -> Result<Box<dyn Instance>, InstantiateError> {
        let made = Made::periodic(Nothing, Some(Rate::hz(1)));
        Ok(made.with_interface(Arc::new(Interface::default())))
    }
}

/// The command that an experiment in the folder `study` ends up with, or what is wrong with it.
fn command(written: &str) -> Result<String, String> {
    let mut registry = Registry::with_builtin();
    let mut description = Description::new("test.starter", Kind::Periodic, "Starts something.");
    let parameter = ParameterDescription::required("command", ParameterKind::Command, "What.");
    description.parameters = vec![parameter.fixed()];
    registry.register_type(Box::new(Starter(description))).unwrap();
    let text = format!(
        "ironbird = 1\nduration = \"1 s\"\n[system.a]\ntype = \"test.starter\"\nrate = \"1 Hz\"\ncommand = {written}\n"
    );
    let shown = |problems: ironbird_experiment::Problems| problems.render(false, 200);
    let root = load_text("test.toml", Path::new("study"), &text, &[]).map_err(shown)?;
    let (experiment, _) = check(&root, &registry).map_err(shown)?;
    match &experiment.components[0].settings["command"] {
        Parameter::Text(text) => Ok(text.clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_text_and_a_list_of_words_say_the_same() {
    let text = command(r#""./fly --name 'two words'""#).unwrap();
    assert_eq!(text, "study/./fly --name 'two words'");
    assert_eq!(command(r#"["./fly", "--name", "two words"]"#).unwrap(), text);
    assert_eq!(command(r#""/opt/fly""#).unwrap(), "/opt/fly");
    assert_eq!(command(r#""python3 x.py""#).unwrap(), "python3 x.py", "it is looked for in PATH");
}

#[test]
fn what_is_no_command_is_refused() {
    assert!(command("3").unwrap_err().contains("a command line in quotes, or a list of words"));
    assert!(command("[\"fly\", 3]").unwrap_err().contains("every word of a command is a text"));
    assert!(command("\"fly 'x\"").unwrap_err().contains("a quote (') is not closed"));
}
