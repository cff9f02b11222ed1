//! A thermostat: heating on or off.
//!
//! ```text
//!  power ┌──────◄──────┬───
//!        │             │
//!      0 ┴──────►──────┘      reading
//!     setpoint -     setpoint +
//!     hysteresis/2   hysteresis/2
//! ```

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step, Time};

use crate::watchdog::{LastChange, Watchdog};

/// A thermostat: heats below the set point, does not above it, and leaves the heating as it is in
/// between.
///
/// It switches on below `setpoint` - `hysteresis`/2 and off above `setpoint` + `hysteresis`/2, but not
/// before the heating has been on for `min_on` or off for `min_off`. With `watchdog.after` it notices
/// a sensor that is stuck, and heats a fixed share of the time until the reading changes again.
#[derive(Component)]
#[component(type = "control.thermostat", periodic, rate = "0.1 Hz")]
pub struct Thermostat {
    /// Temperature to hold.
    #[parameter(unit = "degC", default = 21.0, min = -273.15)]
    setpoint: f64,
    /// Width of the band in which nothing is switched.
    #[parameter(unit = "K", default = 0.5, min = 0)]
    hysteresis: f64,
    /// Heating power when on.
    #[parameter(unit = "W", default = 1500.0, min = 0)]
    power: f64,
    /// Shortest time for which the heating stays on.
    #[parameter(unit = "s", default = 120.0, min = 0)]
    min_on: f64,
    /// Shortest time for which the heating stays off.
    #[parameter(unit = "s", default = 120.0, min = 0)]
    min_off: f64,
    #[group]
    watchdog: Watchdog,
    /// What the thermometer shows.
    #[input(unit = "degC")]
    temperature: SignalIn<f64>,
    /// Heating power.
    #[output(unit = "W")]
    heating: SignalOut<f64>,
    /// Whether it heats.
    #[output]
    on: SignalOut<bool>,
    /// Whether it does not believe its sensor.
    #[output]
    alarm: SignalOut<bool>,
    heats: bool,
    switched: Option<Time>,
    reading: LastChange,
}

impl Thermostat {
    /// What the reading asks for.
    fn wants(&self, reading: f64) -> bool {
        if reading < self.setpoint - self.hysteresis / 2.0 {
            true
        } else if reading > self.setpoint + self.hysteresis / 2.0 {
            false
        } else {
            self.heats
        }
    }

    /// Whether the heating has been as it is for long enough.
    fn may_switch(&self, now: Time) -> bool {
        let least = if self.heats { self.min_on } else { self.min_off };
        self.switched.is_none_or(|switched| (now - switched).as_secs_f64() >= least)
    }
}

impl Periodic for Thermostat {
    fn step(&mut self, step: &mut Step<'_>) {
        let reading = *step.signal(self.temperature);
        let age = self.reading.age(step.now(), reading);
        let alarm = self.watchdog.is_alarmed(age);
        let wants = if alarm {
            self.watchdog.heats(self.watchdog.blind_for(age))
        } else {
            self.wants(reading)
        };
        if wants != self.heats && self.may_switch(step.now()) {
            self.heats = wants;
            self.switched = Some(step.now());
        }
        step.write(self.heating, if self.heats { self.power } else { 0.0 });
        step.write(self.on, self.heats);
        step.write(self.alarm, alarm);
    }
}
