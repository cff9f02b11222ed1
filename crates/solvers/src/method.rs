//! Which method solves a block, and how precisely.

use std::fmt;
use std::str::FromStr;

use ironbird_kernel::{Duration, Rate};
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// A way to solve differential equations.
///
/// | name | what it is | for |
/// |---|---|---|
/// | `qss1`, `qss2`, `qss3` | quantized states of order 1 to 3: each state has its own time, and is advanced when it has changed by a quantum | sparse and discontinuous, not stiff |
/// | `liqss1`, `liqss2` | the same, linearly implicit in the own state | stiff through the diagonal: converters, advection, reaction |
/// | `rk4` | classical Runge-Kutta, fixed step | real-time work, control loops |
/// | `adams3` | Adams-Bashforth of order 3, fixed step: one evaluation a step | flight simulators: smooth, few events, short steps |
/// | `dopri5` | Dormand-Prince 5(4), adaptive step | smooth, not stiff, densely coupled |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Quantized states, order 1.
    Qss1,
    /// Quantized states, order 2.
    Qss2,
    /// Quantized states, order 3.
    Qss3,
    /// Linearly implicit quantized states, order 1.
    Liqss1,
    /// Linearly implicit quantized states, order 2.
    Liqss2,
    /// Classical Runge-Kutta of order 4 with a fixed step.
    Rk4,
    /// Adams-Bashforth of order 3 with a fixed step.
    Adams3,
    /// Dormand-Prince 5(4) with an adaptive step.
    Dopri5,
}

impl Method {
    /// Every method.
    pub const ALL: [Method; 8] = [
        Method::Qss1,
        Method::Qss2,
        Method::Qss3,
        Method::Liqss1,
        Method::Liqss2,
        Method::Rk4,
        Method::Adams3,
        Method::Dopri5,
    ];

    /// The name by which it is picked.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Qss1 => "qss1",
            Method::Qss2 => "qss2",
            Method::Qss3 => "qss3",
            Method::Liqss1 => "liqss1",
            Method::Liqss2 => "liqss2",
            Method::Rk4 => "rk4",
            Method::Adams3 => "adams3",
            Method::Dopri5 => "dopri5",
        }
    }

    /// Whether it quantizes states instead of stepping through time.
    pub const fn is_quantized(self) -> bool {
        !matches!(self, Method::Rk4 | Method::Adams3 | Method::Dopri5)
    }

    pub(crate) fn names() -> String {
        Method::ALL.map(|method| format!("`{method}`")).join(", ")
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Method::ALL.into_iter().find(|method| method.name() == name);
        found.ok_or_else(|| Error::UnknownMethod { name: name.to_owned() })
    }
}

/// A method and its precision.
///
/// ```
/// use ironbird_kernel::Rate;
/// use ironbird_solvers::{Method, Settings};
///
/// let quantized = Settings::new("liqss2".parse()?).tolerance(1e-6, 1e-3);
/// let fixed = Settings::new(Method::Rk4).step(Rate::hz(1_000));
/// # assert!(quantized.check().is_ok() && fixed.check().is_ok());
/// # Ok::<(), ironbird_solvers::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The method.
    pub method: Method,
    /// The absolute quantum (QSS) or tolerance (Dormand-Prince) of a state whose
    /// [`scale`](crate::Block::scale) is one.
    pub absolute: f64,
    /// The quantum or tolerance relative to the value of a state.
    pub relative: f64,
    /// How often the fixed-step method steps; tick k of this rate, counted from the start.
    pub step: Rate,
    /// The longest step, and the longest that a state goes unchecked. It is seldom needed; forever by
    /// default.
    pub max_step: Duration,
}

impl Settings {
    /// A method with both tolerances 10^-3 for QSS and 10^-6 otherwise, and 1,000 steps a second.
    pub const fn new(method: Method) -> Self {
        let tolerance = if method.is_quantized() { 1e-3 } else { 1e-6 };
        Settings {
            method,
            absolute: tolerance,
            relative: tolerance,
            step: Rate::hz(1_000),
            max_step: Duration::FOREVER,
        }
    }

    /// Sets the absolute and the relative tolerance.
    pub const fn tolerance(mut self, absolute: f64, relative: f64) -> Self {
        self.absolute = absolute;
        self.relative = relative;
        self
    }

    /// Sets how often the fixed-step method steps.
    pub const fn step(mut self, step: Rate) -> Self {
        self.step = step;
        self
    }

    /// Sets the longest step.
    pub const fn max_step(mut self, max_step: Duration) -> Self {
        self.max_step = max_step;
        self
    }

    /// Whether a solver would take these settings.
    pub fn check(&self) -> Result<(), Error> {
        let positive = "positive and finite";
        if !(self.absolute.is_finite() && self.absolute > 0.0) {
            let value = self.absolute;
            return Err(Error::BadSetting {
                setting: "the absolute tolerance",
                expected: positive,
                value,
            });
        }
        if !(self.relative.is_finite() && (0.0..1.0).contains(&self.relative)) {
            let value = self.relative;
            let expected = "at least zero and below one";
            return Err(Error::BadSetting { setting: "the relative tolerance", expected, value });
        }
        if self.max_step == Duration::ZERO {
            let expected = "at least 1 ps";
            return Err(Error::BadSetting { setting: "the longest step", expected, value: 0.0 });
        }
        Ok(())
    }
}
