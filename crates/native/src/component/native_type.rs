//! The type `host.native`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration as RealDuration;

use ironbird_component::{
    ComponentType, Description, Given, Holder, Holding, Instance, InstantiateError, Interface,
    Kind, Made, ParameterKind, Parameters, Place, Settings, split_words,
};
use ironbird_kernel::Duration;
use ironbird_native_shim::protocol::{self, Setup, SpinRule};

use super::model::{Design, NativeModel};
use super::parameters::{Children, NativeParameters, Transport};
use super::ports::{self, Identity};
use super::transfers::BusTiming;
use super::wiring::Wiring;
use crate::inside::Vessel;
use crate::launch::{Executable, Plan, is_supported};

const DOC: &str = "\
A computer that is an unmodified Linux program, in virtual time.

The program runs directly on the processor of this machine. Every clock, sleep, wait, thread, device and socket call of \
it is answered in simulated time, so a run has the same result each time and is as fast as the machine can. Its \
`/dev/spidev*`, `/dev/i2c-*` and serial ports lead to chips, its sockets to other components; the entries of `devices` \
and `sockets` make ports of the same names: `spi[0].request`, `uart[0].sent`, `udp[0].received`.

One thread runs at a time: that of the highest priority, then the one that could first. Code between two calls takes no \
simulated time; what calls take is said by `clock_read` and `call`. The program has a new folder for each run, its own \
environment, and seeded random numbers. It cannot be saved in a file. The book's page \"Native programs\" is its manual.";

/// `CLOCK_MONOTONIC` begins with one second, as of a machine that has just been turned on.
const MONOTONIC_START: Duration = Duration::from_secs(1);

/// How many times the patience for one turn of its children the program itself is waited for.
const TURNS: u32 = 10;

/// The type `host.native`.
pub struct NativeType {
    description: Description,
}

impl Default for NativeType {
    fn default() -> Self {
        let mut description = Description::new("host.native", Kind::RunAhead, DOC);
        description.parameters = NativeParameters::describe();
        for parameter in &mut description.parameters {
            match parameter.path.as_str() {
                "command" => parameter.kind = ParameterKind::Command,
                "log" => parameter.kind = ParameterKind::Log,
                _ => {}
            }
        }
        description.foreign = true;
        description.saves_state = false;
        NativeType { description }
    }
}

/// A parameter in units of `ps` picoseconds, as picoseconds.
fn picoseconds(value: f64, ps: f64) -> u64 {
    (value * ps).round() as u64
}

/// The program of a command line, seen from the folder of the experiment.
fn find(word: &str, folder: &Path) -> Option<PathBuf> {
    if word.contains('/') {
        return Some(folder.join(word));
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|place| place.join(word)).find(|file| file.is_file())
}

/// `NAME=value`, one a line.
fn environment(text: &str) -> Result<Vec<(String, String)>, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let read = lines.map(|line| match line.split_once('=') {
        Some(("LD_PRELOAD", _)) => Err("the preload library is set by the run itself".into()),
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().into(), value.into())),
        _ => Err(format!("\"{line}\" sets no variable: write NAME=value, one a line")),
    });
    read.collect()
}

fn path_unless_empty(text: &str) -> Option<PathBuf> {
    (!text.is_empty()).then(|| PathBuf::from(text))
}

/// What is started.
fn plan(
    parameters: &NativeParameters,
    place: &Place<'_>,
) -> Result<(Plan, Executable), InstantiateError> {
    let wrong = |why: String| InstantiateError::of("command", why);
    let mut words = split_words(&parameters.command).map_err(wrong)?;
    let more = split_words(&parameters.arguments);
    words.extend(more.map_err(|why| InstantiateError::of("arguments", why))?);
    let Some(first) = words.first() else {
        return Err(wrong("there is no program: write its path and its arguments".into()));
    };
    let program = find(first, place.folder).ok_or_else(|| {
        wrong(format!("\"{first}\" is in no folder of PATH: name the program by its path"))
    })?;
    let program = std::path::absolute(&program).unwrap_or(program);
    if first.contains('/') {
        // It starts in another folder, and may look for what belongs to it beside its own path.
        words[0] = program.display().to_string();
    }
    let looked_at = Executable::inspect(&program);
    let executable = looked_at.map_err(|why| wrong(format!("\"{}\": {why}", program.display())))?;
    let environment = environment(&parameters.environment)
        .map_err(|why| InstantiateError::of("environment", why))?;
    let output = path_unless_empty(&parameters.log);
    // The folder in which Ironbird runs may be another one by the end of the run.
    let keep = path_unless_empty(&parameters.keep)
        .map(|place| std::path::absolute(&place).unwrap_or(place));
    let files = parameters.files.0.clone();
    Ok((Plan { program, words, environment, files, keep, output }, executable))
}

impl ComponentType for NativeType {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        if !is_supported() {
            let why =
                "native programs run on Linux on x86-64 only: use `computer`, or another machine";
            return Err(InstantiateError::general(why));
        }
        let parameters = NativeParameters::read(&Given::new(settings, place))?;
        if parameters.transport == Transport::InProcess && parameters.children == Children::Helpers
        {
            let why = "a program with helpers cannot hold the simulation: take \"memory\", which gives the same bits";
            return Err(InstantiateError::of("transport", why));
        }
        let (plan, executable) = plan(&parameters, place)?;
        let mut wiring = Wiring::default();
        let read = wiring.add_devices(&parameters.devices);
        read.map_err(|why| InstantiateError::of("devices", why))?;
        let read = wiring.add_sockets(&parameters.sockets);
        read.map_err(|why| InstantiateError::of("sockets", why))?;
        let setup = Setup {
            backend: parameters.backend.into(),
            clock_read_charge: picoseconds(parameters.clock_read, 1e3),
            call_charge: picoseconds(parameters.call, 1e3),
            timer_slack: picoseconds(parameters.timer_slack, 1e6),
            realtime_epoch_ns: (parameters.epoch * 1e9).round() as u64,
            monotonic_start: MONOTONIC_START.as_ps(),
            begun_ns: 0,
            seed: 0,
            spin: (parameters.spin_reads > 0).then(|| SpinRule {
                reads: parameters.spin_reads,
                at_most: picoseconds(parameters.spin_jump, 1e6),
            }),
            networks: parameters.other_networks.into(),
            leak_net: parameters.leak_net,
            children: match parameters.children {
                Children::Refused => protocol::Children::Refused,
                Children::Helpers => protocol::Children::Helpers {
                    patience_ms: (parameters.watchdog * 1e3).ceil() as u64,
                },
            },
            folder: String::new(),
            devices: wiring.devices.clone(),
            sockets: wiring.sockets.clone(),
        };
        let timing = BusTiming {
            spi_clock: parameters.spi_clock as u32,
            spi_setup: Duration::from_ps(picoseconds(parameters.spi_setup, 1e6)),
            i2c_clock: parameters.i2c_clock as u32,
            i2c_setup: Duration::from_ps(picoseconds(parameters.i2c_setup, 1e6)),
        };
        let watchdog = RealDuration::from_secs_f64(parameters.watchdog);
        let holding = match parameters.transport {
            Transport::Memory | Transport::Socket => None,
            Transport::Auto | Transport::InProcess => {
                let is_demanded = parameters.transport == Transport::InProcess;
                let vessel = match parameters.children {
                    Children::Refused => Vessel::new(plan.clone(), is_demanded, watchdog),
                    Children::Helpers => Err("it may have helpers".into()),
                };
                let holder = vessel.map(|vessel| Arc::new(vessel) as Arc<dyn Holder>);
                Some(Holding { is_demanded, holder })
            }
        };
        let ports = ports::describe(&wiring);
        let interface = Interface { ports, holding, ..Interface::default() };
        let every = Duration::from_secs_f64_ceil(parameters.status).unwrap_or(Duration::FOREVER);
        let design = Design {
            plan,
            setup,
            wiring,
            timing,
            transport: parameters.transport,
            on_fault: parameters.on_fault,
            status_every: every,
            watchdog: match parameters.children {
                Children::Refused => watchdog,
                // Between two words of the program many children may have their turns.
                Children::Helpers => watchdog.saturating_mul(TURNS),
            },
            identity: Identity {
                program: (executable.hash as u64) >> 12,
                clock_read: parameters.clock_read * 1e-9,
                call: parameters.call * 1e-9,
                timer_slack: parameters.timer_slack * 1e-6,
                spin_reads: parameters.spin_reads,
            },
        };
        let model = Made::run_ahead(NativeModel::new(design));
        Ok(model.with_warnings(Arc::new(interface), executable.notes(parameters.leak_net)))
    }
}
