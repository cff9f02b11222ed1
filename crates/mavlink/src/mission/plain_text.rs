//! Missions in the plain text of QGroundControl (<https://mavlink.io/en/file_formats/#mission_plain_text_file>).
//!
//! ```text
//! QGC WPL 110
//! index  current  frame  command  p1  p2  p3  p4  latitude  longitude  altitude  autocontinue
//! ```
//!
//! Every line is an item; some ground stations write the place of home as the first one, and it is sent as it stands.

use ironbird_tables::{CellPlace, TableError};

use mavlink::dialects::common::{MavCmd, MavFrame};
use num_traits::FromPrimitive;

use super::{Place, PlanItem};

const TITLE: &str = "QGC WPL";
const COLUMNS: [&str; 12] = [
    "index",
    "current",
    "frame",
    "command",
    "param 1",
    "param 2",
    "param 3",
    "param 4",
    "latitude",
    "longitude",
    "altitude",
    "autocontinue",
];

/// Whether a text is one.
pub(super) fn is_meant(text: &str) -> bool {
    text.starts_with(TITLE)
}

pub(super) fn read(text: &str) -> Result<Vec<PlanItem>, TableError> {
    let mut lines = (1..).zip(text.lines());
    let title = lines.next().map_or("", |(_, title)| title.trim());
    if title != "QGC WPL 110" {
        let what = format!("{title:?}; expected \"QGC WPL 110\"");
        return Err(TableError::InLine { line: 1, what });
    }
    let mut items = Vec::new();
    for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
        let cells: Vec<&str> = text.split_whitespace().collect();
        let Ok(cells) = <[&str; 12]>::try_from(cells) else {
            let found = text.split_whitespace().count();
            return Err(TableError::Cells { line, found, expected: COLUMNS.len() });
        };
        items.push(Line { line, cells }.item(items.len())?);
    }
    Ok(items)
}

struct Line<'a> {
    line: u64,
    cells: [&'a str; 12],
}

impl Line<'_> {
    fn at(&self, column: usize) -> CellPlace {
        CellPlace { line: self.line, column: column + 1, name: COLUMNS[column].into() }
    }

    fn wrong(&self, column: usize, what: String) -> TableError {
        TableError::InCell { at: self.at(column), what }
    }

    fn number(&self, column: usize) -> Result<f64, TableError> {
        let text = self.cells[column];
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        let at = || self.at(column);
        number.ok_or_else(|| TableError::NotANumber { at: at(), text: text.into() })
    }

    fn whole<T: std::str::FromStr>(&self, column: usize) -> Result<T, TableError> {
        let text = self.cells[column];
        text.parse().map_err(|_| self.wrong(column, format!("{text:?} is not a whole number")))
    }

    fn item(&self, number: usize) -> Result<PlanItem, TableError> {
        let index: usize = self.whole(0)?;
        if index != number {
            return Err(self.wrong(0, format!("{index}; expected {number}, as items are counted")));
        }
        let (frame, command): (u8, u16) = (self.whole(2)?, self.whole(3)?);
        if MavFrame::from_u8(frame).is_none() {
            return Err(self.wrong(2, format!("{frame} is no MAV_FRAME")));
        }
        if MavCmd::from_u16(command).is_none() {
            return Err(self.wrong(3, format!("{command} is no MAV_CMD")));
        }
        let (latitude, longitude) = (self.number(8)?, self.number(9)?);
        for (column, value, most) in [(8, latitude, 90.0), (9, longitude, 180.0)] {
            if value.abs() > most {
                return Err(self.wrong(column, format!("{value} deg; expected -{most} to {most}")));
            }
        }
        let mut parameters = [0.0; 4];
        for (column, parameter) in (4..).zip(&mut parameters) {
            *parameter = self.number(column)? as f32;
        }
        Ok(PlanItem {
            command,
            frame,
            parameters,
            place: Place::Degrees { latitude, longitude },
            z: self.number(10)? as f32,
            goes_on: self.whole::<u8>(11)? != 0,
        })
    }
}
