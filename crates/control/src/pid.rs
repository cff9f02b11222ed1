//! A PID controller.
//!
//! ```text
//! e = setpoint - measured
//! u = kp e + I + D,                          held between lowest and highest
//! I' = ki e,                                 unless that drives u further beyond a limit
//! D  = -kd · measured', behind a lag of time constant `derivative_filter`
//! ```
//!
//! The derivative is that of the measurement, so that a step of the set point does not kick (K. J.
//! Åström, T. Hägglund, *Advanced PID Control*, 2006, sections 3.3 and 3.5).

use ironbird_component::{Component, InstantiateError};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step, Time};

use crate::blocks::{Shape, ShapedBlock};
use crate::integral::Integral;
use crate::lag::Lag;

/// A PID controller with limits, anti-windup and a filtered derivative of the measurement.
///
/// Set point and measurement have the unit `input_unit`, the command has `output_unit`. The gains are
/// plain numbers: command per error, command per error and second, command per error per second.
/// The integral stands still while it would drive the command further beyond a limit.
#[derive(Component)]
#[component(type = "control.pid", periodic, rate = "100 Hz", check = Self::check)]
pub struct Pid {
    /// Gain of the error.
    #[parameter]
    kp: f64,
    /// Gain of the integral of the error over seconds.
    #[parameter(default = 0.0)]
    ki: f64,
    /// Gain of the derivative of the measurement per second.
    #[parameter(default = 0.0)]
    kd: f64,
    /// Time constant of the filter of the derivative; 0 s for none.
    #[parameter(unit = "s", default = 0.0, min = 0)]
    derivative_filter: f64,
    /// Lowest command.
    #[parameter(default = -1e9)]
    lowest: f64,
    /// Highest command.
    #[parameter(default = 1e9)]
    highest: f64,
    /// Unit of set point and measurement, as in "degC"; without it, plain numbers.
    #[parameter(default = "", fixed)]
    input_unit: String,
    /// Unit of the command, as in "W"; without it, a plain number.
    #[parameter(default = "", fixed)]
    output_unit: String,
    /// What is wanted.
    #[input]
    setpoint: SignalIn<f64>,
    /// What is.
    #[input]
    measured: SignalIn<f64>,
    /// The command.
    #[output]
    command: SignalOut<f64>,
    integral: Integral,
    derivative: Lag,
    last: Option<(Time, f64)>,
}

impl Pid {
    fn check(&self) -> Result<(), String> {
        let (lowest, highest) = (self.lowest, self.highest);
        if lowest <= highest {
            return Ok(());
        }
        Err(format!("\"lowest\" ({lowest}) must not be above \"highest\" ({highest})"))
    }
}

impl ShapedBlock for Pid {
    fn shape(shape: &mut Shape<'_>) -> Result<(), InstantiateError> {
        let (input, output) = (shape.unit("input_unit")?, shape.unit("output_unit")?);
        shape.set("setpoint", &input);
        shape.set("measured", &input);
        shape.set("command", &output);
        Ok(())
    }
}

impl Periodic for Pid {
    fn step(&mut self, step: &mut Step<'_>) {
        let (now, measured) = (step.now(), *step.signal(self.measured));
        let error = step.signal(self.setpoint) - measured;
        let elapsed = match self.last {
            Some((last, before)) if last < now => {
                let elapsed = (now - last).as_secs_f64();
                let slope = (measured - before) / elapsed;
                self.derivative.follow(slope, elapsed, self.derivative_filter);
                elapsed
            }
            _ => 0.0,
        };
        self.last = Some((now, measured));
        let rest = self.kp * error - self.kd * self.derivative.0;
        let growth = self.ki * error * elapsed;
        let command = self.integral.command(rest, growth, self.lowest, self.highest);
        step.write(self.command, command);
    }
}
