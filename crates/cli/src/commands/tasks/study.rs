//! `ironbird tasks study`: how many random workloads can be simulated.

use ironbird_tasks::study::{Generator, Study, Vary};
use ironbird_tasks::{Fraction, NotAFraction, Policy};

use super::simulate::policy;
use crate::commands::compare::write;
use crate::failure::Failure;
use crate::output::{line, print};
use crate::task_arguments::{GeneratorChoice, PolicyChoice, StudyArguments, VaryChoice};

/// Runs the study; prints its table, or writes it and a plot to a folder.
pub fn study(arguments: &StudyArguments) -> Result<u8, Failure> {
    let vary = match arguments.vary {
        VaryChoice::Transaction => Vary::Transaction,
        VaryChoice::Write => Vary::Write,
        VaryChoice::Read => Vary::Read,
    };
    let generator = match arguments.generator {
        GeneratorChoice::AsPublished => Generator::AsPublished,
        GeneratorChoice::AsWritten => Generator::AsWritten,
    };
    let truetime = policy(PolicyChoice::Truetime, arguments.truetime);
    let mut study = Study::new(vary, generator);
    study.workloads = arguments.workloads;
    study.seed = arguments.seed;
    study.threads = arguments.threads as usize;
    study.cores = arguments.cores as usize;
    study.policies = vec![Policy::Ours, Policy::AllSync, truetime];
    if let Some(speed) = &arguments.speed {
        study.speed = speed
            .parse::<Fraction>()
            .map_err(|error: NotAFraction| Failure::input(format!("--speed: {error}")))?;
    }
    let result = study.run().map_err(|error| Failure::input(error.to_string()))?;
    match arguments.json {
        true => line(format_args!("{:#}", result.to_json())),
        false if arguments.out.is_none() => print(result.to_csv()),
        false => {}
    }
    if let Some(folder) = &arguments.out {
        let name = vary.name();
        let files = [
            (format!("{name}.csv"), result.to_csv()),
            (format!("{name}.json"), format!("{:#}\n", result.to_json())),
            (format!("{name}.svg"), result.to_svg()),
        ];
        for (name, contents) in files {
            write(&folder.join(&name), &contents)?;
            if !arguments.json {
                line(folder.join(&name).display());
            }
        }
    }
    Ok(0)
}
