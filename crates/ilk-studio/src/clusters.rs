//! Clusters as the page shows them: colours that stay with them, sizes, typical rows.

use std::collections::BTreeMap;

use anyhow::Result;
use ilk::explain::Explanation;
use ilk::group::Label;

use crate::study::Data;

/// Features that describe a cluster.
const FEATURES: usize = 3;

/// A labelling of all rows.
#[derive(Debug)]
pub(crate) struct Clusters {
    /// The revision of the study that it is of.
    pub(crate) revision: usize,
    /// The cluster of every row.
    pub(crate) labels: Vec<Label>,
    /// How sure that is.
    pub(crate) confidence: Vec<f64>,
    /// The likeliest other cluster of every row, where the method tells.
    pub(crate) runner_up: Option<Vec<Label>>,
    pub(crate) described: Vec<Cluster>,
}

/// A cluster.
#[derive(Debug)]
pub(crate) struct Cluster {
    /// The number of its colour, which it keeps as long as most of its rows do.
    pub(crate) colour: usize,
    pub(crate) size: usize,
    /// Rows that are typical, the most typical first.
    pub(crate) typical: Vec<usize>,
    /// Columns that set it apart, and by how many standard deviations.
    pub(crate) features: Vec<(usize, f64)>,
}

impl Clusters {
    pub(crate) fn new(
        data: &Data,
        revision: usize,
        labels: Vec<Label>,
        confidence: Vec<f64>,
        runner_up: Option<Vec<Label>>,
        colours: &mut Colours,
    ) -> Result<Self> {
        let explanation = Explanation::new(data.scaled()?, &labels, 0)?;
        let of = colours.assign(&labels);
        let described = explanation.clusters.iter().map(|found| Cluster {
            colour: of[found.cluster],
            size: found.size,
            typical: found.typical.clone(),
            features: found
                .features
                .iter()
                .take(FEATURES)
                .map(|it| (it.feature, it.difference))
                .collect(),
        });
        let described = described.collect();
        Ok(Self { revision, labels, confidence, runner_up, described })
    }
}

/// Which colour every row had last, so that clusters that are mostly the same keep theirs.
#[derive(Debug, Default)]
pub(crate) struct Colours {
    of_row: Vec<Option<usize>>,
}

impl Colours {
    /// The colours of clusters. Those that share most rows with a colour take it, each colour once; the others
    /// take the first colours that are left.
    fn assign(&mut self, labels: &[Label]) -> Vec<usize> {
        let n_clusters = labels.iter().flatten().max().map_or(0, |last| last + 1);
        let mut shared: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (label, colour) in labels.iter().zip(&self.of_row) {
            if let (Some(label), Some(colour)) = (label, colour) {
                *shared.entry((*label, *colour)).or_default() += 1;
            }
        }
        let mut shared: Vec<((usize, usize), usize)> = shared.into_iter().collect();
        shared.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut colour_of: Vec<Option<usize>> = vec![None; n_clusters];
        let mut taken = Vec::new();
        for ((cluster, colour), _) in shared {
            if colour_of[cluster].is_none() && !taken.contains(&colour) {
                colour_of[cluster] = Some(colour);
                taken.push(colour);
            }
        }
        let mut left = (0..).filter(|colour| !taken.contains(colour));
        let colours: Vec<usize> = colour_of
            .into_iter()
            .map(|colour| colour.or_else(|| left.next()).unwrap_or_default())
            .collect();
        self.of_row = labels.iter().map(|label| label.map(|label| colours[label])).collect();
        colours
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_keep_their_colours_when_they_are_renumbered_split_and_merged() {
        let mut colours = Colours::default();
        let labels = |numbers: &[usize]| numbers.iter().map(|&n| Some(n)).collect::<Vec<_>>();
        assert_eq!(colours.assign(&labels(&[0, 0, 0, 1, 1, 1])), [0, 1]);
        // Renumbered, one row moved.
        assert_eq!(colours.assign(&labels(&[1, 1, 0, 0, 0, 0])), [1, 0]);
        // Split: the larger part keeps the colour, the smaller has a new one.
        assert_eq!(colours.assign(&labels(&[0, 0, 1, 1, 1, 2])), [0, 1, 2]);
        // Merged: the colour of the larger, and the free one is taken again later.
        assert_eq!(colours.assign(&labels(&[0, 0, 0, 0, 0, 1])), [1, 2]);
        assert_eq!(colours.assign(&labels(&[2, 0, 0, 0, 0, 1])), [1, 2, 0]);
    }
}
