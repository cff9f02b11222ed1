//! What mpirun or srun start several times over, as their environment says, without any of them.

use crate::program::{Ended, Place, ended, example};

fn as_rank(number: usize, arguments: &[&str]) -> (Ended, Place) {
    let place = Place::new();
    let mut command = place.command(arguments);
    command.env("OMPI_COMM_WORLD_SIZE", "4").env("OMPI_COMM_WORLD_RANK", number.to_string());
    (ended(&mut command), place)
}

#[cfg(not(feature = "mpi"))]
#[test]
fn a_program_without_mpi_refuses_to_run_several_times_over_and_says_so_once() {
    let network = example("processes/network.toml");
    let arguments = ["run", &network, "--until", "10 ms", "--out", "out"];
    let (first, place) = as_rank(0, &arguments);
    assert_eq!(first.status, 2);
    assert!(
        first.err.contains("mpirun started 4 processes, but this program was built without MPI"),
        "{}",
        first.err
    );
    assert!(
        first.err.contains("cargo build --release -p ironbird --features mpi"),
        "{}",
        first.err
    );
    assert!(!place.path("out").exists());
    let (other, place) = as_rank(1, &arguments);
    assert_eq!((other.status, other.err.as_str(), other.out.as_str()), (0, "", ""));
    assert!(!place.path("out").exists());
}

#[test]
fn a_rank_may_make_the_whole_run_for_itself() {
    let network = example("processes/network.toml");
    let arguments = ["run", &network, "--until", "10 ms", "--out", "out", "--processes", "1"];
    let (done, place) = as_rank(1, &arguments);
    assert!(done.out.contains("verdict:"), "{}{}", done.out, done.err);
    assert!(place.path("out/recording.mcap").exists());
}

#[test]
fn only_the_first_does_what_is_no_run() {
    let network = example("processes/network.toml");
    let (first, _) = as_rank(0, &["check", &network]);
    assert!(first.out.contains("no problems"));
    assert!(first.err.contains("mpirun started 4 processes: one of them does this"));
    let (other, _) = as_rank(3, &["check", &network]);
    assert_eq!((other.status, other.err.as_str(), other.out.as_str()), (0, "", ""));
}

#[test]
fn a_script_of_sbatch_is_one_process() {
    let place = Place::new();
    let network = example("processes/network.toml");
    let mut command = place.command(&["run", &network, "--until", "10 ms"]);
    command.env("SLURM_JOB_ID", "7").env("SLURM_NTASKS", "4").env("SLURM_PROCID", "0");
    let done = ended(&mut command);
    assert!(done.out.contains("verdict:"), "{}{}", done.out, done.err);
}
