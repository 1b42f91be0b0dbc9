use super::Parts;

#[test]
fn a_failure_does_not_stop_the_parts_after_it_and_fails_the_whole() {
    let mut parts = Parts::default();
    assert_eq!(parts.run("first", || Err::<(), _>("it broke".to_owned())), None);
    assert_eq!(parts.run("second", || Ok(7)), Some(7));
    assert_eq!(parts.finish(), Err("1 part failed".to_owned()));
}

#[test]
fn parts_that_pass_or_are_skipped_do_not_fail_the_whole() {
    let mut parts = Parts::default();
    parts.run("first", || Ok(()));
    parts.skip("second", "nothing to do");
    assert_eq!(parts.finish(), Ok(()));
}

#[test]
fn the_summary_has_a_line_a_part_and_a_total() {
    let mut parts = Parts::default();
    parts.run("format", || Ok(()));
    parts.run("tests", || Err::<(), _>("`cargo test` failed".to_owned()));
    parts.skip("pytest", "there is no wheel");
    assert_eq!(
        parts.summary(),
        "format  ok           0.0 s\n\
         tests   failed       0.0 s  `cargo test` failed\n\
         pytest  skipped      0.0 s  there is no wheel\n\
         total   failed       0.0 s"
    );
}
