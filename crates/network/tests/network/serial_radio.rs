//! Telemetry radios carry bytes in packets, and lose them in packets.

use ironbird_component::{Component, Registry, RegistryError};
use ironbird_devices::SerialByte;
use ironbird_kernel::{
    Atomic, Context, Duration, EventOut, Inputs, Outputs, Parameter, SignalOut, Time,
};
use ironbird_test_rig::{Rig, Run, Setting, assert_goes_on_after_a_checkpoint, real, seconds};

use crate::talker::count;

/// Sends `amount` bytes at a rate, one after the other, 0, 1, 2 and so on.
#[derive(Component)]
#[component(type = "test.line", event_driven)]
struct SerialTalker {
    #[parameter(default = 100)]
    amount: u32,
    #[parameter(default = 57_600)]
    baud: u32,
    #[output]
    out: EventOut<SerialByte>,
    #[output(initial = 0)]
    done: SignalOut<u32>,
    sent: u32,
}

impl Atomic for SerialTalker {
    fn time_advance(&self) -> Duration {
        if self.sent < self.amount {
            Duration::from_ps(10_000_000_000_000 / u64::from(self.baud))
        } else {
            Duration::FOREVER
        }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        out.send(self.out, SerialByte { byte: self.sent as u8, baud: self.baud });
        out.write(self.done, self.sent + 1);
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.sent += 1;
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}

fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<SerialTalker>()
}

fn whole(number: i64) -> Parameter {
    Parameter::Integer(number)
}

/// Two radios so many metres apart; `a` sends.
fn apart(metres: f64, radio: &[Setting<'_>], talker: &[Setting<'_>]) -> Rig {
    let mut rig = Rig::of(&[ironbird_network::register, register]);
    rig.add("radio", "network.serial-radio", radio);
    rig.script("place", &[(seconds(0.0), [metres, 0.0, 0.0])]);
    rig.link("place.out", "radio.b.position");
    rig.add("talker", "test.line", talker);
    rig.link("talker.out", "radio.a.send");
    rig
}

const OUTPUTS: [&str; 5] =
    ["radio.b.received", "radio.b.rssi", "radio.a.sent", "radio.a.lost", "radio.a.dropped"];

fn bytes(run: &Run) -> Vec<(Time, u8)> {
    let bytes = run.samples::<SerialByte>(OUTPUTS[0]).into_iter();
    bytes.map(|(time, byte)| (time, byte.byte)).collect()
}

#[test]
fn bytes_come_out_as_they_went_in() {
    let run = apart(100.0, &[], &[("amount", whole(1000))]).run(seconds(3.0), &OUTPUTS);
    let seen: Vec<u8> = bytes(&run).into_iter().map(|(_, byte)| byte).collect();
    let sent: Vec<u8> = (0..1000).map(|number: u32| number as u8).collect();
    assert_eq!(seen, sent);
    assert_eq!(count(&run, "radio.a.dropped"), 0);
}

#[test]
fn a_byte_takes_the_time_of_gathering_of_the_air_and_of_the_line() {
    let run = apart(0.0, &[], &[("amount", whole(1))]).run(seconds(1.0), &OUTPUTS);
    let [(time, 0)] = bytes(&run)[..] else { panic!("one byte") };
    // A byte of the line, 5 ms of gathering, 17 bytes at 64 kbit/s, nothing for the way (1 m at least counts for the
    // strength only), and a byte of the line.
    let in_line = 10_000_000_000_000 / 57_600;
    let out_line = in_line + 1;
    assert_eq!(time.as_ps(), in_line + 5_000_000_000 + 17 * 125_000_000 + out_line);
}

#[test]
fn more_than_the_air_carries_overflows() {
    // 5760 bytes/s go in; three packets of 252 bytes go over the air in 204 ms, which are 3706 bytes/s.
    let run = apart(100.0, &[], &[("amount", whole(57_600))]).run(seconds(12.0), &OUTPUTS);
    let (dropped, seen) = (count(&run, "radio.a.dropped"), bytes(&run).len() as u64);
    assert_eq!(seen + dropped, 57_600);
    assert!((17_500..19_500).contains(&dropped), "{dropped}");
}

#[test]
fn bytes_at_another_rate_are_noise() {
    let run = apart(100.0, &[], &[("baud", whole(115_200))]).run(seconds(1.0), &OUTPUTS);
    assert_eq!((bytes(&run).len(), count(&run, "radio.a.dropped")), (0, 100));
}

#[test]
fn far_away_whole_packets_are_missing() {
    let settings = [("packet", whole(50))];
    let talker = [("amount", whole(20_000))];
    let run = apart(28_000.0, &settings, &talker).run(seconds(30.0), &OUTPUTS);
    let (sent, lost) = (count(&run, "radio.a.sent"), count(&run, "radio.a.lost"));
    assert!(lost > sent / 10 && lost < sent * 9 / 10, "{lost} of {sent}");
    let run = apart(200_000.0, &settings, &talker).run(seconds(10.0), &OUTPUTS);
    assert!(bytes(&run).is_empty());
}

#[test]
fn a_window_must_hold_a_packet() {
    let rig = Rig::of(&[ironbird_network::register]);
    let said = rig.refusal("network.serial-radio", &[("bandwidth", real(8e3))]);
    assert_eq!(
        said,
        "a packet of 252 bytes takes 0.268 s at this bandwidth; with the guard time it must fit into the window of 0.102 s"
    );
}

#[test]
fn saved_radios_go_on_with_the_same_bits() {
    let graph = || apart(25_000.0, &[], &[("amount", whole(5_000))]).into_graph();
    assert_goes_on_after_a_checkpoint(graph, seconds(0.345_6), seconds(2.0));
}
