//! `network.link`: a cable between two.

use std::collections::VecDeque;

use ironbird_component::Component;
use ironbird_kernel::{
    Atomic, Context, Duration, EventIn, EventOut, Inputs, Outputs, RandomIn, RandomStream,
    SignalOut, Time,
};
use serde::{Deserialize, Serialize};

use crate::EthernetFrame;
use crate::held::Held;
use crate::transmitter::{Queue, Transmitter};
use crate::wire::{BitRate, checked_bytes};

/// A full-duplex Ethernet between two ends, `a` and `b`.
///
/// What comes in at `a.send` goes out at `b.received` when its last bit has arrived, and the other way round. Each
/// direction has a line and a queue of its own. A frame takes the line for its preamble (8 bytes), its bytes (at
/// least 60), its check sequence (4) and the pause behind it (12). A frame that is lost takes the line as long as one
/// that arrives.
///
/// With a bandwidth of 0 the link takes no time of its own beside its latency: for senders that take the time
/// themselves, as the port of a switch does. Frames never overtake each other. A link that is stopped by a scenario is
/// a cable that is pulled out.
#[derive(Component)]
#[component(type = "network.link", event_driven)]
pub struct Link {
    /// Bits per second, each way; 0: no limit.
    #[parameter(unit = "bit/s", default = 100e6, min = 0, max = 1e12)]
    bandwidth: f64,
    /// How long a bit travels.
    #[parameter(unit = "s", default = 1e-6, min = 0, max = 3600)]
    latency: f64,
    /// The longest time by which a frame comes later than that; each gets a share of its own, all equally likely.
    #[parameter(unit = "s", default = 0.0, min = 0, max = 3600)]
    jitter: f64,
    /// Probability that a frame gets lost.
    #[parameter(default = 0.0, min = 0, max = 1)]
    loss: f64,
    /// Probability that a bit is wrong. A frame with a wrong bit fails its check, and is lost.
    #[parameter(default = 0.0, min = 0, below = 1)]
    bit_error_rate: f64,
    /// What waits at each end.
    #[group]
    queue: Queue,
    /// Frames from `a`.
    #[input(name = "a.send")]
    a_send: EventIn<EthernetFrame>,
    /// Frames from `b`.
    #[input(name = "b.send")]
    b_send: EventIn<EthernetFrame>,
    /// Frames for `a`.
    #[output(name = "a.received")]
    a_received: EventOut<EthernetFrame>,
    /// Frames for `b`.
    #[output(name = "b.received")]
    b_received: EventOut<EthernetFrame>,
    /// Frames from `a` whose sending has begun.
    #[output(name = "a.sent", initial = 0)]
    a_sent: SignalOut<u64>,
    /// Frames from `b` whose sending has begun.
    #[output(name = "b.sent", initial = 0)]
    b_sent: SignalOut<u64>,
    /// Frames from `a` that arrived.
    #[output(name = "a.delivered", initial = 0)]
    a_delivered: SignalOut<u64>,
    /// Frames from `b` that arrived.
    #[output(name = "b.delivered", initial = 0)]
    b_delivered: SignalOut<u64>,
    /// Frames from `a` that found the queue full.
    #[output(name = "a.dropped", initial = 0)]
    a_dropped: SignalOut<u64>,
    /// Frames from `b` that found the queue full.
    #[output(name = "b.dropped", initial = 0)]
    b_dropped: SignalOut<u64>,
    /// Frames from `a` that got lost on the way, counted when their sending begins.
    #[output(name = "a.lost", initial = 0)]
    a_lost: SignalOut<u64>,
    /// Frames from `b` that got lost on the way, counted when their sending begins.
    #[output(name = "b.lost", initial = 0)]
    b_lost: SignalOut<u64>,
    /// Share of the time so far for which the line from `a` was taken; written with each change.
    #[output(name = "a.busy", initial = 0.0)]
    a_busy: SignalOut<f64>,
    /// Share of the time so far for which the line from `b` was taken; written with each change.
    #[output(name = "b.busy", initial = 0.0)]
    b_busy: SignalOut<f64>,
    #[random]
    a_fate: RandomIn,
    #[random]
    b_fate: RandomIn,
    directions: [Direction; 2],
    /// The last transition, and whether it changed what the outputs show.
    now: Time,
    has_news: bool,
}

/// One way through the link.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Direction {
    line: Transmitter,
    /// Frames that have left, and when they arrive.
    flying: VecDeque<(Time, Held)>,
    sent: u64,
    delivered: u64,
    dropped: u64,
    lost: u64,
}

impl Direction {
    fn due(&self) -> Time {
        let arrives = self.flying.front().map_or(Time::NEVER, |(arrives, _)| *arrives);
        self.line.due().min(arrives)
    }
}

impl Link {
    /// Whether a frame of so many bytes gets lost: 1 - (1 - loss)(1 - e)^bits, with e the bit error rate.
    fn is_lost(&self, bytes: u64, fate: &mut RandomStream) -> bool {
        let all_right = libm::exp(8.0 * bytes as f64 * libm::log1p(-self.bit_error_rate));
        // Both are drawn for each frame: to change one does not change the fate that the other one decides.
        let (is_taken, is_wrong) = (fate.chance(self.loss), fate.uniform() >= all_right);
        is_taken || is_wrong
    }

    /// Lets frames begin that may.
    fn go_on(&mut self, context: &mut Context<'_>) {
        let now = context.now();
        let rate = BitRate::new(self.bandwidth);
        let latency = Duration::from_secs_f64_ceil(self.latency).unwrap_or(Duration::ZERO);
        for (number, fate) in [self.a_fate, self.b_fate].into_iter().enumerate() {
            while let Some(departure) = self.directions[number].line.begin(rate, now) {
                let fate = context.random(fate);
                let is_lost = self.is_lost(checked_bytes(&departure.frame.bytes), fate);
                let late = Duration::from_secs_f64_ceil(self.jitter * fate.uniform());
                let arrives = departure.left + latency + late.unwrap_or(Duration::ZERO);
                let direction = &mut self.directions[number];
                direction.sent += 1;
                if is_lost {
                    direction.lost += 1;
                } else {
                    let last = direction.flying.back().map_or(arrives, |(last, _)| *last);
                    direction.flying.push_back((arrives.max(last), Held(departure.frame)));
                }
                self.has_news = true;
            }
        }
        self.now = now;
    }
}

impl Atomic for Link {
    fn time_advance(&self) -> Duration {
        if self.has_news {
            return Duration::ZERO;
        }
        match self.directions[0].due().min(self.directions[1].due()) {
            Time::NEVER => Duration::FOREVER,
            due => due.since(self.now),
        }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        let now = out.now();
        for (direction, received) in
            self.directions.iter_mut().zip([self.b_received, self.a_received])
        {
            while direction.flying.front().is_some_and(|(arrives, _)| *arrives <= now) {
                if let Some((_, Held(frame))) = direction.flying.pop_front() {
                    direction.delivered += 1;
                    out.send(received, frame);
                }
            }
        }
        let [a, b] = &self.directions;
        for (port, count) in [
            (self.a_sent, a.sent),
            (self.b_sent, b.sent),
            (self.a_delivered, a.delivered),
            (self.b_delivered, b.delivered),
            (self.a_dropped, a.dropped),
            (self.b_dropped, b.dropped),
            (self.a_lost, a.lost),
            (self.b_lost, b.lost),
        ] {
            out.write(port, count);
        }
        out.write(self.a_busy, a.line.busy(now));
        out.write(self.b_busy, b.line.busy(now));
    }

    fn internal(&mut self, context: &mut Context<'_>) {
        self.has_news = false;
        self.go_on(context);
    }

    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        let ends = [self.a_send, self.b_send];
        for (direction, send) in self.directions.iter_mut().zip(ends) {
            for frame in inputs.events(send) {
                if !direction.line.offer(frame, &self.queue, context.now()) {
                    direction.dropped += 1;
                    self.has_news = true;
                }
            }
        }
        self.go_on(context);
    }
}
