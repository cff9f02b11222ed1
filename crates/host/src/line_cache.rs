//! Lines of flash that were read lately: a cache with the least recently used line of a set replaced, and
//! a prefetch of the line that follows.

use serde::{Deserialize, Serialize};

const NONE: u32 = u32::MAX;

/// How a cache of lines of flash is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineCacheShape {
    /// Bytes of a line, a power of two.
    pub line: u32,
    /// Lines in all; 1 is a plain line buffer.
    pub lines: u32,
    /// Lines of a set. As many as there are lines: any line may be anywhere.
    pub ways: u32,
    /// Whether the line behind the current one is read ahead.
    pub prefetches: bool,
    /// Cycles that a line costs which is not there.
    pub wait_states: u32,
}

/// The lines of a flash memory that are in reach without waiting.
#[derive(Clone, Debug)]
pub(crate) struct LineCache {
    shape: LineCacheShape,
    line_bits: u32,
    state: LineCacheState,
    /// The slot of each line of flash.
    slot_of: Vec<u32>,
    queues: ReplacementQueues,
}

/// Which line of a set to replace next, without a look at all of them each time.
///
/// Each set has a queue of its slots as they were ordered by last use at some time, the oldest at its end. A slot
/// that has not been used since is older than whatever has been, so it is the least recently used one; slots that
/// have been are passed over. An empty queue is made anew.
#[derive(Clone, Debug)]
struct ReplacementQueues {
    /// (cycle of the last use, slot); as many places for each set as it has ways.
    places: Vec<(u64, u32)>,
    /// How many places of each set are still in its queue.
    left: Vec<u32>,
}

impl ReplacementQueues {
    fn new(shape: LineCacheShape) -> Self {
        let sets = (shape.lines / shape.ways) as usize;
        ReplacementQueues { places: vec![(0, 0); shape.lines as usize], left: vec![0; sets] }
    }

    /// The slot of a set that was not used for longest; slots are used at `entered`.
    fn pop(&mut self, set: usize, ways: usize, entered: &[u64]) -> usize {
        let first = set * ways;
        let places = &mut self.places[first..first + ways];
        let left = &mut self.left[set];
        loop {
            while *left > 0 {
                *left -= 1;
                let (cycle, slot) = places[*left as usize];
                if entered[slot as usize] == cycle {
                    return slot as usize;
                }
            }
            for (place, slot) in places.iter_mut().zip(first..) {
                *place = (entered[slot], slot as u32);
            }
            places.sort_unstable_by(|a, b| b.cmp(a));
            *left = ways as u32;
        }
    }

    fn clear(&mut self) {
        self.left.fill(0);
    }
}

/// What a cache of lines remembers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineCacheState {
    current: u32,
    line_in: Vec<u32>,
    /// The cycle at which a line was entered last; of the current one, at which a prefetch began.
    entered: Vec<u64>,
}

impl LineCache {
    pub(crate) fn new(shape: LineCacheShape, flash_bytes: u32) -> LineCache {
        let slots = shape.lines as usize;
        let state =
            LineCacheState { current: NONE, line_in: vec![NONE; slots], entered: vec![0; slots] };
        let slot_of = vec![NONE; flash_bytes.div_ceil(shape.line) as usize];
        let queues = ReplacementQueues::new(shape);
        LineCache { shape, line_bits: shape.line.ilog2(), state, slot_of, queues }
    }

    /// Reads from the line with a byte of flash at a cycle; the cycles to wait for it.
    #[inline(always)]
    pub(crate) fn enter(&mut self, offset: usize, cycle: u64) -> u32 {
        let line = (offset >> self.line_bits) as u32;
        if line == self.state.current {
            return 0;
        }
        let slot = self.slot_of[line as usize] as usize;
        match self.state.entered.get_mut(slot) {
            Some(entered) => {
                *entered = cycle;
                self.state.current = line;
                0
            }
            None => self.fetch(line, cycle),
        }
    }

    /// Whether a byte of flash is in the line that was entered last.
    pub(crate) fn is_current(&self, offset: usize) -> bool {
        (offset >> self.line_bits) as u32 == self.state.current
    }

    #[cold]
    fn fetch(&mut self, line: u32, cycle: u64) -> u32 {
        let wait = self.wait(line, cycle);
        let slot = self.replace(line);
        self.state.entered[slot] = cycle + u64::from(wait);
        self.state.current = line;
        wait
    }

    /// Cycles until a line comes that is not there. Reading takes one cycle more than there are wait
    /// states; a prefetch began when the line before was entered.
    fn wait(&self, line: u32, cycle: u64) -> u32 {
        let LineCacheShape { prefetches, wait_states, .. } = self.shape;
        let is_ahead = prefetches && self.state.current.checked_add(1) == Some(line);
        let slot = self.slot_of.get(self.state.current as usize);
        let entered = slot.and_then(|&slot| self.state.entered.get(slot as usize));
        let ahead =
            entered.filter(|_| is_ahead).map_or(0, |&entered| cycle.saturating_sub(entered));
        (u64::from(wait_states) + 1).saturating_sub(ahead).min(u64::from(wait_states)) as u32
    }

    /// Puts a line in the place of the least recently used one of its set; the slot it is in.
    fn replace(&mut self, line: u32) -> usize {
        let LineCache { shape, state, slot_of, queues, .. } = self;
        let set = line % (shape.lines / shape.ways);
        let slot = queues.pop(set as usize, shape.ways as usize, &state.entered);
        if let Some(old) = slot_of.get_mut(state.line_in[slot] as usize) {
            *old = NONE;
        }
        state.line_in[slot] = line;
        slot_of[line as usize] = slot as u32;
        slot
    }

    pub(crate) fn state(&self) -> &LineCacheState {
        &self.state
    }

    /// Goes back to a state of a cache of the same shape; says whether it was one.
    pub(crate) fn restore(&mut self, state: LineCacheState) -> bool {
        let fits = |line: &u32| *line == NONE || (*line as usize) < self.slot_of.len();
        let slots = self.shape.lines as usize;
        if state.line_in.len() != slots
            || state.entered.len() != slots
            || !state.line_in.iter().all(fits)
        {
            return false;
        }
        self.slot_of.fill(NONE);
        for (slot, &line) in state.line_in.iter().enumerate() {
            if let Some(at) = self.slot_of.get_mut(line as usize) {
                *at = slot as u32;
            }
        }
        self.state = state;
        self.queues.clear();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(lines: u32, ways: u32, prefetches: bool) -> LineCache {
        LineCache::new(LineCacheShape { line: 16, lines, ways, prefetches, wait_states: 5 }, 1024)
    }

    #[test]
    fn a_prefetch_hides_as_much_as_has_gone_by() {
        let mut cache = cache(4, 4, true);
        assert_eq!(cache.enter(0, 100), 5);
        assert_eq!(cache.enter(12, 106), 0, "the same line");
        // Entered at 105; reading takes 6 cycles.
        assert_eq!(cache.enter(16, 109), 2);
        assert_eq!(cache.enter(32, 117), 0);
        assert_eq!(cache.enter(256, 130), 5, "a jump is not foreseen");
    }

    #[test]
    fn the_line_that_was_not_used_longest_is_replaced() {
        let mut cache = cache(2, 2, false);
        let mut cycle = 0;
        let waits = [0, 16, 0, 32, 0, 16].map(|offset| {
            cycle += 10;
            cache.enter(offset, cycle)
        });
        assert_eq!(waits, [5, 5, 0, 5, 0, 5]);
    }

    /// Compared with a look at all lines, over a walk with loops, jumps and states that were saved.
    #[test]
    fn the_queue_of_a_set_finds_what_a_look_at_all_its_lines_finds() {
        for (lines, ways) in [(8, 8), (8, 2), (4, 1), (16, 4)] {
            let mut cache = cache(lines, ways, true);
            let (mut line, mut cycle, mut random) = (0_u32, 1_u64, 1_u64);
            for _ in 0..20_000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                line = match random >> 60 {
                    0 => (random >> 32) as u32 % 64,
                    1..4 => line.saturating_sub((random >> 40) as u32 % 8),
                    _ => (line + 1) % 64,
                };
                cycle += 1 + (random >> 50) % 5;
                if random >> 54 == 5 {
                    let saved = cache.state().clone();
                    assert!(cache.restore(saved));
                }
                let sets = lines / ways;
                let first = (line % sets * ways) as usize;
                let of_set = first..first + ways as usize;
                let oldest = of_set.min_by_key(|&slot| cache.state.entered[slot]);
                let missed = !cache.state.line_in.contains(&line);
                cycle += u64::from(cache.enter(line as usize * 16, cycle));
                if missed {
                    assert_eq!(Some(cache.slot_of[line as usize] as usize), oldest, "{cycle}");
                }
            }
        }
    }

    #[test]
    fn lines_of_one_set_replace_each_other() {
        let mut cache = cache(2, 1, false);
        let waits = [0, 16, 32, 16, 0].map(|offset| cache.enter(offset, 0));
        assert_eq!(waits, [5, 5, 5, 0, 5]);
    }
}
