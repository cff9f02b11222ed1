//! What a user says of a native computer.

use ironbird_component::{Choice, Files, Parameters};
use ironbird_native_shim::protocol;

/// How the threads of a program are made. Both give the same bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Backend {
    /// As coroutines of one thread of the machine: fast. Where the processor cannot, kernel threads are taken.
    #[default]
    Coroutines,
    /// As threads of the machine that hand a token to each other.
    KernelThreads,
}

/// How the program and the simulation talk. All give the same bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Transport {
    /// In process where the program and the run allow it, else by shared memory.
    #[default]
    Auto,
    /// By shared memory: fast.
    Memory,
    /// By a socket.
    Socket,
    /// By function calls: the simulation moves into the program's process. Fastest, for one program of a run.
    InProcess,
}

/// What a fault of the program does to the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum OnFault {
    /// The run ends.
    #[default]
    Stop,
    /// It is told, and the run goes on without the program.
    GoOn,
}

/// What happens to traffic that no entry of `sockets` names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum OtherNetworks {
    /// The program hears that the network cannot be reached.
    #[default]
    Refuse,
    /// It vanishes, and connections never come about.
    Silent,
}

/// Whether the program may start other programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Children {
    /// The run ends.
    #[default]
    Refused,
    /// They run while the program's time stands still, until each of them has ended or waits for the program.
    Helpers,
}

/// The parameters of a native computer.
#[derive(Clone, Debug, Parameters)]
pub struct NativeParameters {
    /// The program and its arguments: "./autopilot --fast", or ["./autopilot", "--fast"]. A path with a / is relative to the
    /// folder of the experiment; other names are looked for in PATH.
    #[parameter(fixed)]
    pub command: String,
    /// Further arguments, after those of the command: for an experiment in which only the program is to be named.
    #[parameter(default = "", fixed)]
    pub arguments: String,
    /// Files that are copied into the program's folder before it starts.
    #[parameter(default = Files::default(), fixed)]
    pub files: Files,
    /// Variables of its environment, one a line: "NAME=value". It has no others than PATH, HOME, TMPDIR, LANG and TZ.
    #[parameter(default = "", fixed)]
    pub environment: String,
    /// Where the program's folder is kept when the run ends, relative to the folder in which Ironbird runs. Nothing is
    /// kept where it is empty.
    #[parameter(default = "", fixed)]
    pub keep: String,
    /// A file for what it prints, relative to the folder in which Ironbird runs. A run that is recorded keeps it beside the
    /// recording, under the name of the component.
    #[parameter(default = "", fixed)]
    pub log: String,
    /// What its paths lead to, one a line: "/dev/spidev0.1 = spi[0] chip 1", "/dev/i2c-1 = i2c[0]",
    /// "/dev/ttyS3 = uart[0] at 57600", "/dev/mem = refused".
    #[parameter(default = "", fixed)]
    pub devices: String,
    /// What its sockets lead to, one a line: "udp local 9003 = udp[0]", "udp remote 9002 = udp[1]",
    /// "tcp listen 5761 = tcp[0]", "tcp connect 4560 = tcp[1]".
    #[parameter(default = "", fixed)]
    pub sockets: String,
    /// What happens to other traffic.
    #[parameter(default = OtherNetworks::Refuse, fixed)]
    pub other_networks: OtherNetworks,
    /// Whether it may start other programs, its own commands in a start script for one.
    #[parameter(default = Children::Refused, fixed)]
    pub children: Children,
    /// How its threads are made.
    #[parameter(default = Backend::Coroutines, fixed)]
    pub backend: Backend,
    /// How it talks to the simulation.
    #[parameter(default = Transport::Auto, fixed)]
    pub transport: Transport,
    /// How much simulated time it takes the program to read a clock.
    #[parameter(unit = "ns", default = 50.0, min = 0, max = 1e9, fixed)]
    pub clock_read: f64,
    /// How much simulated time any other call takes.
    #[parameter(unit = "ns", default = 500.0, min = 0, max = 1e9, fixed)]
    pub call: f64,
    /// How much later than asked a sleep ends, where the thread has no real-time priority. On Linux it is up to 50 us.
    #[parameter(unit = "us", default = 0.0, min = 0, max = 1e6, fixed)]
    pub timer_slack: f64,
    /// The wall clock that it sees at the start, since 1970.
    #[parameter(unit = "s", default = 1_700_000_000.0, min = 0, max = 4e9, fixed)]
    pub epoch: f64,
    /// After so many reads of a clock with no other call the program's clock jumps to what happens next; 0: never.
    #[parameter(default = 0, max = 1_000_000_000, fixed)]
    pub spin_reads: u32,
    /// The longest jump of that kind.
    #[parameter(unit = "us", default = 10.0, above = 0, max = 1e6, fixed)]
    pub spin_jump: f64,
    /// Whether calls that get around the virtual clock end the run.
    #[parameter(default = true, fixed)]
    pub leak_net: bool,
    /// Bus clock of SPI where the program does not say.
    #[parameter(unit = "Hz", default = 1e6, min = 1, max = 4e9, fixed)]
    pub spi_clock: f64,
    /// What selecting a chip on SPI takes beside the bits.
    #[parameter(unit = "us", default = 2.0, min = 0, max = 1e6, fixed)]
    pub spi_setup: f64,
    /// Bus clock of I2C.
    #[parameter(unit = "Hz", default = 400e3, min = 1, max = 4e9, fixed)]
    pub i2c_clock: f64,
    /// What a transfer on I2C takes beside the bits.
    #[parameter(unit = "us", default = 5.0, min = 0, max = 1e6, fixed)]
    pub i2c_setup: f64,
    /// What a fault of the program does to the run: a crash, an end of its own, a leak.
    #[parameter(default = OnFault::Stop, fixed)]
    pub on_fault: OnFault,
    /// How often it shows its counters.
    #[parameter(unit = "s", default = 0.1, above = 0, max = 3600, fixed)]
    pub status: f64,
    /// How long the program may compute without a call that hands over, in real time, before it counts as hanging. It
    /// never changes a result.
    #[parameter(unit = "s", default = 10.0, above = 0, max = 1e6, fixed)]
    pub watchdog: f64,
}

impl From<Backend> for protocol::Backend {
    fn from(backend: Backend) -> Self {
        match backend {
            Backend::Coroutines => protocol::Backend::Coroutines,
            Backend::KernelThreads => protocol::Backend::KernelThreads,
        }
    }
}

impl From<OtherNetworks> for protocol::Networks {
    fn from(networks: OtherNetworks) -> Self {
        match networks {
            OtherNetworks::Refuse => protocol::Networks::Refuse,
            OtherNetworks::Silent => protocol::Networks::Silent,
        }
    }
}
