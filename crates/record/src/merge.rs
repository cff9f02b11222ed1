//! What partitions saw, in one order: by time, then by tap, then as it was sent.
//!
//! A partition promises with each batch that it will not come back to anything before an instant. What
//! lies before the earliest of these promises can be merged; the rest waits. The order depends only on
//! times and taps, so neither the cut of the batches nor the number of partitions shows in it.

use std::collections::VecDeque;

use ironbird_kernel::{Batch, Time};

/// Merges the batches of all partitions.
#[derive(Default)]
pub(crate) struct Merge {
    /// Streams of the partitions of this stretch of the run.
    streams: Vec<Stream>,
    /// Streams of earlier stretches that are not used up; they get no more.
    ended: Vec<Stream>,
}

/// Time and tap; wider than a tap, so that there is always a next one.
type Place = (Time, u64);

struct Stream {
    batches: VecDeque<Batch>,
    /// How many values of the first batch are used up, and how many bytes.
    used: usize,
    used_bytes: usize,
    /// Nothing before this is still to come.
    until: Time,
}

impl Stream {
    fn new(until: Time) -> Self {
        Stream { batches: VecDeque::new(), used: 0, used_bytes: 0, until }
    }

    /// Where the next value lies.
    fn next(&self) -> Option<Place> {
        let batch = self.batches.front()?;
        batch.taken.get(self.used).map(|taken| (taken.time, u64::from(taken.tap)))
    }

    /// Shows values to `each` as long as they lie before `limit`, in time or in order.
    fn drain(&mut self, limit: Place, each: &mut impl FnMut(Time, u32, &[u8])) {
        while let Some(batch) = self.batches.front() {
            for taken in &batch.taken[self.used..] {
                if (taken.time, u64::from(taken.tap)) >= limit {
                    return;
                }
                // A batch whose bytes are fewer than it says is cut, and the value refused later on.
                let bytes = batch.bytes.get(self.used_bytes..taken.end as usize);
                each(taken.time, taken.tap, bytes.unwrap_or_default());
                self.used += 1;
                self.used_bytes = taken.end as usize;
            }
            self.batches.pop_front();
            (self.used, self.used_bytes) = (0, 0);
        }
    }
}

impl Merge {
    /// Takes over a batch; see [`ironbird_kernel::Sink::take`].
    pub(crate) fn add(&mut self, partition: usize, partitions: usize, batch: Batch, until: Time) {
        if partitions != self.streams.len() {
            // All have arrived at one instant: that is where the new ones start.
            let start = self.horizon().filter(|_| !self.streams.is_empty()).unwrap_or(Time::ZERO);
            self.ended.append(&mut self.streams);
            self.ended.retain(|stream| stream.next().is_some());
            self.streams.resize_with(partitions, || Stream::new(start));
        }
        let Some(stream) = self.streams.get_mut(partition) else { return };
        if !batch.taken.is_empty() {
            stream.batches.push_back(by_taps(batch));
        }
        stream.until = stream.until.max(until);
    }

    /// The instant before which nothing is still to come.
    pub(crate) fn horizon(&self) -> Option<Time> {
        self.streams.iter().map(|stream| stream.until).min()
    }

    /// The instant of the last value that waits.
    pub(crate) fn last(&self) -> Option<Time> {
        let batches = self.ended.iter().chain(&self.streams).filter_map(|s| s.batches.back());
        batches.filter_map(|batch| Some(batch.taken.last()?.time)).max()
    }

    /// Shows all values before `limit` to `each`, in order.
    pub(crate) fn drain(&mut self, limit: Time, mut each: impl FnMut(Time, u32, &[u8])) {
        let limit = (limit, 0);
        let streams = &mut self.ended;
        loop {
            // The stream that is first, and how far it may go before another one is.
            let mut first = None;
            let mut next_of_others = limit;
            let all = streams.iter().chain(&self.streams).enumerate();
            for (number, head) in all.filter_map(|(number, s)| Some((number, s.next()?))) {
                match first {
                    Some((_, least)) if head >= least => {
                        next_of_others = next_of_others.min(head);
                    }
                    _ => {
                        if let Some((_, least)) = first {
                            next_of_others = next_of_others.min(least);
                        }
                        first = Some((number, head));
                    }
                }
            }
            let Some((number, head)) = first.filter(|(_, head)| *head < limit) else { return };
            let ended = streams.len();
            let stream = match number.checked_sub(ended) {
                None => &mut streams[number],
                Some(current) => &mut self.streams[current],
            };
            // Equal heads go by the number of the stream: let the first one send all of that tap.
            let limit = if next_of_others == head { (head.0, head.1 + 1) } else { next_of_others };
            stream.drain(limit, &mut each);
        }
    }

    /// Shows everything that is left to `each`: no partition will send anything more.
    pub(crate) fn drain_all(&mut self, mut each: impl FnMut(Time, u32, &[u8])) {
        self.drain(Time::NEVER, &mut each);
        // Values at the last representable instant.
        for stream in self.ended.iter_mut().chain(&mut self.streams) {
            stream.drain((Time::NEVER, u64::MAX), &mut each);
        }
    }
}

/// The same values, those of an instant in the order of their taps. A partition takes them in the order
/// of its components, which says nothing about those of another partition.
fn by_taps(batch: Batch) -> Batch {
    if batch.taken.is_sorted_by_key(|taken| (taken.time, taken.tap)) {
        return batch;
    }
    let mut start = 0;
    let mut values: Vec<(Time, u32, &[u8])> = Vec::with_capacity(batch.taken.len());
    for taken in &batch.taken {
        let bytes = batch.bytes.get(start..taken.end as usize).unwrap_or_default();
        values.push((taken.time, taken.tap, bytes));
        start = taken.end as usize;
    }
    let mut ordered = Batch {
        taken: Vec::with_capacity(batch.taken.len()),
        bytes: Vec::with_capacity(batch.bytes.len()),
    };
    for instant in values.chunk_by_mut(|a, b| a.0 == b.0) {
        instant.sort_by_key(|(_, tap, _)| *tap);
        for (time, tap, value) in instant {
            ordered.push(*time, *tap, |bytes| bytes.extend_from_slice(value));
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A value: time, tap and its only byte.
    type Sample = (u64, u32, u8);

    fn batch(samples: &[Sample]) -> Batch {
        let mut batch = Batch::default();
        for (time, tap, byte) in samples {
            batch.push(Time::from_ps(*time), *tap, |bytes| bytes.push(*byte));
        }
        batch
    }

    /// Merges as the thread does: after every batch, what can be merged is.
    struct Run {
        merge: Merge,
        seen: Vec<Sample>,
    }

    impl Run {
        fn take(&mut self, partition: usize, partitions: usize, samples: &[Sample], until: u64) {
            self.merge.add(partition, partitions, batch(samples), Time::from_ps(until));
            if let Some(horizon) = self.merge.horizon() {
                let seen = &mut self.seen;
                self.merge.drain(horizon, |t, tap, bytes| seen.push((t.as_ps(), tap, bytes[0])));
            }
        }

        fn end(mut self) -> Vec<Sample> {
            let seen = &mut self.seen;
            self.merge.drain_all(|t, tap, bytes| seen.push((t.as_ps(), tap, bytes[0])));
            self.seen
        }
    }

    fn run() -> Run {
        Run { merge: Merge::default(), seen: Vec::new() }
    }

    #[test]
    fn nothing_is_merged_before_the_slowest_partition_has_passed_it() {
        let mut run = run();
        run.take(0, 2, &[(1, 0, 10), (5, 0, 11)], 6);
        assert_eq!(run.seen, []);
        run.take(1, 2, &[(1, 1, 20)], 5);
        assert_eq!(run.seen, [(1, 0, 10), (1, 1, 20)]);
        run.take(1, 2, &[(5, 1, 21)], 6);
        assert_eq!(run.end(), [(1, 0, 10), (1, 1, 20), (5, 0, 11), (5, 1, 21)]);
    }

    #[test]
    fn values_of_an_instant_are_merged_by_tap_in_whatever_order_a_partition_took_them() {
        let mut run = run();
        run.take(0, 2, &[(1, 5, 10), (1, 2, 11), (1, 5, 12), (2, 0, 13)], 3);
        run.take(1, 2, &[(1, 3, 20), (2, 1, 21)], 3);
        let merged = [(1, 2, 11), (1, 3, 20), (1, 5, 10), (1, 5, 12), (2, 0, 13), (2, 1, 21)];
        assert_eq!(run.end(), merged);
    }

    proptest! {
        #[test]
        fn the_order_does_not_depend_on_partitions_or_on_the_cut_of_batches(
            mut samples in prop::collection::vec((0..20u64, 0..6u32, any::<u8>()), 0..60),
            split_time in 0..20u64,
            partitions in (1..5usize, 1..5usize),
            sizes in prop::collection::vec(1..7usize, 1..10),
            turns in prop::collection::vec(0..5usize, 0..200),
        ) {
            // As one partition sends them; bytes tell messages of one tap at one instant apart.
            samples.sort_by_key(|(time, tap, _)| (*time, *tap));
            let mut run = run();
            let stretches = [(0, split_time, partitions.0), (split_time, 20, partitions.1)];
            for (from, until, partitions) in stretches {
                let mut queues: Vec<VecDeque<(Vec<Sample>, u64)>> = Vec::new();
                for partition in 0..partitions {
                    let own: Vec<Sample> = samples.iter().copied()
                        .filter(|(t, tap, _)| (from..until).contains(t) && *tap as usize % partitions == partition)
                        .collect();
                    let mut queue = VecDeque::new();
                    let mut rest = own.as_slice();
                    for size in sizes.iter().cycle() {
                        let (cut, more) = rest.split_at((*size).min(rest.len()));
                        // It may promise no more than what is still to come.
                        let promise = more.first().map_or(until, |(time, ..)| *time);
                        queue.push_back((cut.to_vec(), promise));
                        rest = more;
                        if rest.is_empty() {
                            break;
                        }
                    }
                    queues.push(queue);
                }
                let mut turns = turns.iter().copied().chain(0..);
                while queues.iter().any(|queue| !queue.is_empty()) {
                    let partition = turns.next().unwrap_or(0) % partitions;
                    if let Some((cut, promise)) = queues[partition].pop_front() {
                        run.take(partition, partitions, &cut, promise);
                    }
                }
            }
            prop_assert_eq!(run.end(), samples);
        }
    }
}
