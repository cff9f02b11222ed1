//! Selections: a link whose reader takes a part of what its source shows.
//!
//! The part is taken where the value enters the link, behind the interposers of the stretches before, and is a value of
//! its own from there on: it crosses to other partitions and processes, and is saved, as such.

use std::any::TypeId;
use std::fmt;

use crate::interpose::{Interposed, Passage};
use crate::port::{PortType, port_type};
use crate::schema::{LeafKind, Schema};
use crate::store::flat_bytes;
use crate::time::{Duration, Time};
use crate::value::{AnyValue, Value, WireReader};

/// Which leaves of a value a link carries, and as a value of which type.
#[derive(Clone, Copy)]
pub struct Selection {
    first: usize,
    leaves: usize,
    value: &'static dyn PortType,
    zero: fn() -> Box<dyn AnyValue>,
}

impl fmt::Debug for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Selection({} from leaf {})", self.value.schema(), self.first)
    }
}

/// The value of zeros, into which leaves are put.
fn zero<T: Value>() -> Option<T> {
    let size = T::schema().size();
    let mut flat = (size as u64).to_le_bytes().to_vec();
    flat.resize(flat.len() + size, 0);
    T::decode(&mut WireReader::flat(&flat).ok()?).ok()
}

impl Selection {
    /// As many leaves as a `T` has, from number `first` on, as a `T`. `None` if no `T` is all zeros.
    pub fn from_leaf<T: Value>(first: usize) -> Option<Self> {
        zero::<T>()?;
        let boxed = || -> Box<dyn AnyValue> {
            Box::new(zero::<T>().expect("a selection has a value of zeros"))
        };
        Some(Selection { first, leaves: T::LEAVES, value: port_type::<T>(), zero: boxed })
    }

    pub(crate) fn id(&self) -> TypeId {
        self.value.id()
    }

    /// Whether values of this layout have these leaves, and a `T` holds each of them exactly.
    pub(crate) fn fits(&self, source: &Schema) -> bool {
        use LeafKind::{F32, F64, I8, I16, I32, Payload, U8, U16, U32};
        let given = source.leaves();
        let wanted = self.value.schema().leaves();
        let is_exact = |given: LeafKind, wanted: LeafKind| {
            let real = matches!(given, F32 | I8 | I16 | I32 | U8 | U16 | U32) && wanted == F64;
            (given == wanted && given != Payload) || real
        };
        let Some(given) = given.get(self.first..) else { return false };
        let mut pairs = wanted.iter().zip(given);
        given.len() >= wanted.len() && pairs.all(|(w, g)| is_exact(g.kind, w.kind))
    }

    /// Puts its leaves of a value into a part. Whether the part holds all of these numbers was checked with the link.
    fn take(&self, from: &dyn AnyValue, part: &mut dyn AnyValue) {
        for leaf in 0..self.leaves {
            if let Some(number) = from.leaf_at(self.first + leaf) {
                let _ = part.set_leaf_at(leaf, number);
            }
        }
    }
}

/// A selection on a link, and the part that it has taken last.
struct Stage {
    /// How many interposers come before it.
    before: usize,
    selection: Selection,
    part: Box<dyn AnyValue>,
}

/// The selections along a link. They keep what they have taken, so that nothing is allocated when a value passes.
pub(crate) struct Selections(Vec<Stage>);

impl Selections {
    /// Those along a link, each with the number of interposers that come before it; `None` if there are none.
    pub fn new(along: &[(usize, Selection)]) -> Option<Self> {
        let stages = along.iter().map(|&(before, selection)| {
            let part = (selection.zero)();
            Stage { before, selection, part }
        });
        (!along.is_empty()).then(|| Selections(stages.collect()))
    }

    /// The bytes of what readers see of a first value, which passes no interposer.
    pub fn first_bytes(&self, value: &dyn AnyValue) -> Vec<u8> {
        let mut carried: Option<Box<dyn AnyValue>> = None;
        for Stage { selection, .. } in &self.0 {
            let mut part = (selection.zero)();
            selection.take(carried.as_deref().unwrap_or(value), part.as_mut());
            carried = Some(part);
        }
        flat_bytes(carried.as_deref().unwrap_or(value))
    }

    /// Lets a value go all the way; [`Self::part`] is what arrives then. How much later than the latency says, or `None`
    /// if it is dropped.
    pub fn carry(
        &mut self,
        value: &dyn AnyValue,
        mut chain: Option<&mut Interposed>,
        now: Time,
    ) -> Option<Duration> {
        // What interposers before the first selection make of the value.
        let mut whole: Option<Box<dyn AnyValue>> = None;
        let mut later = Duration::ZERO;
        let (mut passed, mut taken) = (0, 0);
        loop {
            while self.0.get(taken).is_some_and(|stage| stage.before == passed) {
                let (before, rest) = self.0.split_at_mut(taken);
                let from = match before.last() {
                    Some(stage) => stage.part.as_ref(),
                    None => whole.as_deref().unwrap_or(value),
                };
                let Stage { selection, part, .. } = &mut rest[0];
                selection.take(from, part.as_mut());
                taken += 1;
            }
            let Some(interposed) = chain else { return Some(later) };
            let passing = match self.0[..taken].last_mut() {
                Some(stage) => &mut stage.part,
                None => whole.get_or_insert_with(|| value.boxed()),
            };
            match interposed.interposer.pass(now, passing.as_mut(), &mut interposed.random) {
                Passage::Drop => return None,
                Passage::Deliver => {}
                Passage::Delay(delay) => later = later + delay,
            }
            chain = interposed.next.as_deref_mut();
            passed += 1;
        }
    }

    /// What has arrived of the last value that was carried.
    pub fn part(&self) -> Option<&dyn AnyValue> {
        self.0.last().map(|stage| stage.part.as_ref())
    }
}
