//! The values of a record, as their members are described in Group_F.

use hdf5_pure::{Dataset, Datatype, DatatypeByteOrder, File};

use super::variable_text::variable_text;

/// The names of the members in `values` and in Group_F.
const SPEED: &str = "surfaceCurrentSpeed";
const DIRECTION: &str = "surfaceCurrentDirection";

/// Metres per second of a knot: 1852 m in an hour.
const KNOT: f64 = 1852.0 / 3600.0;

/// What Group_F says of the members.
pub(super) struct Members {
    /// Metres per second of one unit of speed.
    unit: f64,
    /// What stands for no speed and no direction.
    fill: [f64; 2],
}

impl Members {
    /// Reads `/Group_F/SurfaceCurrent`.
    pub fn of(file: &File) -> Result<Self, String> {
        let path = "/Group_F/SurfaceCurrent";
        let dataset =
            file.dataset(path).map_err(|error| format!("it has no dataset {path}: {error}"))?;
        let table = Table::read(file, &dataset, path, 64)?;
        let find = |member: &str| {
            (0..table.count)
                .find(|&row| table.text(row, "code").is_ok_and(|code| code == member))
                .ok_or_else(|| format!("{path} does not describe {member}"))
        };
        let (speed, direction) = (find(SPEED)?, find(DIRECTION)?);
        let unit_name = table.text(speed, "uom.name")?;
        let unit = match unit_name.to_ascii_lowercase().as_str() {
            "knot" | "knots" | "kn" | "kt" => KNOT,
            "m/s" | "ms-1" | "m s-1" | "metre per second" | "metres per second"
            | "meters per second" => 1.0,
            _ => return Err(format!("its speeds are in \"{unit_name}\", not in knots or m/s")),
        };
        let angle = table.text(direction, "uom.name")?;
        if !angle.to_ascii_lowercase().contains("degree") {
            return Err(format!("its directions are in \"{angle}\", not in degrees"));
        }
        // Editions differ in whether they state it; S-111 fixes it to -9999.
        let fill = |row| match table.text(row, "fillValue") {
            Ok(text) => text
                .parse()
                .map_err(|_| format!("{path} has the fill value \"{text}\", which is no number")),
            Err(_) => Ok(-9999.0),
        };
        Ok(Members { unit, fill: [fill(speed)?, fill(direction)?] })
    }

    /// Velocities northwards and eastwards in m/s of `values` in the group `path`.
    pub fn read(
        &self,
        file: &File,
        path: &str,
        rows: usize,
        columns: usize,
    ) -> Result<Vec<[f64; 2]>, String> {
        let path = format!("{path}/values");
        let dataset =
            file.dataset(&path).map_err(|error| format!("it has no dataset {path}: {error}"))?;
        let shape = dataset.shape().map_err(|error| format!("{path}: {error}"))?;
        if shape != [rows as u64, columns as u64] {
            return Err(format!(
                "{path} has the shape {shape:?}, and its grid has {rows} rows and {columns} columns"
            ));
        }
        let table = Table::read(file, &dataset, &path, rows * columns)?;
        let (speed, direction) = (table.numbers(SPEED)?, table.numbers(DIRECTION)?);
        let mut flows = Vec::with_capacity(rows * columns);
        for cell in 0..table.count {
            let (speed, direction) = (speed.at(&table, cell), direction.at(&table, cell));
            let filled = speed == self.fill[0] || direction == self.fill[1];
            if filled || !speed.is_finite() || !direction.is_finite() {
                flows.push([f64::NAN; 2]);
                continue;
            }
            if speed < 0.0 {
                let (row, column) = (cell / columns, cell % columns);
                return Err(format!(
                    "{path} has the speed {speed} in row {row} and column {column}, and a speed is \
                     not negative"
                ));
            }
            let (sine, cosine) = libm::sincos(direction.to_radians());
            flows.push([self.unit * speed * cosine, self.unit * speed * sine]);
        }
        Ok(flows)
    }
}

/// A dataset of records with members.
struct Table<'a> {
    file: &'a File,
    path: String,
    members: Vec<hdf5_pure::CompoundMember>,
    size: usize,
    count: usize,
    bytes: Vec<u8>,
}

impl<'a> Table<'a> {
    /// Reads a dataset of at most `most` elements.
    fn read(file: &'a File, dataset: &Dataset, path: &str, most: usize) -> Result<Self, String> {
        let blame = |error: hdf5_pure::Error| format!("{path}: {error}");
        let Datatype::Compound { size, members } = dataset.datatype().map_err(blame)? else {
            return Err(format!("{path} is not a table of records with members"));
        };
        let size = size as usize;
        let shape = dataset.shape().map_err(blame)?;
        let elements = |extents: &[u64]| {
            let product = extents.iter().try_fold(1u64, |all, &extent| all.checked_mul(extent));
            product.filter(|&product| product <= most as u64).map(|product| product as usize)
        };
        let count = elements(&shape).ok_or_else(|| {
            format!("{path} has the shape {shape:?}, which is more than expected")
        })?;
        // Chunks may be larger than what they hold, but not so large that they fill the memory.
        if let Some(chunk) = dataset.chunk_shape().map_err(blame)? {
            let product =
                chunk.iter().try_fold(size as u64, |all, &extent| all.checked_mul(extent));
            if product.is_none_or(|bytes| bytes > 64 * (most * size) as u64 + (1 << 20)) {
                return Err(format!("{path} has chunks of the shape {chunk:?}"));
            }
        }
        let bytes = dataset.read_raw().map_err(blame)?;
        if size == 0 || Some(bytes.len()) != count.checked_mul(size) {
            return Err(format!("{path} has {} bytes for {count} records of {size}", bytes.len()));
        }
        Ok(Table { file, path: path.into(), members, size, count, bytes })
    }

    fn member(&self, name: &str) -> Result<&hdf5_pure::CompoundMember, String> {
        let found = self.members.iter().find(|member| member.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.members.iter().map(|member| member.name.as_str()).collect();
            format!("{} has no member {name}; it has {}", self.path, names.join(", "))
        })
    }

    /// A member that is a real number.
    fn numbers(&self, name: &str) -> Result<Column, String> {
        let member = self.member(name)?;
        let wrong = || format!("the member {name} of {} is no real number", self.path);
        let Datatype::FloatingPoint { size, byte_order, .. } = &member.datatype else {
            return Err(wrong());
        };
        let (size, offset) = (*size as usize, member.byte_offset as usize);
        let big = match byte_order {
            DatatypeByteOrder::LittleEndian => false,
            DatatypeByteOrder::BigEndian => true,
            _ => return Err(wrong()),
        };
        let fits = offset.checked_add(size).is_some_and(|end| end <= self.size);
        if !(fits && (size == 4 || size == 8)) {
            return Err(wrong());
        }
        Ok(Column { offset, size, big })
    }

    /// A member of a record that is a text.
    fn text(&self, row: usize, name: &str) -> Result<String, String> {
        let member = self.member(name)?;
        let wrong = || format!("the member {name} of {} is no text", self.path);
        let start = (row * self.size)
            .checked_add(usize::try_from(member.byte_offset).map_err(|_| wrong())?)
            .ok_or_else(wrong)?;
        let end = (row + 1) * self.size;
        let bytes = match &member.datatype {
            Datatype::String { size, .. } => {
                let stop = start.checked_add(*size as usize).filter(|&stop| stop <= end);
                self.bytes.get(start..stop.ok_or_else(wrong)?).ok_or_else(wrong)?
            }
            Datatype::VariableLength { is_string: true, .. } => {
                let reference = self.bytes.get(start..end).ok_or_else(wrong)?;
                variable_text(self.file.as_bytes(), reference).ok_or_else(wrong)?
            }
            _ => return Err(wrong()),
        };
        let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
        Ok(String::from_utf8_lossy(text).trim().into())
    }
}

/// Where in a record a number lies.
struct Column {
    offset: usize,
    size: usize,
    big: bool,
}

impl Column {
    fn at(&self, table: &Table<'_>, cell: usize) -> f64 {
        let start = cell * table.size + self.offset;
        let mut bytes = [0; 8];
        let bytes = &mut bytes[..self.size];
        bytes.copy_from_slice(&table.bytes[start..start + self.size]);
        if self.big {
            bytes.reverse();
        }
        match *bytes {
            [a, b, c, d] => f64::from(f32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => f64::NAN,
        }
    }
}
