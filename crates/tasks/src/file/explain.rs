//! Why a file has no timetable, with the place in it that one would change.

use ironbird_document::{Item, Place, Problem};

use super::TaskFile;
use crate::timetable::TimetableError;

impl TaskFile {
    /// An error of the schedule as a problem of the file.
    pub fn explain(&self, error: &TimetableError) -> Problem {
        let message = error.to_string();
        let (place, label, help) = match error {
            TimetableError::HyperPeriod { culprit, .. } => (
                self.period(|period| period == *culprit),
                "this period makes it too long",
                "periods that divide each other have a short hyper-period; `max_hyper_period` or \
                 --max-hyper-period sets another limit",
            ),
            TimetableError::DoesNotSettle { ecus, .. } => (
                ecus.first().and_then(|(name, _)| self.ecu(name)),
                "this one",
                match ecus.is_empty() {
                    false => {
                        "make tasks shorter or rarer, or look at a part of the schedule with --until"
                    }
                    true => {
                        "an offset that is many hyper-periods long, or a bus with more to carry than it \
                         can, keeps it from repeating; --until shows a part of the schedule"
                    }
                },
            ),
            TimetableError::TooManyJobs(_) => (
                self.shortest_period(),
                "the shortest period",
                "look at less with --until, or lengthen periods that are much shorter than the others",
            ),
            TimetableError::NoClock => {
                (None, "", "give the first task of a transaction a `period`")
            }
        };
        let somewhere = self.root.place.part(0..0);
        let label = if place.is_some() { label } else { "in this file" };
        Problem::new(message, place.unwrap_or(&somewhere), label).help(help)
    }

    fn tables(&self, key: &str) -> Vec<&Item> {
        let item = self.root.table().ok().and_then(|root| root.get(key));
        let tables = item.and_then(|item| item.tables().ok()).unwrap_or_default();
        tables.into_iter().map(|(item, _)| item).collect()
    }

    fn ecu(&self, name: &str) -> Option<&Place> {
        let names = self.tables("ecu").into_iter().filter_map(|ecu| ecu.table().ok()?.get("name"));
        names
            .filter(|item| item.text().is_ok_and(|text| text == name))
            .map(|item| &item.place)
            .next()
    }

    /// All periods that are written, with their places.
    fn periods(&self) -> Vec<(u64, &Place)> {
        let mut found = Vec::new();
        for transaction in self.tables("transaction") {
            let tasks = transaction.table().ok().and_then(|table| table.get("task"));
            for (_, task) in tasks.and_then(|tasks| tasks.tables().ok()).unwrap_or_default() {
                if let Some((item, period)) =
                    task.get("period").and_then(|item| Some((item, item.count().ok()?)))
                {
                    found.push((period, &item.place));
                }
            }
        }
        found
    }

    fn period(&self, is_it: impl Fn(u64) -> bool) -> Option<&Place> {
        self.periods().into_iter().find(|(period, _)| is_it(*period)).map(|(_, place)| place)
    }

    fn shortest_period(&self) -> Option<&Place> {
        self.periods().into_iter().min_by_key(|(period, _)| *period).map(|(_, place)| place)
    }
}
