//! Who is let in, and what they may send.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;
use tungstenite::Message;

use crate::client::{Client, knock};
use crate::program::{PATIENCE, Place, Served, example};

/// A short run that waits for its first page.
fn served(place: &Place) -> Served {
    place.serve(&["run", &example("thermostat/thermostat.toml"), "--view", "--out", "out"])
}

#[test]
fn the_address_is_of_this_machine_and_its_token_cannot_be_guessed() {
    let (first, second) = (Place::new(), Place::new());
    let (first, second) = (served(&first), served(&second));
    assert!(first.address.starts_with("http://127.0.0.1:"), "{}", first.address);
    assert!(first.token().len() >= 32 && first.token() != second.token());
}

#[test]
fn wrong_tokens_versions_runs_and_origins_are_refused() {
    let place = Place::new();
    let served = served(&place);
    let (token, host) = (served.token(), served.host());
    let right = format!("version=1&run=0&token={token}");
    let own = format!("http://{host}");
    for (query, headers, status) in [
        ("version=1&token=".to_owned(), vec![], 403),
        (format!("version=1&token={}", &token[1..]), vec![], 403),
        (format!("version=1&token={token}0"), vec![], 403),
        (format!("version=2&token={token}"), vec![], 400),
        (format!("token={token}"), vec![], 400),
        (format!("version=1&run=1&token={token}"), vec![], 404),
        (right.clone(), vec![("origin", "http://example.org")], 403),
        (right.clone(), vec![("origin", "null")], 403),
        (right.clone(), vec![("host", "example.org")], 403),
    ] {
        let refused = knock(&served, &query, &headers).err();
        assert_eq!(refused, Some(status), "{query} {headers:?}");
    }
    assert!(knock(&served, &right, &[("origin", &own)]).is_ok());
    assert!(knock(&served, &right, &[]).is_ok(), "a program has no origin");
}

/// The status and the whole answer of a plain request.
fn get(served: &Served, path: &str, host: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(served.host()).expect("somebody listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("the server hears");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("the server answers");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).and_then(|word| word.parse().ok());
    (status.unwrap_or_else(|| panic!("{answer}")), answer)
}

#[test]
fn only_files_of_the_page_are_served() {
    let place = Place::new();
    let served = served(&place);
    let host = served.host().to_owned();
    let (status, page) = get(&served, "/", &host);
    assert_eq!(status, 200);
    assert!(
        page.contains("<title>") && page.contains("content-security-policy: default-src 'self'")
    );
    for path in [
        "/Cargo.toml",
        "/out/recording.mcap",
        "/../Cargo.toml",
        "/..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/assets/../../Cargo.toml",
    ] {
        let (status, answer) = get(&served, path, &host);
        assert_eq!(status, 404, "{path}: {answer}");
    }
    // Another name that was made to point to this machine.
    assert_eq!(get(&served, "/", "example.org").0, 403);
}

#[test]
fn what_is_no_request_is_refused_and_what_is_too_long_ends_the_connection() {
    let place = Place::new();
    let served = served(&place);
    let mut client = Client::connect(&served);
    for nonsense in
        ["", "{", "[]", r#"{"do":"pause"}"#, r#"{"id":1,"do":"read","file":"/etc/passwd"}"#]
    {
        client.send_anything(Message::text(nonsense)).expect("the server hears");
        let answer = loop {
            if let Some(answer) = client.hear() {
                break answer;
            }
        };
        assert!(answer["error"].is_string(), "{nonsense}: {answer}");
    }
    client.must(json!({ "do": "pause" }));
    let long = format!(r#"{{"id":9,"do":"note","text":"{}"}}"#, "a".repeat(70_000));
    // The connection may be closed before all of it is sent.
    let _ = client.send_anything(Message::text(long));
    assert!(client.is_closed());
    // Nobody else is harmed.
    Client::connect(&served).must(json!({ "do": "pause" }));
}

/// More of them than there are places, each with a part of a request and nothing more.
#[test]
fn who_does_not_say_what_it_wants_loses_its_place() {
    let place = Place::new();
    let served = served(&place);
    let slow: Vec<TcpStream> = (0..300)
        .map(|number| {
            let mut stream = TcpStream::connect(served.host()).expect("somebody listens");
            let part = ["", "G", "GET / HTTP/1.1\r\nHost: "][number % 3];
            stream.write_all(part.as_bytes()).expect("the server hears");
            stream
        })
        .collect();
    assert_eq!(get(&served, "/", served.host()).0, 200, "a place becomes free");
    for mut stream in slow.into_iter().take(30) {
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        let mut answer = Vec::new();
        // It may be told why, or not.
        let ended = stream.read_to_end(&mut answer);
        assert!(ended.is_ok() && !answer.starts_with(b"HTTP/1.1 200"), "{ended:?}");
    }
    Client::connect(&served).must(json!({ "do": "pause" }));
}

#[test]
fn options_that_cannot_be_are_refused() {
    let place = Place::new();
    let thermostat = example("thermostat/thermostat.toml");
    for (arguments, why) in [
        (vec!["run", &thermostat, "--listen", "127.0.0.1:0"], "--view"),
        (vec!["run", &thermostat, "--view", "--processes", "2"], "cannot be used with"),
        (vec!["run", &thermostat, "--view", "--listen", "here"], "invalid"),
        (
            vec!["run", &thermostat, "--view", "--listen", "192.0.2.1:0"],
            "nobody can listen at 192.0.2.1:0",
        ),
        (vec!["run", &thermostat, "--foxglove-control"], "--foxglove"),
        (vec!["run", &thermostat, "--foxglove=192.0.2.1:0"], "nobody can listen at 192.0.2.1:0"),
        (vec!["view", "nothing.mcap"], "nothing.mcap"),
    ] {
        let (status, said) = place.run(&arguments);
        assert_eq!(status, 2, "{arguments:?}: {said}");
        assert!(said.contains(why), "{arguments:?}: {said}");
    }
}
