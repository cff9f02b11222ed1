//! All component types that come with Ironbird in one registry, and the command line with them.

use std::ffi::OsString;
use std::path::PathBuf;

#[cfg(unix)]
pub mod limits;

pub use ironbird_cli as cli;
pub use ironbird_cli::FAILED;
pub use ironbird_component as component;
pub use ironbird_kernel as kernel;
pub use ironbird_solvers as solvers;

use component::{Registry, RegistryError};
use ironbird_mpi::Started;

/// All component types that come with Ironbird.
pub fn registry() -> Result<Registry, RegistryError> {
    let mut registry = Registry::with_builtin();
    ironbird_control::register(&mut registry)?;
    ironbird_devices::register(&mut registry)?;
    ironbird_environment::register(&mut registry)?;
    #[cfg(unix)]
    ironbird_foreign::register(&mut registry)?;
    ironbird_host::register(&mut registry)?;
    ironbird_kinematics::register(&mut registry)?;
    #[cfg(unix)]
    ironbird_peers::register(&mut registry)?;
    ironbird_mavlink::register(&mut registry)?;
    #[cfg(target_os = "linux")]
    ironbird_native::register(&mut registry)?;
    ironbird_network::register(&mut registry)?;
    ironbird_plant::register(&mut registry)?;
    ironbird_record::replay::register(&mut registry)?;
    ironbird_ros2::register(&mut registry)?;
    ironbird_sensors::register(&mut registry)?;
    ironbird_world::register(&mut registry)?;
    Ok(registry)
}

/// How the ranks of an MPI job are joined, by those who can.
pub type JoinRanks = fn(Started) -> cli::Join;

/// The command line with all component types that come with Ironbird, and those that `register` adds: the exit status.
pub fn status_with(
    register: impl FnOnce(&mut Registry) -> Result<(), RegistryError>,
    join: Option<JoinRanks>,
) -> u8 {
    #[cfg(unix)]
    if let Some(status) = ironbird_foreign::host_if_asked() {
        return status;
    }
    let made = registry().and_then(|mut registry| {
        register(&mut registry)?;
        Ok(registry)
    });
    match made {
        Ok(registry) => cli::main(&registry, rank(join)),
        Err(error) => broken(&error),
    }
}

/// The command line of another process, whose file is `program`, with all component types that come with Ironbird: the
/// exit status. For a run that goes on inside a native program.
pub fn main_inside(program: PathBuf, arguments: Vec<OsString>) -> u8 {
    match registry() {
        Ok(registry) => cli::main_inside(&registry, program, arguments),
        Err(error) => broken(&error),
    }
}

fn broken(error: &RegistryError) -> u8 {
    eprintln!("ironbird: {error}");
    FAILED
}

/// Which of several processes this is, if mpirun or srun has started it.
fn rank(join: Option<JoinRanks>) -> Option<cli::RankOf> {
    let started = Started::of_this_process()?;
    let Started { number, count, by } = started;
    Some(cli::RankOf { number, count, by, join: join.map(|join| join(started)) })
}
