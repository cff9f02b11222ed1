//! Every sensor of a world feeds what a user writes: a Python class, a C library, a block.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::program::Place;

/// What a sensor gives to a reader: a part of its output, and whether it is three numbers, one, or a truth value.
struct Given {
    /// The name of the reader's port.
    name: String,
    /// The part, as `quad.gps.value`.
    source: String,
    kind: Kind,
    unit: String,
    frame: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Vector,
    Truth,
}

impl Given {
    /// As a port of user code.
    fn declared(&self) -> String {
        match self.kind {
            Kind::Truth => "bool".into(),
            Kind::Number => self.unit.clone(),
            Kind::Vector => format!("{} [3] {}", self.unit, self.frame),
        }
    }
}

/// The kinds of sensors that there are, from what is said of one that there is not.
fn kinds() -> Vec<String> {
    let place = world(&["nothing".into()]);
    place.write("it.toml", SYSTEM);
    let done = place.run(&["check", "it.toml"]);
    let listed = done.err.split("known: ").nth(1).unwrap_or_else(|| panic!("{}", done.err));
    let listed = listed.split(')').next().unwrap_or_default();
    let words = listed.split(|c: char| !c.is_ascii_lowercase()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// A folder with a world in which a ball with these sensors falls to the ground.
fn world(kinds: &[String]) -> Place {
    let place = Place::new();
    let mut text = String::from(
        "[origin]\nlatitude = \"47 deg\"\nlongitude = \"8 deg\"\nheight = \"400 m\"\n[[ground]]\nshape = \"plane\"\n\
         [[sound]]\nplace = [\"9 m\", \"0 m\", \"-1 m\"]\n[air]\nwind = [\"3 m/s\", \"1 m/s\", \"0 m/s\"]\n\
         [[vehicle]]\nname = \"ball\"\ntype = \"body\"\nmass = \"2 kg\"\ninertia = [\"0.1 kg*m^2\", \"0.1 kg*m^2\", \"0.1 kg*m^2\"]\n\
         place = [\"1 m\", \"2 m\", \"-1 m\"]\nvelocity = [\"1 m/s\", \"-2 m/s\", \"0 m/s\"]\nattitude = [\"10 deg\", \"20 deg\", \"30 deg\"]\n[[vehicle.shape]]\n\
         shape = \"sphere\"\nradius = \"0.2 m\"\n",
    );
    for kind in kinds {
        let down = if ["range", "sonar"].contains(&kind.as_str()) {
            "\nattitude = [\"0 deg\", \"-90 deg\", \"0 deg\"]"
        } else {
            ""
        };
        let rays = if kind == "lidar" { "\ncolumns = 8" } else { "" };
        let _ = writeln!(
            text,
            "[[vehicle.sensor]]\nname = \"its-{kind}\"\ntype = \"{kind}\"{down}{rays}"
        );
    }
    place.write("world.toml", text);
    place
}

const SYSTEM: &str = "ironbird = 1\nduration = \"1 s\"\n[system.world]\ntype = \"world\"\nfile = \"world.toml\"\n\
                      rate = \"100 Hz\"\n";

/// All that sensors give, from the list of ports.
fn given(place: &Place, kinds: &[String]) -> Vec<Given> {
    place.write("it.toml", SYSTEM);
    let done = place.run(&["ports", "it.toml", "world", "--json"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let listed: Value = serde_json::from_str(&done.out).unwrap();
    let ports = listed[0]["ports"].as_array().unwrap();
    let mut all = Vec::new();
    for kind in kinds {
        let name = format!("ball.its-{kind}");
        let sensor = ports.iter().find(|port| port["name"] == name.as_str()).expect("a sensor");
        let before = all.len();
        for part in sensor["parts"].as_array().unwrap() {
            let source = part["name"].as_str().unwrap().to_owned();
            let of_type = match part["type"].as_str().unwrap() {
                "f64" | "u32" => Kind::Number,
                "[f64; 3]" => Kind::Vector,
                "bool" => Kind::Truth,
                // The time of a measurement, and the bytes of a scan.
                "u64" | "payload" => continue,
                other => panic!("{source} is {other}, which no reader takes"),
            };
            let text = |key: &str| part[key].as_str().unwrap_or_default().to_owned();
            let last = source.rsplit('.').next().unwrap();
            let name = format!("{kind}_{last}");
            let (unit, frame) = (text("unit"), text("frame"));
            all.push(Given { name, source, kind: of_type, unit, frame });
        }
        let of_sensor = &all[before..];
        assert!(
            of_sensor.iter().any(|one| one.kind == Kind::Truth),
            "{kind} says when it is valid"
        );
        assert!(of_sensor.iter().any(|one| one.kind != Kind::Truth), "{kind} gives something");
    }
    all
}

/// A class that shows what it reads.
fn python(all: &[Given]) -> String {
    let ports = |more: &str| {
        let port = |one: &Given| format!("\"{}{more}\": \"{}\"", one.name, one.declared());
        all.iter().map(port).collect::<Vec<_>>().join(", ")
    };
    format!(
        "class User:\n    inputs = {{{}}}\n    outputs = {{{}}}\n    def step(self, t, inputs):\n        \
         return {{name + \"_seen\": value for name, value in inputs.items()}}\n",
        ports(""),
        ports("_seen")
    )
}

/// The same as a library.
fn c(all: &[Given]) -> String {
    let lines = |word: &str, more: &str| {
        let line = |one: &Given| format!("\"{word} {}{more} {}\\n\"\n", one.name, one.declared());
        all.iter().map(line).collect::<String>()
    };
    let width = |one: &Given| if one.kind == Kind::Vector { 3 } else { 1 };
    let numbers: usize = all.iter().map(width).sum();
    format!(
        "#include \"ironbird.h\"\n#include <string.h>\nstatic int it;\n\
         const char *ironbird_describe(void) {{ return \"ironbird 1\\n\"\n{}{}; }}\n\
         void *ironbird_create(const char *const *n, const double *v, size_t c) {{ (void)n; (void)v; (void)c; return &it; }}\n\
         int ironbird_step(void *s, double t, const double *in, double *out)\n\
         {{ (void)s; (void)t; memcpy(out, in, {numbers} * sizeof *in); return 0; }}\n\
         void ironbird_destroy(void *s) {{ (void)s; }}\n",
        lines("in", ""),
        lines("out", "_seen")
    )
}

fn compile(place: &Place, source: &str) {
    place.write("user.c", source);
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../foreign/include");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(place.path("user.so")).arg("-I").arg(include);
    assert!(compiler.arg(place.path("user.c")).status().unwrap().success());
}

/// All readers in one experiment, with blocks for each number. Gives back who sees what: the column of a reader and that
/// of the world.
fn experiment(all: &[Given]) -> (String, Vec<(String, String)>) {
    let mut text = String::from(SYSTEM);
    let mut pairs = Vec::new();
    let axes = |one: &Given| match one.frame.as_str() {
        "ned" => ["north", "east", "down"],
        _ => ["x", "y", "z"],
    };
    for (reader, how) in
        [("python", "file = \"user.py\"\nclass = \"User\""), ("c", "file = \"user.so\"")]
    {
        let kind = if reader == "python" { "foreign.python" } else { "foreign.c" };
        let _ = writeln!(text, "[system.{reader}]\ntype = \"{kind}\"\n{how}");
        for one in all {
            let _ = writeln!(text, "in.{} = \"world.{}\"", one.name, one.source);
            let (seen, shown) =
                (format!("{reader}.{}_seen", one.name), format!("world.{}", one.source));
            match one.kind {
                Kind::Vector => {
                    pairs.extend((0..3).map(|i| (format!("{seen}[{i}]"), format!("{shown}[{i}]"))))
                }
                _ => pairs.push((seen, shown)),
            }
        }
    }
    let mut block = |name: String, source: String, unit: &str, shown: String| {
        let _ = writeln!(
            text,
            "[system.{name}]\ntype = \"block.gain\"\ngain = 1.0\ninput_unit = \"{unit}\"\nin.in = \"world.{source}\""
        );
        pairs.push((format!("{name}.out"), format!("world.{shown}")));
    };
    for one in all {
        let name = format!("block-{}", one.name);
        match one.kind {
            Kind::Truth => {}
            Kind::Number => block(name, one.source.clone(), &one.unit, one.source.clone()),
            Kind::Vector => {
                for (number, axis) in axes(one).into_iter().enumerate() {
                    let (source, shown) =
                        (format!("{}.{axis}", one.source), format!("{}[{number}]", one.source));
                    block(format!("{name}-{axis}"), source, &one.unit, shown);
                }
            }
        }
    }
    text.push_str("[[record]]\nsignals = [\"*\"]\n");
    (text, pairs)
}

#[test]
fn every_sensor_of_a_world_can_be_linked_to_python_to_c_and_to_blocks() {
    let kinds = kinds();
    assert!(kinds.len() >= 14 && kinds.iter().any(|kind| kind == "sonar"), "{kinds:?}");
    let place = world(&kinds);
    let all = given(&place, &kinds);
    place.write("user.py", python(&all));
    compile(&place, &c(&all));
    let (text, pairs) = experiment(&all);
    place.write("it.toml", text);
    let done = place.run(&["run", "it.toml", "--out", "out"]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    let done = place.run(&["export", "out/recording.mcap", "--hold", "--out", "all.csv"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let table = place.text("all.csv");
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let column = |name: &str| {
        let found = head.iter().position(|column| *column == name);
        found.unwrap_or_else(|| panic!("no column {name} in {head:?}"))
    };
    let columns: Vec<(usize, usize)> =
        pairs.iter().map(|(seen, shown)| (column(seen), column(shown))).collect();
    let mut rows = 0;
    let mut moved = vec![false; columns.len()];
    let mut before: Option<Vec<&str>> = None;
    // What is there at the start is from before the first step.
    for row in lines.filter(|row| row[0].parse::<f64>().unwrap() > 0.0) {
        rows += 1;
        for ((seen, shown), (name, source)) in columns.iter().zip(&pairs) {
            assert_eq!(row[*seen], row[*shown], "{name} beside {source} at {} s", row[0]);
        }
        if let Some(before) = &before {
            for (moved, (seen, _)) in moved.iter_mut().zip(&columns) {
                *moved |= row[*seen] != before[*seen];
            }
        }
        before = Some(row);
    }
    assert!(rows >= 99, "{rows}");
    // The test would be hollow if nothing changed: most numbers do in a throw that ends in rolling.
    let still = moved.iter().filter(|moved| !**moved).count();
    assert!(still * 2 < moved.len(), "{still} of {} numbers stand still", moved.len());
}

#[test]
fn every_measurement_as_a_whole_is_linked_by_the_line_that_check_prints() {
    let kinds = kinds();
    let place = world(&kinds);
    let all = given(&place, &kinds);
    let values: Vec<&Given> = all.iter().filter(|one| one.source.ends_with(".value")).collect();
    assert!(values.len() >= 13, "all sensors but lidars measure one value");
    let class = |ports: &[(String, String)]| {
        let ports: Vec<String> =
            ports.iter().map(|(name, port)| format!("\"{name}\": \"{port}\"")).collect();
        format!(
            "class User:\n    inputs = {{{}}}\n    outputs = {{\"y\": \"\"}}\n    def step(self, t, inputs):\n        \
             return {{\"y\": 0}}\n",
            ports.join(", ")
        )
    };
    let ports: Vec<(String, String)> =
        values.iter().map(|one| (one.name.clone(), one.declared())).collect();
    place.write("user.py", class(&ports));
    let user = "[system.user]\ntype = \"foreign.python\"\nfile = \"user.py\"\nclass = \"User\"\n";
    let wrong: String = values
        .iter()
        .map(|one| {
            let whole = one.source.strip_suffix(".value").unwrap();
            format!("in.{} = \"world.{whole}\"\n", one.name)
        })
        .collect();
    place.write("it.toml", format!("{SYSTEM}{user}{wrong}"));
    let done = place.run(&["check", "it.toml"]);
    assert_eq!(done.status, 2, "{}", done.err);
    // The lines that are printed, as they are printed.
    let lines: Vec<&str> =
        done.err.lines().map(str::trim).filter(|line| line.contains("via = ")).collect();
    assert_eq!(lines.len(), values.len(), "{}", done.err);
    let adapters: Vec<String> = values.iter().map(|one| format!("user-{}", one.name)).collect();
    // What is shown before the first measurement is said by us, with its unit where it has one.
    let said = |line: &str| {
        let one = values.iter().find(|one| line.starts_with(&format!("in.{} =", one.name)));
        let unit = &one.unwrap_or_else(|| panic!("{line}")).unit;
        let initial = if ["", "1"].contains(&unit.as_str()) {
            "7".to_owned()
        } else {
            format!("\"7 {unit}\"")
        };
        line.replace("initial = 0", &format!("initial = {initial}"))
    };
    let said: Vec<String> = lines.into_iter().map(said).collect();
    let mut text = format!("{SYSTEM}{user}{}\n", said.join("\n"));
    // Before the first measurement each shows what is stated, and says that it is none.
    text.push_str("[[record]]\nsignals = [\"user-*\"]\n");
    place.write("it.toml", text);
    let done = place.run(&["ports", "it.toml", "--json"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let listed: Value = serde_json::from_str(&done.out).unwrap();
    for adapter in &adapters {
        let mut components = listed.as_array().unwrap().iter();
        let found = components.find(|one| one["component"] == adapter.as_str());
        let ports = found.unwrap_or_else(|| panic!("{listed:#}"))["ports"].as_array().unwrap();
        let start =
            |name: &str| &ports.iter().find(|port| port["name"] == name).unwrap()["at_start"];
        assert_eq!(start("valid"), false, "{adapter}");
        let first = if start("out").is_object() { &start("out")["[0]"] } else { start("out") };
        assert_eq!(first, 7.0, "{adapter}");
    }
    let done = place.run(&["run", "it.toml", "--out", "out"]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
}

/// A block that reads a number of the lidar by this link.
fn reads_lidar(name: &str, link: &str) -> String {
    format!(
        "[system.{name}]\ntype = \"block.gain\"\nrate = \"100 Hz\"\ngain = 1.0\ninput_unit = \"m\"\nin.in = {link}\n"
    )
}

fn beam(number: usize) -> String {
    let via = "via = \"adapter.lidar-beam\", initial = \"30 m\"";
    let link = format!("{{ from = \"world.ball.its-lidar\", {via}, column = {number} }}");
    reads_lidar(&format!("beam-{number}"), &link)
}

#[test]
fn each_beam_of_a_lidar_is_a_number_by_way_of_an_adapter() {
    let place = world(&["lidar".into()]);
    let beams: String = (0..8).map(beam).collect();
    place.write("it.toml", format!("{SYSTEM}{beams}[[record]]\nsignals = [\"*\"]\n"));
    let done = place.run(&["run", "it.toml", "--out", "out"]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    let done = place.run(&["export", "out/recording.mcap", "--hold", "--out", "all.csv"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let table = place.text("all.csv");
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let column = |name: String| head.iter().position(|column| *column == name).unwrap();
    let nearest = column("world.ball.its-lidar.nearest".into());
    let outs: Vec<usize> = (0..8).map(|number| column(format!("beam-{number}.out"))).collect();
    let valid: Vec<usize> =
        (0..8).map(|number| column(format!("beam-{number}-in.valid"))).collect();
    let (mut rows, mut blind) = (0, 0);
    for row in lines.filter(|row| row[0].parse::<f64>().unwrap() > 0.0) {
        let number = |column: usize| row[column].parse::<f64>().unwrap();
        let meets = |beam: &usize| ["1", "true"].contains(&row[valid[*beam]]);
        let least =
            (0..8).filter(meets).map(|beam| number(outs[beam])).fold(f64::INFINITY, f64::min);
        // A scan holds numbers of 32 bits.
        let difference = least - number(nearest);
        assert!(difference.abs() < 1e-6 * least, "{least} beside {} at {} s", row[nearest], row[0]);
        // A beam that has met nothing shows what was said.
        blind += (0..8).filter(|beam| !meets(beam) && number(outs[*beam]) == 30.0).count();
        rows += 1;
    }
    assert!(rows >= 99 && blind >= 99, "{rows} rows, {blind}");
}

#[test]
fn a_lidar_that_meets_nothing_is_not_valid_and_its_nearest_is_0() {
    let place = world(&["lidar".into()]);
    let near = place.text("world.toml").replace("columns = 8", "columns = 8\nmax = \"0.15 m\"");
    place.write("world.toml", near);
    // Within the radius of the ball itself, above the ground: nothing is in range before it lands.
    place.write("it.toml", format!("{SYSTEM}[[record]]\nsignals = [\"world.ball.*\"]\n"));
    let done = place.run(&["run", "it.toml", "--until", "200 ms", "--out", "out"]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    let done = place.run(&["export", "out/recording.mcap", "--out", "all.csv"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let table = place.text("all.csv");
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let column = |name: &str| head.iter().position(|column| column.ends_with(name)).unwrap();
    let (nearest, valid) = (column("its-lidar.nearest"), column("its-lidar.valid"));
    let mut rows = 0;
    for row in lines.filter(|row| !row[nearest].is_empty()) {
        assert_eq!(row[nearest].parse::<f64>(), Ok(0.0), "{row:?}");
        assert!(["0", "false"].contains(&row[valid]), "{row:?}");
        rows += 1;
    }
    assert!(rows > 10, "{table}");
}

#[test]
fn a_beam_that_a_lidar_does_not_have_is_told() {
    let place = world(&["lidar".into()]);
    place.write("it.toml", format!("{SYSTEM}{}", beam(8)));
    let told = "\"world.ball.its-lidar\" has no column 8: it has 0 to 7";
    let done = place.run(&["check", "it.toml"]);
    assert_eq!(done.status, 2, "{}{}", done.out, done.err);
    assert!(done.err.contains(told), "{}", done.err);
    // As a component of its own, too, and in rows.
    let own = "[system.beam]\ntype = \"adapter.lidar-beam\"\ncolumn = 7\nrow = 1\nin.in = \"world.ball.its-lidar\"\n";
    place.write("it.toml", format!("{SYSTEM}{own}"));
    let done = place.run(&["check", "it.toml"]);
    assert!(done.err.contains("has no row 1: the only one is 0"), "{}", done.err);
    // Whoever links all of it reads what would fit.
    place.write("it.toml", format!("{SYSTEM}{}", reads_lidar("all", "\"world.ball.its-lidar\"")));
    let done = place.run(&["check", "it.toml"]);
    for line in [
        "in.in = \"world.ball.its-lidar.nearest\"",
        "in.in = { from = \"world.ball.its-lidar\", via = \"adapter.lidar-beam\", column = 0, initial = \"0 m\" }",
    ] {
        assert!(done.err.contains(line), "{}", done.err);
    }
}
