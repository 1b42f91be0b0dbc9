use std::io::Write;

use ilk::method::AnyMethod;
use ilk::problem::{Graph, Input};
use ilk_io::{GraphFile, GraphOptions, Recipe, Result, read_graph};
use proptest::prelude::*;

use crate::Folder;

fn read(folder: &Folder, name: &str, contents: impl AsRef<[u8]>) -> Result<GraphFile> {
    read_graph(folder.file(name, contents), &GraphOptions::default())
}

/// The edges of a graph by the ids of their ends, sorted.
fn edges(file: &GraphFile) -> Vec<(String, String, f64)> {
    let name = |node: usize| file.ids[node].clone();
    let mut edges: Vec<(String, String, f64)> = (0..file.graph.len())
        .flat_map(|u| {
            let row = file.graph.matrix().entries(u);
            row.filter(move |&(v, _)| u <= v).map(move |(v, weight)| (u, v, weight))
        })
        .map(|(u, v, weight)| {
            let (u, v) = (name(u), name(v));
            (u.clone().min(v.clone()), u.max(v), weight)
        })
        .collect();
    edges.sort_by(|a, b| a.partial_cmp(b).unwrap());
    edges
}

#[test]
fn nodes_are_numbered_in_the_order_of_their_first_appearance() {
    let folder = Folder::new();
    let file = read(&folder, "e.csv", "u,v,weight\n10,9,2\n9,x y,\n2,2,0.5\nx y,10,0\n").unwrap();
    assert_eq!(file.ids, ["10", "9", "x y", "2"]);
    let expected = [(0, 1, 2.0), (1, 2, 1.0), (3, 3, 0.5)];
    assert_eq!(file.graph, Graph::from_edges(4, expected).unwrap());
}

#[test]
fn the_same_graph_is_read_from_every_format() {
    let folder = Folder::new();
    let csv = "u,v,weight\na,b,2\nb,c,1\nc,c,0.5\n";
    let file = read(&folder, "e.csv", csv).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(csv.as_bytes()).unwrap();
    let same: [(&str, Vec<u8>); 7] = [
        ("e.csv.gz", packed.finish().unwrap()),
        ("e.tsv", csv.replace(',', "\t").into()),
        ("odd.csv", csv.replace(',', ";").replace("u;v", "Source;TARGET").into()),
        ("wide.csv", "day,to,weight,from\nmon,b,2,a\ntue,c,1,b\nwed,c,0.5,c\n".into()),
        ("e.txt", "# from to weight\r\na b 2\r\n\r\nb\tc\r\n  # more\r\nc   c  5e-1".into()),
        ("out.some-network", "% sym weighted\n a b 2\n b c 1\n c c 0.5\n".into()),
        (
            "e.jsonl",
            "{\"u\": \"a\", \"v\": \"b\", \"weight\": 2}\n{\"u\": \"b\", \"v\": \"c\"}\n\
             {\"u\": \"c\", \"v\": \"c\", \"weight\": 0.5}\n"
                .into(),
        ),
    ];
    for (name, contents) in same {
        let other = read(&folder, name, contents).unwrap();
        assert_eq!((&other.ids, &other.graph), (&file.ids, &file.graph), "{name}");
    }
}

#[test]
fn a_list_of_nodes_gives_their_order_and_those_without_edges() {
    let folder = Folder::new();
    let options =
        GraphOptions { nodes: Some(folder.file("nodes.csv", "label,id\n1,lone\n1,b\n2,a\n")) };
    let file = read_graph(folder.file("e.csv", "u,v\na,b\n"), &options).unwrap();
    assert_eq!(file.ids, ["lone", "b", "a"]);
    assert_eq!(file.graph.isolated(), [0]);
    assert_eq!(
        folder.message(read_graph(folder.file("e.txt", "a b\nb c\n"), &options)),
        "e.txt, line 2: id \"c\" is not in nodes.csv; correct it, or drop the line"
    );
    folder.file("nodes.csv", "id\na\nb\n\na\n");
    assert_eq!(
        folder.message(read_graph(folder.path("e.csv"), &options)),
        "nodes.csv, line 5: id \"a\" stands in line 2 already; ids must be unique"
    );
}

#[test]
fn each_fault_of_a_list_of_edges_has_its_message() {
    let folder = Folder::new();
    let message = |name: &str, text: &str| folder.message(read(&folder, name, text));
    for weight in ["red", "-1", "NaN", "inf"] {
        let expected = format!(
            "line 3: the edge of \"b\" and \"c\" has the weight \"{weight}\"; write a number of at \
             least 0, or leave it out for 1"
        );
        assert_eq!(
            message("e.csv", &format!("u,v,weight\na,b,1\nb,c,{weight}\n")),
            format!("e.csv, {expected}")
        );
        assert_eq!(
            message("e.txt", &format!("#\na b\nb c {weight}\n")),
            format!("e.txt, {expected}")
        );
    }
    assert_eq!(
        message("e.csv", "u,v,weight\na,b,1\nc,d,1\n\nb,a,2\n"),
        "e.csv, line 5: the edge of \"a\" and \"b\" has weight 2 here, but 1 in line 2; keep one of the \
         two, or their sum"
    );
    assert_eq!(
        message("e.txt", "%\n% sym\na b 3\nb c\nb a 3\nb a\n"),
        "e.txt, line 6: the edge of \"a\" and \"b\" has weight 1 here, but 3 in line 3; keep one of the \
         two, or their sum"
    );
    assert_eq!(
        message("e.csv", "left,v\na,b\n"),
        "e.csv: there is no column \"u\" and \"v\" (or source, target; or from, to); the columns are \
         \"left\", \"v\""
    );
    assert_eq!(
        message("e.csv", "u,v\na,b\nc,\n"),
        "e.csv, line 3, column \"v\": the id is empty; give every row an id"
    );
    for (line, found) in [("a", 1), ("a,b", 1), ("a b 1 1082040961", 4)] {
        assert_eq!(
            message("e.txt", &format!("a b\n{line}\n")),
            format!(
                "e.txt, line 2: {found} fields are no edge; write two ids and, if there are weights, a \
                 number, with blanks between (other separators need a header and a name that ends in .csv)"
            )
        );
    }
    for (name, text) in [("e.csv", "u,v\n"), ("e.txt", "# nothing\n\n"), ("e.txt", "")] {
        let expected = format!("{name}: there is no edge; at least one is needed");
        assert_eq!(message(name, text), expected);
    }
    assert_eq!(
        message("e.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n1 2\n2 3\n"),
        "e.mtx: cannot be read as a list of edges: it is a Matrix Market file, which holds sizes beside \
         its edges; the file is damaged or of another kind"
    );
    assert_eq!(
        message("e.npz", ""),
        "e.npz: unknown kind of file; name it with one of the endings .csv, .tsv, .txt (or any of them \
         with .gz), .jsonl, .parquet"
    );
    assert_eq!(
        folder.message(read(&folder, "e.txt", b"a b\nc \xff\n")),
        "e.txt, line 2: the text is not UTF-8; save the file as UTF-8"
    );
    assert_eq!(
        folder.message(read_graph(folder.path("none.txt"), &GraphOptions::default())),
        "none.txt: there is no such file; check the name and the folder"
    );
}

#[test]
fn a_recipe_of_a_graph_comes_back_and_loads_constraints_by_id() {
    let folder = Folder::new();
    let method = AnyMethod::named("ss-kernel-kmeans").unwrap();
    let mut recipe = Recipe::new(folder.file("e.txt", "zoe bob\nbob 7\n"), method);
    recipe.graph = Some(GraphOptions::default());
    recipe.constraints.pairs =
        Some(folder.file("pairs.csv", "id_a,id_b,relation\n7,zoe,cannot-link\n"));
    recipe.constraints.labels = Some(folder.file("labels.csv", "id,label\nbob,x\n"));
    recipe.write(folder.path("run.json")).unwrap();
    let again = Recipe::read(folder.path("run.json")).unwrap();
    assert_eq!(again, recipe);
    let loaded = again.load().unwrap();
    assert_eq!(loaded.data.ids(), ["zoe", "bob", "7"]);
    assert!(loaded.data.table().is_none());
    let constraints = loaded.problem.constraints();
    assert_eq!(constraints.cannot_links()[0].points, [0, 2]);
    assert_eq!(constraints.labels()[0].point, 1);
    let Input::Graph(graph) = loaded.problem.input() else {
        panic!("a graph");
    };
    assert_eq!(graph.n_edges(), 2);
}

#[test]
fn a_recipe_of_a_graph_takes_no_settings_of_tables() {
    let folder = Folder::new();
    let text =
        r#"{"data": "e.csv", "graph": {}, "scale": "standard", "method": "ss-kernel-kmeans"}"#;
    assert_eq!(
        folder.message(Recipe::read(folder.file("run.json", text))),
        "run.json: not a recipe: `table` and `scale` are for tables; leave them out where there is a \
         `graph`"
    );
}

proptest! {
    #[test]
    fn order_and_direction_of_the_edges_do_not_matter(
        listed in prop::collection::btree_map((0_u8..9, 0_u8..9), 1_u32..1000, 1..25),
        turned in prop::collection::vec((any::<bool>(), any::<bool>(), any::<u32>()), 25),
        is_text in any::<bool>(),
    ) {
        let weight = |u: u8, v: u8| f64::from(listed[&(u, v)]) / 7.0;
        let listed_once: Vec<(u8, u8)> =
            listed.keys().copied().filter(|&(u, v)| u <= v || !listed.contains_key(&(v, u))).collect();
        let mut written = Vec::new();
        for (&(u, v), &(is_turned, is_twice, place)) in listed_once.iter().zip(&turned) {
            let ends = if is_turned { (v, u) } else { (u, v) };
            written.push((place, ends, weight(u, v)));
            if is_twice {
                written.push((place.rotate_left(9), (ends.1, ends.0), weight(u, v)));
            }
        }
        written.sort_by_key(|&(place, ..)| place);
        let (name, header, between) = if is_text { ("e.txt", "", "\t") } else { ("e.csv", "u,v,weight\n", ",") };
        let rows = written.iter().map(|(_, (u, v), weight)| format!("n{u}{between}n{v}{between}{weight}\n"));
        let folder = Folder::new();
        let file = read(&folder, name, header.to_owned() + &rows.collect::<String>()).unwrap();
        let mut expected: Vec<(String, String, f64)> = listed_once
            .iter()
            .map(|&(u, v)| (format!("n{}", u.min(v)), format!("n{}", u.max(v)), weight(u, v)))
            .collect();
        expected.sort_by(|a, b| a.partial_cmp(b).unwrap());
        prop_assert_eq!(edges(&file), expected);
    }
}
