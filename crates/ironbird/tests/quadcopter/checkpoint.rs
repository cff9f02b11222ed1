//! A drone that is saved while its firmware is in the middle of something, and goes on.

use ironbird_component::Place;
use ironbird_kernel::{Graph, Link, Parameter, Rate, Time};
use ironbird_test_rig::assert_goes_on_after_a_checkpoint;

use crate::study::folder;

/// A computer with its chips in a world, wired without an experiment file.
fn drone() -> Graph {
    let registry = ironbird::registry().expect("all types have names of their own");
    let mut graph = Graph::new();
    let root = graph.root();
    let file = |name: &str| {
        Parameter::Text(folder("quadcopter").join(name).to_string_lossy().into_owned())
    };
    let text = |text: &str| Parameter::Text(text.into());
    let mut add = |name: &str, kind: &str, rate: Option<u64>, settings: Vec<(&str, Parameter)>| {
        let settings = settings.into_iter().map(|(path, value)| (path.to_owned(), value));
        let place = Place { folder: std::path::Path::new(".") };
        let found = registry.get(kind).expect("a known type");
        let instance = found.instantiate(&settings.collect(), &place).expect("it can be made");
        let rate = rate.map(Rate::hz);
        instance.add_to(&mut graph, root, name, rate).expect("it can be added")
    };
    let firmware = file("../../firmware/bin/multirotor.elf");
    let upsets = ("upsets", Parameter::Real(0.5));
    let computer = add("computer", "computer", None, vec![("firmware", firmware), upsets]);
    let imu = add("imu", "device.mpu9250", None, vec![]);
    let i2c = vec![("bus", text("i2c")), ("chip", Parameter::Integer(0x77))];
    let barometer = add("barometer", "device.ms5611", None, i2c);
    let gnss = add("gnss", "device.gnss", None, vec![("baud", Parameter::Integer(115_200))]);
    let place = add(
        "place",
        "adapter.ned-to-geodetic",
        Some(20),
        vec![
            ("origin.latitude", Parameter::Real(0.827)),
            ("origin.longitude", Parameter::Real(0.149)),
            ("origin.height", Parameter::Real(488.0)),
        ],
    );
    let escs: Vec<_> =
        (1..=4).map(|n| add(&format!("esc_{n}"), "device.esc", None, vec![])).collect();
    let world = add("world", "world", Some(1000), vec![("file", file("world-1.toml"))]);
    let mut link =
        |from: ironbird_kernel::PortRef<'_>, to: ironbird_kernel::PortRef<'_>, link: Link| {
            graph.link(from, to, link).expect("ports that fit");
        };
    for (chip, bus) in [(imu, "spi[0]"), (barometer, "i2c[0]")] {
        link(computer.port(&format!("{bus}.request")), chip.port("request"), Link::direct());
        link(chip.port("reply"), computer.port(&format!("{bus}.reply")), Link::direct());
    }
    link(gnss.port("sent"), computer.port("uart[1].received"), Link::direct());
    link(computer.port("uart[1].sent"), gnss.port("received"), Link::direct());
    let sensed = [
        (imu, "angular_velocity"),
        (imu, "specific_force"),
        (imu, "magnetic_field"),
        (barometer, "pressure"),
        (barometer, "temperature"),
        (gnss, "velocity"),
        (place, "position"),
    ];
    for (chip, what) in sensed {
        let truth = format!("drone[0].{what}");
        link(world.port(&truth), chip.port(what), Link::direct().previous());
    }
    link(place.port("position"), gnss.port("position"), Link::direct());
    for (number, esc) in escs.into_iter().enumerate() {
        link(computer.port(&format!("pwm[{number}]")), esc.port("pulse"), Link::direct());
        let motor = format!("drone[0].motor_{}", number + 1);
        link(esc.port("speed"), world.port(&motor), Link::direct().previous());
    }
    graph
}

#[test]
fn a_checkpoint_in_the_middle_changes_no_bit() {
    // In the middle of boot, of a transfer, and of the main loop.
    for middle in [52_345_678_901, 1_234_567_890_123] {
        let (middle, end) = (Time::from_ps(middle), Time::from_ps(1_600_000_000_000));
        assert_goes_on_after_a_checkpoint(drone, middle, end);
    }
}
