//! Aircraft files: mass, coefficients, propulsion and servos of one aircraft.
//!
//! The book describes the format (`docs/src/fixed-wing.md`); `examples/fixed-wing/aircraft` has some.

use std::path::Path;

use ironbird_document::{Item, Place, Problem, Source, Table as TomlTable, parse};

use super::coefficients::{Coefficient, Lookup, Term, Variable};
use super::dynamics::{Aerodynamics, Airframe, Axes, Mass, Reference};
use super::propulsion_file;
use super::servos::Servos;
use super::servos_file;
use super::table::Table;
use super::table_file::{self, NamedTable};
use crate::quantities::{mass_and_inertia, point, positive};

/// All that an aircraft file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aircraft {
    /// Its name.
    pub name: String,
    /// Where its numbers come from.
    pub source: String,
    /// The rigid body.
    pub airframe: Airframe,
    /// What moves its surfaces.
    pub servos: Servos,
}

/// Tables by name.
pub(super) struct Tables(Vec<(String, NamedTable)>);

impl Tables {
    fn read(whole: &TomlTable, folder: &Path) -> Result<Self, Problem> {
        let Some(tables) = whole.get("tables") else { return Ok(Tables(Vec::new())) };
        let entries = tables.table()?.0.iter();
        let read = |entry: &ironbird_document::Entry| {
            Ok((entry.key.clone(), table_file::read(&entry.item, folder)?))
        };
        entries.map(read).collect::<Result<_, _>>().map(Tables)
    }

    /// The table whose name is written in `item`.
    pub fn named(&self, item: &Item) -> Result<&NamedTable, Problem> {
        let name = item.text()?;
        let known = || self.0.iter().map(|(known, _)| known.as_str());
        self.0.iter().find(|(known, _)| known == name).map(|(_, table)| table).ok_or_else(|| {
            let text = format!("there is no table \"{name}\"");
            Problem::new(text, &item.place, "not in [tables]")
                .did_you_mean(ironbird_kernel::path::nearest(name, known()))
        })
    }

    /// The table whose name is written in `item`, which has these axes, and values of this unit.
    pub fn over(&self, item: &Item, axes: &[&str], unit: &str) -> Result<&Table, Problem> {
        let named = self.named(item)?;
        if named.axes != axes {
            let (found, wanted) = (list(&named.axes), list(axes));
            let text = format!("this table is over {found}: it must be over {wanted}");
            return Err(Problem::new(text, &item.place, "here"));
        }
        named.need_unit(unit, item)?;
        Ok(&named.table)
    }
}

fn list<S: AsRef<str>>(names: &[S]) -> String {
    names.iter().map(|name| format!("\"{}\"", name.as_ref())).collect::<Vec<_>>().join(" and ")
}

impl Aircraft {
    /// Reads a file; `adjust` overrides parameters of it: `Cmq = -8.2, CLalpha = 4.6`.
    pub fn read(file: &Path, adjust: &str) -> Result<Self, Problem> {
        let source = Source::read(file)?;
        let document = parse(&source)?;
        let whole = document.table()?;
        whole.only(
            &[
                "name",
                "source",
                "mass",
                "reference",
                "parameters",
                "aerodynamics",
                "tables",
                "propulsion",
                "battery",
                "servos",
            ],
            "an aircraft",
        )?;
        let place = &document.place;
        let tables = Tables::read(whole, &source.folder)?;
        let parameters = Named::read(whole, adjust)?;
        let section = |key| whole.section(key, place);
        let (mass, at) = section("mass")?;
        let (mass, inertia) = mass_and_inertia(mass, at)?;
        let mass = Mass::new(mass, inertia);
        let (reference, at) = section("reference")?;
        let reference = read_reference(reference, at)?;
        let (aerodynamics, at) = section("aerodynamics")?;
        let aerodynamics = read_aerodynamics(aerodynamics, at, &parameters, &tables)?;
        let propulsion = propulsion_file::read(whole, &tables)?;
        let (servos, at) = section("servos")?;
        Ok(Aircraft {
            name: whole.need("name", place)?.text()?.to_owned(),
            source: whole.need("source", place)?.text()?.to_owned(),
            airframe: Airframe { mass, reference, aerodynamics, propulsion },
            servos: servos_file::read(servos, at)?,
        })
    }
}

/// Named constants.
struct Named(Vec<(String, f64)>);

impl Named {
    fn read(whole: &TomlTable, adjust: &str) -> Result<Self, Problem> {
        let mut known = Vec::new();
        if let Some(parameters) = whole.get("parameters") {
            for entry in &parameters.table()?.0 {
                known.push((entry.key.clone(), entry.item.number()?));
            }
        }
        for part in adjust.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let wrong = |what: String| Problem::somewhere(format!("\"adjust\": {what}"));
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| wrong(format!("\"{part}\" is not like \"Cmq = -8.2\"")))?;
            let (name, value) = (name.trim(), value.trim());
            let number: f64 = value
                .parse()
                .ok()
                .filter(|number: &f64| number.is_finite())
                .ok_or_else(|| wrong(format!("\"{value}\" is not a number")))?;
            let Some((_, slot)) = known.iter_mut().find(|(known, _)| known == name) else {
                let names = known.iter().map(|(known, _)| known.as_str());
                let near = ironbird_kernel::path::nearest(name, names);
                let text = format!("the aircraft has no parameter \"{name}\"");
                return Err(wrong(text).did_you_mean(near));
            };
            *slot = number;
        }
        Ok(Named(known))
    }

    /// A number, or the name of one.
    fn value(&self, item: &Item) -> Result<f64, Problem> {
        let Ok(name) = item.text() else { return item.number() };
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let names = self.0.iter().map(|(known, _)| known.as_str());
            let near = ironbird_kernel::path::nearest(name, names);
            let text = format!("there is no parameter \"{name}\"");
            Problem::new(text, &item.place, "not in [parameters]").did_you_mean(near)
        })
    }
}

fn read_reference(entries: &TomlTable, place: &Place) -> Result<Reference, Problem> {
    entries.only(&["area", "span", "chord", "moment_reference"], "[reference]")?;
    Ok(Reference {
        area: positive(entries, place, "area", "m^2")?,
        span: positive(entries, place, "span", "m")?,
        chord: positive(entries, place, "chord", "m")?,
        point: entries.get("moment_reference").map_or(Ok([0.0; 3]), point)?,
    })
}

fn read_aerodynamics(
    entries: &TomlTable,
    place: &Place,
    parameters: &Named,
    tables: &Tables,
) -> Result<Aerodynamics, Problem> {
    let axes = match entries.get("axes") {
        None => Axes::Wind,
        Some(item) => match item.text()? {
            "wind" => Axes::Wind,
            "stability" => Axes::Stability,
            "body" => Axes::Body,
            other => {
                let text = format!("\"{other}\" are no axes: wind, stability or body");
                return Err(Problem::new(text, &item.place, "here"));
            }
        },
    };
    let forces = match axes {
        Axes::Body => ["z", "x", "y"],
        _ => ["lift", "drag", "side"],
    };
    let [lift, drag, side] = forces;
    entries.only(&["axes", lift, drag, side, "roll", "pitch", "yaw"], "[aerodynamics]")?;
    let read = |key: &str| read_terms(entries.need(key, place)?, key, parameters, tables);
    let (mut by_rate, steady): (Vec<Term>, Vec<Term>) =
        read(lift)?.into_iter().partition(|term| term.reads(Variable::AlphaRate));
    for term in &mut by_rate {
        term.times.retain(|variable| *variable != Variable::AlphaRate);
    }
    let reads_rate = !by_rate.is_empty();
    let (lift, lift_by_alpha_rate) = (Coefficient::new(steady), Coefficient::new(by_rate));
    let read = |key: &str| read(key).map(Coefficient::new);
    let (drag, side) = (read(drag)?, read(side)?);
    let moments = [read("roll")?, read("pitch")?, read("yaw")?];
    let all = [&lift, &drag, &side, &moments[0], &moments[1], &moments[2]];
    let reads_mach = all.iter().any(|part| part.reads(Variable::Mach))
        || lift_by_alpha_rate.reads(Variable::Mach);
    let reads_alpha_rate = reads_rate || moments.iter().any(|part| part.reads(Variable::AlphaRate));
    if axes == Axes::Body && reads_alpha_rate {
        let text = "\"alpha_rate_hat\" needs lift: write the forces along the axes \"wind\"";
        return Err(Problem::new(text, place, "here"));
    }
    Ok(Aerodynamics {
        axes,
        lift,
        lift_by_alpha_rate,
        drag,
        side,
        moments,
        reads_mach,
        reads_alpha_rate,
    })
}

fn read_terms(
    item: &Item,
    of: &str,
    parameters: &Named,
    tables: &Tables,
) -> Result<Vec<Term>, Problem> {
    let read = |item: &Item| read_term(item, of, parameters, tables);
    item.items()?.iter().map(read).collect()
}

fn read_term(item: &Item, of: &str, parameters: &Named, tables: &Tables) -> Result<Term, Problem> {
    let entries = item.table()?;
    entries.only(&["value", "table", "times"], "a term")?;
    if entries.0.is_empty() {
        let text = "a term has a `value`, a `table` or `times`";
        return Err(Problem::new(text, &item.place, "empty"));
    }
    let value = entries.get("value").map_or(Ok(1.0), |item| parameters.value(item))?;
    let variable = |name: &str, place: &Place| {
        let names = Variable::NAMES.iter().map(|(_, name)| *name);
        let found = Variable::named(name).ok_or_else(|| {
            let text = format!("there is no variable \"{name}\"");
            let near = ironbird_kernel::path::nearest(name, names.clone());
            let problem = Problem::new(text, place, "here");
            match near {
                Some(near) => problem.did_you_mean(Some(near)),
                None => problem.help(names.clone().collect::<Vec<_>>().join(", ")),
            }
        })?;
        let forbidden: &[Variable] = match of {
            "lift" | "z" => &[Variable::Lift],
            "drag" | "side" | "x" | "y" => &[Variable::AlphaRate],
            _ => &[],
        };
        if forbidden.contains(&found) {
            let text = format!("\"{of}\" cannot depend on \"{name}\"");
            return Err(Problem::new(text, place, "here"));
        }
        Ok(found)
    };
    let times = match entries.get("times") {
        None => Vec::new(),
        Some(item) => {
            let texts = item.texts()?.into_iter();
            texts.map(|(name, place)| variable(name, place)).collect::<Result<_, _>>()?
        }
    };
    if times.iter().filter(|time| **time == Variable::AlphaRate).count() > 1 {
        let text = "a term may contain \"alpha_rate_hat\" once";
        return Err(Problem::new(text, &item.place, "here"));
    }
    let lookup = match entries.get("table") {
        None => None,
        Some(name) => {
            let named = tables.named(name)?;
            named.need_unit("1", name)?;
            let NamedTable { axes, table, .. } = named;
            let on = |k: usize| variable(&axes[k.min(axes.len() - 1)], &name.place);
            let axes = [on(0)?, on(1)?];
            Some(Lookup { table: table.clone(), axes })
        }
    };
    Ok(Term { value, lookup, times })
}
