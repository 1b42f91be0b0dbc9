//! What a method reports about how far it relied on the constraints.

use ilk::Result;
use ilk::method::{Cms, HmrfKMeans, Method};
use ilk::observe::Silent;
use ilk::problem::{Constraints, Points, Problem};

/// Two groups of `n` points on a line, in turn, with a must-link and a cannot-link for each of the first points.
fn two_groups(n: usize, links: usize) -> Result<Problem> {
    let rows: Vec<Vec<f64>> =
        (0..2 * n).map(|i| vec![100.0 * (i % 2) as f64 + (7 * i % 11) as f64]).collect();
    let mut constraints = Constraints::new(2 * n);
    for i in 0..links {
        constraints.must_link(i, i + 2)?.cannot_link(i, i + 1)?;
    }
    Problem::new(Points::from_rows(&rows)?, constraints)
}

/// By what `refine` was chosen.
fn refine_by(method: &dyn Method, problem: &Problem) -> Result<String> {
    let fit = method.fit(problem, &Silent)?;
    let chosen = fit.clustering.chosen.iter().find(|chosen| chosen.parameter == "refine");
    Ok(chosen.expect("it is left open").by.clone())
}

#[test]
fn refine_is_reported_as_chosen_by_held_out_answers_only_where_some_were_held_out() -> Result<()> {
    let kmeans = |k: usize| HmrfKMeans { n_clusters: k.into(), ..HmrfKMeans::default() };
    let many = two_groups(30, 20)?;
    assert!(refine_by(&Cms::default(), &many)?.starts_with("held-out answers"));
    assert!(refine_by(&kmeans(2), &many)?.starts_with("held-out answers"));

    let too_few = "default, since there are too few answers to hold some out";
    let few = two_groups(30, 2)?;
    assert_eq!(refine_by(&Cms::default(), &few)?, too_few);
    assert_eq!(refine_by(&kmeans(2), &few)?, too_few);

    let too_small = "default, since there are too few points a cluster to try more";
    assert_eq!(refine_by(&kmeans(13), &many)?, too_small);
    Ok(())
}
