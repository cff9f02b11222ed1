//! A CSV file, line by line.

use std::io::{BufRead, BufReader, Read};

use csv::StringRecord;
use ironbird_kernel::path;

use crate::data_lines::DataLines;
use crate::error::{CellPlace, TableError};

/// The header of a file and its lines, one after the other.
pub struct Rows<R: Read> {
    reader: csv::Reader<DataLines<BufReader<R>>>,
    header: Vec<String>,
    header_line: u64,
    record: StringRecord,
    line: u64,
}

impl<R: Read> Rows<R> {
    /// Reads the header.
    pub fn new(input: R) -> Result<Self, TableError> {
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .flexible(true)
            .from_reader(DataLines::new(BufReader::new(input)));
        let header = match reader.headers() {
            Ok(header) => header.clone(),
            Err(error) => return Err(unreadable(error, reader.get_ref())),
        };
        let header_line = line(header.position(), reader.get_ref());
        let header = header.iter().map(str::to_owned).collect();
        Ok(Rows { reader, header, header_line, record: StringRecord::new(), line: header_line })
    }

    /// The names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The line of the header.
    pub fn header_line(&self) -> u64 {
        self.header_line
    }

    /// The names of the columns.
    pub fn into_header(self) -> Vec<String> {
        self.header
    }

    /// Where a column stands, counted from 0.
    pub fn find(&self, column: &str) -> Result<usize, TableError> {
        self.find_optional(column)?.ok_or_else(|| TableError::NoSuchColumn {
            line: self.header_line,
            column: column.to_owned(),
            nearest: path::nearest(column, self.header.iter().map(String::as_str))
                .map(str::to_owned),
            header: self.header.clone(),
        })
    }

    /// Where a column stands, if there is one.
    pub fn find_optional(&self, column: &str) -> Result<Option<usize>, TableError> {
        let mut places = (0..self.header.len()).filter(|place| self.header[*place] == column);
        match (places.next(), places.next()) {
            (Some(first), Some(second)) => Err(TableError::TwoColumns {
                line: self.header_line,
                column: column.to_owned(),
                places: [first + 1, second + 1],
            }),
            (first, _) => Ok(first),
        }
    }

    /// Goes to the next line; false at the end.
    pub fn advance(&mut self) -> Result<bool, TableError> {
        match self.reader.read_record(&mut self.record) {
            Ok(false) => return Ok(false),
            Ok(true) => {}
            Err(error) => return Err(unreadable(error, self.reader.get_ref())),
        }
        self.line = line(self.record.position(), self.reader.get_ref());
        let (found, expected) = (self.record.len(), self.header.len());
        if found != expected {
            return Err(TableError::Cells { line: self.line, found, expected });
        }
        Ok(true)
    }

    /// The line of the file.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// What stands in a column of it.
    pub fn cell(&self, place: usize) -> &str {
        self.record.get(place).unwrap_or_default()
    }

    /// What stands in a column of it, as a finite number.
    pub fn number(&self, place: usize) -> Result<f64, TableError> {
        let text = self.cell(place);
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| TableError::NotANumber { at: self.at(place), text: text.to_owned() })
    }

    /// Where that is.
    pub fn at(&self, place: usize) -> CellPlace {
        let name = self.header[place].clone();
        CellPlace { line: self.line, column: place + 1, name }
    }
}

fn line<R: BufRead>(position: Option<&csv::Position>, lines: &DataLines<R>) -> u64 {
    position.map_or(1, |position| lines.line_of(position.line()))
}

fn unreadable<R: BufRead>(error: csv::Error, lines: &DataLines<R>) -> TableError {
    let line = line(error.position(), lines);
    match error.into_kind() {
        csv::ErrorKind::Io(error) => TableError::Io(error),
        csv::ErrorKind::Utf8 { .. } => TableError::NotText { line },
        // Others are of writing, and of structures that are not read here.
        other => TableError::Io(std::io::Error::other(format!("{other:?}"))),
    }
}
