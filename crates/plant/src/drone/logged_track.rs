//! The track of a drone that was logged.
//!
//! Places are a cubic spline through the times of the log, C² whatever their spacing. Attitudes are one
//! through the quaternions q, of which the direction counts: with q̄ the conjugate
//!
//! ```text
//! attitude = q/|q|,   ω = 2 vec(q̄ q') / |q|²   in the body
//! ```
//!
//! so that velocity, acceleration and angular velocity are the exact derivatives of what is shown.

use std::path::Path;

use ironbird_kinematics::{Attitude, Geodetic, TangentPlane};
use ironbird_tables::TableError;
use ironbird_tables::table::{Quantity, Table};
use nalgebra::{Quaternion, Vector3, Vector4};

use super::cubic_spline::CubicSpline;
use crate::places::{from_geodetic, is_geodetic};

/// A track over the seconds since the first line of a log.
#[derive(Clone, Debug, Default)]
pub struct LoggedTrack {
    places: CubicSpline<3>,
    attitudes: Option<CubicSpline<4>>,
}

const QUANTITIES: [Quantity; 10] = [
    Quantity { name: "time", unit: "s" },
    Quantity { name: "north", unit: "m" },
    Quantity { name: "east", unit: "m" },
    Quantity { name: "down", unit: "m" },
    Quantity { name: "latitude", unit: "deg" },
    Quantity { name: "longitude", unit: "deg" },
    Quantity { name: "depth", unit: "m" },
    Quantity { name: "roll", unit: "deg" },
    Quantity { name: "pitch", unit: "deg" },
    Quantity { name: "yaw", unit: "deg" },
];

/// Cosine of half the largest turn between two lines: 120 degrees. Beyond, the way round is a guess.
const LARGEST_TURN: f64 = 0.5;

impl LoggedTrack {
    /// Reads a log with no gaps longer than `max_gap` seconds.
    pub fn read(
        file: &Path,
        columns: &str,
        plane: &TangentPlane,
        max_gap: f64,
    ) -> Result<Self, TableError> {
        let table = Table::read(ironbird_files::open_data(file)?, columns, &QUANTITIES)?;
        let times = times(&table, max_gap)?;
        let places = CubicSpline::through(times.clone(), places(&table, plane)?);
        let attitudes = attitudes(&table)?;
        let attitudes = attitudes.map(|attitudes| CubicSpline::through(times, attitudes));
        Ok(LoggedTrack { places, attitudes })
    }

    /// When it ends.
    pub fn end(&self) -> f64 {
        self.places.knots().last().copied().unwrap_or(0.0)
    }

    /// Whether there is none: the file has vanished.
    pub fn is_empty(&self) -> bool {
        self.places.knots().len() < 2
    }

    /// Moves a mark, the number of a line, forward to a time.
    pub fn seek(&self, mark: &mut usize, time: f64) {
        let knots = self.places.knots();
        while *mark + 2 < knots.len() && knots[*mark + 1] <= time {
            *mark += 1;
        }
    }

    /// Place, velocity and acceleration at a time after the marked line.
    pub fn place(&self, mark: usize, time: f64) -> [Vector3<f64>; 3] {
        self.places.at(mark, time - self.places.knots()[mark])
    }

    /// Attitude and angular velocity in the body then, if the log has them.
    pub fn attitude(&self, mark: usize, time: f64) -> Option<(Attitude, Vector3<f64>)> {
        let spline = self.attitudes.as_ref()?;
        let [q, rate, _] = spline.at(mark, time - spline.knots()[mark]);
        let (q, rate) = (Quaternion::from(q), Quaternion::from(rate));
        let squared = q.norm_squared();
        let turning = (q.conjugate() * rate).imag() * (2.0 / squared);
        let q = q / squared.sqrt();
        Some((Attitude { w: q.w, x: q.i, y: q.j, z: q.k }, turning))
    }
}

/// Seconds since the first line.
fn times(table: &Table, max_gap: f64) -> Result<Vec<f64>, TableError> {
    let times = table.need("time")?;
    if times.len() < 2 {
        let what = format!("{} lines of data; a track needs two", times.len());
        return Err(TableError::Whole(what));
    }
    for (row, pair) in times.windows(2).enumerate() {
        let (before, time) = (pair[0], pair[1]);
        if time <= before {
            let what = format!("{time} s does not come after {before} s; times must go forward");
            return Err(table.wrong_cell(row + 1, "time", what));
        }
        if time - before > max_gap {
            let what = format!(
                "a gap of {:.3} s since line {}; \"max_gap\" is {max_gap} s",
                time - before,
                table.line(row)
            );
            return Err(table.wrong_cell(row + 1, "time", what));
        }
    }
    Ok(times.iter().map(|time| time - times[0]).collect())
}

fn places(table: &Table, plane: &TangentPlane) -> Result<Vec<Vector3<f64>>, TableError> {
    let geodetic = is_geodetic(table, "a track")?;
    let names =
        if geodetic { ["latitude", "longitude", "depth"] } else { ["north", "east", "down"] };
    let [a, b, c] = [table.need(names[0])?, table.need(names[1])?, table.need(names[2])?];
    let rows = a.iter().zip(b).zip(c).enumerate();
    rows.map(|(row, ((a, b), c))| {
        if !geodetic {
            return Ok(Vector3::new(*a, *b, *c));
        }
        let place = Geodetic { latitude: *a, longitude: *b, height: -c };
        from_geodetic(table, row, place, plane)
    })
    .collect()
}

/// Quaternions as (x, y, z, w), each on the side of the one before.
fn attitudes(table: &Table) -> Result<Option<Vec<Vector4<f64>>>, TableError> {
    if ["roll", "pitch", "yaw"].iter().all(|name| table.get(name).is_none()) {
        return Ok(None);
    }
    let [rolls, pitches, yaws] = [table.need("roll")?, table.need("pitch")?, table.need("yaw")?];
    let mut all: Vec<Vector4<f64>> = Vec::with_capacity(yaws.len());
    for (row, yaw) in yaws.iter().enumerate() {
        let q = Attitude::from_euler(rolls[row], pitches[row], *yaw);
        let mut q = Vector4::new(q.x, q.y, q.z, q.w);
        if let Some(before) = all.last() {
            let cosine = q.dot(before);
            if cosine.abs() < LARGEST_TURN {
                let turn = 2.0 * libm::acos(cosine.abs()).to_degrees();
                let what = format!(
                    "a turn by {turn:.0} degrees since line {}; which way round cannot be told",
                    table.line(row - 1)
                );
                return Err(table.wrong_cell(row, "yaw", what));
            }
            if cosine < 0.0 {
                q = -q;
            }
        }
        all.push(q);
    }
    Ok(Some(all))
}
