//! Where values live: one store per type and partition.
//!
//! Messages of a cycle lie behind one another and are read where they were written; signals hold
//! their value in a slot that all readers share. A *pipe* is what lies between a source and a
//! reader that does not see the value at once: a latency, an interposer, a periodic component that
//! waits for its next step, or another partition.

use std::any::{Any, TypeId};
use std::collections::VecDeque;
use std::ops::Range;

use ironbird_lane::{Receiver, Sender};
use serde::{Deserialize, Serialize};

use crate::interpose::{Interposed, Passage};
use crate::sample::{ScalarSample, VectorSample};
use crate::time::{Duration, Time};
use crate::value::{AnyValue, DecodeError, Value, Wire, WireReader};

/// "No message", "no entry".
pub(crate) const NONE: u32 = u32::MAX;

/// One message of the present cycle, and the next one of the same port.
pub(crate) struct Message<T> {
    pub value: T,
    pub next: u32,
}

/// When a message was sent: with the path of its source, this orders a bag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Stamp {
    pub sent: Time,
    pub cycle: u32,
    pub index: u32,
}

/// A value on its way through a pipe.
pub(crate) struct InFlight<T> {
    pub arrival: Time,
    pub stamp: Stamp,
    pub value: T,
}

/// How a pipe delays and changes what goes in.
pub(crate) struct Entry<'a> {
    pub now: Time,
    pub cycle: u32,
    pub latency: Duration,
    pub interposer: Option<&'a mut Interposed>,
}

/// All values of one type in one partition.
pub(crate) struct TypedStore<T> {
    pub messages: Vec<Message<T>>,
    pub values: Vec<T>,
    pipes: Vec<VecDeque<InFlight<T>>>,
    senders: Vec<Option<Sender<T>>>,
    receivers: Vec<Option<Receiver<T>>>,
}

impl<T> Default for TypedStore<T> {
    fn default() -> Self {
        TypedStore {
            messages: Vec::new(),
            values: Vec::new(),
            pipes: Vec::new(),
            senders: Vec::new(),
            receivers: Vec::new(),
        }
    }
}

/// What the engine does with a store without knowing its type.
pub(crate) trait ErasedStore: Any + Send {
    fn type_id_of_values(&self) -> TypeId;

    fn clear_messages(&mut self);
    fn visit_messages(&self, head: u32, visit: &mut dyn FnMut(&dyn AnyValue));
    /// Visits one message; the number of the next.
    fn visit_message(&self, at: u32, visit: &mut dyn FnMut(&dyn AnyValue)) -> u32;
    fn visit_value(&self, value: u32, visit: &mut dyn FnMut(&dyn AnyValue));
    fn add_value(&mut self, initial: &dyn AnyValue) -> u32;
    fn add_decoded(&mut self, bytes: &[u8]) -> Result<u32, DecodeError>;
    fn load_value(&mut self, value: u32, bytes: &[u8]) -> Result<(), DecodeError>;

    fn add_pipe(&mut self) -> u32;
    /// Sends the messages from `head` into a pipe.
    fn send_messages(&mut self, head: u32, pipe: u32, entry: Entry<'_>);
    /// Sends the value of a signal into a pipe; of several at one arrival, the last counts.
    fn send_value(&mut self, value: u32, pipe: u32, entry: Entry<'_>);
    /// Sends a part of a value into a pipe, with when it arrives; of several parts of a signal at one arrival, the
    /// last counts.
    fn send_part(
        &mut self,
        part: &dyn AnyValue,
        pipe: u32,
        arrival: Time,
        stamp: Stamp,
        signal: bool,
    );
    /// When the next value leaves the pipe.
    fn next_arrival(&self, pipe: u32) -> Time;
    /// Turns what has arrived by `now` into messages behind `tail`, in the order in which they were
    /// sent; the first and the last of them.
    fn take_messages(&mut self, pipe: u32, now: Time, tail: u32) -> Option<(u32, u32)>;
    /// Makes the last that has arrived by `now` the value of a signal.
    fn take_value(&mut self, pipe: u32, now: Time, value: u32) -> bool;
    /// Forgets what arrives in `lost`.
    fn drop_arrived(&mut self, pipe: u32, lost: Range<Time>);

    fn new_lane(&self, capacity: usize) -> (Box<dyn Any + Send>, Box<dyn Any + Send>);
    fn attach_sender(&mut self, channel: usize, sender: Box<dyn Any + Send>);
    fn attach_receiver(&mut self, channel: usize, receiver: Box<dyn Any + Send>);
    fn detach_lanes(&mut self);
    /// Moves the first value of a pipe to another partition; `None` if the pipe is empty,
    /// `Some(Err)` if the lane is full.
    fn transmit(&mut self, pipe: u32, channel: usize) -> Option<Result<(Time, Stamp), ()>>;
    /// Moves the first value of a pipe to `wire`, for another process; `None` if the pipe is empty.
    fn transmit_bytes(&mut self, pipe: u32, wire: &mut Wire) -> Option<(Time, Stamp)>;
    /// Takes a value from another partition into a pipe.
    fn receive(&mut self, pipe: u32, channel: usize, arrival: Time, stamp: Stamp);

    /// Everything in a pipe: arrival, stamp and flat bytes.
    fn save_pipe(&self, pipe: u32) -> Vec<(Time, Stamp, Vec<u8>)>;
    fn load_pipe(
        &mut self,
        pipe: u32,
        arrival: Time,
        stamp: Stamp,
        bytes: &[u8],
    ) -> Result<(), DecodeError>;
}

fn decode<T: Value>(bytes: &[u8]) -> Result<T, DecodeError> {
    T::decode(&mut WireReader::flat(bytes)?)
}

impl<T: Value> TypedStore<T> {
    /// Adds a message behind `tail` and returns its number.
    pub fn push_message(&mut self, value: T, tail: u32) -> u32 {
        let number = self.messages.len() as u32;
        self.messages.push(Message { value, next: NONE });
        if tail != NONE {
            self.messages[tail as usize].next = number;
        }
        number
    }

    /// Puts a value in its place: by arrival, and in the order sent where arrivals are equal.
    fn enqueue(&mut self, pipe: u32, item: InFlight<T>) {
        let queue = &mut self.pipes[pipe as usize];
        let place = queue
            .iter()
            .rposition(|other| (other.arrival, other.stamp) <= (item.arrival, item.stamp))
            .map_or(0, |last| last + 1);
        queue.insert(place, item);
    }

    fn enter(&mut self, pipe: u32, mut value: T, index: u32, entry: &mut Entry<'_>, latest: bool) {
        let mut delay = entry.latency;
        if let Some(interposer) = &mut entry.interposer {
            match interposer.pass(entry.now, &mut value) {
                Passage::Drop => return,
                Passage::Deliver => {}
                Passage::Delay(more) => delay = delay + more,
            }
        }
        let stamp = Stamp { sent: entry.now, cycle: entry.cycle, index };
        self.put(pipe, value, entry.now + delay, stamp, latest);
    }

    /// Lets a value arrive; where only the latest counts, in place of one that would arrive at the same time.
    fn put(&mut self, pipe: u32, value: T, arrival: Time, stamp: Stamp, latest: bool) {
        if latest
            && let Some(last) = self.pipes[pipe as usize].back_mut()
            && last.arrival == arrival
        {
            *last = InFlight { arrival, stamp, value };
            return;
        }
        self.enqueue(pipe, InFlight { arrival, stamp, value });
    }
}

impl<T: Value> ErasedStore for TypedStore<T> {
    fn type_id_of_values(&self) -> TypeId {
        TypeId::of::<T>()
    }

    fn clear_messages(&mut self) {
        self.messages.clear();
    }

    fn visit_messages(&self, head: u32, visit: &mut dyn FnMut(&dyn AnyValue)) {
        let mut at = head;
        while let Some(message) = self.messages.get(at as usize) {
            visit(&message.value);
            at = message.next;
        }
    }

    fn visit_message(&self, at: u32, visit: &mut dyn FnMut(&dyn AnyValue)) -> u32 {
        let message = &self.messages[at as usize];
        visit(&message.value);
        message.next
    }

    fn visit_value(&self, value: u32, visit: &mut dyn FnMut(&dyn AnyValue)) {
        visit(&self.values[value as usize]);
    }

    fn add_value(&mut self, initial: &dyn AnyValue) -> u32 {
        let value: &T =
            initial.as_any().downcast_ref().expect("a port's initial value has its type");
        self.values.push(value.clone());
        self.values.len() as u32 - 1
    }

    fn add_decoded(&mut self, bytes: &[u8]) -> Result<u32, DecodeError> {
        self.values.push(decode(bytes)?);
        Ok(self.values.len() as u32 - 1)
    }

    fn load_value(&mut self, value: u32, bytes: &[u8]) -> Result<(), DecodeError> {
        self.values[value as usize] = decode(bytes)?;
        Ok(())
    }

    fn add_pipe(&mut self) -> u32 {
        self.pipes.push(VecDeque::new());
        self.pipes.len() as u32 - 1
    }

    fn send_messages(&mut self, head: u32, pipe: u32, mut entry: Entry<'_>) {
        let (mut at, mut index) = (head, 0);
        while let Some(message) = self.messages.get(at as usize) {
            let (value, next) = (message.value.clone(), message.next);
            self.enter(pipe, value, index, &mut entry, false);
            (at, index) = (next, index + 1);
        }
    }

    fn send_value(&mut self, value: u32, pipe: u32, mut entry: Entry<'_>) {
        let value = self.values[value as usize].clone();
        self.enter(pipe, value, 0, &mut entry, true);
    }

    fn send_part(
        &mut self,
        part: &dyn AnyValue,
        pipe: u32,
        arrival: Time,
        stamp: Stamp,
        signal: bool,
    ) {
        let part: &T = part.as_any().downcast_ref().expect("a selection gives what its pipe holds");
        self.put(pipe, part.clone(), arrival, stamp, signal);
    }

    fn next_arrival(&self, pipe: u32) -> Time {
        self.pipes[pipe as usize].front().map_or(Time::NEVER, |item| item.arrival)
    }

    fn take_messages(&mut self, pipe: u32, now: Time, tail: u32) -> Option<(u32, u32)> {
        let queue = &mut self.pipes[pipe as usize];
        let arrived = queue.iter().take_while(|item| item.arrival <= now).count();
        // Delays that differ may have changed the order.
        let arrived_items = &mut queue.make_contiguous()[..arrived];
        if !arrived_items.is_sorted_by_key(|item| item.stamp) {
            arrived_items.sort_by_key(|item| item.stamp);
        }
        let (mut head, mut last) = (NONE, tail);
        for _ in 0..arrived {
            let item = self.pipes[pipe as usize].pop_front()?;
            last = self.push_message(item.value, last);
            head = if head == NONE { last } else { head };
        }
        (head != NONE).then_some((head, last))
    }

    fn take_value(&mut self, pipe: u32, now: Time, value: u32) -> bool {
        let mut taken = false;
        while self.next_arrival(pipe) <= now
            && let Some(item) = self.pipes[pipe as usize].pop_front()
        {
            self.values[value as usize] = item.value;
            taken = true;
        }
        taken
    }

    fn drop_arrived(&mut self, pipe: u32, lost: Range<Time>) {
        self.pipes[pipe as usize].retain(|item| !lost.contains(&item.arrival));
    }

    fn new_lane(&self, capacity: usize) -> (Box<dyn Any + Send>, Box<dyn Any + Send>) {
        let (sender, receiver) = ironbird_lane::lane::<T>(capacity);
        (Box::new(sender), Box::new(receiver))
    }

    fn attach_sender(&mut self, channel: usize, sender: Box<dyn Any + Send>) {
        let sender: Box<Sender<T>> = sender.downcast().expect("a lane of this store's type");
        if self.senders.len() <= channel {
            self.senders.resize_with(channel + 1, || None);
        }
        self.senders[channel] = Some(*sender);
    }

    fn attach_receiver(&mut self, channel: usize, receiver: Box<dyn Any + Send>) {
        let receiver: Box<Receiver<T>> = receiver.downcast().expect("a lane of this store's type");
        if self.receivers.len() <= channel {
            self.receivers.resize_with(channel + 1, || None);
        }
        self.receivers[channel] = Some(*receiver);
    }

    fn detach_lanes(&mut self) {
        self.senders.clear();
        self.receivers.clear();
    }

    fn transmit(&mut self, pipe: u32, channel: usize) -> Option<Result<(Time, Stamp), ()>> {
        let sender = self.senders[channel].as_mut()?;
        let queue = &mut self.pipes[pipe as usize];
        let item = queue.pop_front()?;
        Some(match sender.try_push(item.value) {
            Ok(()) => Ok((item.arrival, item.stamp)),
            Err(value) => {
                queue.push_front(InFlight { value, ..item });
                Err(())
            }
        })
    }

    fn transmit_bytes(&mut self, pipe: u32, wire: &mut Wire) -> Option<(Time, Stamp)> {
        let item = self.pipes[pipe as usize].pop_front()?;
        wire.clear();
        item.value.encode(wire);
        Some((item.arrival, item.stamp))
    }

    fn receive(&mut self, pipe: u32, channel: usize, arrival: Time, stamp: Stamp) {
        let receiver = self.receivers.get_mut(channel).and_then(Option::as_mut);
        if let Some(value) = receiver.and_then(Receiver::try_pop) {
            self.enqueue(pipe, InFlight { arrival, stamp, value });
        }
    }

    fn save_pipe(&self, pipe: u32) -> Vec<(Time, Stamp, Vec<u8>)> {
        self.pipes[pipe as usize]
            .iter()
            .map(|item| (item.arrival, item.stamp, flat_bytes(&item.value)))
            .collect()
    }

    fn load_pipe(
        &mut self,
        pipe: u32,
        arrival: Time,
        stamp: Stamp,
        bytes: &[u8],
    ) -> Result<(), DecodeError> {
        let value = decode(bytes)?;
        self.enqueue(pipe, InFlight { arrival, stamp, value });
        Ok(())
    }
}

/// A value in one run of bytes.
pub(crate) fn flat_bytes(value: &dyn AnyValue) -> Vec<u8> {
    let mut wire = Wire::default();
    value.encode_to(&mut wire);
    let mut bytes = Vec::new();
    wire.flatten(&mut bytes);
    bytes
}

/// The stores of a partition. Those of the most frequent types are reached without a dynamic call, all
/// others with one.
#[derive(Default)]
pub(crate) struct Stores {
    known: Known,
    others: Vec<Box<dyn ErasedStore>>,
}

/// Whether two types are one; known while compiling.
#[inline(always)]
fn is<T: 'static, U: 'static>() -> bool {
    TypeId::of::<T>() == TypeId::of::<U>()
}

/// Stores of types that are known here, numbered from 0.
macro_rules! known {
    ($count:literal: $($number:literal $name:ident $type:ty,)*) => {
        #[derive(Default)]
        struct Known {
            $($name: TypedStore<$type>,)*
        }

        /// Number of the first of the other stores.
        const OTHERS: u16 = $count;

        impl Known {
            fn number(id: TypeId) -> Option<u16> {
                $(if id == TypeId::of::<$type>() {
                    return Some($number);
                })*
                None
            }

            fn get(&self, store: u16) -> Option<&dyn ErasedStore> {
                match store {
                    $($number => Some(&self.$name),)*
                    _ => None,
                }
            }

            fn get_mut(&mut self, store: u16) -> Option<&mut dyn ErasedStore> {
                match store {
                    $($number => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }

        impl Stores {
            /// The store as one of `T`; `None` if it holds something else.
            #[inline]
            pub fn typed<T: Value>(&self, store: u16) -> Option<&TypedStore<T>> {
                $(if is::<T, $type>() {
                    let known: &dyn Any = &self.known.$name;
                    return if store == $number { known.downcast_ref() } else { None };
                })*
                let other = self.others.get(store.checked_sub(OTHERS)? as usize)?;
                (other.as_ref() as &dyn Any).downcast_ref()
            }

            /// The store as one of `T`; `None` if it holds something else.
            #[inline]
            pub fn typed_mut<T: Value>(&mut self, store: u16) -> Option<&mut TypedStore<T>> {
                $(if is::<T, $type>() {
                    let known: &mut dyn Any = &mut self.known.$name;
                    return if store == $number { known.downcast_mut() } else { None };
                })*
                let other = self.others.get_mut(store.checked_sub(OTHERS)? as usize)?;
                (other.as_mut() as &mut dyn Any).downcast_mut()
            }
        }
    };
}

known! { 4:
    0 reals f64,
    1 vectors [f64; 3],
    2 scalar_samples ScalarSample,
    3 vector_samples VectorSample,
}

impl Stores {
    /// The number of the store for this type, made if it is new.
    pub fn of_type(&mut self, value: &'static dyn crate::port::PortType) -> u16 {
        if let Some(known) = Known::number(value.id()) {
            return known;
        }
        let known = self.others.iter().position(|store| store.type_id_of_values() == value.id());
        let index = known.unwrap_or_else(|| {
            self.others.push(value.new_store());
            self.others.len() - 1
        });
        index as u16 + OTHERS
    }

    pub fn len(&self) -> u16 {
        self.others.len() as u16 + OTHERS
    }

    pub fn get(&self, store: u16) -> &dyn ErasedStore {
        match self.known.get(store) {
            Some(known) => known,
            None => self.others[usize::from(store - OTHERS)].as_ref(),
        }
    }

    pub fn get_mut(&mut self, store: u16) -> &mut dyn ErasedStore {
        match self.known.get_mut(store) {
            Some(known) => known,
            None => self.others[usize::from(store - OTHERS)].as_mut(),
        }
    }

    pub fn detach_lanes(&mut self) {
        for store in 0..self.len() {
            self.get_mut(store).detach_lanes();
        }
    }
}
