//! A table as Parquet, wide or long.
//!
//! Both layouts start with `time_ps`, which is exact, and `time_s`. Parquet has no place for the unit of
//! a column, so units stand in the metadata of the file: `unit:room.temperature` = `degC`.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::{Column, Gaps, Table};
use crate::error::RecordError;
use crate::reader::Recording;

/// How numbers are laid out in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A column for every number.
    Wide,
    /// A row for every number: `time_ps`, `time_s`, `name`, `value`.
    Long,
}

/// Rows that are kept in memory before they are written.
const ROW_GROUP: usize = 1 << 16;

/// Writes the channels called `names` (all, if there are none) to `output`; `file` is what errors call
/// it.
pub fn write_parquet(
    recording: &Recording,
    names: &[&str],
    gaps: Gaps,
    layout: Layout,
    output: impl Write + Send,
    file: &str,
) -> Result<(), RecordError> {
    let table = Table::new(recording, names, gaps)?;
    write(table, layout, output)
        .map_err(|error| RecordError::Export { file: file.to_owned(), cause: error.to_string() })
}

fn write(mut table: Table, layout: Layout, output: impl Write + Send) -> Result<(), ParquetError> {
    let units = table.columns.iter().filter(|column| !column.unit.is_empty());
    let units = units.map(|c| KeyValue::new(format!("unit:{}", c.name), c.unit.clone()));
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by("ironbird".into())
        .set_key_value_metadata(Some(units.collect()))
        .build();
    let schema = schema(&table.columns, layout)?;
    let mut writer = SerializedFileWriter::new(output, schema, Arc::new(properties))?;
    let mut row = Vec::new();
    let mut group = Group::new(layout, table.columns.len());
    while let Some(time) = table.next_row(&mut row) {
        group.push(time.as_ps(), &row, &table.columns);
        if group.times.len() >= ROW_GROUP {
            group.write(writer.next_row_group()?)?;
        }
    }
    if !group.times.is_empty() {
        group.write(writer.next_row_group()?)?;
    }
    writer.close().map(drop)
}

fn schema(columns: &[Column], layout: Layout) -> Result<Arc<Type>, ParquetError> {
    let number = |name: &str, repetition| {
        Type::primitive_type_builder(name, Physical::DOUBLE).with_repetition(repetition).build()
    };
    let time_ps = Type::primitive_type_builder("time_ps", Physical::INT64)
        .with_repetition(Repetition::REQUIRED)
        .with_converted_type(ConvertedType::UINT_64)
        .build()?;
    let mut fields = vec![time_ps, number("time_s", Repetition::REQUIRED)?];
    match layout {
        Layout::Wide => {
            for column in columns {
                fields.push(number(&column.name, Repetition::OPTIONAL)?);
            }
        }
        Layout::Long => {
            let name = Type::primitive_type_builder("name", Physical::BYTE_ARRAY)
                .with_repetition(Repetition::REQUIRED)
                .with_logical_type(Some(LogicalType::String))
                .build()?;
            fields.extend([name, number("value", Repetition::REQUIRED)?]);
        }
    }
    let fields = fields.into_iter().map(Arc::new).collect();
    Ok(Arc::new(Type::group_type_builder("recording").with_fields(fields).build()?))
}

/// Rows, column by column.
struct Group {
    layout: Layout,
    times: Vec<u64>,
    /// Wide: by column, what is there and the numbers that are. Long: one column, all there.
    present: Vec<Vec<i16>>,
    numbers: Vec<Vec<f64>>,
    names: Vec<ByteArray>,
}

impl Group {
    fn new(layout: Layout, columns: usize) -> Self {
        let columns = if layout == Layout::Wide { columns } else { 1 };
        Group {
            layout,
            times: Vec::new(),
            present: vec![Vec::new(); columns],
            numbers: vec![Vec::new(); columns],
            names: Vec::new(),
        }
    }

    fn push(&mut self, time: u64, row: &[Option<f64>], columns: &[Column]) {
        match self.layout {
            Layout::Wide => {
                self.times.push(time);
                for (place, cell) in row.iter().enumerate() {
                    self.present[place].push(i16::from(cell.is_some()));
                    self.numbers[place].extend(cell);
                }
            }
            Layout::Long => {
                for (cell, column) in row.iter().zip(columns) {
                    let Some(number) = cell else { continue };
                    self.times.push(time);
                    self.names.push(ByteArray::from(column.name.as_str()));
                    self.numbers[0].push(*number);
                }
            }
        }
    }

    /// Writes the rows and forgets them.
    fn write<W: Write + Send>(
        &mut self,
        mut rows: SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        let missing = || ParquetError::General("the schema has too few columns".into());
        // Parquet's unsigned numbers travel in signed ones.
        let ps: Vec<i64> = self.times.iter().map(|ps| *ps as i64).collect();
        let mut column = rows.next_column()?.ok_or_else(missing)?;
        column.typed::<Int64Type>().write_batch(&ps, None, None)?;
        column.close()?;
        let seconds: Vec<f64> = self.times.iter().map(|ps| *ps as f64 / 1e12).collect();
        let mut column = rows.next_column()?.ok_or_else(missing)?;
        column.typed::<DoubleType>().write_batch(&seconds, None, None)?;
        column.close()?;
        if self.layout == Layout::Long {
            let mut column = rows.next_column()?.ok_or_else(missing)?;
            column.typed::<ByteArrayType>().write_batch(&self.names, None, None)?;
            column.close()?;
        }
        for (numbers, present) in self.numbers.iter().zip(&self.present) {
            let mut column = rows.next_column()?.ok_or_else(missing)?;
            let levels = (self.layout == Layout::Wide).then_some(present.as_slice());
            column.typed::<DoubleType>().write_batch(numbers, levels, None)?;
            column.close()?;
        }
        rows.close()?;
        *self = Group::new(self.layout, self.numbers.len());
        Ok(())
    }
}
