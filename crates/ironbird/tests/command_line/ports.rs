//! `ironbird ports`: what can be linked, and to what it is linked.

use serde_json::Value;

use crate::program::{Place, example, experiment};

/// A world with a vehicle that is driven by a Python class.
fn driven() -> Place {
    let place = Place::new();
    place.write(
        "world.toml",
        "[[ground]]\nshape = \"plane\"\n[[vehicle]]\nname = \"ball\"\ntype = \"body\"\nmass = \"2 kg\"\n\
         inertia = [\"0.1 kg*m^2\", \"0.1 kg*m^2\", \"0.1 kg*m^2\"]\nplace = [\"1 m\", \"0 m\", \"-2 m\"]\n[[vehicle.shape]]\n\
         shape = \"sphere\"\nradius = \"0.1 m\"\n[[vehicle.sensor]]\nname = \"gps\"\ntype = \"position\"\n",
    );
    place.write(
        "user.py",
        "class User:\n    inputs = {\"down\": \"m\", \"place\": \"m [3] ned\", \"good\": \"bool\"}\n    \
         outputs = {\"north\": \"m/s\"}\n    def step(self, t, inputs):\n        return {\"north\": 0}\n",
    );
    place.write(
        "driven.toml",
        "ironbird = 1\nduration = \"1 s\"\n[system.world]\ntype = \"world\"\nfile = \"world.toml\"\n\
         in.ball.wind.north = { from = \"user.north\", value = \"previous\" }\n[system.user]\n\
         type = \"foreign.python\"\nfile = \"user.py\"\nclass = \"User\"\n\
         in.down = \"world.ball.gps.value.down\"\nin.place = \"world.ball.position\"\n\
         in.good = { from = \"world.ball.gps.valid\", latency = \"20 ms\" }\n",
    );
    place
}

/// The cells of the row of this port, without the space between them.
fn row<'t>(text: &'t str, port: &str) -> Vec<&'t str> {
    let rows = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let mut found = rows.filter(|cells| cells.first() == Some(&port));
    found.next().unwrap_or_else(|| panic!("no row for {port}:\n{text}"))
}

#[test]
fn ports_that_depend_on_files_are_listed_with_what_they_are_linked_to() {
    let done = driven().run(&["ports", "driven.toml"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let text = &done.out;
    assert!(text.starts_with("world: world, periodic, 1000 Hz\n"), "{text}");
    assert!(text.contains("\nuser: foreign.python, periodic, 100 Hz\n"), "{text}");
    let axes = ["ned:", "north,", "east,", "down"];
    let vector = ["ball.position", "[f64;", "3]", "m"];
    assert_eq!(
        row(text, "ball.position"),
        [&vector[..], &axes, &["1,", "0,", "-2", "user.place"]].concat()
    );
    assert_eq!(row(text, "ball.gps"), ["ball.gps", "VectorSample", "ned", "-"]);
    // Before the first measurement it is zero, and not valid.
    let value = ["ball.gps.value", "[f64;", "3]", "m"];
    let linked = ["0,", "0,", "0", "user.down", "(down)"];
    assert_eq!(row(text, "ball.gps.value"), [&value[..], &axes, &linked].concat());
    let valid = ["ball.gps.valid", "bool", "false", "user.good", "(0.02", "s", "later)"];
    assert_eq!(row(text, "ball.gps.valid"), valid);
    assert_eq!(
        row(text, "ball.wind.north"),
        ["ball.wind.north", "f64", "m/s", "0", "user.north", "(previous)"]
    );
    assert_eq!(row(text, "down"), ["down", "f64", "m", "0", "world.ball.gps.value[2]"]);
}

#[test]
fn ports_of_one_vehicle_in_a_world_are_chosen_by_its_name() {
    let place = driven();
    let names = |wanted: &str| -> Vec<String> {
        let done = place.run(&["ports", "driven.toml", wanted, "--json"]);
        assert_eq!(done.status, 0, "{}", done.err);
        let all: Value = serde_json::from_str(&done.out).unwrap();
        assert_eq!(all[0]["component"], "world");
        let ports = all[0]["ports"].as_array().unwrap().iter();
        ports.map(|port| port["name"].as_str().unwrap().to_owned()).collect()
    };
    let ball = names("world.ball");
    assert!(ball.contains(&"ball.gps".into()) && ball.contains(&"ball.wind.north".into()));
    assert!(ball.iter().all(|name| name.starts_with("ball.")), "{ball:?}");
    assert_eq!(names("world.ball.gps"), ["ball.gps"]);
    assert_eq!(names("world.ball.gps.value"), ["ball.gps.value"]);
    let done = place.run(&["ports", "driven.toml", "world.bal"]);
    assert_eq!(done.status, 2, "{}", done.out);
}

#[test]
fn machines_get_all_of_it_as_json() {
    let done = driven().run(&["ports", "driven.toml", "user", "--json"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let all: Value = serde_json::from_str(&done.out).unwrap();
    let [user] = all.as_array().unwrap().as_slice() else { panic!("{all:#}") };
    assert_eq!((&user["component"], &user["type"]), (&"user".into(), &"foreign.python".into()));
    let port = |name: &str| {
        let ports = user["ports"].as_array().unwrap().iter();
        ports.clone().find(|port| port["name"] == name).unwrap_or_else(|| panic!("{user:#}"))
    };
    let place = port("place");
    assert_eq!(place["direction"], "input");
    assert_eq!(place["required"], true);
    assert_eq!((&place["type"], &place["unit"]), (&"[f64; 3]".into(), &"m".into()));
    assert_eq!(place["frame"], "ned");
    assert_eq!(place["at_start"]["[2]"], -2.0);
    assert_eq!(place["links"][0]["port"], "world.ball.position");
    let good = &port("good")["links"][0];
    assert_eq!((&good["part"], &good["latency_ps"]), (&"valid".into(), &20_000_000_000u64.into()));
    assert_eq!(port("good")["at_start"], false);
    assert_eq!(port("north")["links"][0]["previous"], true);
}

#[test]
fn an_experiment_with_mistakes_is_listed_before_they_are_told() {
    let place = driven();
    let text = place.text("driven.toml").replace("in.place = \"world.ball.position\"\n", "");
    place.write("driven.toml", text);
    let done = place.run(&["ports", "driven.toml", "user"]);
    assert_eq!(done.status, 2, "{}", done.err);
    assert!(row(&done.out, "place").ends_with(&["not", "linked"]), "{}", done.out);
    assert_eq!(row(&done.out, "down").last(), Some(&"world.ball.gps.value[2]"));
    assert!(done.err.contains("input \"user.place\" is not linked"), "{}", done.err);
}

#[test]
fn some_components_are_chosen_by_name_composite_or_pattern() {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    let listed = |wanted: &str| {
        let done = place.run(&["ports", &rooms, wanted]);
        assert_eq!(done.status, 0, "{}", done.err);
        let heads = done.out.lines().filter(|line| !line.is_empty() && !line.starts_with(' '));
        heads.filter_map(|line| Some(line.split_once(':')?.0.to_owned())).collect::<Vec<_>>()
    };
    let [room, thermometer, thermostat] =
        ["room", "thermometer", "thermostat"].map(|n| format!("flat[1].{n}"));
    assert_eq!(listed("flat[1].room"), [room.as_str()]);
    let mut inside = listed("flat[1]");
    inside.sort();
    assert_eq!(inside, [room.as_str(), &thermometer, &thermostat]);
    assert!(listed("flat[*].room").len() >= 2);
    let done = place.run(&["ports", &rooms, "flat[1].romm"]);
    assert_eq!(done.status, 2, "{}", done.out);
    assert!(done.err.contains("did you mean \"flat[1].room\"?"), "{}", done.err);
}

#[test]
fn ports_of_programs_and_of_what_is_continuous_or_sends_events_are_listed() {
    let place = Place::new();
    let done = place.run(&["ports", &example("cart-pole/cart-pole.toml"), "cart"]);
    assert_eq!(row(&done.out, "angle")[..4], ["angle", "continuous", "rad", "0.0523599"]);
    place.write(
        "native.toml",
        "ironbird = 1\nduration = \"1 s\"\n[system.computer]\ntype = \"host.native\"\ncommand = [\"/bin/true\"]\n\
         sockets = \"udp remote 9002 = udp[0]\"\n",
    );
    let done = place.run(&["ports", "native.toml"]);
    assert_eq!(done.status, 0, "{}", done.err);
    assert_eq!(row(&done.out, "udp[0].sent")[..4], ["udp[0].sent", "events", "of", "Datagram"]);
}

#[test]
fn ports_of_a_multirotor_follow_from_its_file_and_have_the_frames_that_are_theirs() {
    let place = Place::new();
    let done = place.run(&["ports", &example("crazyflie/flight.toml"), "quad", "--json"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let all: Value = serde_json::from_str(&done.out).unwrap();
    let ports = all[0]["ports"].as_array().unwrap();
    let motors =
        ports.iter().filter(|port| port["direction"] == "output" && port["unit"] == "rad/s");
    assert_eq!(motors.count(), 4, "{all:#}");
    let motion = ports.iter().find(|port| port["name"] == "motion").unwrap();
    let part = |name: &str| {
        let parts = motion["parts"].as_array().unwrap().iter();
        parts.clone().find(|part| part["name"] == name).unwrap_or_else(|| panic!("{motion:#}"))
    };
    let velocity = part("motion.velocity");
    assert_eq!((&velocity["unit"], &velocity["frame"]), (&"m/s".into(), &"ned".into()));
    assert_eq!(velocity["axes"][2], "down");
    let turning = part("motion.angular_velocity");
    assert_eq!((&turning["unit"], &turning["frame"]), (&"rad/s".into(), &"body".into()));
    assert_eq!(turning["axes"][0], "forward");
}

#[test]
fn a_port_that_is_not_there_is_told_with_what_is() {
    let place = Place::new();
    let world = example("world/gust.toml");
    let told = |wanted: &str| {
        let done = place.run(&["ports", &world, wanted]);
        assert_eq!(done.status, 2, "{}", done.err);
        done.err
    };
    let near = told("world.quad.gyroscop");
    assert!(near.contains("\"world\" has no port \"quad.gyroscop\""), "{near}");
    assert!(near.contains("did you mean \"world.quad.gyroscope\"?"), "{near}");
    let far = told("world.quad.zzzzzzzz");
    assert!(far.contains("quad.gyroscope") && far.contains("quad.lidar"), "{far}");
    assert!(!far.contains("quad.lidar."), "what is below is not listed: {far}");
}
