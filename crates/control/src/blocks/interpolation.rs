//! Tables that are straight between their points.

use std::path::Path;

use ironbird_component::Choice;
use ironbird_tables::TableError;
use ironbird_tables::table::{Quantity, Table};

/// What a table says beyond its ends.
#[derive(Choice, Clone, Copy, Debug, PartialEq)]
pub enum Edge {
    /// The value at the end.
    Hold,
    /// The straight line through the last two points.
    Extrapolate,
    /// Nothing: the run ends.
    Fail,
}

/// Places at which a table has values, in rising order.
#[derive(Debug, Default)]
struct Axis(Vec<f64>);

impl Axis {
    /// The interval of `x`, and where in it x lies: 0 at its start, 1 at its end. `None` beyond the ends of
    /// a table that ends there.
    fn locate(&self, x: f64, edge: Edge) -> Option<(usize, f64)> {
        let (first, last) = (*self.0.first()?, *self.0.last()?);
        let x = match edge {
            Edge::Hold => x.clamp(first, last),
            Edge::Extrapolate => x,
            Edge::Fail if x < first || x > last => return None,
            Edge::Fail => x,
        };
        let above = self.0.partition_point(|place| *place <= x);
        let start = above.clamp(1, self.0.len() - 1) - 1;
        let (from, to) = (self.0[start], self.0[start + 1]);
        Some((start, (x - from) / (to - from)))
    }

    fn ends(&self) -> String {
        match (self.0.first(), self.0.last()) {
            (Some(first), Some(last)) => format!("from {first} to {last}"),
            _ => "nowhere".into(),
        }
    }
}

fn between(from: f64, to: f64, weight: f64) -> f64 {
    from + (to - from) * weight
}

/// A function of one number.
#[derive(Debug, Default)]
pub(crate) struct Curve {
    axis: Axis,
    values: Vec<f64>,
}

impl Curve {
    /// Of points in rising order; an error names the number of the point that does not fit.
    pub fn of(points: &[(f64, f64)]) -> Result<Self, (usize, String)> {
        if points.len() < 2 {
            return Err((0, "a table needs at least two points".into()));
        }
        for (number, pair) in points.windows(2).enumerate() {
            let (before, after) = (pair[0].0, pair[1].0);
            if after <= before {
                let why =
                    format!("{after} does not come after {before}: write points in rising order");
                return Err((number + 1, why));
            }
        }
        let (places, values) = points.iter().copied().unzip();
        Ok(Curve { axis: Axis(places), values })
    }

    /// Of a file with the columns `in` and `out`.
    pub fn read(file: &Path, columns: &str) -> Result<Self, String> {
        let quantities = [Quantity { name: "in", unit: "" }, Quantity { name: "out", unit: "" }];
        let in_file = |error: TableError| error.in_file(file);
        let table = read_table(file, columns, &quantities)?;
        let inputs = table.need("in").map_err(in_file)?;
        let outputs = table.need("out").map_err(in_file)?;
        let points: Vec<_> = inputs.iter().copied().zip(outputs.iter().copied()).collect();
        Curve::of(&points).map_err(|(row, why)| match points.len() {
            0 | 1 => format!("{}: {why}", file.display()),
            _ => in_file(table.wrong_cell(row, "in", why)),
        })
    }

    /// The value at `x`, or why there is none.
    pub fn at(&self, x: f64, edge: Edge) -> Result<f64, String> {
        let (start, weight) = self
            .axis
            .locate(x, edge)
            .ok_or_else(|| format!("the input is {x}, and the table goes {}", self.axis.ends()))?;
        Ok(between(self.values[start], self.values[start + 1], weight))
    }
}

/// A function of two numbers on a grid.
#[derive(Debug, Default)]
pub(crate) struct Surface {
    a: Axis,
    b: Axis,
    /// Those of the first `a` in the order of `b`, then those of the second.
    values: Vec<f64>,
}

impl Surface {
    /// Of a file with the columns `a`, `b` and `out`: a line for every pair, in any order.
    pub fn read(file: &Path, columns: &str) -> Result<Self, String> {
        let quantities = ["a", "b", "out"].map(|name| Quantity { name, unit: "" });
        let in_file = |error: TableError| error.in_file(file);
        let table = read_table(file, columns, &quantities)?;
        let a = table.need("a").map_err(in_file)?;
        let b = table.need("b").map_err(in_file)?;
        let out = table.need("out").map_err(in_file)?;
        let (rows, columns) = (distinct(a), distinct(b));
        if rows.len() < 2 || columns.len() < 2 {
            let name = file.display();
            return Err(format!("{name}: a table needs at least two values of \"a\" and of \"b\""));
        }
        let mut values = vec![None; rows.len() * columns.len()];
        let place = |list: &[f64], x: f64| list.partition_point(|other| *other < x);
        for (line, ((a, b), out)) in a.iter().zip(b).zip(out).enumerate() {
            let value = &mut values[place(&rows, *a) * columns.len() + place(&columns, *b)];
            if value.replace(*out).is_some() {
                let why = format!("a second value for a = {a}, b = {b}");
                return Err(in_file(table.wrong_line(line, why)));
            }
        }
        let missing = |index: usize| {
            let (a, b) = (rows[index / columns.len()], columns[index % columns.len()]);
            format!("{}: there is no line for a = {a}, b = {b}", file.display())
        };
        let known = values.iter().enumerate().map(|(i, value)| value.ok_or_else(|| missing(i)));
        let values = known.collect::<Result<_, _>>()?;
        Ok(Surface { a: Axis(rows), b: Axis(columns), values })
    }

    /// The value at (a, b), or why there is none.
    pub fn at(&self, a: f64, b: f64, edge: Edge) -> Result<f64, String> {
        let beyond = |name: &str, x: f64, axis: &Axis| {
            format!("\"{name}\" is {x}, and the table goes {}", axis.ends())
        };
        let (row, along_a) = self.a.locate(a, edge).ok_or_else(|| beyond("a", a, &self.a))?;
        let (column, along_b) = self.b.locate(b, edge).ok_or_else(|| beyond("b", b, &self.b))?;
        let of_row = |row: usize| {
            let start = row * self.b.0.len() + column;
            between(self.values[start], self.values[start + 1], along_b)
        };
        Ok(between(of_row(row), of_row(row + 1), along_a))
    }
}

/// The different numbers of a list, in rising order.
fn distinct(list: &[f64]) -> Vec<f64> {
    let mut list = list.to_vec();
    // Zeros of both signs are the same place.
    list.iter_mut().for_each(|x| *x += 0.0);
    list.sort_by(f64::total_cmp);
    list.dedup();
    list
}

fn read_table(file: &Path, columns: &str, quantities: &[Quantity]) -> Result<Table, String> {
    let opened =
        ironbird_files::open_data(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Table::read(opened, columns, quantities).map_err(|error| error.in_file(file))
}
