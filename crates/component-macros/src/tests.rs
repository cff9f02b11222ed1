//! What the macros say to mistakes.

use syn::parse_str;

use crate::{choice, component, parameters};

fn error(by: fn(&syn::DeriveInput) -> syn::Result<proc_macro2::TokenStream>, code: &str) -> String {
    match by(&parse_str(code).expect("the example is Rust")) {
        Ok(_) => "nothing is wrong".into(),
        Err(error) => error.to_string(),
    }
}

/// The message for a periodic component with these fields.
fn fields(fields: &str) -> String {
    let attribute = "#[component(type = \"test.x\", periodic)]";
    error(component::expand, &format!("{attribute} struct X {{ {fields} }}"))
}

/// The message for a struct without fields and this attribute.
fn attribute(entries: &str) -> String {
    error(component::expand, &format!("#[component({entries})] struct X {{}}"))
}

#[test]
fn mistakes_in_the_attribute_of_the_struct_are_explained() {
    for (entries, text) in [
        ("type = \"a.b\", periodic", "nothing is wrong"),
        ("periodic", "say what this is: `#[component(type = \"sensor.thermometer\", periodic)]`"),
        (
            "type = \"a.b\"",
            "a component is one of `periodic`, `event_driven`, `run_ahead`, `continuous` and `provider`",
        ),
        (
            "type = \"a.b\", periodic, run_ahead",
            "a component is one of `periodic`, `event_driven`, `run_ahead`, `continuous` and `provider`",
        ),
        (
            "type = \"A b\", periodic",
            "the name of a type is words of small letters, digits and `-`, joined by dots: \"sensor.thermometer\"",
        ),
        (
            "type = \"a\", periodic, rate = \"10 m\"",
            "\"10 m\" is a length (m), expected a frequency (1/s)",
        ),
        ("type = \"a\", event_driven, rate = \"10 Hz\"", "only a periodic component has a rate"),
        ("type = \"a\", periodic, periodic", "`periodic` is given twice"),
        (
            "type = \"a\", provider",
            "say what it answers: `provider, provides = fn(Argument) -> Answer`",
        ),
        ("type = \"a\", provider, provides = f64", "write `provides = fn(Argument) -> Answer`"),
        (
            "type = \"a\", continuous, start = Self::begin",
            "this kind of component does nothing at the start",
        ),
    ] {
        assert_eq!(attribute(entries), text);
    }
    assert!(attribute("type = \"a\", periodic, speed = 3").contains("not `speed`"));
}

#[test]
fn mistakes_in_the_attributes_of_fields_are_explained() {
    for (code, text) in [
        ("#[parameter(unit = \"K\")] a: f64", "nothing is wrong"),
        (
            "#[parameter(unit = \"Kelvins\")] a: f64",
            "there is no unit \"Kelvins\", did you mean \"K\"?",
        ),
        ("#[parameter(unit = 3)] a: f64", "`unit` is a text: `unit = \"…\"`"),
        ("#[parameter(min = 1, above = 2)] a: f64", "give `min` or `above`, not both"),
        ("#[parameter(fixed = true)] a: f64", "`fixed` stands alone, without a value"),
        ("#[parameter(default)] a: f64", "`default` needs a value: `default = …`"),
        ("#[parameter] #[input] a: f64", "a field is one thing only"),
        (
            "#[parameter] rate: f64",
            "every component has a key `rate` already: call this parameter otherwise",
        ),
        (
            "#[input(initial = 1.0)] a: SignalIn<f64>",
            "`#[input(…)]` knows `name`, `unit`, `frame`, `default`, `waking` and `index`, not `initial`",
        ),
        (
            "#[output(unit = \"x: m, s\")] a: SignalOut<P>",
            "each part is a path, a colon and a unit: \"position: m\"",
        ),
        (
            "#[input(index = 0)] a: SignalIn<f64>",
            "only an input of a continuous component has an index",
        ),
        ("#[query = 3] a: f64", "write `#[query(…)]`"),
    ] {
        assert_eq!(fields(code), text, "{code}");
    }
}

#[test]
fn each_kind_has_its_own_fields() {
    let continuous = "#[component(type = \"a\", continuous)] struct X { #[input] a: Held }";
    let text = "say which input of the block this is: `#[input(index = 0)]`";
    assert_eq!(error(component::expand, continuous), text);
    let continuous = "#[component(type = \"a\", continuous)] struct X { #[random] a: RandomIn }";
    let text = "a continuous component has parameters, inputs, outputs and state only";
    assert_eq!(error(component::expand, continuous), text);
    let provider =
        "#[component(type = \"a\", provider, provides = fn(f64) -> f64)] struct X { last: f64 }";
    let text = "a provider has no state: mark what follows from its parameters with `#[skip]`";
    assert_eq!(error(component::expand, provider), text);
    let group = "struct X { last: f64 }";
    let text = "a field of a group is a `#[parameter]` or a `#[group]`";
    assert_eq!(error(parameters::expand_group, group), text);
}

#[test]
fn a_choice_is_a_plain_enum() {
    let text = "a choice is a name: its variants cannot carry fields";
    assert_eq!(error(choice::expand, "enum X { A, B(u8) }"), text);
    assert_eq!(error(choice::expand, "struct X;"), "a choice is an enum");
    assert_eq!(error(choice::expand, "enum X {}"), "a choice needs a variant");
    let expanded = choice::expand(&parse_str("enum X { VeryFast }").unwrap()).unwrap();
    assert!(expanded.to_string().contains("\"very-fast\""));
}
