use super::{Task, parse};
use crate::fuzz::Target;

fn read(line: &str) -> Result<Task, String> {
    parse(line.split_whitespace().map(str::to_owned))
}

#[test]
fn every_task_has_its_word() {
    assert_eq!(read("test"), Ok(Task::Test));
    assert_eq!(read("ci"), Ok(Task::Ci));
    assert_eq!(read("wheel"), Ok(Task::Wheel));
    assert_eq!(read("docs"), Ok(Task::Docs));
    assert_eq!(read("screenshots"), Ok(Task::Screenshots));
    assert_eq!(read("--help"), Ok(Task::Help));
}

#[test]
fn bench_takes_names_and_quick_in_any_order() {
    let expected =
        Task::Bench { quick: true, names: vec!["exp".to_owned(), "mean_shift".to_owned()] };
    assert_eq!(read("bench exp --quick mean_shift"), Ok(expected));
    let all = Task::Bench { quick: false, names: Vec::new() };
    assert_eq!(read("bench"), Ok(all));
}

#[test]
fn fuzz_takes_seconds_or_cases_and_a_seed() {
    let files = |seconds, seed| Ok(Task::Fuzz { target: Target::Files { seconds }, seed });
    assert_eq!(read("fuzz"), files(60, 1));
    assert_eq!(read("fuzz --seed 7 --seconds 5"), files(5, 7));
    let parameters =
        |cases, seconds| Ok(Task::Fuzz { target: Target::Parameters { cases, seconds }, seed: 1 });
    assert_eq!(read("fuzz --parameters 20000"), parameters(20_000, None));
    assert_eq!(read("fuzz --seconds 900 --parameters 9"), parameters(9, Some(900)));
    assert_eq!(read("fuzz --seconds"), Err("--seconds needs a number".to_owned()));
    assert_eq!(
        read("fuzz --seconds ten"),
        Err("--seconds ten: \"ten\" is no whole number".to_owned())
    );
    assert_eq!(read("fuzz 5"), Err("fuzz has no option \"5\"".to_owned()));
}

#[test]
fn what_is_not_understood_is_named() {
    assert_eq!(read(""), Err("no task was named".to_owned()));
    assert_eq!(read("tset"), Err("there is no task \"tset\"".to_owned()));
    assert_eq!(read("bench --fast"), Err("bench has no option \"--fast\"".to_owned()));
    assert_eq!(read("ci now"), Err("ci takes no argument, but \"now\" was given".to_owned()));
}
