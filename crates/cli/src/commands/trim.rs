//! `ironbird trim`: steady flight of an aircraft file, and the modes about it.

use std::f64::consts::{LN_2, TAU};

use ironbird_plant::aircraft::{AircraftFile, Effort, Modes, Trim, Wanted};
use ironbird_units::{Quantity, Unit, UnitError};

use crate::arguments::TrimArguments;
use crate::failure::Failure;
use crate::output::line;

/// Standard gravity, as the aircraft has it unless an experiment says otherwise.
const GRAVITY: f64 = 9.80665;

/// Prints the trim and the modes.
pub fn trim(arguments: &TrimArguments) -> Result<u8, Failure> {
    let airspeed = quantity("--airspeed", &arguments.airspeed, "m/s")?;
    if airspeed <= 0.0 {
        return Err(Failure::input("--airspeed must be above zero"));
    }
    let wanted = Wanted {
        airspeed,
        height: quantity("--height", &arguments.height, "m")?,
        path_angle: quantity("--path", &arguments.path, "rad")?,
        gravity: GRAVITY,
        charge: 1.0,
    };
    let craft = AircraftFile::read(&arguments.aircraft, &arguments.adjust)
        .map_err(|problem| Failure::Input(problem.into()))?;
    let name = arguments.aircraft.display();
    let trim = craft.trim(&wanted).map_err(|error| Failure::input(format!("{name}: {error}")))?;
    let path = trim.path_angle.to_degrees();
    line(format_args!(
        "{}: steady flight at {airspeed} m/s, {} m above the sea, path {path:.2} deg",
        craft.name, wanted.height
    ));
    show_trim(&trim, &craft.effort(&trim, &wanted));
    line("");
    show_modes(&craft.modes(&trim, &wanted));
    Ok(0)
}

/// What an option says, in a unit.
fn quantity(option: &str, text: &str, unit: &str) -> Result<f64, Failure> {
    let read = || -> Result<f64, UnitError> {
        let unit: Unit = unit.parse()?;
        text.parse::<Quantity>()?.to(&unit)
    };
    read().map_err(|error| Failure::input(format!("{option}: {error}")))
}

fn show(name: &str, value: String) {
    line(format_args!("  {name:<16}{value}"));
}

fn show_trim(trim: &Trim, effort: &Effort) {
    let [aileron, elevator, rudder, _] = trim.deflections;
    let angles = [
        ("angle of attack", trim.alpha),
        ("sideslip", trim.beta),
        ("pitch", trim.pitch),
        ("aileron", aileron),
        ("elevator", elevator),
        ("rudder", rudder),
    ];
    for (name, angle) in angles {
        // Without the sign of a zero.
        show(name, format!("{:.2} deg", angle.to_degrees() + 0.0));
    }
    show("throttle", format!("{:.3}", trim.throttle));
    show("thrust", format!("{:.2} N", effort.thrust));
    if let Some(power) = effort.shaft_power {
        show("propeller", format!("{:.0} rpm", trim.motor_speed * 60.0 / TAU));
        show("shaft", format!("{power:.1} W"));
    }
    if let Some(battery) = effort.battery {
        let (current, voltage) = (battery.current, battery.voltage);
        let power = current * voltage;
        show("battery", format!("{power:.1} W: {current:.2} A at {voltage:.2} V"));
        show("endurance", format!("{:.0} min with a full battery", battery.endurance / 60.0));
    }
}

const HEAD: [&str; 6] = ["mode", "eigenvalue [1/s]", "frequency", "damping", "period", "amplitude"];

fn row([mode, eigenvalue, frequency, damping, period, amplitude]: [&str; 6]) {
    let text =
        format!("{mode:<14}{eigenvalue:<22}{frequency:<14}{damping:<10}{period:<10}{amplitude}");
    line(text.trim_end());
}

fn show_modes(modes: &Modes) {
    row(HEAD);
    let pairs = [
        ("short period", modes.short_period.re, modes.short_period.im),
        ("phugoid", modes.phugoid.re, modes.phugoid.im),
        ("dutch roll", modes.dutch_roll.re, modes.dutch_roll.im),
        ("roll", modes.roll, 0.0),
        ("spiral", modes.spiral, 0.0),
    ];
    for (name, real, imaginary) in pairs {
        let swing = imaginary.abs();
        let is_swinging = swing > 0.0;
        let natural = libm::hypot(real, swing);
        let only = |text: String| if is_swinging { text } else { "-".into() };
        let eigenvalue = match is_swinging {
            true => format!("{real:.4} +- {swing:.4}i"),
            false => format!("{real:.4}"),
        };
        let change = if real < 0.0 { "halves" } else { "doubles" };
        row([
            name,
            &eigenvalue,
            &only(format!("{natural:.3} rad/s")),
            &only(format!("{:.3}", -real / natural)),
            &only(format!("{:.2} s", TAU / swing)),
            &format!("{change} in {:.2} s", LN_2 / real.abs()),
        ]);
    }
}
