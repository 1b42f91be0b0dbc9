//! The points from which Lloyd's algorithm starts.

use ndarray::ArrayView2;
use rayon::prelude::*;

use super::data::{KMeansData, directions};
use super::params::{KMeans, KMeansInit};
use crate::group::seeding::{WeightedPoints, farthest_first, kmeans_plus_plus};
use crate::numerics::distances::{Panels, dot};
use crate::numerics::{rng::rng_stream, rows_of};
use crate::{Result, observe::Progress};

/// Rows that are compared with all others together.
const ROWS: usize = 64;

impl KMeans {
    /// The points from which a run starts, at most one per cluster.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    pub(super) fn starts(
        &self,
        data: &KMeansData<'_>,
        run: usize,
        progress: &Progress<'_>,
    ) -> Result<Vec<usize>> {
        let k = self.n_clusters.at_most(data.len());
        match self.init {
            KMeansInit::MaxMin if run == 0 => {
                let pair = first_pair(data.view(), Panels::dist_sq, |a, b| a > b);
                farthest_first(data, k, pair[..pair.len().min(k)].to_vec(), progress)
            }
            KMeansInit::Angular if run == 0 => Ok(angular(data, k)),
            KMeansInit::Centers(_) => Ok(Vec::new()),
            KMeansInit::PlusPlus | KMeansInit::MaxMin | KMeansInit::Angular => {
                kmeans_plus_plus(data, k, &mut rng_stream(self.seed, run as u64), progress)
            }
        }
    }
}

/// (4.17): the two points with the largest angle, then those with the smallest sums of cosines.
fn angular(data: &KMeansData<'_>, k: usize) -> Vec<usize> {
    let rows = directions(data.view());
    let mut chosen = first_pair(rows.view(), Panels::dot, |a, b| a < b);
    chosen.truncate(k);
    let mut sums = vec![0.0; data.len()];
    let mut seen = 0;
    loop {
        for &point in &chosen[seen..] {
            let center = rows.row(point).to_vec();
            sums.par_iter_mut().enumerate().for_each(|(i, sum)| {
                let row = rows.row(i);
                *sum += dot(rows_of(&row), &center);
            });
        }
        seen = chosen.len();
        let free = (0..data.len()).filter(|point| !chosen.contains(point));
        match free.reduce(|best, i| if sums[i] < sums[best] { i } else { best }) {
            Some(next) if chosen.len() < k => chosen.push(next),
            _ => return chosen,
        }
    }
}

/// The pair of rows with the best value, the first of equally good ones; the only row where there is
/// one.
fn first_pair(
    rows: ArrayView2<'_, f64>,
    values: impl Fn(&Panels, &[f64], std::ops::Range<usize>, &mut [f64]) + Sync,
    is_better: impl Fn(f64, f64) -> bool + Sync,
) -> Vec<usize> {
    let (n, dims) = rows.dim();
    let panels = Panels::new(rows);
    let flat = rows_of(&rows);
    let better =
        |a: (f64, [usize; 2]), b: (f64, [usize; 2])| if is_better(b.0, a.0) { b } else { a };
    let blocks: Vec<_> = flat
        .par_chunks(ROWS * dims)
        .enumerate()
        .map_init(Vec::new, |out, (block, queries)| {
            let (start, count) = (block * ROWS, queries.len() / dims);
            let width = n - start;
            out.resize(count * width, 0.0);
            values(&panels, queries, start..n, out);
            let pairs = (0..count).flat_map(|i| (i + 1..width).map(move |j| (i, j)));
            pairs.map(|(i, j)| (out[i * width + j], [start + i, start + j])).reduce(better)
        })
        .collect();
    match blocks.into_iter().flatten().reduce(better) {
        Some((_, pair)) => pair.to_vec(),
        None => (0..n).collect(),
    }
}
