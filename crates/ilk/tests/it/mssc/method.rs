//! The method as a whole.

use std::ops::ControlFlow;

use ilk::datasets::{Data, Generator};
use ilk::evaluate::adjusted_rand;
use ilk::method::{AnyMethod, FirstStage, Method, Mssc, PartitionEmbedding, SpectralEmbedding};
use ilk::observe::{Event, Silent};
use ilk::outcome::Fit;
use ilk::parameter::AutoOr;
use ilk::problem::{Points, Problem};

pub(crate) fn generated(name: &str, seed: u64) -> (Points, Vec<usize>) {
    let set = Generator::named(name).expect("a set").generate(seed).expect("drawn");
    let Data::Points(points) = set.data else {
        panic!("{name} has points");
    };
    (Points::new(points).expect("finite"), set.labels)
}

pub(crate) fn fit(params: Mssc, points: &Points) -> Fit {
    let problem = Problem::unsupervised(points.clone());
    AnyMethod::Mssc(params).fit(&problem, &Silent).expect("valid input")
}

pub(crate) fn ari(fit: &Fit, truth: &[usize]) -> f64 {
    let truth: Vec<Option<usize>> = truth.iter().map(|&class| Some(class)).collect();
    adjusted_rand(&truth, &fit.clustering.labels).expect("as many")
}

#[test]
fn every_first_stage_and_every_embedding_finds_heaps_and_predicts_them() {
    let (points, truth) = generated("blobs", 1);
    let k = truth.iter().max().expect("some") + 1;
    for first_stage in [FirstStage::MeanShift, FirstStage::KMeans, FirstStage::Mixture] {
        for embedding in
            [SpectralEmbedding::Keca, SpectralEmbedding::Kpca, SpectralEmbedding::Laplacian]
        {
            let params = Mssc {
                n_clusters: k.into(),
                first_stage,
                embedding: embedding.into(),
                ..Mssc::default()
            };
            let fit = fit(params, &points);
            let ari = ari(&fit, &truth);
            assert!(ari > 0.9, "{first_stage:?}, {embedding:?}: {ari}");
            let predicted = fit.model.predict(&points).expect("the same columns");
            assert_eq!(predicted, fit.clustering.labels, "{first_stage:?}, {embedding:?}");
        }
    }
}

#[test]
fn an_open_embedding_finds_half_circles_that_keca_loses() {
    let mut lost = 0;
    for seed in 0..5 {
        let (points, truth) = generated("half-circles", seed);
        let k = truth.iter().max().expect("some") + 1;
        let with =
            |embedding| fit(Mssc { n_clusters: k.into(), embedding, ..Mssc::default() }, &points);
        let (open, keca) = (with(PartitionEmbedding::Auto), with(PartitionEmbedding::Keca));
        assert!(ari(&open, &truth) > 0.95, "seed {seed}: {}", ari(&open, &truth));
        let mut chosen = open.clustering.chosen.iter();
        let chosen = chosen.find(|chosen| chosen.parameter == "embedding").expect("it is open");
        // What was chosen, given, leads to the same clusters.
        let given = if chosen.value == "keca" {
            keca
        } else {
            lost += usize::from(ari(&keca, &truth) < 0.95);
            with(PartitionEmbedding::Laplacian)
        };
        assert_eq!(given.clustering.labels, open.clustering.labels, "seed {seed}");
    }
    assert!(lost > 0, "KECA found all of them, so nothing was chosen");
}

#[test]
fn points_that_are_pooled_first_are_clustered_as_well() {
    let (points, truth) = generated("blobs", 2);
    let k = truth.iter().max().expect("some") + 1;
    let whole = fit(Mssc { n_clusters: k.into(), ..Mssc::default() }, &points);
    let pool = points.len() - 1;
    assert!(pool / 100 >= 1);
    let params = Mssc { n_clusters: k.into(), pool: pool.max(100), ..Mssc::default() };
    let pooled = fit(params, &points);
    assert!(ari(&whole, &truth) > 0.9);
    let predicted = pooled.model.predict(&points).expect("the same columns");
    assert_eq!(predicted, pooled.clustering.labels);
}

#[test]
fn no_more_partitions_than_clusters_are_the_clusters() {
    let points = Points::from_rows(&[[0.0], [0.1], [5.0], [5.1]].map(Vec::from)).expect("finite");
    let params = Mssc { n_clusters: 3.into(), bandwidth: AutoOr::Fixed(0.5), ..Mssc::default() };
    let fit = fit(params, &points);
    assert_eq!(fit.clustering.labels, [0, 0, 1, 1].map(Some));
    let partitions = fit.clustering.partitions.expect("partitions");
    let of = partitions.of_point;
    assert!(of[0] == of[1] && of[2] == of[3] && of[0] != of[2]);
    assert_eq!(partitions.affinity.dim(), (2, 2));
}

#[test]
fn small_partitions_are_left_out_and_placed() {
    let (points, truth) = generated("blobs", 3);
    let k = truth.iter().max().expect("some") + 1;
    for embedding in
        [SpectralEmbedding::Keca, SpectralEmbedding::Kpca, SpectralEmbedding::Laplacian]
    {
        let params = Mssc {
            n_clusters: k.into(),
            embedding: embedding.into(),
            min_size: 3,
            ..Mssc::default()
        };
        let ari = ari(&fit(params, &points), &truth);
        assert!(ari > 0.9, "{embedding:?}: {ari}");
    }
}

#[test]
fn the_size_of_a_partition_is_its_points_as_given_whatever_they_weigh() {
    let heaps = [(0.0, 30), (1.0, 30), (10.0, 5), (11.0, 5), (20.0, 1)];
    let rows: Vec<Vec<f64>> =
        heaps.iter().flat_map(|&(place, copies)| vec![vec![place]; copies]).collect();
    let points = Points::from_rows(&rows).expect("finite");
    for unit in [0.01, 1.0, 100.0] {
        let weights = (0..rows.len()).map(|i| unit * (0.5 + (i % 4) as f64));
        let problem = Problem::unsupervised(points.clone())
            .with_weights(weights.collect())
            .expect("positive weights");
        let params = Mssc {
            n_clusters: 2.into(),
            bandwidth: AutoOr::Fixed(0.1),
            spectral_bandwidth: AutoOr::Fixed(2.0),
            min_size: 3,
            ..Mssc::default()
        };
        let fit = AnyMethod::Mssc(params).fit(&problem, &Silent);
        let expected: Vec<_> = (0..rows.len()).map(|i| Some(usize::from(i >= 60))).collect();
        assert_eq!(fit.expect("valid input").clustering.labels, expected, "{unit}");
    }
}

#[test]
fn a_bandwidth_of_affinities_gives_the_same_whether_it_was_chosen_or_given() {
    let (points, _) = generated("blobs", 5);
    let weights: Vec<f64> = (0..points.len()).map(|i| 0.2 + (i % 7) as f64).collect();
    let of = |spectral_bandwidth| {
        let params = Mssc { n_clusters: 4.into(), spectral_bandwidth, ..Mssc::default() };
        let problem = Problem::unsupervised(points.clone())
            .with_weights(weights.clone())
            .expect("positive weights");
        let fit = AnyMethod::Mssc(params).fit(&problem, &Silent);
        fit.expect("valid input").clustering
    };
    let chosen = of(AutoOr::Auto);
    let setting = chosen.chosen.iter();
    let mut setting = setting.filter(|chosen| chosen.parameter == "spectral_bandwidth");
    let bandwidth = setting.next().expect("it was left open").value.parse();
    let given = of(AutoOr::Fixed(bandwidth.expect("a number")));
    assert_eq!(chosen.labels, given.labels);
    assert_eq!(chosen.partitions, given.partitions);
}

#[test]
fn a_sweep_counts_partitions_that_become_fewer() {
    let (points, _) = generated("blobs", 4);
    let sweep = Mssc::default().sweep(&points, None, &Silent).expect("valid input");
    assert_eq!(sweep.bandwidths.len(), sweep.partitions.len());
    assert!(sweep.bandwidths.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(sweep.partitions[0] > sweep.partitions[sweep.partitions.len() - 1]);
    assert!(sweep.singletons.iter().zip(&sweep.partitions).all(|(one, all)| one <= all));
}

#[test]
fn a_sweep_has_the_partitions_of_a_run_with_its_weights_and_pools_in_the_middle() {
    let (points, _) = generated("blobs", 4);
    let weights: Vec<f64> = (0..points.len()).map(|i| 0.2 + (i % 7) as f64).collect();
    for pool in [points.len() / 2, points.len()] {
        let mut params = Mssc { n_clusters: 3.into(), pool, ..Mssc::default() };
        let problem = Problem::unsupervised(points.clone())
            .with_weights(weights.clone())
            .expect("positive weights");
        let fit = AnyMethod::Mssc(params.clone()).fit(&problem, &Silent);
        let clustering = fit.expect("valid input").clustering;
        let bandwidth = clustering.bandwidth.expect("a shift");
        params.bandwidth = AutoOr::Fixed(bandwidth);
        let sweep = params.sweep(&points, Some(&weights), &Silent);
        let sweep = sweep.expect("valid input");
        let middle = sweep.bandwidths.iter().position(|&h| h == bandwidth);
        let partitions = clustering.partitions.expect("partitions");
        assert_eq!(
            sweep.partitions[middle.expect("the bandwidth of the run")],
            partitions.affinity.nrows(),
            "pool {pool}"
        );
    }
}

#[test]
fn a_bandwidth_that_leaves_every_point_alone_is_refused_where_there_are_too_many() {
    let rows: Vec<Vec<f64>> = (0..8100).map(|i| vec![f64::from(i)]).collect();
    let points = Points::from_rows(&rows).expect("finite");
    let params = Mssc { n_clusters: 2.into(), bandwidth: AutoOr::Fixed(1e-3), ..Mssc::default() };
    let problem = Problem::unsupervised(points);
    let error = AnyMethod::Mssc(params).fit(&problem, &Silent).expect_err("too many");
    assert_eq!(
        error.to_string(),
        "bandwidth = 0.001 is out of range: it gives 8100 partitions, and more than 8000 are too many for \
         their spectrum; take a larger one"
    );
}

#[test]
fn more_partitions_than_the_spectrum_can_have_are_refused_before_any_are_looked_for() {
    let rows: Vec<Vec<f64>> = (0..8100).map(|i| vec![f64::from(i)]).collect();
    let points = Points::from_rows(&rows).expect("finite");
    let unasked = |event: &Event| -> ControlFlow<()> { panic!("{event:?}") };
    for first_stage in [FirstStage::KMeans, FirstStage::Mixture] {
        let params =
            Mssc { n_clusters: 2.into(), first_stage, n_partitions: Some(8001), ..Mssc::default() };
        let error = AnyMethod::Mssc(params)
            .fit(&Problem::unsupervised(points.clone()), &unasked)
            .expect_err("too many");
        assert_eq!(
            error.to_string(),
            "n_partitions = 8001 is out of range: it gives 8001 partitions, and more than 8000 are too many for \
             their spectrum; take a smaller one"
        );
    }
}
