use std::fs::File;
use std::path::{Path, PathBuf};

use ilk::method::{AnyMethod, Method};
use ilk::ndarray::{Array1, Array2, Array3, ShapeBuilder, array};
use ilk::observe::Silent;
use ilk::problem::Problem;
use ilk_io::{SavedModel, Scale, TableOptions, load_model, read_table, save_model};
use ndarray_npy::{NpzWriter, WritableElement, WriteNpyExt};

use crate::{Folder, features};

fn npy<T: WritableElement>(array: &Array2<T>) -> Vec<u8> {
    let mut bytes = Vec::new();
    array.write_npy(&mut bytes).unwrap();
    bytes
}

fn from_npy<T: WritableElement>(array: &Array2<T>) -> Vec<f64> {
    let table = Folder::new().table("data.npy", npy(array)).unwrap();
    table.points.as_slice().to_vec()
}

#[test]
fn arrays_of_every_number_type_are_read() {
    let expected = [1.0, 2.0, 3.0, 4.0, 5.0, 127.0];
    let small: Array2<i8> = array![[1, 2, 3], [4, 5, 127]];
    assert_eq!(from_npy(&small), expected);
    assert_eq!(from_npy(&small.mapv(|v| v as u8)), expected);
    assert_eq!(from_npy(&small.mapv(i16::from)), expected);
    assert_eq!(from_npy(&small.mapv(|v| v as u16)), expected);
    assert_eq!(from_npy(&small.mapv(i32::from)), expected);
    assert_eq!(from_npy(&small.mapv(|v| v as u32)), expected);
    assert_eq!(from_npy(&small.mapv(i64::from)), expected);
    assert_eq!(from_npy(&small.mapv(|v| v as u64)), expected);
    assert_eq!(from_npy(&small.mapv(f32::from)), expected);
    assert_eq!(from_npy(&small.mapv(f64::from)), expected);
    assert_eq!(from_npy(&small.mapv(|v| v > 3)), [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    assert_eq!(from_npy(&array![[i64::MIN, -1]]), [i64::MIN as f64, -1.0]);
    assert_eq!(from_npy(&array![[i8::MIN, -1]]), [-128.0, -1.0]);
    assert_eq!(from_npy(&array![[u64::MAX]]), [u64::MAX as f64]);
    assert_eq!(from_npy(&array![[0.1f32]]), [f64::from(0.1f32)]);
}

#[test]
fn arrays_stored_by_columns_are_turned() {
    let by_columns =
        Array2::from_shape_vec((2, 3).f(), vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0]).unwrap();
    assert_eq!(from_npy(&by_columns), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

#[test]
fn numbers_with_the_highest_byte_first_are_read() {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let header = "{'descr': '>i4', 'fortran_order': False, 'shape': (1, 2), }\n";
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend((-7i32).to_be_bytes());
    bytes.extend(9i32.to_be_bytes());
    let table = Folder::new().table("data.npy", bytes).unwrap();
    assert_eq!(table.points.row(0), [-7.0, 9.0]);
}

#[test]
fn columns_of_arrays_are_numbered_and_can_be_chosen() {
    let folder = Folder::new();
    let path = folder.file("data.npy", npy(&array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]));
    let table = read_table(&path, &TableOptions::default()).unwrap();
    assert_eq!(table.feature_names, ["x0", "x1", "x2"]);
    assert_eq!(table.ids, ["0", "1"]);
    assert!(!table.is_named);
    let table = read_table(&path, &features(&["x2", "x0"])).unwrap();
    assert_eq!(table.points.row(1), [6.0, 4.0]);
}

fn npz(folder: &Folder, arrays: &[(&str, Array2<f64>)]) -> std::path::PathBuf {
    let path = folder.path("data.npz");
    let mut writer = NpzWriter::new_compressed(File::create(&path).unwrap());
    for (name, array) in arrays {
        writer.add_array(*name, array).unwrap();
    }
    writer.add_array("y", &Array1::from_vec(vec![1i64, 2])).unwrap();
    writer.finish().unwrap();
    path
}

#[test]
fn of_an_archive_x_is_taken_or_the_only_matrix_or_the_one_named() {
    let folder = Folder::new();
    let default = TableOptions::default();
    let path = npz(&folder, &[("X", array![[1.0]]), ("other", array![[2.0]])]);
    assert_eq!(read_table(path, &default).unwrap().points.row(0), [1.0]);
    let path = npz(&folder, &[("features", array![[3.0]])]);
    assert_eq!(read_table(path, &default).unwrap().points.row(0), [3.0]);
    let path = npz(&folder, &[("X", array![[1.0]]), ("other", array![[2.0]])]);
    let named =
        |name: &str| TableOptions { array: Some(name.to_owned()), ..TableOptions::default() };
    assert_eq!(read_table(&path, &named("other")).unwrap().points.row(0), [2.0]);
    assert_eq!(
        folder.message(read_table(&path, &named("z"))),
        "data.npz: there is no array \"z\"; the arrays are \"X\", \"other\", \"y\"; name one with \
         --array"
    );
    assert_eq!(
        folder.message(read_table(&path, &named("y"))),
        "data.npz: the array cannot be used: it has 1 dimensions; a two-dimensional array of \
         numbers is needed"
    );
    let path = npz(&folder, &[("a", array![[1.0]]), ("b", array![[2.0]])]);
    assert_eq!(
        folder.message(read_table(path, &default)),
        "data.npz: none is named \"X\", and 2 have two dimensions; the arrays are \"a\", \"b\", \
         \"y\"; name one with --array"
    );
}

#[test]
fn each_fault_of_an_array_has_its_message() {
    let folder = Folder::new();
    let sound = npy(&array![[1.0, 2.0], [3.0, 4.0]]);
    let message = |bytes: &[u8]| folder.message(folder.table("data.npy", bytes));
    let damaged = |reason: &str| {
        format!("data.npy: cannot be read as NPY: {reason}; the file is damaged or of another kind")
    };
    assert_eq!(message(b"id,x,y\n1,2,3\n"), damaged("it does not begin as one"));
    assert_eq!(message(&sound[..sound.len() - 1]), damaged("it ends too early"));
    assert_eq!(message(b""), damaged("it ends too early"));
    let mut longer = sound.clone();
    longer.push(0);
    assert_eq!(message(&longer), damaged("it has more values than its header says"));
    assert_eq!(
        message(&npy(&array![[1.0, 2.0], [f64::NAN, 4.0]])),
        "data.npy, row 1 (counted from 0), column \"x0\": the value is NaN; replace it, let --missing drop, mean or \
         median deal with gaps, or leave the column out with --exclude x0"
    );
    assert_eq!(
        message(&npy(&Array2::<f64>::zeros((0, 3)))),
        "data.npy: there is a header but no row below it; at least one row is needed"
    );
    let mut cube = Vec::new();
    Array3::<f64>::zeros((2, 2, 2)).write_npy(&mut cube).unwrap();
    assert_eq!(
        message(&cube),
        "data.npy: the array cannot be used: it has 3 dimensions; a two-dimensional array of \
         numbers is needed"
    );
    assert_eq!(
        folder.message(folder.table("data.npz", b"PK but no more")),
        "data.npz: cannot be read as NPZ: invalid Zip archive: Could not find EOCD; the file is \
         damaged or of another kind"
    );
}

#[test]
fn a_shape_beyond_all_memory_is_damage_and_not_an_allocation() {
    let folder = Folder::new();
    for shape in ["(1000000000000, 1000)", "(9223372036854775807, 9)", "(4, 2)"] {
        let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend([0; 24]);
        let message = folder.message(folder.table("data.npy", bytes));
        assert!(message.starts_with("data.npy: cannot be read as NPY: it"), "{message}");
    }
}

/// The sparse files of the corpus were written by `scipy.sparse.save_npz` from this matrix; that of `coo` has
/// every value in two halves.
fn sparse_matrix(rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| {
        if (7 * i + 3 * j) % 20 == 0 { (i + 1) as f64 / (j + 1) as f64 } else { 0.0 }
    })
}

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name)
}

#[test]
fn sparse_rows_of_scipy_are_read() {
    for name in ["sparse-csr.npz", "sparse-csc.npz", "sparse-coo.npz"] {
        let table = read_table(corpus(name), &TableOptions::default()).unwrap();
        assert_eq!(table.points.view(), sparse_matrix(9, 14), "{name}");
        assert_eq!(table.ids, (0..9).map(|row| row.to_string()).collect::<Vec<_>>());
        assert_eq!(table.feature_names[..2], ["x0", "x1"]);
        assert_eq!(table.notes, []);
    }
}

#[test]
fn many_sparse_columns_are_projected_and_the_note_says_what_is_kept() {
    let table = read_table(corpus("sparse-wide.npz"), &TableOptions::default()).unwrap();
    assert_eq!(
        table.notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["400 sparse columns onto the 20 axes that keep most of their squared lengths: 100%"]
    );
    assert_eq!(table.feature_names[0], "axis0");
    // The matrix has as many axes as it has kinds of rows, so that nothing is lost.
    let whole = sparse_matrix(30, 400);
    let found = table.points.view().dot(&table.points.view().t());
    assert!((found - whole.dot(&whole.t())).iter().all(|off| off.abs() < 1e-9));
}

#[test]
fn a_model_of_sparse_rows_places_sparse_rows_along_its_axes() {
    let folder = Folder::new();
    let table = read_table(corpus("sparse-wide.npz"), &TableOptions::default()).unwrap();
    let scaling = Scale::Unit.fit(&table.points);
    let problem = Problem::unsupervised(scaling.apply(&table.points).unwrap());
    let mut method = AnyMethod::named("kmeans").unwrap();
    ilk_io::set_parameter(&mut method, "n_clusters", "4").unwrap();
    let fit = method.fit(&problem, &Silent).unwrap();
    let model = SavedModel { axes: table.axes, ..SavedModel::new(&method, &fit, None, scaling) };
    save_model(folder.path("m.ilk"), &model).unwrap();
    let model = load_model(folder.path("m.ilk")).unwrap();
    let labels = |path: &Path| {
        let table = model.read_table(path, &TableOptions::default()).unwrap();
        model.predict(&table.points).unwrap()
    };
    assert_eq!(labels(&corpus("sparse-wide.npz")), fit.clustering.labels);
    let dense = folder.file("dense.npy", npy(&sparse_matrix(30, 400)));
    assert_eq!(labels(&dense), fit.clustering.labels);
    let narrow = model.read_table(corpus("sparse-csr.npz"), &TableOptions::default());
    let message = narrow.unwrap_err().to_string();
    assert!(message.contains("14 columns") && message.contains("400"), "{message}");
}

#[test]
fn sparse_rows_that_cannot_be_used_are_refused() {
    let read = |name: &str, options: &TableOptions| {
        read_table(corpus(name), options).unwrap_err().to_string()
    };
    let message = read("sparse-dia.npz", &TableOptions::default());
    let expected = "the sparse rows cannot be used: its format is \"dia\", not csr, csc or coo; save it as \
                    scipy.sparse.save_npz(path, X.tocsr())";
    assert!(message.ends_with(expected), "{message}");
    let exclude = TableOptions { exclude: vec!["x0".to_owned()], ..TableOptions::default() };
    let message = read("sparse-csr.npz", &exclude);
    let expected = "the sparse rows cannot be used: no columns can be named, left out, filled or kept; choose them before \
                    they are saved";
    assert!(message.ends_with(expected), "{message}");
}
