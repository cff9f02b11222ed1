//! ArduCopter's wiring: a user's build, or the stand-in of `copter/`.

use std::path::{Path, PathBuf};
use std::process::Command;

use ironbird_kernel::Time;
use ironbird_record::{Recording, Status, Verdict};

use crate::inside::TRANSPORTS;
use crate::registers::{Access, BAROMETER, INERTIAL_UNIT, LIGHTS, PULSES, first_of_each};

const IMU: u8 = 1;
const MS5611: u8 = 0x77;
const PCA9685: u8 = 0x40;

/// A program, and the folder that keeps it.
struct Autopilot {
    program: PathBuf,
    folder: tempfile::TempDir,
    /// Whether it is ArduCopter itself.
    is_real: bool,
}

/// The user's ArduCopter, or else the stand-in; none, with a word about it, where there is no compiler.
fn autopilot() -> Option<Autopilot> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let real = std::env::var("IRONBIRD_ARDUCOPTER").ok().map(PathBuf::from);
    if let Some(program) = real.filter(|path| path.is_file()) {
        return Some(Autopilot { program, folder, is_real: true });
    }
    let program = folder.path().join("copter");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native/copter");
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program);
    for part in ["hal", "chips", "receiver", "mavlink", "flight", "main"] {
        compiler.arg(sources.join(part).with_extension("c"));
    }
    let Ok(done) = compiler.args(["-pthread", "-lm"]).output() else {
        println!("skipped: there is no C compiler (cc)");
        return None;
    };
    let messages = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "the stand-in does not compile: {messages}");
    Some(Autopilot { program, folder, is_real: false })
}

/// Records every transfer on its buses.
const TRANSFERS: &str = r#"
[[record]]
signals = ["autopilot.*.request", "imu.reply", "barometer.reply", "pulses.reply"]
"#;

impl Autopilot {
    /// Flies an example with something more recorded; one scenario of it where it has any.
    fn fly(
        &self,
        example: &str,
        scenario: Option<&str>,
        more: &str,
        settings: &[&str],
    ) -> Recording {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/native");
        let file = self.folder.path().join("flight.toml");
        let text = format!("ironbird = 1\nextends = {:?}\n{more}", examples.join(example));
        std::fs::write(&file, text).expect("there is room");
        let out = tempfile::tempdir_in(self.folder.path()).expect("there is room");
        let mut command = Command::new(env!("CARGO_BIN_EXE_ironbird"));
        command.arg("run").arg(file).arg("--out").arg(out.path()).current_dir(self.folder.path());
        let own = format!("autopilot.command={}", self.program.display());
        for setting in [own.as_str()].iter().chain(settings) {
            command.args(["--set", setting]);
        }
        if let Some(scenario) = scenario {
            command.args(["--scenario", scenario]);
        }
        let done = command.output().expect("it starts");
        let messages = String::from_utf8_lossy(&done.stderr);
        let bytes = std::fs::read(out.path().join("recording.mcap"));
        let bytes = bytes.unwrap_or_else(|error| panic!("{error}\n{messages}"));
        Recording::from_bytes(bytes).expect("a recording")
    }
}

/// A transfer: when it was, the chip, and what was written to it.
type Transfer = (Time, u8, Vec<u8>);

fn transfers(recording: &Recording, bus: &str) -> Vec<Transfer> {
    let mut all = Vec::new();
    let signal = format!("autopilot.{bus}.request");
    recording
        .contents_of(&[&signal], |_, time, numbers, payloads| {
            // transfer, chip, clock, (written,) read
            all.push((time, numbers[1] as u8, payloads[0].to_vec()));
        })
        .expect("the transfers were recorded");
    all
}

fn of_chip(all: &[Transfer], chip: u8) -> impl Iterator<Item = &[u8]> {
    all.iter().filter(move |(_, to, _)| *to == chip).map(|(.., written)| written.as_slice())
}

fn on_spi(written: &[u8]) -> Access {
    match written[0] {
        read if read & 0x80 != 0 => Access::Read(read & 0x7F),
        register => Access::Write(register, written[1]),
    }
}

/// What it said to people, and when.
fn words(recording: &Recording) -> Vec<(Time, String)> {
    let mut all = Vec::new();
    recording
        .contents_of(&["station.vehicle.status_text"], |_, time, _, payloads| {
            all.push((time, String::from_utf8_lossy(payloads[0]).into_owned()));
        })
        .expect("its words were recorded");
    all
}

fn assert_all_passed(verdicts: &[Verdict], count: usize) {
    assert_eq!(verdicts.len(), count);
    for verdict in verdicts {
        assert_eq!(verdict.status, Status::Passed, "{verdict:?}");
    }
}

/// ArduPilot reads its defaults with `fgets(line, 99, …)`.
#[test]
fn no_line_of_the_defaults_is_too_long_for_ardupilot() {
    for defaults in [
        include_str!("../../../../examples/native/ardupilot.parm"),
        include_str!("../../../../examples/native/copter.parm"),
        include_str!("../../../../examples/native/plane.parm"),
        include_str!("../../../../examples/native/rover.parm"),
    ] {
        let longest = defaults.lines().map(str::len).max();
        assert!(longest < Some(98), "{longest:?}");
    }
}

#[test]
fn arducopters_drivers_find_all_chips_and_it_flies_a_mission() {
    let Some(autopilot) = autopilot() else { return };
    let flown = autopilot.fly("ardupilot.toml", None, TRANSFERS, &[]);
    let verdicts = flown.verdicts();
    let takes_off = verdicts.iter().find(|verdict| verdict.name == "it takes off");
    assert!(
        takes_off.is_some_and(|verdict| verdict.status == Status::Passed),
        "it does not take off; without HAL_WITH_ESC_TELEM it cannot, and only the test that throws it can pass"
    );
    assert_all_passed(&verdicts, 7);
    let words = words(&flown);
    let has_said = |what: &str| words.iter().any(|(_, said)| said.contains(what));
    assert!(has_said("is using GPS"), "{words:?}");
    assert!(!has_said("registers were wrong"), "{words:?}");

    let spi = transfers(&flown, "spi[0]");
    assert!(spi.iter().all(|(_, chip, _)| *chip == IMU));
    assert_eq!(first_of_each(of_chip(&spi, IMU).map(on_spi)), INERTIAL_UNIT);

    let i2c = transfers(&flown, "i2c[0]");
    let commands = of_chip(&i2c, MS5611).map(|written| written[0]);
    assert_eq!(first_of_each(commands), BAROMETER);
    let pulses =
        first_of_each(of_chip(&i2c, PCA9685).map(|written| Access::Write(written[0], written[1])));
    assert_eq!(pulses, PULSES);
    for light in LIGHTS {
        let asked = of_chip(&i2c, light).count();
        assert!(
            if autopilot.is_real { asked.is_multiple_of(11) } else { asked == 11 },
            "{light:#x}: {asked}"
        );
    }
    // One temperature to four pressures.
    let count = |command: u8| of_chip(&i2c, MS5611).filter(|written| written[0] == command).count();
    assert!(count(0x44).abs_diff(4 * count(0x54)) <= 4, "{} {}", count(0x44), count(0x54));
    // All channels in one transfer, 400 times a second. One is left out where the bus is taken.
    let in_flight = |time: &Time| (20.0..140.0).contains(&time.as_secs_f64());
    let is_frame = |chip: u8, written: &[u8]| chip == PCA9685 && written.len() == 1 + 4 * 13;
    let frames =
        i2c.iter().filter(|(time, chip, written)| in_flight(time) && is_frame(*chip, written));
    let rate = frames.count() as f64 / 120.0;
    let missing = if autopilot.is_real { 20.0 } else { 1.0 };
    assert!((400.0 - missing..401.0).contains(&rate), "{rate} frames a second");
}

#[test]
fn a_build_that_cannot_take_off_is_thrown() {
    let Some(autopilot) = autopilot() else { return };
    let flown = autopilot.fly("ardupilot-throw.toml", None, "", &[]);
    assert_all_passed(&flown.verdicts(), 8);
}

#[test]
fn it_flies_on_without_its_compass() {
    let Some(autopilot) = autopilot() else { return };
    let flown = autopilot.fly("compass-loss.toml", Some("lost"), "", &[]);
    assert_all_passed(&flown.verdicts(), 8);
    if !autopilot.is_real {
        let words = words(&flown);
        assert!(words.iter().any(|(_, said)| said == "Compass not healthy"), "{words:?}");
    }
}

#[test]
fn it_lands_without_its_satellites() {
    let Some(autopilot) = autopilot() else { return };
    for scenario in ["a-moment", "silent"] {
        let flown = autopilot.fly("gps-loss.toml", Some(scenario), "", &[]);
        assert_all_passed(&flown.verdicts(), 9);
        if !autopilot.is_real {
            let gives_up = words(&flown).iter().any(|(_, said)| said.contains("Failsafe"));
            assert_eq!(gives_up, scenario == "silent");
        }
    }
}

#[test]
fn arducopters_transfers_are_the_same_whatever_way_it_is_run() {
    let Some(autopilot) = autopilot() else { return };
    let hash = |settings: &[&str]| {
        let settings: Vec<&str> = [&["duration=20s"], settings].concat();
        let flown = autopilot.fly("ardupilot.toml", None, TRANSFERS, &settings);
        flown.output_hash().expect("it is whole")
    };
    let first = hash(&[]);
    for transport in TRANSPORTS {
        for backend in ["coroutines", "kernel-threads"] {
            let way = format!("autopilot.transport={transport}");
            let threads = format!("autopilot.backend={backend}");
            assert_eq!(hash(&[&way, &threads]), first, "{transport}, {backend}");
        }
    }
    assert_ne!(hash(&["autopilot.call=2 us"]), first, "another computer");
}
