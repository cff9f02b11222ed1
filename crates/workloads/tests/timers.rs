//! Independent timers fire exactly as often as their increments say.

use ironbird_kernel::{Duration, Options, QueueRegime, Simulation, Time};
use ironbird_workloads::timers::Timers;

#[test]
fn timers_fire_as_often_as_their_increments_say_in_every_queue_regime() {
    let timers = Timers::firing(300, 1_000, 20_000);
    for queue in [QueueRegime::Adaptive, QueueRegime::Heap, QueueRegime::Sweep] {
        let options = Options { queue, ..Options::default() };
        let mut simulation = Simulation::new(timers.graph().unwrap(), options).unwrap();
        simulation.run_until(Time::ZERO + Duration::from_ns(timers.start_ns())).unwrap();
        let before = simulation.statistics().internal;
        simulation.run_until(Time::ZERO + Duration::from_ns(timers.end_ns())).unwrap();
        assert_eq!(simulation.statistics().internal - before, timers.firings(), "{queue:?}");
    }
}
