//! Which points to draw when there are too many for a file that opens quickly.

use ilk::group::Label;

/// At most `limit` of the points, in their order: all of `keep` as far as they fit, then from every
/// cluster its share, but at least a few, so that no small cluster vanishes.
pub(crate) fn sample(labels: &[Label], keep: &[usize], limit: usize) -> Vec<usize> {
    let n = labels.len();
    if n <= limit {
        return (0..n).collect();
    }
    let mut chosen = vec![false; n];
    for &point in keep.iter().take(limit / 2) {
        chosen[point] = true;
    }
    let mut order: Vec<usize> = (0..n).filter(|&point| !chosen[point]).collect();
    let room = limit - (n - order.len());
    // The order within a cluster is shuffled by a fixed hash, so that sorted or periodic data are
    // thinned evenly. A point's rank in its cluster, relative to the cluster's size, is then its
    // turn; the first few of every cluster go before all others.
    order.sort_unstable_by_key(|&point| (labels[point], scramble(point)));
    let mut turns: Vec<(f64, usize)> = Vec::with_capacity(order.len());
    for cluster in order.chunk_by(|&a, &b| labels[a] == labels[b]) {
        for (rank, &point) in cluster.iter().enumerate() {
            let first = rank < AT_LEAST;
            let turn = (rank as f64 + 0.5) / cluster.len() as f64;
            turns.push((if first { -1.0 } else { turn }, point));
        }
    }
    turns.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for &(_, point) in turns.iter().take(room) {
        chosen[point] = true;
    }
    (0..n).filter(|&point| chosen[point]).collect()
}

/// Points of every cluster that are drawn whatever its size.
const AT_LEAST: usize = 5;

/// The finaliser of splitmix64: a fixed hash that spreads neighbouring numbers.
fn scramble(point: usize) -> u64 {
    let mut z = (point as u64).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
