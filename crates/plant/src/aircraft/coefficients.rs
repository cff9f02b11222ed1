//! Aerodynamic coefficients: sums of terms, each a product of a number, a table and variables.

use ironbird_solvers::Number;

use super::table::Table;

/// What a term may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Variable {
    /// Angle of attack, rad.
    Alpha,
    /// Angle of sideslip, rad.
    Beta,
    /// Speed through the air, m/s.
    Airspeed,
    /// Speed through the air over that of sound.
    Mach,
    /// b p / (2 V)
    RollRate,
    /// c q / (2 V)
    PitchRate,
    /// b r / (2 V)
    YawRate,
    /// c alpha' / (2 V)
    AlphaRate,
    /// Deflection, rad.
    Aileron,
    /// Deflection, rad.
    Elevator,
    /// Deflection, rad.
    Rudder,
    /// Deflection, rad.
    Flap,
    /// The lift coefficient.
    Lift,
}

/// How many variables there are.
pub const VARIABLES: usize = 13;

impl Variable {
    /// Every variable and its name in a file.
    pub const NAMES: [(Variable, &'static str); VARIABLES] = [
        (Variable::Alpha, "alpha"),
        (Variable::Beta, "beta"),
        (Variable::Airspeed, "airspeed"),
        (Variable::Mach, "mach"),
        (Variable::RollRate, "p_hat"),
        (Variable::PitchRate, "q_hat"),
        (Variable::YawRate, "r_hat"),
        (Variable::AlphaRate, "alpha_rate_hat"),
        (Variable::Aileron, "aileron"),
        (Variable::Elevator, "elevator"),
        (Variable::Rudder, "rudder"),
        (Variable::Flap, "flap"),
        (Variable::Lift, "lift"),
    ];

    /// The variable of a name.
    pub fn named(name: &str) -> Option<Variable> {
        Variable::NAMES.iter().find(|(_, known)| *known == name).map(|(variable, _)| *variable)
    }
}

/// The values of all variables.
pub type Variables<N> = [N; VARIABLES];

/// A table and what it is looked up with.
#[derive(Clone, Debug, PartialEq)]
pub struct Lookup {
    /// The table.
    pub table: Table,
    /// The variables on its axes; the second one does not matter to a table of one axis.
    pub axes: [Variable; 2],
}

impl Lookup {
    #[inline]
    fn at<N: Number>(&self, variables: &Variables<N>) -> N {
        let x = variables[self.axes[0] as usize];
        match &self.table {
            Table::Line(line) => line.at(x),
            Table::Grid(grid) => grid.at(x, variables[self.axes[1] as usize]),
        }
    }
}

/// A product.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The number.
    pub value: f64,
    /// The table, if there is one.
    pub lookup: Option<Lookup>,
    /// The variables.
    pub times: Vec<Variable>,
}

impl Term {
    /// Whether it depends on a variable.
    pub fn reads(&self, variable: Variable) -> bool {
        let on_axis = |lookup: &Lookup| match lookup.table {
            Table::Line(_) => lookup.axes[0] == variable,
            Table::Grid(_) => lookup.axes.contains(&variable),
        };
        self.times.contains(&variable) || self.lookup.as_ref().is_some_and(on_axis)
    }
}

/// A sum of terms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coefficient {
    /// What does not depend on anything.
    constant: f64,
    /// A number times one variable: most terms of most aircraft.
    linear: Vec<(f64, Variable)>,
    /// All others.
    others: Vec<Term>,
}

impl Coefficient {
    /// The sum of these.
    pub fn new(terms: Vec<Term>) -> Self {
        let mut sum = Coefficient::default();
        for term in terms {
            match (&term.lookup, &term.times[..]) {
                (None, []) => sum.constant += term.value,
                (None, [variable]) => sum.linear.push((term.value, *variable)),
                _ => sum.others.push(term),
            }
        }
        sum
    }

    /// Its value.
    #[inline]
    pub fn at<N: Number>(&self, variables: &Variables<N>) -> N {
        let mut sum = N::constant(self.constant);
        for (value, variable) in &self.linear {
            sum = sum + variables[*variable as usize] * *value;
        }
        for term in &self.others {
            let start = match &term.lookup {
                Some(lookup) => lookup.at(variables) * term.value,
                None => N::constant(term.value),
            };
            let times = |product, variable: &Variable| product * variables[*variable as usize];
            sum = sum + term.times.iter().fold(start, times);
        }
        sum
    }

    /// Whether a term depends on a variable.
    pub fn reads(&self, variable: Variable) -> bool {
        self.linear.iter().any(|(_, other)| *other == variable)
            || self.others.iter().any(|term| term.reads(variable))
    }
}
