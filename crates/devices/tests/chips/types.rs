//! What chips say of themselves, and to what they can be linked.

use ironbird_component::{Direction, Registry, compatible};

fn registry() -> Registry {
    let mut registry = Registry::with_builtin();
    ironbird_devices::register(&mut registry).expect("names of their own");
    ironbird_kinematics::register(&mut registry).expect("names of their own");
    registry
}

const CHIPS: [&str; 7] = [
    "device.ms5611",
    "device.mpu9250",
    "device.ak8963",
    "device.gnss",
    "device.pca9685",
    "device.esc",
    "device.servo",
];

#[test]
fn every_parameter_and_every_port_is_explained() {
    let registry = registry();
    for chip in CHIPS {
        let description = registry.get(chip).expect("a known type").description().clone();
        assert!(description.saves_state && !description.foreign && description.doc.len() > 40);
        assert!(description.parameters.iter().all(|parameter| !parameter.doc.is_empty()), "{chip}");
        let interface = description.interface.expect("the same for all");
        assert!(interface.ports.iter().all(|port| !port.doc.is_empty()), "{chip}");
    }
}

#[test]
fn a_chip_has_the_parameters_of_its_own_faults_only() {
    let registry = registry();
    let of_faults = |chip: &str| {
        let description = registry.get(chip).expect("a known type").description().clone();
        let names = description.parameters.into_iter().map(|parameter| parameter.path);
        names.filter(|name| name.starts_with("fault.")).collect::<Vec<String>>()
    };
    assert_eq!(of_faults("device.esc"), ["fault.mode", "fault.duty", "fault.mean_time"]);
    assert_eq!(of_faults("device.ak8963").len(), 5);
    assert_eq!(of_faults("device.gnss").len(), 6);
    let help = ironbird_component::help_text(registry.get("device.esc").unwrap().description());
    assert!(help.contains("one of \"none\", \"dead\", \"stuck\", \"intermittent\";"), "{help}");
}

#[test]
fn a_receiver_can_be_linked_to_the_adapter_of_places() {
    let registry = registry();
    let port = |type_name: &str, name: &str, direction: Direction| {
        let description = registry.get(type_name).expect("a known type").description().clone();
        let interface = description.interface.expect("the same for all");
        let found = interface.ports.iter().find(|p| p.name == name && p.direction == direction);
        found.expect("a port of this name").clone()
    };
    let place = port("adapter.ned-to-geodetic", "position", Direction::Output);
    let antenna = port("device.gnss", "position", Direction::Input);
    assert!(compatible(&place, &antenna).is_ok());
}
