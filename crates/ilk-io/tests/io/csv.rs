use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use ilk_io::{Columns, TableOptions, read_table};
use proptest::prelude::*;

use crate::{Folder, features};

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn the_id_column_is_found_in_any_case_and_any_place() {
    let table = Folder::new().table("data.csv", "x,ID,y\n1,a,2\n3,b,4.5\n").unwrap();
    assert_eq!(table.ids, ["a", "b"]);
    assert_eq!(table.id_column.as_deref(), Some("ID"));
    assert_eq!(table.feature_names, ["x", "y"]);
    assert_eq!(table.points.as_slice(), [1.0, 2.0, 3.0, 4.5]);
    assert!(table.columns.is_none());
}

#[test]
fn rows_without_ids_are_numbered_from_zero() {
    let table = Folder::new().table("data.csv", "x\n5\n6\n").unwrap();
    assert_eq!(table.ids, ["0", "1"]);
    assert_eq!(table.id_column, None);
}

#[test]
fn a_nameless_first_column_is_an_index_and_not_a_coordinate() {
    let table = Folder::new().table("data.csv", ",x,y\n10,1,2\n11,3,4\n").unwrap();
    assert_eq!(table.ids, ["10", "11"]);
    assert_eq!(table.points.dims(), 2);
}

#[test]
fn another_id_column_can_be_named() {
    let folder = Folder::new();
    let path = folder.file("data.csv", "id,name,x\n1,ann,5\n2,bob,6\n");
    let options = TableOptions { id: Some("name".to_owned()), ..TableOptions::default() };
    let table = read_table(path, &options).unwrap();
    assert_eq!(table.ids, ["ann", "bob"]);
    assert_eq!(table.feature_names, ["id", "x"]);
}

#[test]
fn features_are_taken_in_the_order_they_are_named() {
    let folder = Folder::new();
    let path = folder.file("data.csv", "id,kind,x,y\na,tree,1,2\n");
    let table = read_table(path, &features(&["y", "x"])).unwrap();
    assert_eq!(table.feature_names, ["y", "x"]);
    assert_eq!(table.points.row(0), [2.0, 1.0]);
}

#[test]
fn excluded_columns_may_hold_anything() {
    let folder = Folder::new();
    let path = folder.file("data.csv", "id,kind,x\na,tree,1\nb,,2\n");
    let options = TableOptions { exclude: vec!["kind".to_owned()], ..TableOptions::default() };
    assert_eq!(read_table(path, &options).unwrap().feature_names, ["x"]);
}

#[test]
fn kept_columns_hold_the_text_of_the_file() {
    let folder = Folder::new();
    let path = folder.file("data.csv", "id,kind,x\na,\"tall, tree\",1.50\nb,,2\n");
    let options = TableOptions { keep: true, ..features(&["x"]) };
    let columns: Columns = read_table(path, &options).unwrap().columns.unwrap();
    assert_eq!(columns.names(), ["id", "kind", "x"]);
    assert_eq!(columns.rows(), 2);
    let cells: Vec<Option<&str>> = (0..2)
        .flat_map(|row| (0..3).map(move |column| (row, column)))
        .map(|(row, column)| columns.cell(row, column))
        .collect();
    let expected = ["a", "tall, tree", "1.50", "b", "", "2"];
    assert_eq!(cells, expected.map(Some));
    assert_eq!(columns.cell(2, 0), None);
    assert_eq!(columns.cell(0, 3), None);
}

#[test]
fn marks_line_ends_quotes_blanks_and_delimiters_of_other_programs_are_read() {
    let folder = Folder::new();
    let plain = folder.table("plain.csv", "id,x,y\na,1,2\nb,3,4\n").unwrap();
    let same: &[(&str, &[u8])] = &[
        ("mark.csv", b"\xef\xbb\xbfid,x,y\na,1,2\nb,3,4\n"),
        ("crlf.csv", b"id,x,y\r\na,1,2\r\nb,3,4\r\n"),
        ("no_end.csv", b"id,x,y\na,1,2\nb,3,4"),
        ("blank_lines.csv", b"\nid,x,y\n\na,1,2\n\n\nb,3,4\n\n"),
        ("blank_crlf.csv", b"id,x,y\r\n\r\na,1,2\r\n\r\nb,3,4\r\n"),
        ("quoted.csv", b"\"id\",\"x\",\"y\"\r\n\"a\",1,\"2\"\r\n\"b\",3,\"4\"\r\n"),
        ("spaces.csv", b"id, x, y\na, 1, 2\nb, 3, 4\n"),
        ("semicolon.csv", b"id;x;y\na;1;2\nb;3;4\n"),
        ("tabs.csv", b"id\tx\ty\na\t1\t2\nb\t3\t4\n"),
        ("tabs.tsv", b"id\tx\ty\na\t1\t2\nb\t3\t4\n"),
        ("UPPER.CSV", b"id,x,y\na,1,2\nb,3,4\n"),
    ];
    for (name, bytes) in same {
        let mut table = folder.table(name, bytes).unwrap();
        table.path.clone_from(&plain.path);
        assert_eq!(table, plain, "{name}");
    }
}

#[test]
fn packed_files_are_known_by_their_first_bytes() {
    let folder = Folder::new();
    for name in ["data.csv.gz", "data.csv"] {
        let table = folder.table(name, gzip("id,x\na,1\n")).unwrap();
        assert_eq!(table.ids, ["a"], "{name}");
    }
    let mut twice = gzip("x\n1\n");
    twice.extend(gzip("2\n"));
    assert_eq!(folder.table("two.csv.gz", twice).unwrap().points.len(), 2);
}

#[test]
fn a_damaged_archive_is_named_as_one() {
    let folder = Folder::new();
    let mut packed = gzip("id,x\na,1\nb,2\nc,3\n");
    packed.truncate(packed.len() - 9);
    assert_eq!(
        folder.message(folder.table("data.csv.gz", packed)),
        "data.csv.gz: cannot be read as gzip: it ends too early; the file is damaged or of \
         another kind"
    );
}

/// Every message of a table that cannot be used.
#[test]
fn each_fault_of_a_table_has_its_message() {
    let cases: &[(&str, &str)] = &[
        ("", "data.csv: the file is empty; a header line and at least one row are needed"),
        ("\n\r\n\n", "data.csv: the file is empty; a header line and at least one row are needed"),
        ("id,x,y\n", "data.csv: there is a header but no row below it; at least one row is needed"),
        (
            "id,x,y\na,1,2\nb,3\n",
            "data.csv, line 3: the row has 2 fields, but the header has 3; quote fields that \
             hold the delimiter, and fill in what is missing",
        ),
        (
            "id,x,y\na,1,2\nb,3,4,5\n",
            "data.csv, line 3: the row has 4 fields, but the header has 3; quote fields that \
             hold the delimiter, and fill in what is missing",
        ),
        (
            "id,x,kind\na,1,2\nb,3,oak\n",
            "data.csv, line 3, column \"kind\": \"oak\" is not a number; name the number columns \
             with --features, leave this one out with --exclude kind, or make a feature of every \
             value with --one-hot kind",
        ),
        (
            "id,x\na,1\nb,NaN\n",
            "data.csv, line 3, column \"x\": the value is NaN; replace it, let --missing drop, mean \
             or median deal with gaps, or leave the column out with --exclude x",
        ),
        (
            "id,x\na,-inf\n",
            "data.csv, line 2, column \"x\": the value is -inf; replace it, drop the row, or leave \
             the column out with --exclude x",
        ),
        (
            "id,x\na,1e999\n",
            "data.csv, line 2, column \"x\": the value is 1e999; replace it, drop the row, or \
             leave the column out with --exclude x",
        ),
        (
            "id,x\na,NA\n",
            "data.csv, line 2, column \"x\": the value is NA; replace it, let --missing drop, mean \
             or median deal with gaps, or leave the column out with --exclude x",
        ),
        (
            "id,x,y\na,1,2\nb,,3\n",
            "data.csv, line 3, column \"x\": the cell is empty; fill it in, let --missing drop, \
             mean or median deal with gaps, or leave the column out with --exclude x",
        ),
        (
            "id,x\na,1\nb,2\na,3\n",
            "data.csv, line 4: id \"a\" stands in line 2 already; ids must be unique; correct \
             them, or number the rows with --exclude id",
        ),
        (
            "id,x\na,1\n,2\n",
            "data.csv, line 3, column \"id\": the id is empty; give every row an id",
        ),
        ("id,x,x\na,1,2\n", "data.csv: two columns are named \"x\"; rename one"),
        (
            "1.5,2.5\n3,4\n",
            "data.csv: line 1 (\"1.5,2.5\") looks like data; add --no-header, or put a header line \
             with the names of the columns above it",
        ),
        (
            "id\na\n",
            "data.csv: no column is left to cluster by; the columns are \"id\"; name some with \
             --features",
        ),
    ];
    let folder = Folder::new();
    for (contents, message) in cases {
        let result = folder.table("data.csv", contents);
        assert_eq!(&folder.message(result), message, "{contents:?}");
    }
}

#[test]
fn faults_are_found_on_the_line_an_editor_shows() {
    let cases: &[(&str, u64)] = &[
        ("id,x\r\na,1\r\nb,2\r\nc,?\r\n", 4),
        ("id,x\n\n\na,1\n\nb,?\n", 6),
        ("id,x\r\n\r\na,1\r\n\r\nb,?\r\n", 5),
        ("id,x\n\"a\nb\nc\",1\nd,?\n", 5),
        ("id,x\na,1\n\n\"b\nb\",?\n", 4),
        ("id,x\na,1\nb,?", 3),
    ];
    let folder = Folder::new();
    for (contents, line) in cases {
        let message = folder.message(folder.table("data.csv", contents));
        let place = format!("data.csv, line {line}, column \"x\"");
        assert!(message.starts_with(&place), "{contents:?} gave {message}");
    }
}

#[test]
fn text_in_another_encoding_is_refused() {
    let folder = Folder::new();
    let result = folder.table("data.csv", b"id,x\na,1\nb\xe9,2\n");
    assert_eq!(
        folder.message(result),
        "data.csv, line 3: the text is not UTF-8; save the file as UTF-8"
    );
}

#[test]
fn a_header_that_counts_the_columns_is_a_header() {
    let folder = Folder::new();
    assert_eq!(folder.table("a.csv", "0,1\n5,6\n").unwrap().points.len(), 1);
    assert_eq!(folder.table("b.csv", "1,2\n5,6\n").unwrap().points.len(), 1);
}

#[test]
fn missing_things_are_named_with_what_there_is() {
    let folder = Folder::new();
    let absent = read_table(folder.path("absent.csv"), &TableOptions::default());
    assert_eq!(
        folder.message(absent),
        "absent.csv: there is no such file; check the name and the folder"
    );
    let absent = read_table(folder.path("absent.xlsx"), &TableOptions::default());
    assert_eq!(
        folder.message(absent),
        "absent.xlsx: there is no such file; check the name and the folder"
    );
    assert_eq!(
        folder.message(folder.table("data.xlsx", "")),
        "data.xlsx: this is a spreadsheet, not a table of text; save the sheet as CSV (UTF-8) and \
         give that file"
    );
    assert_eq!(
        folder.message(folder.table("data.dat", "")),
        "data.dat: unknown kind of file; name it with one of the endings .csv, .tsv (or either \
         with .gz), .npy, .npz, .parquet"
    );
    let path = folder.file("data.csv", "id,x,y\na,1,2\n");
    assert_eq!(
        folder.message(read_table(path, &features(&["x", "z"]))),
        "data.csv: there is no column \"z\"; the columns are \"id\", \"x\", \"y\""
    );
    std::fs::create_dir(folder.path("folder.csv")).unwrap();
    let result = read_table(folder.path("folder.csv"), &TableOptions::default());
    assert_eq!(folder.message(result), "folder.csv: cannot be read: is a directory");
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_so() {
    let folder = Folder::new();
    assert_eq!(
        folder.message(folder.table("data.parquet", "PAR1")),
        "data.parquet: this build of ilk reads no Parquet files; build it with the feature \
         `parquet`, or convert the file to CSV"
    );
}

fn finite() -> impl Strategy<Value = f64> {
    any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |value| value.is_finite())
}

proptest! {
    #[test]
    fn finite_numbers_come_back_bit_for_bit(
        rows in prop::collection::vec([finite(), finite(), finite()], 1..40),
        scientific: bool,
    ) {
        let mut lines = vec!["id,x,y,z".to_owned()];
        for (i, row) in rows.iter().enumerate() {
            let cells = row.map(|v| if scientific { format!("{v:e}") } else { format!("{v}") });
            lines.push(format!("p{i},{}", cells.join(",")));
        }
        let table = Folder::new().table("data.csv", lines.join("\n")).unwrap();
        let expected: Vec<u64> = rows.iter().flatten().map(|v| v.to_bits()).collect();
        let found: Vec<u64> = table.points.as_slice().iter().map(|v| v.to_bits()).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn ids_of_any_text_come_back(
        ids in prop::collection::btree_set("[^\\s\0](.*[^\\s\0])?", 1..20),
    ) {
        let mut writer = ::csv::Writer::from_writer(Vec::new());
        writer.write_record(["id", "x"]).unwrap();
        for id in &ids {
            writer.write_record([id.as_str(), "1"]).unwrap();
        }
        let table = Folder::new().table("data.csv", writer.into_inner().unwrap()).unwrap();
        prop_assert!(table.ids.iter().eq(ids.iter()));
    }
}
