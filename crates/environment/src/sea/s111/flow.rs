//! Surface currents between the nodes and between the times: bilinear in latitude and longitude, linear
//! in time, with exact derivatives.

use super::SurfaceCurrents;
use crate::sea::date_time::DateTime;
use crate::sea::question::Degrees;

/// A velocity (northwards, eastwards; m/s), and its derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::sea) struct Flow {
    pub velocity: [f64; 2],
    /// Per second.
    pub by_time: [f64; 2],
    /// Per degree.
    pub by_latitude: [f64; 2],
    pub by_longitude: [f64; 2],
}

/// A place between two of a row of equally spaced points.
#[derive(Clone, Copy)]
struct Between {
    index: usize,
    fraction: f64,
    /// Fractions per unit; zero where the place is held at an end.
    rate: f64,
}

impl Between {
    /// `x` is counted in spacings from the first of `count` points, of which there are two at least.
    /// `None` outside, unless that is to be held.
    fn of(x: f64, count: usize, rate: f64, hold: bool) -> Option<Self> {
        let last = (count - 1) as f64;
        if (0.0..=last).contains(&x) {
            // The last point belongs to the last interval.
            let index = (x as usize).min(count - 2);
            return Some(Between { index, fraction: x - index as f64, rate });
        }
        let index = if x < 0.0 { 0 } else { count - 2 };
        let fraction = if x < 0.0 { 0.0 } else { 1.0 };
        hold.then_some(Between { index, fraction, rate: 0.0 })
    }
}

impl SurfaceCurrents {
    /// The flow at a place in degrees and at a time in milliseconds since the first record.
    pub(in crate::sea) fn flow(
        &self,
        [latitude, longitude]: [f64; 2],
        milliseconds: f64,
        hold: bool,
    ) -> Result<Flow, String> {
        let [per_latitude, per_longitude] = self.spacing.map(|spacing| 1.0 / spacing);
        // A longitude is known up to turns: the one nearest to the middle of the grid counts.
        let middle = self.origin[1] + 0.5 * self.spacing[1] * (self.columns - 1) as f64;
        let turns = ((longitude - middle) / 360.0).round();
        let y = (latitude - self.origin[0]) * per_latitude;
        let x = (longitude - 360.0 * turns - self.origin[1]) * per_longitude;
        let row = Between::of(y, self.rows, per_latitude, hold);
        let column = Between::of(x, self.columns, per_longitude, hold);
        let (Some(row), Some(column)) = (row, column) else {
            let end = self.place(self.rows - 1, self.columns - 1);
            let (from, to) = (Degrees(self.origin), Degrees(end));
            return Err(format!("its file covers {from} to {to}"));
        };
        let (record, passed, per_second) = self.record_at(milliseconds, hold)?;
        let early = self.in_record(record, row, column)?;
        if per_second == 0.0 {
            return Ok(early);
        }
        let late = self.in_record(record + 1, row, column)?;
        let mix = |a: [f64; 2], b: [f64; 2]| {
            [a[0] + passed * (b[0] - a[0]), a[1] + passed * (b[1] - a[1])]
        };
        let [from, to] = [early.velocity, late.velocity];
        Ok(Flow {
            velocity: mix(from, to),
            by_time: [per_second * (to[0] - from[0]), per_second * (to[1] - from[1])],
            by_latitude: mix(early.by_latitude, late.by_latitude),
            by_longitude: mix(early.by_longitude, late.by_longitude),
        })
    }

    /// The record before a time, the fraction of the way to the next, and its change per second, which
    /// is zero where the record is held or is the last.
    fn record_at(&self, milliseconds: f64, hold: bool) -> Result<(usize, f64, f64), String> {
        let first = self.times[0].0;
        let of = |time: &DateTime| (time.0 - first) as f64;
        let after = self.times.partition_point(|time| of(time) <= milliseconds);
        let last = self.times.len() - 1;
        let inside = after > 0 && milliseconds <= of(&self.times[last]);
        if !inside && !hold {
            let ([start, end], time) = (self.span(), DateTime(first + milliseconds as i64));
            return Err(format!("it is {time} then, and its file covers {start} to {end}"));
        }
        if after == 0 || after > last {
            return Ok((if after == 0 { 0 } else { last }, 0.0, 0.0));
        }
        let (start, end) = (of(&self.times[after - 1]), of(&self.times[after]));
        let span = end - start;
        Ok((after - 1, (milliseconds - start) / span, 1e3 / span))
    }

    fn in_record(&self, record: usize, row: Between, column: Between) -> Result<Flow, String> {
        let values = &self.records[record];
        let first = row.index * self.columns + column.index;
        let second = first + self.columns;
        let corners = [values[first], values[first + 1], values[second], values[second + 1]];
        let (y, x) = (row.fraction, column.fraction);
        let mut flow = Flow::default();
        for axis in 0..2 {
            let [sw, se, nw, ne] = corners.map(|corner| corner[axis]);
            let (south, north) = (sw + x * (se - sw), nw + x * (ne - nw));
            flow.velocity[axis] = south + y * (north - south);
            flow.by_latitude[axis] = row.rate * (north - south);
            flow.by_longitude[axis] = column.rate * ((1.0 - y) * (se - sw) + y * (ne - nw));
        }
        // One corner without data makes a sum that is not a number.
        if flow.velocity[0].is_nan() {
            let (from, to) =
                (self.place(row.index, column.index), self.place(row.index + 1, column.index + 1));
            return Err(format!(
                "not all four corners of its cell, {} to {}, have data at {}",
                Degrees(from),
                Degrees(to),
                self.times[record]
            ));
        }
        Ok(flow)
    }
}
