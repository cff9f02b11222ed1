//! The ports that user code declares, one a line.
//!
//! ```text
//! in  position m
//! in  rates rad/s [3] body
//! in  armed bool
//! in  orientation attitude
//! out force N
//! saves
//! ```

use ironbird_component::{Interface, LeafUnits, PortDescription, Unit, ValueType};
use ironbird_kernel::PortKind;
use ironbird_kinematics::Attitude;

/// What user code says of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Declaration {
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
    /// Whether it can save and load its state.
    pub saves: bool,
}

/// One port.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Port {
    pub name: String,
    pub kind: Kind,
    pub unit: Unit,
    pub frame: Option<String>,
}

/// What a port carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Number,
    Vector,
    Truth,
    /// Four numbers: w, x, y, z.
    Attitude,
}

impl Kind {
    /// How many numbers it is.
    pub fn width(self) -> usize {
        match self {
            Kind::Number | Kind::Truth => 1,
            Kind::Vector => 3,
            Kind::Attitude => 4,
        }
    }

    fn value(self) -> ValueType {
        match self {
            Kind::Number => ValueType::of::<f64>(),
            Kind::Vector => ValueType::of::<[f64; 3]>(),
            Kind::Truth => ValueType::of::<bool>(),
            Kind::Attitude => ValueType::of::<Attitude>(),
        }
    }
}

/// More ports are a mistake.
const MOST: usize = 1000;

impl Declaration {
    /// Reads lines.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut read = Declaration::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            match word {
                "in" => read.inputs.push(Port::read(rest)?),
                "out" => read.outputs.push(Port::read(rest)?),
                "saves" if rest.is_empty() => read.saves = true,
                _ => {
                    return Err(format!(
                        "\"{line}\" declares no port: write \"in\" or \"out\", a name and a unit, as in \
                         \"in angle rad\""
                    ));
                }
            }
        }
        for ports in [&read.inputs, &read.outputs] {
            for (number, port) in ports.iter().enumerate() {
                if ports[..number].iter().any(|other| other.name == port.name) {
                    return Err(format!("there are two ports \"{}\"", port.name));
                }
            }
        }
        match read.inputs.len() + read.outputs.len() {
            0 => Err("there are no inputs and no outputs: declare at least one".into()),
            1..=MOST => Ok(read),
            count => Err(format!("{count} ports are too many: {MOST} are allowed")),
        }
    }

    /// How many numbers all outputs are.
    pub fn output_width(&self) -> usize {
        self.outputs.iter().map(|port| port.kind.width()).sum()
    }

    /// How many numbers all inputs are.
    pub fn input_width(&self) -> usize {
        self.inputs.iter().map(|port| port.kind.width()).sum()
    }

    /// What others can link to.
    pub fn interface(&self) -> Interface {
        let describe = |port: &Port, make: fn(&str, PortKind, ValueType) -> PortDescription| {
            let described = make(&port.name, PortKind::Signal, port.kind.value());
            let mut described = described.units(LeafUnits::All(port.unit.clone()));
            described.frame = port.frame.clone();
            described
        };
        let inputs = self.inputs.iter().map(|port| describe(port, PortDescription::input));
        let outputs = self.outputs.iter().map(|port| describe(port, PortDescription::output));
        Interface { ports: inputs.chain(outputs).collect(), ..Interface::default() }
    }
}

impl Port {
    /// A name, a unit, `[3]` for a vector, a frame.
    fn read(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace().peekable();
        let name = words.next().unwrap_or_default();
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(plain) {
            return Err(format!(
                "\"{name}\" cannot name a port: use letters, digits and _, and begin with a letter"
            ));
        }
        let wrong = |why: &dyn std::fmt::Display| format!("the port \"{name}\": {why}");
        let mut port =
            Port { name: name.into(), kind: Kind::Number, unit: Unit::none(), frame: None };
        match words.peek() {
            Some(&"bool") => {
                words.next();
                port.kind = Kind::Truth;
            }
            Some(&"attitude") => {
                words.next();
                port.kind = Kind::Attitude;
            }
            Some(&unit) if !unit.starts_with('[') => {
                words.next();
                port.unit = unit.parse().map_err(|error| wrong(&error))?;
            }
            _ => {}
        }
        if port.kind == Kind::Number && words.peek() == Some(&"[3]") {
            words.next();
            port.kind = Kind::Vector;
            port.frame = words.next().map(Into::into);
        }
        match words.next() {
            None => Ok(port),
            Some(word) => Err(wrong(&format!(
                "\"{word}\" is too much: write a unit, as in \"rad/s\"; \"[3]\" after it for a vector, and \
                 its frame; \"bool\" or \"attitude\""
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_have_units_frames_and_types() {
        let text = "in position m\nin rates rad/s [3] body\nin armed bool\nin x\nin q attitude\nout y [3]\nsaves\n";
        let read = Declaration::read(text).unwrap();
        let interface = read.interface();
        let rates = interface.input("rates").unwrap();
        assert_eq!(rates.units.of("[1]").to_string(), "rad/s");
        assert_eq!(rates.frame.as_deref(), Some("body"));
        assert_eq!(interface.input("armed").unwrap().value, ValueType::of::<bool>());
        assert_eq!(interface.output("y").unwrap().value, ValueType::of::<[f64; 3]>());
        assert_eq!(interface.input("q").unwrap().value, ValueType::of::<Attitude>());
        assert_eq!((read.input_width(), read.output_width(), read.saves), (10, 3, true));
    }

    #[test]
    fn what_is_no_port_is_refused() {
        for (text, message) in [
            ("", "there are no inputs and no outputs: declare at least one"),
            ("in a m\nin a m", "there are two ports \"a\""),
            ("in 2a m", "\"2a\" cannot name a port"),
            ("in", "\"\" cannot name a port"),
            ("input a m", "\"input a m\" declares no port"),
            ("in a metres", "the port \"a\": there is no unit \"metres\""),
            ("in a m body", "the port \"a\": \"body\" is too much"),
            ("in a bool [3]", "the port \"a\": \"[3]\" is too much"),
            ("in a m [4]", "the port \"a\": \"[4]\" is too much"),
        ] {
            let refused = Declaration::read(text).unwrap_err();
            assert!(refused.starts_with(message), "{text:?}: {refused}");
        }
    }
}
