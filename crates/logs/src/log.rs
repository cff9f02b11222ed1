//! A log of any kind.

use std::io::Read;
use std::path::{Path, PathBuf};

use ironbird_kernel::{Time, path::nearest};
use ironbird_tables::log::{ColumnMap, LogStart, Series, TimeUnit, read_csv_rounded};

use crate::error::LogError;
use crate::records::Records;
use crate::ulog::Found;
use crate::{dataflash, ulog};

/// A compressed file may not become larger than this.
const LARGEST: u64 = 2 << 30;
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Kinds of logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Format {
    Csv,
    ULog,
    DataFlash,
}

impl Format {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "CSV",
            Format::ULog => "ULog",
            Format::DataFlash => "DataFlash",
        }
    }
}

/// Where the times of a CSV file are; in other logs every message has its own.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeColumn {
    /// The column.
    pub column: String,
    /// Its unit.
    pub unit: TimeUnit,
}

impl Default for TimeColumn {
    /// Seconds in `time_s`, as Ironbird itself writes them.
    fn default() -> Self {
        TimeColumn { column: "time_s".into(), unit: TimeUnit::Seconds }
    }
}

/// A column that a log has.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its unit as the file names it; empty where it does not.
    pub unit: String,
    /// How many numbers it has; not known of CSV files before they are read.
    pub samples: Option<usize>,
}

/// A log that was opened.
#[derive(Debug)]
pub struct Log {
    file: PathBuf,
    format: Format,
    bytes: Vec<u8>,
    records: Vec<Records>,
    damage: Option<String>,
}

impl Log {
    /// Opens a file. What it is shows in its first bytes: all that is neither ULog nor DataFlash is CSV,
    /// unless its name ends as theirs do.
    pub fn open(file: &Path) -> Result<Log, LogError> {
        let io = |cause| LogError::Io { file: file.into(), cause };
        Log::from_bytes(file, ironbird_files::read(file, LARGEST).map_err(io)?)
    }

    /// The same from bytes; `file` is what messages call it.
    pub fn from_bytes(file: &Path, bytes: Vec<u8>) -> Result<Log, LogError> {
        let bytes = match bytes.starts_with(&GZIP) {
            true => unpacked(file, &bytes)?,
            false => bytes,
        };
        let wrong = |(byte, what)| LogError::Contents { file: file.into(), byte, what };
        let (format, Found { records, damage }) = if bytes.starts_with(&ulog::MAGIC) {
            (Format::ULog, ulog::read(&bytes).map_err(wrong)?)
        } else if bytes.starts_with(&dataflash::MAGIC) {
            (Format::DataFlash, dataflash::read(&bytes))
        } else if let Some(what) = promised(file) {
            return Err(wrong((0, what)));
        } else {
            (Format::Csv, Found::default())
        };
        Ok(Log { file: file.into(), format, bytes, records, damage })
    }

    /// What kind of log it is.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// What of the file could not be read, if anything.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// The columns it has.
    pub fn columns(&self) -> Result<Vec<Column>, LogError> {
        if self.format == Format::Csv {
            let names = ironbird_tables::log::header(&self.bytes[..]);
            let names = names.map_err(|error| self.table(error))?;
            if let [name] = &names[..]
                && name.contains(';')
            {
                return Err(LogError::Semicolons { file: self.file.clone() });
            }
            let column = |name| Column { name, unit: String::new(), samples: None };
            return Ok(names.into_iter().map(column).collect());
        }
        let all = self.records.iter().flat_map(|records| {
            records.fields.iter().map(|field| Column {
                name: format!("{}.{}", records.name, field.name),
                unit: field.unit.clone(),
                samples: Some(records.rows.len()),
            })
        });
        Ok(all.collect())
    }

    /// The unit that the file names for a column; empty where it does not.
    pub fn unit(&self, column: &str) -> &str {
        self.find(column).map_or("", |(records, field)| records.fields[field].unit.as_str())
    }

    /// Reads columns. `time` is the time of a CSV file; others have their own and do not need it. Times
    /// count from zero of the log's clock unless they `start` with its first line.
    pub fn series(
        &self,
        columns: &[&str],
        time: Option<&TimeColumn>,
        start: LogStart,
    ) -> Result<Vec<Series>, LogError> {
        if self.format == Format::Csv {
            let time = time.cloned().unwrap_or_default();
            let map = ColumnMap {
                time_column: time.column,
                time_unit: time.unit,
                start,
                columns: columns.iter().map(|&c| (c.to_owned(), c.to_owned())).collect(),
            };
            return read_csv_rounded(&self.bytes[..], &map).map_err(|error| self.table(error));
        }
        let mut all = Vec::new();
        for &column in columns {
            let (records, field) = self.find(column).ok_or_else(|| self.no_such(column))?;
            let samples = records.samples(&self.file, &self.bytes, &records.fields[field])?;
            all.push(Series { name: column.to_owned(), samples });
        }
        if start == LogStart::FirstLine {
            let firsts = all.iter().filter_map(|series| series.samples.first());
            let first = firsts.map(|(time, _)| *time).min().unwrap_or(Time::ZERO);
            for (time, _) in all.iter_mut().flat_map(|series| &mut series.samples) {
                *time = Time::ZERO + time.since(first);
            }
        }
        Ok(all)
    }

    /// A column by its name, of which `[0]` after the message may be left out.
    fn find(&self, column: &str) -> Option<(&Records, usize)> {
        let found = |column: &str| {
            self.records.iter().find_map(|records| {
                let field = column.strip_prefix(records.name.as_str())?.strip_prefix('.')?;
                let place = records.fields.iter().position(|other| other.name == field)?;
                Some((records, place))
            })
        };
        found(column).or_else(|| {
            let (message, field) = column.split_once('.')?;
            found(&format!("{message}[0].{field}"))
        })
    }

    fn no_such(&self, column: &str) -> LogError {
        let all = self.columns().unwrap_or_default();
        let near = nearest(column, all.iter().map(|column| column.name.as_str()));
        let (file, column) = (self.file.clone(), column.to_owned());
        LogError::NoSuchColumn { file, column, nearest: near.map(str::to_owned) }
    }

    fn table(&self, error: ironbird_tables::TableError) -> LogError {
        LogError::Table { file: self.file.clone(), error }
    }
}

/// What is wrong with a file that is named as a binary log and begins like none.
fn promised(file: &Path) -> Option<String> {
    let name = file.file_name()?.to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let (format, magic): (_, &[u8]) = match name.rsplit_once('.')?.1 {
        "ulg" => (Format::ULog, &ulog::MAGIC),
        "bin" => (Format::DataFlash, &dataflash::MAGIC),
        _ => return None,
    };
    let magic: Vec<String> = magic.iter().map(|byte| format!("{byte:02x}")).collect();
    let (format, magic) = (format.name(), magic.join(" "));
    Some(format!("it is no {format} log: one begins with the bytes {magic}"))
}

/// What a file of gzip holds.
fn unpacked(file: &Path, bytes: &[u8]) -> Result<Vec<u8>, LogError> {
    let mut all = Vec::new();
    let read = flate2::read::MultiGzDecoder::new(bytes).take(LARGEST + 1).read_to_end(&mut all);
    if let Err(cause) = read {
        let what = format!("it cannot be unpacked: {cause}");
        return Err(LogError::Contents { file: file.into(), byte: bytes.len(), what });
    }
    if all.len() as u64 > LARGEST {
        return Err(LogError::TooLarge { file: file.into(), most: LARGEST });
    }
    Ok(all)
}
