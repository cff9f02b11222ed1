//! `network.serial-radio`: the bytes of a serial line over the air, as telemetry radios carry them.

use std::collections::VecDeque;

use ironbird_component::Component;
use ironbird_devices::SerialByte;
use ironbird_kernel::{
    Atomic, Context, Duration, EventIn, EventOut, Inputs, Outputs, RandomIn, SignalIn, SignalOut,
    Start, Time,
};
use serde::{Deserialize, Serialize};

use crate::propagation::{Propagation, SILENCE, distance, travel_time};
use crate::turns::Turns;
use crate::wire::BitRate;

/// A pair of telemetry radios between two serial lines, `a` and `b`.
///
/// Bytes that come in at `a.send` go out at `b.received`, and the other way round. A radio collects them until a packet
/// is full or its oldest byte has waited for `gather`. The radios are half duplex, by time division: they send in turn,
/// each in windows of its own, `a` first at time 0. A packet goes over the air with `overhead` bytes around it. How
/// strong it arrives follows from the distance, the link budget and fading; a packet with a wrong bit is lost with all
/// its bytes, and is not sent again. Bytes that find a buffer full are lost, and bytes at another baud rate too.
///
/// Positions are read whenever a byte is given to a radio.
#[derive(Component)]
#[component(
    type = "network.serial-radio",
    event_driven,
    start = Self::begin,
    check = Self::fits
)]
pub struct SerialRadio {
    /// Bits per second of both serial lines.
    #[parameter(default = 57_600, min = 300, max = 10_000_000, fixed)]
    baud: u32,
    /// Bits per second over the air.
    #[parameter(unit = "bit/s", default = 64e3, min = 1, max = 1e10)]
    bandwidth: f64,
    /// How long a radio may send before it is the turn of the other one. The default holds three full packets.
    #[parameter(unit = "s", default = 0.102, min = 1e-9, max = 3600)]
    window: f64,
    /// The end of a window that stays free.
    #[parameter(unit = "s", default = 1e-3, min = 0, max = 3600)]
    guard: f64,
    /// How long a byte waits for others to go with it.
    #[parameter(unit = "s", default = 5e-3, min = 0, max = 3600)]
    gather: f64,
    /// Bytes that go in one packet at most.
    #[parameter(default = 252, min = 1, max = 65_536)]
    packet: u32,
    /// Bytes that go over the air around each packet: preamble, header, check sequence.
    #[parameter(default = 16, min = 0, max = 65_536)]
    overhead: u32,
    /// Bytes that find room in a radio, for each direction.
    #[parameter(default = 2048, min = 1, max = 1e9)]
    buffer: u32,
    /// The way through the air.
    #[group]
    air: Propagation,
    /// Bytes from `a`.
    #[input(name = "a.send")]
    a_send: EventIn<SerialByte>,
    /// Bytes from `b`.
    #[input(name = "b.send")]
    b_send: EventIn<SerialByte>,
    /// Where the radio of `a` is.
    #[input(name = "a.position", unit = "m", frame = "ned", default = [0.0; 3])]
    a_position: SignalIn<[f64; 3]>,
    /// Where the radio of `b` is.
    #[input(name = "b.position", unit = "m", frame = "ned", default = [0.0; 3])]
    b_position: SignalIn<[f64; 3]>,
    /// Bytes for `a`.
    #[output(name = "a.received")]
    a_received: EventOut<SerialByte>,
    /// Bytes for `b`.
    #[output(name = "b.received")]
    b_received: EventOut<SerialByte>,
    /// Strength of the last packet that came to `a`, in dBm; -200 before.
    #[output(name = "a.rssi", initial = SILENCE)]
    a_rssi: SignalOut<f64>,
    /// Strength of the last packet that came to `b`, in dBm; -200 before.
    #[output(name = "b.rssi", initial = SILENCE)]
    b_rssi: SignalOut<f64>,
    /// Packets that `a` has sent.
    #[output(name = "a.sent", initial = 0)]
    a_sent: SignalOut<u64>,
    /// Packets that `b` has sent.
    #[output(name = "b.sent", initial = 0)]
    b_sent: SignalOut<u64>,
    /// Packets of `a` that got lost, counted when they are sent.
    #[output(name = "a.lost", initial = 0)]
    a_lost: SignalOut<u64>,
    /// Packets of `b` that got lost, counted when they are sent.
    #[output(name = "b.lost", initial = 0)]
    b_lost: SignalOut<u64>,
    /// Bytes from `a` that found no room or came at another rate.
    #[output(name = "a.dropped", initial = 0)]
    a_dropped: SignalOut<u64>,
    /// Bytes from `b` that found no room or came at another rate.
    #[output(name = "b.dropped", initial = 0)]
    b_dropped: SignalOut<u64>,
    #[random]
    a_fate: RandomIn,
    #[random]
    b_fate: RandomIn,
    directions: [Direction; 2],
    positions: [[f64; 3]; 2],
    /// The last transition, and whether it changed what the outputs show.
    now: Time,
    has_news: bool,
}

/// One way, from the serial line of one end to that of the other.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Direction {
    /// Bytes that wait for the air, and when each came.
    waiting: VecDeque<(Time, u8)>,
    /// When the last packet is over.
    free: Time,
    flights: VecDeque<Flight>,
    /// Bytes that wait for the serial line at the other end, and when the stop bit of the first is over.
    arrived: VecDeque<u8>,
    byte_due: Option<Time>,
    rssi: Option<f64>,
    sent: u64,
    lost: u64,
    dropped: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Flight {
    arrives: Time,
    strength: f64,
    bytes: Vec<u8>,
}

impl Direction {
    fn due(&self) -> Time {
        let arrives = self.flights.front().map_or(Time::NEVER, |flight| flight.arrives);
        self.byte_due.unwrap_or(Time::NEVER).min(arrives)
    }
}

impl SerialRadio {
    fn begin(&mut self, start: &mut Start<'_>) {
        self.now = start.now();
        self.positions = [*start.signal(self.a_position), *start.signal(self.b_position)];
    }

    fn fits(&self) -> Result<(), String> {
        let takes = self.on_air(self.packet as usize).1;
        if self.turns().fits(takes) {
            return Ok(());
        }
        Err(format!(
            "a packet of {} bytes takes {takes} at this bandwidth; with the guard time it must fit into the window of \
             {} s",
            self.packet, self.window
        ))
    }

    fn turns(&self) -> Turns {
        let time = |seconds| Duration::from_secs_f64_ceil(seconds).unwrap_or(Duration::ZERO);
        Turns { stations: 2, window: time(self.window), guard: time(self.guard) }
    }

    /// Bytes over the air, and how long they take.
    fn on_air(&self, bytes: usize) -> (u64, Duration) {
        let bytes = bytes as u64 + u64::from(self.overhead);
        (bytes, BitRate::new(self.bandwidth).time(bytes))
    }

    fn byte_time(&self) -> Duration {
        let bits = u128::from(SerialByte::BITS) * 1_000_000_000_000;
        Duration::from_ps(bits.div_ceil(u128::from(self.baud)) as u64)
    }

    /// How many bytes the next packet of an end has.
    fn next_packet(&self, number: usize) -> usize {
        self.directions[number].waiting.len().min(self.packet as usize)
    }

    /// When the next packet of an end begins.
    fn begins(&self, number: usize) -> Time {
        let direction = &self.directions[number];
        let Some((oldest, _)) = direction.waiting.front() else { return Time::NEVER };
        let is_full = direction.waiting.len() >= self.packet as usize;
        let gather = Duration::from_secs_f64_ceil(self.gather).unwrap_or(Duration::ZERO);
        let ready = if is_full { self.now } else { *oldest + gather };
        let (_, takes) = self.on_air(self.next_packet(number));
        let earliest = ready.max(direction.free).max(self.now);
        self.turns().begin(number as u64, earliest, takes)
    }

    fn go_on(&mut self, context: &mut Context<'_>) {
        self.now = context.now();
        for number in 0..2 {
            while self.begins(number) <= self.now {
                self.send(context, number);
            }
        }
    }

    fn send(&mut self, context: &mut Context<'_>, number: usize) {
        let count = self.next_packet(number);
        let (on_air, takes) = self.on_air(count);
        let metres = distance(self.positions[0], self.positions[1]);
        let fate = context.random([self.a_fate, self.b_fate][number]);
        let reception = self.air.receive(metres, on_air, fate);
        let direction = &mut self.directions[number];
        let bytes = direction.waiting.drain(..count).map(|(_, byte)| byte).collect();
        direction.free = self.now + takes;
        direction.sent += 1;
        if reception.is_right {
            let arrives = direction.free + travel_time(metres);
            let last = direction.flights.back().map_or(arrives, |flight| flight.arrives);
            let (arrives, strength) = (arrives.max(last), reception.strength);
            direction.flights.push_back(Flight { arrives, strength, bytes });
        } else {
            direction.lost += 1;
        }
        self.has_news = true;
    }
}

impl Atomic for SerialRadio {
    fn time_advance(&self) -> Duration {
        if self.has_news {
            return Duration::ZERO;
        }
        let dues = (0..2).map(|number| self.begins(number).min(self.directions[number].due()));
        match dues.fold(Time::NEVER, Time::min) {
            Time::NEVER => Duration::FOREVER,
            due => due.since(self.now),
        }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        let (now, byte_time) = (out.now(), self.byte_time());
        let received = [self.b_received, self.a_received];
        for (direction, port) in self.directions.iter_mut().zip(received) {
            if direction.byte_due.is_some_and(|due| due <= now) {
                if let Some(byte) = direction.arrived.pop_front() {
                    out.send(port, SerialByte { byte, baud: self.baud });
                }
                direction.byte_due = (!direction.arrived.is_empty()).then(|| now + byte_time);
            }
            while direction.flights.front().is_some_and(|flight| flight.arrives <= now) {
                let Some(flight) = direction.flights.pop_front() else { break };
                direction.rssi = Some(flight.strength);
                let room = (self.buffer as usize).saturating_sub(direction.arrived.len());
                direction.dropped += flight.bytes.len().saturating_sub(room) as u64;
                direction.arrived.extend(flight.bytes.into_iter().take(room));
                if !direction.arrived.is_empty() {
                    direction.byte_due.get_or_insert(now + byte_time);
                }
            }
        }
        let [a, b] = &self.directions;
        out.write(self.a_rssi, b.rssi.unwrap_or(SILENCE));
        out.write(self.b_rssi, a.rssi.unwrap_or(SILENCE));
        for (port, count) in [
            (self.a_sent, a.sent),
            (self.b_sent, b.sent),
            (self.a_lost, a.lost),
            (self.b_lost, b.lost),
            (self.a_dropped, a.dropped),
            (self.b_dropped, b.dropped),
        ] {
            out.write(port, count);
        }
    }

    fn internal(&mut self, context: &mut Context<'_>) {
        self.has_news = false;
        self.go_on(context);
    }

    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        self.positions = [*inputs.signal(self.a_position), *inputs.signal(self.b_position)];
        let ends = [self.a_send, self.b_send];
        for (direction, send) in self.directions.iter_mut().zip(ends) {
            for byte in inputs.events(send) {
                let has_room = direction.waiting.len() < self.buffer as usize;
                if has_room && byte.is_readable_at(self.baud) {
                    direction.waiting.push_back((context.now(), byte.byte));
                } else {
                    direction.dropped += 1;
                    self.has_news = true;
                }
            }
        }
        self.go_on(context);
    }
}
