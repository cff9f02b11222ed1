//! `mission.iterator`: the cells of a mission, one after the other.
//!
//! ```text
//!              ┌────────────────────┐
//!  has_next  ──►                    ├──► yes_next, no_next
//!  remove_next ►  cells, of which   │
//!  reset     ──►  one is current    │
//!  go_next   ──►                    ├──► go: the current cell
//!              └────────────────────┘
//! ```

use std::path::PathBuf;

use ironbird_component::Component;
use ironbird_component::scenery::{Cell as DrawnCell, Scenery};
use ironbird_kernel::{Atomic, Context, Duration, EventIn, EventOut, Inputs, Outputs, SignalOut};
use ironbird_tables::TableError;

use super::area::{self, Cell, Grid, Order};

/// Hands out the cells of a mission: whether there is a next one, and where it is.
///
/// No cell is current at first. `has_next` is answered by `yes_next` if a cell is left, or by `no_next`;
/// `remove_next` leaves the current cell behind and makes the next one current; `go_next` sends the
/// current cell to `go`; `reset` puts all cells back. With `has_next_removes`, as missions usually want
/// it, `has_next` does what `remove_next` does before it says yes.
///
/// The cells are those of the file `cells`, a CSV file with the columns `north`, `east` and, if it has
/// one, `height`, all in m; or squares of `cell_size` that are cut out of the `area`, a CSV file whose
/// lines are the corners of a polygon, `north` and `east`. Cells whose middle lies in a no-fly zone are
/// left out.
#[derive(Component)]
#[component(
    type = "mission.iterator",
    event_driven,
    check = Self::check,
    changed = Self::prepare,
    scenery = Self::scenery
)]
pub struct CellIterator {
    /// File of cells: `north`, `east`, `height`.
    #[parameter(default = PathBuf::new())]
    cells: PathBuf,
    /// File of the corners of an area that is cut into cells: `north`, `east`.
    #[parameter(default = PathBuf::new())]
    area: PathBuf,
    /// File of the corners of zones: `zone` (a number), `north`, `east`. Cells in them are left out.
    #[parameter(default = PathBuf::new())]
    no_fly_zones: PathBuf,
    /// Side of a cell; rows of cells are this far apart.
    #[parameter(unit = "m", default = 50.0, above = 0, fixed)]
    cell_size: f64,
    /// Direction of the rows, clockwise from north.
    #[parameter(unit = "deg", default = 0.0, min = -360, max = 360, fixed)]
    heading: f64,
    /// Height of cells that the file gives none.
    #[parameter(unit = "m", default = 100.0, fixed)]
    height: f64,
    /// The order in which cells are visited.
    #[parameter(default = Order::ZigZag, fixed)]
    order: Order,
    /// North and east of the place near which a zig-zag or the nearest-first order begins.
    #[parameter(unit = "m", default = [0.0, 0.0], fixed)]
    start: [f64; 2],
    /// Whether `has_next` makes the next cell current, so that nobody needs `remove_next`.
    #[parameter(default = true, fixed)]
    has_next_removes: bool,
    /// Asks whether a cell is left.
    #[input]
    has_next: EventIn<u32>,
    /// Leaves the current cell behind.
    #[input]
    remove_next: EventIn<u32>,
    /// Puts all cells back.
    #[input]
    reset: EventIn<u32>,
    /// Sends the current cell to `go`.
    #[input]
    go_next: EventIn<u32>,
    /// A cell is left; how often this was said.
    #[output]
    yes_next: EventOut<u32>,
    /// No cell is left; how often this was said.
    #[output]
    no_next: EventOut<u32>,
    /// The cell to go to.
    #[output(unit = "north: m, east: m, height: m")]
    go: EventOut<Cell>,
    /// How many cells are left, the current one not counted.
    #[output(initial = 0)]
    left: SignalOut<u32>,
    /// The cells in the order of the visit.
    #[skip]
    visit: Vec<Cell>,
    cursor: Cursor,
    said_yes: u32,
    said_no: u32,
    answers: Vec<Answer>,
}

/// How far a visit of some number of cells has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
struct Cursor {
    /// How many cells have been current.
    taken: u32,
    /// Whether the last of them still is.
    has_current: bool,
}

impl Cursor {
    fn is_left(self, count: u32) -> bool {
        self.taken < count
    }

    /// Leaves the current cell behind and makes the next one current.
    fn remove(&mut self, count: u32) {
        self.has_current = self.is_left(count);
        self.taken += u32::from(self.has_current);
    }

    /// The number of the current cell in the visit.
    fn current(self) -> Option<u32> {
        self.taken.checked_sub(1).filter(|_| self.has_current)
    }
}

/// What is still to be sent.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
enum Answer {
    Yes(u32),
    No(u32),
    /// The number of the cell in the visit.
    Go(u32),
}

/// Cells that are drawn; of more, the first.
const MOST_DRAWN: usize = 2000;

/// So many cells are sorted within a few seconds.
const MOST_NEAREST: usize = 20_000;

impl CellIterator {
    fn check(&self) -> Result<(), String> {
        self.read().map(drop)
    }

    /// Files that have vanished since they were checked leave no cells, and so no mission.
    fn prepare(&mut self) {
        self.visit = self.read().unwrap_or_default();
    }

    fn grid(&self) -> Grid {
        Grid::new(self.heading.to_radians(), self.cell_size)
    }

    fn scenery(&self) -> Option<Scenery> {
        let grid = self.grid();
        let cells = self.visit.iter().take(MOST_DRAWN).map(|cell| DrawnCell {
            name: cell.number.to_string(),
            corners: grid.corners(cell.place()).to_vec(),
        });
        Some(Scenery { cells: cells.collect(), ..Scenery::default() })
    }

    fn read(&self) -> Result<Vec<Cell>, String> {
        let is_given = |file: &PathBuf| !file.as_os_str().is_empty();
        let grid = self.grid();
        let in_file = |file: &PathBuf, error: TableError| error.in_file(file);
        let mut cells = match (is_given(&self.cells), is_given(&self.area)) {
            (true, false) => area::read_cells(&self.cells, self.height)
                .map_err(|error| in_file(&self.cells, error))?,
            (false, true) => {
                let area = area::read_area(&self.area).map_err(|e| in_file(&self.area, e))?;
                area::cut(&area, grid, self.height)
                    .map_err(|what| in_file(&self.area, TableError::Whole(what)))?
            }
            (true, true) => {
                return Err("it has \"cells\" and an \"area\"; give one of the two".into());
            }
            (false, false) => {
                return Err(
                    "it needs \"cells\", a file of cells, or an \"area\" to cut into cells".into(),
                );
            }
        };
        if is_given(&self.no_fly_zones) {
            let zones = area::read_zones(&self.no_fly_zones);
            let zones = zones.map_err(|error| in_file(&self.no_fly_zones, error))?;
            cells.retain(|cell| !zones.iter().any(|zone| zone.contains(cell.place())));
            if cells.is_empty() {
                let what =
                    "every cell lies in one of these zones; a mission needs at least one".into();
                return Err(in_file(&self.no_fly_zones, TableError::Whole(what)));
            }
        }
        if self.order == Order::NearestFirst && cells.len() > MOST_NEAREST {
            return Err(format!(
                "the order \"nearest-first\" looks at every cell for every cell: {} are too many, at most \
                 {MOST_NEAREST} are sorted like that; take \"zig-zag\"",
                cells.len()
            ));
        }
        Ok(area::sorted(&cells, self.order, grid, self.start))
    }

    fn count(&self) -> u32 {
        u32::try_from(self.visit.len()).unwrap_or(u32::MAX)
    }

    fn answer(&mut self) {
        let count = self.count();
        if self.cursor.is_left(count) {
            self.said_yes = self.said_yes.saturating_add(1);
            self.answers.push(Answer::Yes(self.said_yes));
        } else {
            self.said_no = self.said_no.saturating_add(1);
            self.answers.push(Answer::No(self.said_no));
        }
        if self.has_next_removes {
            self.cursor.remove(count);
        }
    }
}

impl Atomic for CellIterator {
    fn time_advance(&self) -> Duration {
        if self.answers.is_empty() { Duration::FOREVER } else { Duration::ZERO }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        for answer in self.answers.drain(..) {
            match answer {
                Answer::Yes(count) => out.send(self.yes_next, count),
                Answer::No(count) => out.send(self.no_next, count),
                Answer::Go(number) => {
                    if let Some(cell) = self.visit.get(number as usize) {
                        out.send(self.go, *cell);
                    }
                }
            }
        }
        out.write(self.left, self.count().saturating_sub(self.cursor.taken));
    }

    fn internal(&mut self, _: &mut Context<'_>) {}

    /// Of what comes at once, cells are put back first, then removed, then asked for.
    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        if inputs.events(self.reset).next().is_some() {
            self.cursor = Cursor::default();
        }
        let count = self.count();
        for _ in inputs.events(self.remove_next) {
            self.cursor.remove(count);
        }
        for _ in inputs.events(self.has_next) {
            self.answer();
        }
        for _ in inputs.events(self.go_next) {
            let Some(current) = self.cursor.current() else {
                let ask = if self.has_next_removes { "has_next" } else { "remove_next" };
                return context.fail(format!(
                    "\"go_next\" came, but no cell is current; \"{ask}\" makes one current"
                ));
            };
            self.answers.push(Answer::Go(current));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::machine::Draft;
    use super::*;

    /// Whatever is commanded where Figure 5b allows it, the answers are among those that it allows.
    #[test]
    fn the_iterator_refines_the_state_machine_of_figure_5b() {
        let folder =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/fixed-wing/missions");
        let figure = Draft::open(&folder.join("iterator.fsp"), "has.next, reset, go.next");
        let figure = figure.expect("the figure");
        let commands = ["has.next", "reset", "go.next"];
        let mut state = figure.initial.text.clone();
        let step = |state: &str, label: &str| {
            let from = figure.states.iter().find(|other| other.name.text == state)?;
            let arrow = from.arrows.iter().find(|arrow| arrow.label.text == label)?;
            Some(arrow.to.clone())
        };
        let (count, mut cursor, mut number) = (5, Cursor::default(), 7u64);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..10_000 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let command = commands[(number >> 33) as usize % 3];
            let Some(next) = step(&state, command) else { continue };
            let answer = match command {
                "has.next" => {
                    let answer = if cursor.is_left(count) { "yes.next" } else { "no.next" };
                    cursor.remove(count);
                    Some(answer)
                }
                "reset" => {
                    cursor = Cursor::default();
                    None
                }
                _ => cursor.current().map(|_| "go"),
            };
            state = match answer {
                Some(answer) => step(&next, answer).expect("the figure allows this answer"),
                None => next,
            };
            assert_eq!(cursor.current().is_some(), state == "Q2");
            seen.insert((command, answer));
        }
        assert_eq!(seen.len(), 4, "{seen:?}");
    }
}
