use super::{Task, parse};

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
fn what_is_not_understood_is_named() {
    assert_eq!(read(""), Err("no task was named".to_owned()));
    assert_eq!(read("tset"), Err("there is no task \"tset\"".to_owned()));
    assert_eq!(read("bench --fast"), Err("bench has no option \"--fast\"".to_owned()));
    assert_eq!(read("ci now"), Err("ci takes no argument, but \"now\" was given".to_owned()));
}
