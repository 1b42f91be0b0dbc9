//! Files of answers: whatever a process was killed at, the run goes on to the same result.

use ilk::ask::{QuestionKind, Session, SessionOptions, SimulatedOracle};
use ilk::group::Label;
use ilk::numerics::rng::rng_stream;
use ilk::observe::Silent;
use ilk::problem::{Constraints, Points, Problem};
use ilk_io::{AnswerFile, AnswerRecord};

use crate::Folder;

const ANSWERS: usize = 30;

/// Three groups of ten points that overlap a little.
fn groups() -> (Points, Vec<Label>) {
    let mut rng = rng_stream(5, 0);
    let row = |class: usize, rng: &mut ilk::numerics::rng::Rng| {
        vec![3.0 * class as f64 + rng.normal(), (class % 2) as f64 + rng.normal()]
    };
    let rows: Vec<Vec<f64>> = (0..30).map(|point| row(point % 3, &mut rng)).collect();
    let truth = (0..30).map(|point| Some(point % 3)).collect();
    (Points::from_rows(&rows).expect("finite rows"), truth)
}

/// Goes on with the answers of a file, if any, until there are enough; returns the clusters.
fn go_on(path: &std::path::Path, kind: QuestionKind) -> (Vec<Label>, bool) {
    let (points, truth) = groups();
    let names = Constraints::new(truth.len());
    let oracle = SimulatedOracle::new(truth.clone(), truth.len(), 0.1, 1).expect("an oracle");
    let options = SessionOptions { kind, ..SessionOptions::default() };
    let problem = Problem::unsupervised(points);
    let mut session = Session::new(problem, options, &Silent).expect("a session");
    let mut opened = AnswerFile::open(path, kind, &names).expect("a file of answers");
    for record in opened.answers {
        session.push(record.answered).expect("an answer that was taken before");
    }
    while session.state().answered().len() < ANSWERS {
        let Some(next) = session.questions(1, &Silent).expect("questions").pop() else { break };
        let number = session.state().answered().len();
        let answer = oracle.answer(&next.question, number);
        session.answer(&next, answer, 1.0, None).expect("an answer that fits");
        let answered = session.state().answered()[number].clone();
        let record = AnswerRecord { answered, created_at: "now".to_owned(), note: String::new() };
        opened.file.append(&record, &names).expect("the file takes it");
    }
    (session.clusters().expect("clusters"), opened.was_cut_off)
}

#[test]
fn a_file_cut_at_any_of_200_places_goes_on_to_the_same_bytes_and_the_same_clusters() {
    for kind in [QuestionKind::Pair, QuestionKind::Group] {
        let folder = Folder::new();
        let path = folder.path("answers.csv");
        let (clusters, _) = go_on(&path, kind);
        let whole = std::fs::read(&path).expect("the answers");
        let mut rng = rng_stream(7, 0);
        for _ in 0..100 {
            let cut = rng.below(whole.len() + 1);
            std::fs::write(&path, &whole[..cut]).expect("a file in a temporary folder");
            let (again, was_cut_off) = go_on(&path, kind);
            assert_eq!(std::fs::read(&path).expect("the answers"), whole, "{kind} cut at {cut}");
            assert_eq!(again, clusters, "{kind} cut at {cut}");
            let is_within_line = cut > 0 && whole[cut - 1] != b'\n';
            assert!(was_cut_off || !is_within_line, "{kind} cut at {cut}");
        }
    }
}

#[test]
fn a_group_that_was_cut_between_its_rows_is_asked_again_as_a_whole() {
    let folder = Folder::new();
    let path = folder.path("answers.csv");
    go_on(&path, QuestionKind::Group);
    let text = std::fs::read_to_string(&path).expect("the answers");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert!(lines[1].ends_with(",0/8\n"), "{}", lines[1]);
    // The header, the first group and three rows of the second.
    let cut: String = lines[..1 + 8 + 3].concat();
    std::fs::write(&path, cut).expect("a file in a temporary folder");
    let opened = AnswerFile::open(&path, QuestionKind::Group, &Constraints::new(30));
    let opened = opened.expect("a file of answers");
    assert!(opened.was_cut_off);
    assert_eq!(opened.answers.len(), 1);
    assert_eq!(std::fs::read_to_string(&path).expect("the answers"), lines[..9].concat());
}

#[test]
fn timestamps_are_those_of_the_calendar() {
    assert_eq!(ilk_io::timestamp(0), "1970-01-01T00:00:00Z");
    assert_eq!(ilk_io::timestamp(951_782_399), "2000-02-28T23:59:59Z");
    assert_eq!(ilk_io::timestamp(951_782_400), "2000-02-29T00:00:00Z");
    assert_eq!(ilk_io::timestamp(1_767_225_599), "2025-12-31T23:59:59Z");
}
