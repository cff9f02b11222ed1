//! Every input that was ever interesting still comes back.

use std::path::Path;

fn replay(target: &str, run: fn(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let mut inputs = 0;
    for entry in std::fs::read_dir(&corpus).expect("every target has a corpus") {
        let bytes = std::fs::read(entry.expect("it is there").path()).expect("it can be read");
        run(&bytes);
        // Its neighbours: cut short, and with single bytes changed.
        for cut in 0..bytes.len().min(64) {
            run(&bytes[..cut]);
        }
        for place in 0..bytes.len().min(256) {
            let mut changed = bytes.clone();
            changed[place] ^= 0x80 | (place as u8);
            run(&changed);
        }
        inputs += 1;
    }
    assert!(inputs > 0, "the corpus of {target} is empty");
}

#[test]
fn checkpoints() {
    replay("checkpoint", ironbird_fuzz::checkpoint);
}

#[test]
fn values() {
    replay("value", ironbird_fuzz::value);
}

#[test]
fn paths() {
    replay("path", ironbird_fuzz::path);
}

#[test]
fn expressions() {
    replay("expression", ironbird_fuzz::expression);
}

#[test]
fn recordings() {
    replay("recording", ironbird_fuzz::recording);
}

#[test]
fn experiments() {
    replay("experiment", ironbird_fuzz::experiment);
}

#[test]
fn forecasts() {
    replay("s111", ironbird_fuzz::s111);
}

#[test]
fn charts() {
    replay("geotiff", ironbird_fuzz::geotiff);
}

#[test]
fn tables() {
    replay("table", ironbird_fuzz::table);
}

#[test]
fn flight_logs() {
    replay("flight_log", ironbird_fuzz::flight_log);
}

#[test]
fn traces() {
    replay("trace", ironbird_fuzz::trace);
}

#[test]
fn architectures() {
    replay("architecture", ironbird_fuzz::architecture);
}

#[test]
fn sdf_files() {
    replay("sdf", ironbird_fuzz::sdf);
}

#[test]
fn meshes() {
    replay("mesh", ironbird_fuzz::mesh);
}

#[test]
fn introductions() {
    replay("introduction", ironbird_fuzz::introduction);
}

#[test]
fn links() {
    replay("link", ironbird_fuzz::link);
}

#[test]
fn firmware_files() {
    replay("firmware", ironbird_fuzz::firmware);
}

#[test]
fn profiles() {
    replay("profile", ironbird_fuzz::profile);
}

#[test]
fn missions() {
    replay("mission", ironbird_fuzz::mission);
}

#[test]
fn streams_of_mavlink() {
    replay("mavlink", ironbird_fuzz::mavlink);
}

#[test]
fn requests_of_the_view() {
    replay("view_request", ironbird_fuzz::request);
}

#[test]
fn commands() {
    replay("commands", ironbird_fuzz::commands);
}
