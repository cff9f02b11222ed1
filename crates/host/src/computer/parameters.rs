//! What a user says of a computer.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use ironbird_component::{Choice, Parameters};

/// Profiles that come with Ironbird.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum KnownProfile {
    /// A flight controller of 168 MHz: 1 MiB of flash with wait states, 192 KiB of RAM.
    #[default]
    #[choice(name = "cortex-m4f-168mhz")]
    CortexM4f168mhz,
    /// One cycle per instruction.
    OneCycle,
}

/// What a fault of software does to the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum OnFault {
    /// It is told, and the computer goes on as silicon would.
    #[default]
    Report,
    /// The run ends.
    Stop,
}

/// The parameters of a computer.
#[derive(Clone, Debug, Parameters)]
pub struct ComputerParameters {
    /// What it runs: an ELF file for RV32IMAFC.
    #[parameter]
    pub firmware: PathBuf,
    /// How long instructions take and how much memory there is.
    #[parameter(default = KnownProfile::CortexM4f168mhz, fixed)]
    pub profile: KnownProfile,
    /// A profile of your own, in the place of `profile`.
    #[parameter(default = PathBuf::new())]
    pub profile_file: PathBuf,
    /// Clock of the processor; 0 Hz: as the profile says.
    #[parameter(unit = "Hz", default = 0.0, min = 0, max = 10e9, fixed)]
    pub clock: f64,
    /// Size of RAM; 0 B: as the profile says.
    #[parameter(unit = "B", default = 0.0, min = 0, max = 67_108_864, fixed)]
    pub ram: f64,
    /// Size of flash; 0 B: as the profile says.
    #[parameter(unit = "B", default = 0.0, min = 0, max = 67_108_864, fixed)]
    pub flash: f64,
    /// A number that no other computer of the system has; software can read it. The address of the network card is made of it.
    #[parameter(default = 1, min = 1, max = 65535, fixed)]
    pub unique: u32,
    /// How much faster the clock is than it says.
    #[parameter(default = 0.0, min = -0.5, max = 1)]
    pub clock_offset: f64,
    /// How much faster it gets with the temperature, from 25 degC on.
    #[parameter(unit = "1/K", default = 0.0, min = -0.01, max = 0.01)]
    pub clock_drift: f64,
    /// How often a bit of RAM flips, on average.
    #[parameter(unit = "Hz", default = 0.0, min = 0, max = 1e6)]
    pub upsets: f64,
    /// How often it shows its status.
    #[parameter(unit = "s", default = 0.1, above = 0, max = 3600, fixed)]
    pub status: f64,
    /// What a fault of software does to the run.
    #[parameter(default = OnFault::Report, fixed)]
    pub on_fault: OnFault,
    /// The port at which a debugger can connect; 0: none.
    #[parameter(default = 0, max = 65535, fixed)]
    pub gdb: u32,
    /// The address of this machine at which it can. Who can connect can do everything with the computer.
    #[parameter(default = "127.0.0.1", fixed)]
    pub gdb_address: String,
    /// Whether the run waits for the debugger before the first instruction.
    #[parameter(default = true, fixed)]
    pub gdb_waits: bool,
}

impl ComputerParameters {
    /// Where a debugger can connect.
    pub fn debugger(&self) -> Result<Option<SocketAddr>, String> {
        let Some(port) = u16::try_from(self.gdb).ok().filter(|port| *port != 0) else {
            return Ok(None);
        };
        let address: Result<IpAddr, _> = self.gdb_address.parse();
        let address = address.map_err(|_| format!("\"{}\" is no IP address", self.gdb_address))?;
        Ok(Some((address, port).into()))
    }
}
