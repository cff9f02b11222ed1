//! One station, several vehicles.

use ironbird_mavlink::{Answer, ForVehicle};
use ironbird_test_rig::{Rig, seconds};

use crate::vehicle::{add_vehicle, joined, whole};

fn three() -> Rig {
    let mut rig = joined(&[("vehicles", whole(3))], &[]);
    add_vehicle(&mut rig, "second", 2);
    add_vehicle(&mut rig, "third", 3);
    rig
}

const ARMED: [&str; 3] =
    ["station.vehicle[0].armed", "station.vehicle[1].armed", "station.vehicle[2].armed"];

fn armed(rig: Rig) -> [bool; 3] {
    let run = rig.run(seconds(3.0), &ARMED);
    ARMED.map(|output| run.samples::<bool>(output).last().expect("it is shown").1)
}

#[test]
fn an_order_is_for_the_vehicle_that_is_named() {
    let mut rig = three();
    rig.call::<_, Answer>(seconds(1.0), "station.arm", &ForVehicle { vehicle: 1, content: () });
    assert_eq!(armed(rig), [false, true, false]);
}

#[test]
fn an_order_may_be_for_all() {
    let mut rig = three();
    rig.call::<_, Answer>(seconds(1.0), "station.arm", &ForVehicle { vehicle: -1, content: () });
    assert_eq!(armed(rig), [true, true, true]);
}

#[test]
fn a_vehicle_that_is_not_there_ends_the_run() {
    let mut rig = three();
    rig.call::<_, Answer>(seconds(1.0), "station.arm", &ForVehicle { vehicle: 3, content: () });
    let said = rig.failure(seconds(2.0));
    let words = "arm: there is no vehicle 3: they are counted from 0 to 2, and -1 stands for all";
    assert!(said.contains(words), "{said}");
}
