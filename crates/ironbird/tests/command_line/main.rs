//! The command line, seen from outside: every test starts the program that users start.

mod any_partitions;
mod branched;
mod closed_output;
mod damaged_recording;
mod exit_status;
mod network;
mod options;
mod ports;
mod program;
mod programs;
mod replayed;
mod scenarios;
mod sensors;
mod started_several_times;
mod states;
mod tables_and_drawings;
mod tasks;
mod tasks_refused;
mod trimmed;
mod unwritable_output;

#[cfg(unix)]
mod disk_full;
#[cfg(unix)]
mod interrupted;
#[cfg(unix)]
mod killed;
#[cfg(unix)]
mod limits;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(unix)]
mod odd_files;
#[cfg(unix)]
mod processes;
#[cfg(unix)]
mod same_folder;
#[cfg(unix)]
mod user_code;

#[cfg(all(target_os = "linux", not(feature = "mpi")))]
mod shared_library;

// Needs mpirun.
#[cfg(all(unix, feature = "mpi"))]
mod ranks;
