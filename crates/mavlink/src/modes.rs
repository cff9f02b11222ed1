//! The flight modes of Ironbird's firmware, as `HEARTBEAT.custom_mode` carries them.

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

/// All modes: those of multirotors, then those of planes.
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
