//! Ironbird under one name: what a program with component types of its own needs.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     // The command line with all types of Ironbird, and your own.
//!     ironbird::main_with(|registry| {
//!         let _ = registry; // registry.register::<MyComponent>()
//!         Ok(())
//!     })
//! }
//! ```

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

pub use ironbird_cli as cli;
pub use ironbird_component as component;
pub use ironbird_kernel as kernel;
pub use ironbird_solvers as solvers;

use component::{Registry, RegistryError};

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

/// The command line with all component types that come with Ironbird, and those that `register` adds.
pub fn main_with(register: impl FnOnce(&mut Registry) -> Result<(), RegistryError>) -> ExitCode {
    #[cfg(unix)]
    if let Some(ended) = ironbird_foreign::host_if_asked() {
        return ended;
    }
    let made = registry().and_then(|mut registry| {
        register(&mut registry)?;
        Ok(registry)
    });
    match made {
        Ok(registry) => cli::main(&registry, rank()),
        Err(error) => ExitCode::from(broken(&error)),
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
    3
}

/// Which of several processes this is, if mpirun or srun has started it; they are joined by MPI, if it is built in.
fn rank() -> Option<cli::RankOf> {
    let started = ironbird_mpi::Started::of_this_process()?;
    let ironbird_mpi::Started { number, count, by } = started;
    #[cfg(feature = "mpi")]
    let join: Option<cli::Join> = Some(Box::new(move || {
        let job = ironbird_mpi::Job::join(&started)?;
        Ok(Box::new(job))
    }));
    #[cfg(not(feature = "mpi"))]
    let join = None;
    Some(cli::RankOf { number, count, by, join })
}
