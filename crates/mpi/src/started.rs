//! What starts a program several times over says so in the environment of each process.
//!
//! | started by | how many | which one |
//! |---|---|---|
//! | Open MPI's `mpirun` | `OMPI_COMM_WORLD_SIZE` | `OMPI_COMM_WORLD_RANK` |
//! | MPICH's `mpirun` (Hydra), Intel MPI | `PMI_SIZE` | `PMI_RANK` |
//! | MVAPICH's `mpirun_rsh` | `MV2_COMM_WORLD_SIZE` | `MV2_COMM_WORLD_RANK` |
//! | Slurm's `srun` | `SLURM_STEP_NUM_TASKS` | `SLURM_PROCID` |
//!
//! `SLURM_NTASKS` says nothing: in a script of `sbatch` it is there, too, though the script runs once. The variables of a
//! step are set by `srun` only.

use std::env;

/// That this process is one of several, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// Its number.
    pub number: usize,
    /// How many there are, at least two.
    pub count: usize,
    /// What started them.
    pub by: &'static str,
}

const LAUNCHERS: [(&str, &str, &str); 4] = [
    ("mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    ("mpirun", "PMI_SIZE", "PMI_RANK"),
    ("mpirun_rsh", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"),
    ("srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"),
];

impl Started {
    /// As the environment of this process says; `None` if it was started alone.
    pub fn of_this_process() -> Option<Self> {
        Started::find(|name| env::var(name).ok())
    }

    fn find(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let number = |name: &str| variable(name)?.trim().parse::<usize>().ok();
        // The first that is there counts, even for one process: mpirun -n 1 in a step of several tasks.
        let mut launchers = LAUNCHERS.iter();
        let (by, count, number) =
            launchers.find_map(|(by, count, rank)| Some((*by, number(count)?, number(rank)?)))?;
        (count > 1 && number < count).then_some(Started { number, count, by })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variables: &[(&str, &str)]) -> Option<Started> {
        Started::find(|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn ranks_of_every_launcher_are_recognised() {
        for (by, count, rank) in LAUNCHERS {
            let started = found(&[(count, "4"), (rank, "3")]);
            assert_eq!(started, Some(Started { number: 3, count: 4, by }));
        }
    }

    #[test]
    fn a_program_that_is_started_once_is_no_rank() {
        assert_eq!(found(&[]), None);
        assert_eq!(found(&[("OMPI_COMM_WORLD_SIZE", "1"), ("OMPI_COMM_WORLD_RANK", "0")]), None);
        // In a script of sbatch, and in a shell of salloc.
        let batch = [("SLURM_JOB_ID", "7"), ("SLURM_NTASKS", "4"), ("SLURM_PROCID", "0")];
        assert_eq!(found(&batch), None);
        // Nothing that can be understood.
        assert_eq!(found(&[("PMI_SIZE", "many"), ("PMI_RANK", "0")]), None);
        assert_eq!(found(&[("PMI_SIZE", "4"), ("PMI_RANK", "4")]), None);
        assert_eq!(found(&[("PMI_SIZE", "4")]), None);
    }

    #[test]
    fn mpirun_within_a_step_of_slurm_counts_before_the_step() {
        let step = [("SLURM_STEP_NUM_TASKS", "8"), ("SLURM_PROCID", "5")];
        let inner = [("OMPI_COMM_WORLD_SIZE", "1"), ("OMPI_COMM_WORLD_RANK", "0")];
        assert_eq!(found(&[step, inner].concat()), None);
        assert_eq!(found(&step).map(|started| started.number), Some(5));
    }
}
