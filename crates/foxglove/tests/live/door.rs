//! Who is let in, who may change something, and that nobody keeps a place by being slow.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration as Wall, Instant};

use ironbird_foxglove::{FoxgloveView, address};
use serde_json::json;

use crate::client::Client;
use crate::study::{Study, watched};
use crate::view;

const TAKES_ORDERS: bool = true;

/// The address without its token.
fn without_token(url: &str) -> String {
    url.split("/?").next().unwrap().to_owned()
}

#[test]
fn without_the_token_a_client_only_watches() {
    let view = view();
    let run = watched(Study::lasting("2 s"), view.clone(), Some(0.001));
    assert!(view.url().contains("/?token="), "{}", view.url());
    let mut watcher = Client::connect(&without_token(&view.url()));
    watcher.subscribe_to_all(&["/tf"]);
    for (name, value) in [("world.wind[0]", json!("-4 m/s")), ("ironbird.speed", json!(2.0))] {
        let before = watcher.ask_for_parameters()[name].clone();
        let kept = watcher.set_parameter(name, &value);
        assert_eq!(kept[name], before, "{name} is what it was");
        assert!(watcher.errors.pop().unwrap().contains("--foxglove-control"));
    }
    // Not even with the words that the door uses.
    watcher.set_parameter("ironbird.admitted", &json!("0".repeat(32)));
    watcher.set_parameter("ironbird.speed", &json!(2.0));
    assert_eq!(watcher.errors.len(), 2, "{:?}", watcher.errors);

    let mut owner = Client::connect(&view.url());
    let set = owner.set_parameter("world.wind[0]", &json!("-4 m/s"));
    assert_eq!(set["world.wind[0]"], "-4 m/s");
    assert_eq!(watcher.ask_for_parameters()["world.wind[0]"], "-4 m/s");
    owner.set_parameter("ironbird.speed", &json!(0));
    let ran = run.join().unwrap();
    let commands = ran.outcomes.events.iter().filter(|event| event.kind == "command");
    assert_eq!(commands.count(), 1);
}

#[test]
fn a_run_that_takes_no_orders_has_no_token() {
    let view = FoxgloveView::start("gust", address("0").unwrap(), true, !TAKES_ORDERS).unwrap();
    let run = watched(Study::lasting("1 s"), view.clone(), None);
    assert_eq!(view.url(), format!("ws://{}", view.address()));
    let guessed = Client::knock(&format!("{}/?token=0", view.url()), &[]).err().unwrap();
    assert!(guessed.contains("403") && guessed.contains("--foxglove-control"), "{guessed}");
    let mut client = Client::connect(&view.url());
    client.set_parameter("ironbird.paused", &json!(false));
    assert_eq!(client.errors.len(), 1);
    client.subscribe_to_all(&["/tf"]);
    run.join().unwrap();
}

#[test]
fn pages_of_others_and_other_names_are_refused() {
    let view = view();
    let (with, without) = (view.url(), without_token(&view.url()));
    for (url, header, what) in [
        (&without, ("origin", "https://evil.example"), "needs the token"),
        (&without, ("origin", "null"), "needs the token"),
        (&with, ("host", "evil.example"), "not one of the run"),
        (&format!("{with}0"), ("origin", "http://localhost"), "the token is wrong"),
    ] {
        let refused = Client::knock(url, &[header]).err().unwrap();
        assert!(refused.contains("403") && refused.contains(what), "{header:?}: {refused}");
    }
    for known in ["https://app.foxglove.dev", "http://localhost:8080", "file://"] {
        assert!(Client::knock(&without, &[("origin", known)]).is_ok(), "{known}");
    }
    assert!(Client::knock(&with, &[("origin", "https://mine.example")]).is_ok());
}

/// More of them than there are places, each with a part of a request and nothing more.
#[test]
fn who_does_not_say_what_it_wants_loses_its_place() {
    let view = view();
    let place = view.address();
    let slow: Vec<TcpStream> = (0..300)
        .map(|number| {
            let mut stream = TcpStream::connect(place).unwrap();
            let part = ["", "G", "GET / HTTP/1.1\r\nHost: "][number % 3];
            stream.write_all(part.as_bytes()).unwrap();
            stream
        })
        .collect();
    let begun = Instant::now();
    Client::connect(&view.url());
    assert!(begun.elapsed() < Wall::from_secs(50), "places become free");
    let mut first = &slow[0];
    first.set_read_timeout(Some(Wall::from_secs(60))).unwrap();
    assert_eq!(first.read(&mut [0]).unwrap_or(0), 0, "it was let go");
}
