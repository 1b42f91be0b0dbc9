//! The public battery, on every method that is listed and on one of another crate.

use std::collections::BTreeSet;

use ilk::conformance::assert_conforms;
use ilk::method::{AnyMethod, Method};

use super::case::defaults;

#[path = "../../../examples/own_method.rs"]
mod own_method;

#[test]
fn every_listed_method_passes_the_public_battery() {
    let mut names = BTreeSet::new();
    for case in defaults().iter().filter(|case| names.insert(case.info.name)) {
        let method = case.with_few_fits().method().expect("three clusters");
        assert_eq!(method.info().name, case.info.name);
        assert_conforms(&method);
    }
    assert_eq!(names.len(), AnyMethod::ALL.len());
}

#[test]
fn a_method_of_another_crate_passes_it_too() {
    assert_conforms(&own_method::Linkage::default());
}
