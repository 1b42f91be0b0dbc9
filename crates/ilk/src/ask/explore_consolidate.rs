//! Explore and consolidate.

use super::replay::{Course, Neighborhoods, Replay, asks_by_course};
use crate::numerics::rng::rng_stream;

/// Farthest units in a row that found no neighbourhood after which exploring ends.
const PATIENCE: usize = 3;

/// First a neighbourhood of every cluster, then random points (Basu, Banerjee and Mooney, *Active semi-supervision for
/// pairwise constrained clustering*, 2004).
///
/// *Explore*: the point farthest from all that were asked about,
///
/// ```text
/// x = argmax_x min_{y asked} |x - y|,
/// ```
///
/// is compared with each neighbourhood, the nearest first, and founds one where it is in none. *Consolidate*: random
/// points are compared with the neighbourhoods in the order of the distances of their means. The paper knows the number of
/// clusters and explores until it has found as many; here exploring ends when three farthest points in a row
/// were in known neighbourhoods.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExploreConsolidate;

asks_by_course!(ExploreConsolidate, |replay| Ok(course(replay)));

fn course(replay: &mut Replay<'_>) -> Course {
    let space = replay.space;
    let mut rng = rng_stream(replay.seed, 1);
    let mut order: Vec<usize> = (0..space.len()).collect();
    rng.shuffle(&mut order);
    let mut neighborhoods = Neighborhoods { units: vec![vec![order[0]]] };
    let mut is_placed = vec![false; space.len()];
    is_placed[order[0]] = true;
    let mut nearest: Vec<f64> =
        (0..space.len()).map(|unit| space.dist_sq(unit, order[0])).collect();
    let mut in_known = 0;
    while in_known < PATIENCE {
        let open = (0..space.len()).filter(|&unit| !is_placed[unit]);
        let farthest =
            open.reduce(|best, unit| if nearest[unit] > nearest[best] { unit } else { best });
        let Some(unit) = farthest else { break };
        let before = neighborhoods.units.len();
        let by_distance = neighborhoods.nearest_first(space, unit);
        neighborhoods.place(replay, unit, &by_distance)?;
        in_known = if neighborhoods.units.len() == before { in_known + 1 } else { 0 };
        is_placed[unit] = true;
        for (other, nearest) in nearest.iter_mut().enumerate() {
            *nearest = nearest.min(space.dist_sq(unit, other));
        }
    }
    for unit in order {
        if !is_placed[unit] {
            let by_distance = neighborhoods.nearest_first(space, unit);
            neighborhoods.place(replay, unit, &by_distance)?;
        }
    }
    Course::Continue(())
}
