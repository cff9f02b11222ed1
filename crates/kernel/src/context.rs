//! What a model sees while it is called: its inputs, its outputs, time, random numbers, queries.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::port::{EventIn, EventOut, RandomIn, SignalIn, SignalOut};
use crate::query::{ErasedProvider, QueryIn, answer};
use crate::random::RandomStream;
use crate::store::{NONE, Stores, TypedStore};
use crate::time::Time;
use crate::value::Value;

/// An output port, or the far end of a pipe.
#[derive(Clone, Copy)]
pub(crate) struct OutSlot {
    pub store: u16,
    pub flags: u16,
    /// Event: first message of this cycle. Signal: number of the value.
    pub head: u32,
    /// Event: last message of this cycle. Signal: anything but `NONE` once written.
    pub tail: u32,
    /// Place in the order of bags.
    pub order: u32,
}

impl OutSlot {
    pub const SIGNAL: u16 = 1;
    /// Somebody beside plain readers wants to know of writes.
    pub const ROUTED: u16 = 2;
    pub const OBSERVED: u16 = 4;
    /// Some monitor looks at this port.
    pub const MONITORED: u16 = 8;

    pub fn is_signal(&self) -> bool {
        self.flags & OutSlot::SIGNAL != 0
    }
}

/// An input port: where its signal is read.
#[derive(Clone, Copy)]
pub(crate) struct InSlot {
    pub value: u32,
    pub store: u16,
}

/// One link's delivery to a model in this cycle.
#[derive(Clone, Copy)]
pub(crate) struct InboxEntry {
    pub slot: u32,
    pub next: u32,
    pub port: u16,
}

/// The values that models exchange.
#[derive(Default)]
pub(crate) struct Values {
    pub stores: Stores,
    pub outs: Vec<OutSlot>,
    pub ins: Vec<InSlot>,
    pub inbox: Vec<InboxEntry>,
    /// Slots written since they were last routed.
    pub written: Vec<u32>,
}

/// What else models have: streams, queries, a way to fail.
#[derive(Default)]
pub(crate) struct Surroundings {
    pub streams: Vec<RandomStream>,
    pub replicas: Vec<Box<dyn ErasedProvider>>,
    pub failure: Option<Failure>,
    /// Nobody wants the run to go on.
    pub abandoned: Arc<AtomicBool>,
}

/// What a model says when it cannot go on.
pub(crate) struct Failure {
    pub at: Option<Time>,
    pub reason: String,
}

/// How many ports of each kind a model has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub inputs: u16,
    pub outputs: u16,
    pub queries: u16,
    pub streams: u16,
}

impl Counts {
    /// Input slot of the first query, from the model's first.
    pub fn first_query(self) -> usize {
        usize::from(self.inputs)
    }

    /// Input slot of the first random stream, from the model's first.
    pub fn first_stream(self) -> usize {
        usize::from(self.inputs) + usize::from(self.queries)
    }
}

/// Which part of all this belongs to a model, for good.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Share {
    /// First input slot, and first output slot.
    pub in_base: u32,
    pub out_base: u32,
    pub counts: Counts,
}

/// The share of the model that is being called, when it is called, and what arrived.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub now: Time,
    pub share: Share,
    pub inbox: u32,
}

#[cold]
fn foreign_handle(what: &str) -> ! {
    panic!("the model uses {what} that it did not declare")
}

impl Surroundings {
    fn fail(&mut self, at: Option<Time>, reason: String) {
        self.failure.get_or_insert(Failure { at, reason });
    }

    fn random(&mut self, ins: &[InSlot], share: &Share, stream: RandomIn) -> &mut RandomStream {
        if stream.index >= share.counts.streams {
            foreign_handle("a random stream");
        }
        let slot = share.in_base as usize + share.counts.first_stream();
        &mut self.streams[ins[slot].value as usize + usize::from(stream.index)]
    }

    fn ask<A: 'static, R: 'static>(
        &self,
        ins: &[InSlot],
        share: &Share,
        now: Time,
        query: QueryIn<A, R>,
        argument: &A,
    ) -> R {
        if query.index >= share.counts.queries {
            foreign_handle("a query");
        }
        let slot = share.in_base as usize + share.counts.first_query() + usize::from(query.index);
        match answer(self.replicas[ins[slot].value as usize].as_ref(), now, argument) {
            Some(answer) => answer,
            None => foreign_handle("a query"),
        }
    }
}

impl Values {
    /// How many messages an output that was just written holds; the value of a signal is one.
    #[inline]
    pub(crate) fn count_written(&self, slot: &OutSlot) -> u64 {
        if slot.is_signal() || slot.head == slot.tail {
            return 1;
        }
        let mut messages = 0;
        self.stores.get(slot.store).visit_messages(slot.head, &mut |_| messages += 1);
        messages
    }

    #[inline]
    fn signal<T: Value>(&self, share: &Share, port: SignalIn<T>) -> &T {
        if port.index >= share.counts.inputs {
            foreign_handle("a signal input");
        }
        let slot = self.ins[share.in_base as usize + port.index as usize];
        match self.stores.typed::<T>(slot.store).and_then(|s| s.values.get(slot.value as usize)) {
            Some(value) => value,
            None => foreign_handle("a signal input"),
        }
    }

    #[inline]
    fn events<'a, T: Value>(
        &'a self,
        share: &Share,
        inbox: u32,
        port: EventIn<T>,
    ) -> Events<'a, T> {
        if port.index >= share.counts.inputs {
            foreign_handle("an event input");
        }
        let slot = self.ins[share.in_base as usize + port.index as usize];
        let Some(store) = self.stores.typed::<T>(slot.store) else {
            foreign_handle("an event input")
        };
        Events { values: self, store, port: port.index, entry: inbox, message: NONE }
    }

    #[inline]
    fn send<T: Value>(&mut self, share: &Share, port: EventOut<T>, value: T) {
        if port.index >= share.counts.outputs {
            foreign_handle("an event output");
        }
        let number = share.out_base + u32::from(port.index);
        let slot = &mut self.outs[number as usize];
        let store = self.stores.typed_mut::<T>(slot.store);
        let Some(store) = store.filter(|_| !slot.is_signal()) else {
            foreign_handle("an event output")
        };
        slot.tail = store.push_message(value, slot.tail);
        if slot.head == NONE {
            slot.head = slot.tail;
            self.written.push(number);
        }
    }

    // The value goes nowhere but into its place, so that it can be made there.
    #[inline]
    fn write<T: Value>(&mut self, share: &Share, port: SignalOut<T>, value: T) {
        if port.index >= share.counts.outputs {
            foreign_handle("a signal output");
        }
        let number = share.out_base + u32::from(port.index);
        let OutSlot { store, flags, head, .. } = self.outs[number as usize];
        let store = self.stores.typed_mut::<T>(store).filter(|_| flags & OutSlot::SIGNAL != 0);
        match store.and_then(|store| store.values.get_mut(head as usize)) {
            Some(place) => *place = value,
            None => foreign_handle("a signal output"),
        }
        // Most signals have plain readers only: nothing remains to be done.
        if flags != OutSlot::SIGNAL {
            self.list(number);
        }
    }

    /// Takes note of a signal that means something to others than plain readers.
    #[inline(never)]
    fn list(&mut self, number: u32) {
        let slot = &mut self.outs[number as usize];
        if slot.tail == NONE {
            slot.tail = 0;
            self.written.push(number);
        }
    }

    fn output<T: Value>(&self, share: &Share, port: SignalOut<T>) -> &T {
        if port.index >= share.counts.outputs {
            foreign_handle("a signal output");
        }
        let slot = self.outs[share.out_base as usize + port.index as usize];
        match self.stores.typed::<T>(slot.store).and_then(|s| s.values.get(slot.head as usize)) {
            Some(value) => value,
            None => foreign_handle("a signal output"),
        }
    }
}

/// The messages of one input port: a bag in its fixed order.
pub struct Events<'a, T> {
    values: &'a Values,
    store: &'a TypedStore<T>,
    port: u16,
    entry: u32,
    message: u32,
}

impl<'a, T> Iterator for Events<'a, T> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
        while self.message == NONE {
            if self.entry == NONE {
                return None;
            }
            let entry = self.values.inbox[self.entry as usize];
            self.entry = entry.next;
            if entry.port == self.port {
                self.message = self.values.outs[entry.slot as usize].head;
            }
        }
        let message = &self.store.messages[self.message as usize];
        self.message = message.next;
        Some(&message.value)
    }
}

/// What a model reads while something arrives.
pub struct Inputs<'a> {
    pub(crate) values: &'a Values,
    pub(crate) frame: Frame,
}

impl<'a> Inputs<'a> {
    /// The messages that arrived at `port` now, ordered by the path of their source.
    #[inline]
    pub fn events<T: Value>(&self, port: EventIn<T>) -> Events<'a, T> {
        self.values.events(&self.frame.share, self.frame.inbox, port)
    }

    /// The value of a signal.
    #[inline]
    pub fn signal<T: Value>(&self, port: SignalIn<T>) -> &'a T {
        self.values.signal(&self.frame.share, port)
    }

    /// Whether a waking signal was written now.
    pub fn is_written<T: Value>(&self, port: SignalIn<T>) -> bool {
        let mut at = self.frame.inbox;
        while let Some(entry) = self.values.inbox.get(at as usize) {
            if entry.port == port.index {
                return true;
            }
            at = entry.next;
        }
        false
    }
}

/// Where a model puts what it sends.
pub struct Outputs<'a> {
    pub(crate) values: &'a mut Values,
    pub(crate) frame: Frame,
}

impl Outputs<'_> {
    /// The present instant.
    pub fn now(&self) -> Time {
        self.frame.now
    }

    /// Sends a message; several are received in the order sent.
    #[inline]
    pub fn send<T: Value>(&mut self, port: EventOut<T>, value: T) {
        self.values.send(&self.frame.share, port, value);
    }

    /// Gives a signal a new value.
    #[inline]
    pub fn write<T: Value>(&mut self, port: SignalOut<T>, value: T) {
        self.values.write(&self.frame.share, port, value);
    }
}

/// Time, random numbers, queries, and a way to fail.
pub struct Context<'a> {
    pub(crate) surroundings: &'a mut Surroundings,
    pub(crate) ins: &'a [InSlot],
    pub(crate) frame: Frame,
}

impl Context<'_> {
    /// Becomes true when nobody wants the run to go on ([`crate::PauseHandle::abandon`]): a model that waits for
    /// something outside of the simulation in one of its calls looks at it, and fails instead of waiting on.
    pub fn abandoned(&self) -> Arc<AtomicBool> {
        self.surroundings.abandoned.clone()
    }

    /// The present instant.
    pub fn now(&self) -> Time {
        self.frame.now
    }

    /// A random stream of this model.
    pub fn random(&mut self, stream: RandomIn) -> &mut RandomStream {
        self.surroundings.random(self.ins, &self.frame.share, stream)
    }

    /// Asks a query; the answer is for the present instant.
    pub fn ask<A: 'static, R: 'static>(&self, query: QueryIn<A, R>, argument: &A) -> R {
        self.surroundings.ask(self.ins, &self.frame.share, self.frame.now, query, argument)
    }

    /// Ends the run with a fault of this model.
    pub fn fail(&mut self, reason: impl Into<String>) {
        self.surroundings.fail(None, reason.into());
    }

    /// Ends the run with a fault of this model at `at`: for a run-ahead model, which fails at an
    /// instant of its own between now and `until`.
    pub fn fail_at(&mut self, at: Time, reason: impl Into<String>) {
        self.surroundings.fail(Some(at), reason.into());
    }
}

/// All that a periodic model has in one step. Values are read in place; read first, then write.
pub struct Step<'a> {
    pub(crate) values: &'a mut Values,
    pub(crate) surroundings: &'a mut Surroundings,
    // Apart from the frame of other models: between two steps of one tick only the share changes.
    pub(crate) share: &'a Share,
    pub(crate) inbox: u32,
    pub(crate) now: Time,
    pub(crate) tick: u64,
}

impl Step<'_> {
    /// The present instant.
    pub fn now(&self) -> Time {
        self.now
    }

    /// The number of this step on the model's grid.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    fn frame(&self) -> Frame {
        Frame { now: self.now, share: *self.share, inbox: self.inbox }
    }

    /// The inputs, as an event-driven model sees them.
    pub fn inputs(&self) -> Inputs<'_> {
        Inputs { values: self.values, frame: self.frame() }
    }

    /// The outputs, as an event-driven model sees them.
    pub fn outputs(&mut self) -> Outputs<'_> {
        let frame = self.frame();
        Outputs { values: self.values, frame }
    }

    /// The value of a signal.
    #[inline]
    pub fn signal<T: Value>(&self, port: SignalIn<T>) -> &T {
        self.values.signal(self.share, port)
    }

    /// The messages that arrived at `port` since the last step.
    pub fn events<T: Value>(&self, port: EventIn<T>) -> Events<'_, T> {
        self.values.events(self.share, self.inbox, port)
    }

    /// Gives a signal a new value.
    #[inline]
    pub fn write<T: Value>(&mut self, port: SignalOut<T>, value: T) {
        self.values.write(self.share, port, value);
    }

    /// Sends a message.
    pub fn send<T: Value>(&mut self, port: EventOut<T>, value: T) {
        self.values.send(self.share, port, value);
    }

    /// A random stream of this model, standing at the first number of this tick.
    pub fn random(&mut self, stream: RandomIn) -> &mut RandomStream {
        let stream = self.surroundings.random(&self.values.ins, self.share, stream);
        stream.go_to(self.tick);
        stream
    }

    /// Asks a query; the answer is for the present instant.
    pub fn ask<A: 'static, R: 'static>(&self, query: QueryIn<A, R>, argument: &A) -> R {
        self.surroundings.ask(&self.values.ins, self.share, self.now, query, argument)
    }

    /// Ends the run with a fault of this model.
    pub fn fail(&mut self, reason: impl Into<String>) {
        self.surroundings.fail(None, reason.into());
    }
}

/// What a model has before the first instant.
pub struct Start<'a> {
    pub(crate) values: &'a mut Values,
    pub(crate) surroundings: &'a mut Surroundings,
    pub(crate) frame: Frame,
}

impl Start<'_> {
    /// When the model starts: the start of the run, or the instant at which it was added.
    pub fn now(&self) -> Time {
        self.frame.now
    }

    /// The initial value of a linked signal.
    pub fn signal<T: Value>(&self, port: SignalIn<T>) -> &T {
        self.values.signal(&self.frame.share, port)
    }

    /// The initial value of an own signal.
    pub fn output<T: Value>(&self, port: SignalOut<T>) -> &T {
        self.values.output(&self.frame.share, port)
    }

    /// Replaces the initial value of an own signal.
    pub fn write<T: Value>(&mut self, port: SignalOut<T>, value: T) {
        self.values.write(&self.frame.share, port, value);
    }

    /// A random stream of this model.
    pub fn random(&mut self, stream: RandomIn) -> &mut RandomStream {
        self.surroundings.random(&self.values.ins, &self.frame.share, stream)
    }

    /// Asks a query.
    pub fn ask<A: 'static, R: 'static>(&self, query: QueryIn<A, R>, argument: &A) -> R {
        self.surroundings.ask(&self.values.ins, &self.frame.share, self.frame.now, query, argument)
    }

    /// Ends the run before it starts with a fault of this model.
    pub fn fail(&mut self, reason: impl Into<String>) {
        self.surroundings.fail(None, reason.into());
    }
}
