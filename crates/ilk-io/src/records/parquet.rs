//! Parquet, through the column readers of the `parquet` crate: a batch of rows at a time, and only
//! the columns that are asked for.

use std::fs::File;
use std::path::{Path, PathBuf};

use parquet::basic::{ConvertedType, LogicalType};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type,
    Int64Type, Int96Type,
};
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};

use super::guard::guarded;
use super::parquet_cell::{Cell, Meaning, Value};
use super::{Records, Row};
use crate::error::Position;
use crate::{Error, Result, source};

const ROWS_AT_ONCE: usize = 4096;

/// A Parquet file. Columns of lists are named, but their cells only say so.
pub(crate) struct ParquetRecords {
    path: PathBuf,
    file: SerializedFileReader<File>,
    header: Vec<String>,
    wanted: Vec<Wanted>,
    next_group: usize,
    columns: Vec<Option<Column>>,
    in_batch: usize,
    next_in_batch: usize,
    row: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Text,
    Number,
    Nothing,
}

impl ParquetRecords {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = source::open_file(path)?;
        let file = guarded(path, || SerializedFileReader::new(file))?;
        refuse_negative_ranges(path, &file)?;
        let header: Vec<String> =
            schema_columns(&file).iter().map(|column| column.path().parts().join(".")).collect();
        Ok(Self {
            path: path.to_owned(),
            file,
            wanted: vec![Wanted::Text; header.len()],
            header,
            next_group: 0,
            columns: Vec::new(),
            in_batch: 0,
            next_in_batch: 0,
            row: 0,
        })
    }

    /// Brings in the next batch of rows; false at the end of the file.
    fn next_batch(&mut self) -> ParquetResult<bool> {
        loop {
            let mut in_batch = None;
            for column in self.columns.iter_mut().flatten() {
                let read = column.refill()?;
                if *in_batch.get_or_insert(read) != read {
                    let message = "its columns have different lengths".to_owned();
                    return Err(parquet::errors::ParquetError::General(message));
                }
            }
            self.in_batch = in_batch.unwrap_or(0);
            self.next_in_batch = 0;
            if self.in_batch > 0 {
                return Ok(true);
            }
            if self.next_group == self.file.num_row_groups() {
                return Ok(false);
            }
            let group = self.file.get_row_group(self.next_group)?;
            self.next_group += 1;
            self.columns = schema_columns(&self.file)
                .iter()
                .zip(&self.wanted)
                .enumerate()
                .map(|(i, (descr, &wanted))| {
                    if wanted == Wanted::Nothing || descr.max_rep_level() > 0 {
                        return Ok(None);
                    }
                    Ok(Some(Column::new(descr, group.get_column_reader(i)?)))
                })
                .collect::<ParquetResult<_>>()?;
        }
    }
}

impl Records for ParquetRecords {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn select(&mut self, text: &[usize], numbers: &[usize]) {
        self.wanted.fill(Wanted::Nothing);
        for &column in numbers {
            self.wanted[column] = Wanted::Number;
        }
        for &column in text {
            self.wanted[column] = Wanted::Text;
        }
    }

    fn read(&mut self, row: &mut Row) -> Result<bool> {
        if self.next_in_batch == self.in_batch {
            let path = self.path.clone();
            if !guarded(&path, || self.next_batch())? {
                return Ok(false);
            }
        }
        row.position = Position::Row(self.row);
        row.cells.clear();
        row.numbers.clear();
        for (column, &wanted) in self.columns.iter_mut().zip(&self.wanted) {
            let cell = match column {
                Some(column) => column.next_cell(self.next_in_batch),
                None if wanted == Wanted::Nothing => Cell::Empty,
                None => Cell::Text("a list".to_owned()),
            };
            let number = cell.number();
            row.numbers.push(number);
            if wanted == Wanted::Number && number.is_finite() {
                row.cells.push_field("");
            } else {
                row.cells.push_field(&cell.into_text());
            }
        }
        self.next_in_batch += 1;
        self.row += 1;
        Ok(true)
    }
}

fn schema_columns(file: &SerializedFileReader<File>) -> &[ColumnDescPtr] {
    file.metadata().file_metadata().schema_descr().columns()
}

/// The commonest panic of the reader, found before it happens.
fn refuse_negative_ranges(path: &Path, file: &SerializedFileReader<File>) -> Result<()> {
    let groups = file.metadata().row_groups();
    let is_negative = groups.iter().flat_map(RowGroupMetaData::columns).any(|chunk| {
        let start = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
        start < 0 || chunk.compressed_size() < 0
    });
    if is_negative {
        let reason = "a column begins before the file";
        return Err(Error::unreadable(path, "Parquet", &reason));
    }
    Ok(())
}

/// A column of the current row group, and its part of the current batch.
struct Column {
    meaning: Meaning,
    values: Box<dyn Values>,
    max_level: i16,
    levels: Vec<i16>,
    next_value: usize,
}

impl Column {
    fn new(descr: &ColumnDescriptor, reader: ColumnReader) -> Self {
        let values: Box<dyn Values> = match reader {
            ColumnReader::BoolColumnReader(reader) => Batch::<BoolType>::boxed(reader),
            ColumnReader::Int32ColumnReader(reader) => Batch::<Int32Type>::boxed(reader),
            ColumnReader::Int64ColumnReader(reader) => Batch::<Int64Type>::boxed(reader),
            ColumnReader::Int96ColumnReader(reader) => Batch::<Int96Type>::boxed(reader),
            ColumnReader::FloatColumnReader(reader) => Batch::<FloatType>::boxed(reader),
            ColumnReader::DoubleColumnReader(reader) => Batch::<DoubleType>::boxed(reader),
            ColumnReader::ByteArrayColumnReader(reader) => Batch::<ByteArrayType>::boxed(reader),
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                Batch::<FixedLenByteArrayType>::boxed(reader)
            }
        };
        Self {
            meaning: meaning(descr),
            values,
            max_level: descr.max_def_level(),
            levels: Vec::new(),
            next_value: 0,
        }
    }

    fn refill(&mut self) -> ParquetResult<usize> {
        self.levels.clear();
        self.next_value = 0;
        self.values.refill(&mut self.levels)
    }

    /// The cell of a row of the batch; rows are asked for in order. Only values that are not null
    /// are stored.
    fn next_cell(&mut self, row: usize) -> Cell {
        let is_null = self.max_level > 0 && self.levels.get(row) != Some(&self.max_level);
        if is_null {
            return Cell::Empty;
        }
        let cell = self.values.cell(self.next_value, self.meaning);
        self.next_value += 1;
        cell
    }
}

/// What the numbers of a column stand for.
fn meaning(descr: &ColumnDescriptor) -> Meaning {
    match descr.logical_type_ref() {
        Some(LogicalType::Date | LogicalType::Time(_) | LogicalType::Timestamp(_)) => {
            return Meaning::Time;
        }
        Some(LogicalType::Decimal(decimal)) => return Meaning::Decimal(decimal.scale),
        _ => {}
    }
    match descr.converted_type() {
        ConvertedType::UINT_8
        | ConvertedType::UINT_16
        | ConvertedType::UINT_32
        | ConvertedType::UINT_64 => Meaning::Unsigned,
        ConvertedType::DATE
        | ConvertedType::TIME_MILLIS
        | ConvertedType::TIME_MICROS
        | ConvertedType::TIMESTAMP_MILLIS
        | ConvertedType::TIMESTAMP_MICROS => Meaning::Time,
        ConvertedType::DECIMAL => Meaning::Decimal(descr.type_scale()),
        _ => Meaning::Plain,
    }
}

/// The values of a column in the current batch, whatever their type.
trait Values {
    fn refill(&mut self, levels: &mut Vec<i16>) -> ParquetResult<usize>;
    fn cell(&self, index: usize, meaning: Meaning) -> Cell;
}

struct Batch<T: DataType> {
    reader: ColumnReaderImpl<T>,
    values: Vec<T::T>,
}

impl<T: DataType> Batch<T>
where
    T::T: Value,
{
    fn boxed(reader: ColumnReaderImpl<T>) -> Box<dyn Values> {
        Box::new(Self { reader, values: Vec::new() })
    }
}

impl<T: DataType> Values for Batch<T>
where
    T::T: Value,
{
    fn refill(&mut self, levels: &mut Vec<i16>) -> ParquetResult<usize> {
        self.values.clear();
        let (rows, _, _) =
            self.reader.read_records(ROWS_AT_ONCE, Some(levels), None, &mut self.values)?;
        Ok(rows)
    }

    fn cell(&self, index: usize, meaning: Meaning) -> Cell {
        self.values.get(index).map_or(Cell::Empty, |value| value.cell(meaning))
    }
}
