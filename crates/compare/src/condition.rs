//! A condition on columns of the log.

use ironbird_formula::{Formula, StateFormula};
use ironbird_kernel::Time;

use crate::columns::{Column, Columns};

/// Something that holds at some instants of the log, and not at others.
#[derive(Clone)]
pub(crate) struct Condition {
    formula: StateFormula,
    needed: Vec<(u32, Column)>,
}

impl Condition {
    /// Reads one that speaks of these columns.
    pub fn read(text: &str, columns: &Columns) -> Result<Self, String> {
        let checked = Formula::parse(text).and_then(|formula| formula.check(columns));
        let formula = checked.map_err(|error| error.to_string())?.state_formula();
        let formula = formula.ok_or("it looks at other times")?;
        let list = columns.list();
        let needed = formula.signals().iter();
        let needed = needed.map(|s| (s.id, list[s.id as usize].1.clone())).collect();
        Ok(Condition { formula, needed })
    }

    /// Whether it holds at an instant.
    pub fn holds(&self, time: Time) -> bool {
        let mut values = self.formula.values();
        values.set_time(time);
        for (id, column) in &self.needed {
            // The formula has told which signals it needs.
            let _ = values.set(*id, &[column.at(time)]);
        }
        self.formula.holds(&values)
    }

    /// The span in which all its columns have numbers.
    pub fn spans(&self) -> impl Iterator<Item = Option<(Time, Time)>> + '_ {
        self.needed.iter().map(|(_, column)| column.span())
    }
}
