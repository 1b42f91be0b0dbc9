use ilk::ndarray::{Array1, array};
use ilk_io::{ArrayProblem, Partition, PartitionOptions, match_partitions, read_partition};
use ndarray_npy::NpzWriter;

use crate::Folder;

fn read(folder: &Folder, name: &str, contents: &str) -> Partition {
    read_partition(folder.file(name, contents), &PartitionOptions::default()).unwrap()
}

fn texts(partition: &Partition) -> Vec<Option<&str>> {
    partition.labels.iter().map(Option::as_deref).collect()
}

#[test]
fn the_usual_files_need_no_options() {
    let folder = Folder::new();
    let clusters =
        "id,cluster,is_noise,is_constrained,violations\na,1,false,true,0\nb,,true,false,0\n";
    let partition = read(&folder, "clusters.csv", clusters);
    assert_eq!(partition.ids, ["a", "b"]);
    assert_eq!(texts(&partition), [Some("1"), None]);
    let partition = read(&folder, "labels.csv", "id,label\na,oak\nb,elm\n");
    assert_eq!(texts(&partition), [Some("oak"), Some("elm")]);
    let partition = read(&folder, "species.csv", "id,species\na,oak\n");
    assert_eq!(texts(&partition), [Some("oak")]);
    let partition = read(&folder, "plain.csv", "y\n3\n4\n");
    assert_eq!(partition.ids, ["0", "1"]);
}

#[test]
fn other_columns_can_be_named() {
    let folder = Folder::new();
    let path = folder.file("data.csv", "name,x,kind\nann,1,p\nbob,2,q\n");
    let options = PartitionOptions {
        id: Some("name".to_owned()),
        column: Some("kind".to_owned()),
        ..PartitionOptions::default()
    };
    let partition = read_partition(path, &options).unwrap();
    assert_eq!(partition.ids, ["ann", "bob"]);
    assert_eq!(texts(&partition), [Some("p"), Some("q")]);
}

#[test]
fn labels_are_matched_by_id_and_not_by_row() {
    let folder = Folder::new();
    let found = read(&folder, "found.csv", "id,cluster\na,7\nb,3\nc,\nd,7\n");
    let truth = read(&folder, "truth.csv", "id,label\nd,x\nc,y\nb,y\na,x\n");
    let matched = match_partitions(&found, &truth).unwrap();
    assert_eq!(matched.ids, ["a", "b", "c", "d"]);
    assert_eq!(matched.left, [Some(0), Some(1), None, Some(0)]);
    assert_eq!(matched.right, [Some(0), Some(1), Some(1), Some(0)]);
}

#[test]
fn only_ids_that_both_labellings_have_are_matched_and_the_others_listed() {
    let folder = Folder::new();
    let found = read(&folder, "found.csv", "id,cluster\nx,9\na,1\nb,2\n");
    let truth = read(&folder, "truth.csv", "id,label\nb,q\ny,r\na,NA\n");
    let matched = match_partitions(&found, &truth).unwrap();
    assert_eq!(matched.ids, ["a", "b"]);
    assert_eq!(matched.left, [Some(0), Some(1)]);
    assert_eq!(matched.right, [None, Some(0)], "NA is no label");
    assert_eq!(matched.only_left, ["x"]);
    assert_eq!(matched.only_right, ["y"]);
}

#[test]
fn each_fault_of_a_labelling_has_its_message() {
    let folder = Folder::new();
    let found = read(&folder, "found.csv", "id,cluster\na,1\nb,1\n");
    let truth = read(&folder, "truth.csv", "id,label\ny,2\nz,2\n");
    assert_eq!(
        folder.message(match_partitions(&found, &truth)),
        "found.csv and truth.csv have no id in common: only found.csv has \"a\", \"b\"; only \
         truth.csv has \"y\", \"z\"; give files about the same rows, or name the columns of ids with \
         --id"
    );
    let default = PartitionOptions::default();
    let message =
        |contents: &str| folder.message(read_partition(folder.file("f.csv", contents), &default));
    assert_eq!(
        message("id,x,y\na,1,2\n"),
        "f.csv: there is no column \"cluster\" or \"label\" (rename yours; `ilk evaluate` takes \
         its name with --column); the columns are \"id\", \"x\", \"y\""
    );
    assert_eq!(
        message("id,label\na,1\nb,1\na,2\n"),
        "f.csv, line 4: id \"a\" stands in line 2 already; ids must be unique"
    );
    assert_eq!(
        message("id,label\n"),
        "f.csv: there is a header but no row below it; at least one row is needed"
    );
}

#[test]
fn a_long_list_of_ids_is_cut() {
    let folder = Folder::new();
    let many: Vec<String> = (0..20).map(|i| format!("p{i},1")).collect();
    let found = read(&folder, "found.csv", &format!("id,cluster\n{}\n", many.join("\n")));
    let truth = read(&folder, "truth.csv", "id,label\na,1\n");
    let message = folder.message(match_partitions(&found, &truth));
    assert!(message.contains("\"p11\" and 8 more; only truth.csv"), "{message}");
}

#[test]
fn an_archive_gives_its_labels_by_name_or_by_shape() {
    let folder = Folder::new();
    let write = |name: &str, arrays: &[(&str, &[f64])]| {
        let path = folder.path(name);
        let mut archive = NpzWriter::new(std::fs::File::create(&path).unwrap());
        archive.add_array("X", &array![[1.0], [2.0], [3.0]]).unwrap();
        for (name, labels) in arrays {
            let labels = Array1::from_vec(labels.to_vec());
            archive.add_array(*name, &labels).unwrap();
        }
        archive.finish().unwrap();
        path
    };
    let labels = |path: &std::path::Path, column: Option<&str>| {
        let options =
            PartitionOptions { column: column.map(str::to_owned), ..PartitionOptions::default() };
        read_partition(path, &options).map(|partition| partition.labels)
    };
    let named = |labels: &[&str]| -> Vec<Option<String>> {
        let name = |label: &&str| (!label.is_empty()).then(|| (*label).to_owned());
        labels.iter().map(name).collect()
    };
    let both = write("both.npz", &[("a", &[3.0, 1.5, 3.0]), ("y", &[0.0, f64::NAN, -1.0])]);
    assert_eq!(labels(&both, None).unwrap(), named(&["0", "", "-1"]));
    assert_eq!(labels(&both, Some("a")).unwrap(), named(&["3", "1.5", "3"]));
    let one = write("one.npz", &[("clusters", &[1.0, 2.0, 2.0])]);
    assert_eq!(labels(&one, None).unwrap(), named(&["1", "2", "2"]));
    let two = write("two.npz", &[("a", &[1.0]), ("b", &[1.0])]);
    assert!(matches!(
        labels(&two, None),
        Err(ilk_io::Error::Array { problem: ArrayProblem::Several { .. }, .. })
    ));
    let matrix = folder.path("matrix.npy");
    ndarray_npy::write_npy(&matrix, &array![[1.0, 2.0]]).unwrap();
    assert_eq!(
        folder.message(labels(&matrix, None)),
        "matrix.npy: the array cannot be used as labels: it has 2 dimensions; a one-dimensional \
         array of numbers is needed"
    );
}
