//! The system as a picture.

mod systems;

use std::collections::BTreeSet;

use ironbird_experiment::picture::{mermaid, svg};
use ironbird_experiment::{Experiment, is_at_or_below};
use systems::{control_loop, experiment, swarm, tangle, vehicle};

type Rect = (f64, f64, f64, f64);

/// Boxes by path and class, as they are in the image.
fn boxes(svg: &str) -> Vec<(String, Rect)> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let number = |node: roxmltree::Node<'_, '_>, name: &str| -> f64 {
        node.attribute(name).unwrap().parse().unwrap()
    };
    let blocks = document.descendants().filter(|node| node.has_attribute("data-path"));
    blocks
        .map(|block| {
            let rect = block.children().find(|node| node.attribute("class") == Some("box"));
            let rect = rect.unwrap();
            let of = ["x", "y", "width", "height"].map(|name| number(rect, name));
            (block.attribute("data-path").unwrap().to_owned(), (of[0], of[1], of[2], of[3]))
        })
        .collect()
}

fn titles(svg: &str, class: &str) -> BTreeSet<String> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let of_class = |node: &roxmltree::Node<'_, '_>| {
        node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
    };
    let title = |node: roxmltree::Node<'_, '_>| {
        node.children().find(|child| child.has_tag_name("title"))?.text().map(str::to_owned)
    };
    document.descendants().filter(of_class).filter_map(title).collect()
}

fn apart(a: Rect, b: Rect) -> bool {
    a.0 + a.2 <= b.0 || b.0 + b.2 <= a.0 || a.1 + a.3 <= b.1 || b.1 + b.3 <= a.1
}

fn within(a: Rect, b: Rect) -> bool {
    a.0 >= b.0 && a.1 >= b.1 && a.0 + a.2 <= b.0 + b.2 && a.1 + a.3 <= b.1 + b.3
}

/// The straight lines of all arrows; bends are taken for their corners.
fn lines(svg: &str) -> Vec<Vec<(f64, f64)>> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let paths = document.descendants().filter(|node| node.attribute("class") == Some("line"));
    paths
        .map(|path| {
            let path = path.attribute("d").unwrap();
            path.split(['M', 'L', 'Q'])
                .filter(|part| !part.is_empty())
                .map(|part| {
                    let numbers: Vec<f64> =
                        part.split(' ').map(|number| number.parse().unwrap()).collect();
                    (numbers[0], numbers[1])
                })
                .collect()
        })
        .collect()
}

fn systems() -> Vec<(String, Experiment)> {
    let names = ["loop", "vehicle", "swarm"].map(String::from);
    let known = names.into_iter().zip([control_loop(), vehicle(), swarm()]);
    known.chain((0..60).map(|seed| (format!("tangle{seed}"), tangle(seed)))).collect()
}

#[test]
fn a_loop_as_mermaid() {
    assert_eq!(
        mermaid(&control_loop()),
        r#"---
title: "Speed control of a \"DC\" motor"
---
flowchart LR
    c1["reference<br/><i>test.stage</i>"]
    c2["controller<br/><i>test.stage</i>"]
    c3["motor<br/><i>test.stage</i>"]
    c4["plant<br/><i>test.stage</i>"]
    c5["sensor<br/><i>test.stage</i>"]
    c1 -->|"out → a"| c2
    c5 -->|"⚡ out → b<br/>previous"| c2
    c2 -->|"out → a<br/>0.002 s"| c3
    c3 -->|"out → a"| c4
    c4 -->|"out → a"| c5
    linkStyle 1 stroke:#c62828
"#
    );
}

#[test]
fn composites_are_subgraphs_and_bindings_are_dashed_in_mermaid() {
    let text = mermaid(&vehicle());
    for part in [
        "    subgraph c2[\"drone\"]\n        subgraph c3[\"sensors\"]\n",
        "-.->|\"depth?\"|",
        "-.->|\"land#40;#41; → abort",
        "⚡ imu<br/>",
        "class c11 dormant",
    ] {
        let part = part.replace("#40;#41;", "()");
        assert!(text.contains(&part), "{part} is not in\n{text}");
    }
    assert_eq!(text.matches("subgraph").count(), text.matches("    end\n").count());
}

#[test]
fn equal_elements_of_an_array_are_one_box_with_a_stacked_outline() {
    let text = mermaid(&swarm());
    assert!(text.contains("[\"quad[0…2, 4…63]\"]"), "{text}");
    assert!(text.contains("[\"quad[3]\"]"), "{text}");
    assert!(text.contains("[[\"beacon[0…11]<br/>"), "{text}");
    assert_eq!(boxes(&svg(&swarm())).len(), 2 + 2 * 4 + 1);
}

#[test]
fn every_component_and_link_is_in_the_image() {
    for experiment in [control_loop(), vehicle()] {
        let image = svg(&experiment);
        let paths: BTreeSet<String> = boxes(&image).into_iter().map(|(path, _)| path).collect();
        for component in &experiment.components {
            assert!(paths.contains(&component.path), "{}", component.path);
        }
        let links = titles(&image, "arrow");
        for link in &experiment.links {
            let (from, to) = (experiment.port_name(&link.from), experiment.port_name(&link.to));
            let text = format!("{from} → {to}");
            assert!(links.iter().any(|link| link.starts_with(&text)), "{text}");
        }
        assert_eq!(links.len(), experiment.links.len() + experiment.bindings.len());
    }
}

#[test]
fn boxes_overlap_only_what_they_are_in() {
    for (name, experiment) in systems() {
        let boxes = boxes(&svg(&experiment));
        for (number, (path, area)) in boxes.iter().enumerate() {
            for (other, around) in &boxes[..number] {
                if is_at_or_below(path, other) {
                    assert!(within(*area, *around), "{name}: {path} is not in {other}");
                } else {
                    assert!(apart(*area, *around), "{name}: {path} overlaps {other}");
                }
            }
        }
    }
}

#[test]
fn no_arrow_runs_through_a_component() {
    for (name, experiment) in systems() {
        let image = svg(&experiment);
        let boxes = boxes(&image);
        let holds =
            |path: &str| boxes.iter().any(|(other, _)| other.starts_with(&format!("{path}.")));
        let components: Vec<_> = boxes.iter().filter(|(path, _)| !holds(path)).collect();
        for line in lines(&image) {
            for pair in line.windows(2) {
                let (a, b) = (pair[0], pair[1]);
                assert!(
                    a.0 == b.0 || a.1 == b.1 || (a.0 - b.0).abs().max((a.1 - b.1).abs()) <= 6.0
                );
                let (x, y) = (a.0.min(b.0), a.1.min(b.1));
                let piece = (x, y, (a.0 - b.0).abs(), (a.1 - b.1).abs());
                for (path, area) in &components {
                    assert!(apart(piece, *area), "{name}: {piece:?} runs through {path}");
                }
            }
        }
    }
}

#[test]
fn faults_are_marked_where_they_act() {
    let faults = titles(&svg(&vehicle()), "fault");
    let expected = [
        "dvl is biased: drone.sensors.dvl.out is off by 0.5",
        "imu fails: drone.sensors.imu makes no steps from 0.2 s",
    ];
    assert_eq!(faults, BTreeSet::from(expected.map(String::from)));
    assert_eq!(titles(&svg(&vehicle()), "broken").len(), 1);
    assert_eq!(titles(&svg(&vehicle()), "dormant").len(), 1);
}

#[test]
fn pointing_at_a_component_tells_what_its_type_is_for() {
    let told = titles(&svg(&vehicle()), "component");
    let pilot = "drone.autopilot (event-driven)\nAsks <how> deep & calls \"land\".";
    assert!(told.contains(pilot), "{told:?}");
}

#[test]
fn the_same_experiment_gives_the_same_picture() {
    for ((_, first), (_, second)) in systems().into_iter().zip(systems()) {
        assert_eq!(svg(&first), svg(&second));
        assert_eq!(mermaid(&first), mermaid(&second));
    }
}

#[test]
fn a_system_of_thousands_of_different_components_is_drawn_less_deeply() {
    let mut text = String::new();
    for group in 0..40 {
        for number in 0..50 {
            let from = (number + 7) % 50;
            text += &format!(
                "[system.g{group}.c{number}]\ntype = \"test.stage\"\nin.a = \"g{group}.c{from}.out\"\n\
                 in.b = \"g{}.c{number}.out\"\n",
                (group + 1) % 40
            );
        }
    }
    let boxes = boxes(&svg(&experiment(&text)));
    assert_eq!(boxes.len(), 40);
}

#[test]
fn a_system_of_hundreds_of_unlike_components_ends_in_one_box_for_the_rest() {
    let component =
        |number: usize| format!("[system.c{number}]\ntype = \"test.stage\"\nin.a = \"c0.out\"\n");
    let text: String = (0..400).map(component).collect();
    let boxes = boxes(&svg(&experiment(&text)));
    assert_eq!(boxes.len(), 251);
    assert_eq!(boxes[250].0, "… 150 more");
}
