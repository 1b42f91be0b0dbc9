//! The public battery, on every method that is listed and on one of another crate.

use ilk::conformance::assert_conforms;
use ilk::method::{AnyMethod, Method};
use serde_json::json;

#[path = "../../../examples/own_method.rs"]
mod own_method;

#[test]
fn every_listed_method_passes_the_public_battery() {
    for info in AnyMethod::ALL {
        let mut params = json!({});
        if info.takes_clusters {
            params["n_clusters"] = json!(3);
        }
        let written = json!({ "method": info.name, "params": params });
        let method: AnyMethod = serde_json::from_value(written).expect("three clusters");
        assert_eq!(method.info().name, info.name);
        assert_conforms(&method);
    }
}

#[test]
fn a_method_of_another_crate_passes_it_too() {
    assert_conforms(&own_method::Linkage::default());
}
