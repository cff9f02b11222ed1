//! Descriptions of component types of every kind.

pub const RADIATOR: &str = r#"
type = "thermal.radiator"
kind = "periodic"
rate = "10 Hz"
doc = "A radiator that gives off what flows through it.\n\nIt has no pump."
[parameters.capacity]
type = "f64"
unit = "J/K"
default = 2000.0
min = 0.0
doc = "Heat capacity"
[parameters.mode]
type = "choice"
choices = ["slow", "very-fast", "3d", "self"]
default = "very-fast"
[parameters.curve]
type = "file"
default = "curve.csv"

[inputs.flow]
type = "f64"
unit = "kg/s"
default = 0
[outputs.power]
type = "f64"
unit = "W"
initial = 0.0
[queries.depth]
argument = "[f64; 2]"
answer = "f64"
[random.noise]
[requires.switch-off]
argument = "bool"
optional = true
[services.reset_energy]
arguments.level = { type = "f64", unit = "J" }
"#;

const VALVE: &str = r#"
type = "hydraulic.event"
kind = "event-driven"
[parameters.limits]
type = "[f64; 3]"
unit = "m"
default = [0, -1.5, 1e-9]
fixed = true
doc = "What a line of this length and with all that can be said of it looks like when it is written."
[parameters.names]
type = "[text; 2]"
default = ["a", "b\"c"]
[parameters.a_parameter_with_a_long_name]
type = "f64"
unit = "kg*m^2/s^3"
default = 123456.789
above = -1000000.0
below = 1000000.0
fixed = true
[parameters.one_more]
type = "f64"
unit = "kg*m^2/s^3"
default = 123456.789
above = 0.0
below = 1000000.0
fixed = true
[inputs.in]
type = "u32"
event = true
[inputs.flow-rate]
type = "[f64; 3]"
unit = "m^3/s"
frame = "body"
waking = true
[outputs.type]
type = "bool"
event = true
[services.set]
reply = "bool"
arguments.level = { type = "f64", unit = "J" }
arguments.self = { type = "bool" }
doc = "Sets it."
[services.stop]
arguments.now = { type = "bool" }
[services.a_service_with_quite_a_long_n]
reply = "[f64; 3]"
arguments.an_argument_with_quite_a_long_n = { type = "[f64; 3]" }
[requires.land]
argument = "f64"
unit = "m"
reply = "bool"
"#;

const TANK: &str = r#"
type = "hydraulic.tank"
kind = "continuous"
doc = "x' = u - k x"
[parameters.k]
type = "f64"
unit = "1/s"
default = 0.5
[parameters.mode]
type = "choice"
choices = ["on"]
[inputs.inflow]
unit = "m^3/s"
[inputs.outside]
follows = true
[outputs.volume]
unit = "m^3"
initial = 2
[outputs.empty]
event = true
"#;

const SEA: &str = r#"
type = "environment.sea-bed"
kind = "provider"
argument = "[f64; 2]"
answer = "f64"
[parameters.depth]
type = "f64"
unit = "m"
"#;

const BARE: [(&str, &str); 3] = [
    ("bare_periodic", "type = \"x.step\"\nkind = \"periodic\"\n"),
    ("bare_event_driven", "type = \"x.component\"\nkind = \"event-driven\"\n"),
    ("bare_continuous", "type = \"x.3d\"\nkind = \"continuous\"\n"),
];

/// By the name of their module.
pub const ALL: [(&str, &str); 7] = [
    ("radiator", RADIATOR),
    ("valve", VALVE),
    ("tank", TANK),
    ("sea", SEA),
    BARE[0],
    BARE[1],
    BARE[2],
];
