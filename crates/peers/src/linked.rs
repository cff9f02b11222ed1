//! How a component keeps step with the simulator behind its link.
//!
//! Let L be the latency of the link and S its synchronisation interval, S ≤ L. What a side says at t is due at the other
//! at t + L, and it says something at least every S. The component is event-driven. At each of its instants t it
//!
//! 1. *tells*: sends what is to be sent, and the time where that is due;
//! 2. *hears*: waits until the peer has promised that nothing more comes up to t, and takes what is due at t;
//! 3. *shows* what it heard at its outputs,
//!
//! each in a cycle of its own; then it rests until the earliest of the peer's promise, the time of its own next word, and
//! what the upper layer plans. What arrives at its inputs at t is sent at once.
//!
//! **Nobody waits for ever.** A component never waits for what a peer does later than now. Take the earliest instant t at
//! which somebody waits. All that the thread had to do before t is done, and of t all have told before the first one
//! hears, since a cycle is complete before the next begins. So each of the thread's links has promised more than t: one
//! that told at s < t rests, and t < s + S ≤ s + L. Peers that keep the same rule are not before t themselves, or are
//! held back by nobody here, and each has promised more than t - S + L ≥ t as well. A component that waited for a later
//! time would keep the other components of its thread from telling theirs, and a peer with two links to this process
//! would wait for the one while this process waits for the other. For the same reason a model that runs ahead would not
//! do. Partitions are no exception: what one promises to others covers the instants that it is about to execute.
//!
//! **The same run every time.** What comes out at t depends on messages and their time stamps only, in the order of the
//! queue; how long anything took does not matter. So a link that is not synchronised is refused.
//!
//! The handshake begins at the component's first instant and not when it is made, so that checking an experiment starts
//! nothing. The first cycle begins it, with the listening socket, the second awaits it: by then all links of a thread
//! listen or look for their peers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ironbird_component::{PortDescription, ValueType};
use ironbird_kernel::{
    Atomic, Context, Duration, EventOut, Inputs, Model, Outputs, PortKind, Ports, SignalOut, Start,
    Time,
};
use ironbird_simbricks::Message;

use crate::line::{Greeting, Handshake, Line, Plan, Trouble};
use crate::traffic::{self, LinkMessage};

/// The outputs that every component with a link has.
pub(crate) fn common_ports() -> [PortDescription; 2] {
    let ended = PortDescription::output("ended", PortKind::Signal, ValueType::of::<bool>());
    [ended.doc("Whether the peer has said that nothing more comes from it."), traffic::port()]
}

/// An upper layer as a component: what is said, and what becomes of what is heard. Times are those of the link, in
/// picoseconds since the component's start.
pub(crate) trait Talk: Send + 'static {
    /// What a message says.
    type Content;

    /// Declares its ports.
    fn ports(&mut self, ports: &mut Ports);

    /// Before the first instant.
    fn start(&mut self, start: &Start<'_>) {
        let _ = start;
    }

    /// What is said first, on another thread.
    fn greeting(&self) -> Greeting;

    /// Keeps what has arrived at the inputs.
    fn collect(&mut self, inputs: &Inputs<'_>);

    /// Says what is to be said up to `now`.
    fn speak(&mut self, now: u64, line: &mut Line) -> Result<(), Trouble>;

    /// Reads a message.
    fn read(message: &Message<'_>) -> Result<Self::Content, Trouble>;

    /// Takes what is due at `now`.
    fn take(&mut self, now: u64, content: Self::Content, line: &mut Line) -> Result<(), Trouble>;

    /// When it wants to speak next.
    fn next(&self) -> u64 {
        u64::MAX
    }

    /// Whether there is something to show.
    fn has_news(&self) -> bool;

    /// Shows it; afterwards there is no news.
    fn show(&mut self, out: &mut Outputs<'_>);
}

enum State {
    /// Nothing was begun yet.
    Planned(Box<Plan>),
    Awaited(Handshake),
    /// It is to hear.
    Hears(Line),
    /// It is to show, or rests.
    Rests(Line),
    /// It cannot go on.
    Lost,
}

/// A component that talks over a link.
pub(crate) struct Linked<T> {
    talk: T,
    state: State,
    /// When the component started: zero for the link.
    epoch: Time,
    now: u64,
    /// The next instant, if nothing arrives.
    next: u64,
    ended: Option<SignalOut<bool>>,
    messages: Option<EventOut<LinkMessage>>,
    is_end_shown: bool,
    /// Nobody wants to wait any more.
    abandoned: Arc<AtomicBool>,
}

impl<T: Talk> Linked<T> {
    pub fn new(plan: Plan, talk: T) -> Self {
        Linked {
            talk,
            state: State::Planned(Box::new(plan)),
            epoch: Time::ZERO,
            now: 0,
            next: 0,
            ended: None,
            messages: None,
            is_end_shown: false,
            abandoned: Arc::default(),
        }
    }

    fn has_ended(&self) -> bool {
        match &self.state {
            State::Hears(line) | State::Rests(line) => line.endpoint().has_ended(),
            _ => false,
        }
    }

    fn has_news(&self) -> bool {
        let is_traffic = match &self.state {
            State::Hears(line) | State::Rests(line) => line.has_traffic(),
            _ => false,
        };
        is_traffic || self.talk.has_news() || self.has_ended() != self.is_end_shown
    }

    /// One cycle of the rule above.
    fn advance(&mut self) -> Result<(), Trouble> {
        let now = self.now;
        self.state = match std::mem::replace(&mut self.state, State::Lost) {
            State::Planned(plan) => {
                let abandoned = self.abandoned.clone();
                State::Awaited(Handshake::begin(*plan, self.talk.greeting(), abandoned)?)
            }
            State::Awaited(handshake) => {
                let mut line = handshake.finish()?;
                self.talk.speak(now, &mut line)?;
                State::Hears(line)
            }
            State::Hears(mut line) => {
                while let Some(content) = line.next(now, T::read)? {
                    self.talk.take(now, content, &mut line)?;
                }
                State::Rests(line)
            }
            State::Rests(mut line) => {
                self.talk.speak(now, &mut line)?;
                line.sync(now)?;
                // Nothing can be due where the peer has promised more already.
                match line.endpoint().horizon() > now {
                    true => State::Rests(line),
                    false => State::Hears(line),
                }
            }
            State::Lost => State::Lost,
        };
        Ok(())
    }

    /// Decides when to go on.
    fn plan_next(&mut self) {
        self.next = match &self.state {
            State::Planned(_) | State::Awaited(_) | State::Hears(_) => self.now,
            State::Rests(_) if self.has_news() => self.now,
            State::Rests(line) if line.endpoint().has_ended() => u64::MAX,
            State::Rests(line) => {
                let endpoint = line.endpoint();
                endpoint.horizon().min(endpoint.next_sync()).min(self.talk.next()).max(self.now)
            }
            State::Lost => u64::MAX,
        };
    }

    /// Goes to the present, does something, and faults the run if that fails.
    fn at_present(
        &mut self,
        context: &mut Context<'_>,
        act: impl FnOnce(&mut Self) -> Result<(), Trouble>,
    ) {
        self.now = context.now().since(self.epoch).as_ps();
        if let State::Planned(_) = self.state {
            self.abandoned = context.abandoned();
        }
        if let Err(Trouble(why)) = act(self) {
            self.state = State::Lost;
            context.fail(why);
        }
        self.plan_next();
    }
}

impl<T: Talk> Model for Linked<T> {
    fn ports(&mut self, ports: &mut Ports) {
        self.talk.ports(ports);
        self.ended = Some(ports.signal_out("ended", false));
        self.messages = Some(ports.event_out("messages"));
    }

    fn initialize(&mut self, start: &mut Start<'_>) {
        self.epoch = start.now();
        self.talk.start(start);
    }

    fn waited(&self) -> Option<(String, u64)> {
        let (State::Hears(line) | State::Rests(line)) = &self.state else { return None };
        let name = format!("the link {}", line.endpoint().name());
        Some((name, line.waited().as_nanos() as u64))
    }
}

impl<T: Talk> Atomic for Linked<T> {
    fn time_advance(&self) -> Duration {
        match self.next {
            u64::MAX => Duration::FOREVER,
            next => Duration::from_ps(next - self.now),
        }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        // Called before the state changes: news are there only if they were heard in the cycle before.
        if !matches!(self.state, State::Rests(_)) || !self.has_news() {
            return;
        }
        self.talk.show(out);
        if let (State::Rests(line), Some(messages)) = (&mut self.state, self.messages)
            && let Some(traffic) = line.traffic()
        {
            traffic.take().for_each(|message| out.send(messages, message));
        }
        if let Some(ended) = self.ended
            && self.has_ended()
            && !std::mem::replace(&mut self.is_end_shown, true)
        {
            out.write(ended, true);
        }
    }

    fn internal(&mut self, context: &mut Context<'_>) {
        self.at_present(context, Self::advance);
    }

    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        self.at_present(context, |linked| {
            linked.talk.collect(inputs);
            match &mut linked.state {
                State::Hears(line) | State::Rests(line) => {
                    linked.talk.speak(linked.now, line)?;
                    line.endpoint().ring_surely();
                    Ok(())
                }
                // Said when the handshake is over.
                _ => Ok(()),
            }
        });
    }
}
