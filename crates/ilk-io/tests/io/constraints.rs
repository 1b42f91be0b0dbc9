use std::path::Path;

use ilk::problem::{ConstraintKind, Constraints};
use ilk_io::{ConstraintFiles, Context, Result, Summary, read_labels, read_pairs, read_triplets};

use crate::Folder;

type Read = fn(std::path::PathBuf, &mut Constraints, &Context<'_>) -> Result<Summary>;

const IDS: [&str; 5] = ["a", "b", "c", "d", "e"];

fn given(read: Read, name: &str, contents: &str) -> (Constraints, Summary) {
    let folder = Folder::new();
    let mut constraints = Constraints::with_ids(IDS).unwrap();
    let path = folder.file(name, contents);
    let summary = read(path, &mut constraints, &Context::default()).unwrap();
    (constraints, summary)
}

fn counts(summary: &Summary) -> [usize; 3] {
    [summary.read, summary.skipped, summary.duplicates]
}

#[test]
fn pairs_are_read_with_weight_and_source_and_counted() {
    let (constraints, summary) = given(
        read_pairs,
        "pairs.csv",
        "id_a,id_b,relation,weight,annotator,note\n\
         a,b,must-link,2.5,ann,sure\n\
         c,a,cannot-link,,,\n\
         d,e,skip,,bob,\n\
         b,a,must-link,1,bob,again\n",
    );
    assert_eq!(counts(&summary), [3, 1, 1]);
    let [must] = constraints.must_links() else {
        panic!("one must-link");
    };
    assert_eq!((must.points, must.weight), ([0, 1], 2.5));
    assert_eq!(must.source.as_deref(), Some("ann"));
    let [cannot] = constraints.cannot_links() else {
        panic!("one cannot-link");
    };
    assert_eq!((cannot.points, cannot.weight), ([0, 2], 1.0));
    assert_eq!(cannot.source, None);
}

#[test]
fn a_source_counts_for_more_than_an_annotator() {
    let (constraints, _) =
        given(read_pairs, "pairs.csv", "id_a,id_b,relation,annotator,source\na,b,ml,ann,rules\n");
    assert_eq!(constraints.must_links()[0].source.as_deref(), Some("rules"));
}

#[test]
fn every_word_and_header_for_pairs_is_understood() {
    let words = [
        ("must-link", "cannot-link"),
        ("must_link", "Cannot Link"),
        ("ml", "cl"),
        ("ML", "CL"),
        ("1", "-1"),
        ("1.0", "-1.0"),
        ("same", "different"),
        ("match", "distinct"),
    ];
    let headers = ["id_a,id_b", "id_1,id_2", "unique_id_l,unique_id_r", "ID_A,ID_B"];
    for (must, cannot) in words {
        for header in headers {
            let contents = format!("{header},relation\na,b,{must}\nc,d,{cannot}\na,c,Skip\n");
            let (constraints, summary) = given(read_pairs, "pairs.csv", &contents);
            assert_eq!(constraints.must_links()[0].points, [0, 1], "{contents}");
            assert_eq!(constraints.cannot_links()[0].points, [2, 3], "{contents}");
            assert_eq!(counts(&summary), [2, 1, 0], "{contents}");
        }
    }
}

#[test]
fn the_answer_names_the_odd_one() {
    let (constraints, summary) = given(
        read_triplets,
        "triplets.csv",
        "id_a,id_b,id_c,answer\na,b,c,a\na,b,d,b\na,b,e,c\nc,d,e,equal\nb,c,d,skip\n",
    );
    let odd: Vec<[usize; 3]> = constraints.odd_one_outs().iter().map(|t| t.points).collect();
    assert_eq!(odd, [[1, 2, 0], [0, 3, 1], [0, 1, 4]]);
    assert_eq!(constraints.about_equals()[0].points, [2, 3, 4]);
    assert_eq!(counts(&summary), [4, 1, 0]);
}

#[test]
fn the_odd_one_can_be_named_by_its_id() {
    let folder = Folder::new();
    let mut constraints = Constraints::with_ids(["fly", "bee", "Owl", "b"]).unwrap();
    let path = folder.file(
        "triplets.csv",
        "id_a,id_b,id_c,answer\nfly,bee,Owl,Owl\nfly,bee,Owl,fly\nfly,bee,Owl,bee\nb,bee,Owl,b\n",
    );
    read_triplets(path, &mut constraints, &Context::default()).unwrap();
    let odd: Vec<usize> = constraints.odd_one_outs().iter().map(|t| t.points[2]).collect();
    // The letters name columns, also where ids are letters.
    assert_eq!(odd, [2, 0, 1, 1]);
}

#[test]
fn a_confidence_multiplies_the_weight_and_none_at_all_says_nothing() {
    let (constraints, summary) = given(
        read_pairs,
        "pairs.csv",
        "id_a,id_b,relation,weight,confidence\na,b,ml,2,0.25\na,c,ml,,0.5\na,d,ml,3,\na,e,cl,1,0\n",
    );
    let weights: Vec<f64> = constraints.must_links().iter().map(|pair| pair.weight).collect();
    assert_eq!(weights, [0.5, 0.5, 3.0]);
    assert_eq!(constraints.cannot_links(), []);
    assert_eq!(counts(&summary), [3, 1, 0]);
}

#[test]
fn inequalities_are_anchor_near_far_under_both_headers() {
    for header in ["anchor,near,far", "head,winner,loser"] {
        let contents = format!("{header}\nc,a,b\n");
        let (constraints, _) = given(read_triplets, "triplets.csv", &contents);
        assert_eq!(constraints.closers()[0].points, [2, 0, 1], "{header}");
    }
}

#[test]
fn an_empty_label_says_nothing() {
    let (constraints, summary) =
        given(read_labels, "labels.csv", "id,label\na,tree\nb,\nc,bush\nd,tree\na,tree\n");
    assert_eq!(constraints.label_names(), ["tree", "bush"]);
    assert_eq!(constraints.count(ConstraintKind::Label), 3);
    assert_eq!(counts(&summary), [4, 1, 1]);
}

#[test]
fn json_lines_say_the_same() {
    let (from_csv, _) = given(
        read_pairs,
        "pairs.csv",
        "id_a,id_b,relation,weight,source\na,b,1,,\nc,d,-1,0.5,ann\n",
    );
    let (from_json, summary) = given(
        read_pairs,
        "pairs.jsonl",
        "{\"id_a\": \"a\", \"id_b\": \"b\", \"relation\": 1}\n\n\
         {\"id_a\": \"c\", \"id_b\": \"d\", \"relation\": -1, \"weight\": 0.5, \"source\": \"ann\"}\n",
    );
    assert_eq!(from_json, from_csv);
    assert_eq!(counts(&summary), [2, 0, 0]);
}

#[test]
fn numbers_are_ids_in_json_lines_too() {
    let folder = Folder::new();
    let path = folder.file("labels.jsonl", "{\"id\": 17, \"label\": true}\n");
    let mut constraints = Constraints::with_ids(["17"]).unwrap();
    read_labels(path, &mut constraints, &Context::default()).unwrap();
    assert_eq!(constraints.label_names(), ["true"]);
}

#[test]
fn a_file_without_answers_yet_says_nothing() {
    let (constraints, summary) = given(read_pairs, "pairs.csv", "id_a,id_b,relation\n");
    assert!(constraints.is_empty());
    assert_eq!(counts(&summary), [0, 0, 0]);
}

#[test]
fn ids_are_collected_in_order_of_appearance_without_skipped_rows() {
    let folder = Folder::new();
    let files = ConstraintFiles {
        pairs: Some(folder.file("p.csv", "id_a,id_b,relation\nz,y,ml\nq,r,skip\ny,x,cl\n")),
        triplets: Some(folder.file("t.csv", "anchor,near,far\nx,w,v\n")),
        labels: Some(folder.file("l.csv", "id,label\nu,k\nt,\nz,k\n")),
    };
    let ids = files.collect_ids().unwrap();
    assert_eq!(ids, ["z", "y", "x", "w", "v", "u"]);
    let mut constraints = Constraints::with_ids(&ids).unwrap();
    let summaries = files.read(&mut constraints, &Context::default()).unwrap();
    let read: Vec<usize> = summaries.iter().map(|summary| summary.read).collect();
    assert_eq!(read, [2, 1, 2]);
}

/// What reading a file into constraints about `data.csv` must say.
fn refuse(cases: &[(Read, &str, &str, &str)]) {
    let folder = Folder::new();
    for (read, name, contents, message) in cases {
        let mut constraints = Constraints::with_ids(IDS).unwrap();
        let context = Context { data: Some(Path::new("data.csv")) };
        let result = read(folder.file(name, contents), &mut constraints, &context);
        assert_eq!(&folder.message(result), message, "{contents:?}");
    }
}

#[test]
fn each_fault_of_an_id_has_its_message() {
    refuse(&[
        (
            read_pairs,
            "pairs.csv",
            "id_a,id_b,relation\na,b,ml\na,x9,ml\n",
            "pairs.csv, line 3: id \"x9\" is not in data.csv; correct it, or drop the line",
        ),
        (
            read_triplets,
            "triplets.csv",
            "id_a,id_b,id_c,answer\nx9,b,c,a\n",
            "triplets.csv, line 2: id \"x9\" is not in data.csv; correct it, or drop the line",
        ),
        (
            read_labels,
            "labels.csv",
            "id,label\nx9,tree\n",
            "labels.csv, line 2: id \"x9\" is not in data.csv; correct it, or drop the line",
        ),
        (
            read_pairs,
            "pairs.csv",
            "id_a,id_b,relation\nb,b,cl\n",
            "pairs.csv, line 2: id \"b\" stands twice; a point cannot be compared with itself: \
             correct it, or drop the line",
        ),
        (
            read_triplets,
            "triplets.csv",
            "anchor,near,far\na,b,a\n",
            "triplets.csv, line 2: id \"a\" stands twice; a point cannot be compared with itself: \
             correct it, or drop the line",
        ),
        (
            read_pairs,
            "pairs.csv",
            "id_a,id_b,relation\na,,ml\n",
            "pairs.csv, line 2, column \"id_b\": the id is empty; give every row an id",
        ),
        (
            read_labels,
            "labels.csv",
            "id,label\na,tree\nb,bush\na,bush\n",
            "labels.csv, line 4: id \"a\" is labelled \"bush\", but it was labelled \"tree\" \
             before; keep one",
        ),
    ]);
}

#[test]
fn each_fault_of_a_word_or_weight_has_its_message() {
    refuse(&[
        (
            read_pairs,
            "pairs.csv",
            "id_a,id_b,Relation\na,b,perhaps\n",
            "pairs.csv, line 2, column \"Relation\": \"perhaps\" is not a relation; write \
             must-link, cannot-link or skip (also read: ml, cl, 1, -1, same, different, match, \
             distinct)",
        ),
        (
            read_triplets,
            "triplets.csv",
            "id_a,id_b,id_c,answer\na,b,c,d\n",
            "triplets.csv, line 2, column \"answer\": \"d\" is not an answer; write a, b or c (the \
             odd one) or its id, equal or skip",
        ),
        (
            read_pairs,
            "pairs.csv",
            "id_a,id_b,relation,weight\na,b,ml,1\na,c,ml,-2\n",
            "pairs.csv, line 3, column \"weight\": \"-2\" is not a weight; write a number above 0, \
             or leave the cell empty for 1",
        ),
        (
            read_pairs,
            "pairs.csv",
            "id_a,id_b,relation,weight\na,b,ml,inf\n",
            "pairs.csv, line 2, column \"weight\": \"inf\" is not a weight; write a number above \
             0, or leave the cell empty for 1",
        ),
    ]);
}

#[test]
fn each_fault_of_a_constraint_file_has_its_message() {
    refuse(&[
        (
            read_pairs,
            "pairs.csv",
            "first,second,relation\na,b,ml\n",
            "pairs.csv: there is no column \"id_a\" and \"id_b\" (or id_1, id_2; or unique_id_l, \
             unique_id_r); the columns are \"first\", \"second\", \"relation\"",
        ),
        (
            read_pairs,
            "pairs.csv",
            "id_a,id_b,answer\na,b,ml\n",
            "pairs.csv: there is no column \"relation\"; the columns are \"id_a\", \"id_b\", \
             \"answer\"",
        ),
        (
            read_triplets,
            "triplets.csv",
            "id_a,id_b\na,b\n",
            "triplets.csv: there is no column \"id_a\", \"id_b\" and \"id_c\" (or anchor, near, \
             far; or head, winner, loser); the columns are \"id_a\", \"id_b\"",
        ),
        (
            read_labels,
            "labels.csv",
            "",
            "labels.csv: the file is empty; a header line and at least one row are needed",
        ),
        (
            read_labels,
            "labels.jsonl",
            "{\"id\": \"a\", \"label\": [1]}\n",
            "labels.jsonl: cannot be read as JSONL: line 1: \"label\" holds a list or an object; \
             the file is damaged or of another kind",
        ),
        (
            read_labels,
            "labels.jsonl",
            "{\"id\": \"a\", \"label\": \"t\"}\n{\"id\": \n",
            "labels.jsonl: cannot be read as JSONL: line 2: EOF while parsing a value at line 2 \
             column 0; the file is damaged or of another kind",
        ),
        (
            read_labels,
            "labels.npy",
            "",
            "labels.npy: unknown kind of file; name it with one of the endings .csv, .tsv (or \
             either with .gz), .jsonl, .parquet",
        ),
    ]);
}

#[test]
fn without_a_table_an_unknown_id_is_not_in_the_data() {
    let folder = Folder::new();
    let path = folder.file("labels.csv", "id,label\nx9,tree\n");
    let mut constraints = Constraints::with_ids(IDS).unwrap();
    assert_eq!(
        folder.message(read_labels(path, &mut constraints, &Context::default())),
        "labels.csv, line 2: id \"x9\" is not in the data; correct it, or drop the line"
    );
}
