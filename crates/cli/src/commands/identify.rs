//! `ironbird identify`: parameters of a model from the log of a flight.

use ironbird_compare::{Progress, Setup, identify as find};
use ironbird_component::Registry;

use crate::arguments::IdentifyArguments;
use crate::commands::compare::write;
use crate::failure::Failure;
use crate::output::{complain, line};

/// Fits to logs, and scores on others.
pub fn identify(arguments: &IdentifyArguments, registry: &Registry) -> Result<u8, Failure> {
    let open = |log| Setup::open(&arguments.with, log, registry);
    let fitted = arguments.logs.iter().map(|log| open(log)).collect::<Result<Vec<_>, _>>()?;
    let others = arguments.score.iter().map(|log| open(log)).collect::<Result<Vec<_>, _>>()?;
    let (fitted, others): (Vec<&Setup>, Vec<&Setup>) =
        (fitted.iter().collect(), others.iter().collect());
    let found = find(&fitted, &others, |Progress { round, iteration, cost }| {
        complain(format_args!("round {round}, iteration {iteration}: cost {cost:.6}\n"));
    })?;
    match arguments.json {
        true => line(format_args!("{:#}", found.json())),
        false => line(found.text().trim_end()),
    }
    if let Some(path) = &arguments.out {
        write(path, &found.toml)?;
        if !arguments.json {
            line(format_args!("  {}", path.display()));
        }
    }
    Ok(0)
}
