//! What depends on what, found by watching what each function reads.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};

use crate::block::{Block, Function, Point};
use crate::error::Error;

/// What one function of a block depends on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reads {
    states: Vec<u32>,
    inputs: Vec<u32>,
    time: bool,
}

impl Reads {
    /// It depends on a state.
    pub fn state(&mut self, state: usize) {
        self.states.push(u32::try_from(state).unwrap_or(u32::MAX));
    }

    /// It depends on an input.
    pub fn input(&mut self, input: usize) {
        self.inputs.push(u32::try_from(input).unwrap_or(u32::MAX));
    }

    /// It depends on time.
    pub fn time(&mut self) {
        self.time = true;
    }
}

/// A point at which reading leaves a note.
struct Tracer<'a> {
    states: &'a dyn Fn(usize) -> f64,
    inputs: &'a dyn Fn(usize) -> f64,
    time: f64,
    reads: RefCell<Reads>,
}

impl Point<f64> for Tracer<'_> {
    fn x(&self, state: usize) -> f64 {
        self.reads.borrow_mut().state(state);
        (self.states)(state)
    }
    fn u(&self, input: usize) -> f64 {
        self.reads.borrow_mut().input(input);
        (self.inputs)(input)
    }
    fn time(&self) -> f64 {
        self.reads.borrow_mut().time();
        self.time
    }
}

/// Lists of indices, one after the other in one array.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Turns "function f reads these" around into "this is read by these functions".
    fn inverted(sources: usize, reads: &[Reads], of: impl Fn(&Reads) -> &[u32], own: bool) -> Self {
        let mut starts = vec![0u32; sources + 1];
        let pairs = || {
            reads.iter().enumerate().flat_map(|(function, r)| {
                of(r).iter().map(move |source| (*source as usize, function as u32))
            })
        };
        let keep = |source: usize, function: u32| own || source != function as usize;
        for (source, function) in pairs() {
            starts[source + 1] += u32::from(keep(source, function));
        }
        for k in 0..sources {
            starts[k + 1] += starts[k];
        }
        let mut next = starts.clone();
        let mut items = vec![0; starts[sources] as usize];
        for (source, function) in pairs() {
            if keep(source, function) {
                items[next[source] as usize] = function;
                next[source] += 1;
            }
        }
        Lists { starts, items }
    }

    /// The positions of list `k` in [`item`](Lists::item).
    #[inline]
    pub fn range(&self, k: usize) -> std::ops::Range<usize> {
        self.starts[k] as usize..self.starts[k + 1] as usize
    }

    #[inline]
    pub fn item(&self, position: usize) -> usize {
        self.items[position] as usize
    }

    pub fn list(&self, k: usize) -> impl Iterator<Item = usize> + '_ {
        self.items[self.range(k)].iter().map(|item| *item as usize)
    }
}

/// The dependencies of a block, both ways round.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Influence {
    derivatives: Vec<Reads>,
    crossings: Vec<Reads>,
    inputs: usize,
    /// The derivatives, other than its own, that a state influences.
    #[serde(skip)]
    pub derivatives_of_state: Lists,
    /// The derivatives that an input influences.
    #[serde(skip)]
    pub derivatives_of_input: Lists,
    /// The crossing functions that a state influences.
    #[serde(skip)]
    pub crossings_of_state: Lists,
    /// The crossing functions that an input influences.
    #[serde(skip)]
    pub crossings_of_input: Lists,
}

impl Influence {
    /// Nothing is known yet; [`trace`](Influence::trace) must follow.
    pub fn new<B: Block>(block: &B) -> Self {
        let mut influence = Influence {
            derivatives: vec![Reads::default(); block.states()],
            crossings: vec![Reads::default(); block.crossings()],
            inputs: block.inputs(),
            ..Influence::default()
        };
        influence.rebuild();
        influence
    }

    /// Whether the derivative of `state` depends on time other than through states and inputs.
    #[inline]
    pub fn reads_time(&self, state: usize) -> bool {
        self.derivatives[state].time
    }

    /// The states that a crossing function reads.
    pub fn states_of_crossing(&self, crossing: usize) -> &[u32] {
        &self.crossings[crossing].states
    }

    /// Evaluates the functions of a block at one point and notes what they read. Returns whether
    /// anything changed, in which case [`rebuild`](Influence::rebuild) is due.
    pub fn trace<B: Block>(
        &mut self,
        block: &B,
        functions: impl Iterator<Item = Function>,
        time: f64,
        states: &dyn Fn(usize) -> f64,
        inputs: &dyn Fn(usize) -> f64,
    ) -> Result<bool, Error> {
        let tracer = Tracer { states, inputs, time, reads: RefCell::default() };
        let mut changed = false;
        for function in functions {
            match function {
                Function::Derivative(state) => block.derivative(state, &tracer),
                Function::Crossing(crossing) => block.crossing(crossing, &tracer),
            };
            let mut reads = tracer.reads.take();
            block.also_reads(function, &mut reads);
            for list in [&mut reads.states, &mut reads.inputs] {
                list.sort_unstable();
                list.dedup();
            }
            self.check(&reads)?;
            let known = match function {
                Function::Derivative(state) => &mut self.derivatives[state],
                Function::Crossing(crossing) => &mut self.crossings[crossing],
            };
            if *known != reads {
                *known = reads;
                changed = true;
            }
        }
        Ok(changed)
    }

    fn check(&self, reads: &Reads) -> Result<(), Error> {
        let states = self.derivatives.len();
        match (reads.states.last(), reads.inputs.last()) {
            (Some(state), _) if *state as usize >= states => {
                Err(Error::UnknownState { state: *state as usize, states })
            }
            (_, Some(input)) if *input as usize >= self.inputs => {
                Err(Error::UnknownInput { input: *input as usize, inputs: self.inputs })
            }
            _ => Ok(()),
        }
    }

    /// Turns the lists around.
    pub fn rebuild(&mut self) {
        let (states, inputs) = (self.derivatives.len(), self.inputs);
        self.derivatives_of_state =
            Lists::inverted(states, &self.derivatives, |r| &r.states, false);
        self.derivatives_of_input = Lists::inverted(inputs, &self.derivatives, |r| &r.inputs, true);
        self.crossings_of_state = Lists::inverted(states, &self.crossings, |r| &r.states, true);
        self.crossings_of_input = Lists::inverted(inputs, &self.crossings, |r| &r.inputs, true);
    }

    /// Checks dependencies that come from a file, and turns them around.
    pub fn restore(&mut self, states: usize, crossings: usize, inputs: usize) -> Result<(), Error> {
        let expect = |what, found, expected| {
            if found == expected { Ok(()) } else { Err(Error::BadSave { what, found, expected }) }
        };
        expect("dependencies of derivatives", self.derivatives.len(), states)?;
        expect("dependencies of crossings", self.crossings.len(), crossings)?;
        expect("inputs", self.inputs, inputs)?;
        for reads in self.derivatives.iter().chain(&self.crossings) {
            let largest = |list: &[u32]| list.iter().max().map_or(0, |k| *k as usize + 1);
            if largest(&reads.states) > states || largest(&reads.inputs) > inputs {
                let found = largest(&reads.states).max(largest(&reads.inputs));
                return Err(Error::BadSave { what: "a dependency", found, expected: states });
            }
        }
        self.rebuild();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Number;

    /// x0' = x1 + u0, x1' = x0 while x0 > 0, otherwise x2; x2' = t; z = x2 - u0.
    struct Branching {
        declared: bool,
    }

    impl Block for Branching {
        fn states(&self) -> usize {
            3
        }
        fn inputs(&self) -> usize {
            1
        }
        fn crossings(&self) -> usize {
            1
        }
        fn initial(&self, _: usize) -> f64 {
            1.0
        }
        fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
            match state {
                0 => at.x(1) + at.u(0),
                1 if at.x(0).value() > 0.0 => at.x(0),
                1 => at.x(2),
                _ => at.time(),
            }
        }
        fn crossing<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
            at.x(2) - at.u(0)
        }
        fn also_reads(&self, of: Function, reads: &mut Reads) {
            if self.declared && of == Function::Derivative(1) {
                reads.state(2);
            }
        }
    }

    fn traced(declared: bool, x: [f64; 3]) -> Influence {
        let block = Branching { declared };
        let mut influence = Influence::new(&block);
        let functions =
            (0..3).map(Function::Derivative).chain(std::iter::once(Function::Crossing(0)));
        assert!(influence.trace(&block, functions, 0.0, &|k| x[k], &|_| 0.0).unwrap());
        influence.rebuild();
        influence
    }

    #[test]
    fn what_a_function_reads_influences_it() {
        let influence = traced(false, [1.0, 2.0, 3.0]);
        let derivatives = |k| influence.derivatives_of_state.list(k).collect::<Vec<_>>();
        assert_eq!([derivatives(0), derivatives(1), derivatives(2)], [vec![1], vec![0], vec![]]);
        assert_eq!(influence.derivatives_of_input.list(0).collect::<Vec<_>>(), [0]);
        assert_eq!(influence.crossings_of_state.list(2).collect::<Vec<_>>(), [0]);
        assert_eq!(influence.crossings_of_input.list(0).collect::<Vec<_>>(), [0]);
        assert!(influence.reads_time(2) && !influence.reads_time(0));
    }

    #[test]
    fn a_dependency_behind_a_branch_has_to_be_declared() {
        let found = |influence: Influence| influence.derivatives_of_state.list(2).count();
        assert_eq!(found(traced(false, [1.0, 2.0, 3.0])), 0);
        assert_eq!(found(traced(false, [-1.0, 2.0, 3.0])), 1);
        assert_eq!(found(traced(true, [1.0, 2.0, 3.0])), 1);
    }
}
