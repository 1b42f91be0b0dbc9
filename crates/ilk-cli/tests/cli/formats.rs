//! The same points give the same clusters, whatever the format of the file.

use std::fs::File;
use std::io::Write;

use crate::common::Sandbox;
use flate2::Compression;
use flate2::write::GzEncoder;
use ilk::ndarray::{Array1, Array2, array};
use ndarray_npy::{NpzWriter, write_npy};

/// Two groups of three points; in text files and Parquet they are called a to f.
fn points() -> Array2<f64> {
    array![[0.0, 0.0], [0.1, 0.0], [0.0, 0.1], [5.0, 5.0], [5.2, 5.0], [5.0, 5.2]]
}

const IDS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
const NUMBERS: [&str; 6] = ["0", "1", "2", "3", "4", "5"];

/// Rows of a text file, with a label that calls the first three points 7 and the others 9.
fn text(delimiter: char) -> String {
    let mut text = ["id", "x", "y", "kind"].join(&delimiter.to_string()) + "\n";
    for (i, (id, point)) in IDS.iter().zip(points().rows()).enumerate() {
        let kind = if i < 3 { 7 } else { 9 };
        let cells =
            [(*id).to_owned(), point[0].to_string(), point[1].to_string(), kind.to_string()];
        text += &(cells.join(&delimiter.to_string()) + "\n");
    }
    text
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Clusters, saves, predicts and scores: all must find the two groups, called by these ids.
fn groups_are_found(sandbox: &Sandbox, file: &str, truth: &str, ids: [&str; 6]) {
    let head = ["id,cluster,is_noise,is_constrained,violations\n".to_owned()];
    let rows = ids.iter().enumerate();
    let rows = rows.map(|(i, id)| format!("{id},{},false,false,0\n", i / 3));
    let expected = head.into_iter().chain(rows).collect::<Vec<_>>().concat();
    let run = format!(
        "cluster {file} --method mean-shift --truth {truth} --set bandwidth=1 --model m.ilk"
    );
    let fit = sandbox.ok(&run);
    assert_eq!(fit.out, expected, "{file}");
    assert!(fit.err.contains("ARI 1.000"), "{file}: {}", fit.err);
    assert!(fit.err.contains("2 features"), "{file}: {}", fit.err);
    assert_eq!(sandbox.ok(&format!("predict m.ilk {file}")).out, expected);
}

#[test]
fn text_with_commas_or_tabs_packed_or_not() {
    let sandbox = Sandbox::new();
    sandbox.write("points.csv", text(','));
    sandbox.write("points.csv.gz", gzip(text(',').as_bytes()));
    sandbox.write("points.tsv", text('\t'));
    sandbox.write("points.tsv.gz", gzip(text('\t').as_bytes()));
    for file in ["points.csv", "points.csv.gz", "points.tsv", "points.tsv.gz"] {
        groups_are_found(&sandbox, file, "kind", IDS);
    }
}

#[test]
fn an_npy_file_with_its_truth_in_another() {
    let sandbox = Sandbox::new();
    write_npy(sandbox.file("points.npy"), &points()).unwrap();
    let truth: Array1<u8> = array![7, 7, 7, 9, 9, 9];
    write_npy(sandbox.file("truth.npy"), &truth).unwrap();
    groups_are_found(&sandbox, "points.npy", "truth.npy", NUMBERS);
}

#[test]
fn an_npz_archive_with_its_truth_beside_the_points() {
    let sandbox = Sandbox::new();
    let mut archive = NpzWriter::new_compressed(File::create(sandbox.file("set.npz")).unwrap());
    archive.add_array("X", &points().mapv(|x| x as f32)).unwrap();
    let truth: Array1<i32> = array![7, 7, 7, 9, 9, 9];
    archive.add_array("y", &truth).unwrap();
    archive.finish().unwrap();
    groups_are_found(&sandbox, "set.npz", "y", NUMBERS);

    sandbox.ok("cluster set.npz --method mean-shift --set bandwidth=1 --out found.csv");
    let scores = sandbox.json("evaluate found.csv set.npz");
    assert_eq!(scores["scores"]["adjusted_rand"], 1.0);
    sandbox.refused(
        "cluster set.npz --truth z",
        1,
        "--truth column \"z\" cannot be used\n  because: set.npz: there is no array \"z\"; the \
         arrays are \"X\", \"y\"; name one of them",
    );
}

#[cfg(feature = "parquet")]
#[test]
fn a_parquet_file() {
    use std::sync::Arc;

    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    let sandbox = Sandbox::new();
    let schema = "message m { required binary id (UTF8); required double x; required double y; \
                  required int32 kind; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let ids: Vec<ByteArray> = IDS.iter().map(|&id| id.into()).collect();
    let writing = column.typed::<ByteArrayType>();
    writing.write_batch(&ids, None, None).unwrap();
    column.close().unwrap();
    for axis in 0..2 {
        let mut column = group.next_column().unwrap().unwrap();
        let writing = column.typed::<DoubleType>();
        let values = points().column(axis).to_vec();
        writing.write_batch(&values, None, None).unwrap();
        column.close().unwrap();
    }
    let mut column = group.next_column().unwrap().unwrap();
    let writing = column.typed::<Int32Type>();
    writing.write_batch(&[7, 7, 7, 9, 9, 9], None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    sandbox.write("points.parquet", writer.into_inner().unwrap());
    groups_are_found(&sandbox, "points.parquet", "kind", IDS);
}
