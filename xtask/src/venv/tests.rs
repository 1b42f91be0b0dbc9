use std::path::PathBuf;

use super::{Interpreter, State, UNFINISHED, state};

#[test]
fn an_environment_is_made_only_where_none_fits() {
    assert_eq!(state(false, None, "list"), State::Absent);
    assert_eq!(state(true, Some("list"), "list"), State::Ready);
    assert_eq!(state(true, Some("older list"), "list"), State::Stale);
}

#[test]
fn an_unfinished_environment_is_made_anew() {
    assert_eq!(state(true, Some(UNFINISHED), "list"), State::Stale);
}

#[test]
fn an_environment_without_a_stamp_is_not_ours_to_remove() {
    assert_eq!(state(true, None, "list"), State::Foreign);
}

#[test]
fn the_probe_gives_version_and_path() {
    let found = Interpreter::from_probe("python3", "3 12\n/usr/bin/python3.12\ncomplete\n");
    let expected = Interpreter { path: PathBuf::from("/usr/bin/python3.12"), version: (3, 12) };
    assert_eq!(found, Ok(expected));
}

#[test]
fn an_old_or_incomplete_python_is_refused_with_what_to_do() {
    let error = |printed| Interpreter::from_probe("python3", printed).unwrap_err();
    assert_eq!(
        error("3 9\n/usr/bin/python3\ncomplete\n"),
        "python3 is Python 3.9, but 3.10 or newer is needed; set PYTHON to the path of one"
    );
    assert_eq!(
        error("3 11\n/usr/bin/python3\n"),
        "python3 cannot make environments: its venv or ensurepip module is missing (on Debian and \
         Ubuntu: apt install python3-venv)"
    );
    assert_eq!(
        error("Python was not found\n"),
        "python3 is not a working Python; set PYTHON to the path of one"
    );
}
