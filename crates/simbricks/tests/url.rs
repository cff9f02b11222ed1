//! Links as written on command lines.
#![cfg(not(loom))]

use ironbird_simbricks::url::{Role, Unit};
use ironbird_simbricks::{Link, Place, Protocol, SyncMode, Url};

#[test]
fn what_simbricks_orchestration_writes_is_read_in_nanoseconds() {
    let url = Url::parse("connect:/tmp/eth-1.2:sync=true:latency=500:sync_interval=250").unwrap();
    assert_eq!(url.role, Role::Connect { socket: "/tmp/eth-1.2".into() });
    assert_eq!(url.sync, SyncMode::Required);
    assert_eq!((url.latency, url.sync_interval), (Some(500_000), Some(250_000)));
    let url = Url::parse("listen:/tmp/pci:/dev/shm/pci:sync=false").unwrap();
    let place = Place::Path("/dev/shm/pci".into());
    assert_eq!(url.role, Role::Listen { socket: "/tmp/pci".into(), place });
    assert_eq!((url.sync, url.latency), (SyncMode::Disabled, None));
}

#[test]
fn the_same_number_can_be_taken_for_picoseconds_as_the_c_library_does() {
    let url = Url::parse_in("connect:s:latency=500", Unit::Picoseconds).unwrap();
    assert_eq!(url.latency, Some(500));
}

#[test]
fn what_is_not_said_stays_as_it_was() {
    let mut link = Link::new("eth", Protocol::NET);
    Url::parse("listen:s::latency=7").unwrap().apply(&mut link);
    assert_eq!((link.sync, link.latency, link.sync_interval), (SyncMode::Optional, 7000, 500_000));
}

#[test]
fn errors_say_where() {
    for (url, column, problem) in [
        ("", 1, "neither `connect:` nor `listen:`"),
        ("Connect:s", 1, "neither"),
        ("connect", 8, "the path of the socket is missing"),
        ("connect:", 9, "the path of the socket is empty"),
        ("listen:s", 9, "the path of the shared memory is missing"),
        ("listen:s:sync=true", 10, "is missing before the options"),
        ("connect:s:sync", 11, "`sync` is not an option"),
        ("connect:s:speed=3", 11, "no option `speed`"),
        ("connect:s:sync=yes", 16, "neither true nor false"),
        ("connect:s:latency=5:latency=5", 21, "given twice"),
        ("connect:s:sync=true:sync=true", 21, "given twice"),
        ("connect:ü:latency=-1", 19, "`-1` is not a whole number of nanoseconds"),
        ("connect:s:latency=1ns", 19, "`1ns` is not a whole number"),
        ("connect:s:latency=18446744073709552", 19, "fits into 64 bits"),
    ] {
        let error = Url::parse(url).unwrap_err();
        assert_eq!(error.column, column, "{error}");
        assert!(error.problem.contains(problem), "{error}");
    }
}
