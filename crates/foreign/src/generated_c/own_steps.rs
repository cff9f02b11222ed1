//! How many steps a model makes in one step of its component.
//!
//! The model steps at a rate of its own, which is a multiple of that of its component. At the first
//! step it makes one, so that its outputs are those of that instant; then as many as its rate says: with
//! the inputs of the last step up to now, and the last one, which is now, with those of now.

use ironbird_kernel::{Grid, LoadError, Rate, SaveError, StateReader, StateWriter, Time};

/// Counts the steps of a model.
pub(crate) struct OwnSteps {
    rate: Rate,
    last: Option<Last>,
}

/// The last step of the component.
#[derive(Clone, Copy)]
struct Last {
    /// Where the model began.
    anchor: Time,
    /// The number of the component's step.
    tick: u64,
    /// The number of the model's step.
    count: u64,
}

impl OwnSteps {
    /// Of a model with this rate.
    pub fn new(rate: Rate) -> Self {
        OwnSteps { rate, last: None }
    }

    /// How many steps the model makes in the step `tick` of the component, which is now.
    pub fn due(&mut self, now: Time, tick: u64) -> Result<u64, String> {
        let Some(last) = self.last else {
            self.last = Some(Last { anchor: now, tick, count: 0 });
            return Ok(1);
        };
        let grid = Grid::new(last.anchor, self.rate);
        let count = grid.count(now);
        // A component that was stopped does not catch up; one whose rate was changed counts anew.
        let missed = tick.checked_sub(last.tick).filter(|ticks| *ticks > 0).unwrap_or(1);
        let passed = count - last.count;
        if grid.tick(count) != now || !passed.is_multiple_of(missed) || passed == 0 {
            return Err(format!(
                "the model steps at {}, which must be a multiple of the rate of its component",
                self.rate
            ));
        }
        self.last = Some(Last { tick, count, ..last });
        Ok(passed / missed)
    }

    pub fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&self.last.map(|last| (last.anchor, last.tick, last.count)))
    }

    pub fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        let last: Option<(Time, u64, u64)> = state.get()?;
        self.last = last.map(|(anchor, tick, count)| Last { anchor, tick, count });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Time {
        Time::from_ps(ms * 1_000_000_000)
    }

    #[test]
    fn a_model_makes_one_step_at_first_and_then_as_many_as_its_rate_says() {
        let mut own = OwnSteps::new(Rate::hz(1_000));
        let steps = [0, 1, 2].map(|tick| own.due(ms(3 + 4 * tick), tick).unwrap());
        assert_eq!(steps, [1, 4, 4]);
        assert_eq!(own.due(ms(3 + 40), 10), Ok(4), "what was stopped does not catch up");
    }

    #[test]
    fn a_rate_that_is_no_multiple_is_refused() {
        let mut own = OwnSteps::new(Rate::hz(1_000));
        assert_eq!(own.due(ms(0), 0), Ok(1));
        assert!(own.due(Time::from_ps(2_500_000_000), 1).is_err());
        let mut slow = OwnSteps::new(Rate::hz(100));
        assert_eq!(slow.due(ms(0), 0), Ok(1));
        assert!(slow.due(ms(1), 1).is_err(), "the model is slower than its component");
    }
}
