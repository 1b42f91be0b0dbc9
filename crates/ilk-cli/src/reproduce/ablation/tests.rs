use ilk::datasets::{Blobs, Generator};
use ilk::method::{Auto, Ingredient, Method};
use ilk::observe::Silent;

use super::{LEFT_OUT, paper};
use crate::reproduce::run::{Order, finish};
use crate::reproduce::tests::paper_of;
use crate::reproduce::{
    ConstraintProtocol, Exhibit, FeatureScale, Folder, Ledger, Row, RowSample, Set, Task, Trial,
};
use crate::terminal::Terminal;
use ilk_io::Scale;

fn blobs() -> Task {
    let set = Set::Generated(Generator::Blobs(Blobs { n: 60, centers: 3, ..Blobs::default() }));
    let constraints = ConstraintProtocol::RandomPairs { n: 12, flipped: 0.0 };
    Task::new(set, RowSample::Some(60), FeatureScale::Of(Scale::Standard), constraints)
}

#[test]
fn the_line_with_all_ingredients_is_a_fit_and_a_run_that_was_cut_off_ends_with_the_same_cells() {
    let lines = [LEFT_OUT[0], LEFT_OUT[3], ("best", Some(Ingredient::OtherMembers))];
    let rows =
        lines.map(|(name, without)| Row::new("blobs", name, Trial::ablating(blobs(), without)));
    let of_rows = |rows: &[Row]| {
        paper_of(Exhibit {
            name: "figure",
            rows: rows.to_vec(),
            is_league: true,
            ..Exhibit::default()
        })
    };
    let run = |rows: &[Row], folder: &std::path::Path| {
        let paper = of_rows(rows);
        let order = Order { paper: &paper, only: &[], methods: &[], sets: &[], seeds: 1 };
        let mut ledger = Ledger::open(folder).unwrap();
        let terminal = Terminal::new(false, true, &[]);
        let failures = finish(order, &Folder::default(), &mut ledger, &terminal).unwrap();
        assert!(failures.is_empty(), "{failures:?}");
        let cell = |row: &Row| {
            let trial = row.trial.as_ref().unwrap();
            let settings = trial.settings(&trial.candidates[0], &Folder::default()).unwrap();
            let cell = ledger.cell(&settings, 0).unwrap();
            (cell.method.clone(), cell.ari, cell.ari_free, cell.clusters)
        };
        rows.iter().map(cell).collect::<Vec<_>>()
    };
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let at_once = run(&rows, whole.path());
    run(&rows[..1], parts.path());
    assert_eq!(run(&rows, parts.path()), at_once);
    assert_eq!(at_once[0].0, "Auto");

    let drawn = blobs().draw(&Folder::default(), 0).unwrap();
    let fit = Auto::default().fit(&drawn.problem, &Silent).unwrap().clustering;
    let ari = ilk::evaluate::adjusted_rand(&drawn.truth, &fit.labels).unwrap();
    assert_eq!((at_once[0].1, at_once[0].3), (ari, fit.n_clusters));
}

#[test]
fn every_method_that_auto_tries_on_points_is_left_out_once() {
    let listed: Vec<&str> = LEFT_OUT
        .iter()
        .filter_map(|(_, without)| match without {
            Some(Ingredient::Method(name)) => Some(*name),
            _ => None,
        })
        .collect();
    let drawn = blobs().draw(&Folder::default(), 1).unwrap();
    let found = Auto::default().fit(&drawn.problem, &Silent).unwrap().clustering;
    for member in found.leaderboard {
        assert!(listed.contains(&member.method.as_str()), "{}", member.method);
    }
    let lines = LEFT_OUT.len() + 1;
    for exhibit in paper().exhibits {
        let of_iris = exhibit.rows.iter().filter(|row| row.data == "iris" && row.at == Some(60.0));
        assert_eq!(of_iris.count(), lines, "{}", exhibit.name);
    }
}
