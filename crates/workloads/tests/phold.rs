//! PHOLD gives the same bits on one thread and on two, and no job is lost.

use ironbird_kernel::{Duration, Options, Placement, Simulation, Time};
use ironbird_workloads::phold::Phold;

fn run(phold: Phold, partitions: usize) -> (u64, u64, usize) {
    let placement = Placement::AtMost(partitions);
    let options = Options { placement, digest: true, ..Options::default() };
    let mut simulation = Simulation::new(phold.graph().unwrap(), options).unwrap();
    simulation.run_until(Time::ZERO + Duration::from_us(1_000)).unwrap();
    let statistics = simulation.statistics();
    (simulation.digest(), statistics.external, statistics.placement.partitions)
}

#[test]
fn two_partitions_give_the_bits_of_one() {
    let latency = Duration::from_us(1);
    let phold = Phold { places: 4, jobs: 8, latency, remote_percent: 30, work: 0 };
    let (digest, external, one) = run(phold, 1);
    assert_eq!(one, 1);
    assert!(external > 1_000 * 4, "{external}");
    for partitions in [2, 3, 8] {
        let (other, other_external, used) = run(phold, partitions);
        assert_eq!((other, other_external, used), (digest, external, partitions));
    }
}
