//! Road files.
//!
//! ```toml
//! width = "3.5 m"                                  # of the lane
//! start = { north = "0 m", east = "0 m", heading = "0 deg" }
//!
//! [[piece]]
//! kind = "straight"
//! length = "100 m"
//!
//! [[piece]]
//! kind = "clothoid"                                # from the curvature before it to that after it
//! length = "60 m"
//!
//! [[piece]]
//! kind = "arc"
//! length = "90 m"
//! radius = "300 m"                                 # to starboard; negative to port
//! ```

use std::path::Path;

use ironbird_document::{Item, Problem, Source, Table, parse};

use super::line::{Line, Stretch};

/// What a road file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Road {
    pub width: f64,
    pub line: Line,
}

/// A piece as it is written; the curvature of a clothoid follows from its neighbours.
#[derive(Clone, Copy)]
struct Piece {
    length: f64,
    curvature: Option<f64>,
}

impl Road {
    pub fn read(file: &Path) -> Result<Road, Problem> {
        let source = Source::read(file)?;
        let document = parse(&source)?;
        let whole = document.table()?;
        whole.only(&["width", "start", "piece"], "a road")?;
        let width = above_zero(whole.need("width", &document.place)?, "width")?;
        let (place, heading) = match whole.get("start") {
            None => ([0.0; 2], 0.0),
            Some(item) => start(item)?,
        };
        let pieces = whole.need("piece", &document.place)?;
        let written = pieces.tables()?;
        let read: Vec<Piece> =
            written.iter().map(|(item, table)| piece(item, table)).collect::<Result<_, _>>()?;
        let mut stretches = Vec::with_capacity(read.len());
        for (k, Piece { length, curvature }) in read.iter().enumerate() {
            let curvature = match curvature {
                Some(curvature) => [*curvature; 2],
                None => {
                    // Before the first piece and after the last the road is straight.
                    let beside = |index: Option<usize>| match index.and_then(|k| read.get(k)) {
                        Some(piece) => piece.curvature.ok_or_else(|| two_clothoids(written[k].0)),
                        None => Ok(0.0),
                    };
                    [beside(k.checked_sub(1))?, beside(Some(k + 1))?]
                }
            };
            stretches.push(Stretch { length: *length, curvature });
        }
        let line = Line::new(place, heading, stretches)
            .map_err(|text| Problem::new(text, &pieces.place, "these pieces"))?;
        Ok(Road { width, line })
    }
}

fn two_clothoids(item: &Item) -> Problem {
    Problem::new("a clothoid has another one beside it", &item.place, "here").help(
        "put a straight or an arc between them: a clothoid takes its curvature from its neighbours",
    )
}

fn start(item: &Item) -> Result<([f64; 2], f64), Problem> {
    let table = item.table()?;
    table.only(&["north", "east", "heading"], "the start of a road")?;
    let quantity =
        |key: &str, unit: &str| table.get(key).map_or(Ok(0.0), |item| item.quantity(unit));
    Ok(([quantity("north", "m")?, quantity("east", "m")?], quantity("heading", "rad")?))
}

fn piece(item: &Item, table: &Table) -> Result<Piece, Problem> {
    let kind = table.need("kind", &item.place)?;
    let curvature = match kind.text()? {
        "straight" => Some(0.0),
        "clothoid" => None,
        "arc" => Some(1.0 / radius(table.need("radius", &item.place)?)?),
        other => {
            let text = format!("\"{other}\" is no piece of a road");
            let problem = Problem::new(text, &kind.place, "straight, clothoid or arc");
            return Err(problem);
        }
    };
    match curvature {
        Some(curvature) if curvature != 0.0 => {
            table.only(&["kind", "length", "radius"], "an arc")?;
        }
        _ => table.only(&["kind", "length"], "a straight or a clothoid")?,
    }
    let length = above_zero(table.need("length", &item.place)?, "length")?;
    Ok(Piece { length, curvature })
}

fn above_zero(item: &Item, key: &str) -> Result<f64, Problem> {
    let value = item.quantity("m")?;
    if value > 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(Problem::new(format!("\"{key}\" must be above zero"), &item.place, "here"))
}

fn radius(item: &Item) -> Result<f64, Problem> {
    let radius = item.quantity("m")?;
    if radius.abs() >= 1.0 && radius.is_finite() {
        return Ok(radius);
    }
    let text = "\"radius\" must be 1 m or more, or -1 m or less for an arc to port";
    Err(Problem::new(text, &item.place, "here"))
}
