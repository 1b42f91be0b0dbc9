//! Scores of partitions equal scikit-learn's, degenerate partitions included.
//!
//! The values are in `fixtures/partition_scores.txt`, written by `fixtures/partition_scores.py`.

use ilk::evaluate::{
    Average, accuracy, adjusted_mutual_info, adjusted_rand, completeness, homogeneity, mutual_info,
    normalized_mutual_info, pair_scores, rand_index, v_measure,
};

const FIXTURE: &str = include_str!("fixtures/partition_scores.txt");

fn labels(line: &str) -> Vec<i64> {
    line.split_whitespace().filter(|word| *word != "-").map(|word| word.parse().unwrap()).collect()
}

fn all_scores(t: &[i64], p: &[i64]) -> ilk::Result<Vec<f64>> {
    let mut all = vec![adjusted_rand(t, p)?, rand_index(t, p)?, mutual_info(t, p)?];
    for average in Average::ALL {
        all.push(normalized_mutual_info(t, p, average)?);
    }
    for average in Average::ALL {
        all.push(adjusted_mutual_info(t, p, average)?);
    }
    all.extend([homogeneity(t, p)?, completeness(t, p)?]);
    for beta in [1.0, 0.5, 3.0] {
        all.push(v_measure(t, p, beta)?);
    }
    let pairs = pair_scores(t, p)?;
    all.extend([pairs.precision, pairs.recall, pairs.f, accuracy(t, p)?]);
    Ok(all)
}

#[test]
fn scores_equal_those_of_scikit_learn() {
    let mut lines = FIXTURE.lines();
    let names: Vec<&str> = lines.next().unwrap().split_whitespace().skip(1).collect();
    let lines: Vec<&str> = lines.collect();
    assert!(lines.len() >= 3 * 40, "the fixture is cut short");
    for case in lines.chunks_exact(3) {
        let (truth, predicted) = (labels(case[0]), labels(case[1]));
        let found = all_scores(&truth, &predicted).unwrap();
        assert_eq!(found.len(), names.len());
        for ((name, found), expected) in names.iter().zip(found).zip(case[2].split_whitespace()) {
            if expected == "-" {
                assert!(found == 0.0 || found == 1.0, "{name} of 0/0 is {found}");
                continue;
            }
            let expected: f64 = expected.parse().unwrap();
            assert!(
                (found - expected).abs() <= 1e-12,
                "{name} is {found}, scikit-learn has {expected}\ntruth {truth:?}\nfound {predicted:?}"
            );
        }
    }
}
