//! A consensus without one of its ingredients, from one run of the trials.

use ilk::Result;
use ilk::evaluate::adjusted_rand;
use ilk::group::Label;
use ilk::method::{Auto, Ingredient, KMeans, Method};
use ilk::observe::Silent;
use ilk::problem::Problem;

use super::{auto, blobs, random_pairs};

#[test]
fn with_all_ingredients_the_clusters_are_those_of_a_fit() -> Result<()> {
    let (points, truth) = blobs(160, 3, 5, 4.0, 31);
    for pairs in [0, 6, 60] {
        let problem = Problem::new(points.clone(), random_pairs(&truth, pairs, 32))?;
        let fit = auto().fit(&problem, &Silent)?.clustering;
        let clusters = auto().trials(&problem, &Silent)?.clusters(None)?;
        assert_eq!(clusters, fit.labels, "{pairs} pairs");
    }
    Ok(())
}

#[test]
fn what_only_the_constraints_tell_is_lost_without_what_listens_to_them() -> Result<()> {
    // Four blobs lie apart, and two each are one group.
    let (points, blob) = blobs(120, 3, 4, 6.0, 7);
    let truth: Vec<Label> = blob.iter().map(|blob| blob.map(|blob| blob / 2)).collect();
    let problem = Problem::new(points, random_pairs(&truth, 60, 8))?;
    let trials = auto().trials(&problem, &Silent)?;
    let score = |without: Option<Ingredient>| adjusted_rand(&truth, &trials.clusters(without)?);
    let whole = score(None)?;
    assert!(whole > 0.95, "{whole}");
    let best = score(Some(Ingredient::OtherMembers))?;
    assert!(best > 0.8, "{best}");
    Ok(())
}

#[test]
fn few_constraints_are_lost_without_the_scores_of_members() -> Result<()> {
    let (mut whole, mut without) = (0.0, 0.0);
    for seed in 0..5 {
        let (points, blob) = blobs(120, 3, 4, 6.0, seed);
        let truth: Vec<Label> = blob.iter().map(|blob| blob.map(|blob| blob / 2)).collect();
        let problem = Problem::new(points, random_pairs(&truth, 25, 8 + seed))?;
        let trials = auto().trials(&problem, &Silent)?;
        whole += adjusted_rand(&truth, &trials.clusters(None)?)? / 5.0;
        without += adjusted_rand(&truth, &trials.clusters(Some(Ingredient::Scores))?)? / 5.0;
    }
    assert!(without < whole - 0.05, "{without} without, {whole} with");
    Ok(())
}

#[test]
fn members_of_a_method_are_left_out_as_if_they_were_not_offered() -> Result<()> {
    let (points, _) = blobs(90, 2, 3, 9.0, 33);
    let problem = Problem::unsupervised(points);
    let method = Auto { members: "kmeans".parse()?, ..auto() };
    let trials = method.trials(&problem, &Silent)?;
    let three = KMeans { n_clusters: 3.into(), n_init: 10, ..KMeans::default() };
    let alone = three.fit(&problem, &Silent)?.clustering.labels;
    let found = trials.clusters(None)?;
    assert_eq!(adjusted_rand(&alone, &found)?, 1.0);
    let error = trials.clusters(Some(Ingredient::Method("kmeans"))).unwrap_err().to_string();
    assert!(error.contains("no members"), "{error}");

    let few = Auto { sample: 50, ..auto() };
    let error = few.trials(&problem, &Silent).err().map(|error| error.to_string());
    let expected = "sample = 50 is out of range: trials are of 90 points, all of them";
    assert_eq!(error.as_deref(), Some(expected));
    Ok(())
}
