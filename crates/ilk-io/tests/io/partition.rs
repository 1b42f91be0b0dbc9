use ilk_io::{Partition, PartitionOptions, match_partitions, read_partition};

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
fn each_fault_of_a_labelling_has_its_message() {
    let folder = Folder::new();
    let found = read(&folder, "found.csv", "id,cluster\na,1\nb,1\nx,2\n");
    let truth = read(&folder, "truth.csv", "id,label\na,1\nb,1\ny,2\nz,2\n");
    assert_eq!(
        folder.message(match_partitions(&found, &truth)),
        "found.csv and truth.csv do not label the same ids: only found.csv has \"x\"; only \
         truth.csv has \"y\", \"z\"; label every id in both"
    );
    let default = PartitionOptions::default();
    let message =
        |contents: &str| folder.message(read_partition(folder.file("f.csv", contents), &default));
    assert_eq!(
        message("id,x,y\na,1,2\n"),
        "f.csv: there is no column \"cluster\" or \"label\" (name another with --column); the \
         columns are \"id\", \"x\", \"y\""
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
    let found = read(
        &folder,
        "found.csv",
        &format!("id,cluster\na,1\n{}\n", many.join("\n")),
    );
    let truth = read(&folder, "truth.csv", "id,label\na,1\n");
    let message = folder.message(match_partitions(&found, &truth));
    assert!(message.contains("\"p11\" and 8 more; label"), "{message}");
}
