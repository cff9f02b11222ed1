//! Whatever a host does and whatever the world is, a chip goes on.

use ironbird_devices::{
    Ak8963, BusKind, Device, Esc, Gnss, Mpu9250, Ms5611, Pca9685, Quantity, SerialByte, Servo,
};
use ironbird_kernel::{Duration, Parameter};
use proptest::prelude::*;

use crate::bench::Bench;

#[derive(Clone, Debug)]
enum Deed {
    Transfer(u8, Vec<u8>, usize),
    Bytes(Vec<u8>),
    Pulse(u32),
    Reading(usize, [f64; 3]),
    Wait(u64),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let chip = prop_oneof![Just(0u8), Just(0x0C), Just(0x40), Just(0x68), Just(0x76), any::<u8>()];
    let written = prop::collection::vec(any::<u8>(), 0..20);
    // Commands that a receiver could know, and others.
    let command = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        "\\$PMTK(220|251),[0-9]{1,12}\\*[0-9A-F]{2}\r\n".prop_map(String::into_bytes),
        "\\$PUBX,41,1,0007,0003,[0-9]{1,11},0\\*[0-9A-F]{2}\r\n".prop_map(String::into_bytes),
    ];
    let deed = prop_oneof![
        4 => (chip, written, 0usize..40).prop_map(|(chip, written, read)| Deed::Transfer(chip, written, read)),
        1 => command.prop_map(Deed::Bytes),
        1 => any::<u32>().prop_map(Deed::Pulse),
        1 => (0usize..7, prop::array::uniform3(any::<f64>())).prop_map(|(q, v)| Deed::Reading(q, v)),
        3 => (0u64..3000).prop_map(Deed::Wait),
        1 => (0u64..150_000).prop_map(Deed::Wait),
    ];
    prop::collection::vec(deed, 0..120)
}

const QUANTITIES: [Quantity; 7] = [
    Quantity::AngularVelocity,
    Quantity::SpecificForce,
    Quantity::MagneticField,
    Quantity::Pressure,
    Quantity::Temperature,
    Quantity::Position,
    Quantity::Velocity,
];

fn endure<D: Device>(bus: BusKind, settings: &[(&str, Parameter)], deeds: &[Deed]) {
    let mut chip = Bench::<D>::new(bus, 0, settings);
    chip.wait(Duration::from_ms(5));
    for deed in deeds {
        match deed {
            Deed::Transfer(to, written, read) => {
                if let Some(answer) = chip.transfer(*to, written, *read) {
                    let length = if bus == BusKind::Spi { written.len() } else { *read };
                    assert_eq!(answer.len(), length);
                }
            }
            Deed::Bytes(bytes) => {
                bytes.iter().for_each(|byte| chip.byte(SerialByte { byte: *byte, baud: 38_400 }));
            }
            Deed::Pulse(nanoseconds) => {
                let width = Duration::from_ns((*nanoseconds).into());
                chip.pulse(width.min(Duration::from_ps(chip.now.as_ps())));
            }
            Deed::Reading(index, values) => {
                let quantity = QUANTITIES[*index];
                if D::MEASURES.contains(&quantity) {
                    chip.reading(quantity, *values);
                }
            }
            Deed::Wait(microseconds) => chip.wait_us(*microseconds),
        }
        for (index, shown) in D::SHOWS.iter().enumerate() {
            assert!(chip.show(index).is_finite(), "{}", shown.name);
        }
    }
}

proptest! {
    #[test]
    fn chips_endure_everything(deeds in deeds()) {
        let on_i2c = |address: i64| {
            [("bus", Parameter::Text("i2c".into())), ("chip", Parameter::Integer(address))]
        };
        endure::<Ms5611>(BusKind::Spi, &[], &deeds);
        endure::<Ms5611>(BusKind::I2c, &on_i2c(0x76), &deeds);
        endure::<Mpu9250>(BusKind::Spi, &[], &deeds);
        endure::<Mpu9250>(BusKind::I2c, &on_i2c(0x68), &deeds);
        endure::<Ak8963>(BusKind::I2c, &[], &deeds);
        endure::<Pca9685>(BusKind::I2c, &[], &deeds);
        endure::<Gnss>(BusKind::Spi, &[], &deeds);
        endure::<Esc>(BusKind::Spi, &[], &deeds);
        endure::<Servo>(BusKind::Spi, &[], &deeds);
    }
}
