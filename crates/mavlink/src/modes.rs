//! The flight modes of a firmware, as `HEARTBEAT.custom_mode` carries them.

use ironbird_component::Choice;

/// Whose numbers the flight modes have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Modes {
    /// Ironbird's own firmware.
    #[default]
    Ironbird,
    /// ArduPilot's multirotors.
    #[choice(name = "arducopter")]
    ArduCopter,
}

impl Modes {
    /// All modes of that firmware.
    pub(crate) fn all(self) -> &'static [Mode] {
        match self {
            Modes::Ironbird => &MODES,
            Modes::ArduCopter => &ARDUCOPTER,
        }
    }
}

/// A flight mode and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// How users call it.
    pub name: &'static str,
    /// How it goes over the air.
    pub number: u32,
    /// What the vehicle does.
    pub doc: &'static str,
}

const fn mode(name: &'static str, number: u32, doc: &'static str) -> Mode {
    Mode { name, number, doc }
}

/// All modes of Ironbird's firmware: those of multirotors, then those of planes.
pub const MODES: [Mode; 10] = [
    mode("stabilize", 0, "holds the attitude that the pilot asks for"),
    mode("alt-hold", 1, "holds its altitude"),
    mode("loiter", 2, "holds its position"),
    mode("guided", 3, "goes where the ground station tells it"),
    mode("auto", 4, "flies its mission"),
    mode("land", 5, "lands where it is"),
    mode("rtl", 6, "returns to where it was launched, and lands"),
    mode("manual", 10, "moves its control surfaces as the pilot does (plane)"),
    mode("fly-by-wire", 11, "holds the bank and pitch that the pilot asks for (plane)"),
    mode("cruise", 12, "holds its heading, altitude and speed (plane)"),
];

/// The modes of ArduCopter that a ground station can set.
const ARDUCOPTER: [Mode; 11] = [
    mode("stabilize", 0, "holds the attitude that the pilot asks for"),
    mode("alt-hold", 2, "holds its altitude"),
    mode("auto", 3, "flies its mission"),
    mode("guided", 4, "goes where the ground station tells it"),
    mode("loiter", 5, "holds its position"),
    mode("rtl", 6, "returns to where it was launched, and lands"),
    mode("circle", 7, "flies a circle"),
    mode("land", 9, "lands where it is"),
    mode("position-hold", 16, "holds its position, and brakes by itself"),
    mode("brake", 17, "stops at once"),
    mode("throw", 18, "starts its motors when it is thrown"),
];
