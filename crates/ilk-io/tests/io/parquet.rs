use std::sync::Arc;

use ilk::problem::Constraints;
use ilk_io::{Context, PartitionOptions, TableOptions, read_pairs, read_partition, read_table};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray,
    FixedLenByteArrayType, FloatType, Int32Type, Int64Type,
};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use crate::{Folder, features};

type Group<'a> = SerializedRowGroupWriter<'a, Vec<u8>>;

/// A file with one row group a closure.
fn file(schema: &str, compression: Compression, groups: &[&dyn Fn(&mut Group<'_>)]) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    for fill in groups {
        let mut group = writer.next_row_group().unwrap();
        fill(&mut group);
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

/// The next column of a row group; levels where some values are null (0) or not (1).
fn column<T: DataType>(group: &mut Group<'_>, values: &[T::T], levels: Option<&[i16]>) {
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<T>().write_batch(values, levels, None).unwrap();
    column.close().unwrap();
}

fn texts(texts: &[&str]) -> Vec<ByteArray> {
    texts.iter().map(|&text| text.into()).collect()
}

const POINTS: &str =
    "message m { required binary id (UTF8); required double x; required int32 n; }";

/// A small sound file.
pub(crate) fn sound() -> Vec<u8> {
    file(
        POINTS,
        Compression::SNAPPY,
        &[&|group| {
            column::<ByteArrayType>(group, &texts(&["a", "b"]), None);
            column::<DoubleType>(group, &[0.5, 1.5], None);
            column::<Int32Type>(group, &[3, -4], None);
        }],
    )
}

#[test]
fn text_is_the_id_and_numbers_are_the_points() {
    let table = Folder::new().table("data.parquet", sound()).unwrap();
    assert_eq!(table.ids, ["a", "b"]);
    assert_eq!(table.feature_names, ["x", "n"]);
    assert_eq!(table.points.as_slice(), [0.5, 3.0, 1.5, -4.0]);
    assert!(table.is_named);
}

#[test]
fn every_compression_and_several_row_groups_are_read() {
    let kinds = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::ZSTD(ZstdLevel::default()),
        Compression::LZ4_RAW,
        Compression::GZIP(parquet::basic::GzipLevel::default()),
    ];
    let rows = 10_000;
    let half = |group: &mut Group<'_>| {
        let values: Vec<f64> = (0..rows).map(f64::from).collect();
        column::<DoubleType>(group, &values, None);
    };
    let schema = "message m { required double x; }";
    for kind in kinds {
        let bytes = file(schema, kind, &[&half, &half]);
        let table = Folder::new().table("data.parquet", bytes).unwrap();
        let expected: Vec<f64> = (0..rows).chain(0..rows).map(f64::from).collect();
        assert_eq!(table.points.as_slice(), expected, "{kind:?}");
        assert_eq!(table.ids.last().unwrap(), "19999");
    }
}

#[test]
fn numbers_of_every_type_are_coordinates() {
    let schema = "message m {
        required boolean flag;
        required int32 small (INTEGER(16, true));
        required int32 unsigned (INTEGER(32, false));
        required int64 big (INTEGER(64, false));
        required float f;
        required int32 cents (DECIMAL(5, 2));
        required fixed_len_byte_array(3) wide (DECIMAL(6, 1));
    }";
    let bytes = file(
        schema,
        Compression::UNCOMPRESSED,
        &[&|group| {
            column::<BoolType>(group, &[true], None);
            column::<Int32Type>(group, &[-5], None);
            column::<Int32Type>(group, &[-1], None);
            column::<Int64Type>(group, &[-1], None);
            column::<FloatType>(group, &[0.1], None);
            column::<Int32Type>(group, &[-1234], None);
            let negative: FixedLenByteArray = vec![0xff, 0xff, 0xf6].into();
            column::<FixedLenByteArrayType>(group, &[negative], None);
        }],
    );
    let table = Folder::new().table("data.parquet", bytes).unwrap();
    let expected =
        [1.0, -5.0, f64::from(u32::MAX), u64::MAX as f64, f64::from(0.1f32), -12.34, -1.0];
    assert_eq!(table.points.row(0), expected);
}

#[test]
fn kept_columns_are_text() {
    let folder = Folder::new();
    let options = TableOptions { keep: true, ..features(&["x"]) };
    let path = folder.file("data.parquet", sound());
    let columns = read_table(path, &options).unwrap().columns.unwrap();
    let row: Vec<&str> = (0..3).filter_map(|c| columns.cell(1, c)).collect();
    assert_eq!(row, ["b", "1.5", "-4"]);
}

#[test]
fn each_fault_of_a_column_file_has_its_message() {
    let folder = Folder::new();
    let optional = |values: &[f64], levels: &[i16]| {
        let schema = "message m { required binary id (UTF8); optional double x; }";
        file(
            schema,
            Compression::SNAPPY,
            &[&|group| {
                column::<ByteArrayType>(group, &texts(&["a", "b", "c"]), None);
                column::<DoubleType>(group, values, Some(levels));
            }],
        )
    };
    let message = |bytes: &[u8]| folder.message(folder.table("data.parquet", bytes));
    assert_eq!(
        message(&optional(&[1.0, 2.0], &[1, 0, 1])),
        "data.parquet, row 1 (counted from 0), column \"x\": the cell is empty; fill it in, let --missing drop, mean or \
         median deal with gaps, or leave the column out with --exclude x"
    );
    assert_eq!(
        message(&optional(&[1.0, f64::INFINITY, 2.0], &[1, 1, 1])),
        "data.parquet, row 1 (counted from 0), column \"x\": the value is inf; replace it, drop \
         the row, or leave the column out with --exclude x"
    );
    let twice = file(
        "message m { required binary id (UTF8); required double x; }",
        Compression::SNAPPY,
        &[&|group| {
            column::<ByteArrayType>(group, &texts(&["a", "a"]), None);
            column::<DoubleType>(group, &[1.0, 2.0], None);
        }],
    );
    assert_eq!(
        message(&twice),
        "data.parquet, row 1 (counted from 0): id \"a\" stands in row 0 (counted from 0) already; \
         ids must be unique; correct them, or number the rows with --exclude id"
    );
    let dates = file(
        "message m { required int32 day (DATE); }",
        Compression::SNAPPY,
        &[&|group| column::<Int32Type>(group, &[19_000], None)],
    );
    assert_eq!(
        message(&dates),
        "data.parquet, row 0 (counted from 0), column \"day\": \"time 19000\" is not a number; \
         name the number columns with \
         --features, leave this one out with --exclude day, or make a feature of every value with \
         --one-hot day"
    );
    assert_eq!(
        message(&file("message m { required double x; }", Compression::SNAPPY, &[])),
        "data.parquet: there is a header but no row below it; at least one row is needed"
    );
}

#[test]
fn what_is_not_parquet_is_unreadable() {
    let folder = Folder::new();
    let whole = sound();
    for bytes in [b"id,x\n1,2\n".as_slice(), b"", &whole[..whole.len() - 3]] {
        let message = folder.message(folder.table("data.parquet", bytes));
        assert!(message.starts_with("data.parquet: cannot be read as Parquet: "), "{message}");
        assert!(message.ends_with("; the file is damaged or of another kind"), "{message}");
    }
}

#[test]
fn columns_of_lists_can_be_left_out() {
    let schema = "message m {
        required double x;
        optional group tags (LIST) { repeated group list { required int32 element; } }
    }";
    let bytes = file(
        schema,
        Compression::SNAPPY,
        &[&|group| {
            column::<DoubleType>(group, &[1.0, 2.0], None);
            let mut tags = group.next_column().unwrap().unwrap();
            let written = tags.typed::<Int32Type>().write_batch(
                &[7, 8, 9],
                Some(&[2, 2, 2]),
                Some(&[0, 1, 0]),
            );
            written.unwrap();
            tags.close().unwrap();
        }],
    );
    let folder = Folder::new();
    let path = folder.file("data.parquet", bytes);
    let table = read_table(&path, &features(&["x"])).unwrap();
    assert_eq!(table.points.as_slice(), [1.0, 2.0]);
    assert_eq!(
        folder.message(read_table(&path, &TableOptions::default())),
        "data.parquet, row 0 (counted from 0), column \"tags.list.element\": \"a list\" is not a \
         number; name the number columns with \
         --features, leave this one out with --exclude tags.list.element, or make a feature of \
         every value with --one-hot tags.list.element"
    );
}

#[test]
fn constraints_and_labellings_may_be_parquet_too() {
    let folder = Folder::new();
    let schema = "message m {
        required int64 id_a;
        required int64 id_b;
        required int32 relation;
        optional double weight;
    }";
    let bytes = file(
        schema,
        Compression::SNAPPY,
        &[&|group| {
            column::<Int64Type>(group, &[10, 10], None);
            column::<Int64Type>(group, &[11, 12], None);
            column::<Int32Type>(group, &[1, -1], None);
            column::<DoubleType>(group, &[2.5], Some(&[0, 1]));
        }],
    );
    let path = folder.file("pairs.parquet", &bytes);
    let mut constraints = Constraints::with_ids(["10", "11", "12"]).unwrap();
    read_pairs(&path, &mut constraints, &Context::default()).unwrap();
    assert_eq!(constraints.must_links()[0].weight, 1.0);
    assert_eq!(constraints.cannot_links()[0].points, [0, 2]);
    assert_eq!(constraints.cannot_links()[0].weight, 2.5);
    let mut unknown = Constraints::with_ids(["10", "11"]).unwrap();
    assert_eq!(
        folder.message(read_pairs(&path, &mut unknown, &Context::default())),
        "pairs.parquet, row 1 (counted from 0): id \"12\" is not in the data; correct it, or drop \
         the line"
    );
    let options = PartitionOptions {
        id: Some("id_b".to_owned()),
        column: Some("relation".to_owned()),
        ..PartitionOptions::default()
    };
    let partition = read_partition(&path, &options).unwrap();
    assert_eq!(partition.ids, ["11", "12"]);
    assert_eq!(partition.labels, [Some("1".to_owned()), Some("-1".to_owned())]);
}
