//! Prints the digest of the scenario of `tests/same_bits.rs`, for machines and emulators on which
//! tests cannot run: `cargo run -p ironbird-kernel --example digest [PARTITIONS]`.

#[path = "../tests/same_bits/scenario.rs"]
mod scenario;

use ironbird_kernel::{Options, Placement};

fn main() {
    let partitions = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1);
    let options = Options { placement: Placement::AtMost(partitions), ..Options::default() };
    println!("{:#018x}", scenario::digest(options));
}
