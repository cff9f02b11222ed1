//! Ports that are called `quad[3].motors`: how they are written in a file and found again.

use std::path::Path;

use ironbird_component::*;
use ironbird_experiment::picture::mermaid;
use ironbird_experiment::{Experiment, check, load_text};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};

/// Four vehicles in one component.
#[derive(Component)]
#[component(type = "test.world", periodic, rate = "1 Hz")]
struct World {
    #[input(name = "quad[0].motors", default = 0.0)]
    first: SignalIn<f64>,
    #[input(name = "quad[1].motors", default = 0.0)]
    second: SignalIn<f64>,
    #[input(name = "quad[2].motors", default = 0.0)]
    third: SignalIn<f64>,
    #[input(name = "rover.motors", default = 0.0)]
    rover: SignalIn<f64>,
    #[input(default = 0.0)]
    quad: SignalIn<f64>,
    #[output(name = "quad[1].position", unit = "m")]
    position: SignalOut<[f64; 3]>,
    #[output(name = "quad[1]", unit = "s")]
    pair: SignalOut<[f64; 2]>,
}

impl Periodic for World {
    fn step(&mut self, step: &mut Step<'_>) {
        let inputs = [self.first, self.second, self.third, self.rover, self.quad];
        let sum: f64 = inputs.into_iter().map(|input| *step.signal(input)).sum();
        step.write(self.position, [sum; 3]);
        step.write(self.pair, [sum; 2]);
    }
}

/// Shows a number.
#[derive(Component)]
#[component(type = "test.source", periodic, rate = "1 Hz")]
struct Source {
    #[output]
    out: SignalOut<f64>,
}

impl Periodic for Source {
    fn step(&mut self, step: &mut Step<'_>) {
        step.write(self.out, 1.0);
    }
}

fn checked(text: &str) -> Result<Experiment, String> {
    let mut registry = Registry::with_builtin();
    registry.register::<World>().unwrap();
    registry.register::<Source>().unwrap();
    let root = load_text("test.toml", Path::new(""), text, &[]);
    let found = root.and_then(|root| check(&root, &registry));
    found.map(|(experiment, _)| experiment).map_err(|problems| problems.render(false, 100))
}

fn with_inputs(inputs: &str) -> Experiment {
    let text = format!(
        "ironbird = 1\nduration = \"1 s\"\n[system.s]\ntype = \"test.source\"\ncount = 3\n\
         [system.other]\ntype = \"test.source\"\n[system.world]\ntype = \"test.world\"\n{inputs}"
    );
    checked(&text).unwrap_or_else(|problems| panic!("{problems}"))
}

fn links(experiment: &Experiment) -> Vec<String> {
    let show = |link: &ironbird_experiment::checked::Link| {
        format!("{} -> {}", experiment.port_name(&link.from), experiment.port_name(&link.to))
    };
    experiment.links.iter().map(show).collect()
}

#[test]
fn the_number_of_an_element_stands_where_its_links_say_i() {
    let text = "ironbird = 1\nduration = \"1 s\"\n[system.s]\ntype = \"test.source\"\ncount = 3\n\
                [template.pair.world]\ntype = \"test.world\"\nin.\"quad[0].motors\" = \"s[i].out\"\n\
                [system.pair]\ntype = \"template.pair\"\ncount = 2\n\
                [system.alone]\ntype = \"test.world\"\ncount = 2\nin.rover.motors = \"s[i].out\"\n";
    let experiment = checked(text).unwrap_or_else(|problems| panic!("{problems}"));
    let mut links = links(&experiment);
    links.sort();
    let expected = [
        "s[0].out -> alone[0].rover.motors",
        "s[0].out -> pair[0].world.quad[0].motors",
        "s[1].out -> alone[1].rover.motors",
        "s[1].out -> pair[1].world.quad[0].motors",
    ];
    assert_eq!(links, expected);
}

#[test]
fn an_input_is_named_by_a_quoted_key_or_by_nested_ones() {
    let experiment = with_inputs(
        "in.\"quad[1].motors\" = \"s[0].out\"\nin.\"quad[2]\".motors = { from = \"s[1].out\" }\n\
         in.rover.motors = \"s[2].out\"\nin.quad = { from = \"other.out\", value = \"previous\" }\n",
    );
    assert_eq!(
        links(&experiment),
        [
            "s[0].out -> world.quad[1].motors",
            "s[1].out -> world.quad[2].motors",
            "s[2].out -> world.rover.motors",
            "other.out -> world.quad"
        ]
    );
}

#[test]
fn a_pattern_links_each_input_that_is_not_named_itself() {
    let experiment = with_inputs(
        "in.\"quad[*].motors\" = { from = \"s[*].out\", latency = \"1 ms\" }\n\
         in.\"quad[1].motors\" = \"other.out\"\n",
    );
    assert_eq!(
        links(&experiment),
        [
            "s[0].out -> world.quad[0].motors",
            "s[2].out -> world.quad[2].motors",
            "other.out -> world.quad[1].motors"
        ]
    );
    assert_eq!(experiment.links[1].latency.to_string(), "0.001 s");
}

#[test]
fn the_longest_name_of_a_port_counts_and_what_follows_is_a_part_of_its_value() {
    let experiment = with_inputs("");
    let signal = |path: &str| {
        let signal = experiment.signal(path).unwrap();
        (signal.port.port, signal.leaves)
    };
    assert_eq!(signal("world.quad[1].position[2]"), ("quad[1].position".into(), (2, 1)));
    assert_eq!(signal("world.quad[1].position"), ("quad[1].position".into(), (0, 3)));
    assert_eq!(signal("world.quad[1][1]"), ("quad[1]".into(), (1, 1)));
    let problem = experiment.signal("world.quad[7].position[2]").unwrap_err();
    assert_eq!(problem.message, "\"world\" has no output \"quad[7].position\"");
}

#[test]
fn the_flat_file_means_the_same() {
    let once = with_inputs(
        "in.\"quad[*].motors\" = \"s[*].out\"\nin.rover.motors = { from = \"other.out\" }\n",
    );
    let twice = checked(&once.resolved).unwrap();
    assert_eq!(links(&once), links(&twice));
    assert_eq!(once.resolved, twice.resolved);
}

#[test]
fn inputs_that_differ_in_an_index_are_one_in_the_picture() {
    let drawn = mermaid(&with_inputs(
        "in.\"quad[*].motors\" = \"s[*].out\"\nin.rover.motors = \"other.out\"\n",
    ));
    assert_eq!(drawn.matches("out → quad[0…2].motors").count(), 1, "{drawn}");
    assert_eq!(drawn.matches("out → rover.motors").count(), 1, "{drawn}");
}
