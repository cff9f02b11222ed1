//! `ironbird check`: says what is wrong with an experiment, without running it.

use ironbird_component::Registry;
use ironbird_runner::{How, Job, dry_run};

use crate::arguments::CheckArguments;
use crate::failure::Failure;
use crate::output::{line, print};
use crate::target::Target;

/// Checks the file, then builds every scenario, which finds circles and the like.
pub fn check(arguments: &CheckArguments, registry: &Registry) -> Result<u8, Failure> {
    let target = Target::open(&arguments.experiment, registry)?;
    for &scenario in &target.scenarios {
        let experiment = target.experiment.clone();
        let job = Job { experiment, registry, scenario, repetition: 0, how: How::default() };
        dry_run(&job).map_err(|error| Failure::of_check(error, &target.experiment))?;
    }
    let experiment = &target.experiment;
    if arguments.resolved {
        print(format_args!("{}", experiment.resolved));
        return Ok(0);
    }
    let count = |number: usize, what: &str| match number {
        1 => format!("1 {what}"),
        several => format!("{several} {what}s"),
    };
    line(format_args!(
        "{}: {}, {}, {}: no problems",
        arguments.experiment.experiment.display(),
        count(experiment.components.len(), "component"),
        count(experiment.links.len(), "link"),
        count(experiment.scenarios.len(), "scenario"),
    ));
    Ok(0)
}
