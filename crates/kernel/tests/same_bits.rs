//! The digest of a fixed scenario is a constant: the same on every machine, for every target CPU,
//! on one partition and on several.
//!
//! `RUSTFLAGS="-C target-cpu=native"` and other architectures must give it too; where tests cannot
//! run, `cargo run --example digest` prints it.

#[path = "same_bits/scenario.rs"]
mod scenario;

use ironbird_kernel::{Options, Placement, QueueRegime};

/// A new value means that every recorded experiment changes: say why in the commit.
const DIGEST: u64 = 0x86a4_7ef1_e255_80fa;

#[test]
fn the_scenario_gives_the_same_bits_on_every_machine() {
    assert_eq!(scenario::digest(Options::default()), DIGEST);
}

#[test]
fn the_scenario_gives_the_same_bits_on_several_partitions() {
    for (partitions, fused) in [(2, true), (3, false), (8, true)] {
        let placement = Placement::AtMost(partitions);
        let queue = if fused { QueueRegime::Sweep } else { QueueRegime::Heap };
        let options = Options { placement, fused, queue, ..Options::default() };
        assert_eq!(scenario::digest(options), DIGEST, "{partitions} partitions");
    }
}
