//! Many clients at once, and slow ones.

use serde_json::json;

use crate::client::Client;
use crate::program::{Place, example};

#[test]
fn ten_clients_see_the_same_and_one_that_does_not_read_holds_nobody_up() {
    let place = Place::new();
    let swarm = example("world/swarm.toml");
    let mut served =
        place.serve(&["run", &swarm, "--view", "--speed", "2", "--until", "8 s", "--out", "out"]);
    // Never read: its messages pile up in the socket, and then are skipped.
    let asleep = Client::connect(&served);
    let mut clients: Vec<Client> = (0..10).map(|_| Client::connect(&served)).collect();
    clients[0].must(json!({ "do": "pause" }));
    let paused: Vec<_> =
        clients.iter_mut().map(|client| client.until(|frame| frame.state == 1)).collect();
    assert!(
        paused.iter().all(|frame| frame.poses == paused[0].poses && frame.time == paused[0].time)
    );
    clients[0].must(json!({ "do": "go" }));
    for client in &mut clients {
        client.until(|frame| frame.time > paused[0].time);
        client.until_told("ended");
    }
    served.wait_for("verdict");
    drop(asleep);
}

#[test]
fn clients_that_come_and_go_leave_nothing_behind() {
    let place = Place::new();
    let served =
        place.serve(&["run", &example("thermostat/thermostat.toml"), "--view", "--out", "out"]);
    // More than may be there at once.
    for _ in 0..100 {
        let mut client = Client::connect(&served);
        let signal = client.signal("room.temperature");
        client.must(json!({ "do": "subscribe", "signals": [signal] }));
    }
    let mut client = Client::connect(&served);
    client.until(|frame| frame.values.is_empty());
}
