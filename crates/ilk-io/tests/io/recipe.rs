use ilk::method::AnyMethod;
use ilk_io::{Recipe, Scale, set_parameter};

use crate::Folder;

#[test]
fn a_recipe_comes_back_as_it_was_written() {
    let folder = Folder::new();
    let mut method = AnyMethod::named("mean-shift").unwrap();
    set_parameter(&mut method, "bandwidth", "0.5").unwrap();
    let mut recipe = Recipe::new("data.csv", method);
    recipe.scale = Scale::MinMax;
    recipe.table.exclude = vec!["kind".to_owned()];
    recipe.constraints.pairs = Some("pairs.csv".into());
    recipe.outputs.model = Some("m.ilk".into());
    recipe.write(folder.path("run.json")).unwrap();
    assert_eq!(Recipe::read(folder.path("run.json")).unwrap(), recipe);
}

#[test]
fn a_recipe_loads_data_and_constraints() {
    let folder = Folder::new();
    let data = folder.file("data.csv", "id,x,y\na,0,5\nb,10,5\nc,5,5\n");
    let mut recipe = Recipe::new(data, AnyMethod::named("mean-shift").unwrap());
    recipe.scale = Scale::MinMax;
    recipe.constraints.pairs =
        Some(folder.file("pairs.csv", "id_a,id_b,relation\nb,c,ml\na,b,skip\n"));
    recipe.constraints.labels = Some(folder.file("labels.csv", "id,label\na,far\n"));
    let loaded = recipe.load().unwrap();
    assert_eq!(loaded.data.table().unwrap().points.row(1), [10.0, 5.0]);
    assert_eq!(loaded.problem.constraints().must_links()[0].points, [1, 2]);
    assert_eq!(loaded.problem.constraints().label_names(), ["far"]);
    let ilk::problem::Input::Points(points) = loaded.problem.input() else {
        panic!("points");
    };
    assert_eq!(points.as_slice(), [0.0, 0.0, 1.0, 0.0, 0.5, 0.0]);
    let ilk_io::LoadedData::Table { scaling, .. } = &loaded.data else {
        panic!("a table");
    };
    assert_eq!(scaling.offset, [0.0, 5.0]);
    assert_eq!(scaling.factor, [10.0, 1.0]);
    let read: Vec<[usize; 2]> =
        loaded.summaries.iter().map(|summary| [summary.read, summary.skipped]).collect();
    assert_eq!(read, [[1, 1], [1, 0]]);
}

#[test]
fn an_unknown_id_is_not_in_the_data_of_the_recipe() {
    let folder = Folder::new();
    let data = folder.file("data.csv", "id,x\na,0\nb,1\n");
    let mut recipe = Recipe::new(data, AnyMethod::named("mean-shift").unwrap());
    recipe.constraints.pairs = Some(folder.file("pairs.csv", "id_a,id_b,relation\na,x9,ml\n"));
    assert_eq!(
        folder.message(recipe.load()),
        "pairs.csv, line 2: id \"x9\" is not in data.csv; correct it, or drop the line"
    );
}

#[test]
fn each_fault_of_a_recipe_has_its_message() {
    let folder = Folder::new();
    let message = |text: &str| folder.message(Recipe::read(folder.file("run.json", text)));
    assert_eq!(
        message("{\"data\": \"d.csv\", \"method\": \"mean-shift\", \"colour\": 1}"),
        "run.json: not a recipe: unknown field `colour`, expected one of `data`, `graph`, `table`, \
         `scale`, `constraints`, `method`, `params`, `outputs` at line 1 column 50"
    );
    assert_eq!(
        message("{\"data\": \"d.csv\", \"method\": \"magic\"}"),
        format!(
            "run.json: not a recipe: there is no method \"magic\"; known methods: {}",
            AnyMethod::ALL.iter().map(|info| info.name).collect::<Vec<_>>().join(", ")
        )
    );
    assert_eq!(
        message("{\"data\": \"d.csv\", \"method\": \"mean-shift\", \"params\": {\"k\": 1}}"),
        "run.json: not a recipe: params of mean-shift: unknown field `k`, expected one of \
         `bandwidth`, `kernel`, `truncation`, `blurring`, `cell`, `max_iter`, `fixed_iter`, \
         `tol`, `merge_radius`, `seed`"
    );
    assert_eq!(
        message("{\"method\": \"mean-shift\"}"),
        "run.json: not a recipe: missing field `data` at line 1 column 24"
    );
}
