//! A command that was started several times over, by mpirun or srun: the ranks make a run together, and only the first
//! one does anything else.

use std::time::Duration;

use ironbird_component::Registry;
use ironbird_experiment::Problem;
use ironbird_kernel::{CarrierError, Fault, Outcome};
use ironbird_runner::{Company, Interrupt, Ranks, Word, serve_among};

use crate::arguments::{Command, RunArguments};
use crate::commands::run::{BY_NAME, Order, Watchers, patience};
use crate::failure::{Failure, print_problems};
use crate::interrupt::interrupt;
use crate::output::{self, complain};
use crate::target::Target;

/// How a rank is joined to the others.
pub type Join = Box<dyn FnOnce() -> Result<Box<dyn Ranks>, String>>;

/// That this process is one of several that were started together.
pub struct RankOf {
    /// Its number.
    pub number: usize,
    /// How many there are.
    pub count: usize,
    /// What started them.
    pub by: &'static str,
    /// How it is joined to the others, if this program can.
    pub join: Option<Join>,
}

/// Does what is special for one of several; `None` if it goes on like one that is alone.
pub fn act(rank: RankOf, command: &Command, registry: &Registry) -> Option<u8> {
    let RankOf { number, count, by, join } = rank;
    let Command::Run(arguments) = command else {
        if number > 0 {
            return Some(0);
        }
        complain(format_args!("{by} started {count} processes: one of them does this\n"));
        return None;
    };
    // Processes that a run starts itself, and runs that each rank makes for itself.
    if arguments.member.is_some() || arguments.processes == Some(1) {
        return None;
    }
    let joined = refuse(arguments).and_then(|()| {
        let patience = patience(arguments)?;
        let join = join.ok_or_else(|| built_without(by, count))?;
        let interrupt = interrupt()?;
        let ranks = join().map_err(Failure::Run)?;
        Ok((ranks, patience, interrupt))
    });
    match joined {
        Ok((ranks, patience, interrupt)) => {
            Some(run(ranks, arguments, registry, patience, &interrupt))
        }
        // All find the same. One that ended with a status before the first has spoken would end that one, too.
        Err(_) if number > 0 => Some(0),
        Err(failure) => {
            failure.print();
            Some(failure.status())
        }
    }
}

fn built_without(by: &str, count: usize) -> Failure {
    let problem = Problem::somewhere(format!(
        "{by} started {count} processes, but this program was built without MPI, and each would make the whole run (with \
         --processes 1 it does: give each an --out of its own)"
    ));
    let help = "build it with MPI: cargo build --release -p ironbird --features mpi";
    Failure::Input(problem.help(help).into())
}

/// Options that say something else than what has started the ranks.
fn refuse(arguments: &RunArguments) -> Result<(), Failure> {
    let what = match arguments {
        RunArguments { processes: Some(_), .. } => "--processes",
        RunArguments { simulation_computer: true, .. } => "--simulation-computer",
        RunArguments { view: true, .. } => "--view",
        RunArguments { foxglove: Some(_), .. } => "--foxglove",
        RunArguments { commands: Some(_), .. } => "--commands",
        RunArguments { how, .. } if how.partitions != 1 => "--partitions",
        _ => return Ok(()),
    };
    Err(Failure::input(format!(
        "the run is spread over the processes that were started, one partition each: leave out {what} (with \
         --processes 1 each makes the whole run for itself)"
    )))
}

/// The order, as far as it can be carried out by so many ranks.
fn order<'a>(
    arguments: &'a RunArguments,
    registry: &'a Registry,
    (number, count): (usize, usize),
) -> Result<Order<'a>, Failure> {
    let (target, warnings) = Target::read(&arguments.experiment, registry)?;
    if number == 0 && !warnings.0.is_empty() {
        print_problems(&warnings);
    }
    let order = Order::read(arguments, registry, target)?;
    let experiment = &order.target.experiment;
    let names = experiment.processes();
    let (needed, components) = (names.len() + 1, experiment.components.len());
    if !names.is_empty() && needed != count {
        return Err(Failure::input(format!(
            "{BY_NAME}: {}, and one more for the others. That makes {needed} ranks, not {count}: start it with -n {needed}",
            names.join(", ")
        )));
    }
    if number == 0 && components < count {
        complain(format_args!(
            "there are {count} ranks for {components} components: {} have nothing to do\n",
            count - components
        ));
    }
    Ok(order)
}

/// Makes all runs together with the other ranks. The exit status; the first rank has said why.
fn run(
    mut ranks: Box<dyn Ranks>,
    arguments: &RunArguments,
    registry: &Registry,
    patience: Duration,
    interrupt: &Interrupt,
) -> u8 {
    let mut company = Company::new(&mut *ranks, patience, interrupt);
    let order = order(arguments, registry, (company.number(), company.count()));
    let done = match company.number() {
        0 => lead(order, &mut company, interrupt),
        _ => follow(order, &mut company),
    };
    let status = match &done {
        Ok(status) => output::status(*status),
        Err(failure) => {
            failure.print();
            failure.status()
        }
    };
    let in_good_order = company.is_over() && !company.is_broken();
    ranks.end(status, in_good_order);
    status
}

/// The first rank: all that a process does that is alone, and a last word to the others.
fn lead(
    order: Result<Order<'_>, Failure>,
    company: &mut Company<'_>,
    interrupt: &Interrupt,
) -> Result<u8, Failure> {
    let done =
        order.and_then(|order| order.run_all(interrupt, Some(company), &Watchers::default()));
    if company.is_over() || company.is_broken() {
        return done;
    }
    let own = done.as_ref().err().map(Failure::text);
    let met = company.meet(&Word::Over);
    match met {
        // What all have found is said once.
        Ok(met) => {
            let others = met.troubles.iter().filter(|(_, trouble)| own.as_ref() != Some(trouble));
            others.for_each(|(rank, trouble)| complain(format_args!("{}\n", of(*rank, trouble))));
            done
        }
        Err(lost) => done.and(Err(Failure::Run(lost.to_string()))),
    }
}

fn of(rank: usize, trouble: &str) -> String {
    format!("rank {rank} cannot go on: {trouble}")
}

/// Another rank: advances its part of each run. It says nothing, unless the first one cannot.
fn follow(order: Result<Order<'_>, Failure>, company: &mut Company<'_>) -> Result<u8, Failure> {
    let mut jobs = order.iter().flat_map(Order::jobs);
    let mut word = match &order {
        Ok(_) => Word::Ready,
        Err(failure) => Word::Trouble(failure.text()),
    };
    loop {
        match company.meet(&word) {
            Ok(met) if met.goes_on => {}
            Ok(_) => return Ok(0),
            Err(lost) => return mourn(company, &lost.to_string()),
        }
        let Some(job) = jobs.next() else {
            word =
                Word::Trouble("it knows of fewer runs: give all ranks the same arguments".into());
            continue;
        };
        word = match serve_among(&job, company) {
            Ok(Outcome::Faulted(fault @ Fault::ProcessLost { process: 0, .. })) => {
                return mourn(company, &fault.to_string());
            }
            // The first rank knows it, too.
            _ if company.is_broken() => {
                company.await_end_of_first();
                return Ok(crate::FAILED);
            }
            Ok(_) => Word::Ready,
            Err(error) => Word::Trouble(Failure::of_run(error, &job.experiment).text()),
        };
    }
}

/// The first rank is lost: the second one says so, and ends all. The others do if it does not.
fn mourn(company: &Company<'_>, what: &str) -> Result<u8, Failure> {
    if company.number() == 1 {
        return Err(Failure::Run(what.to_owned()));
    }
    std::thread::sleep(Duration::from_secs(1));
    Ok(crate::FAILED)
}

/// Meets the other ranks before a run.
pub fn begin_together(company: &mut Company<'_>) -> Result<(), Failure> {
    let lost = |lost: CarrierError| Failure::Run(lost.to_string());
    let met = company.meet(&Word::Ready).map_err(lost)?;
    if met.goes_on {
        return Ok(());
    }
    let troubles: Vec<String> =
        met.troubles.iter().map(|(rank, trouble)| of(*rank, trouble)).collect();
    Err(Failure::Run(troubles.join("\n")))
}
