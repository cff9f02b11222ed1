//! What a controller sees at a step: numbers, and how long ago the last step was.

use ironbird_kernel::Time;
use serde::{Deserialize, Serialize};

/// The longest time in s that a controller accounts for at once. One that was stopped for longer goes on
/// as if it had been this long: nothing was controlled meanwhile, so there is nothing to integrate.
const LONGEST: f64 = 1.0;

/// The time of the last step.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct LastStep(Option<Time>);

impl LastStep {
    /// Seconds since the last step, 0 at the first.
    pub fn elapsed(&mut self, now: Time) -> f64 {
        let last = self.0.replace(now).unwrap_or(now);
        (now - last).as_secs_f64().min(LONGEST)
    }
}

/// Says which input is not a number, if one is: it would stay in integrals and filters.
pub(super) fn not_a_number(inputs: &[(&str, &[f64])]) -> Option<String> {
    let (name, values) = inputs.iter().find(|(_, values)| !values.iter().all(|x| x.is_finite()))?;
    Some(format!("the input \"{name}\" is {values:?}: it must be a number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironbird_kernel::Duration;

    #[test]
    fn a_controller_that_was_stopped_does_not_integrate_over_the_stop() {
        let (mut last, start) = (LastStep::default(), Time::ZERO);
        assert_eq!(last.elapsed(start), 0.0);
        assert_eq!(last.elapsed(start + Duration::from_ms(20)), 0.02);
        assert_eq!(last.elapsed(start + Duration::from_secs(100)), 1.0);
    }
}
