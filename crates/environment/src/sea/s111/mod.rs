//! Surface currents as hydrographic offices publish them: IHO S-111 files (HDF5) with a regular grid
//! (dataCodingFormat 2, IHO S-111 edition 1.0.0 and 2.0.0, section 10.2).
//!
//! ```text
//! /                            horizontalDatumValue or horizontalCRS: 4326
//! /Group_F/SurfaceCurrent      units and fill values of the members
//! /SurfaceCurrent              dataCodingFormat, sequencingRule.scanDirection
//! /SurfaceCurrent/SurfaceCurrent.01              grid: origin, spacing, number of points
//! /SurfaceCurrent/SurfaceCurrent.01/Group_001    timePoint
//! /SurfaceCurrent/SurfaceCurrent.01/Group_001/values   (latitude, longitude): speed, direction
//! ```
//!
//! Speed and direction of every node become components north and east: these can be interpolated,
//! while a direction of 359 degrees and one of 1 degree have a mean that flows the other way.

mod attributes;
mod flow;
mod values;
mod variable_text;

use hdf5_pure::{File, Group};

use super::date_time::DateTime;
use super::from_file::caught;
use super::nearest::nearest_known;
use attributes::Attributes;
use values::Members;

/// More nodes, all times together, are refused: they would take 2 GB.
pub const MOST_NODES: usize = 1 << 27;

/// The surface currents of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceCurrents {
    /// Latitude and longitude of the first node in degrees.
    origin: [f64; 2],
    /// From row to row, which are northwards, and from column to column, eastwards, in degrees.
    spacing: [f64; 2],
    rows: usize,
    columns: usize,
    /// When the records hold.
    times: Vec<DateTime>,
    /// Velocity northwards and eastwards in m/s at each node, row by row, for each time; not a number
    /// where there is none.
    records: Vec<Vec<[f64; 2]>>,
}

impl SurfaceCurrents {
    /// Reads a file of no more than this many nodes, all times together. The error says what is wrong
    /// with it.
    pub fn read(bytes: Vec<u8>, most_nodes: usize) -> Result<Self, String> {
        caught("S-111 file", || read(bytes, most_nodes))
    }

    /// How many times, rows (northwards) and columns (eastwards) there are.
    pub fn shape(&self) -> [usize; 3] {
        [self.times.len(), self.rows, self.columns]
    }

    /// Latitude and longitude of a node in degrees.
    pub fn place(&self, row: usize, column: usize) -> [f64; 2] {
        [
            self.origin[0] + row as f64 * self.spacing[0],
            self.origin[1] + column as f64 * self.spacing[1],
        ]
    }

    /// Velocity northwards and eastwards at a node in m/s; `None` where there is none.
    pub fn node(&self, time: usize, row: usize, column: usize) -> Option<[f64; 2]> {
        let in_row = (column < self.columns).then_some(row * self.columns + column)?;
        let flow = self.records.get(time)?.get(in_row)?;
        (!flow[0].is_nan()).then_some(*flow)
    }

    /// When the first and the last record hold.
    pub(super) fn span(&self) -> [DateTime; 2] {
        // The reader leaves no file without records.
        [self.times[0], self.times[self.times.len() - 1]]
    }

    /// Gives every node without data that of the nearest node with data, at each time.
    pub(super) fn hold_nearest(&mut self) -> Result<(), String> {
        let middle = self.origin[0] + 0.5 * self.spacing[0] * (self.rows - 1) as f64;
        let size = [self.spacing[0], self.spacing[1] * libm::cos(middle.to_radians())];
        // Land is the same at all times, so most records have the same nearest nodes.
        let mut last: Option<(Vec<bool>, Vec<u32>)> = None;
        for (record, time) in self.records.iter_mut().zip(&self.times) {
            let known: Vec<bool> = record.iter().map(|flow| !flow[0].is_nan()).collect();
            if last.as_ref().is_none_or(|(mask, _)| *mask != known) {
                let nearest = nearest_known(&known, self.columns, size).ok_or_else(|| {
                    format!("no node has data at {time}, so there is nothing to hold")
                })?;
                last = Some((known, nearest));
            }
            if let Some((_, nearest)) = &last {
                *record = nearest.iter().map(|&cell| record[cell as usize]).collect();
            }
        }
        Ok(())
    }
}

fn read(bytes: Vec<u8>, most_nodes: usize) -> Result<SurfaceCurrents, String> {
    let file = File::from_bytes(bytes).map_err(|error| format!("it is no HDF5 file: {error}"))?;
    let (size, end) = (file.file_size(), file.superblock().eof_address);
    if end > size {
        return Err(format!("it is cut short: it has {size} of its {end} bytes"));
    }
    let root = Attributes::of("/", file.root().attrs())?;
    let datum = match root.optional("horizontalCRS") {
        Some(_) => root.whole("horizontalCRS")?,
        None => root.whole("horizontalDatumValue")?,
    };
    if datum != 4326 {
        return Err(format!("its positions are in EPSG:{datum}, and only EPSG:4326 is read"));
    }
    let feature = open_group(&file, "/SurfaceCurrent")?;
    let attributes = Attributes::of("/SurfaceCurrent", feature.attrs())?;
    check_coding(&attributes)?;
    let instances: Vec<String> = feature
        .groups()
        .map_err(|error| format!("/SurfaceCurrent: {error}"))?
        .into_iter()
        .filter(|name| name.starts_with("SurfaceCurrent."))
        .collect();
    let [instance] = instances.as_slice() else {
        return Err(format!(
            "/SurfaceCurrent has {} instances, and a file with one is expected",
            instances.len()
        ));
    };
    let path = format!("/SurfaceCurrent/{instance}");
    let group = open_group(&file, &path)?;
    let attributes = Attributes::of(&path, group.attrs())?;
    let (origin, spacing, rows, columns) = grid(&attributes)?;
    let members = Members::of(&file)?;
    let mut names: Vec<String> = group
        .groups()
        .map_err(|error| format!("{path}: {error}"))?
        .into_iter()
        .filter(|name| name.starts_with("Group_"))
        .collect();
    names.sort();
    if names.is_empty() {
        return Err(format!("{path} has no records (Group_001 and so on)"));
    }
    let nodes = rows.checked_mul(columns).and_then(|nodes| nodes.checked_mul(names.len()));
    if nodes.is_none_or(|nodes| nodes > most_nodes) {
        return Err(format!(
            "{path} has {rows} × {columns} points at {} times, and at most {most_nodes} values are \
             read",
            names.len()
        ));
    }
    let mut currents = SurfaceCurrents {
        origin,
        spacing,
        rows,
        columns,
        times: Vec::with_capacity(names.len()),
        records: Vec::with_capacity(names.len()),
    };
    for name in names {
        let path = format!("{path}/{name}");
        let record = open_group(&file, &path)?;
        let time = Attributes::of(&path, record.attrs())?.text("timePoint")?;
        let time = DateTime::read(&time).map_err(|error| format!("{path}: {error}"))?;
        if currents.times.last().is_some_and(|last| *last >= time) {
            return Err(format!("{path} is of {time}, which is not later than the record before"));
        }
        currents.times.push(time);
        currents.records.push(members.read(&file, &path, rows, columns)?);
    }
    Ok(currents)
}

fn open_group(file: &File, path: &str) -> Result<Group, String> {
    file.group(path).map_err(|error| format!("it has no group {path}: {error}"))
}

/// Refuses what is no regular grid in the usual order.
fn check_coding(attributes: &Attributes) -> Result<(), String> {
    let format = attributes.whole("dataCodingFormat")?;
    if format != 2 {
        let name = match format {
            1 => "time series at fixed stations",
            3 => "an ungeorectified grid",
            4 => "a moving platform",
            5 => "an irregular grid",
            6 => "a grid of variable cell size",
            7 => "a triangulated irregular network",
            8 => "fixed stations, stationwise",
            _ => "unknown",
        };
        return Err(format!(
            "its dataCodingFormat is {format} ({name}), and only 2 (a regular grid) is read"
        ));
    }
    if attributes.optional("sequencingRule.scanDirection").is_some() {
        let order = attributes.text("sequencingRule.scanDirection")?;
        let plain: String = order.chars().filter(|c| !c.is_whitespace()).collect();
        if !plain.eq_ignore_ascii_case("longitude,latitude") {
            return Err(format!(
                "its scan direction is \"{order}\", and only \"longitude,latitude\" is read"
            ));
        }
    }
    Ok(())
}

/// Origin, spacing, rows and columns of the grid.
fn grid(attributes: &Attributes) -> Result<([f64; 2], [f64; 2], usize, usize), String> {
    if attributes.optional("startSequence").is_some() {
        let start = attributes.text("startSequence")?;
        if start.chars().filter(|c| !c.is_whitespace()).collect::<String>() != "0,0" {
            return Err(format!("its start sequence is \"{start}\", and only \"0,0\" is read"));
        }
    }
    let rows = attributes.count("numPointsLatitudinal")?;
    let columns = attributes.count("numPointsLongitudinal")?;
    if rows < 2 || columns < 2 {
        return Err(format!(
            "its grid has {rows} × {columns} points, and at least 2 × 2 are needed"
        ));
    }
    let origin = [attributes.real("gridOriginLatitude")?, attributes.real("gridOriginLongitude")?];
    let spacing =
        [attributes.real("gridSpacingLatitudinal")?, attributes.real("gridSpacingLongitudinal")?];
    for (name, spacing) in ["Latitudinal", "Longitudinal"].iter().zip(spacing) {
        if spacing.is_nan() || spacing <= 0.0 {
            return Err(format!("gridSpacing{name} is {spacing}, and must be above zero"));
        }
    }
    let end = origin[0] + spacing[0] * (rows - 1) as f64;
    let width = spacing[1] * (columns - 1) as f64;
    let on_earth = origin[0] >= -90.0 && end <= 90.0 && origin[1].abs() <= 360.0 && width <= 360.0;
    if !on_earth {
        return Err(format!(
            "its grid is not on the Earth: from {}° to {end}° north, from {}° to {}° east",
            origin[0],
            origin[1],
            origin[1] + width
        ));
    }
    Ok((origin, spacing, rows, columns))
}
