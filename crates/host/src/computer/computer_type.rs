//! The type `computer`.

use std::sync::Arc;

use ironbird_component::{
    Choice, ComponentType, Description, Given, Instance, InstantiateError, Interface, Kind, Made,
    Parameters, Place, Settings,
};
use ironbird_document::Source;
use ironbird_kernel::{Duration, Time};

use super::Computer;
use super::model::ComputerModel;
use super::parameters::{ComputerParameters, KnownProfile};
use super::ports;
use crate::clock::Clock;
use crate::elf::Firmware;
use crate::memory::Memory;
use crate::peripherals::{Fixed, Peripherals};
use crate::profile::Profile;

const DOC: &str = "\
A computer that runs firmware: a microcontroller with a RISC-V processor (RV32IMAFC), flash, RAM and peripherals.

It executes the very ELF file that a chip would, in simulated time: every instruction takes the cycles that the profile \
says, and cycles follow `clock`. Chips are linked to its buses, lines and pins. Software that reads or writes where \
there is no memory, whose stack runs out, or that executes no instruction of the processor gets the exception that silicon \
raises, and the run tells which function did it. The book's page \"The simulated computer\" is its manual.";

/// The type `computer`.
pub struct ComputerType {
    description: Description,
    interface: Arc<Interface>,
}

impl Default for ComputerType {
    fn default() -> Self {
        let interface = Arc::new(Interface { ports: ports::describe(), ..Interface::default() });
        let mut description = Description::new("computer", Kind::RunAhead, DOC);
        description.parameters = ComputerParameters::describe();
        description.interface = Some(interface.clone());
        ComputerType { description, interface }
    }
}

/// The profile that was asked for.
fn profile(parameters: &ComputerParameters) -> Result<Profile, InstantiateError> {
    let file = &parameters.profile_file;
    if !file.as_os_str().is_empty() {
        let read = Source::read(file).and_then(|source| Profile::read(&source));
        return read.map_err(|why| InstantiateError::of("profile_file", why));
    }
    let name = KnownProfile::NAMES[parameters.profile.number()];
    Profile::built_in(name)
        .ok_or_else(|| InstantiateError::of("profile", format!("there is no profile \"{name}\"")))
}

/// A size in bytes: a whole number of KiB, or that of the profile.
fn size(name: &str, given: f64, of_profile: u32) -> Result<u32, InstantiateError> {
    if given == 0.0 {
        return Ok(of_profile);
    }
    if given < 1024.0 || given % 4.0 != 0.0 {
        let why = "expected a whole number of words, at least \"1 KiB\"";
        return Err(InstantiateError::of(name, why));
    }
    Ok(given as u32)
}

impl ComponentType for ComputerType {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let parameters = ComputerParameters::read(&Given::new(settings, place))?;
        parameters.debugger().map_err(|why| InstantiateError::of("gdb_address", why))?;
        let profile = profile(&parameters)?;
        let flash_size = size("flash", parameters.flash, profile.flash_bytes)?;
        let ram_size = size("ram", parameters.ram, profile.ram_bytes)?;
        let hertz = if parameters.clock == 0.0 {
            profile.clock_hz
        } else {
            parameters.clock.round() as u64
        };
        let clock =
            Clock::new(Time::ZERO, hertz).map_err(|why| InstantiateError::of("clock", why))?;
        let mut memory = Memory::new(flash_size, ram_size, &profile);
        let wrong = |why: &dyn std::fmt::Display| {
            let name = parameters.firmware.display();
            InstantiateError::of("firmware", format!("\"{name}\": {why}"))
        };
        let file = ironbird_files::read(&parameters.firmware, ironbird_files::LARGEST_TEXT)
            .map_err(|why| wrong(&why))?;
        let firmware = Firmware::parse(&file).map_err(|why| wrong(&why))?;
        firmware.load(&mut memory).map_err(|why| wrong(&why))?;
        let unique = parameters.unique;
        let [_, _, high, low] = unique.to_be_bytes();
        let fixed = Fixed {
            flash_size,
            ram_size,
            unique,
            // A locally administered address.
            nic_address: [0x02, b'I', b'B', 0, high, low],
            entropy: 0,
        };
        let every = Duration::from_secs_f64_ceil(parameters.status).unwrap_or(Duration::FOREVER);
        let peripherals = Peripherals::new(clock, fixed);
        let computer = Computer::new(memory, peripherals, firmware.entry, every);
        let model = ComputerModel::new(computer, parameters, Arc::new(firmware.symbols));
        Ok(Made::run_ahead(model).with_interface(self.interface.clone()))
    }
}
