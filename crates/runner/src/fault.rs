//! A fault on a signal: an interposer that does nothing until it is switched on.

use ironbird_experiment::checked::{FaultKind, SignalFault};
use ironbird_kernel::{
    AnyValue, Interposer, LoadError, Parameter, ParameterError, Passage, RandomStream, SaveError,
    Scalar, StateReader, StateWriter, Time,
};

/// The parameter that switches a fault on and off.
pub const ACTIVE: &str = "active";

/// A fault on the way of a value.
#[derive(Clone)]
pub struct FaultOnLink {
    fault: SignalFault,
    active: bool,
    /// What the fault's leaves were when a value last passed in good order.
    last: Vec<Option<Scalar>>,
}

impl FaultOnLink {
    /// A fault that is not active yet.
    pub fn new(fault: SignalFault) -> Self {
        FaultOnLink { fault, active: false, last: Vec::new() }
    }

    fn leaves(&self) -> std::ops::Range<usize> {
        self.fault.leaves.0..self.fault.leaves.0 + self.fault.leaves.1
    }

    fn change(&self, value: &mut dyn AnyValue, change: impl FnMut(f64) -> f64) {
        let mut change = change;
        for leaf in self.leaves() {
            if let Some(old) = value.leaf_at(leaf) {
                // A whole number that cannot hold the result keeps its value.
                let _ = value.set_leaf_at(leaf, fitted(old, change(old.as_f64())));
            }
        }
    }
}

/// Leaves of a trajectory: where it starts, and its coefficients.
const START: usize = 0;
const COEFFICIENTS: [usize; 4] = [1, 2, 3, 4];

impl FaultOnLink {
    /// What is done to a trajectory, which stands for a number at each instant.
    fn pass_continuous(&mut self, now: Time, value: &mut dyn AnyValue) {
        if !self.active {
            self.last.clear();
            return;
        }
        let number = |value: &dyn AnyValue, leaf| value.leaf_at(leaf).map_or(0.0, Scalar::as_f64);
        let [c0, c1, c2, c3] = COEFFICIENTS.map(|leaf| number(value, leaf));
        let changed = match self.fault.kind {
            FaultKind::Override(held) => [held, 0.0, 0.0, 0.0],
            FaultKind::Bias(more) => [c0 + more, c1, c2, c3],
            FaultKind::Scale(factor) => [c0, c1, c2, c3].map(|c| c * factor),
            FaultKind::Stuck => {
                let start = match value.leaf_at(START) {
                    Some(Scalar::Unsigned(start)) => start,
                    _ => 0,
                };
                let s = now.as_ps().saturating_sub(start) as f64 * 1e-12;
                let present = Some(Scalar::Float(c0 + s * (c1 + s * (c2 + s * c3))));
                if self.last.is_empty() {
                    self.last.push(present);
                }
                let held = self.last[0].map_or(0.0, Scalar::as_f64);
                [held, 0.0, 0.0, 0.0]
            }
            // Refused when the experiment is checked.
            FaultKind::Delay(_) | FaultKind::Drop(_) | FaultKind::Noise(_) => [c0, c1, c2, c3],
        };
        for (leaf, number) in COEFFICIENTS.into_iter().zip(changed) {
            let _ = value.set_leaf_at(leaf, Scalar::Float(number));
        }
    }
}

/// The number in the kind of the leaf: whole ones are rounded.
fn fitted(old: Scalar, new: f64) -> Scalar {
    match old {
        Scalar::Float(_) => Scalar::Float(new),
        Scalar::Bool(_) => Scalar::Bool(new != 0.0),
        Scalar::Signed(_) | Scalar::Unsigned(_) => Scalar::Float(libm::round(new)),
    }
}

impl Interposer for FaultOnLink {
    fn pass(&mut self, now: Time, value: &mut dyn AnyValue, random: &mut RandomStream) -> Passage {
        // Keyed by time, so that what other faults do to the signal shifts no number.
        random.seek(now.as_ps());
        if self.fault.continuous {
            self.pass_continuous(now, value);
            return Passage::Deliver;
        }
        if !self.active {
            if self.fault.kind == FaultKind::Stuck {
                self.last = self.leaves().map(|leaf| value.leaf_at(leaf)).collect();
            }
            return Passage::Deliver;
        }
        match self.fault.kind {
            FaultKind::Override(number) => self.change(value, |_| number),
            FaultKind::Bias(number) => self.change(value, |old| old + number),
            FaultKind::Scale(factor) => self.change(value, |old| old * factor),
            FaultKind::Noise(deviation) => {
                self.change(value, |old| old + deviation * random.normal());
            }
            FaultKind::Stuck => {
                if self.last.is_empty() {
                    self.last = self.leaves().map(|leaf| value.leaf_at(leaf)).collect();
                }
                for (leaf, last) in self.leaves().zip(&self.last) {
                    if let Some(last) = last {
                        let _ = value.set_leaf_at(leaf, *last);
                    }
                }
            }
            FaultKind::Delay(delay) => return Passage::Delay(delay),
            FaultKind::Drop(probability) => {
                if random.uniform() < probability {
                    return Passage::Drop;
                }
            }
        }
        Passage::Deliver
    }

    fn replicate(&self) -> Box<dyn Interposer> {
        Box::new(self.clone())
    }

    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        match (name, &value) {
            (ACTIVE, Parameter::Bool(active)) => {
                self.active = *active;
                Ok(())
            }
            _ => Err(ParameterError::Unknown { name: name.into() }),
        }
    }

    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        let plain = |scalar: &Option<Scalar>| {
            scalar.map(|scalar| match scalar {
                Scalar::Bool(b) => (0u8, u64::from(b)),
                Scalar::Signed(i) => (1, i as u64),
                Scalar::Unsigned(u) => (2, u),
                Scalar::Float(x) => (3, x.to_bits()),
            })
        };
        let last: Vec<Option<(u8, u64)>> = self.last.iter().map(plain).collect();
        state.put(&(self.active, last))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        let (active, last): (bool, Vec<Option<(u8, u64)>>) = state.get()?;
        let scalar = |(kind, bits): (u8, u64)| match kind {
            0 => Scalar::Bool(bits != 0),
            1 => Scalar::Signed(bits as i64),
            2 => Scalar::Unsigned(bits),
            _ => Scalar::Float(f64::from_bits(bits)),
        };
        (self.active, self.last) = (active, last.into_iter().map(|l| l.map(scalar)).collect());
        Ok(())
    }
}
