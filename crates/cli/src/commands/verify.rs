//! `ironbird verify`: runs an experiment twice and compares every bit.

use ironbird_component::Registry;
use ironbird_kernel::Sharing;
use ironbird_runner::{Ending, How, Interrupt, Job, Outcomes, run};

use crate::arguments::VerifyArguments;
use crate::failure::Failure;
use crate::output::line;
use crate::progress::Shown;
use crate::target::{Target, how};

/// Runs every scenario once on one partition and once on as many as allowed, at least two, with all
/// outputs of all components hashed.
pub fn verify(arguments: &VerifyArguments, registry: &Registry) -> Result<u8, Failure> {
    let target = Target::open(&arguments.experiment, registry)?;
    let how = How { digest: true, ..how(&arguments.how)? };
    let mut same = true;
    for &scenario in &target.scenarios {
        let name = target.experiment.scenarios[scenario].name.clone();
        let name = name.unwrap_or_else(|| target.stem.clone());
        let once = |partitions: usize| -> Result<Outcomes, Failure> {
            let experiment = target.experiment.clone();
            let how = How { partitions, sharing: Sharing::Always, ..how.clone() };
            let job = Job { experiment, registry, scenario, repetition: 0, how };
            let mut shown = Shown::new(&name);
            let done = run(&job, &Interrupt::default(), &mut |progress| shown.report(progress));
            shown.finish();
            done.map_err(|error| Failure::of_run(error, &target.experiment))
        };
        let (first, second) = (once(1)?, once(how.partitions.max(2))?);
        if let Ending::Faulted(fault) = &first.ending {
            return Err(Failure::Run(fault.to_string()));
        }
        let equal = first.hash == second.hash
            && first.digest == second.digest
            && first.verdicts == second.verdicts
            && first.ending == second.ending;
        let used = second.statistics.placement.partitions;
        let digest = first.digest.unwrap_or_default();
        if equal && used > 1 {
            let on = format!("on 1 and on {used} partitions");
            line(format_args!("{name}: the same bits {on}, all outputs {digest:016x}"));
        } else if equal {
            let why = "it cannot be split, because no link has a latency";
            line(format_args!("{name}: the same bits twice ({why}), all outputs {digest:016x}"));
        } else {
            same = false;
            line(format_args!("{name}: the two runs DIFFER"));
            line(format_args!(
                "  1 partition:  recorded {}, all outputs {digest:016x}",
                first.hash
            ));
            let digest = second.digest.unwrap_or_default();
            line(format_args!(
                "  {used} partitions: recorded {}, all outputs {digest:016x}",
                second.hash
            ));
        }
        let foreign = target.experiment.components.iter().filter(|c| c.description.foreign);
        for component in foreign {
            line(format_args!(
                "  {} is foreign: its bits are not promised on other machines",
                component.path
            ));
        }
    }
    Ok(if same { 0 } else { crate::FAILED })
}
