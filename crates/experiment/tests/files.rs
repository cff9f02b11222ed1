//! What is written becomes what is meant: merged files, templates, arrays, shared parameters, `--set`.

use std::fs;
use std::path::Path;

use ironbird_component::*;
use ironbird_experiment::checked::{Act, Component as Checked, Link};
use ironbird_experiment::{Experiment, check, load, load_text};
use ironbird_kernel::{Duration, Parameter, Periodic, SignalIn, SignalOut, Step};

/// Shows its gain times its input.
#[derive(Component)]
#[component(type = "test.gain", periodic, rate = "1 Hz")]
struct Gain {
    /// The factor.
    #[parameter(unit = "m", default = 1.0)]
    gain: f64,
    /// Two numbers.
    #[parameter(unit = "s", default = [0.0; 2])]
    pair: [f64; 2],
    /// A word.
    #[parameter(default = "")]
    word: String,
    #[input(name = "in", default = 1.0)]
    input: SignalIn<f64>,
    #[output]
    out: SignalOut<f64>,
}

impl Periodic for Gain {
    fn step(&mut self, step: &mut Step<'_>) {
        let known = self.pair[0] + self.word.len() as f64;
        let shown = self.gain * step.signal(self.input) + known;
        step.write(self.out, shown);
    }
}

fn registry() -> Registry {
    let mut registry = Registry::with_builtin();
    registry.register::<Gain>().unwrap();
    registry
}

fn experiment_with(text: &str, sets: &[&str]) -> Experiment {
    let text = format!("ironbird = 1\nduration = \"10 s\"\n{text}");
    let sets: Vec<String> = sets.iter().map(|set| (*set).into()).collect();
    let root = load_text("test.toml", Path::new(""), &text, &sets).unwrap();
    check(&root, &registry()).map(|(experiment, _)| experiment).unwrap_or_else(|problems| {
        panic!("{}", problems.render(false, 100));
    })
}

fn experiment(text: &str) -> Experiment {
    experiment_with(text, &[])
}

fn component<'a>(experiment: &'a Experiment, path: &str) -> &'a Checked {
    let paths: Vec<&str> = experiment.components.iter().map(|c| c.path.as_str()).collect();
    experiment.component(path).unwrap_or_else(|| panic!("{path} is not among {paths:?}"))
}

fn gain(experiment: &Experiment, path: &str) -> f64 {
    match component(experiment, path).settings.get("gain") {
        Some(Parameter::Real(gain)) => *gain,
        other => panic!("the gain of {path} is {other:?}"),
    }
}

fn links(experiment: &Experiment) -> Vec<String> {
    let show = |link: &Link| {
        format!("{} -> {}", experiment.port_name(&link.from), experiment.port_name(&link.to))
    };
    experiment.links.iter().map(show).collect()
}

const TEMPLATE: &str = r#"
[template.pair.parameters]
size = "2 m"

[template.pair.first]
type = "test.gain"
gain = { parameter = "size" }

[template.pair.second]
type = "test.gain"
gain = { from = ".first.gain" }
in.in = ".first.out"
"#;

#[test]
fn a_template_is_filled_in_for_each_instance() {
    let text = format!(
        "{TEMPLATE}\n[system.a]\ntype = \"template.pair\"\n\
         [system.b]\ntype = \"template.pair\"\nsize = \"3 m\"\nsecond.word = \"own\"\n"
    );
    let experiment = experiment(&text);
    assert_eq!(gain(&experiment, "a.first"), 2.0);
    assert_eq!(gain(&experiment, "b.first"), 3.0);
    let word = component(&experiment, "b.second").settings.get("word");
    assert_eq!(word, Some(&Parameter::Text("own".into())));
    assert_eq!(component(&experiment, "a.second").settings.get("word"), None);
}

#[test]
fn paths_and_shared_parameters_in_a_template_are_relative_to_the_instance() {
    let text = format!(
        "{TEMPLATE}\n[system.deep.a]\ntype = \"template.pair\"\nsize = \"7 m\"\n\
         [system.b]\ntype = \"template.pair\"\n"
    );
    let experiment = experiment(&text);
    let expected = ["b.first.out -> b.second.in", "deep.a.first.out -> deep.a.second.in"];
    assert_eq!(links(&experiment), expected);
    assert_eq!(gain(&experiment, "deep.a.second"), 7.0);
    assert_eq!(gain(&experiment, "b.second"), 2.0);
}

#[test]
fn elements_of_an_array_differ_by_formula_and_one_by_hand() {
    let text = format!(
        "{TEMPLATE}\n[system.p]\ntype = \"template.pair\"\ncount = 3\n\
         size = {{ each = \"10 m * i + 1 m * n\" }}\n\
         [system.\"p[1]\".first]\ngain = \"5 m\"\n"
    );
    let experiment = experiment(&text);
    let gains: Vec<f64> =
        (0..3).map(|index| gain(&experiment, &format!("p[{index}].first"))).collect();
    assert_eq!(gains, [3.0, 5.0, 23.0]);
    assert_eq!(experiment.components.len(), 6);
}

#[test]
fn elements_of_an_array_take_their_values_from_the_columns_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sizes.csv"), "name, size\none,1.5\ntwo,2.5\n").unwrap();
    let text = "ironbird = 1\nduration = \"1 s\"\n[system.a]\ntype = \"test.gain\"\ncount = 2\n\
        gain = { file = \"sizes.csv\", column = \"size\", unit = \"m\" }\n\
        word = { file = \"sizes.csv\", column = \"name\" }\n";
    fs::write(folder.path().join("test.toml"), text).unwrap();
    let root = load(&folder.path().join("test.toml"), &[]).unwrap();
    let (experiment, _) = check(&root, &registry()).unwrap();
    assert_eq!([gain(&experiment, "a[0]"), gain(&experiment, "a[1]")], [1.5, 2.5]);
    let word = component(&experiment, "a[1]").settings.get("word");
    assert_eq!(word, Some(&Parameter::Text("two".into())));
}

#[test]
fn a_file_goes_over_those_it_extends_and_the_last_of_them_over_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let head = "ironbird = 1\nduration = \"1 s\"\n";
    let a = "[system.a]\ntype = \"test.gain\"\ngain = \"1 m\"\nword = \"first\"\n";
    let at = "[[at]]\nname = \"x\"\ntime = \"1 s\"\nset = { a.gain = \"9 m\" }\n";
    write("first.toml", &format!("{head}{a}{at}"));
    write("second.toml", "ironbird = 1\n[system.a]\ngain = \"2 m\"\nword = \"second\"\n");
    let own = "extends = [\"first.toml\", \"second.toml\"]\nduration = \"5 s\"\n";
    let more = "[[at]]\nname = \"x\"\ntime = \"3 s\"\n[[at]]\ntime = \"4 s\"\nstop = \"a\"\n";
    write("test.toml", &format!("ironbird = 1\n{own}[system.a]\nword = \"own\"\n{more}"));
    let root = load(&folder.path().join("test.toml"), &[]).unwrap();
    let (experiment, _) = check(&root, &registry()).unwrap();
    assert_eq!(gain(&experiment, "a"), 2.0);
    let word = component(&experiment, "a").settings.get("word");
    assert_eq!(word, Some(&Parameter::Text("own".into())));
    let scenario = &experiment.scenarios[0];
    assert_eq!(scenario.duration, Duration::from_secs(5));
    let times: Vec<String> = scenario.actions.iter().map(|timed| timed.at.to_string()).collect();
    assert_eq!(times, ["3 s", "4 s"]);
    assert!(matches!(scenario.actions[0].acts[..], [Act::Set { .. }]), "the entry was merged");
}

const SHARED: &str = r#"
[system.a]
type = "test.gain"
gain = "4 m"

[system.b]
type = "test.gain"
gain = { from = "a.gain" }

[system.c]
type = "test.gain"
gain = { from = "a.gain", value = "previous" }
"#;

#[test]
fn a_shared_parameter_has_the_value_of_its_leader_from_the_start() {
    let experiment = experiment(SHARED);
    assert_eq!([gain(&experiment, "b"), gain(&experiment, "c")], [4.0, 4.0]);
}

#[test]
fn a_shared_parameter_changes_with_its_leader_or_one_instant_later() {
    let at = "[[at]]\ntime = \"1 s\"\nset = { a.gain = \"6 m\" }\n";
    let experiment = experiment(&format!("{SHARED}{at}"));
    let set_at = |number: usize| -> Vec<usize> {
        let acts = experiment.scenarios[0].actions[number].acts.iter();
        let set = acts.filter_map(|act| match act {
            Act::Set { component, .. } => Some(*component),
            _ => None,
        });
        set.collect()
    };
    let actions = &experiment.scenarios[0].actions;
    assert_eq!((set_at(0), set_at(1)), (vec![0, 1], vec![2]));
    assert_eq!(actions[1].at, actions[0].at + Duration::EPSILON);
}

#[test]
fn the_command_line_sets_anything_that_a_file_can() {
    let text = format!(
        "{TEMPLATE}\n[system.a]\ntype = \"test.gain\"\n[system.p]\ntype = \"template.pair\"\n\
         count = 2\n[[at]]\nname = \"half time\"\ntime = \"1 s\"\nstop = \"a\"\n\
         [scenario.long]\nrepeat = 2\n"
    );
    let sets = [
        "duration=20 s",
        "seed=7",
        "a.gain=\"8 m\"",
        "a.rate=5 Hz",
        "a.pair=[\"1 s\", \"2 s\"]",
        "a.in.in=p[1].first.out",
        "p.count=3",
        "p[2].first.gain=6 m",
        "template.pair.parameters.size=9 m",
        "at.half time.time=2 s",
        "scenario.long.repeat=5",
    ];
    let experiment = experiment_with(&text, &sets);
    let scenario = &experiment.scenarios[0];
    assert_eq!(scenario.duration, Duration::from_secs(20));
    assert_eq!((scenario.seed, scenario.repeat), (7, 5));
    assert_eq!(scenario.actions[0].at.to_string(), "2 s");
    assert_eq!(gain(&experiment, "a"), 8.0);
    assert_eq!(component(&experiment, "a").rate.unwrap().to_string(), "5 Hz");
    let pair = component(&experiment, "a").settings.get("pair[1]");
    assert_eq!(pair, Some(&Parameter::Real(2.0)));
    assert!(links(&experiment).contains(&"p[1].first.out -> a.in".into()));
    assert_eq!([gain(&experiment, "p[0].first"), gain(&experiment, "p[2].first")], [9.0, 6.0]);
}

#[test]
fn a_component_with_the_name_of_a_section_is_set_below_system() {
    let text = "[system.link]\ntype = \"test.gain\"\n";
    let experiment = experiment_with(text, &["system.link.gain=8 m"]);
    assert_eq!(gain(&experiment, "link"), 8.0);
    let text = format!("ironbird = 1\n{text}");
    let refused = load_text("test.toml", Path::new(""), &text, &["link.gain=8 m".into()]);
    let told = refused.unwrap_err().render(false, 100);
    assert!(told.contains("write system.link.gain=value"), "{told}");
}

#[test]
fn the_flat_file_of_an_experiment_means_the_same() {
    let text = format!(
        "{TEMPLATE}\n[system.deep.p]\ntype = \"template.pair\"\ncount = 2\n\
         [system.late]\nenabled = false\n[system.late.a]\ntype = \"test.gain\"\n\
         [system.empty]\n[[at]]\ntime = \"1 s\"\nspawn = \"late\"\nstop = \"empty\"\n"
    );
    let once = experiment(&text);
    let root = load_text("flat.toml", Path::new(""), &once.resolved, &[]).unwrap();
    let (twice, _) = check(&root, &registry()).unwrap();
    assert_eq!(links(&once), links(&twice));
    assert_eq!(once.resolved, twice.resolved);
    assert_eq!(component(&twice, "late.a").dormant.as_deref(), Some("late"));
}
